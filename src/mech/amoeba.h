/*
 * amoeba.h -- SMs that fuse and split while a kernel runs.
 *
 *     amoeba.c        the mechanism: keys; the controller that samples, asks the predictor and fuses
 *     amoeba_split.c  a fused pair that splits for warps that diverge, and fuses again
 */
#ifndef MECH_AMOEBA_H
#define MECH_AMOEBA_H

#include "base/logistic.h"
#include "mech/mech.h"

#define SHEET_DEF "mech/amoeba.def"
struct amoeba_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "mech/amoeba.def"
struct amoeba_stat {
#include "base/sheet_stats.inc"
};

enum amoeba_mode { SCALE_UP, STATIC_FUSE, DIRECT_SPLIT, WARP_REGROUP };
enum amoeba_sampling { RUNNING, ALONE };
enum amoeba_uncut { UNCUT_ONE, UNCUT_BOTH };
enum amoeba_fast { FAST_ANY, FAST_WHOLE };
enum amoeba_joined { JOINED_WAYS, JOINED_WHOLE };
enum amoeba_after { STAY, FUSE_AROUND, RESTART };

struct amoeba_keys { /* with what they name */
    struct amoeba_conf c;
    struct logistic model;
};

enum pair_timer { TIMER_LOOK, TIMER_MOVE, TIMER_READY, TIMER_SAMPLED, TIMER_CARRIED, N_PAIR_TIMER };

enum pair_state { PAIR_NONE, PAIR_FUSED, PAIR_SPLIT };

struct amoeba { /* of one SM; a pair's is the first's */
    struct amoeba_keys keys;
    struct amoeba_stat st;
    u32 timer0;
    enum pair_state state;
    bool stays;  /* not fused in this launch */
    u64 ready;   /* cycle from which it takes CTAs; 0: it does */
    u64 sampled; /* of the first SM: cycle in which the sample ends */
    u64 since;   /* cycle in which it was fused, or split */
    bool armed[N_PAIR_TIMER];
    bool talks; /* the kernel has operations among the lanes of a logical warp */
    bool still; /* nothing is issued: it is being switched */
    bool halts; /* likewise: it is to be fused around its CTAs, or is being */
    u64 marked; /* contexts whose warps are to be cut or moved when nothing of them is under way */
    u64 fast;   /* of them, those that are moved as they are */
    u64 late;   /* contexts with lanes in `slow` */
    u64 issued; /* by the second SM, up to the last look */
    u32 (*slow)[MAX_WORDS]; /* of each context: lanes whose data came late in this period */
};

/* ---- amoeba_split.c */

/* The pair of SM `sm`, the first, is fused from now on; at an edge or when a launch begins. */
void pair_begin(struct amoeba *a, struct sm *sm, u64 now);
void pair_end(struct amoeba *a, struct sm *sm, u64 now); /* the launch has ended */
void pair_cta(struct amoeba *a, struct sm *sm);          /* a CTA begins */
void pair_carried(struct amoeba *a, struct sm *sm);      /* the second has no more of its own */
void pair_halt(struct amoeba *a, struct sm *sm, bool halts);
void pair_timer(struct amoeba *a, struct sm *sm, u32 timer);
void pair_ready_at(struct amoeba *a, struct sm *sm, u64 now,
                   u64 ready); /* it has been fused by then */
void pair_sampled_at(struct amoeba *a, struct sm *sm, u64 now, u64 sampled);
void pair_load_part(struct amoeba *a, struct sm *sm, u32 slot);
void pair_free(struct amoeba *a);

#endif
