/* shares.c -- whose counts are whose, of launches that are in flight together; see overlap.h */
#include <string.h>

#include "gpu/tenant.h"
#include "mech/mech.h"

/* ---- dividing n by weights: parts are whole and add up */

enum { UNIT = 1 << 16 };

struct weights {
    u64 upto[MAX_TENANTS + 1]; /* of UNIT: those of all tenants before */
};

static void weigh(struct weights *w, const u64 *part, u32 n)
{
    u64 sum = 0, before = 0;

    for (u32 k = 0; k < n; k++)
        sum += part[k];
    for (u32 k = 0; k <= n; k++) {
        w->upto[k] =
            sum ? before / ((sum >> 40) + 1) * UNIT / (sum / ((sum >> 40) + 1)) : (u64)k * UNIT / n;
        before += k < n ? part[k] : 0;
    }
    w->upto[n] = UNIT;
}

static u64 portion(u64 n, const struct weights *w, u32 k)
{
    u64 units = n / UNIT, rest = n % UNIT;

    return units * (w->upto[k + 1] - w->upto[k]) + rest * w->upto[k + 1] / UNIT -
           rest * w->upto[k] / UNIT;
}

/* Reasons that were divided one by one add up again. */
static void add_up_stalls(struct stall_stat *st)
{
    u64 n[sizeof *st / sizeof(u64)], sum = 0;

    memcpy(n, st, sizeof n);
    for (u32 i = 0; i < LEN(n); i++)
        sum += i == STALL_scheduler_cycles ? 0 : n[i];
    st->scheduler_cycles = sum;
}

/* Counters are u64, all of them. */
static void add_portion(struct counters *to, const struct counters *all, const struct weights *w,
                        u32 k)
{
    u64 n[sizeof *all / sizeof(u64)];
    struct counters part;

    _Static_assert(sizeof *all % sizeof(u64) == 0, "counters are u64");
    memcpy(n, all, sizeof n);
    for (u32 i = 0; i < LEN(n); i++)
        n[i] = portion(n[i], w, k);
    memcpy(&part, n, sizeof part);
    add_up_stalls(&part.stall);
    counters_add(to, &part);
}

/* ---- of an SM */

/* Executors count for those who have them. */
static void count_insts(struct timing *g, u32 i)
{
    struct host *h = &g->host[i];

    for (u32 k = 0; k < MAX_SM_KERNELS; k++) {
        if (!h->at[k])
            continue;
        const struct ptx_stat *all = &machine_exec(g->d->machine, i, k)->n;
        struct ptx_stat *to = &h->at[k]->c.ptx;

        h->insts[k] += all->warp_insts - h->ran[k].warp_insts;
        sheet_add(&ptx_sheet, to, all);
        sheet_sub(&ptx_sheet, to, &h->ran[k]);
        h->ran[k] = *all;
    }
}

/* What is known to be a tenant's own goes to it, and from c. */
static void take_own(struct timing *g, u32 i, u32 k, struct counters *c, u64 *accesses)
{
    const struct kernel *here = &g->d->machine->sm[i].front->board.kernel[k];
    struct host *h = &g->host[i];
    struct counters own;

    memset(&own, 0, sizeof own);
    own.sm = here->issued.sm, own.ops = here->issued.ops;
    own.sm.ctas = here->n_done;
    struct counters before = own;

    before.sm = h->issued[k].sm, before.ops = h->issued[k].ops;
    before.sm.ctas = h->ctas[k];
    h->issued[k] = here->issued, h->ctas[k] = here->n_done;
    counters_sub(&own, &before);
    counters_add(&h->at[k]->c, &own);
    counters_sub(c, &own);
    *accesses = own.sm.mem_accesses;
}

/* Cycles in which a scheduler has issued are known too, unless it issues two at a time. */
static void issue_cycles(struct counters *c, struct tenant *const *who, const u64 *insts, u32 n)
{
    u64 all = 0;

    for (u32 k = 0; k < n; k++)
        all += insts[k];
    if (all != c->stall.issued)
        return;
    for (u32 k = 0; k < n; k++) {
        who[k]->c.stall.issued += insts[k];
        who[k]->c.stall.scheduler_cycles += insts[k];
    }
    c->stall.issued = 0;
    c->stall.scheduler_cycles -= all;
}

/* By itself on the SM it has all of it: what is there now, less what there was. */
static void take_all(struct timing *g, u32 i, const struct counters *now)
{
    struct host *h = &g->host[i];
    u32 k = 0;

    while (!h->at[k])
        k++;
    const struct kernel *here = &g->d->machine->sm[i].front->board.kernel[k];

    h->issued[k] = here->issued, h->ctas[k] = here->n_done;
    counters_add(&h->at[k]->c, now);
    counters_sub(&h->at[k]->c, &g->sm[i]);
}

