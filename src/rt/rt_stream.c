/*
 * rt_stream.c -- streams and events; what is done in them, and when: rt_queue.h.
 *
 * A query does what it asks for, so it never finds anything unfinished.
 *
 * MODEL: the default streams of threads are one, for all of them.
 */
#include <stdlib.h>

#include "rt/rt_queue.h"

static struct rt_handles streams, events;
static struct CUstream_st legacy, per_thread = {.id = 1};
static struct CUstream_st gone[2] = {{.id = 2}, {.id = 3, .flags = cudaStreamNonBlocking}};
enum { N_FIXED = 4 }; /* gone: what destroyed ones did, those that block and those that do not */
static u32 n_made, n_nonblocking; /* streams: ever; that are live */

enum { PRIORITY_LEAST = 0, PRIORITY_GREATEST = -1 };

/* --- streams --- */

static bool is_own(cudaStream_t s) /* one that the program created */
{
    return s && s != cudaStreamLegacy && s != cudaStreamPerThread;
}

cudaError_t rt_stream_check(cudaStream_t s)
{
    return !is_own(s) || rt_handle_is_live(&streams, s)
               ? cudaSuccess
               : rt_fail_handle(cudaErrorInvalidResourceHandle, s, "stream");
}

struct CUstream_st *rt_stream_of(cudaStream_t s)
{
    return is_own(s) ? s : s == cudaStreamPerThread ? &per_thread : &legacy;
}

struct CUstream_st *rt_stream_at(u32 i)
{
    struct CUstream_st *const fixed[N_FIXED] = {&legacy, &per_thread, &gone[0], &gone[1]};

    if (i < N_FIXED)
        return fixed[i];
    return i - N_FIXED < streams.live.n ? streams.live.at[i - N_FIXED] : NULL;
}

/* Two streams of the program, or one that does not wait for the default stream. */
bool rt_streams_may_overlap(void)
{
    return streams.live.n > 1 || n_nonblocking;
}

cudaError_t rt_stream_new(cudaStream_t *s, unsigned int flags, int priority)
{
    if (!s || flags > cudaStreamNonBlocking)
        return cudaErrorInvalidValue;
    struct CUstream_st *made = xcalloc(1, sizeof *made);

    made->flags = flags;
    made->priority = priority > PRIORITY_LEAST      ? PRIORITY_LEAST
                     : priority < PRIORITY_GREATEST ? PRIORITY_GREATEST
                                                    : priority;
    made->id = N_FIXED + n_made++;
    n_nonblocking += flags == cudaStreamNonBlocking;
    rt_handle_add(&streams, made);
    *s = made;
    return cudaSuccess;
}

cudaError_t rt_stream_delete(cudaStream_t s)
{
    cudaError_t code = rt_stream_check(s);

    if (code != cudaSuccess)
        return code;
    if (!is_own(s))
        return cudaErrorInvalidResourceHandle;
    rt_queue_finish(); /* others may wait for events in it */
    struct CUstream_st *heir = &gone[s->flags == cudaStreamNonBlocking];

    heir->done_ps = s->done_ps > heir->done_ps ? s->done_ps : heir->done_ps;
    n_nonblocking -= s->flags == cudaStreamNonBlocking;
    rt_handle_remove(&streams, s);
    free(s);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    RT_ASYNC(rt_stream_new(pStream, cudaStreamDefault, PRIORITY_LEAST));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
    RT_ASYNC(rt_stream_new(pStream, flags, PRIORITY_LEAST));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
    RT_ASYNC(rt_stream_new(pStream, flags, priority));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    RT_API(rt_stream_delete(stream));
}

