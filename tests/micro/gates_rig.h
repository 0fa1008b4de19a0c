/*
 * gates_rig.h -- Warped Gates driven by hand.
 *
 * A rig says what happens to an SM of the GPU `gates` in which cycle, and looks at its pipelines.  Keys are the
 * paper's: idle_detect 5, break_even 14, wakeup 3.
 */
#ifndef TESTS_MICRO_GATES_RIG_H
#define TESTS_MICRO_GATES_RIG_H

#include "mech/gates_sched.h"
#include "mech/mech.h"
#include "sm/front/sched.h"
#include "tests/micro/timed.h"

enum { INT0, FP0, INT1, FP1, SFU }; /* pipelines of `gates` */

struct rig {
    struct conf conf;
    struct device *d;
    struct sm *sm;
    struct uop uop; /* issued last */
    struct err e;
};

static inline void rig_open_set(struct rig *r, const char *mech, const char *const *set)
{
    struct run_opts opts = {.threads = 1, .mech = &mech, .n_mech = 1};
    u32 n = 0;

    memset(r, 0, sizeof *r);
    while (set && set[n])
        n++;
    assert_true(conf_make(&r->conf, "gates", set, n, &r->e));
    r->d = device_new(&r->conf, &opts, &r->e);
    if (!r->d) {
        err_print(&r->e, stdout);
        fail_msg("no device");
    }
    r->sm = &r->d->machine->sm[0];
    hook_call(&r->sm->hooks, HOOK_kernel_begin, r->sm, 0);
}

/* The SM gets a CTA in cycle 100. */
static inline void rig_open(struct rig *r, const char *mech)
{
    rig_open_set(r, mech, NULL);
    r->sm->now = 100;
    r->sm->front->n_cta = 1;
    hook_call(&r->sm->hooks, HOOK_cta_begin, r->sm, 0);
}

static inline void rig_close(struct rig *r)
{
    device_free(r->d);
    conf_free(&r->conf);
}

/* On to a cycle: the timers of those before it and its own fire. */
static inline void to(struct rig *r, u64 cycle)
{
    struct wheel *w = &r->sm->timers;

    while (r->sm->now < cycle) {
        u32 e;

        r->sm->now++;
        while ((e = wheel_take(w, r->sm->now)) != WHEEL_NIL)
            hook_call(&r->sm->hooks, HOOK_timer, r->sm, e);
    }
}

static inline void issue(struct rig *r, u32 pipe)
{
    r->uop = (struct uop){.unit = pipe == SFU ? UNIT_SFU : UNIT_SP, .pipe = pipe & 1};
    r->sm->front->last_issue = (struct issued){&r->uop, 0, 0};
    hook_call(&r->sm->hooks, HOOK_issue, r->sm, 0);
}

static inline void execute(struct rig *r, u32 pipe, u32 latency)
{
    struct pipeline *p = &r->sm->dp->sub[0].pipe[pipe];

    p->free_at = r->sm->now + 1;
    p->empty_at = r->sm->now + latency;
    hook_call(&r->sm->hooks, HOOK_execute, r->sm, pipe);
}

static inline void run(struct rig *r, u32 pipe, u32 latency)
{
    issue(r, pipe);
    execute(r, pipe, latency);
}

static inline void want_pipe(struct rig *r, u32 pipe)
{
    hook_call(&r->sm->hooks, HOOK_unit_wanted, r->sm, pipe);
}

/* From now on the active warps are one with an INT and one with an FP instruction, or not. */
static inline void have(struct rig *r, bool has_int, bool has_fp)
{
    struct sched *s = &r->sm->front->sched[0];

    s->live = s->valid = s->need[UNIT_SP] = s->active = (u64)has_int | (u64)has_fp << 1;
    s->need_fp = 2;
    hook_call(&r->sm->hooks, HOOK_subset, r->sm, issue_subset(r->sm->front));
}

static inline enum power power_of(const struct rig *r, u32 pipe)
{
    if (!(r->sm->dp->unit_off >> pipe & 1))
        return POWER_ON;
    return r->sm->dp->unit_cold >> pipe & 1 ? POWER_OFF : POWER_WAKING;
}

static inline u64 count(const struct rig *r, const char *name)
{
    const struct mech *m = r->d->mechs->at[0].m;
    u64 *stat = xcalloc(1, m->stat_size), v = UINT64_MAX;

    mech_count(r->d->mechs, 0, stat);
    for (u32 i = 0; i < m->sheet->n_stat; i++)
        if (strcmp(m->sheet->stat[i].name, name) == 0)
            v = *(u64 *)(void *)((u8 *)stat + m->sheet->stat[i].off);
    free(stat);
    assert_int_not_equal(v, UINT64_MAX);
    return v;
}

#endif
