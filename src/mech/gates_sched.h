/*
 * gates_sched.h -- the scheduler GATES of Warped Gates: INT and FP instructions in turns, not
 * mixed.
 *
 * One type goes first as long as one of the scheduler's active warps has an instruction of it; the
 * other goes last.  The paper has one such arbiter an SM, which identifies the two instructions of a
 * cycle (sm.schedulers=1, sm.picks=2): then both are of the first type if two are ready, and if one is, the
 * second is for memory, the SFU or of the other type, in this order.
 */
#ifndef MECH_GATES_SCHED_H
#define MECH_GATES_SCHED_H

#include "sm/front/sched.h"

/* All schedulers of a front end use it from now on; a type may be first for so many cycles, 0: any number. */
void gates_sched_use(struct front *fe, u64 longest);

/*
 * Where scheduler k is told, by a bit for each type, that all pipelines of it are in Blackout; the
 * other type goes first then.  NULL: it is no scheduler of this kind.
 */
u8 *gates_sched_dark(const struct front *fe, u32 k);

#endif
