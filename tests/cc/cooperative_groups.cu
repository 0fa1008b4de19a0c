// Groups of cooperative_groups.h: blocks, tiles, tiles of tiles, coalesced threads and partitions.
// timing
#include "check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

enum { N = 80 }; /* two warps and a half */

struct thread {
    unsigned rank, size, index[3], dim[3], group[3];
};

__global__ void block(thread *out)
{
    cg::thread_block b = cg::this_thread_block();
    __shared__ int last;
    if (b.thread_rank() == b.size() - 1)
        last = (int)b.thread_rank();
    b.sync();
    dim3 i = b.thread_index(), d = b.dim_threads(), g = b.group_index();
    thread t = {b.thread_rank(),    b.num_threads(), {i.x, i.y, i.z}, {d.x, d.y, d.z},
                {g.x, g.y, (unsigned)last}};
    cg::sync(b);
    out[b.size() * (g.y * gridDim.x + g.x) + b.thread_rank()] = t;
}

static void blocks(void)
{
    thread *t = shared_array<thread>(6 * 24);
    block<<<dim3(3, 2), dim3(4, 3, 2)>>>(t);
    finish_kernels();
    for (unsigned i = 0; i < 6 * 24; i++) {
        unsigned r = i % 24, b = i / 24;
        CHECK(t[i].rank == r && t[i].size == 24);
        CHECK(t[i].index[0] == r % 4 && t[i].index[1] == r / 4 % 3 && t[i].index[2] == r / 12);
        CHECK(t[i].dim[0] == 4 && t[i].dim[1] == 3 && t[i].dim[2] == 2);
        CHECK(t[i].group[0] == b % 3 && t[i].group[1] == b / 3 && t[i].group[2] == 23);
    }
}

/* --- tiles --- */

struct wide { /* 16 bytes, and no default constructor */
    short a;
    double b;
    __device__ wide(short x, double y) : a(x), b(y)
    {
    }
};

enum { FIELDS = 16 };

template <unsigned Size> __global__ void tile(int *out)
{
    auto b = cg::this_thread_block();
    auto t = cg::tiled_partition<Size>(b);
    cg::thread_block_tile<Size> same = t;
    int i = (int)b.thread_rank(), *o = out + FIELDS * i;
    t.sync();
    o[0] = (int)t.thread_rank();
    o[1] = (int)t.size();
    o[2] = (int)t.meta_group_rank();
    o[3] = (int)same.meta_group_size();
    o[4] = t.shfl(i, 1);
    o[5] = t.shfl_up(i, 1);
    o[6] = same.shfl_down(i, 1);
    o[7] = t.shfl_xor(i, Size / 2);
    o[8] = t.any(i == 5);
    o[9] = t.all(i < 40);
    o[10] = (int)t.ballot(i % 3 == 0);
    o[11] = (int)t.match_any(i % 2);
    int all;
    o[12] = (int)t.match_all(i / 16, all);
    o[13] = all;
    o[14] = (int)(t.shfl(wide((short)i, i + 0.5), 0).b * 2);
    o[15] = t.shfl((char)i, 0);
}

template <unsigned Size> static void tiles(void)
{
    int *out = shared_array<int>(N * FIELDS);
    tile<Size><<<1, N>>>(out);
    finish_kernels();
    for (int i = 0; i < N; i++) {
        const int n = (int)Size, first = i / n * n, r = i % n, *o = out + FIELDS * i;
        const int end = first + n < N ? first + n : N;
        unsigned thirds = 0, twins = 0, members = 0;
        bool same = true;
        for (int k = first; k < end; k++) {
            thirds |= (unsigned)(k % 3 == 0) << (k - first);
            twins |= (unsigned)(k % 2 == i % 2) << (k - first);
            members |= 1u << (k - first);
            same = same && k / 16 == i / 16;
        }
        CHECK(o[0] == r && o[1] == n && o[2] == i / n && o[3] == (N + n - 1) / n);
        CHECK(o[4] == (n > 1 ? first + 1 : first));
        CHECK(o[5] == (r ? i - 1 : i));
        CHECK(o[6] == (r + 1 < n && i + 1 < N ? i + 1 : i));
        CHECK(o[7] == ((i ^ n / 2) < N ? (i ^ n / 2) : i));
        CHECK(o[8] == (5 >= first && 5 < end));
        CHECK(o[9] == (end <= 40));
        CHECK((unsigned)o[10] == thirds && (unsigned)o[11] == twins);
        CHECK((unsigned)o[12] == (same ? members : 0) && o[13] == same);
        CHECK(o[14] == 2 * first + 1 && o[15] == first);
    }
}

__global__ void nested(int *out)
{
    auto t16 = cg::tiled_partition<16>(cg::this_thread_block());
    auto t4 = cg::tiled_partition<4>(t16);
    cg::thread_group any = cg::tiled_partition(cg::this_thread_block(), 8);
    cg::thread_group two = cg::tiled_partition(any, 2);
    int i = threadIdx.x, *o = out + 8 * i;
    o[0] = (int)t4.meta_group_rank();
    o[1] = (int)t4.meta_group_size();
    o[2] = t4.shfl(i, 3);
    o[3] = (int)any.thread_rank();
    o[4] = (int)any.size();
    o[5] = (int)two.thread_rank();
    o[6] = (int)two.num_threads();
    any.sync();
    two.sync();
    o[7] = (int)(cg::this_thread().size() + cg::this_thread().thread_rank());
}

