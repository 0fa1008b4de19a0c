/*
 * mech.h -- a mechanism: one file that watches and steers the baseline.
 *
 * It watches through hooks (hook.h) and steers through data that the baseline reads anyway
 * (unit_off of a datapath, the policy of a scheduler, the binding of organs) or asks for (sm_hold,
 * sm_limit_ctas, sm_prefetch in sm/sm.h; partition_prefetch and partition_schedule in
 * mem/partition.h; the answers in a cache_event).  Several mechanisms can be attached at once: each
 * hook calls them in the order in which they were named.
 *
 * What runs where.  Its state is in three places, zeroed when it is attached; keys are the same in
 * all, counters are summed over all.  A hook gets the state of its place and may touch nothing
 * else, since other SMs and partitions run at the same time on other host threads (gpu/timing.h):
 *
 *     state of       hooks                                      may touch
 *     an SM          HOOKS, l1_..                               that SM, of which it sees `sm`
 *     a partition    partition_begin, l2_.., policies of its DRAM    that partition; requests may be
 *                                                               looked up
 *     the chip       chip_begin, chip_edge                      everything: all stand still
 *
 * `edge` and `kernel_begin` of an SM run while all stand still too.  What an SM and a partition
 * have to tell each other goes through chip_edge.  Edges of windows in which nothing can happen are
 * left out unless --no-skip is given: what is decided there must follow from what has happened and
 * from `now`, not from how often it was called.
 *
 *     smelt run -m noop:timer=50 -m gates ..
 *
 * Kernels of several streams can be on the GPU at the same time, also on one SM (gpu/overlap.h).
 * `kernel_begin` is then called when an SM that was idle begins with a kernel, `kernel_end` when the
 * last one there leaves it: kernels that come and go meanwhile (sm/binding/kernels.h) are not told.
 * chip_begin and partition_begin are called when a launch begins while no other is in flight.  A
 * mechanism that looks at pipelines, caches, warps or CTAs need not know.  One with tables by pc, or
 * of the instructions of a kernel, says `apart`; one that must know which launch there is, or that
 * changes the plan, says `alone`.
 *
 * Timers: sm_timer(sm, self->timer0 + k, ..) with k below MECH_TIMERS comes back as hook `timer`
 * with that number; all mechanisms hear it, so each looks whether it is one of its own.
 *
 * Energy: what it switches off is in the SM's account (pipe_switch, residency_set); what it adds are
 * area, power, and events of its own: a counter of its sheet times pJ, booked to a component.
 *
 * A mechanism that sees several SMs acts in the hook `chip_edge`, when all groups stand still.  SMs
 * of one group run on one host thread: their hooks may touch each other.
 */
#ifndef MECH_MECH_H
#define MECH_MECH_H

#include "base/base.h"
#include "base/err.h"
#include "base/sheet.h"
#include "mech/charge.h"
#include "mem/cache.h"
#include "mem/dram.h"
#include "mem/mem_conf.h"
#include "mem/noc.h"
#include "mem/partition.h"
#include "sm/binding/group.h"
#include "sm/binding/plan.h"
#include "sm/component.h"
#include "sm/datapath/datapath.h"
#include "sm/front/front.h"
#include "sm/hook.h"
#include "sm/memunit/memunit.h"
#include "sm/sm.h"

enum { MECH_TIMERS = N_TIMER / MAX_MECHS, MECH_LIST = 64 }; /* so many in the list, at most */

struct mech_gpu { /* what it is to work on */
    const struct sm_conf *sm;
    const struct op_conf *op;
    const struct cache_conf *l1i, *l1d, *l1c, *l1t, *l2;
    const struct noc_conf *noc;
    const struct mem_conf *mem;
    const struct dram_conf *dram;
    u32 n_sm;
    u64 core_mhz;
};

struct mech_cost_of { /* the chip that it is added to */
    const struct sm_conf *sm;
    u64 n_sm;
    double area_mm2[N_COMPONENT], leak_mw[N_COMPONENT]; /* of one */
    double e_scoreboard;                                /* pJ, an instruction checked */
    double e_noc_bit; /* pJ, a bit through the network between SMs and L2 */
};

struct mech_event { /* something that costs energy each time it happens */
    size_t stat;    /* where its counter is in the mechanism's */
    enum component component;
    double pj; /* at power.vdd_ref_mv, as those of power/event.def */
};

struct mech_chip;

