/*
 * trial.h -- a random configuration: a GPU of conf/gpu, some of its keys, and mechanisms with some of theirs.
 *
 * All keys of all modules and mechanisms are drawn, within their documented ranges; a key that names a file
 * has one of those that ship.  What is refused is mostly taken back, so that most configurations run; some of
 * it stays, since a key may need another one to be right again, and since a refusal is to have a reason.
 */
#ifndef TESTS_RANDOM_TRIAL_H
#define TESTS_RANDOM_TRIAL_H

#include "base/rng.h"
#include "conf/conf.h"

enum { TRIAL_SETS = 16, TRIAL_MECHS = 3 };

struct trial {
    struct rng r;
    const char *gpu;
    u32 n_set, n_mech;
    char set[TRIAL_SETS][200];
    char mech[TRIAL_MECHS][400];
    u32 grid;            /* CTAs of the kernel */
    u64 sample;          /* run_opts.sample of one of its runs */
    bool noop;           /* it also runs with `noop` added, which may move nothing */
    const char *noop_as; /* .. so */
    char shown[9000];    /* "-g tiny --set sm.n_warp=3": all of it, as smelt run takes it */
};

void trial_begin(void); /* before the first: reads which GPUs there are */
void trial_end(void);

/* The one of this seed.  `t->shown` holds what has been drawn so far, should it not come back. */
void trial_draw(struct trial *t, u64 seed);

/* Its settings, as conf_make wants them; set[] has TRIAL_SETS places. */
bool trial_conf(const struct trial *t, struct conf *c, struct err *e);

/* Its mechanisms, as run_opts wants them, into mech[]. */
void trial_mechs(const struct trial *t, const char *mech[TRIAL_MECHS]);

#endif
