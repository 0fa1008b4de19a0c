/*
 * points.h -- many runs of `smelt run`: several at once, finished ones are kept.
 *
 *     struct points p;
 *     points_open(&p, "out/points", 2, &e);
 *     u32 i = points_add(&p, member, "gates", "gates:variant=naive", "sm.sp_choice=alternate");
 *     points_run(&p, &e);
 *     double cycles = points_value(&p, i, "total.cycles");
 *     points_close(&p);
 *
 * A point is a program with its arguments, a GPU, a mechanism and settings.  Its result is a file
 * in the folder, named after all of that and after what the simulator and the program are made of,
 * so that a result of another version is never taken for this one's.  It appears when the run has
 * ended well: a run that is interrupted is made again, and so is a file that cannot be read or
 * whose "status" is not "done"; the others are not.  One process at a time may have the folder
 * open.
 */
#ifndef STUDY_POINTS_H
#define STUDY_POINTS_H

#include "base/base.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"
#include "study/set.h"

struct point_value {
    char *name;
    double value;
};

struct point {
    char *program, *args, *gpu, *mech, *set;
    char *file;                     /* its result */
    VEC(struct point_value) values; /* none: it has no result yet */
};

struct points {
    char *dir;
    u32 jobs;
    char made_of[HASH_HEX]; /* the simulator: in the names of all points */
    int lock;
    VEC(struct point) at;
};

bool points_open(struct points *p, const char *dir, u32 jobs, struct err *e);
void points_close(struct points *p);

/* Its number; the same for the same point.  mech and set (commas between several) may be NULL. */
u32 points_add(struct points *p, const struct set_member *m, const char *gpu, const char *mech,
               const char *set);

/* Runs those that have no result yet, with progress on stderr.  False if one failed. */
bool points_run(struct points *p, struct err *e);

/*
 * A number of a result: "total.cycles", "stats.l1d_miss", "stalls.gated",
 * "energy.sp0_int.static_j"; NAN if there is none.
 */
double points_value(const struct points *p, u32 i, const char *name);

#endif
