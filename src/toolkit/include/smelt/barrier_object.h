/*
 * barrier_object.h -- cuda::barrier: threads arrive, and wait until all have; and copies for it.
 *
 * Two words that count and one that says which phase it is.  Whoever arrives last runs the
 * completion and begins the next phase; the others poll, so threads of one warp must not wait for
 * each other in different branches.  A copy of cuda::memcpy_async has been made when it returns
 * (smelt/copy.h): the barrier then has nothing of it to wait for.
 */
#ifndef SMELT_BARRIER_OBJECT_H
#define SMELT_BARRIER_OBJECT_H

#include <smelt/atomic_object.h>
#ifdef __CUDACC__
#include <smelt/copy.h>
#endif

namespace cuda
{

/* Bytes, and a promise on the alignment of both places and their number. */
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    SMELT_ANY explicit constexpr aligned_size_t(size_t n) : value(n)
    {
    }
    SMELT_ANY constexpr operator size_t() const
    {
        return value;
    }
};

namespace __smelt_atomic
{
struct no_completion {
    SMELT_ANY void operator()() const
    {
    }
};
} // namespace __smelt_atomic

/* Long because: a class, of many small functions. */
template <thread_scope Scope, class Completion = __smelt_atomic::no_completion> class barrier
{
    typedef cuda::atomic<unsigned int, Scope> word;
    word expected; /* in each phase from the next on */
    word left;     /* to arrive in this one */
    word phase;
    Completion completion;

  public:
    class arrival_token
    {
        unsigned int phase;
        SMELT_ANY explicit arrival_token(unsigned int p) : phase(p)
        {
        }
        friend class barrier;
    };

    barrier() = default; /* to be initialised by init(), as __shared__ variables must be */
    SMELT_ANY constexpr barrier(ptrdiff_t n, Completion f = Completion())
        : expected((unsigned int)n), left((unsigned int)n), phase(0u), completion(f)
    {
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    friend SMELT_ANY void init(barrier *b, ptrdiff_t n, Completion f = Completion())
    {
        b->expected.store((unsigned int)n, memory_order_relaxed);
        b->left.store((unsigned int)n, memory_order_relaxed);
        b->phase.store(0u);
        b->completion = f;
    }
    static SMELT_ANY constexpr ptrdiff_t max()
    {
        return 0x7fffffff;
    }

    SMELT_ANY arrival_token arrive(ptrdiff_t n = 1)
    {
        arrival_token token(phase.load(memory_order_relaxed));
        if (left.fetch_sub((unsigned int)n, memory_order_acq_rel) == (unsigned int)n) {
            completion();
            left.store(expected.load(memory_order_relaxed), memory_order_relaxed);
            phase.store(token.phase + 1, memory_order_release);
        }
        return token;
    }
    SMELT_ANY bool try_wait(const arrival_token &token) const
    {
        return phase.load(memory_order_acquire) != token.phase;
    }
    SMELT_ANY void wait(arrival_token &&token) const
    {
        phase.wait(token.phase, memory_order_acquire);
    }
    SMELT_ANY void wait(arrival_token &token) const
    {
        phase.wait(token.phase, memory_order_acquire);
    }
    /* Until the phase of that parity, 0 for the first, is over. */
    SMELT_ANY bool try_wait_parity(bool parity) const
    {
        return (phase.load(memory_order_acquire) & 1) != parity;
    }
    SMELT_ANY void wait_parity(bool parity) const
    {
        while (!try_wait_parity(parity))
            ;
    }
    SMELT_ANY void arrive_and_wait()
    {
        wait(arrive());
    }
    SMELT_ANY void arrive_and_drop()
    {
        expected.fetch_sub(1u, memory_order_relaxed);
        arrive();
    }
};

namespace std
{
template <class Completion = __smelt_atomic::no_completion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
}

#ifdef __CUDACC__

/* --- copies by a thread, by a group --- */

template <class Bytes, thread_scope Scope, class C>
SMELT_DEVICE void memcpy_async(void *to, const void *from, Bytes bytes, barrier<Scope, C> &)
{
    ::__smelt::copy(to, from, (size_t)bytes, 0, 1);
}

template <class Group, class Bytes, thread_scope Scope, class C>
SMELT_DEVICE void memcpy_async(const Group &g, void *to, const void *from, Bytes bytes,
                               barrier<Scope, C> &)
{
    ::__smelt::copy(to, from, (size_t)bytes, (size_t)g.thread_rank(), (size_t)g.size());
}

#endif

} // namespace cuda

#endif
