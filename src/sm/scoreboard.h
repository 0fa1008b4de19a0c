/*
 * scoreboard.h -- which registers of a warp are pending, and who must wait for them.
 *
 * An issued instruction reserves its destinations; readers (RAW) and writers (WAW) of a reserved
 * register wait until it is released at write-back.  With sm.war an instruction also marks what
 * it reads, and writers wait until it has read (`read`) or written back (`writeback`).
 *
 * A place of `pend` is REG_BUSY, with REG_LOADING if memory has to bring it: so a stall
 * knows whether it waits for data or for a pipeline.
 */
#ifndef SM_SCOREBOARD_H
#define SM_SCOREBOARD_H

#include "sm/sm.h"

struct frame { /* where the registers of the running function begin */
    u32 row0, pred0;
};

static inline struct frame frame_of(const struct warp *w)
{
    const struct simt *e = &w->stack[w->depth - 1];

    return (struct frame){e->row, e->pred};
}

static inline u8 board_or(const u8 *board, struct frame f, const u16 *reg, u32 n_row, u32 n)
{
    u8 r = 0;

    for (u32 i = 0; i < n_row; i++)
        r |= board[f.row0 + reg[i]];
    for (u32 i = n_row; i < n; i++)
        r |= board[f.pred0 + reg[i]];
    return r;
}

/* Sets the hazard masks of the warp at `bit` for its next instruction. */
static inline void scoreboard_check(const struct wctx *c, const struct uop *u, struct sched *s,
                                    u64 bit)
{
    struct frame f = frame_of(c->w);
    u8 src = 0, dst = 0, read = 0;

    if (c->n_pend) {
        src = board_or(c->pend, f, u->use, u->n_use_row, u->n_use);
        dst = board_or(c->pend, f, u->def, u->n_def_row, u->n_def);
    }
    if (c->readers)
        read = board_or(c->readers, f, u->def, u->n_def_row, u->n_def);
    s->raw_mem = src & REG_LOADING ? s->raw_mem | bit : s->raw_mem & ~bit;
    s->raw = src == REG_BUSY ? s->raw | bit : s->raw & ~bit;
    s->waw = dst && !src ? s->waw | bit : s->waw & ~bit;
    s->war = read && !src && !dst ? s->war | bit : s->war & ~bit;
}

static inline void scoreboard_reserve(struct wctx *c, const struct uop *u, struct frame f)
{
    u8 state = u->flags & UOP_LONG ? REG_BUSY | REG_LOADING : REG_BUSY;

    for (u32 i = 0; i < u->n_def_row; i++)
        c->pend[f.row0 + u->def[i]] = state;
    for (u32 i = u->n_def_row; i < u->n_def; i++)
        c->pend[f.pred0 + u->def[i]] = state;
    c->n_pend += u->n_def;
}

static inline void scoreboard_release(struct wctx *c, const struct uop *u, u32 row0, u32 pred0)
{
    for (u32 i = 0; i < u->n_def_row; i++)
        c->pend[row0 + u->def[i]] = 0;
    for (u32 i = u->n_def_row; i < u->n_def; i++)
        c->pend[pred0 + u->def[i]] = 0;
    c->n_pend -= u->n_def;
}

/* sm.war: what it reads is being read (+1), or has been (-1). */
static inline void scoreboard_read(struct wctx *c, const struct uop *u, u32 row0, u32 pred0, int by)
{
    for (u32 i = 0; i < u->n_use_row; i++)
        c->readers[row0 + u->use[i]] = (u8)(c->readers[row0 + u->use[i]] + by);
    for (u32 i = u->n_use_row; i < u->n_use; i++)
        c->readers[pred0 + u->use[i]] = (u8)(c->readers[pred0 + u->use[i]] + by);
}

#endif
