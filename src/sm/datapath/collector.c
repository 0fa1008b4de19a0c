/*
 * collector.c -- operand collectors over banked registers.
 *
 * An instruction takes a free collector unit, queues a read at the bank of each register operand,
 * and goes on to its execution unit when all have been read.  A bank serves one access a
 * cycle, the oldest read first; a write-back that came earlier in the cycle has it.  A unit may get operands from
 * several banks at once.  An entry of a bank is a register of all lanes of a warp, 32 or more: it is
 * read in one access, which counts as one for each 32 lanes.  What a load's access brings is written
 * to the words that have lanes in it.
 *
 * One step: units that are ready leave; banks are read; units are given to new instructions.  So
 * an instruction spends a cycle in each even without conflicts.
 */
#include "sm/datapath/datapath.h"

#include <string.h>

#include "sm/front/depend.h"
#include "sm/sm.h"

/* ---- layout */

static void add_set(struct subcore *sc, u32 unit, u32 *first, u64 n, u64 ports)
{
    struct cuset *set = &sc->set[unit];

    set->mask = n ? (u32)(((u64)1 << n) - 1) << *first : 0;
    set->in_ports = set->out_ports = (u8)ports;
    *first += (u32)n;
}

/* One of so many parts of n things; what is there at all is in each. */
static u64 part_of(u64 n, u32 parts)
{
    return n && n < parts ? 1 : n / parts;
}

void collector_reshape(struct datapath *dp, u32 parts)
{
    const struct sm_conf *c = dp->conf;
    const u64 n[] = {c->cu_sp, c->cu_sfu, c->cu_dp, c->cu_mem, c->cu_tensor};

    dp->banks = (u32)part_of(c->banks, parts);
    ensure(dp, dp->banks && dp->banks <= MAX_BANKS);
    for (u32 i = 0; i < dp->n_sub; i++) {
        struct subcore *sc = &dp->sub[i];
        u32 first = 0;

        sc->any = c->cu_any != 0;
        for (u32 u = 0; u < N_UNIT; u++) {
            ensure(dp, dp->width[u] <= LEN(sc->set[u].last));
            first = sc->any ? 0 : first;
            add_set(sc, u, &first, part_of(sc->any ? c->cu_any : n[u], parts), dp->width[u]);
        }
        ensure(dp, first <= MAX_CU);
        sc->cu_free = (u32)(((u64)1 << first) - 1);
    }
}

/* ---- a step */

/* The first unit of `ready` after `last`, round. */
static inline u32 next_unit(u32 ready, u32 last)
{
    u32 up = ready & ~1u << last;

    return (u32)__builtin_ctz(up ? up : ready);
}

/* Into the latch of the units, which is in order of age. */
static inline void leave_collector(struct subcore *sc, u32 cu, struct latch *l, u64 from)
{
    struct flight *f = sc->cu[cu];
    u32 i = l->n++;

    check(f, i < l->cap && !f->wait);
    check(f, sc->cu_ready >> cu & 1 && !(sc->cu_free >> cu & 1));
    f->from = from;
    for (; i > 0 && (s32)(l->at[i - 1]->age - f->age) > 0; i--)
        l->at[i] = l->at[i - 1];
    l->at[i] = f;
    sc->cu_ready &= ~(1u << cu);
    sc->cu_free |= 1u << cu;
}

/* With units for all, only those whose instruction wants this execution unit. */
static u32 ready_for(const struct subcore *sc, u32 ready, u32 unit)
{
    u32 r = 0;

    for (; ready; ready &= ready - 1) {
        u32 cu = (u32)__builtin_ctz(ready);

        r |= (u32)(sc->cu[cu]->u->unit == unit) << cu;
    }
    return r;
}

static inline void dispatch(struct subcore *sc, struct latch *exec, u64 from)
{
    u32 todo = sc->cu_ready;

    while (todo) {
        u32 u = sc->cu[__builtin_ctz(todo)]->u->unit;
        struct cuset *set = &sc->set[u];
        struct latch *l = &exec[u];
        u32 ready = UNLIKELY(sc->any) ? ready_for(sc, todo, u) : todo & set->mask;

        todo &= ~ready;
        for (u32 port = 0; ready && port < set->out_ports && l->n < l->cap; port++) {
            u32 cu = next_unit(ready, set->last[port]);

            set->last[port] = (u8)cu;
            ready &= ~(1u << cu);
            leave_collector(sc, cu, l, from + (u != UNIT_MEM)); /* which is taken in this cycle */
        }
    }
}

