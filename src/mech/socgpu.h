/*
 * socgpu.h -- the instruction window of a warp: buffer and dependence matrix of SOCGPU.
 *
 *     socgpu_window.c   entries: decoded, chosen, issued, released; the matrix; flushes
 *     socgpu_order.c    which accesses to memory may overtake each other
 *     socgpu.c          the mechanism: keys, energy, area
 *
 * Sets of entries are masks.  Entries that are not issued are consecutive instructions of the path
 * that the warp is on, from `head` to `end`, less those that were issued ahead; so the SIMT stack,
 * which moves in order, stands at `head`, and among them pc is seniority.
 */
#ifndef MECH_SOCGPU_H
#define MECH_SOCGPU_H

#include "mech/mech.h"
#include "sm/front/depend.h"

enum { MAX_ENTRY = 64 };

#define SHEET_DEF "mech/socgpu.def"
struct socgpu_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "mech/socgpu.def"
struct socgpu_stat {
#include "base/sheet_stats.inc"
};

enum socgpu_policy { FIRST, OLDER, YOUNGER, MOST_READY, LEAST_READY, RANDOM };
enum socgpu_order { ORDER_NONE, ORDER_STORE, ORDER_EXACT };
enum socgpu_dual { DUAL_OFF, DUAL_PLAIN, DUAL_SMART };

enum { N_ALIAS = 4 }; /* global, shared, local, generic: see order_space */

struct
    window { /* what each issue and write-back looks at comes first, in a cache line of its own */
    u64 valid, issued;
    u64 blocked; /* entries whose row or `before` is not clear */
    u64 needed;  /* entries that some row has had a bit for */
    u64 unsure;  /* memory_order exact: entries that watch any */
    u32 head;    /* pc of the oldest instruction that was not issued; none: end */
    u32 end;     /* pc of what is decoded next */
    u32 rpc;     /* of the top of the stack */
    u8 n;        /* valid entries */
    u8 entries;  /* of all */
    u8 at;       /* candidate */
    u8 avoid;    /* unit that the next candidate may not be of; N_UNIT: none */
    bool asked;  /* the fetch stage has been asked */
    u8 stale;    /* fetches under way that were asked for before a flush */
    bool timed;  /* the policy wants to know since when */
    u64 old;     /* entries that a flush has left: issued, of the path before */
    u64 waited;  /* entries that some `before` has had a bit for */
    u64 wall;    /* barrier-like: nothing overtakes them, and they overtake nothing */
    u64 flow;    /* of them: branches, calls, returns */
    u64 access;  /* entries that are in one of these: */
    u64 writes;  /* stores */
    u64 strict;  /* accesses that keep their place among others: atomics, volatile ones */
    u32 frame;   /* of its instructions: see frame_tag */
    u64 space[N_ALIAS];
    /* of each entry, behind the struct in memory: pcs_of and so on */
};

/* An access that was issued before older ones of its warp: memory_order none. */
struct overtaker {
    u64 older; /* entries that were not issued yet */
    u16 slot;
    bool write;
    u8 space, bytes;
    u32 mask[MAX_WORDS];
    u64 addr[MAX_WORDS][LANES];
};

struct socgpu { /* of one SM */
    struct socgpu_conf conf;
    struct socgpu_stat st;
    VEC(struct overtaker) overtakers;
    u8 *windows; /* of its warps, `stride` bytes apart */
    size_t stride;
};

/* Of all warps; one lies as close together as it can, since many take turns. */
void windows_make(struct socgpu *g);
void windows_free(struct socgpu *g);

static inline struct window *window_at(const struct socgpu *g, u32 slot)
{
    return (struct window *)(void *)(g->windows + slot * g->stride);
}

static inline struct socgpu *socgpu_of(const struct front *fe)
{
    return fe->depend_own;
}

static inline struct window *window_of(const struct front *fe, u32 slot)
{
    return window_at(socgpu_of(fe), slot);
}

static inline u64 entry_bit(u32 e)
{
    return (u64)1 << e;
}

static inline u64 unissued(const struct window *w)
{
    return w->valid & ~w->issued;
}

/* Of each entry: */
static inline u32 *pcs_of(const struct window *w)
{
    return (u32 *)(void *)(w + 1);
}

/* .. of the matrix: entries that it waits for until they write back */
static inline u64 *rows_of(const struct window *w)
{
    return (u64 *)(void *)(pcs_of(w) + w->entries);
}

/* .. entries that it waits for until they are issued */
static inline u64 *befores_of(const struct window *w)
{
    return rows_of(w) + w->entries;
}

/* .. older accesses of which it is open whether they touch the same bytes */
static inline u64 *watches_of(const struct window *w)
{
    return befores_of(w) + w->entries;
}

/* .. cycle in which it was no longer blocked */
static inline u64 *sinces_of(const struct window *w)
{
    return watches_of(w) + w->entries;
}

/* .. of those in `old`, their frames */
static inline u32 *frames_of(const struct window *w)
{
    return (u32 *)(void *)(sinces_of(w) + w->entries);
}

/* Its row and its `before` are complete. */
static inline void entry_waits(struct window *w, u32 e)
{
    w->needed |= rows_of(w)[e], w->waited |= befores_of(w)[e];
}

/* If its row is clear, it can be chosen from now on. */
static inline bool entry_free(struct window *w, u32 e, u64 now)
{
    if (rows_of(w)[e] | befores_of(w)[e])
        return false;
    w->blocked &= ~entry_bit(e);
    if (w->timed)
        sinces_of(w)[e] = now;
    return true;
}

extern const struct depend socgpu_depend, socgpu_depend_smart;

/* ---- socgpu_order.c */

/* Entry e of a new instruction: what it must wait for, or watch. */
void order_insert(const struct socgpu *g, struct window *w, u32 e, const struct uop *u);

/* exact: entries that touch other bytes than those they wait for, wait no more. */
void order_look(struct front *fe, u32 slot);

/* none: the access at entry e is being issued; x->out says what it touched. */
void order_issue(struct front *fe, u32 slot, u32 e);
void order_drop(struct socgpu *g, u32 slot, u64 entries); /* flushed */

#endif
