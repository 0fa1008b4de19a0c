/*
 * front.h -- the front end, an organ of an SM: what is fetched, decoded, tracked and issued.
 *
 *     fetch.c     instruction fetch and decode, retirement of warps that are done
 *     issue.c     schedulers look, pick and issue; why they could not
 *     sched.c     the policies that pick (sched.h)
 *     depend.h    which instructions must wait for which; the scoreboard
 *     warps.c     hardware warps: CTAs are placed, warps get a scheduler, run and retire
 *     parts.c     contexts of warps in parts (parts.h)
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
#include "sm/flight.h"
#include "sm/hook.h"
#include "sm/occupancy.h"
#include "sm/shape.h"
#include "sm/sm_conf.h"

enum {
    MAX_WARPS = 64, /* hardware warps of a front end */
    MAX_SCHED = 4,
    MAX_BIND = 8, /* datapaths that one front end can drive, front ends of a memory unit */
    MAX_CTAS = 64,
    COPY_GROUPS = 8,   /* of asynchronous copies that are told apart */
    MAX_RESIDENTS = 8, /* on board at a time: resident.h */
};

struct sm;
struct memunit;
struct depend;
struct sched_policy;
struct sm_env;

/* ---- hardware warps */

struct wpart {       /* of a context, if its warp is in parts: parts.h */
    u64 heirs;       /* contexts of parts that wait for what was issued before they left */
    u64 ghosts;      /* of parts that are gone */
    u64 *legacy;     /* of a part's context: registers that it waits for as an heir, a bit each */
    u64 waits_since; /* cycle from which it has waited for the others */
    u16 n_legacy;    /* registers in `legacy` */
    u8 owner;        /* of a part: the context that it came from */
    bool moved;      /* it has issued something */
    bool together;   /* with all that can come to its next instruction: it may issue it */
    bool narrow;     /* its threads fit one datapath, and are executed there alone */
    bool guest;      /* of another front end's CTA, and moved here */
};

struct wctx {
    struct warp *w;     /* NULL: free */
    struct front *home; /* the front end that has its CTA */
    u8 *pend;           /* scoreboard: enum reg_state of each register */
    u8 *readers;        /* sm.war: instructions that still read it; NULL: off */
    u32 ib_pc;          /* buffered: ib_n instructions from this one */
    u32 fetch_pc;       /* what is fetched next */
    u32 asked_pc;       /* what was looked up last */
    u32 frame;          /* of its next instruction: see frame_tag */
    u8 ib_n;
    u8 sched, pos;           /* scheduler, and its place there */
    u8 cta;                  /* slot of its CTA, in its home */
    u16 in_flight;           /* instructions between issue and completion */
    u16 n_pend;              /* registers pending */
    u16 stores;              /* acknowledgements to come */
    u16 atoms;               /* atomics to come back, accesses */
    u32 atom_op;             /* memory operation of the last one on global memory */
    u8 bank;                 /* added to its bank numbers */
    u8 dp, sub;              /* datapath and sub-core where its registers are */
    bool ended;              /* all its threads have exited */
    bool fenced;             /* it waits at a memory fence */
    bool fence_sent;         /* which has left the load/store unit */
    u8 copy_group;           /* of asynchronous copies: the one that is open, modulo COPY_GROUPS */
    u8 copy_wait;            /* fenced: groups that it waits for, not a memory fence */
    u16 copies[COPY_GROUPS]; /* under way, by group; `stores` has them too */
    bool parts;              /* of a warp in parts, or that may come to be: `part` says more */
    bool gone;               /* a part that went home; something of it is under way */
    struct wpart *part;
};

/*
 * A CTA that a front end was given.  Its warps are in that front end, or dealt out to several that
 * work over one memory unit: warp i of it to share[i % n_share].
 */
struct cta_slot {
    struct cta *cta; /* allocated for the kernel */
    bool used, started;
    u16 n, left; /* warps; left: not yet retired, parts included */
    u16 first;   /* of the contexts of each share: first, first + 1, .. */
    u8 kernel;   /* of those on board */
    u64 at[2];   /* contexts of each share that have its warps and their parts */
    u64 start;
};

