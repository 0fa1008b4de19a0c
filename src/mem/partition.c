/* partition.c -- see partition.h */
#include "mem/partition.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "mem/cache_watch.h"

struct delayed { /* on its way from a slice's queue to the scheduler */
    u64 due;     /* core cycle */
    struct dram_req req;
};

struct partition {
    struct partition_env env;
    struct domain l2_clock, dram_clock;
    u32 id, n_slice;
    u64 now;       /* the cycle being stepped, for who asks what went wrong */
    u64 dram_wake; /* tick of the next step of the channel; UINT64_MAX: none */
    RING(struct delayed) delay;
    u32 last_served;        /* slice */
    u32 shared, shared_max; /* credits in use beyond each slice's own one */
    bool own[1 << ADDR_SLICE_BITS];
    struct hist latency;
    struct dram dram;
    struct l2_slice slice[];
};

/* At most one comes in a tick and one goes, if none that is over has to wait. */
static u64 delay_slots(const struct partition *p)
{
    if (p->env.mem->dram_credits)
        return p->shared_max + p->n_slice;
    return domain_ticks(&p->dram_clock, p->env.mem->dram_latency + 1) + 4;
}

struct partition *partition_new(const struct partition_env *env, u32 id)
{
    u32 n = (u32)env->mem->slices;
    struct partition *p = xcalloc(1, sizeof *p + n * sizeof p->slice[0]);

    p->env = *env;
    p->id = id, p->n_slice = n;
    p->dram_wake = UINT64_MAX;
    p->last_served = n - 1;
    u64 queues = env->dram->queue + env->dram->return_queue;

    p->shared_max = queues > n - 1 ? (u32)queues - (n - 1) : 0;
    domain_init(&p->l2_clock, env->core_mhz, env->l2_mhz);
    domain_init(&p->dram_clock, env->core_mhz, env->dram_mhz);
    dram_init(&p->dram, env->dram);
    ring_init(&p->delay, delay_slots(p));
    for (u32 i = 0; i < n; i++)
        l2_init(&p->slice[i], &p->env, id * n + i, i);
    return p;
}

void partition_free(struct partition *p)
{
    if (!p)
        return;
    for (u32 i = 0; i < p->n_slice; i++)
        l2_free(&p->slice[i]);
    dram_free(&p->dram);
    ring_free(&p->delay);
    free(p);
}

/*
 * Credits keep what is under way within the queues of the channel.  As in GPGPU-Sim, since 3.2.2, each
 * slice has one of its own, so that it always gets on, and the rest is shared.
 */
static bool has_credit(const struct partition *p, u32 slice)
{
    return !p->own[slice] || p->shared < p->shared_max;
}

static void take_credit(struct partition *p, u32 slice)
{
    if (p->own[slice])
        p->shared++;
    p->own[slice] = true;
}

static void return_credit(struct partition *p, u32 slice)
{
    check_here(p->own[slice] || p->shared);
    if (p->own[slice])
        p->own[slice] = false;
    else
        p->shared--;
}

/* Data of the channel back to its slice. */
static void give_back(struct partition *p, u64 now)
{
    if (!p->dram.done.n)
        return;
    struct l2_slice *s = &p->slice[ring_head(&p->dram.done).slice];

    if (ring_full(&s->from_dram))
        return;
    struct dram_req r = dram_pop(&p->dram);

    ring_push(&s->from_dram, r.addr);
    s->wake = now;
    if (p->env.mem->dram_credits)
        return_credit(p, r.slice);
    hist_add(&p->latency, now - r.born);
    p->dram.st.fetch++;
    p->dram.st.latency_cycles += now - r.born;
}

static bool may_take(const struct partition *p, u32 slice)
{
    const struct l2_slice *s = &p->slice[slice];

    if (!p->env.mem->dram_credits)
        return s->to_dram.n && !ring_full(&p->delay);
    return s->to_dram.n && !ring_full(&s->from_dram) && has_credit(p, slice);
}

/* The slice whose turn it is, n_slice if none has anything that the channel takes. */
static u32 next_to_serve(const struct partition *p)
{
    if (dram_full(&p->dram))
        return p->n_slice;
    for (u32 i = 1; i <= p->n_slice; i++) {
        u32 slice = (p->last_served + i) & (p->n_slice - 1);

        if (may_take(p, slice))
            return slice;
    }
    return p->n_slice;
}

