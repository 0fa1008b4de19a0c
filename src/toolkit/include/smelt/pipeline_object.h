/*
 * pipeline_object.h -- cuda::pipeline: producers fill stages, consumers use them up, in order.
 *
 * A thread's own pipeline has nothing to wait for, since copies have been made when they return
 * (smelt/copy.h).  That of several threads has two counters a stage, which never go back: how many
 * commits and releases there were.  The k-th use of a stage may be filled once all consumers have
 * released the one before, and used once all producers have committed it.  Waiting polls, so
 * producers and consumers must not be threads of one warp in different branches.
 * Not there: quit() and waiting for a time.
 */
#ifndef SMELT_PIPELINE_OBJECT_H
#define SMELT_PIPELINE_OBJECT_H

#include <smelt/barrier_object.h>

#ifdef __CUDACC__

namespace cuda
{

enum class pipeline_role { producer, consumer };

template <thread_scope Scope, unsigned char Stages> class pipeline_shared_state
{
    typedef cuda::atomic<unsigned int, Scope> word;
    word producers, consumers;
    word committed[Stages], released[Stages];
    template <thread_scope> friend class pipeline;

  public:
    pipeline_shared_state() = default; /* make_pipeline initialises it */
    pipeline_shared_state(const pipeline_shared_state &) = delete;
    pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;
};

template <thread_scope Scope> class pipeline
{
    typedef cuda::atomic<unsigned int, Scope> word;
    word *committed, *released;
    unsigned int stages, producers, consumers;
    unsigned int head, tail; /* stages begun by the producer, by the consumer, since ever */

    SMELT_DEVICE static void reach(const word &count, unsigned int least)
    {
        while ((int)(count.load(memory_order_relaxed) - least) < 0)
            ;
        __smelt_atomic::fence<Scope>();
    }

  public:
    /* All of the group: one of them initialises what they share.  `role`: 1 produces, 2 consumes */
    template <class Group, unsigned char Stages>
    SMELT_DEVICE pipeline(const Group &g, pipeline_shared_state<Scope, Stages> *s,
                          unsigned int role)
        : committed(s->committed), released(s->released), stages(Stages), head(0), tail(0)
    {
        if (g.thread_rank() == 0) {
            for (unsigned int i = 0; i < Stages; i++)
                s->committed[i].store(0u, memory_order_relaxed),
                    s->released[i].store(0u, memory_order_relaxed);
            s->producers.store(0u, memory_order_relaxed);
            s->consumers.store(0u);
        }
        g.sync();
        s->producers.fetch_add(role & 1);
        s->consumers.fetch_add(role >> 1);
        g.sync();
        producers = s->producers.load(), consumers = s->consumers.load();
    }

    SMELT_DEVICE void producer_acquire()
    {
        reach(released[head % stages], head / stages * consumers);
    }
    SMELT_DEVICE void producer_commit()
    {
        committed[head++ % stages].fetch_add(1u, memory_order_release);
    }
    SMELT_DEVICE void consumer_wait()
    {
        reach(committed[tail % stages], (tail / stages + 1) * producers);
    }
    SMELT_DEVICE void consumer_release()
    {
        released[tail++ % stages].fetch_add(1u, memory_order_release);
    }
};

template <> class pipeline<thread_scope_thread>
{
  public:
    SMELT_DEVICE void producer_acquire()
    {
    }
    SMELT_DEVICE void producer_commit()
    {
    }
    SMELT_DEVICE void consumer_wait()
    {
    }
    SMELT_DEVICE void consumer_release()
    {
    }
};

SMELT_DEVICE pipeline<thread_scope_thread> make_pipeline()
{
    return pipeline<thread_scope_thread>();
}

/* Each thread of the group produces and consumes; or the first so many produce; or as each says. */
template <class Group, thread_scope Scope, unsigned char Stages>
SMELT_DEVICE pipeline<Scope> make_pipeline(const Group &g, pipeline_shared_state<Scope, Stages> *s)
{
    return pipeline<Scope>(g, s, 3);
}

template <class Group, thread_scope Scope, unsigned char Stages>
SMELT_DEVICE pipeline<Scope> make_pipeline(const Group &g, pipeline_shared_state<Scope, Stages> *s,
                                           size_t producers)
{
    return pipeline<Scope>(g, s, g.thread_rank() < producers ? 1 : 2);
}

template <class Group, thread_scope Scope, unsigned char Stages>
SMELT_DEVICE pipeline<Scope> make_pipeline(const Group &g, pipeline_shared_state<Scope, Stages> *s,
                                           pipeline_role role)
{
    return pipeline<Scope>(g, s, role == pipeline_role::producer ? 1 : 2);
}

template <unsigned char Prior>
SMELT_DEVICE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &)
{
}

/* The barrier would wait for the copies that were committed: they have been made. */
template <thread_scope Scope, class C>
SMELT_DEVICE void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<Scope, C> &)
{
}

template <class Bytes, thread_scope Scope>
SMELT_DEVICE void memcpy_async(void *to, const void *from, Bytes bytes, pipeline<Scope> &)
{
    ::__smelt::copy(to, from, (size_t)bytes, 0, 1);
}

template <class Group, class Bytes, thread_scope Scope>
SMELT_DEVICE void memcpy_async(const Group &g, void *to, const void *from, Bytes bytes,
                               pipeline<Scope> &)
{
    ::__smelt::copy(to, from, (size_t)bytes, (size_t)g.thread_rank(), (size_t)g.size());
}

} // namespace cuda

#endif

#endif
