/*
 * mma.h -- the shapes of matrix instructions.
 *
 * D = A * B + C, with A of m x k, B of k x n and C and D of m x n elements, held by the 32 lanes of a
 * warp (PTX ISA, "Matrix Fragments for mma").  A lane is (group, thread) = (lane / 4, lane % 4):
 *
 *     A   register r holds `per` neighbours of one row: row group + 8 * (r % (m / 8)), from column
 *         per * (4 * (r / (m / 8)) + thread) on
 *     B   register r: `per` neighbours of column `group`, from row per * (4 * r + thread) on
 *     C   element i: row group + 8 * (i / 2), column 2 * thread + i % 2
 *
 * One rule for all types and shapes but m8n8k4 of f16 (OP_mma_884), which is four products of 8 x 4 by
 * 4 x 8, one for each pair of quads of lanes.  As Volta does (HMMA.884 ... STEP0 to STEP3; Raihan, Goli,
 * Aamodt: "Modeling Deep Learning Accelerator Enabled GPUs", ISPASS 2019), it becomes a step for each
 * two registers of D.
 */
#ifndef ISA_MMA_H
#define ISA_MMA_H

#include "isa/inst.h"

struct mma_shape {
    u32 m, n, k;
    u32 per;        /* elements of A and B in a register */
    u32 a, b, c, d; /* registers: the list of an instruction has D, A, B, C */
};

/*
 * mma_884: the first register of C that a step wants.  If one of C and D is f32 and the other f16,
 * lanes hold other elements of them, but C's registers are those of the same half of the columns.
 */
static inline u32 mma_884_first_c(u32 mod)
{
    u32 step = mod >> MOD_MMA_STEP & 3;
    bool c32 = mod & MOD_MMA_C_F32, d32 = mod & MOD_MMA_D_F32;

    return c32 == d32 ? 2 * step : c32 ? 4 * step : step & 2;
}

/* Elements of A and B in a register. */
static inline u32 mma_per(u32 op)
{
    switch (op) {
    case OP_mma_f64:
    case OP_mma_f32_tf32:
        return 1;
    case OP_mma_s32_x8:
        return 4;
    case OP_mma_s32_x4:
        return 8;
    case OP_mma_s32_b1:
        return 32;
    default:
        return 2;
    }
}

static inline struct mma_shape mma_shape(u32 op, u32 mod)
{
    struct mma_shape s = {8, 8, 4, 2, 2, 2, 0, 2};

    if (op == OP_mma_884) { /* D of f32 has two elements in two registers, of f16 four */
        s.c = mod & MOD_MMA_C_F32 && !(mod & MOD_MMA_D_F32) ? 4 : 2;
        return s;
    }
    s.m = mod & MOD_MMA_M16 ? 16 : 8;
    s.per = mma_per(op);
    s.b = mod >> MOD_MMA_K & 3;
    s.a = s.b * s.m / 8;
    s.k = 4 * s.per * s.b;
    s.c = s.d = (op == OP_mma_f16 ? 1 : 2) * s.m / 8;
    return s;
}

/* Multiplications of one instruction. */
static inline u32 mma_products(u32 op, u32 mod)
{
    struct mma_shape s = mma_shape(op, mod);

    return op == OP_mma_884 ? 4 * 8 * 8 * 4 / (mod & MOD_MMA_D_F32 ? 4 : 2) : s.m * s.n * s.k;
}

#endif
