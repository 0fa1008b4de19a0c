/*
 * lock_step.h -- front ends in lock step: who they are, on which terms, and how it ends.
 *
 * The leader issues for all (bind.h).  A set is front ends that get CTAs together, one for each: those
 * in lock step, and, if the terms say so, those whose lock step has ended and that may begin it anew.
 * In the baseline a front end leads itself alone.
 */
#ifndef SM_LOCK_STEP_H
#define SM_LOCK_STEP_H

#include "base/base.h"
#include "base/ring.h"

enum { MAX_BIND = 8 }; /* SMs that a binding joins: datapaths that a front end can drive */

struct flight;
struct front;

struct lock_terms {
    u32 wake;    /* cycles that its end takes at least */
    u32 late;    /* cycles more from issue to the collectors, while it lasts */
    u32 ack;     /* cycles until the leader knows that a follower's memory result is there */
    bool leader; /* results that memory does not bring are there when the leader's are */
    bool paths;  /* lanes may differ, as long as all go the same way */
    bool again;  /* members that went different ways go on getting CTAs in sets: bind_relock */
};

struct ack { /* of a member, on its way to the leader */
    u64 at;
    struct flight *lead;
};

struct lock_step {
    bool ending;    /* it ends when nothing of it is under way, but not before end_at */
    bool beginning; /* it begins anew when nothing of the members is under way */
    u32 n;          /* members, of the leader: itself first; others: 1 */
    u32 n_set;      /* front ends of the set, of the first; the others of a set: 0 */
    struct front *of[MAX_BIND];
    u32 end_pc; /* branch at which members went different ways; PC_NONE: its end was asked for */
    u64 end_since, end_at;
    struct lock_terms terms;
    RING(struct ack) acks; /* oldest first; of a leader with terms.ack */
};

#endif
