/*
 * wheel.h -- an event wheel: what happens at which later cycle.
 *
 * A slot is the head of an intrusive list, and a bitmap finds the next busy slot without
 * visiting the empty ones.  An event is a small number that its owner understands; it is due
 * at most WHEEL - 1 cycles ahead and sits in the wheel at most once.  Events of one cycle come
 * out last in, first out: the owner puts them in in a fixed order, so that is one too.
 */
#ifndef BASE_WHEEL_H
#define BASE_WHEEL_H

#include <string.h>

#include "base/base.h"
#include "base/ensure.h"
#include "base/text.h"

enum { WHEEL = 1024, WHEEL_NIL = 0xffff };

struct wheel {
    u64 busy[WHEEL / 64];
    u16 head[WHEEL];
    u16 *next; /* of each event */
    u32 n_event, n_due;
};

static inline void wheel_init(struct wheel *w, u32 n_event)
{
    memset(w, 0, sizeof *w);
    memset(w->head, 0xff, sizeof w->head);
    w->n_event = n_event;
    w->next = xcalloc(n_event, sizeof w->next[0]);
}

static inline void wheel_free(struct wheel *w)
{
    free(w->next);
    w->next = NULL;
}

static inline void wheel_at(struct wheel *w, u64 now, u64 when, u32 ev)
{
    u32 t = when & (WHEEL - 1);

    check_here(when > now && when - now < WHEEL);
    check_here(ev < w->n_event && w->n_due < w->n_event);
    (void)now;
    w->next[ev] = w->head[t];
    w->head[t] = (u16)ev;
    w->busy[t / 64] |= 1ull << (t & 63);
    w->n_due++;
}

static inline bool wheel_is_due(const struct wheel *w, u64 now)
{
    return w->head[now & (WHEEL - 1)] != WHEEL_NIL;
}

/* One event that is due now, or WHEEL_NIL. */
static inline u32 wheel_take(struct wheel *w, u64 now)
{
    u32 t = now & (WHEEL - 1), e = w->head[t];

    if (e == WHEEL_NIL)
        return e;
    w->head[t] = w->next[e];
    if (w->head[t] == WHEEL_NIL)
        w->busy[t / 64] &= ~(1ull << (t & 63));
    w->n_due--;
    return e;
}

/* The next cycle after now with an event, or UINT64_MAX. */
static inline u64 wheel_next(const struct wheel *w, u64 now)
{
    if (!w->n_due)
        return UINT64_MAX;
    for (u64 d = 1; d < WHEEL;) {
        u64 t = (now + d) & (WHEEL - 1), b = w->busy[t / 64] >> (t & 63);

        if (b)
            return now + d + (u64)__builtin_ctzll(b);
        d += 64 - (t & 63);
    }
    return UINT64_MAX;
}

#endif
