/*
 * select.h -- from the PTX tree to machine opcodes over virtual registers.
 *
 * One PTX instruction becomes one ir_inst (two where PTX allows a special register
 * or a register parameter in a place that the machine has none for).  Everything
 * that PTX demands of an instruction is checked here: suffixes, operand count,
 * kinds, types and sizes; a form that smelt does not have is refused with the line
 * and a caret.
 *
 *     select.c         functions: frames, labels, calls' argument copies
 *     select_suffix.c  ".rn.ftz.f32" -> struct suffixes
 *     select_opnd.c    operands
 *     select_arith.c   arithmetic and logic
 *     select_move.c    moves, selection, comparisons
 *     select_cvt.c     conversions
 *     select_half.c    .f16, .bf16 and pairs of them
 *     select_video.c   vadd, vadd2, vadd4 and their kin
 *     select_mem.c     loads, stores, atomics
 *     select_tex.c     textures, surfaces
 *     select_call.c    calls, returns
 *     select_ctrl.c    branches, barriers, votes
 */
#ifndef PTX_SELECT_H
#define PTX_SELECT_H

#include "ptx/ir.h"
#include "ptx/parse/ptx.h"
#include "ptx/program.h"

/* Where variables are, worked out before any function is selected. */
struct layout {
    const struct ptx_module *m;
    const struct var_places *places;
    u64 *var_addr; /* of each module variable: global address, or offset in local memory */
    u32 *texture;  /* number of each module variable that is a texture */
    const char **texture_name;
    u32 n_texture;
    struct func_layout {
        u64 *var_off;   /* of each variable of the function: frame or shared offset, or address */
        u32 *ret_off;   /* entry: none; function: in its frame */
        u32 *param_off; /* entry: in the parameter block; function: in its frame */
        u32 param_bytes, frame, shared, dynamic; /* dynamic: where extern .shared begins */
        u64 *shared_addr; /* module .shared variables as this function sees them */
    } * func;
};

void layout_new(struct layout *l, const struct ptx_module *m, const struct var_places *places);
const struct var_pin *layout_pin(const struct layout *l, const struct ptx_var *v); /* or NULL */
void layout_free(struct layout *l);

/* Bounds that PTX or any GPU sets anyway; all offsets are far from overflowing then. */
enum { MAX_PARAM_BYTES = 32764, MAX_LOCAL_BYTES = 512 << 10, MAX_SHARED_BYTES = 16 << 20 };
bool layout_check(const struct layout *l, struct err *e);

struct ir_func *select_func(const struct layout *l, const struct ptx_func *pf, struct err *e);

#endif
