/*
 * uop.h -- what the pipeline must know of an instruction: decoded once per kernel, read at every issue.
 *
 * Registers are places of a warp's scoreboard: rows first, then predicates; both relative to the
 * frame of the running function.  Banks are numbers before the warp's own is added.
 */
#ifndef SM_UOP_H
#define SM_UOP_H

#include "base/base.h"
#include "ptx/program.h"
#include "sm/sm_conf.h"

enum unit {
    UNIT_SP,
    UNIT_SFU,
    UNIT_DP,
    UNIT_MEM,
    UNIT_TENSOR,
    N_UNIT
}; /* which collectors and units */
enum pipe {
    PIPE_INT,
    PIPE_FP,
    PIPE_FLOW
}; /* which part of a split SP cluster; control is neither, unless sm.sp_control says so */

enum uop_flag {
    UOP_LOAD = 1,
    UOP_STORE = 2,
    UOP_ATOM = 4,
    UOP_FENCE = 8, /* of the memory unit, or else of asynchronous copies */
    UOP_BARRIER = 16,
    UOP_CONTROL = 32, /* may change the flow: the SIMT stack, other warps, the end */
    UOP_TEX = 64,
    UOP_LONG = 128, /* its result comes from memory, and completes it */
};

enum uop_keeps {
    KEEPS_PLACE =
        1, /* barriers, fences, clocks, control flow: nothing passes it, it passes nothing */
    KEEPS_FLOW = 2,  /* of them: it may change where the warp goes on, and nothing else */
    KEEPS_ORDER = 4, /* among accesses to memory: atomics, volatile ones */
};

/* Most places that one instruction names: a store of four values in pairs of rows, its address and guard. */
enum { UOP_REGS = 12, UOP_DEFS = 10 };

struct uop { /* the scoreboard's part in one cache line, the banks' in the next */
    u16 lat, ii;
    u8 unit, pipe, cls, flags;
    u8 n_use, n_use_row; /* use[0 .. n_use_row) are rows, the rest predicates */
    u8 n_def, n_def_row;
    u8 n_read, n_write; /* register banks */
    u8 bytes;           /* of a memory access, per lane */
    u8 space;           /* enum space */
    u8 kind;            /* enum op_kind: for energy */
    bool slow;          /* who waits for its result waits for data: for long */
    bool after_atoms;   /* it must not overtake atomics of its warp, whatever sm.atom_blocks says */
    u8 keeps;           /* enum uop_keeps: its place among others, if they can be reordered */
    u16 use[UOP_REGS], def[UOP_DEFS];
    u8 read[UOP_REGS] __attribute__((aligned(64)));
    u8 write[UOP_DEFS];
    u8 n_operand; /* sources that are no registers */
    u8 n_count;   /* counters of an SM that an issue adds one to: places in struct sm_stat */
    u16 count[3];
    u64 waits; /* bit d: it depends on the instruction d + 1 before it; uop_find_waits */
    u64 reads; /* .. and reads what that one writes */
    u64 again; /* .. or writes what that one writes */
};

_Static_assert(sizeof(struct uop) == 128, "two cache lines");

/*
 * One for each instruction of the program, as kernel `f` sees it where a warp goes through a pipeline
 * in `passes`; to be freed.
 */
struct uop *uop_decode(const struct program *p, const struct func *f, const struct sm_conf *sm,
                       const struct op_conf *op, u32 passes);

/* Fills in `waits`, `reads` and `again`: hazards by registers between instructions of one function, up to 64 apart. */
void uop_find_waits(struct uop *all, u32 n);

enum uop_hazard { HAZARD_RAW = 1, HAZARD_WAW = 2, HAZARD_WAR = 4 };

/* Of an instruction on an earlier one; each with its frame (depend.h, frame_tag). */
u32 uop_hazards(const struct uop *u, u32 frame, const struct uop *before, u32 its_frame);

#endif
