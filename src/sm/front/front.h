/*
 * front.h -- the front end, an organ of an SM: what is fetched, decoded, tracked and issued.
 *
 *     fetch.c     instruction fetch and decode, retirement of warps that are done
 *     issue.c     schedulers look, pick and issue; why they could not
 *     sched.c     the policies that pick (sched.h)
 *     depend.h    which instructions must wait for which; the scoreboard
 *     warps.c     hardware warps: CTAs are placed, warps get a scheduler, run and retire
 *     parts.c     contexts of warps in parts (parts.h)
 *     carry.c     CTAs that stay when SMs are fused around them
 *     context.h   a hardware warp, and the CTA it is of
 *
 * It drives the datapaths of its binding, dp[0] to dp[n_dp - 1], and fetches through the port of a
 * memory unit.  In the baseline both are of its own SM.  `sm` says whose counters and hooks are
 * its own; a stage reaches other organs through the binding alone.
 */
#ifndef SM_FRONT_H
#define SM_FRONT_H

#include "base/base.h"
#include "base/ring.h"
#include "exec/exec.h"
#include "mem/cache.h"
#include "sm/ensure.h"
#include "sm/front/binding.h"
#include "sm/front/board.h"
#include "sm/front/lock_step.h"
#include "sm/flight.h"
#include "sm/front/context.h"
#include "sm/front/part_table.h"
#include "sm/hook.h"
#include "sm/shape.h"
#include "sm/sm_conf.h"

enum { MAX_SCHED = 4 };

struct sm;
struct memunit;
struct depend;
struct sched_policy;
struct sm_env;

/* ---- schedulers */

/* Sets of warps are masks over the places of a scheduler; places are in order of age. */
struct sched {
    u64 live;
    u64 valid; /* an instruction of the right path is buffered */
    u64 wrong; /* what is buffered is not where the warp goes on: flushed when looked at */
    u64 dirty; /* hazards must be looked at again */
    u64 raw, raw_mem, waw, war; /* hazards of the next instruction */
    u64 bar, atom, fence;
    u64 window; /* of an instruction window: older instructions must go first, or it is full */
    u64 held;   /* by a mechanism, given their next instruction: see sm_hold */
    u64 meet;   /* parts and those that have parts: they wait for each other */
    u64 ended, imiss;
    u64 need[N_UNIT]; /* unit that the next instruction wants */
    u64 need_fp;      /* of need[UNIT_SP]: the FP half */
    u64 need_flow;    /* of need[UNIT_SP]: control, which is neither INT nor FP */
    u64 lent;         /* warps whose registers are in dp[1] */
    u64 narrow;       /* of wide warps: those that one datapath executes */
    u64 active;       /* of policies with an active set */
    u32 last;         /* place that issued last; 64: none */
    u32 n;            /* places in use */
    const struct sched_policy *policy;
    struct front *fe;
    struct why {
        enum stall stall;
        u32 pc;    /* --lines: whose fault it is, or PC_NONE */
    } why, asleep; /* of the cycle that was stepped last, and of those slept since */
    void *own;     /* of the policy */
    u32 active_max;
    u8 why_of, asleep_of; /* --lines: whose pc that is: kernel on board */
    u8 sub;               /* sub-core of the datapaths that it issues to */
    u8 at[64];            /* hardware warp of a place */
    struct stall_stat st;
    u64 busy; /* until this cycle with words of a wide instruction: sm.wide_issue */
};

struct lever {          /* what one mechanism asks of a front end */
    u64 hold, hold_mem; /* hardware warps: see sm_hold */
    u32 ctas;           /* at most so many; 0: any number */
};

struct issued { /* for the hook `issue`: sm->front->last_issue */
    const struct uop *u;
    u32 pc, sched;
};

struct stopped { /* by a fault: where */
    struct exec *x;
    struct warp *warp;
    u32 pc;
    u64 at; /* cycle */
};

struct sys_call { /* printf, malloc, ..: performed at the edge of the window */
    u64 cycle;
    u16 sm, slot;
};

/*
 * What each cycle looks at comes first; then what an instruction does, a CTA, a kernel.  What only
 * other bindings than the baseline's need is in structs of their own.
 */
