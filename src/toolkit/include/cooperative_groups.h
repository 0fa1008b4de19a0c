/*
 * cooperative_groups.h -- groups of threads that synchronise and exchange values.
 *
 *     thread_block, grid_group          the threads of a CTA, of the launch
 *     thread_block_tile<N>              N neighbours in a warp, N = 1, 2, 4 .. 32
 *     coalesced_group                   any lanes of a warp: those that are active together, ..
 *     thread_group                      any of these: what a function takes that does not care
 *
 * Names and meaning are those of CUDA 12.  Tiles of more than a warp, clusters and several devices
 * are not there.  A grid synchronises where all its CTAs are resident: cudaLaunchCooperativeKernel
 * sees to that.
 */
#ifndef COOPERATIVE_GROUPS_H
#define COOPERATIVE_GROUPS_H

#if defined(__cplusplus) && defined(__CUDACC__)

#include <smelt/lanes.h>

/*
 * The barrier of the launch; libcudart.so sets it anew for each: was it a cooperative one, how many
 * CTAs have arrived, how many times all have.
 */
extern "C" {
__device__ __attribute__((weak)) unsigned int __smelt_grid[3];
}

namespace cooperative_groups
{

class thread_block;
class coalesced_group;
template <unsigned int Size, class Parent = void> class thread_block_tile;

/* --- any group --- */

class thread_group
{
  public:
    SMELT_DEVICE void sync() const;
    SMELT_DEVICE unsigned long long size() const;
    SMELT_DEVICE unsigned long long num_threads() const
    {
        return size();
    }
    SMELT_DEVICE unsigned long long thread_rank() const;
    SMELT_DEVICE bool is_valid() const
    {
        return kind != GRID || __smelt_grid[0];
    }

  protected:
    enum kind_t { LANES, BLOCK, GRID };
    SMELT_DEVICE thread_group(kind_t k, unsigned int l, unsigned int p, unsigned int n)
        : kind(k), lanes(l), part(p), parts(n)
    {
    }
    kind_t kind;
    unsigned int lanes;       /* of the warp, for LANES */
    unsigned int part, parts; /* which of how many of its parent */

    friend SMELT_DEVICE thread_group tiled_partition(const thread_group &parent, unsigned int n);
};

/* --- a CTA --- */

class thread_block : public thread_group
{
  public:
    struct arrival_token {
    };

    static SMELT_DEVICE void sync()
    {
        __syncthreads();
    }
    /* Nobody may pass before all have arrived, and none waits without having arrived. */
    static SMELT_DEVICE arrival_token barrier_arrive()
    {
        return arrival_token();
    }
    static SMELT_DEVICE void barrier_wait(arrival_token &&)
    {
        __syncthreads();
    }
    static SMELT_DEVICE unsigned int size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static SMELT_DEVICE unsigned int num_threads()
    {
        return size();
    }
    static SMELT_DEVICE unsigned int thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    static SMELT_DEVICE dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static SMELT_DEVICE dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static SMELT_DEVICE dim3 dim_threads()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    static SMELT_DEVICE dim3 group_dim() /* its name before CUDA 11 */
    {
        return dim_threads();
    }

  private:
    SMELT_DEVICE thread_block() : thread_group(BLOCK, 0, 0, 1)
    {
    }
    friend SMELT_DEVICE thread_block this_thread_block();
};

SMELT_DEVICE thread_block this_thread_block()
{
    return thread_block();
}

/* --- the launch --- */

/* Long because: a class, of many small functions. */
class grid_group : public thread_group
{
  public:
    struct arrival_token {
        unsigned int generation;
    };

    static SMELT_DEVICE bool is_valid()
    {
        return ((volatile unsigned int *)__smelt_grid)[0] != 0;
    }
    static SMELT_DEVICE void sync()
    {
        barrier_wait(barrier_arrive());
    }

