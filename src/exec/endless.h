/*
 * endless.h -- will this warp go round in a loop for ever?
 *
 * What a warp does is a function of its own state (SIMT stack, registers, predicates, local memory)
 * and of the memory that it reads.  So a copy of the warp is run ahead; if it comes back to a state
 * that it has been in, and has neither written anything others can see, nor met a barrier, nor
 * asked for the time, nor ended, then it will do the same again until somebody else writes what it
 * reads.  If that holds for all warps of a kernel that do not wait at a barrier, nobody ever will.
 *
 * An atomic that leaves its memory as it is (atomicAdd(p, 0), a failing compare-and-swap) counts as
 * a load.  False does not say that the warp ends: a long loop, and one with stores that change
 * nothing, are not recognised.
 */
#ifndef EXEC_ENDLESS_H
#define EXEC_ENDLESS_H

#include "exec/exec.h"

struct endless {
    u32 pc; /* of what it waits with: a load of mapped host memory, else any load, else wherever it is */
    u32 thread;
    const struct cta *cta;
    bool loads, host; /* host: `addr` is in mapped host memory */
    u64 addr;
    u32 behind, behind_pc; /* lanes of its warp that wait until it has left the loop, and where */
};

struct endless_try { /* to be kept for several warps of a launch */
    struct exec x;
    struct warp run, seen;
};

/* `like` is an executor of the launch that says how. */
void endless_init(struct endless_try *t, const struct exec *like, u32 words);
void endless_free(struct endless_try *t);

/*
 * A copy of a warp that is neither done nor waiting; what it still waits for with timing is for the
 * caller to fill in.  Then: does it loop?  What about is in *found.
 */
struct warp *endless_copy(struct endless_try *t, const struct warp *w);
struct warp *endless_copy_path(struct endless_try *t, const struct warp *w, u32 i); /* path.h */
bool endless(struct endless_try *t, struct endless *found);

#endif