struct front {
    struct sm *sm;
    struct sm_stat *st;
    struct ops_stat *ops;
    const struct sm_conf *conf;
    struct exec *x;          /* its group's */
    struct flights *flights; /* its group's */
    const struct program *prog;
    const struct uop *uop;       /* of its code */
    const struct depend *depend; /* NULL: the scoreboard */
    void *depend_own;
    u64 want_fetch;     /* buffer empty, no miss under way, not ended */
    u64 may_retire;     /* ended, and nothing under way */
    u64 hold, hold_mem; /* of all mechanisms together */
    u64 last;           /* accounts of schedulers are closed up to this cycle, exclusively */
    u64 launched;       /* the cycle from which CTAs can come */
    u32 n_sched;
    u32 phase; /* cycle + phase, modulo their number, is the one that goes first */
    u32 n_issued;
    u32 last_fetched, n_fetched;
    u32 n_resident; /* warps */
    u32 n_starting; /* CTAs that were placed and have not started */
    u32 barrier_lat;
    u64 opening; /* warps whose barrier has opened and that cannot go on yet: op.barrier_lat */
    u64 opens;   /* when the next of them can; UINT64_MAX: there is none */
    u32 n_dp;
    u32 words;          /* of 32 lanes, in a warp */
    u8 war;             /* 0 off, 1 until read, 2 until write-back */
    u8 war_readers;     /* of a register, at most; 0: any number */
    u8 issue_width;     /* sm.issue_width, unless a mechanism wants less */
    u8 picks;           /* sm.picks */
    bool special;       /* several picks, or wide instructions that hold their scheduler */
    bool failed;        /* a kernel fault: `fault` says which */
    bool no_more;       /* no CTA is left for it */
    bool on;            /* it works in this launch, or follows one that does */
    bool parts_due;     /* warps in parts are to be looked at: parts_step */
    bool has_lines;     /* --lines: board.line counts */
    bool mixed;         /* several kernels have come on board: which one is a warp's is looked up */
    struct front *by;   /* who moves its warps: itself, or the leader of its lock step */
    struct memunit *mu; /* through whose port it fetches */
    struct cache *l1i;
    struct datapath *dp[MAX_BIND];
    struct binding bind;
    struct lock_step lock;
    struct fetched {
        u64 from; /* cycle in which it can be decoded */
        u32 pc;
        u16 slot;
    } fetched[8 * (1 + MAX_LATE)]; /* sm.fetch_width at most */
    struct sched sched[MAX_SCHED] __attribute__((aligned(64)));
    struct wctx ctx[MAX_WARPS] __attribute__((aligned(64)));
    struct cache own_l1i;
    struct part_table parts;
    u32 n_warp; /* contexts */
    u32 late_decode;
    const struct cache_conf *l1i_conf; /* as the keys say */
    u32 subset;                        /* as of the last hook `subset` */
    struct issued last_issue;
    struct cta_slot slot[MAX_CTAS];
    u32 n_slot, n_cta; /* slots of this kernel, CTAs in them */
    u32 max_cta;       /* n_slot, unless mechanisms want fewer */
    u32 closed;        /* mechanisms that let none in: bit of each */
    struct lever lever[MAX_LISTENERS];
    u8 *pend_rows; /* memory of the scoreboards */
    u32 n_regs;    /* places of one */
    u32 chance;    /* of a hostile build */
    u64 last_done; /* last cycle in which a warp retired */
    u64 resident_since;
    VEC(struct sys_call) calls; /* of this window */
    struct stopped fault;
    struct board board;
};

void front_init(struct front *fe, const struct sm_env *env);
void front_reshape(struct front *fe, const struct shape *s);
void front_free(struct front *fe);
bool front_has_work(const struct front *fe, u64 now); /* in the next cycle */

/* Counts what the cycles up to `now` (exclusive) were. */
void front_settle(struct front *fe, u64 now);

/* `by` more warps are resident from now on. */
void front_count_warps(struct front *fe, u64 now, s32 by);

/* It has no warp from now on. */
void front_set_idle(struct front *fe);

/* No CTA is left for it, or there are some again. */
void front_set_no_more(struct front *fe, bool no_more);

/* A fault of warp w, whose x says what; the group stops, and the edge finds it. */
void front_fail(struct front *fe, struct warp *w, u32 pc, u64 now);

static inline struct sched *sched_of(struct front *fe, const struct wctx *c)
{
    return &fe->sched[c->sched];
}

/* Names a warp of a group, for what comes back to it: front end and slot; see token_front. */
enum { TOKEN_BITS = 9 };

static inline u32 warp_token(const struct front *fe, u32 slot)
{
    return fe->bind.member << 6 | slot;
}

static inline u32 token_slot(u32 token)
{
    return token & (MAX_WARPS - 1);
}

static inline u64 pos_bit(const struct wctx *c)
{
    return (u64)1 << c->pos;
}

/* It waits at a barrier, or at one that has opened and lets it go on later: op.barrier_lat. */
static inline bool warp_at_barrier(const struct front *fe, const struct wctx *c)
{
    return c->w->waiting >= 0 || fe->sched[c->sched].bar & pos_bit(c);
}

/* The next instruction of a warp: the one that its hazards are about. */
static inline u32 next_pc(const struct wctx *c)
{
    return c->ib_pc;
}

/* The kernel of a warp, by its number on board. */
static inline u32 kernel_number(const struct wctx *c)
{
    return c->home->slot[c->cta].kernel;
}

static inline const struct kernel *kernel_of(const struct wctx *c)
{
    return &c->home->board.kernel[kernel_number(c)];
}

static inline struct exec *exec_of(const struct front *fe, const struct wctx *c)
{
    return UNLIKELY(fe->mixed) ? kernel_of(c)->x : fe->x;
}