    /* One thread of a CTA arrives for all; what any of them wrote before is seen after the wait. */
    static SMELT_DEVICE arrival_token barrier_arrive()
    {
        arrival_token token = {0};
        __syncthreads();
        if (thread_block::thread_rank() == 0) {
            if (!is_valid())
                __assertfail("the launch is cooperative (cudaLaunchCooperativeKernel)",
                             "cooperative_groups.h", 0, "this_grid().sync()", 1);
            token.generation = ((volatile unsigned int *)__smelt_grid)[2];
            __threadfence();
            if (atomicAdd(&__smelt_grid[1], 1u) == (unsigned int)num_blocks() - 1) {
                __smelt_grid[1] = 0;
                __threadfence();
                atomicAdd(&__smelt_grid[2], 1u);
            }
        }
        return token;
    }
    static SMELT_DEVICE void barrier_wait(arrival_token &&token)
    {
        if (thread_block::thread_rank() == 0) {
            while (((volatile unsigned int *)__smelt_grid)[2] == token.generation)
                ;
            __threadfence();
        }
        __syncthreads();
    }

    static SMELT_DEVICE unsigned long long size()
    {
        return num_blocks() * thread_block::size();
    }
    static SMELT_DEVICE unsigned long long num_threads()
    {
        return size();
    }
    static SMELT_DEVICE unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static SMELT_DEVICE unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static SMELT_DEVICE unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static SMELT_DEVICE dim3 dim_blocks()
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    static SMELT_DEVICE dim3 group_dim()
    {
        return dim_blocks();
    }
    static SMELT_DEVICE dim3 block_index()
    {
        return thread_block::group_index();
    }

  private:
    SMELT_DEVICE grid_group() : thread_group(GRID, 0, 0, 1)
    {
    }
    friend SMELT_DEVICE grid_group this_grid();
};

SMELT_DEVICE grid_group this_grid()
{
    return grid_group();
}

/* --- some lanes of a warp --- */

namespace __smelt_groups
{
/* What tiles and coalesced groups have in common; `bits` are by rank. */
class lane_group : public thread_group
{
  public:
    SMELT_DEVICE void sync() const
    {
        __syncwarp(lanes);
    }
    SMELT_DEVICE int any(int predicate) const
    {
        return __any_sync(lanes, predicate);
    }
    SMELT_DEVICE int all(int predicate) const
    {
        return __all_sync(lanes, predicate);
    }
    SMELT_DEVICE unsigned int ballot(int predicate) const
    {
        return __smelt::by_rank(lanes, __ballot_sync(lanes, predicate));
    }
    template <class T> SMELT_DEVICE unsigned int match_any(T v) const
    {
        return __smelt::by_rank(lanes, __smelt::match(lanes, v));
    }
    template <class T> SMELT_DEVICE unsigned int match_all(T v, int &all) const
    {
        all = __all_sync(lanes, (__smelt::match(lanes, v) & lanes) == (__activemask() & lanes));
        return all ? __smelt::by_rank(lanes, lanes) : 0;
    }
    SMELT_DEVICE unsigned int meta_group_rank() const
    {
        return part;
    }
    SMELT_DEVICE unsigned int meta_group_size() const
    {
        return parts;
    }

  protected:
    SMELT_DEVICE lane_group(unsigned int l, unsigned int p, unsigned int n)
        : thread_group(LANES, l, p, n)
    {
    }
};
} // namespace __smelt_groups

class coalesced_group : public __smelt_groups::lane_group
{
  public:
    SMELT_DEVICE unsigned int size() const
    {
        return (unsigned int)__popc((int)lanes);
    }
    SMELT_DEVICE unsigned int num_threads() const
    {
        return size();
    }
    SMELT_DEVICE unsigned int thread_rank() const
    {
        return __smelt::rank_in(lanes);
    }
    template <class T> SMELT_DEVICE T shfl(T v, int rank) const
    {
        return __smelt::shuffle(lanes, v, (int)__smelt::nth_of(lanes, (unsigned int)rank));
    }
    template <class T> SMELT_DEVICE T shfl_up(T v, unsigned int by) const
    {
        unsigned int rank = thread_rank();
        return shfl(v, (int)(rank < by ? rank : rank - by));
    }
    template <class T> SMELT_DEVICE T shfl_down(T v, unsigned int by) const
    {
        unsigned int rank = thread_rank();
        return shfl(v, (int)(rank + by < size() ? rank + by : rank));
    }