/* Caches and latencies by accesses, all else by instructions. */
static void divide(struct timing *g, u32 i, struct counters *c)
{
    struct host *h = &g->host[i];
    struct tenant *who[MAX_SM_KERNELS];
    u64 accesses[MAX_SM_KERNELS], insts[MAX_SM_KERNELS];
    struct weights by_accesses, by_insts;
    struct counters memory;
    u32 n = 0;

    for (u32 k = 0; k < MAX_SM_KERNELS; k++)
        if (h->at[k]) {
            take_own(g, i, k, c, &accesses[n]);
            who[n] = h->at[k], insts[n] = h->insts[k], n++;
        }
    assert(n);
    issue_cycles(c, who, insts, n);
    memset(&memory, 0, sizeof memory);
    memory.l1d = c->l1d, memory.l1c = c->l1c, memory.l1t = c->l1t;
    memory.mem_latency = c->mem_latency;
    counters_sub(c, &memory);
    weigh(&by_accesses, accesses, n);
    weigh(&by_insts, insts, n);
    for (u32 j = 0; j < n; j++) {
        add_portion(&who[j]->c, &memory, &by_accesses, j);
        add_portion(&who[j]->c, c, &by_insts, j);
    }
}

/* Added to c. */
static void count_sm(struct timing *g, u32 i, u64 now, struct counters *c)
{
    machine_count_sm(g->d->machine, i, now, c);
    mech_count_charged_sm(g->d->mechs, i, &c->charged);
}

void tenants_account(struct timing *g, u32 i, u64 now)
{
    struct counters all, c;

    count_insts(g, i);
    if (g->alone)
        return;
    memset(&all, 0, sizeof all);
    count_sm(g, i, now, &all);
    if (g->host[i].n == 1) {
        take_all(g, i, &all);
    } else {
        c = all;
        counters_sub(&c, &g->sm[i]);
        divide(g, i, &c);
    }
    memset(g->host[i].insts, 0, sizeof g->host[i].insts);
    g->sm[i] = all;
}

static void count_rest(struct timing *g, u64 now, struct counters *c)
{
    memset(c, 0, sizeof *c);
    machine_count_memory(g->d->machine, now, c);
    mech_count_charged_chip(g->d->mechs, &c->charged);
}

static void count_all(struct timing *g, u64 now, struct counters *c)
{
    count_rest(g, now, c);
    for (u32 i = 0; i < g->d->machine->n_sm; i++)
        count_sm(g, i, now, c);
}

void tenants_count_from(struct timing *g, u64 now)
{
    g->shared_at = now;
    if (g->alone) {
        count_all(g, now, &g->rest);
        return;
    }
    count_rest(g, now, &g->rest);
    for (u32 i = 0; i < g->d->machine->n_sm; i++) {
        memset(&g->sm[i], 0, sizeof g->sm[i]);
        count_sm(g, i, now, &g->sm[i]);
    }
}

/* One that has the GPU for itself has all that is counted. */
static void take_everything(struct timing *g, u64 now)
{
    struct tenant *t = g->at[0];
    struct counters all;

    count_all(g, now, &all);
    counters_add(&t->c, &all);
    counters_sub(&t->c, &g->rest);
    g->rest = all;
    t->c.chip_cycles += now - g->shared_at;
    g->shared_at = now;
}

static void share_rest(struct timing *g, u64 now, const struct weights *w)
{
    struct counters c, all;

    count_rest(g, now, &c);
    all = c;
    counters_sub(&c, &g->rest);
    for (u32 k = 0; k < g->n; k++)
        add_portion(&g->at[k]->c, &c, w, k);
    g->rest = all;
}

void tenants_share(struct timing *g, u64 now)
{
    u64 cycles[MAX_TENANTS], accesses[MAX_TENANTS];
    struct weights by_cycles, by_accesses;

    for (u32 i = 0; i < g->d->machine->n_sm; i++)
        if (g->host[i].n)
            tenants_account(g, i, now);
    if (g->alone) {
        take_everything(g, now);
        return;
    }
    for (u32 k = 0; k < g->n; k++) {
        struct tenant *t = g->at[k];

        cycles[k] = t->c.sm.sm_cycles - t->sm_cycles;
        accesses[k] = t->c.sm.mem_accesses - t->accesses;
        t->sm_cycles = t->c.sm.sm_cycles, t->accesses = t->c.sm.mem_accesses;
    }
    weigh(&by_cycles, cycles, g->n);
    weigh(&by_accesses, accesses, g->n);
    share_rest(g, now, &by_accesses);
    for (u32 k = 0; k < g->n; k++)
        g->at[k]->c.chip_cycles += portion(now - g->shared_at, &by_cycles, k);
    g->shared_at = now;
}

/* ---- samples: what a launch's own account has got since the last one */

static void sample(struct timing *g, struct tenant *t, u64 now)
{
    struct counters *s = VEC_ADD(&t->samples);

    t->c.cycles = now - t->start;
    *s = t->c;
    counters_sub(s, &t->sampled);
    t->sampled = t->c;
    while (t->next_sample <= now)
        t->next_sample += g->d->opts.sample;
}

static bool is_due(const struct timing *g, const struct tenant *t, u64 now)
{
    return now >= t->next_sample && tenant_has_ctas(g, t);
}

void tenants_sample(struct timing *g, u64 now)
{
    bool due = false;

    for (u32 k = 0; k < g->n; k++)
        due |= is_due(g, g->at[k], now);
    if (due)
        tenants_share(g, now);
    for (u32 k = 0; k < g->n; k++)
        if (is_due(g, g->at[k], now))
            sample(g, g->at[k], now);
}
