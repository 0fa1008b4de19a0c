/*
 * part.h -- warps in parts: threads of one warp that are controlled on their own.
 *
 * A warp is threads (words: registers, predicates, local memory) and control (a SIMT stack).  A part
 * is control of its own over some of the threads of another warp, which goes on with the rest.  It is a
 * warp like any other to all who execute it, and one of its CTA's.  Threads stay in their lanes,
 * whoever controls them.
 *
 *     a side    of a branch that lanes did not agree on: the entry below the top of the stack.  The part
 *               goes home when it comes to where the sides meet
 *     a cut     some lanes of the top of the stack.  The part goes home there too, or wherever it stands
 *               beside the others: at the same pc of the same entry
 *     a share   some lanes of all entries of the stack: a warp from now on, which does not go home.  If
 *               they are whole words, no logical warp has threads in both
 *
 * A part has a copy of the registers, of which its lanes are its own.  They cannot be left where they
 * are: 8 bytes of a lane in a pair of rows are where two lanes have 4 bytes in one row, and who is not
 * at the same instruction may use the row otherwise.  So it is known of each row what it was written
 * as last (warp_track), and registers go home where both are at the same instruction.
 *
 * Lanes of a part are in entries of those that it comes from, below where it will go home to: these
 * wait there for it.  Lanes that exit leave all of them.  A warp whose own lanes have all ended is done
 * when its parts are.
 *
 * Barriers count threads: each stands for the lanes in `stands`, which are together all of its words,
 * threads that have ended or never were included.
 *
 * Operations among the lanes of a logical warp (shfl, vote, match, ..) mean threads that several may
 * control.  A warp that is `scattered` must not come to one before the others of its kin have come
 * there, or cannot come any more; then exec_gather computes it for all that have, and it is issued by
 * each without being computed again.
 */
#ifndef EXEC_PART_H
#define EXEC_PART_H

#include "exec/exec.h"

enum row_state { /* what a row was written as last */
                 ROW_NEW,
                 ROW_32,
                 ROW_64,
                 ROW_NONE /* the second of a pair, or half of one that is no more */
};

/* From now on it is known what the rows of the CTA's warps hold; before it starts. */
void cta_track(struct cta *c);

/* The warp has executed an instruction that writes these registers, in a frame that begins at row. */
void warp_track(struct warp *w, const struct inst_regs *r, u32 row);

/* Values of these lanes, of `size` bytes each. */
void copy_lanes(u8 *to, const u8 *from, u32 size, u32 mask);

/* The side that waits below the running one goes on by itself; NULL: none does. */
struct warp *part_side(struct warp *w);

/* These lanes of the running entry, some but not all. */
struct warp *part_cut(struct warp *w, const u32 *mask);

/* These lanes of all it has, some but not all that live. */
struct warp *part_share(struct warp *w, const u32 *mask);

/* Lanes that it controls and that have not ended; how many. */
u32 warp_lanes(const struct warp *w, u32 mask[MAX_WORDS]);

/* Has it come to where it goes home to?  And is the warp that it is of there, too? */
bool part_is_home(const struct warp *p);
bool part_is_expected(const struct warp *p);

/* Does it run in the entry that it left, as the other's lanes do?  And stand beside them: at the same pc? */
bool part_is_along(const struct warp *p);
bool part_is_beside(const struct warp *p);

/* It is home and expected, or beside: its lanes are the other's again, and it is no warp any more. */
void part_return(struct warp *p);

/* Nobody looks at it any more, who is done: it can become another part. */
void part_release(struct warp *p);

/* Does the running entry wait for parts to come home? */
bool part_is_awaited(const struct warp *w);

/* Two of which logical warps may have threads in both. */
static inline bool warp_is_kin(const struct warp *a, const struct warp *b)
{
    return a->cta == b->cta && a->id == b->id;
}

/* Is the instruction one among the lanes of a logical warp? */
bool inst_is_among_lanes(const struct inst *in);

/*
 * The operation that all of these, kin and scattered, have come to, for all of them at once: their
 * registers are as they should be after it, and each may issue it.
 */
void exec_gather(struct exec *x, struct warp *const *w, u32 n);

#endif