  private:
    SMELT_DEVICE explicit coalesced_group(unsigned int l, unsigned int p = 0, unsigned int n = 1)
        : lane_group(l, p, n)
    {
    }
    template <unsigned int, class> friend class thread_block_tile;
    friend SMELT_DEVICE coalesced_group coalesced_threads();
    friend SMELT_DEVICE coalesced_group tiled_partition(const coalesced_group &parent,
                                                        unsigned int n);
    template <class Group>
    friend SMELT_DEVICE coalesced_group binary_partition(const Group &parent, bool label);
    template <class Label, class Group>
    friend SMELT_DEVICE coalesced_group labeled_partition(const Group &parent, Label label);
};

/* Those of the warp that are here together. */
SMELT_DEVICE coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* Long because: a class, of many small functions. */
template <unsigned int Size, class Parent>
class thread_block_tile : public __smelt_groups::lane_group
{
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");

  public:
    /* The same tile, by its other name. */
    template <class Other>
    SMELT_DEVICE thread_block_tile(const thread_block_tile<Size, Other> &t)
        : lane_group(t.lanes, t.part, t.parts)
    {
    }
    SMELT_DEVICE operator coalesced_group() const
    {
        return coalesced_group(lanes & __activemask(), part, parts);
    }

    static constexpr SMELT_DEVICE unsigned int size()
    {
        return Size;
    }
    static constexpr SMELT_DEVICE unsigned int num_threads()
    {
        return Size;
    }
    static SMELT_DEVICE unsigned int thread_rank()
    {
        return __smelt::lane() % Size;
    }
    /* Does the CTA have threads for all of it?  The last tile of one may lack some. */
    static SMELT_DEVICE bool is_full()
    {
        return thread_block::thread_rank() / Size * Size + Size <= thread_block::size();
    }
    SMELT_DEVICE unsigned int ballot(int predicate) const
    {
        return in_tile(__ballot_sync(lanes, predicate));
    }
    template <class T> SMELT_DEVICE unsigned int match_any(T v) const
    {
        return in_tile(__smelt::match(lanes, v));
    }
    template <class T> SMELT_DEVICE unsigned int match_all(T v, int &all) const
    {
        unsigned int here = lanes & __activemask();
        all = __all_sync(lanes, __smelt::match(lanes, v) == here);
        return all ? in_tile(here) : 0;
    }
    template <class T> SMELT_DEVICE T shfl(T v, int rank) const
    {
        return __smelt::shuffle(lanes, v, rank, Size);
    }
    template <class T> SMELT_DEVICE T shfl_up(T v, unsigned int by) const
    {
        return __smelt::shuffle_up(lanes, v, by, Size);
    }
    template <class T> SMELT_DEVICE T shfl_down(T v, unsigned int by) const
    {
        return __smelt::shuffle_down(lanes, v, by, Size);
    }
    template <class T> SMELT_DEVICE T shfl_xor(T v, unsigned int with) const
    {
        return __smelt::shuffle_xor(lanes, v, (int)with, Size);
    }

