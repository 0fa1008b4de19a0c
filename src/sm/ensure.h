/*
 * ensure.h -- invariants of an SM (base/ensure.h), told with whom they are about.
 *
 *     ensure(subject, condition)    in every build: an index, a place in a pool, a pointer that is followed
 *     check(subject, condition)     in builds with asserts: anything else
 *
 * The subject is a pointer to a struct group, sm, front, wctx, flight, datapath, memunit or memop, the
 * nearest to what is wrong: of a wctx, flight and memop the warp and the line of the kernel are told
 * too, of all others where their SM is.
 */
#ifndef SM_ENSURE_H
#define SM_ENSURE_H

#include "base/ensure.h"

struct group;
struct sm;
struct front;
struct wctx;
struct flight;
struct datapath;
struct memunit;
struct memop;

ensure_tell ensure_tell_group, ensure_tell_sm, ensure_tell_front, ensure_tell_wctx,
    ensure_tell_flight, ensure_tell_datapath, ensure_tell_memunit, ensure_tell_memop;

#define ENSURE_TELLS(type)                                                                         \
    struct type * : ensure_tell_##type, const struct type * : ensure_tell_##type

#define ENSURE_TELL(subject)                                                                       \
    _Generic((subject), ENSURE_TELLS(group), ENSURE_TELLS(sm), ENSURE_TELLS(front),                \
             ENSURE_TELLS(wctx), ENSURE_TELLS(flight), ENSURE_TELLS(datapath),                     \
             ENSURE_TELLS(memunit), ENSURE_TELLS(memop))

#define ensure(subject, condition) ENSURE_OF(ENSURE_TELL(subject), subject, condition, #condition)
#define check(subject, condition) CHECK_OF(ENSURE_TELL(subject), subject, condition, #condition)

#endif
