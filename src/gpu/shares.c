/* shares.c -- whose counts are whose, of launches that run at the same time; see overlap.h */
#include <string.h>

#include "gpu/machine.h"
#include "gpu/tenant.h"

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

/* Executors count for those who have them; the machine's are theirs together. */
static void count_insts(struct overlap *o, u32 i)
{
    struct host *h = &o->host[i];

    for (u32 k = 0; k < MAX_RESIDENTS; k++) {
        struct ptx_stat *n = &o->x[i * MAX_RESIDENTS + k].n;

        if (!h->at[k])
            continue;
        h->insts[k] += n->warp_insts;
        sheet_add(&ptx_sheet, &h->at[k]->c.ptx, n);
        sheet_add(&ptx_sheet, &o->d->machine->x[i].n, n);
        memset(n, 0, sizeof *n);
    }
}

void tenants_count_insts(struct overlap *o)
{
    for (u32 i = 0; i < o->d->machine->n_sm; i++)
        count_insts(o, i);
}

/* What is known to be a tenant's own goes to it, and from c. */
static void take_own(struct overlap *o, u32 i, u32 k, struct counters *c, u64 *accesses)
{
    const struct resident *r = &o->d->machine->sm[i].front->board.kernel[k];
    struct host *h = &o->host[i];
    struct counters own;

    memset(&own, 0, sizeof own);
    own.sm = r->issued.sm, own.ops = r->issued.ops;
    own.sm.ctas = r->n_done;
    struct counters before = own;

    before.sm = h->issued[k].sm, before.ops = h->issued[k].ops;
    before.sm.ctas = h->ctas[k];
    h->issued[k] = r->issued, h->ctas[k] = r->n_done;
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

/* Caches and latencies by accesses, all else by instructions. */
static void divide(struct overlap *o, u32 i, struct counters *c)
{
    struct host *h = &o->host[i];
    struct tenant *who[MAX_RESIDENTS];
    u64 accesses[MAX_RESIDENTS], insts[MAX_RESIDENTS];
    struct weights by_accesses, by_insts;
    struct counters memory;
    u32 n = 0;

    for (u32 k = 0; k < MAX_RESIDENTS; k++)
        if (h->at[k]) {
            take_own(o, i, k, c, &accesses[n]);
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

void tenants_account(struct overlap *o, u32 i, u64 now)
{
    struct counters c, all;

    memset(&c, 0, sizeof c);
    machine_count_sm(o->d->machine, i, now, &c);
    memset(&c.ptx, 0, sizeof c.ptx); /* count_insts has them */
    all = c;
    counters_sub(&c, &o->sm[i]);
    count_insts(o, i);
    divide(o, i, &c);
    memset(o->host[i].insts, 0, sizeof o->host[i].insts);
    o->sm[i] = all;
}

void tenants_count_sms(struct overlap *o, u64 now)
{
    for (u32 i = 0; i < o->d->machine->n_sm; i++)
        if (o->host[i].n)
            tenants_account(o, i, now);
}

void tenants_begin(struct overlap *o, u64 now)
{
    struct machine *m = o->d->machine;

    for (u32 i = 0; i < m->n_sm; i++) {
        memset(&o->sm[i], 0, sizeof o->sm[i]);
        machine_count_sm(m, i, now, &o->sm[i]);
        memset(&o->sm[i].ptx, 0, sizeof o->sm[i].ptx);
    }
    memset(&o->memory, 0, sizeof o->memory);
    machine_count_memory(m, now, &o->memory);
    o->shared_at = now;
}

static void share_memory(struct overlap *o, u64 now, const struct weights *w)
{
    struct counters c, all;

    memset(&c, 0, sizeof c);
    machine_count_memory(o->d->machine, now, &c);
    all = c;
    counters_sub(&c, &o->memory);
    for (u32 k = 0; k < o->n; k++)
        add_portion(&o->at[k]->c, &c, w, k);
    o->memory = all;
}

void tenants_share(struct overlap *o, u64 now)
{
    u64 cycles[MAX_TENANTS], accesses[MAX_TENANTS];
    struct weights by_cycles, by_accesses;

    tenants_count_sms(o, now);
    for (u32 k = 0; k < o->n; k++) {
        struct tenant *t = o->at[k];

        cycles[k] = t->c.sm.sm_cycles - t->sm_cycles;
        accesses[k] = t->c.sm.mem_accesses - t->accesses;
        t->sm_cycles = t->c.sm.sm_cycles, t->accesses = t->c.sm.mem_accesses;
    }
    weigh(&by_cycles, cycles, o->n);
    weigh(&by_accesses, accesses, o->n);
    share_memory(o, now, &by_accesses);
    for (u32 k = 0; k < o->n; k++)
        o->at[k]->c.chip_cycles += portion(now - o->shared_at, &by_cycles, k);
    o->shared_at = now;
}
