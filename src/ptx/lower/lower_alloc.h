/*
 * lower_alloc.h -- where registers live: intervals (lower_range.c), rows (lower_alloc.c, with
 * lower_rows.c and lower_need.c) and spilling (lower_spill.c).
 *
 * Instruction i reads its operands at time 2i and writes its results at 2i+1, so a result may
 * take the row of an operand that is read there for the last time.  Where it may not, because
 * several results are written while operands are still read, results count from 2i on.
 *
 * A row is one value per lane, so it does not matter to a lane what other lanes keep in the
 * same row.  But a pair is laid out as 32 values of 64 bits: what one lane has in it lies where
 * other lanes have their 32-bit values.  Registers of different widths may therefore share a row
 * only if no lane that waits on the other side of a branch still holds one while another lane
 * writes the other.
 */
#ifndef PTX_LOWER_ALLOC_H
#define PTX_LOWER_ALLOC_H

#include "ptx/lower/lower_int.h"

struct range {
    u32 from, to; /* times, half open */
};

/* When a register holds something: ranges in order, with holes between them. */
struct interval {
    u32 n;
    bool owned; /* at[] is its own, not part of ranges.store */
    struct range *at;
};

struct ranges {
    u32 n_reg;
    struct interval *of;   /* of each register: while it is live */
    struct interval *held; /* while lanes that wait elsewhere may hold it, see lower_held.c */
    struct range *store, *held_store; /* that they are cut from */
};

struct ranges ranges_new(const struct ir_func *f);
void ranges_find_held(struct ranges *r, const struct ir_func *f); /* fills in held, once */
void ranges_free(struct ranges *r);
bool ranges_meet(const struct interval *a, const struct interval *b);

/* Adds a range that begins no earlier than the last; what touches becomes one. */
void ranges_append(struct interval *v, struct range r);

/* a becomes the union of both, b is left empty. */
void ranges_join(struct interval *a, struct interval *b);

/* Rows taken at each instruction: at its time 2i or 2i+1, the greater. */
void ranges_demand(const struct ir_func *f, const struct ranges *r, u32 *demand);

/* Fewer rows than this do not suffice, as far as it is known; at `enough` it stops looking. */
u32 ranges_need(const struct ir_func *f, const struct ranges *r, u32 enough);

/*
 * Rows while they are given away.  A row fits a register if nothing else is live in it meanwhile,
 * and nothing of the other width is held; a pair needs an even row and the next.
 */
struct rows;
struct rows *rows_new(const struct ir_func *f, const struct ranges *r); /* both must stay */
void rows_free(struct rows *x);
void rows_clear(struct rows *x, u32 n_row); /* so many, all free; first */
void rows_take(struct rows *x, u32 reg, u32 row);

/*
 * The row for a register, IR_NONE if none fits: `hint` if it does (IR_NONE: no wish), else the one
 * that was idle for the shortest time before, preferably one that leaves free pairs whole.
 */
u32 rows_choose(struct rows *x, u32 reg, u32 hint);

/*
 * Spills until no instruction takes more than `target` rows.  Registers from first_temp on hold
 * spilled values and are never spilled themselves.
 *
 * Across a call of a function that may call this one again nothing stays in rows: there is one
 * register file, whatever the depth.  With `squeeze`, across other calls no more stays than the
 * callee leaves of max_regs.
 *
 * An error if an instruction alone takes more; max_regs is what the user asked for.  *changed is
 * set if something was spilled, and left alone if not.
 */
struct spill_goal {
    u32 target, first_temp, max_regs;
    bool squeeze;
};
bool lower_spill(struct ir_func *f, const struct spill_goal *goal, bool *changed, struct err *e);

#endif
