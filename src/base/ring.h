/*
 * ring.h -- a first-in first-out queue with a bound, over a power-of-two array.
 *
 *     RING(u32) q;                    all zero is not yet a queue
 *     ring_init(&q, 9);               at most 9 entries; allocates once
 *     if (!ring_full(&q)) ring_push(&q, v);
 *     while (!ring_empty(&q)) use(ring_head(&q)), ring_pop(&q);
 *
 * Whoever pushes asks first whether there is room: a full queue is an answer, not an accident.
 * ring_at(q, i) is the i-th entry from the head.
 */
#ifndef BASE_RING_H
#define BASE_RING_H

#include "base/base.h"
#include "base/ensure.h"
#include "base/text.h"

#define RING(T)                                                                                    \
    struct {                                                                                       \
        T *at;                                                                                     \
        u32 head, n, mask, cap;                                                                    \
    }

static inline u32 ring_slots(u32 cap)
{
    u32 n = 1;

    while (n < cap)
        n *= 2;
    return n;
}

#define ring_init(q, bound)                                                                        \
    ((q)->head = (q)->n = 0, (q)->cap = (u32)(bound), (q)->mask = ring_slots((u32)(bound)) - 1,    \
     (q)->at = xcalloc((size_t)(q)->mask + 1, sizeof((q)->at[0])))
#define ring_free(q) (free((q)->at), (q)->at = NULL, (q)->n = 0)
#define ring_empty(q) ((q)->n == 0)
#define ring_full(q) ((q)->n >= (q)->cap)
#define ring_room(q) ((q)->cap - (q)->n)
#define ring_at(q, i) ((q)->at[((q)->head + (i)) & (q)->mask])
#define ring_head(q) ((q)->at[(q)->head])
#define ring_push(q, v)                                                                            \
    (check_here((q)->n <= (q)->mask), (q)->at[((q)->head + (q)->n) & (q)->mask] = (v), (q)->n++)
#define ring_pop(q) (check_here((q)->n), (q)->head = ((q)->head + 1) & (q)->mask, (q)->n--)
#define ring_clear(q) ((q)->head = (q)->n = 0)

#endif
