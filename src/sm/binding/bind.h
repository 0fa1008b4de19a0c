/*
 * bind.h -- which organs of a group's SMs work together.
 *
 * A binding is pointers between organs; whoever makes one also plans shapes that go with it (plan.h).
 * They are made at a launch, between machine_form and the beginning of the kernel (mech.h, `bind`),
 * from SMs that bind_own has left to themselves.
 *
 *     own        front end, datapath and memory unit of one SM
 *     wide       the first front end drives all datapaths: word k of a warp is in datapath k, and all
 *                share the first's memory unit.  Shapes: warp_words of the first, dp_words of all; the
 *                others are off
 *     lend       contexts of an SM from own_warps on have their registers and collectors in the last SM
 *                of the group, whose pipelines stand still: operands go to the borrower's.  Of several
 *                borrowers each has a part of it (shape.parts).  The last is off
 *     join       all front ends and datapaths work over the first's memory unit and instruction cache;
 *                warps of a CTA are dealt out to two of them.  The others are off: they get no CTAs of
 *                their own
 *     pair       two SMs fused: wide.  Memory unit and instruction cache are the first's.  The second
 *                front end may work, too, and drives its own datapath with narrow warps: such as are
 *                moved there (sm/front/parts.h), or that it had before (sm/front/carry.c).  Meanwhile
 *                the second word of a wide warp is executed where its registers are, or by the first
 *                datapath (`one`), after the first word
 *     lock step  the first front end leads: what it issues is executed for each member's warp in the
 *                same slot, on its own datapath and memory unit, with its own SIMT stack.  CTAs come in
 *                sets, one for each member.  An instruction is done when it is for all, or, if its
 *                result does not come from memory and the terms say so, when it is for the leader
 *
 * Lock step ends (bind_unlock) when members' warps go different ways, or somebody wants it: the leader
 * issues nothing until all that is under way has come back, then each front end goes on with its own
 * warps, with empty instruction buffers but for the leader's.  If the terms say so, members that went
 * different ways go on getting CTAs in sets; when all of their warps stand where their counterparts
 * do, which is up to the mechanism, lock step can begin again (bind_relock).
 */
#ifndef SM_BIND_H
#define SM_BIND_H

#include "sm/binding/group.h"
#include "sm/front/front.h"

void bind_own(struct sm *sm);
void bind_wide(struct group *g);
void bind_lend(struct group *g);
void bind_join(struct group *g);
void bind_fuse(struct group *g);
void bind_ports(struct group *g); /* .. with both ports into the network, not the first's alone */
void bind_split(struct group *g, bool works, bool one); /* see pair */
void bind_lock_step(struct group *g, const struct lock_terms *t);

/*
 * The lock step that fe leads ends as soon as it can, but not before `now` and what the terms say;
 * twice: no matter.  If it has ended already, its members are no set any more.
 */
void bind_unlock(struct front *fe, u64 now);

/* Does each warp of the members, slot by slot, stand where the leader's does? */
bool bind_is_aligned(const struct front *fe);

/* Members of a set, aligned, whose warps are all held: lock step begins when nothing is under way. */
void bind_relock(struct front *fe);

/* For issue.c.  Members go different ways from pc on; is lock step ended, or begun, by now? */
void bind_differ(struct front *fe, u32 pc, u64 now);
bool bind_has_unlocked(struct front *fe, u64 now);
bool bind_has_relocked(struct front *fe);

#endif
