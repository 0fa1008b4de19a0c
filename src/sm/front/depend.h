/*
 * depend.h -- dependence tracking: which instructions of a warp must wait for which.
 *
 * Questions and answers, asked by the stages that an instruction passes:
 *
 *     look      may the warp's next instruction (next_pc) issue?  Sets its hazards in the scheduler
 *     execute   it issues: its values are computed
 *     issue     it has been issued; the tag that comes back travels with it
 *     read      its operands have been read
 *     release   its results are there
 *     idle      nothing of the warp is pending
 *
 * Who tracks dependences otherwise puts a struct depend into its front end, and with it an instruction
 * buffer of its own, since one is not to be had without the other: which instruction is the next is
 * then an answer of `look`, and need not be the oldest one.
 *
 *     start     a warp begins; the fetch stage has been asked for its first instructions
 *     decode    those at pc have come
 *     next      something about the next instruction has changed (warp_next)
 *     flush     what is buffered is not where the warp goes on
 *     second    the look that follows is for a second instruction beside `first`; NULL: no matter
 *
 * Without one both are the scoreboard's, whose functions follow and are inlined.
 *
 * The scoreboard.  An issued instruction reserves its destinations; readers (RAW) and writers (WAW)
 * of a reserved register wait until it is released at write-back.  With sm.war an instruction also
 * marks what it reads, and writers wait until it has read (`read`) or written back (`writeback`); so do
 * readers, if sm.war_readers instructions have marked the register already.
 * A place of `pend` is REG_BUSY, with REG_LOADING if memory has to bring it: so a stall knows
 * whether it waits for data or for a pipeline.  The tag is the frame of the instruction's registers.
 */
#ifndef SM_DEPEND_H
#define SM_DEPEND_H

#include "sm/front/front.h"
#include "sm/front/parts.h"

struct depend {
    void (*start)(struct front *fe, u32 slot);
    void (*decode)(struct front *fe, u32 slot, u32 pc);
    void (*next)(struct front *fe, u32 slot);
    void (*flush)(struct front *fe, u32 slot);
    void (*look)(struct front *fe, u32 slot);
    void (*second)(struct front *fe, u32 slot, const struct uop *first);
    enum step (*execute)(struct front *fe, u32 slot);
    u32 (*issue)(struct front *fe, u32 slot, const struct uop *u, u32 tag); /* tag: its frame */
    void (*read)(struct front *fe, u32 slot, const struct uop *u, u32 tag);
    void (*release)(struct front *fe, u32 slot, const struct uop *u, u32 tag);
    bool (*idle)(const struct front *fe, u32 slot);
};

enum war { WAR_OFF, WAR_READ, WAR_WRITEBACK };    /* sm.war */
enum reg_state { REG_BUSY = 1, REG_LOADING = 2 }; /* in wctx.pend */

/* ---- the scoreboard */

/* Where the registers of the running function begin: rows, and predicates above. */
static inline u32 frame_tag(const struct simt *e)
{
    check_here(e->row <= 0xffff && e->pred <= 0xffff);
    return e->row | e->pred << 16;
}

static inline u8 board_or(const u8 *board, u32 tag, const u16 *reg, u32 n_row, u32 n)
{
    u8 r = 0;

    n_row = tag ? n_row : n; /* mostly: a kernel's own frame */
    for (u32 i = 0; i < n_row; i++)
        r |= board[(tag & 0xffff) + reg[i]];
    for (u32 i = n_row; i < n; i++)
        r |= board[(tag >> 16) + reg[i]];
    return r;
}

static inline void board_set(u8 *board, u32 tag, const u16 *reg, u32 n_row, u32 n, u8 state)
{
    n_row = tag ? n_row : n;
    for (u32 i = 0; i < n_row; i++)
        board[(tag & 0xffff) + reg[i]] = state;
    for (u32 i = n_row; i < n; i++)
        board[(tag >> 16) + reg[i]] = state;
}

static inline void board_count(u8 *board, u32 tag, const u16 *reg, u32 n_row, u32 n, int by)
{
    for (u32 i = 0; i < n; i++) {
        u8 *at = &board[(i < n_row ? tag & 0xffff : tag >> 16) + reg[i]];

        check_here(by > 0 ? *at < 255 : *at > 0);
        *at = (u8)(*at + by);
    }
}

/* Is each of them reserved? */
static inline bool board_has(const u8 *board, u32 tag, const u16 *reg, u32 n_row, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (!board[(i < n_row ? tag & 0xffff : tag >> 16) + reg[i]])
            return false;
    return true;
}

/* Has one of them that many readers? */
static inline bool board_reaches(const u8 *board, u32 tag, const u16 *reg, u32 n_row, u32 n,
                                 u32 most)
{
    for (u32 i = 0; i < n; i++)
        if (board[(i < n_row ? tag & 0xffff : tag >> 16) + reg[i]] >= most)
            return true;
    return false;
}

/* Must it wait for instructions that have not read? */
static inline bool scoreboard_war(const struct front *fe, const struct wctx *c, const struct uop *u)
{
    u32 tag = c->frame, most = fe->war_readers;

    return board_or(c->readers, tag, u->def, u->n_def_row, u->n_def) ||
           (most && board_reaches(c->readers, tag, u->use, u->n_use_row, u->n_use, most));
}

