/* rt_queue.c -- see rt_queue.h */
#include "rt/rt_queue.h"

#include <stdlib.h>
#include <string.h>

static struct {
    u64 n_seq;   /* operations so far */
    u32 n_noted; /* .. that wait, or are in flight */
    u64 host_ps; /* until when the host has waited */
    u64 sms_ps;  /* when the SMs are free, as far as kernels have run alone */
    u64 bus_ps[2];
} q;

/* --- time --- */

static bool blocks(const struct CUstream_st *s)
{
    return !(s->flags & cudaStreamNonBlocking);
}

/* When the stream comes to its next operation, which the host asked for at `asked`. */
static u64 ready_ps(const struct CUstream_st *s, u64 asked)
{
    u64 t = max_u64(s->done_ps, asked);
    const struct CUstream_st *other;

    if (s->id && blocks(s))
        t = max_u64(t, rt_stream_of(NULL)->done_ps);
    for (u32 i = 0; !s->id && (other = rt_stream_at(i)); i++)
        if (blocks(other))
            t = max_u64(t, other->done_ps);
    return t;
}

/* A kernel that is to begin at t and runs alone. */
static u64 launch_ps(u64 t)
{
    t = max_u64(t, q.sms_ps);
    if (!rt.dev->conf.gpu.copy_engines)
        t = max_u64(t, max_u64(q.bus_ps[0], q.bus_ps[1]));
    return t;
}

/* Kernels reach pinned memory too, but it is the host's. */
static bool is_on_device(const struct rt_side *s)
{
    return s->device && !rt_host_find((void *)(uintptr_t)s->at);
}

/* When a copy ends that could begin at t. */
static u64 copied_ps(u64 t, const struct rt_op *op)
{
    const struct gpu_conf *c = &rt.dev->conf.gpu;
    u64 bytes = op->box.width * op->box.height * op->box.depth;
    bool in = is_on_device(&op->to);
    u64 *bus = &q.bus_ps[c->copy_engines > 1 && in];

    if (!c->copy_gbs || in == is_on_device(&op->from) || !bytes)
        return t;
    if (!c->copy_engines)
        t = max_u64(t, q.sms_ps);
    return *bus = max_u64(t, *bus) + c->copy_latency * 1000 + bytes * 1000 / c->copy_gbs;
}

/* --- what is done --- */

/* What was checked when it was asked for may be gone: as with a kernel, nothing goes on from here. */
static bool is_there_still(const struct rt_op *op)
{
    cudaError_t code = rt_check_to(&op->to, &op->box);

    if (code == cudaSuccess && op->work == RT_COPY && !op->staged)
        code = rt_check_from(&op->from, &op->box);
    if (code != cudaSuccess)
        rt.sticky = cudaErrorIllegalAddress;
    return code == cudaSuccess;
}

static void perform_copy(struct CUstream_st *s, struct rt_op *op, u64 t)
{
    struct rt_side from = op->from;

    s->done_ps = copied_ps(t, op);
    if (op->staged) {
        from.at = (u64)(uintptr_t)op->staged;
        from.pitch = op->box.width;
        from.slice = op->box.width * op->box.height;
    }
    rt_move(&op->to, &from, &op->box);
}

static void record_mark(struct CUstream_st *s, const struct rt_op *op, u64 t)
{
    op->mark->done = true;
    op->mark->time_ps = s->done_ps = t;
}

/* All but launches; t: when it begins. */
static void perform_op(struct CUstream_st *s, struct rt_op *op, u64 t)
{
    bool moves = op->work == RT_COPY || op->work == RT_FILL;

    if (moves && op->noted && !is_there_still(op))
        return;
    switch (op->work) {
    case RT_COPY:
        perform_copy(s, op, t);
        break;
    case RT_FILL:
        rt_spread(&op->to, &op->box, op->unit, op->unit_bytes);
        s->done_ps = t;
        break;
    case RT_RECORD:
        record_mark(s, op, t);
        break;
    case RT_WAIT:
        s->done_ps = max_u64(t, op->mark->time_ps);
        break;
    case RT_LAUNCH:
        assert(false);
    }
}

