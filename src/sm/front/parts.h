/*
 * parts.h -- warps in parts (exec/part.h) that are scheduled on their own.
 *
 * A part has a context of its own: instruction buffer, scoreboard, place in a scheduler; it is in the
 * scheduler and the sub-core of the warp whose threads it has, since its registers are there.  Contexts
 * for parts are those that the CTAs of a launch leave free.  A mechanism says how many parts there may
 * be (parts_allow), and when a warp becomes parts; what follows is done here:
 *
 *   - A part waits for results of what its warp had issued before it left, register by register.
 *   - A part that is home is no warp any more.  If instructions of it are under way, its context stays
 *     until they have ended, and its warp waits for their results as for its own.
 *   - Who waits at the place where others come home to (`meet`) does not issue.
 *   - Parts that are cuts of a straight run stop in front of what the others of the warp must not be
 *     without: control flow, barriers, fences, atomics, volatile accesses, through which threads of a
 *     warp talk to each other.  With by_pc they re-unite wherever they happen to stand at the same
 *     instruction, and in kernels without operations among lanes they go on.  With such operations they
 *     must not: a warp's lanes that come to one by different ways would have met before it, and who has
 *     gone ahead does not know whom to wait for.
 *   - In front of an operation among the lanes of a logical warp all who control some of its threads
 *     wait for each other, until nobody else can come: it is then performed for those that have.
 */
#ifndef SM_PARTS_H
#define SM_PARTS_H

#include "exec/part.h"
#include "sm/front/front.h"

enum { NO_PART = MAX_WARPS };

/* In `kernel_begin`, for that launch.  Nothing without free contexts. */
void parts_allow(struct front *fe, const struct part_terms *t);

/* May the warp in this context become two: is there nothing that forbids it, and is there a context? */
bool parts_possible(const struct front *fe, u32 slot);
bool parts_have_room(const struct front *fe, u32 slot);

/* Would lanes that are cut from it have to wait for the others at their first instruction already? */
bool parts_would_wait(const struct front *fe, u32 slot);

/*
 * The waiting side of a branch that the warp has just issued, or lanes of the running entry, go on by
 * themselves; lanes that are cut do not wait for registers of `ready`, if it is not NULL, whose frame
 * is `tag`.  The context of the part, or NO_PART.
 */
u32 parts_side(struct front *fe, u32 slot);
u32 parts_cut(struct front *fe, u32 slot, const u32 *mask, const struct uop *ready, u32 tag);

/*
 * Does the kernel, or what it may call, have operations that the lanes of a logical warp come to
 * together: shfl, vote, volatile accesses?  Who has gone ahead of others through branches does not know
 * whom to wait for there: where the ways of a warp meet is in one SIMT stack, which they do not have.
 */
bool parts_has_gathers(const struct front *fe);

/* ---- between front ends that share a memory unit (bind.h, pair) */

/* Is nothing of the warp under way, and nobody waits for it: can it be moved? */
bool parts_is_still(const struct front *fe, u32 slot);

/* Contexts that are free. */
u32 parts_room(const struct front *fe);

/*
 * w gets a context in `to`, as a warp of the CTA that the one in this context is of: another one that
 * shares its threads, or this one itself, which leaves.  It is narrow.
 */
void parts_host(struct front *to, struct front *fe, u32 slot, struct warp *w);

/* The warp in this context has given threads away, so that one datapath is enough. */
void parts_narrow(struct front *fe, u32 slot);

/* ---- for the stages */

/* It stands somewhere else now. */
void parts_issued(struct front *fe, u32 slot);

/* Registers of it are there; and what is under way of those that are gone, when it looks. */
void parts_released(struct front *fe, u32 slot, const struct uop *u, u32 tag);
void parts_look(struct front *fe, struct sched *s, u32 slot, const struct uop *u, u64 bit);

/* Have all its lanes ended, those of its parts included, and does nobody wait for what it issued? */
static inline bool parts_have_ended(const struct wctx *c)
{
    return c->w->done && !(c->part->heirs | c->part->ghosts);
}

/* Something under way has ended.  True: of a part that is gone. */
bool parts_landed(struct front *fe, u32 slot);

/* Those that wait: who is home, who may go on. */
void parts_step(struct front *fe);

#endif
