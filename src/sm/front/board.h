/*
 * board.h -- the kernels on board of a front end: kernels.h puts them there.
 *
 * There is one, kernel[0], unless several streams share the SM (front.mixed).
 */
#ifndef SM_BOARD_H
#define SM_BOARD_H

#include "sm/occupancy.h"
#include "sm/sm_conf.h"

enum { MAX_SM_KERNELS = 8 };

struct exec;
struct launch;
struct uop;

struct tally { /* counters of an SM */
    struct sm_stat sm;
    struct ops_stat ops;
};

struct kernel {             /* on an SM */
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

struct line_tally { /* --lines, by pc */
    u64 (*stall)[N_STALL];
    u64 *issued;
};

struct board {
    struct kernel kernel[MAX_SM_KERNELS];
    struct tally before; /* mixed: what the SM had counted before the issue that is going on */
    struct line_tally line[MAX_SM_KERNELS]; /* front.has_lines: of each kernel */
};

#endif
