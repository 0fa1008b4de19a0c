/*
 * reduce.h -- one value of all threads of a tile or a coalesced group.
 *
 * Every thread gets the result.  The operation must be associative and commutative, up to rounding;
 * it is one of those here or any function object that a kernel can call.
 */
#ifndef COOPERATIVE_GROUPS_REDUCE_H
#define COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

#if defined(__cplusplus) && defined(__CUDACC__)

#include <limits>

namespace cooperative_groups
{

/* `identity`: what a scan has before its first value. */
#define SMELT_OPERATION(name, result, first)                                                       \
    template <class T> struct name {                                                               \
        SMELT_DEVICE T operator()(T a, T b) const                                                  \
        {                                                                                          \
            return result;                                                                         \
        }                                                                                          \
        static SMELT_DEVICE T identity()                                                           \
        {                                                                                          \
            return first;                                                                          \
        }                                                                                          \
    };
SMELT_OPERATION(plus, (T)(a + b), (T)0)
SMELT_OPERATION(less, b < a ? b : a, std::numeric_limits<T>::max())
SMELT_OPERATION(greater, a < b ? b : a, std::numeric_limits<T>::lowest())
SMELT_OPERATION(bit_and, (T)(a &b), (T) ~(T)0)
SMELT_OPERATION(bit_or, (T)(a | b), (T)0)
SMELT_OPERATION(bit_xor, (T)(a ^ b), (T)0)
#undef SMELT_OPERATION

/* The upper half, which may lack some, is added to the lower one, until only the first is left. */
template <class T, class Op>
SMELT_DEVICE T reduce(const coalesced_group &g, const T &value, Op &&op)
{
    T sum = value;
    unsigned int n = g.size(), rank = g.thread_rank(), by = 16;
    for (; by; by /= 2) {
        T other = g.shfl_down(sum, by);
        if (rank < by && rank + by < n)
            sum = op(sum, other);
    }
    return g.shfl(sum, 0);
}

/* Halves exchange; a tile that the CTA does not fill goes the way of the coalesced. */
template <unsigned int Size, class Parent, class T, class Op>
SMELT_DEVICE T reduce(const thread_block_tile<Size, Parent> &g, const T &value, Op &&op)
{
    if (!g.is_full())
        return reduce((coalesced_group)g, value, op);
    T sum = value;
    for (unsigned int by = Size / 2; by; by /= 2)
        sum = op(sum, g.shfl_xor(sum, by));
    return sum;
}

/* The result into memory or an atomic, by one of the group; done once the group has synchronised. */
template <class Group, class To, class T, class Op>
SMELT_DEVICE void reduce_store_async(const Group &g, To &&to, const T &value, Op &&op)
{
    T sum = reduce(g, value, op);
    if (g.thread_rank() == 0)
        to.store(sum);
}

template <class Group, class To, class T, class Op>
SMELT_DEVICE void reduce_store_async(const Group &g, To *to, const T &value, Op &&op)
{
    T sum = reduce(g, value, op);
    if (g.thread_rank() == 0)
        *to = sum;
}

template <class Group, class Atomic, class T, class Op>
SMELT_DEVICE void reduce_update_async(const Group &g, Atomic &to, const T &value, Op &&op)
{
    T sum = reduce(g, value, op);
    if (g.thread_rank() != 0)
        return;
    T seen = to.load();
    while (!to.compare_exchange_weak(seen, op(seen, sum)))
        ;
}

} // namespace cooperative_groups

#endif

#endif