  private:
    SMELT_DEVICE thread_block_tile(unsigned int p, unsigned int n)
        : lane_group(__smelt::lanes_of(__smelt::lane() / Size * Size, Size), p, n)
    {
    }
    static SMELT_DEVICE unsigned int in_tile(unsigned int bits)
    {
        return bits >> __smelt::lane() / Size * Size & __smelt::lanes_of(0, Size);
    }
    template <unsigned int, class> friend class thread_block_tile;
    template <unsigned int N>
    friend SMELT_DEVICE thread_block_tile<N, thread_block> tiled_partition(const thread_block &);
    template <unsigned int N, unsigned int M, class P>
    friend SMELT_DEVICE thread_block_tile<N, thread_block_tile<M, P>>
    tiled_partition(const thread_block_tile<M, P> &);
    friend SMELT_DEVICE thread_block_tile<1> this_thread();
};

SMELT_DEVICE thread_block_tile<1> this_thread()
{
    return thread_block_tile<1>(0, 1);
}

/* --- parts of a group --- */

template <unsigned int N>
SMELT_DEVICE thread_block_tile<N, thread_block> tiled_partition(const thread_block &)
{
    return thread_block_tile<N, thread_block>(thread_block::thread_rank() / N,
                                              (thread_block::size() + N - 1) / N);
}

template <unsigned int N, unsigned int M, class P>
SMELT_DEVICE thread_block_tile<N, thread_block_tile<M, P>>
tiled_partition(const thread_block_tile<M, P> &)
{
    static_assert(N <= M, "a tile of a tile is not larger");
    return thread_block_tile<N, thread_block_tile<M, P>>(__smelt::lane() % M / N, M / N);
}

/* n neighbours by rank; n is 1, 2, 4 .. 32.  The last may have fewer. */
SMELT_DEVICE coalesced_group tiled_partition(const coalesced_group &parent, unsigned int n)
{
    unsigned int rank = parent.thread_rank(), part = rank / n, tile = 0;
    unsigned int end = part * n + n < parent.size() ? part * n + n : parent.size();
    for (unsigned int r = part * n; r < end; r++)
        tile |= 1u << __smelt::nth_of(parent.lanes, r);
    return coalesced_group(tile, part, (parent.size() + n - 1) / n);
}

SMELT_DEVICE thread_group tiled_partition(const thread_group &parent, unsigned int n)
{
    if (parent.kind == thread_group::LANES && !__smelt::adjacent(parent.lanes))
        return tiled_partition(static_cast<const coalesced_group &>(parent), n);
    unsigned int rank = (unsigned int)parent.thread_rank(), size = (unsigned int)parent.size();
    unsigned int part = rank / n, first = __smelt::lane() - rank % n;
    unsigned int left = size - part * n;
    return thread_group(thread_group::LANES, __smelt::lanes_of(first, n < left ? n : left), part,
                        (size + n - 1) / n);
}

/* Those of the group that say the same; the parts are counted in the order of their first lanes. */
template <class Label, class Group>
SMELT_DEVICE coalesced_group labeled_partition(const Group &parent, Label label)
{
    coalesced_group g(parent);
    unsigned int mine = __smelt::match(g.lanes, label), firsts;
    unsigned int first = mine & (0u - mine);
    firsts = __ballot_sync(g.lanes, __smelt::lane() == (unsigned int)__ffs((int)mine) - 1);
    return coalesced_group(mine, (unsigned int)__popc((int)(firsts & (first - 1))),
                           (unsigned int)__popc((int)firsts));
}

template <class Group>
SMELT_DEVICE coalesced_group binary_partition(const Group &parent, bool label)
{
    coalesced_group g(parent);
    unsigned int yes = __ballot_sync(g.lanes, label), no = g.lanes & ~yes;
    return coalesced_group(label ? yes : no, label ? 1 : 0, 2);
}

/* --- functions on groups --- */

SMELT_DEVICE void thread_group::sync() const
{
    if (kind == LANES)
        __syncwarp(lanes);
    else if (kind == BLOCK)
        thread_block::sync();
    else
        grid_group::sync();
}

SMELT_DEVICE unsigned long long thread_group::size() const
{
    return kind == LANES   ? (unsigned long long)__popc((int)lanes)
           : kind == BLOCK ? thread_block::size()
                           : grid_group::size();
}

SMELT_DEVICE unsigned long long thread_group::thread_rank() const
{
    return kind == LANES   ? __smelt::rank_in(lanes)
           : kind == BLOCK ? thread_block::thread_rank()
                           : grid_group::thread_rank();
}

template <class Group> SMELT_DEVICE void sync(const Group &g)
{
    g.sync();
}

template <class Group> SMELT_DEVICE auto thread_rank(const Group &g) -> decltype(g.thread_rank())
{
    return g.thread_rank();
}

template <class Group> SMELT_DEVICE auto group_size(const Group &g) -> decltype(g.size())
{
    return g.size();
}

/* One of them calls it; _broadcast: and all get what it returns. */
template <class Group, class F, class... Args>
SMELT_DEVICE void invoke_one(const Group &g, F &&f, Args &&...args)
{
    if (g.thread_rank() == 0)
        f(static_cast<Args &&>(args)...);
}

template <class Group, class F, class... Args>
SMELT_DEVICE auto invoke_one_broadcast(const Group &g, F &&f, Args &&...args)
    -> decltype(f(static_cast<Args &&>(args)...))
{
    typedef decltype(f(static_cast<Args &&>(args)...)) T;
    T v = T();
    if (g.thread_rank() == 0)
        v = f(static_cast<Args &&>(args)...);
    return g.shfl(v, 0);
}

} // namespace cooperative_groups

#endif

#endif
