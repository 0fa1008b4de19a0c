/*
 * memory.h -- when memory runs out.
 *
 * xmalloc and its kin (text.h) never return NULL.  Where memory cannot be had they end what the thread
 * was doing: control goes back to the innermost guard of the thread, or, if it has none, the process ends
 * with a line on stderr and status 1.  The command needs no guard.  The library, which is in
 * somebody else's process, has one around each call of its API (rt.h).
 *
 *     struct memory_guard g;
 *     if (MEMORY_GUARD(&g)) {
 *         work();
 *         memory_unguard(&g);
 *     } else {
 *         ..                     memory ran out in work()
 *     }
 *
 * What work() was changing stays half changed, and what it held is leaked: whoever guards must never use
 * it again.  The locals of the function are as setjmp(3) has them.  A guard is its thread's own; members of a team
 * (team.h) have theirs, and the caller of team_run is told.
 *
 * Memory of a size that a user asks for is tried instead, and its lack told as an error (vmem.c).
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <setjmp.h>

#include "base/base.h"

struct memory_guard {
    jmp_buf back;
    struct memory_guard *outer;
};

#define MEMORY_GUARD(g) (memory_guard_thread(g), setjmp((g)->back) == 0)
void memory_guard_thread(struct memory_guard *g); /* for the macro */
void memory_unguard(struct memory_guard *g);

/* To the innermost guard, which is none any more. */
NORETURN void memory_out(void);

/*
 * For tests: with SMELT_MEMORY_FAILS=N in the environment the N-th time that the process asks for memory
 * it gets none.  Everyone who asks looks here first.
 */
bool memory_refused(void);

#endif