static inline void scoreboard_look(const struct front *fe, struct sched *s, const struct wctx *c,
                                   const struct uop *u, u64 bit)
{
    u32 tag = c->frame;
    u8 src = 0, dst = 0;
    bool war = false;

    if (c->n_pend) {
        src = board_or(c->pend, tag, u->use, u->n_use_row, u->n_use);
        dst = board_or(c->pend, tag, u->def, u->n_def_row, u->n_def);
    }
    if (c->readers)
        war = scoreboard_war(fe, c, u);
    /* without branches: what a warp waits for is hard to foresee */
    s->raw = (s->raw & ~bit) | (bit & -(u64)(src == REG_BUSY));
    s->raw_mem = (s->raw_mem & ~bit) | (bit & -(u64)(src > REG_BUSY));
    s->waw = (s->waw & ~bit) | (bit & -(u64)((dst != 0) & !src));
    s->war = (s->war & ~bit) | (bit & -(u64)(war & !(src | dst)));
}

static inline void scoreboard_issue(struct wctx *c, const struct uop *u, u32 tag)
{
    u8 state = u->slow ? REG_BUSY | REG_LOADING : REG_BUSY;

    check(c, !board_or(c->pend, tag, u->def, u->n_def_row, u->n_def)); /* no WAW */
    board_set(c->pend, tag, u->def, u->n_def_row, u->n_def, state);
    c->n_pend += u->n_def;
    if (c->readers)
        board_count(c->readers, tag, u->use, u->n_use_row, u->n_use, 1);
}

static inline void scoreboard_release(struct wctx *c, const struct uop *u, u32 tag)
{
    check(c, c->n_pend >= u->n_def);
    check(c, board_has(c->pend, tag, u->def, u->n_def_row, u->n_def)); /* not twice */
    board_set(c->pend, tag, u->def, u->n_def_row, u->n_def, 0);
    c->n_pend -= u->n_def;
}

/* ---- what the stages call */

/* The warp at place `bit` of s; its next instruction. */
static inline const struct uop *depend_look(struct front *fe, struct sched *s, u32 slot, u64 bit)
{
    const struct wctx *c = &fe->ctx[slot];

    if (UNLIKELY(fe->depend)) {
        fe->depend->look(fe, slot);
        return next_uop(fe, c);
    }
    const struct uop *u = next_uop(fe, c);

    scoreboard_look(fe, s, c, u, bit);
    if (UNLIKELY(c->parts))
        parts_look(fe, s, slot, u, bit);
    return u;
}

/* What comes next is for the place of a second instruction. */
static inline void depend_second(struct front *fe, struct sched *s, u32 slot,
                                 const struct uop *first)
{
    if (UNLIKELY(fe->depend) && fe->depend->second) {
        fe->depend->second(fe, slot, first);
        s->dirty |= pos_bit(&fe->ctx[slot]);
    }
}

/* What was found for it may not be the warp's choice in the next cycle. */
static inline void depend_again(const struct front *fe, struct sched *s, u64 bit)
{
    if (UNLIKELY(fe->depend) && fe->depend->second)
        s->dirty |= bit & s->valid;
}

/* The values of the next instruction; the buffer is without it. */
static inline enum step depend_execute(struct front *fe, u32 slot)
{
    struct wctx *c = &fe->ctx[slot];

    if (UNLIKELY(fe->depend))
        return fe->depend->execute(fe, slot);
    c->fetch_pc = ++c->ib_pc;
    c->ib_n--;
    return exec_issue(fe->x, c->w);
}

static inline u32 depend_issue(struct front *fe, u32 slot, const struct uop *u, u32 tag)
{
    if (UNLIKELY(fe->depend))
        return fe->depend->issue(fe, slot, u, tag);
    scoreboard_issue(&fe->ctx[slot], u, tag);
    return tag;
}

/* A register is free: the warp is looked at again if it waits for one. */
static inline void depend_dirty(struct front *fe, const struct wctx *c)
{
    struct sched *s = sched_of(fe, c);

    s->dirty |= (s->raw | s->raw_mem | s->waw | s->war) & pos_bit(c);
}

static inline void depend_read(struct front *fe, u32 slot, const struct uop *u, u32 tag)
{
    struct wctx *c = &fe->ctx[slot];

    if (UNLIKELY(fe->depend)) {
        fe->depend->read(fe, slot, u, tag);
    } else if (fe->war == WAR_READ) {
        board_count(c->readers, tag, u->use, u->n_use_row, u->n_use, -1);
        depend_dirty(fe, c);
    }
}

static inline void depend_release(struct front *fe, u32 slot, const struct uop *u, u32 tag)
{
    struct wctx *c = &fe->ctx[slot];

    if (UNLIKELY(fe->depend)) {
        fe->depend->release(fe, slot, u, tag);
        return;
    }
    scoreboard_release(c, u, tag);
    if (fe->war == WAR_WRITEBACK)
        board_count(c->readers, tag, u->use, u->n_use_row, u->n_use, -1);
    depend_dirty(fe, c);
    if (UNLIKELY(c->parts))
        parts_released(fe, slot, u, tag);
}

static inline bool depend_idle(const struct front *fe, u32 slot)
{
    if (UNLIKELY(fe->depend))
        return fe->depend->idle(fe, slot);
    return !fe->ctx[slot].n_pend;
}

#endif
