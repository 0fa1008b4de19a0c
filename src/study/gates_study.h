/*
 * gates_study.h -- the study of Warped Gates: its runs, and what is measured of them.
 *
 * Everything is measured against a baseline with the mechanism's counters and gating off.  Section
 * 7.3: "static energy savings by taking into account power gating overhead .. normalized to a
 * baseline with no power gating".  So a pipeline's static energy is its cycles while the SM has a
 * CTA, less those in which it is off, and break_even for each time it is switched off; what is
 * saved is a share of the baseline's, and a longer run counts against it.
 */
#ifndef STUDY_GATES_STUDY_H
#define STUDY_GATES_STUDY_H

#include "study/paper.h"
#include "study/points.h"

enum { N_VARIANT = 5, N_TYPE = 2, N_DETECT = 5, N_BET = 4, N_WAKEUP = 3 };
enum { CONV_PG, GATES, NAIVE, COORDINATED, WARPED };
enum { INT, FP };

struct series { /* one point for each program */
    u32 *point;
    const struct series *base; /* NULL: it is one */
    u32 break_even;
};

struct means { /* over the programs, in % */
    double saved[N_TYPE], slowdown;
};

struct study {
    const struct paper_options *o;
    struct points *p;
    struct set_info set;
    struct series base, variant[N_VARIANT];
    /* what claims are about, once it is there */
    double *r;                                     /* Fig. 6, of each program; or NULL */
    struct means bet[2][N_BET], wake[2][N_WAKEUP]; /* Fig. 11, conv_pg and warped */
    bool has_sensitivity;
};

extern const char *const gates_variants[N_VARIANT], *const gates_types[N_TYPE];
extern const u32 gates_bets[N_BET], gates_wakeups[N_WAKEUP];

double gates_value(struct study *s, const struct series *r, u32 i, const char *name);
double gates_of_type(struct study *s, const struct series *r, u32 i, u32 type, const char *name);
bool gates_uses(struct study *s, u32 i, u32 type); /* has the program instructions of the type? */

/* Figures of program i; NAN: it has none. */
typedef double gates_metric(struct study *s, const struct series *r, u32 i, u32 type);
gates_metric gates_saved;          /* % of the baseline's static energy */
gates_metric gates_saved_anywhere; /* the same, if pipelines of SMs without a CTA were off */
gates_metric gates_slowdown;       /* % of the baseline's cycles */
gates_metric gates_idle;           /* share of cycles in which a pipeline is idle */
gates_metric gates_idle_ratio;     /* of the baseline's share */
gates_metric gates_compensated;    /* % of cycles */
gates_metric gates_net;            /* compensated less uncompensated, % of cycles */
gates_metric gates_wakeups_ratio;  /* of conv_pg */

/* Over the programs that use the type, as the paper does, and have the figure. */
double gates_mean(struct study *s, const struct series *r, u32 type, gates_metric *m);
double gates_geomean(struct study *s, const struct series *r, u32 type, gates_metric *m);
double gates_mean_slowdown(struct study *s, const struct series *r); /* over all programs */
struct means gates_means(struct study *s, const struct series *r);

/* The text's claims, program by program: met or not. */
bool gates_claims(struct study *s, struct err *e);

#endif