static void tiles_of_tiles(void)
{
    int *out = shared_array<int>(8 * 44);
    nested<<<1, 44>>>(out);
    finish_kernels();
    for (int i = 0; i < 44; i++) {
        const int *o = out + 8 * i;
        CHECK(o[0] == i % 16 / 4 && o[1] == 4 && o[2] == (i | 3));
        CHECK(o[3] == i % 8 && o[4] == (i < 40 ? 8 : 4)); /* the last has four threads left */
        CHECK(o[5] == i % 2 && o[6] == 2 && o[7] == 1);
    }
}

/* --- coalesced threads --- */

__device__ unsigned rank_of(cg::thread_group g) /* a function that does not care */
{
    g.sync();
    return (unsigned)(100 * g.size() + g.thread_rank());
}

__global__ void coalesced(int *out)
{
    int i = threadIdx.x, *o = out + FIELDS * i;
    if (i % 3 == 1) { /* lanes 1, 4 .. 31: eleven */
        cg::coalesced_group g = cg::coalesced_threads();
        o[0] = (int)g.size();
        o[1] = (int)g.thread_rank();
        o[2] = g.shfl(i, 2);
        o[3] = g.shfl_up(i, 2);
        o[4] = g.shfl_down(i, 3);
        o[5] = g.any(i == 4);
        o[6] = g.all(i == 4);
        o[7] = (int)g.ballot(i % 2);
        o[8] = (int)g.match_any(i / 16);
        auto four = cg::tiled_partition(g, 4);
        o[9] = (int)(100 * four.size() + four.thread_rank());
        o[10] = (int)(100 * four.meta_group_size() + four.meta_group_rank());
        o[11] = four.shfl(i, 0);
        auto half = cg::binary_partition(g, i >= 16);
        o[12] = (int)(100 * half.size() + half.thread_rank());
        auto label = cg::labeled_partition(g, i % 4);
        o[13] = (int)(100 * label.size() + label.thread_rank());
        o[14] = (int)(100 * label.meta_group_size() + label.meta_group_rank());
        o[15] = (int)rank_of(g);
    }
}

static void coalesced_lanes(void)
{
    int *out = shared_array<int>(FIELDS * 32);
    coalesced<<<1, 32>>>(out);
    finish_kernels();
    const int lane[11] = {1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31};
    const int odd = 0x555; /* 1, 7, 13, 19, 25, 31 are odd: every second rank */
    for (int r = 0; r < 11; r++) {
        const int i = lane[r], *o = out + FIELDS * i;
        int alike = 0, before = 0;
        for (int k = 0; k < 11; k++) {
            alike += lane[k] % 4 == i % 4;
            before += k < r && lane[k] % 4 == i % 4;
        }
        CHECK(o[0] == 11 && o[1] == r && o[2] == 7);
        CHECK(o[3] == (r < 2 ? i : i - 6) && o[4] == (r + 3 < 11 ? i + 9 : i));
        CHECK(o[5] == 1 && o[6] == 0 && o[7] == odd);
        CHECK(o[8] == (r < 5 ? 0x1f : 0x7e0));
        CHECK(o[9] == (r < 8 ? 400 + r % 4 : 300 + r - 8) && o[10] == 300 + r / 4);
        CHECK(o[11] == lane[r / 4 * 4]);
        CHECK(o[12] == (r < 5 ? 500 + r : 600 + r - 5));
        CHECK(o[13] == 100 * alike + before);
        /* remainders in the order of their first lanes 1, 4, 7, 10: 1, 0, 3, 2 */
        CHECK(o[14] == 400 + (i % 4 == 1 ? 0 : i % 4 == 0 ? 1 : i % 4 == 3 ? 2 : 3));
        CHECK(o[15] == 1100 + r);
    }
}

/* --- one of the group --- */

__global__ void one(int *out)
{
    auto t = cg::tiled_partition<8>(cg::this_thread_block());
    int i = threadIdx.x;
    cg::invoke_one(t, [&](int by) { atomicAdd(out, by); }, 3);
    out[1 + i] = cg::invoke_one_broadcast(t, [&] { return 10 * i; });
}

static void ones(void)
{
    int *out = shared_array<int>(33);
    one<<<1, 32>>>(out);
    finish_kernels();
    CHECK(out[0] == 4 * 3);
    for (int i = 0; i < 32; i++)
        CHECK(out[1 + i] == 10 * (i / 8 * 8));
}

int main()
{
    blocks();
    tiles<1>();
    tiles<2>();
    tiles<4>();
    tiles<8>();
    tiles<16>();
    tiles<32>();
    tiles_of_tiles();
    coalesced_lanes();
    ones();
    return finish();
}