struct tally { /* counters of an SM */
    struct sm_stat sm;
    struct ops_stat ops;
};

/* A kernel on board; a front end has one, unless `mixed`: see resident.h. */
struct resident {
    const struct launch *l; /* NULL: none */
    const struct uop *uop;
    struct exec *x;
    struct need need;    /* of a CTA */
    u64 slots;           /* its own */
    u32 ctas, n_cta;     /* that it may have here, that it has */
    u64 n_done;          /* that have ended ... */
    u64 last_done;       /* ... the last of them in this cycle */
    struct tally issued; /* mixed: what the SM has counted when it issued for it, ever */
};

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
    u8 sub;    /* sub-core of the datapaths that it issues to */
    u8 at[64]; /* hardware warp of a place */
    struct stall_stat st;
};

struct lever {          /* what one mechanism asks of a front end */
    u64 hold, hold_mem; /* hardware warps: see sm_hold */
    u32 ctas;           /* at most so many; 0: any number */
};

struct issued { /* for the hook `issue`: sm->front->last_issue */
    const struct uop *u;
    u32 pc, sched;
};

struct lock_terms { /* of a lock step: see bind.h */
    u32 wake;       /* cycles that its end takes at least */
    u32 late;       /* cycles more from issue to the collectors, while it lasts */
    u32 ack;        /* cycles until the leader knows that a follower's memory result is there */
    bool leader;    /* results that memory does not bring are there when the leader's are */
    bool paths;     /* lanes may differ, as long as all go the same way */
    bool again;     /* members that went different ways go on getting CTAs in sets: bind_again */
};

struct part_terms { /* of warps in parts: parts.h */
    u32 max;        /* so many at a time */
    bool by_pc;     /* they re-unite wherever they stand at the same pc */
};

struct part_stat {
    u64 left, home; /* parts that left, and that came home */
    u64 gathered;   /* times that those who control threads of a logical warp met */
};

struct ack { /* on its way to the leader */
    u64 at;
    struct flight *lead;
};

struct sys_call { /* printf, malloc, ..: performed at the edge of the window */
    u64 cycle;
    u16 sm, slot;
};

struct front { /* what each cycle looks at comes first */
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
    u64 meeting;        /* contexts with a bit in `meet` */
    u64 last;           /* accounts of schedulers are closed up to this cycle, exclusively */
    u64 (*line_stall)[N_STALL]; /* --lines: per pc and reason, or NULL */
    u64 *line_issued;           /* per pc */
    u32 n_sched;
    u32 phase; /* cycle + phase, modulo their number, is the one that goes first */
    u32 n_issued;
    u32 last_fetched, n_fetched;
    u32 n_resident; /* warps */
    u32 n_starting; /* CTAs that were placed and have not started */
    u32 member;     /* which of its group's */
    u32 words;      /* of 32 lanes, in a warp */
    u8 war;         /* 0 off, 1 until read, 2 until write-back */
    u8 issue_width; /* sm.issue_width, unless a mechanism wants less */
    bool failed;    /* a kernel fault: x says which */
    bool no_more;   /* no CTA is left for it */
    bool on;        /* it works in this launch, or follows one that does */
    bool parts_due; /* warps in parts are to be looked at: parts_step */
    bool mixed;     /* several kernels have come on board: which one is a warp's is looked up */
    /* the binding: bind.h */
    bool wide;    /* word k of a warp is executed by datapath k of n_dp */
    bool parting; /* lock step is to end when nothing of it is under way, but not before part_at */
    bool joining; /* it is to begin anew when nothing of the members is under way */
    u32 n_dp;
    u32 lent_sub;       /* of dp[1], if warps have their registers there: our first sub-core */
    u32 n_lock;         /* front ends in lock step, of the leader: itself first; others: 1 */
    struct front *by;   /* who moves its warps: itself, or the leader */
    struct memunit *mu; /* through whose port it fetches */
    struct cache *l1i;
    struct datapath *dp[MAX_BIND];
    struct front *lock[MAX_BIND];
    u32 n_set;   /* front ends that get CTAs together, of the first; the others of a set: 0 */
    u32 part_pc; /* branch at which members went different ways; PC_NONE: parting is wanted */
    u64 part_since, part_at;
    struct lock_terms terms;
    RING(struct ack) acks; /* oldest first; of a leader with terms.ack */
    struct fetched {
        u64 from; /* cycle in which it can be decoded */
        u32 pc;
        u16 slot;
    } fetched[8 * (1 + MAX_LATE)]; /* sm.fetch_width at most */
    struct sched sched[MAX_SCHED] __attribute__((aligned(64)));
    struct wctx ctx[MAX_WARPS] __attribute__((aligned(64)));
    struct cache own_l1i;
    struct wpart part[MAX_WARPS];
    u32 n_warp, own_warps; /* contexts; those whose registers are in dp[0] */
    u64 part_ctx;          /* contexts that parts may have, those in use included; 0: no parts */
    bool part_stops; /* cuts stop where those that ran together must not be without each other */
    struct part_terms part_terms;
    struct part_stat part_stat; /* ever */
    u64 *part_rows;             /* memory of their boards */
    u8 *part_pend;
    u32 late_decode;
    u32 l1i_ways; /* as the keys say */
    u32 subset;   /* as of the last hook `subset` */
    struct issued last_issue;
    struct cta_slot slot[MAX_CTAS];
    struct front *share[2]; /* where the warps of its CTAs are */
    u32 n_share;
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
    /* of a fault */
    struct exec *failed_x;
    struct warp *failed_warp;
    u32 failed_pc;
    u64 failed_at; /* cycle */
    /* kernels on board: resident.h */
    struct resident kernel[MAX_RESIDENTS];
    struct tally before; /* mixed: what the SM had counted before the issue that is going on */
};