struct mech {
    const char *name, *doc;
    const struct sheet *sheet; /* its keys and counters */
    size_t size, conf, stat;   /* state of an SM; where keys and counters are in it */
    size_t conf_size, stat_size;
    struct mech_place {
        size_t size, conf, stat; /* size 0: it has no state there */
    } partition, chip;           /* the same of a memory partition, and of the chip */
    bool reorders;               /* instructions of a warp: it needs uop.waits */
    bool alone; /* it plans, binds or steers for one launch at a time: launches follow each other */
    bool apart; /* an SM has one kernel at a time; different SMs may have different ones */
    bool one_path; /* it moves warps with one SIMT stack each: not with sm.thread_scheduling */
    size_t timer0; /* a u32 in the state: the first of its MECH_TIMERS timers; 0: it has none */
    const char *excludes; /* mechanisms it cannot be combined with, comma separated, or NULL */
    const char *why_not;  /* the reason */
    const char *holds;    /* what warps wait for that it holds (sm_hold), or NULL: it holds none */
    /* what it adds to an SM, as its paper computes it; or NULL */
    double (*area_mm2)(const void *conf, const struct mech_cost_of *of);
    void (*power)(const void *conf, const struct mech_cost_of *of, double *dynamic_w,
                  double *static_w); /* adds to both */
    u32 (*events)(const void *conf, const struct mech_cost_of *of,
                  struct mech_event event[MECH_EVENTS]); /* how many; of NULL: no pJ is asked for */
    /*
     * What its keys name: files are read into a longer struct that begins with them; and freed.  A
     * key of the kind FILE has a name or a path, which conf_dir_find finds; what is in the file
     * counts in the store.
     */
    bool (*load)(void *conf, struct err *e);
    void (*unload)(void *conf);
    void (*drop)(void *self); /* the state of an SM goes: what it has allocated is freed; or NULL */
    /* SMs that get CTAs in every launch, at least: programs ask for them.  NULL: all. */
    u32 (*active_sms)(const void *conf, u32 n_sm);
    /* Can it work on this GPU?  NULL: on all. */
    bool (*fits)(const void *conf, const struct mech_gpu *gpu, struct err *e);
    /*
     * The i-th of the shapes that it may give an SM of shape s, now or while a kernel runs; false: there are
     * no more.  All of them, of all mechanisms together, must be possible (shape_check).  NULL: it changes none.
     */
    bool (*shape)(const void *conf, u32 i, struct shape *s);
#define H(name) void (*on_##name)(void *self, struct sm *sm, u32 arg);
    HOOKS(H)
#undef H
    /* caches */
    void (*on_l1_route)(void *self, struct cache_event *ev);
#define H(name) void (*on_l1_##name)(void *self, struct cache_event *ev);
    CACHE_HOOKS(H)
#undef H
#define H(name) void (*on_l2_##name)(void *self, struct cache_event *ev);
    CACHE_HOOKS(H)
#undef H
    /*
     * Before a launch, from the keys alone: groups and shapes of the SMs (sm/binding/plan.h); or from what the
     * chip's state knows of earlier ones.  Then, when the groups have been formed and no CTA is there
     * yet: what their organs do for each other (sm/binding/bind.h); `self` is the state of the group's first
     * SM.
     */
    void (*on_plan)(const void *conf, struct plan *p);
    void (*on_chip_plan)(const void *self, struct plan *p);
    void (*on_bind)(void *self, struct group *g);
    void (*on_partition_begin)(void *self, struct partition *p); /* a launch begins */
    void (*on_chip_begin)(void *self, const struct mech_chip *c);
    void (*on_chip_edge)(void *self, const struct mech_chip *c); /* a window has ended */
};

/* What a mechanism sees of the chip, at the edges of windows. */
struct mech_chip {
    u64 now;
    u32 n_sm, n_partition;
    struct sm *sm;
    struct partition *const *partition;
    u8 *sm_state, *partition_state; /* n_sm of mech.size, n_partition of mech.partition.size */
};

const struct mech *mech_find(const char *name, struct err *e);
const struct mech *const *mech_list(u32 *n);

/* The mechanisms of one device. */
struct mech_set {
    u32 n;
    struct mech_use {
        const struct mech *m;
        void *conf; /* its keys */
        char *text; /* as it was asked for */
        u8 *state;  /* n_sm of m->size, n_partition of m->partition.size, one of m->chip.size */
        u8 *partition, *chip; /* where those of partitions and chip begin in it */
    } at[MAX_MECHS];
    bool has_edge;            /* one of them listens to chip_edge */
    struct mech_chip machine; /* without the states */
};

/* The number of a mechanism among those of its device, for levers. */
static inline u32 mech_number(u32 timer0)
{
    return timer0 / MECH_TIMERS;
}

/* "NAME" or "NAME:key=value,key=value"; refused with a reason if it does not go with the others. */
bool mech_add(struct mech_set *s, const char *text, struct err *e);
void mech_absolute(char **text); /* of a mechanism: paths of its keys (FILE) from the root */
bool mech_fit(const struct mech_set *s, const struct mech_gpu *gpu, struct err *e); /* all? */
u32 mech_active_sms(const struct mech_set *s, u32 n_sm); /* with all of them */
bool mech_reorders(const struct mech_set *s);            /* does one? */
bool mech_is_alone(const struct mech_set *s);            /* is one? */
bool mech_keeps_apart(const struct mech_set *s);         /* does one? */
void mech_free(struct mech_set *s);

/* To n_sm equal SMs, from sm on, and n_partition partitions. */
void mech_attach(struct mech_set *s, struct sm *sm, u32 n_sm, struct partition *const *part,
                 u32 n_partition);

void mech_plan_launch(const struct mech_set *s, struct plan *p); /* of a launch to come */
void mech_bind_groups(struct mech_set *s, struct group *g, u32 n_group);
void mech_begin(struct mech_set *s, u64 now); /* a launch: partition_begin and chip_begin */
void mech_edge(struct mech_set *s, u64 now);  /* chip_edge */

/* Stall reasons of mechanisms that hold warps have their names: all there can be, as a sheet. */
struct mech_stalls {
    struct sheet sheet;
    struct stat_row row[MECH_LIST];
};
const struct sheet *mech_stall_sheet(struct mech_stalls *s);

/* Any reason, as a row, of a device with these mechanisms. */
struct stat_row mech_stall(const struct mech_set *s, u32 reason);

/* Counters of mechanism i, summed over SMs, partitions and chip, added to `stat`. */
void mech_count(const struct mech_set *s, u32 i, void *stat);

/* Adds how often the events happened: in an SM; in partitions and chip. */
void mech_count_charged_sm(const struct mech_set *s, u32 sm, struct mech_charged *c);
void mech_count_charged_chip(const struct mech_set *s, struct mech_charged *c);

#endif
