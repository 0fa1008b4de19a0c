/*
 * part_table.h -- what a front end knows of warps in parts: parts.h says what it does with it.
 *
 * Empty in the baseline, in which no warp is ever in parts.
 */
#ifndef SM_PART_TABLE_H
#define SM_PART_TABLE_H

#include "sm/front/context.h"

struct wpart {       /* of a context, if its warp is in parts */
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

struct part_terms { /* of a mechanism that lets warps become parts */
    u32 max;        /* so many at a time */
    bool by_pc;     /* they re-unite wherever they stand at the same pc */
};

struct part_stat {
    u64 left, home; /* parts that left, and that came home */
    u64 gathered;   /* times that those who control threads of a logical warp met */
};

struct part_table {
    u64 ctx;     /* contexts that parts may have, those in use included; 0: no parts */
    u64 meeting; /* contexts with a bit in `meet` of their scheduler */
    bool stops;  /* cuts stop where those that ran together must not be without each other */
    struct part_terms terms;
    struct part_stat stat; /* ever */
    u64 *rows;             /* memory of their boards */
    u8 *pend;
    struct wpart of[MAX_WARPS]; /* of each context */
};

#endif