static void take_one(struct partition *p, u64 now)
{
    u32 slice = next_to_serve(p);

    if (slice == p->n_slice)
        return;
    struct l2_slice *s = &p->slice[slice];

    ring_push(&p->delay,
              ((struct delayed){now + p->env.mem->dram_latency, ring_head(&s->to_dram)}));
    ring_pop(&s->to_dram);
    if (p->env.mem->dram_credits)
        take_credit(p, slice);
    p->last_served = slice;
}

static void end_delay(struct partition *p, u64 tick, u64 now)
{
    if (!p->delay.n || ring_head(&p->delay).due > now || dram_full(&p->dram))
        return;
    dram_push(&p->dram, ring_head(&p->delay).req, tick);
    ring_pop(&p->delay);
}

static void step_channel(struct partition *p, u64 tick, u64 now)
{
    dram_account(&p->dram, tick);
    give_back(p, now);
    dram_tick(&p->dram, tick);
    if (p->dram.ended != DRAM_NONE && p->env.mem->dram_credits)
        return_credit(p, p->dram.ended);
    take_one(p, now);
    end_delay(p, tick, now);
}

/* The next tick from `tick` on at which the channel has something to do. */
static u64 channel_next(const struct partition *p, u64 tick)
{
    u64 at = dram_next(&p->dram);

    if (p->delay.n && !dram_full(&p->dram)) {
        u64 due = ring_head(&p->delay).due;

        at = min_u64(at, due ? domain_ticks(&p->dram_clock, due - 1) : 0);
    }
    if (next_to_serve(p) != p->n_slice)
        at = tick;
    return at > tick ? at : tick;
}

/* The ticks of this core cycle, from `first` to before `end`. */
static void run_channel(struct partition *p, u64 now, u64 first, u64 end, bool all)
{
    for (u64 t = first; t < end; t++) {
        if (all || t >= p->dram_wake) {
            step_channel(p, t, now);
            p->dram_wake = channel_next(p, t + 1);
        }
    }
}

static bool slice_due(const struct partition *p, const struct l2_slice *s, u64 now)
{
    return s->wake <= now || noc_arrived(p->env.request, s->node, now);
}

static void run_slice(struct partition *p, struct l2_slice *s, u64 now)
{
    u64 first = now ? domain_ticks(&p->l2_clock, now - 1) : 0;
    u64 end = domain_ticks(&p->l2_clock, now);

    for (u64 t = first; t < end; t++)
        l2_step(s, t, now);
    s->wake = l2_next(s, &p->l2_clock, now + 1);
}

static void tell_partition(FILE *f, const void *subject)
{
    const struct partition *p = subject;

    fprintf(f, "cycle %" PRIu64 ", memory partition %u", p->now, p->id);
}

static void step_partition(struct partition *p, u64 now, bool all)
{
    u64 first = now ? domain_ticks(&p->dram_clock, now - 1) : 0;
    u64 end = domain_ticks(&p->dram_clock, now);

    struct l2_slice *last = p->slice + p->n_slice;

    p->now = now;
    for (struct l2_slice *s = p->slice; s < last; s++)
        l2_reply(s, now);
    run_channel(p, now, first, end, all);
    for (struct l2_slice *s = p->slice; s < last; s++)
        if (all || slice_due(p, s, now))
            run_slice(p, s, now);
    p->dram_wake = channel_next(p, end);
}

u64 partition_next(const struct partition *p, u64 from)
{
    u64 at = p->dram_wake == UINT64_MAX ? UINT64_MAX : domain_cycle(&p->dram_clock, p->dram_wake);

    for (const struct l2_slice *s = p->slice; s < p->slice + p->n_slice; s++) {
        const struct noc_out *port = &p->env.request->out[s->node];

        at = min_u64(at, s->wake);
        if (port->arrived.n)
            at = min_u64(at, domain_from(&p->l2_clock, ring_head(&port->arrived).at));
    }
    return at > from ? at : from;
}

static void run_awake(struct partition *p, u64 c, u64 to, bool no_skip)
{
    ensure_works_for(tell_partition, p);
    while (c < to) {
        step_partition(p, c, no_skip);
        c = no_skip ? c + 1 : partition_next(p, c + 1);
    }
    ensure_works_for(NULL, NULL);
}

void partition_run(struct partition *p, u64 from, u64 to, bool no_skip)
{
    u64 first = no_skip ? from : partition_next(p, from);

    if (first < to)
        run_awake(p, first, to, no_skip);
    if (to)
        dram_account(&p->dram, domain_ticks(&p->dram_clock, to - 1));
}