static inline const struct uop *uops_of(const struct front *fe, const struct wctx *c)
{
    return UNLIKELY(fe->mixed) ? kernel_of(c)->uop : fe->uop;
}

static inline const struct program *prog_of(const struct front *fe, const struct wctx *c)
{
    return UNLIKELY(fe->mixed) ? kernel_of(c)->l->prog : fe->prog;
}

static inline const struct uop *next_uop(const struct front *fe, const struct wctx *c)
{
    return &uops_of(fe, c)[next_pc(c)];
}

/* ---- fetch.c */
void fetch_step(struct front *fe, u64 now); /* also retires warps, as the fetch stage finds them */

static inline bool fetch_has_work(const struct front *fe)
{
    return fe->want_fetch | fe->may_retire || cache_has_ready(fe->l1i) || fe->own_l1i.send.n;
}

void decode_step(struct front *fe, u64 now);
void fetch_reply(struct front *fe, u64 addr); /* a line of instructions has come */

/* ---- issue.c */
void issue_step(struct front *fe, u64 now);
void issue_sleep(struct front *fe); /* the reason of the cycles to come, in which nothing changes */
void issue_look(struct front *fe, struct sched *s); /* hazards of its dirty warps */

/* A call of the system that a warp waited for has been performed. */
void warp_called(struct front *fe, u32 slot);

/* An instruction of the warp is no longer between issue and completion. */
static inline void flight_landed(struct wctx *c)
{
    check(c, c->in_flight);
    c->in_flight--;
}

/*
 * The active warps: types of their next instructions (1 << PIPE_INT, 1 << PIPE_FP), at SUBSET_READY
 * how many of INT and of FP are ready (two bits each, 3: three or more), at SUBSET_WARPS their
 * number.
 */
enum { SUBSET_READY = 2, SUBSET_WARPS = 8 };
u32 issue_subset(struct front *fe);

static inline u32 subset_ready(u32 subset, u32 type)
{
    return subset >> (SUBSET_READY + 2 * type) & 3;
}

/* ---- lever.c */
void lever_begin(struct front *fe);                             /* a kernel begins */
void lever_hold(struct front *fe, struct sched *s, u64 places); /* are these warps held? */
u32 lever_ctas(const struct front *fe);                         /* the least that one asks for */
u32 lever_holder(const struct front *fe, const struct sched *s,
                 u64 held); /* of the oldest: by whom */

/* ---- warps.c: hardware warps from placing to retirement */
void warps_begin(struct front *fe, const struct launch *l, u32 ctas);
void warps_go_on(struct front *fe, const struct front *leader); /* lock step has ended */
void warps_follow(struct front *fe);                            /* it begins: others move them */
void warps_free(struct front *fe);
void warps_make_slots(struct front *fe, const struct launch *l, u32 ctas);
bool warps_have_room(const struct front *fe); /* for a CTA */
u64 warps_free_slots(const struct front *fe); /* mask */
void warps_place(struct front *fe, const struct launch *l, u32 slot, u64 cta, u64 start);
void warps_start(struct front *fe, u64 now);         /* CTAs whose time has come */
u64 warps_next_start(const struct front *fe);        /* of a CTA that was placed */
void warp_open(struct front *fe, u32 slot);          /* a barrier lets it go on */
void warp_opens(struct front *fe, u32 slot, u64 at); /* .. will, in this cycle */
void warps_open(struct front *fe, u64 now);          /* .. does, those whose time has come */
void warp_waited(struct front *fe, u32 slot); /* something that it may have waited for has ended */
void warp_retire(struct front *fe, u32 slot, u64 now);
void warp_next(struct front *fe, u32 slot); /* its next instruction has changed */
void warp_copy_fence(struct front *fe, u32 slot,
                     const struct inst *in); /* .. has ended a group of copies, or waits for some */
void warp_wait_atoms(struct front *fe, u32 slot); /* .. must wait for atomics of the warp */
void warp_no_atoms(struct front *fe, u32 slot);   /* none of the warp is under way any more */
bool warp_has_atoms(const struct front *fe, u32 slot);
void warps_join_scheduler(struct front *fe, u32 slot); /* as the youngest of its warps */
void warps_compact(struct front *fe, struct sched *s); /* places of retired warps are free again */
void warp_flush(struct front *fe, u32 slot, u32 pc);

/* ---- carry.c: CTAs that stay when their front end becomes one of a fused pair */

/* Nothing is under way, and no CTA is about to start: nothing happens before a warp issues. */
bool carry_is_possible(const struct front *fe);
void carry_ctas(struct front *fe, const struct launch *l, u32 ctas); /* so many more have slots */
bool carry_has_room(const struct front *fe);                         /* beside them, for a CTA */
bool carry_leaves(const struct front *fe,
                  const struct cta_slot *s);                /* contexts for one in this slot */
void carry_end(struct front *fe, const struct cta_slot *s); /* one has ended */

#endif