cudaError_t rt_stream_wait(cudaStream_t s)
{
    cudaError_t code = rt_stream_check(s);

    if (code != cudaSuccess)
        return code;
    rt_queue_wait(s);
    return rt.sticky;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    RT_ASYNC(rt_stream_wait(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    RT_ASYNC(rt_stream_wait(stream));
}

static cudaError_t stream_state(cudaStream_t s, unsigned int *flags, int *priority)
{
    cudaError_t code = flags || priority ? rt_stream_check(s) : cudaErrorInvalidValue;

    if (code == cudaSuccess && flags)
        *flags = is_own(s) ? s->flags : cudaStreamDefault;
    if (code == cudaSuccess && priority)
        *priority = is_own(s) ? s->priority : PRIORITY_LEAST;
    return code;
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
    RT_ASYNC(stream_state(hStream, flags, NULL));
}

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
    RT_ASYNC(stream_state(hStream, NULL, priority));
}

static cudaError_t priority_range(int *least, int *greatest)
{
    if (least)
        *least = PRIORITY_LEAST;
    if (greatest)
        *greatest = PRIORITY_GREATEST;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    RT_API(priority_range(leastPriority, greatestPriority));
}

/* An event that was never recorded holds nobody. */
cudaError_t rt_stream_wait_event(cudaStream_t s, cudaEvent_t e, unsigned int flags)
{
    cudaError_t code = flags ? cudaErrorInvalidValue : rt_stream_check(s);

    if (code == cudaSuccess)
        code = rt_event_check(e);
    if (code == cudaSuccess && e->mark)
        rt_queue_add(s, &(struct rt_op){.work = RT_WAIT, .mark = rt_mark_share(e->mark)});
    return code;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    RT_ASYNC(rt_stream_wait_event(stream, event, flags));
}

static cudaError_t call_back(cudaStream_t s, cudaStreamCallback_t callback, void *data)
{
    cudaError_t code = callback ? rt_stream_check(s) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        code = rt_stream_wait(s);
    if (code == cudaSuccess) {
        callback(s, cudaSuccess, data);
        rt_live();
    }
    return code;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags)
{
    RT_ASYNC(flags ? cudaErrorInvalidValue : call_back(stream, callback, userData));
}

static cudaError_t call_host(cudaStream_t s, cudaHostFn_t fn, void *data)
{
    cudaError_t code = fn ? rt_stream_check(s) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        code = rt_stream_wait(s);
    if (code == cudaSuccess)
        fn(data);
    return code;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
    RT_ASYNC(call_host(stream, fn, userData));
}

static cudaError_t attach(cudaStream_t s, const void *p)
{
    const struct rt_host *h = rt_host_find(p);
    cudaError_t code = rt_stream_check(s);

    return code != cudaSuccess ? code : rt_host_is_managed(h) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t length,
                                     unsigned int flags)
{
    (void)length, (void)flags;
    RT_API(attach(stream, devPtr));
}

/* --- events --- */

cudaError_t rt_event_check(cudaEvent_t e)
{
    return rt_handle_is_live(&events, e)
               ? cudaSuccess
               : rt_fail_handle(cudaErrorInvalidResourceHandle, e, "event");
}

cudaError_t rt_event_new(cudaEvent_t *e, unsigned int flags)
{
    const unsigned int known = cudaEventBlockingSync | cudaEventDisableTiming;

    if (!e || flags & ~known)
        return cudaErrorInvalidValue;
    struct CUevent_st *made = xcalloc(1, sizeof *made);

    made->flags = flags;
    rt_handle_add(&events, made);
    *e = made;
    return cudaSuccess;
}

cudaError_t rt_event_delete(cudaEvent_t e)
{
    cudaError_t code = rt_event_check(e);

    if (code == cudaSuccess) {
        rt_handle_remove(&events, e);
        rt_mark_drop(e->mark);
        free(e);
    }
    return code;
}

cudaError_t rt_event_record(cudaEvent_t e, cudaStream_t s)
{
    cudaError_t code = rt_event_check(e);

    if (code == cudaSuccess)
        code = rt_stream_check(s);
    if (code != cudaSuccess)
        return code;
    rt_mark_drop(e->mark);
    e->mark = xcalloc(1, sizeof *e->mark);
    e->mark->shares = 1;
    rt_queue_add(s, &(struct rt_op){.work = RT_RECORD, .mark = rt_mark_share(e->mark)});
    return cudaSuccess;
}

cudaError_t rt_event_elapsed(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    cudaError_t code = ms ? rt_event_check(start) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        code = rt_event_check(end);
    if (code != cudaSuccess)
        return code;
    if (!start->mark || !end->mark || (start->flags | end->flags) & cudaEventDisableTiming)
        return rt_fail_text(cudaErrorInvalidResourceHandle,
                            "an event that has not been recorded or has no timing");
    *ms = (float)(((double)end->mark->time_ps - (double)start->mark->time_ps) * 1e-9);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    RT_ASYNC(rt_event_new(event, cudaEventDefault));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    RT_ASYNC(rt_event_new(event, flags));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    RT_ASYNC(rt_event_record(event, stream));
}

cudaError_t rt_event_wait(cudaEvent_t e)
{
    cudaError_t code = rt_event_check(e);

    if (code != cudaSuccess)
        return code;
    rt_queue_wait_event(e);
    return rt.sticky;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    RT_ASYNC(rt_event_wait(event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    RT_ASYNC(rt_event_wait(event));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    RT_ASYNC(rt_event_delete(event));
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    RT_API(rt_event_elapsed(ms, start, end));
}

/* --- reset --- */

static void forget_handles(struct rt_handles *h)
{
    while (h->live.n)
        free(h->live.at[--h->live.n]);
}

void rt_streams_forget(void)
{
    rt_queue_forget();
    forget_handles(&streams);
    for (u32 i = 0; i < events.live.n; i++)
        rt_mark_drop(((struct CUevent_st *)events.live.at[i])->mark);
    forget_handles(&events);
    n_nonblocking = 0;
}
