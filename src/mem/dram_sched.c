/* dram_sched.c -- which request a bank of a DRAM channel gets; see dram_policy in dram.h */
#include <string.h>

#include "mem/dram.h"

/*
 * The request in front of the oldest one to the open row, 0 if that is the first or there is none.
 */
static u16 before_row_hit(const struct dram *d, const struct dram_bank *b)
{
    u16 before = 0;

    if (!b->open)
        return 0;
    for (u16 s = b->first; s; before = s, s = d->slot[s - 1].next)
        if (d->slot[s - 1].req.row == b->row)
            return before;
    return 0;
}

static u32 frfcfs_pick(const struct dram *d, u64 banks, u16 *before)
{
    u32 b = dram_turn(d, banks);

    *before = before_row_hit(d, &d->bank[b]);
    return b;
}

/* The oldest of all; while its bank is busy, nobody. */
static u32 fcfs_pick(const struct dram *d, u64 banks, u16 *before)
{
    u64 oldest = UINT64_MAX;
    u32 bank = DRAM_NONE;

    *before = 0;
    for (u64 m = d->waiting; m; m &= m - 1) {
        u32 b = (u32)__builtin_ctzll(m);
        u64 order = d->slot[d->bank[b].first - 1].order;

        if (order < oldest)
            oldest = order, bank = b;
    }
    return banks >> bank & 1 ? bank : DRAM_NONE;
}

static const struct dram_policy frfcfs = {
    "frfcfs", "to the open row of a bank first, then the oldest; banks in turn", frfcfs_pick};
static const struct dram_policy fcfs = {"fcfs", "strictly the oldest", fcfs_pick};

static const struct dram_policy *const policies[] = {&frfcfs, &fcfs};

const struct dram_policy *const *dram_policy_list(u32 *n)
{
    *n = LEN(policies);
    return policies;
}

const struct dram_policy *dram_policy_find(const char *name, struct err *e)
{
    const char *names[LEN(policies)];

    for (u32 i = 0; i < LEN(policies); i++) {
        if (!strcmp(policies[i]->name, name))
            return policies[i];
        names[i] = policies[i]->name;
    }
    err_no_such(e, name, names, LEN(policies), "see smelt list dram-schedulers",
                "no DRAM scheduler '%s'", name);
    return NULL;
}