static inline void operands_read(struct subcore *sc, u32 cu, const struct flight *f)
{
    struct flight *lead = f->lead;

    sc->cu_ready |= 1u << cu;
    check(f, f->alone || f->loose || lead->reads);
    if (LIKELY(f->alone) || (!f->loose && !--lead->reads))
        depend_read(lead->fe, lead->slot, lead->u, lead->tag);
}

static inline void read_banks(struct datapath *dp, struct subcore *sc)
{
    u32 serve = sc->bank_busy & ~sc->bank_write, blocked = sc->bank_busy & sc->bank_write;
    u32 n = 0, conflicts = blocked ? popc_32(blocked) : 0;

    for (; serve; serve &= serve - 1) {
        u32 b = (u32)__builtin_ctz(serve);
        struct bank *bank = &sc->bank[b];
        u32 head = bank->head, cu = bank->cu[head], left = bank->n - 1u;
        struct flight *f = sc->cu[cu];

        check(f, bank->n && f->wait);
        bank->head = (u8)((head + 1) % LEN(bank->cu));
        bank->n = (u8)left;
        if (left)
            conflicts++;
        else
            sc->bank_busy &= ~(1u << b);
        if (!--f->wait)
            operands_read(sc, cu, f);
        n++;
    }
    dp->st->reg_reads += n * dp->words;
    dp->st->bank_conflicts += conflicts;
}

/* Numbers are those of a whole register file; of a part of one there are fewer. */
static inline u32 bank_of(const struct datapath *dp, u32 b)
{
    b = b >= dp->banks ? b - dp->banks : b;
    return LIKELY(b < dp->banks) ? b : b % dp->banks;
}

static inline void take_unit(struct datapath *dp, struct subcore *sc, u32 cu, struct flight *f)
{
    const struct uop *u = f->u;
    u32 n = u->n_read, first = f->bank;

    check(f, sc->cu_free >> cu & 1 && !(sc->cu_ready >> cu & 1));
    sc->cu[cu] = f;
    sc->cu_free &= ~(1u << cu);
    f->wait = (u8)n;
    for (u32 i = 0; i < n; i++) {
        u32 b = bank_of(dp, u->read[i] + first);
        struct bank *bank = &sc->bank[b];
        u32 waiting = bank->n;

        check(f, waiting < LEN(bank->cu));
        bank->cu[(bank->head + waiting) % LEN(bank->cu)] = (u8)cu;
        bank->n = (u8)(waiting + 1);
        sc->bank_busy |= 1u << b;
    }
    if (!n)
        operands_read(sc, cu, f);
}

static inline void allocate(struct datapath *dp, struct subcore *sc, u64 now)
{
    for (u32 todo = sc->issued; todo; todo &= todo - 1) {
        u32 u = (u32)__builtin_ctz(todo), ports = sc->set[u].in_ports, mask = sc->set[u].mask;
        struct latch *l = &sc->issue[u];

        for (u32 port = 0; port < ports && l->n && l->at[0]->from <= now; port++) {
            u32 unit = sc->cu_free & mask;

            if (!unit) {
                dp->st->collector_waits += l->n;
                break;
            }
            take_unit(dp, sc, (u32)__builtin_ctz(unit), l->at[0]);
            latch_drop(l, 0);
        }
        if (!l->n)
            sc->issued &= ~(1u << u);
    }
}

static inline void step(struct datapath *dp, u32 sub, u64 now)
{
    struct subcore *sc = &dp->sub[sub];

    if (sc->cu_ready)
        dispatch(sc, sc->units->exec, now + dp->late_operands);
    if (sc->bank_busy)
        read_banks(dp, sc);
    if (sc->issued)
        allocate(dp, sc, now);
    sc->bank_write = 0;
}

HOT void collector_step(struct datapath *dp, u64 now)
{
    for (u32 i = 0; i < dp->n_sub; i++)
        for (u32 k = 0; k < dp->rf_steps; k++)
            step(dp, i, now);
}

HOT bool collector_write(struct datapath *dp, struct subcore *sc, const struct uop *u, u32 bank,
                         u32 words, u32 *written)
{
    for (u32 i = 0; i < u->n_write; i++) {
        u32 b = bank_of(dp, u->write[i] + bank);

        if (*written >> i & 1 || sc->bank_write >> b & 1)
            continue;
        sc->bank_write |= 1u << b;
        *written |= 1u << i;
    }
    if (*written != (1u << u->n_write) - 1)
        return false;
    dp->st->reg_writes += u->n_write * words;
    return true;
}