/* --- notes --- */

struct rt_mark *rt_mark_share(struct rt_mark *m)
{
    m->shares++;
    return m;
}

void rt_mark_drop(struct rt_mark *m)
{
    if (m && !--m->shares)
        free(m);
}

static void drop_owned(const struct rt_op *op)
{
    device_launch_free(op->launch);
    free(op->staged);
    rt_mark_drop(op->mark);
}

static void drop_first(struct CUstream_st *s)
{
    struct rt_op *op = s->first;

    s->first = op->next;
    if (!s->first)
        s->last = NULL;
    drop_owned(op);
    free(op);
    q.n_noted--;
}

bool rt_queue_defers(void)
{
    return q.n_noted || (device_overlaps(rt.dev) && rt_streams_may_overlap());
}

static void note_op(struct CUstream_st *s, const struct rt_op *op)
{
    struct rt_op *n = xmalloc(sizeof *n);

    *n = *op;
    n->noted = true;
    if (s->last)
        s->last->next = n;
    else
        s->first = n;
    s->last = n;
    q.n_noted++;
}

void rt_queue_add(cudaStream_t stream, const struct rt_op *asked)
{
    struct CUstream_st *s = rt_stream_of(stream);
    struct rt_op op = *asked;

    op.seq = q.n_seq++;
    op.asked_ps = q.host_ps;
    op.next = NULL;
    if (rt_queue_defers()) {
        note_op(s, &op);
    } else {
        perform_op(s, &op, ready_ps(s, op.asked_ps));
        drop_owned(&op);
    }
}

/* --- launches --- */

static void begin_at(const struct CUstream_st *s, u64 t)
{
    rt.dev->time_ps = t;
    rt.dev->stream = s->id;
}

bool rt_queue_run_launch(cudaStream_t stream, struct rt_kernel *k, const struct rt_shape *shape,
                         const u8 *param, struct err *e)
{
    struct CUstream_st *s = rt_stream_of(stream);

    begin_at(s, launch_ps(ready_ps(s, q.host_ps)));
    rt_host_look();
    bool ok = device_run(rt.dev, k->module->prog, k->name, shape->grid, shape->block,
                         (u32)shape->shared, param, e);

    if (ok || rt.dev->refusal == REFUSE_NONE)
        s->done_ps = q.sms_ps = rt.dev->time_ps;
    return ok;
}

/* --- doing what was noted --- */

/* Can the launch begin beside those in flight?  One that is not timed (--kernels) runs alone. */
static bool is_admitted(const struct rt_op *op)
{
    u32 n = device_in_flight(rt.dev);

    return !n || (device_is_timed(op->launch) && n < rt.dev->conf.gpu.concurrent_kernels);
}

static bool is_held_back(const struct CUstream_st *s)
{
    const struct CUstream_st *legacy = rt_stream_of(NULL), *other;
    const struct rt_op *op = s->first;

    if (op->begun)
        return true;
    if (op->work == RT_WAIT && !op->mark->done)
        return true;
    if (op->work == RT_LAUNCH && !is_admitted(op))
        return true;
    if (s != legacy)
        return blocks(s) && legacy->first && legacy->first->seq < op->seq;
    for (u32 i = 0; (other = rt_stream_at(i)); i++)
        if (blocks(other) && other->first && other->first->seq < op->seq)
            return true;
    return false;
}

/* The stream whose next operation can begin first; of several the one that was asked for first. */
static struct CUstream_st *next_stream(u64 *at)
{
    struct CUstream_st *best = NULL, *s;

    *at = UINT64_MAX;
    for (u32 i = 0; (s = rt_stream_at(i)); i++) {
        if (!s->first || is_held_back(s))
            continue;
        u64 t = ready_ps(s, s->first->asked_ps);

        if (!best || t < *at || (t == *at && s->first->seq < best->first->seq))
            best = s, *at = t;
    }
    return best;
}

