/*
 * memcpy_async.h -- a group copies, then waits.
 *
 * The copy is an ordinary one that the threads share (smelt/copy.h), and waiting synchronises the
 * group; so wait_prior waits for all copies, which is more than it promises.
 */
#ifndef COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

#if defined(__cplusplus) && defined(__CUDACC__)

#include <smelt/copy.h>

namespace cooperative_groups
{

/* `bytes`: a size_t, or cuda::aligned_size_t. */
template <class Group, class T, class Bytes>
SMELT_DEVICE void memcpy_async(const Group &g, T *to, const T *from, const Bytes &bytes)
{
    __smelt::copy(to, from, (size_t)bytes, (size_t)g.thread_rank(), (size_t)g.size());
}

template <class Group, class Bytes>
SMELT_DEVICE void memcpy_async(const Group &g, void *to, const void *from, const Bytes &bytes)
{
    __smelt::copy(to, from, (size_t)bytes, (size_t)g.thread_rank(), (size_t)g.size());
}

/* As many elements as there are on both sides. */
template <class Group, class T, class ToCount, class FromCount>
SMELT_DEVICE void memcpy_async(const Group &g, T *to, const ToCount &to_count, const T *from,
                               const FromCount &from_count)
{
    size_t a = (size_t)to_count, b = (size_t)from_count;
    __smelt::copy(to, from, (a < b ? a : b) * sizeof(T), (size_t)g.thread_rank(), (size_t)g.size());
}

template <class Group> SMELT_DEVICE void wait(const Group &g)
{
    g.sync();
}

template <unsigned int Stages, class Group> SMELT_DEVICE void wait_prior(const Group &g)
{
    g.sync();
}

} // namespace cooperative_groups

#endif

#endif
