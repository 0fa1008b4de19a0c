/* shares.c -- whose counts are whose, of launches that run at the same time; see overlap.h */
#include <string.h>

#include "gpu/machine.h"
#include "gpu/tenant.h"

void tenant_account(struct overlap *o, u32 i, u64 now)
{
    struct counters c, all;

    memset(&c, 0, sizeof c);
    machine_count_sm(o->d->machine, i, now, &c);
    all = c;
    counters_sub(&c, &o->sm[i]);
    counters_add(&o->owner[i]->c, &c);
    o->sm[i] = all;
}

void tenants_count_sms(struct overlap *o, u64 now)
{
    for (u32 i = 0; i < o->d->machine->n_sm; i++)
        if (o->owner[i])
            tenant_account(o, i, now);
}

void tenants_begin(struct overlap *o, u64 now)
{
    struct machine *m = o->d->machine;

    for (u32 i = 0; i < m->n_sm; i++) {
        memset(&o->sm[i], 0, sizeof o->sm[i]);
        machine_count_sm(m, i, now, &o->sm[i]);
    }
    memset(&o->memory, 0, sizeof o->memory);
    machine_count_memory(m, now, &o->memory);
    o->shared_at = now;
}

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
    counters_add(to, &part);
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