bool partition_is_busy(const struct partition *p)
{
    for (u32 i = 0; i < p->n_slice; i++)
        if (p->slice[i].held)
            return true;
    return false;
}

u64 partition_dram_clocks(const struct partition *p, u64 now)
{
    return now ? domain_ticks(&p->dram_clock, now - 1) : 0;
}

void partition_restart(struct partition *p, u64 cycle)
{
    domain_restart(&p->l2_clock, cycle);
    domain_restart(&p->dram_clock, cycle);
    dram_account(&p->dram, p->dram_clock.base);
    p->dram_wake = channel_next(p, p->dram_clock.base);
    for (u32 i = 0; i < p->n_slice; i++)
        p->slice[i].wake = l2_next(&p->slice[i], &p->l2_clock, cycle);
}

void partition_warm(struct partition *p, u64 addr)
{
    u32 node = addr_node(p->env.map, addr);

    check_here(node / p->n_slice == p->id);
    if (p->env.mem->copy_warms_l2)
        cache_warm(&p->slice[node & (p->n_slice - 1)].cache, addr_local(p->env.map, addr));
}

void partition_watch(struct partition *p)
{
    for (u32 i = 0; i < p->n_slice; i++)
        l2_watch(&p->slice[i], p);
}

void partition_listen(struct partition *p, enum cache_hook hook,
                      void (*call)(void *self, struct cache_event *ev), void *self)
{
    for (u32 i = 0; i < p->n_slice; i++)
        cache_listen(&p->slice[i].cache, hook, call, self);
}

bool partition_prefetch(struct partition *p, u64 addr, u64 *count)
{
    u32 node = addr_node(p->env.map, addr);
    struct l2_slice *s = &p->slice[node & (p->n_slice - 1)];

    if (node / p->n_slice != p->id)
        return false;
    cache_prefetch(&s->cache, addr_local(p->env.map, addr), count);
    s->wake = 0; /* as soon as it can */
    return true;
}

void partition_schedule(struct partition *p, const struct dram_policy *policy, void *state)
{
    p->dram.policy = policy;
    p->dram.policy_state = state;
}

u32 partition_id(const struct partition *p)
{
    return p->id;
}

void partition_count(const struct partition *p, struct l2_count *l2, struct dram_stat *dram)
{
    for (u32 i = 0; i < p->n_slice; i++)
        l2_add(&p->slice[i], l2);
    sheet_add(&dram_sheet, dram, &p->dram.st);
}

const struct hist *partition_latency(const struct partition *p)
{
    return &p->latency;
}

/* Appends like printf; `size` bytes in all, of which `at` are used. */
static size_t add_count(char *buf, size_t size, size_t at, const char *what, u32 where, u64 n)
{
    if (!n || at >= size)
        return at;
    int len = snprintf(buf + at, size - at, "  %s %u: %" PRIu64 "\n", what, where, n);

    return at + (len > 0 ? (size_t)len : 0);
}

void partition_describe(const struct partition *p, char *buf, size_t size)
{
    const struct dram *d = &p->dram;
    size_t at = 0;

    if (size)
        buf[0] = 0;
    for (u32 i = 0; i < p->n_slice; i++) {
        const struct l2_slice *s = &p->slice[i];

        at = add_count(buf, size, at, "ROP delay of slice", s->node, s->rop.n);
        at = add_count(buf, size, at, "input queue of slice", s->node, s->in.n);
        at = add_count(buf, size, at, "MSHRs of slice", s->node, s->cache.n_mshr);
        at = add_count(buf, size, at, "miss queue of slice", s->node, s->cache.send.n);
        at = add_count(buf, size, at, "L2->DRAM queue of slice", s->node, s->to_dram.n);
        at = add_count(buf, size, at, "DRAM->L2 queue of slice", s->node, s->from_dram.n);
        at = add_count(buf, size, at, "reply queue of slice", s->node, s->out.n);
    }
    at = add_count(buf, size, at, "on the way to channel", p->id, p->delay.n);
    at = add_count(buf, size, at, "scheduler queue of channel", p->id, d->n_queue);
    at = add_count(buf, size, at, "banks and bus of channel", p->id,
                   d->held - d->n_queue - d->done.n);
    add_count(buf, size, at, "return queue of channel", p->id, d->done.n);
}
