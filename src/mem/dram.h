/*
 * dram.h -- one DRAM channel: scheduler queue, banks and data bus.
 *
 *     dram_push -> scheduler queue -> a bank's current request -> data pipe -> return queue `done`
 *
 * Time is in ticks of the command clock.  In one tick, in this order:
 *
 *   1. data at the end of the pipe goes to the return queue, if that has room; writes just end
 *   2. at most one bank without a current request gets one, which the policy picks (dram_policy);
 *      then `prio` moves by one
 *   3. banks are asked from `prio` on for their next command.  At most one column command and one
 *      row command go out, the row command only if it was found first.  After a row command
 *      `prio` is the bank after it.
 *
 * Rows stay open until another one of the bank is wanted.  Every constraint is "not before tick x",
 * so nothing is counted down and the next tick with something to do is known: dram_next.
 *
 * MODEL: a refresh waits until all open rows may be closed and closes them at once; an idle channel
 * makes up for its refreshes when the next request comes.  Not modelled: tFAW, power-down, ECC.
 */
#ifndef MEM_DRAM_H
#define MEM_DRAM_H

#include "base/base.h"
#include "base/err.h"
#include "base/ring.h"
#include "base/sheet.h"

#define SHEET_DEF "mem/dram.def"
struct dram_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "mem/dram.def"
struct dram_stat {
#include "base/sheet_stats.inc"
};
extern const struct sheet dram_sheet;

bool dram_conf_check(const struct dram_conf *c, struct err *e); /* "dram.t_ccd: .." on failure */

enum { DRAM_BANKS = 64, DRAM_NONE = 255 };
enum dram_kind { DRAM_READ, DRAM_WRITE, DRAM_BACK };

struct dram_req {
    u64 addr; /* the owner's; comes back with the data */
    u64 born; /* core cycle, for the owner's statistics */
    u32 row;
    u8 bank, slice;
    u8 kind;   /* enum dram_kind; a DRAM_BACK is a write-back */
    u8 bursts; /* column commands still to be given */
};

/* The next command of a bank with a current request. */
enum dram_want { WANT_READ, WANT_WRITE, WANT_ACT, WANT_PRE, N_WANT };

struct dram_bank {
    u64 want_at;                           /* that of the four below which its next command needs */
    u64 read_at, write_at, pre_at, act_at; /* no such command before this tick */
    u32 row;
    bool open;
    u8 group;
    u8 want;             /* enum dram_want, if busy */
    struct dram_req now; /* being served; the bank is then in dram.busy */
    u16 first, last;     /* of its list of waiting requests, place + 1; 0: none */
};

struct dram_slot { /* of the scheduler queue */
    struct dram_req req;
    u64 order; /* of arrival */
    u16 next;
};

struct dram_burst { /* on the data pipe */
    u64 ready;
    struct dram_req req; /* of its last burst, bursts is 0 */
};

struct dram {
    u64 want[N_WANT]; /* banks by the command they need next */
    u64 busy;         /* banks with a current request: any of want[] */
    u64 waiting;      /* banks whose lists of waiting requests are not empty */
    u32 prio, n_bank;
    u64 col_at, act_at, read_at, write_at; /* any bank */
    u64 next;
    u32 held;     /* requests anywhere in the channel */
    u32 n_queue;  /* in the scheduler queue */
    u32 ended;    /* slice of the write that ended in this tick, or DRAM_NONE */
    u64 pipe_end; /* tick at which the last burst on the pipe is ready */
    u64 counted;  /* tick up to which st.cycles and st.queue_full are right */
    u64 refresh_at;
    u16 free_slot;
    u64 n_pushed;
    const struct dram_policy *policy;
    void *policy_state; /* of a mechanism's policy */
    RING(struct dram_burst) pipe;
    RING(struct dram_req) done; /* reads, for the owner to take: dram_pop */
    struct dram_slot *slot;
    u64 group_col[DRAM_BANKS], group_pre[DRAM_BANKS];
    struct dram_bank bank[DRAM_BANKS];
    struct dram_stat st;
    /* cold */
    struct dram_conf conf;
};

/*
 * A policy answers one question: which of the waiting requests does which bank get?  It is asked
 * once a tick, if there are banks with waiting requests and no current one.  A bank's requests are
 * in a list in order of arrival, from bank[b].first on.  Whatever it answers, nothing is lost; a
 * request that it never picks waits for ever.
 *
 *     pick    `banks` is not 0, a mask of those that could get one.  Returns one of them and in
 *             *before the place of the request in front of the one picked in its list, 0: the
 *             first; or DRAM_NONE: none now, ask again in the next tick
 */
struct dram_policy {
    const char *name, *doc;
    u32 (*pick)(const struct dram *d, u64 banks, u16 *before);
};

const struct dram_policy *dram_policy_find(const char *name, struct err *e);
const struct dram_policy *const *dram_policy_list(u32 *n);

/* Banks of the mask, bank `from` first: bit i is bank (from + i) mod n_bank, a power of two. */
static inline u64 dram_banks_from(const struct dram *d, u64 mask, u32 from)
{
    if (!from)
        return mask;
    mask = mask >> from | mask << (d->n_bank - from);
    return d->n_bank == 64 ? mask : mask & ((1ull << d->n_bank) - 1);
}

static inline u32 dram_bank_after(const struct dram *d, u32 bank, u32 by)
{
    return (bank + by) & (d->n_bank - 1);
}

/* The first bank of the mask from d->prio on, round. */
static inline u32 dram_turn(const struct dram *d, u64 banks)
{
    return dram_bank_after(d, d->prio, (u32)__builtin_ctzll(dram_banks_from(d, banks, d->prio)));
}

void dram_init(struct dram *d, const struct dram_conf *conf);
void dram_free(struct dram *d);

static inline bool dram_full(const struct dram *d)
{
    return d->n_queue >= d->conf.queue;
}

/* Only if not full, after dram_tick(t); the scheduler sees it at tick t + 1. */
void dram_push(struct dram *d, struct dram_req r, u64 t);

/* Ticks in ascending order; those before dram_next may be left out. */
void dram_tick(struct dram *d, u64 t);

/* The next tick at which anything can happen, as of the last tick and push; UINT64_MAX: none. */
static inline u64 dram_next(const struct dram *d)
{
    return d->next;
}

/* Takes the head of `done`, before dram_tick(t). */
struct dram_req dram_pop(struct dram *d);

/* Counters that count time are brought up to tick t, exclusive: before anything else at t. */
void dram_account(struct dram *d, u64 t);

#endif
