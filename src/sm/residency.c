/* residency.c -- see residency.h */
#include "sm/residency.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

/* Pipelines that are the component together; 0: it is none of those. */
static u64 n_pipes(const struct sm_conf *conf, enum component c)
{
    switch (c) {
    case COMP_sp0_int:
    case COMP_sp0_fp:
        return (conf->sp_clusters + 1) / 2 * conf->sub_cores;
    case COMP_sp1_int:
    case COMP_sp1_fp:
        return conf->sp_clusters / 2 * conf->sub_cores;
    case COMP_sfu:
        return conf->sfu_units * conf->sub_cores;
    case COMP_dp:
        return conf->dp_units * conf->sub_cores;
    case COMP_tensor:
        return conf->tensor_units * conf->sub_cores;
    default:
        return 0;
    }
}

u32 residency_parts(const struct sm_conf *conf, enum component c)
{
    u64 n = n_pipes(conf, c);

    if (c < COMP_sp0_int || c > COMP_tensor)
        return RESIDENCY_WHOLE;
    return n ? (u32)n : 1; /* without pipelines of its own it is one thing */
}

void residency_init(struct residency *r, const struct sm_conf *conf)
{
    memset(r, 0, sizeof *r);
    for (u32 c = 0; c < N_COMPONENT; c++)
        if (component_is_of_sm((enum component)c))
            r->whole[c] = (u8)residency_parts(conf, (enum component)c);
}

void residency_free(struct residency *r)
{
    VEC_FREE(&r->changes);
}

/* ---- switching */

/* Mostly it is the last: a mechanism may speak of the next cycle already, and another one of this. */
static void note(struct residency *r, struct change c)
{
    (void)VEC_ADD(&r->changes);
    u32 i = r->changes.n - 1;

    for (; i && r->changes.at[i - 1].cycle > c.cycle; i--)
        r->changes.at[i] = r->changes.at[i - 1];
    r->changes.at[i] = c;
    r->dark |= 1u << c.component;
}

static void apply(struct residency *r, const struct change *c)
{
    u32 bit = 1u << c->component;

    r->at_last[c->component] = c->parts;
    r->dark = c->parts.off | c->parts.waking ? r->dark | bit : r->dark & ~bit;
}

void residency_set(struct residency *r, enum component c, u32 off, u32 waking, u64 cost, u64 now)
{
    struct change change = {now, cost, (u8)c, {(u8)off, (u8)waking}};

    ensure_here((u32)c < N_COMPONENT);
    check_here(r->whole[c] && off + waking <= r->whole[c]);
    if (!r->open) {
        apply(r, &change);
        return;
    }
    /* One that was told before its first cycle that no CTA is left is settled a cycle ahead. */
    check_here(now + 1 >= r->last);
    change.cycle = now > r->last ? now : r->last;
    note(r, change);
}

/* ---- counting */

static void count_dark(struct residency *r, u64 now)
{
    u64 n = now - r->last;

    check_here(now >= r->last);
    for (u32 m = r->dark; m; m &= m - 1) {
        u32 c = (u32)__builtin_ctz(m);

        r->account[c].off += n * r->at_last[c].off;
        r->account[c].waking += n * r->at_last[c].waking;
    }
    r->last = now;
}

void residency_begin(struct residency *r, u64 now)
{
    check_here(!r->open && !r->changes.n);
    r->open = true;
    r->last = now;
}

void residency_settle(struct residency *r, u64 now)
{
    u32 done = 0;

    for (; done < r->changes.n && r->changes.at[done].cycle < now; done++) {
        const struct change *c = &r->changes.at[done];

        count_dark(r, c->cycle);
        r->account[c->component].gating += c->cost;
        apply(r, c);
    }
    count_dark(r, now);
    r->changes.n -= done;
    for (u32 i = 0; i < r->changes.n; i++) {
        r->changes.at[i] = r->changes.at[i + done];
        r->dark |= 1u << r->changes.at[i].component;
    }
}

void residency_end(struct residency *r, u64 now)
{
    check_here(r->open);
    residency_settle(r, now);
    for (u32 i = 0; i < r->changes.n; i++)
        apply(r, &r->changes.at[i]);
    r->changes.n = 0;
    r->open = false;
}

void residency_add(const struct residency *r, struct sm_stat *to)
{
#define ADD_CHIP(name)
#define ADD_PIPE(name)                                                                             \
    to->name##_off += r->account[COMP_##name].off;                                                 \
    to->name##_gating += r->account[COMP_##name].gating;
#define ADD_SM(name)                                                                               \
    ADD_PIPE(name)                                                                                 \
    to->name##_waking += r->account[COMP_##name].waking;
#define ADD_RARE_PIPE ADD_SM
#define ADD_PORT ADD_SM
#define COMPONENT(name, per, doc) ADD_##per(name)
#include "sm/component.def"
}
