/*
 * scan.h -- what each thread of a tile or a coalesced group has of those before it.
 *
 * inclusive_scan counts the thread's own value, exclusive_scan does not: the first thread has the
 * operation's identity, or T() of an operation that is not one of reduce.h.
 */
#ifndef COOPERATIVE_GROUPS_SCAN_H
#define COOPERATIVE_GROUPS_SCAN_H

#include <cooperative_groups/reduce.h>

#if defined(__cplusplus) && defined(__CUDACC__)

namespace cooperative_groups
{

namespace __smelt_groups
{
template <class T, class Op> SMELT_DEVICE auto first_of(int) -> decltype((T)Op::identity())
{
    return Op::identity();
}
template <class T, class Op> SMELT_DEVICE T first_of(long) /* where the other does not exist */
{
    return T();
}
template <class T> struct bare {
    typedef T type;
};
template <class T> struct bare<T &> {
    typedef T type;
};
template <class T> struct bare<const T &> {
    typedef T type;
};
} // namespace __smelt_groups

template <class Group, class T, class Op>
SMELT_DEVICE T inclusive_scan(const Group &g, const T &value, Op &&op)
{
    T sum = value;
    unsigned int n = g.size(), rank = g.thread_rank();
    for (unsigned int by = 1; by < n; by *= 2) {
        T before = g.shfl_up(sum, by);
        if (rank >= by)
            sum = op(before, sum);
    }
    return sum;
}

template <class Group, class T> SMELT_DEVICE T inclusive_scan(const Group &g, const T &value)
{
    return inclusive_scan(g, value, plus<T>());
}

template <class Group, class T, class Op>
SMELT_DEVICE T exclusive_scan(const Group &g, const T &value, Op &&op)
{
    T before = g.shfl_up(inclusive_scan(g, value, op), 1);
    typedef typename __smelt_groups::bare<Op>::type Plain;
    return g.thread_rank() ? before : __smelt_groups::first_of<T, Plain>(0);
}

template <class Group, class T> SMELT_DEVICE T exclusive_scan(const Group &g, const T &value)
{
    return exclusive_scan(g, value, plus<T>());
}

/* Of a running total: the group's sum is added to it, and the scan goes on from what it was. */
template <class Group, class Atomic, class T, class Op>
SMELT_DEVICE T exclusive_scan_update(const Group &g, Atomic &total, const T &value, Op &&op)
{
    T upto = inclusive_scan(g, value, op), start = upto;
    unsigned int last = g.size() - 1;
    if (g.thread_rank() == last) {
        start = total.load();
        while (!total.compare_exchange_weak(start, op(start, upto)))
            ;
    }
    start = g.shfl(start, (int)last);
    T before = g.shfl_up(upto, 1);
    return g.thread_rank() ? op(start, before) : start;
}

template <class Group, class Atomic, class T>
SMELT_DEVICE T exclusive_scan_update(const Group &g, Atomic &total, const T &value)
{
    return exclusive_scan_update(g, total, value, plus<T>());
}

template <class Group, class Atomic, class T, class Op>
SMELT_DEVICE T inclusive_scan_update(const Group &g, Atomic &total, const T &value, Op &&op)
{
    return op(exclusive_scan_update(g, total, value, op), value);
}

template <class Group, class Atomic, class T>
SMELT_DEVICE T inclusive_scan_update(const Group &g, Atomic &total, const T &value)
{
    return inclusive_scan_update(g, total, value, plus<T>());
}

} // namespace cooperative_groups

#endif

#endif