/* Does another stream have a kernel that could join this one's? */
static bool has_company(const struct CUstream_st *s)
{
    const struct CUstream_st *other;

    for (u32 i = 0; (other = rt_stream_at(i)); i++)
        for (const struct rt_op *op = other->first; op && other != s; op = op->next)
            if (op->work == RT_LAUNCH && device_is_timed(op->launch))
                return true;
    return false;
}

/* A kernel broke the context: what was asked for is not done any more. */
static void give_up_noted(const struct err *e)
{
    rt_queue_forget();
    rt_launch_failed(e);
}

static void run_alone(struct CUstream_st *s, u64 t)
{
    struct err e;

    begin_at(s, launch_ps(t));
    rt_host_look();
    bool ok = device_run_launch(rt.dev, s->first->launch, &e);

    s->done_ps = q.sms_ps = rt.dev->time_ps;
    if (ok)
        drop_first(s);
    else
        give_up_noted(&e);
    rt_report_launch();
}

static void begin_launch(struct CUstream_st *s, u64 t)
{
    if (!device_in_flight(rt.dev)) {
        if (!device_is_timed(s->first->launch) || !has_company(s)) {
            run_alone(s, t);
            return;
        }
        rt.dev->time_ps = launch_ps(t);
    }
    rt.dev->stream = s->id;
    s->first->begun = true;
    rt_host_look();
    device_begin(rt.dev, s->first->launch);
}

static void end_launch(const struct device_launch *l)
{
    struct CUstream_st *s;

    for (u32 i = 0; (s = rt_stream_at(i)); i++)
        if (s->first && s->first->launch == l) {
            s->done_ps = device_launch_end_ps(l);
            q.sms_ps = max_u64(q.sms_ps, s->done_ps);
            drop_first(s);
        }
}

/* Time goes on for those that are in flight, to `until` or the end of one. */
static void advance_launches(u64 until)
{
    struct device_launch *ended;
    struct err e;
    bool ok = device_advance(rt.dev, until, &ended, &e);

    if (ok && ended) {
        end_launch(ended);
        rt_report_launch();
    }
    if (ok)
        return;
    while (device_next_aborted(rt.dev)) /* the one that failed is the last */
        rt_report_launch();
    give_up_noted(&e);
    rt_report_launch();
}

static void do_next(void)
{
    u64 at;
    struct CUstream_st *s = next_stream(&at);

    if (device_in_flight(rt.dev) && (!s || at > rt.dev->time_ps)) {
        advance_launches(at);
        return;
    }
    assert(s); /* an operation only ever waits for earlier ones */
    if (s->first->work == RT_LAUNCH) {
        begin_launch(s, at);
        return;
    }
    perform_op(s, s->first, at);
    drop_first(s);
}

/* Until the stream has nothing left to do, the event has happened, or without either all is done. */
static void run_until(const struct CUstream_st *s, const struct CUevent_st *e)
{
    rt_watch_signals(true);
    while (q.n_noted && (s ? s->first != NULL : e ? e->mark && !e->mark->done : true))
        do_next();
    rt_watch_signals(false);
}

void rt_queue_finish(void)
{
    if (q.n_noted)
        run_until(NULL, NULL);
}

/* The default stream's work includes what it waits for. */
void rt_queue_wait(cudaStream_t stream)
{
    const struct CUstream_st *s = rt_stream_of(stream);

    if (!s->id)
        rt_queue_finish();
    else if (q.n_noted)
        run_until(s, NULL);
    q.host_ps = max_u64(q.host_ps, s->id ? s->done_ps : ready_ps(s, 0));
}

void rt_queue_wait_event(cudaEvent_t e)
{
    if (q.n_noted)
        run_until(NULL, e);
    if (e->mark)
        q.host_ps = max_u64(q.host_ps, e->mark->time_ps);
}

void rt_queue_wait_all(void)
{
    const struct CUstream_st *s;

    rt_queue_finish();
    for (u32 i = 0; (s = rt_stream_at(i)); i++)
        q.host_ps = max_u64(q.host_ps, s->done_ps);
}

void rt_queue_forget(void)
{
    struct CUstream_st *s;

    for (u32 i = 0; (s = rt_stream_at(i)); i++)
        while (s->first)
            drop_first(s);
}
