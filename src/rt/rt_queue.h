/*
 * rt_queue.h -- what streams have to do, in which order, and at what simulated time.
 *
 * Order.  Operations of a stream follow each other.  The legacy default stream waits for all that was
 * asked for before it in streams that block (all but those made with cudaStreamNonBlocking), and they
 * wait for it.  A wait for an event waits for the record that was the last one when it was asked for.
 *
 * When the work is done.  Usually within the call that asks for it.  But if kernels of several
 * streams can run at the same time (device_overlaps, and there are streams that allow it),
 * launches, copies, fills, records and waits are only noted; they are done when a call needs
 * something that they do: a synchronisation, a query, or any call that is not one of these five.  A copy
 * from pageable memory takes its bytes at once, one to pageable memory is waited for, as CUDA says.
 *
 * Time.  It is the simulated GPU's, in ps; the host itself takes none.  Each stream knows when its last
 * operation ended, the host until when it has waited.  An operation begins when the stream has come
 * to it, the host had asked for it, and what it needs is free: the SMs for a kernel, the bus for a
 * copy between host and device (gpu.copy_gbs, gpu.copy_latency, gpu.copy_engines; without copy_gbs
 * such a copy takes no time).  Copies within the device, fills, records and waits take none.
 *
 * MODEL: the bus serves copies in the order in which they can begin.  With one copy engine it has one
 * direction at a time, with two or more both; with none no kernel runs while it is in use.
 */
#ifndef RT_RT_QUEUE_H
#define RT_RT_QUEUE_H

#include "gpu/overlap.h"
#include "rt/rt.h"

enum rt_work { RT_LAUNCH, RT_COPY, RT_FILL, RT_RECORD, RT_WAIT };

struct rt_op {
    enum rt_work work;
    bool begun;         /* a launch: it is in flight */
    bool noted;         /* it was not done at once: what it was checked for may have changed */
    u64 seq;            /* counted over all streams */
    u64 asked_ps;       /* when the host asked for it */
    struct rt_op *next; /* of its stream */
    struct device_launch *launch;
    struct rt_side to, from; /* of copies; fills have `to` */
    struct rt_box box;
    u8 *staged; /* what a copy takes its bytes from, instead: owned */
    u8 unit[16];
    u32 unit_bytes;
    struct rt_mark *mark; /* of a record and of a wait: a share in it */
};

/* One record of an event: an event that is recorded again gets another. */
struct rt_mark {
    u32 shares; /* the event's, the record's, those of waits */
    bool done;
    u64 time_ps;
};

struct CUstream_st {
    unsigned int flags;
    int priority;
    u32 id;      /* 0: the legacy default stream */
    u64 done_ps; /* when its last operation ended */
    struct rt_op *first, *last;
};

struct CUevent_st {
    unsigned int flags;
    struct rt_mark *mark; /* the last that was asked for, NULL: none */
};

/* The stream of a handle that has been checked. */
struct CUstream_st *rt_stream_of(cudaStream_t s);
/* All of them: the legacy one, that of threads, those of the program; NULL behind the last. */
struct CUstream_st *rt_stream_at(u32 i);
bool rt_streams_may_overlap(void); /* do those that there are allow it? */

struct rt_mark *rt_mark_share(struct rt_mark *m);
void rt_mark_drop(struct rt_mark *m); /* a share; NULL is none */

/* Notes the operation, or does it.  The op is the caller's, what it owns is taken over. */
void rt_queue_add(cudaStream_t s, const struct rt_op *op);

/* A launch that runs now; false if it failed.  Only while nothing is noted. */
bool rt_queue_run_launch(cudaStream_t s, struct rt_kernel *k, const struct rt_shape *shape,
                         const u8 *param, struct err *e);

bool rt_queue_defers(void); /* are operations noted, as things are? */

/* Does what is needed, and then the host has waited for it. */
void rt_queue_wait(cudaStream_t s);
void rt_queue_wait_event(cudaEvent_t e);
void rt_queue_wait_all(void);

/* Does everything that was noted; no time passes for the host. */
void rt_queue_finish(void);
void rt_queue_forget(void); /* the same without doing it */

#endif