void front_init(struct front *fe, const struct sm_env *env);
void front_reshape(struct front *fe, const struct shape *s);
void front_free(struct front *fe);
bool front_has_work(const struct front *fe); /* in the next cycle */

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
    return fe->member << 6 | slot;
}

static inline u32 token_slot(u32 token)
{
    return token & (MAX_WARPS - 1);
}

static inline u64 pos_bit(const struct wctx *c)
{
    return (u64)1 << c->pos;
}

/* The next instruction of a warp: the one that its hazards are about. */
static inline u32 next_pc(const struct wctx *c)
{
    return c->ib_pc;
}

/* The kernel of a warp. */
static inline const struct resident *kernel_of(const struct wctx *c)
{
    return &c->home->kernel[c->home->slot[c->cta].kernel];
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
void decode_step(struct front *fe, u64 now);
void fetch_reply(struct front *fe, u64 addr); /* a line of instructions has come */

/* ---- issue.c */
void issue_step(struct front *fe, u64 now);
void issue_sleep(struct front *fe); /* the reason of the cycles to come, in which nothing changes */
void issue_look(struct front *fe, struct sched *s); /* hazards of its dirty warps */
u64 issue_with_room(struct front *fe, const struct sched *s, u64 ready); /* .. that could go now */

/* May it be issued?  Not if all pipelines for it are shut: then one of them goes to *off. */
bool issue_is_open(const struct front *fe, const struct sched *s, const struct uop *u, u32 *off);

/* A call of the system that a warp waited for has been performed. */
void warp_called(struct front *fe, u32 slot);

/* An instruction of the warp is no longer between issue and completion. */
static inline void flight_landed(struct wctx *c)
{
    assert(c->in_flight);
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

/* ---- warps.c: hardware warps from placing to retirement */
void warps_begin(struct front *fe, const struct launch *l, u32 ctas);
void warps_go_on(struct front *fe, const struct front *leader); /* lock step has ended */
void warps_follow(struct front *fe);                            /* it begins: others move them */
void warps_free(struct front *fe);
bool warps_have_room(const struct front *fe); /* for a CTA */
u64 warps_free_slots(const struct front *fe); /* mask */
void warps_place(struct front *fe, const struct launch *l, u32 slot, u64 cta, u64 start);
void warps_start(struct front *fe, u64 now);  /* CTAs whose time has come */
u64 warps_next_start(const struct front *fe); /* of a CTA that was placed */
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
void warps_leave_cta(struct front *fe, u32 slot, u64 now);
void warp_flush(struct front *fe, u32 slot, u32 pc);

#endif
