/*
 * bind.c -- a mechanism that binds neighbouring SMs to each other, and does nothing else.
 *
 *     smelt run -m bind:kind=lock_step,size=4 ..
 *
 * For tests, and to see what a binding costs or gains by itself: each kind of sm/binding/bind.h with the
 * shapes that go with it.  What a front end drives is added up: two datapaths' registers and threads,
 * two SMs' shared memory.
 */
#include "sm/binding/bind.h"

#include "mech/mech.h"

#define SHEET_DEF "mech/bind.def"
struct bind_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "mech/bind.def"
struct bind_stat {
#include "base/sheet_stats.inc"
};

#define SHEET bind
#define SHEET_DEF "mech/bind.def"
#define SHEET_DOC "binds SMs to each other, and does nothing else"
extern const struct sheet bind_sheet;
#include "base/sheet_table.inc"

enum { KIND_NONE, KIND_WIDE, KIND_LEND, KIND_JOIN, KIND_LOCK_STEP };

struct bind { /* of one SM */
    struct bind_conf conf;
    struct bind_stat st;
    u32 timer0;
    bool armed;
    u64 due; /* cycle in which its lock step is to end */
};

/* The last of `size` SMs lends each of the others a part of what it has. */
static u32 lent_part(u64 n, const struct bind_conf *c)
{
    return (u32)(n / (c->size - 1));
}

static bool groups_fit(const void *conf, const struct mech_gpu *gpu, struct err *e)
{
    const struct bind_conf *c = conf;
    u64 words = c->size * gpu->sm->warp_words;

    if (c->kind == KIND_WIDE && words != 1 && words != 2 && words != MAX_WORDS)
        return err_set(e, "kind=wide: warps of %u lanes; 32, 64 or 128 are possible: size=2",
                       (u32)(32 * words));
    if (c->kind == KIND_JOIN && c->size > 2)
        return err_set(e, "kind=join binds two SMs: size=2");
    return true;
}

/* ---- the plan */

static void be_late(struct shape *s, u32 by)
{
    s->late_decode = s->late_issue = s->late_operands = s->late_l1 = s->late_shared = by;
}

/* One front end has what n had. */
static void grow(struct shape *s, const struct bind_conf *c)
{
    u32 n = (u32)c->size;

    s->max_threads *= n, s->regs *= n, s->shared *= n;
    s->l1d_ways *= (u32)c->l1d, s->l1d_mshrs *= (u32)c->l1d;
    if (c->kind == KIND_WIDE)
        s->warp_words *= n;
    else
        s->shares = n;
}

/* One of those that the last SM lends to. */
static void borrow(struct shape *s, const struct bind_conf *c)
{
    s->lent_regs = lent_part(s->regs, c);
    s->n_warp += lent_part(s->n_warp, c), s->max_threads += lent_part(s->max_threads, c);
    s->shared += lent_part(s->shared, c);
    s->l1d_ways *= (u32)c->l1d, s->l1d_mshrs *= (u32)c->l1d;
}

/* What member k of a group becomes. */
static void become(struct shape *s, u32 k, const struct bind_conf *c)
{
    bool lends = c->kind == KIND_LEND && k + 1 == c->size;

    be_late(s, (u32)c->late);
    if (lends)
        s->parts = k;
    else if (c->kind == KIND_LEND)
        borrow(s, c);
    else if (c->kind != KIND_LOCK_STEP && !k)
        grow(s, c);
    s->on = c->kind == KIND_LOCK_STEP || (c->kind == KIND_LEND ? !lends : !k);
}

static bool binds(const struct bind_conf *c)
{
    return c->kind != KIND_NONE && c->size > 1;
}

static bool bound_shape(const void *conf, u32 i, struct shape *s)
{
    const struct bind_conf *c = conf;

    if (!binds(c) || i >= c->size)
        return false;
    become(s, i, c);
    return true;
}

static void plan_groups(const void *conf, struct plan *p)
{
    const struct bind_conf *c = conf;
    u32 n = (u32)c->size;

    for (u32 i = 0; binds(c) && i + n <= p->n_sm; i += n) {
        plan_group(p, i, n);
        for (u32 k = 0; k < n; k++)
            become(&p->shape[i + k], k, c);
    }
}

static void bind_as_kind(void *self, struct group *g)
{
    struct bind *b = self;

    if (g->n == 1)
        return;
    b->st.groups++;
    switch (b->conf.kind) {
    case KIND_WIDE:
        bind_wide(g);
        break;
    case KIND_LEND:
        bind_lend(g);
        break;
    case KIND_JOIN:
        bind_join(g);
        break;
    default:
        bind_lock_step(g, &(struct lock_terms){.wake = (u32)b->conf.wake});
    }
}

/* ---- the end of a lock step, wanted */

static void arm_unlock(struct bind *b, struct sm *sm, u64 now)
{
    u64 left = b->due - now;

    b->armed = true;
    sm_timer(sm, b->timer0, now, left < WHEEL ? left : WHEEL - 1);
}

static void on_kernel_begin(void *self, struct sm *sm, u32 arg)
{
    struct bind *b = self;

    (void)arg;
    b->due = sm->front->last + b->conf.part;
    if (b->conf.part && sm->front->lock.n > 1 && !b->armed)
        arm_unlock(b, sm, sm->front->last);
}

static void on_timer(void *self, struct sm *sm, u32 timer)
{
    struct bind *b = self;

    if (timer != b->timer0)
        return;
    b->armed = false;
    if (sm->front->lock.n == 1)
        return;
    if (sm->now < b->due)
        arm_unlock(b, sm, sm->now);
    else
        bind_unlock(sm->front, sm->now);
}

static void on_unlocked(void *self, struct sm *sm, u32 n)
{
    (void)sm, (void)n;
    ((struct bind *)self)->st.unlocked++;
}

const struct mech mech_bind = {
    .name = "bind",
    .doc = "binds SMs to each other, and does nothing else",
    .sheet = &bind_sheet,
    .size = sizeof(struct bind),
    .conf = offsetof(struct bind, conf),
    .conf_size = sizeof(struct bind_conf),
    .stat = offsetof(struct bind, st),
    .stat_size = sizeof(struct bind_stat),
    .one_path = true,
    .alone = true,
    .timer0 = offsetof(struct bind, timer0),
    .fits = groups_fit,
    .shape = bound_shape,
    .on_plan = plan_groups,
    .on_bind = bind_as_kind,
    .on_kernel_begin = on_kernel_begin,
    .on_timer = on_timer,
    .on_unlocked = on_unlocked,
};
