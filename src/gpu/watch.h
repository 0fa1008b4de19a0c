/*
 * watch.h -- the watchdog of a launch: does it still get on?
 *
 * Now and then (every LOOK cycles or, without timing, warp instructions) it asks two questions.
 *
 *   - With timing: has any warp issued an instruction in the last sim.watchdog cycles?  If not, the machine goes
 *     round without getting anywhere: a configuration that cannot work, or a mistake of ours.
 *   - Do all warps that are not at a barrier go round in loops that nobody will end (exec/endless.h)?  That is a proof,
 *     not a guess, so a kernel that merely takes long is never stopped.  The usual case is a kernel that waits for
 *     the host: launches return when the kernel has ended, so the host cannot write what it polls.  Another
 *     thread of the program can: if there is one, a note is all.
 */
#ifndef GPU_WATCH_H
#define GPU_WATCH_H

#include "exec/endless.h"
#include "gpu/device.h"
#include "sm/memunit/memunit.h"

struct watch {
    u64 limit; /* sim.watchdog; 0: off */
    u64 next;  /* when to look again; UINT64_MAX: never */
    u64 issued, issued_at;
    bool noted;
    bool has_try;
    const struct launch *tries; /* what it is for */
    struct endless_try try;
    struct endless found;
};

void watch_begin(struct watch *w, const struct conf *c, u64 now);
void watch_end(struct watch *w);

/* A look begins; false: nothing was issued for too long. */
bool watch_issues(struct watch *w, u64 now, u64 issued);

/*
 * Does this warp wait at a barrier or loop for ever?  The latter is remembered.  `mu` and `ctx`, with
 * timing, know of an atomic of it that is under way; `like` is an executor of the launch.
 */
bool watch_waits(struct watch *w, const struct exec *like, const struct warp *warp,
                 const struct memunit *mu, const struct wctx *ctx);

/*
 * After watch_waits said so of all warps: false and a message, unless it is another of the program's
 * threads that can end it; `ours` of them are not the program's.
 */
bool watch_goes_on(struct watch *w, const struct launch *l, u32 ours, struct err *e);

#endif
