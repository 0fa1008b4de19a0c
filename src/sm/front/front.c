/* front.c -- see front.h: making a front end, and the accounts of its schedulers */
#include "sm/front/front.h"

#include <stdlib.h>

#include "base/text.h"
#include "sm/front/sched.h"
#include "sm/sm.h"

void front_init(struct front *fe, const struct sm_env *env)
{
    struct err e;

    fe->conf = env->sm;
    fe->war = (u8)env->sm->war, fe->war_readers = (u8)env->sm->war_readers;
    fe->issue_width = (u8)env->sm->issue_width;
    fe->picks = (u8)env->sm->picks;
    fe->special = fe->picks > 1 || env->sm->wide_issue;
    fe->barrier_lat = (u32)env->op->barrier_lat;
    fe->opens = UINT64_MAX;
    fe->n_sched = (u32)env->sm->schedulers;
    for (u32 k = 0; k < fe->n_sched; k++) {
        struct sched *s = &fe->sched[k];

        s->fe = fe;
        s->sub = (u8)(k % env->sm->sub_cores);
        s->last = 64;
        s->active_max = (u32)env->sm->active_warps;
        sched_use(s, sched_find(env->sm->scheduler, &e));
    }
    for (u32 i = 0; i < MAX_WARPS; i++)
        fe->ctx[i].part = &fe->parts.of[i];
    cache_init(&fe->own_l1i, env->l1i);
    fe->l1i_conf = env->l1i;
}

void front_reshape(struct front *fe, const struct shape *s)
{
    ensure(fe, s->n_warp <= MAX_WARPS && s->warp_words <= MAX_WORDS && s->late_decode <= MAX_LATE);
    check(fe, s->own_warps <= s->n_warp);
    fe->n_warp = s->n_warp, fe->bind.own_warps = s->own_warps;
    fe->words = s->warp_words;
    fe->late_decode = s->late_decode;
    fe->on = s->on;
    cache_multiply(&fe->own_l1i, fe->l1i_conf, s->l1i_by, s->l1_queues);
}

void front_free(struct front *fe)
{
    warps_free(fe);
    for (u32 k = 0; k < fe->n_sched; k++)
        free(fe->sched[k].own);
    cache_free(&fe->own_l1i);
    VEC_FREE(&fe->calls);
    ring_free(&fe->lock.acks);
}

HOT bool front_has_work(const struct front *fe, u64 now)
{
    if (fe->n_fetched | fe->want_fetch | fe->may_retire | fe->l1i->send.n | fe->l1i->ready.n |
        fe->lock.ending | fe->lock.beginning | fe->parts_due | fe->lock.acks.n)
        return true;
    for (u32 k = 0; k < fe->n_sched; k++) {
        const struct sched *s = &fe->sched[k];

        if (s->valid & (~sched_blocked(s) | s->dirty) || s->wrong || s->busy > now + 1)
            return true;
    }
    return false;
}

/* ---- accounts */

/* The kernel's number matters only where there is a pc. */
static inline void count_why(const struct front *fe, struct sched *s, struct why why, u32 kernel,
                             u64 n)
{
    u64 *st = (u64 *)(void *)&s->st;

    check(fe, why.stall < N_STALL);
    st[why.stall] += n;
    s->st.scheduler_cycles += n;
    if (UNLIKELY(fe->has_lines) && why.stall != STALL_issued && why.pc != PC_NONE)
        fe->board.line[kernel].stall[why.pc][why.stall] += n;
}

/* No CTA can have come in these cycles; true: `now` is one of them. */
static RARE bool settle_launch(struct front *fe, u64 now)
{
    const struct why launch = {.stall = fe->on ? STALL_launch : STALL_off, .pc = PC_NONE};
    u64 to = now < fe->launched ? now : fe->launched;

    for (u32 k = 0; k < fe->n_sched; k++)
        count_why(fe, &fe->sched[k], launch, 0, to - fe->last);
    fe->last = to;
    return to == now;
}

/* The cycle that was stepped has its reason; those that were slept through have another. */
HOT void front_settle(struct front *fe, u64 now)
{
    check(fe, now > fe->last);
    if (UNLIKELY(fe->last < fe->launched) && settle_launch(fe, now))
        return;
    u64 n = now - fe->last;

    fe->last = now;
    for (u32 k = 0; k < fe->n_sched; k++) {
        struct sched *s = &fe->sched[k];

        count_why(fe, s, s->why, s->why_of, 1);
        s->why = s->asleep, s->why_of = s->asleep_of;
        if (UNLIKELY(n > 1))
            count_why(fe, s, s->asleep, s->why_of, n - 1);
    }
}

void front_count_warps(struct front *fe, u64 now, s32 by)
{
    u64 n = now - fe->resident_since;

    check(fe, (s32)fe->n_resident + by >= 0);
    fe->st->warp_cycles += n * fe->n_resident;
    fe->st->busy_cycles += fe->n_resident ? n : 0;
    fe->st->off_cycles += fe->on ? 0 : n;
    fe->st->warp_slots += fe->n_resident ? n * fe->n_warp : 0;
    fe->resident_since = now;
    fe->n_resident = (u32)((s32)fe->n_resident + by);
}

void front_set_idle(struct front *fe)
{
    const struct why why = {.stall = !fe->on       ? STALL_off
                                     : fe->no_more ? STALL_tail
                                                   : STALL_no_warp,
                            .pc = PC_NONE};

    for (u32 k = 0; k < fe->n_sched; k++)
        fe->sched[k].why = fe->sched[k].asleep = why;
}

void front_set_no_more(struct front *fe, bool no_more)
{
    enum stall was = no_more ? STALL_no_warp : STALL_tail;
    enum stall is = no_more ? STALL_tail : STALL_no_warp;

    fe->no_more = no_more;
    for (u32 k = 0; k < fe->n_sched; k++) {
        struct sched *s = &fe->sched[k];

        s->why.stall = s->why.stall == was ? is : s->why.stall;
        s->asleep.stall = s->asleep.stall == was ? is : s->asleep.stall;
    }
}

void front_fail(struct front *fe, struct warp *w, u32 pc, u64 now)
{
    fe->failed = true;
    fe->fault.x = fe->x, fe->fault.warp = w, fe->fault.pc = pc;
    fe->fault.at = now;
}
