/*
 * exec_lane.c -- one function per opcode, over the 32 lanes of a word.
 *
 * Compiled once per host instruction set (LANE_ISA is base, avx2 or avx512): the
 * same C, so the same results, in wider vectors.  The rows of op.def become loops
 * that the compiler vectorises.  Lanes that are off are computed and not stored.
 *
 * Rows either are the same or do not overlap, except that a 64-bit destination may
 * cover a 32-bit source (or the reverse) that dies here; so results of another
 * width than a source go through a buffer.
 *
 *     lane_mem.inc   loads, stores, atomics     lane_warp.inc   conversions, special registers
 *     lane_among.inc votes, shuffles            lane_matrix.inc rows of matrices
 */
#include "exec/exec.h"

#include <string.h>

#include "exec/atom_ops.h"
#include "exec/lane_ops.h"
#include "exec/lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Rows are bytes that hold whatever type an opcode says. */
typedef u32 __attribute__((may_alias)) row_u32;
typedef u64 __attribute__((may_alias)) row_u64;
typedef f32 __attribute__((may_alias)) row_f32;
typedef f64 __attribute__((may_alias)) row_f64;

static inline u8 *row(struct exec *x, u32 opnd)
{
    return exec_row(x, opnd);
}

/* Several loops below are independent by lane although the compiler cannot know it. */
#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (u32 i = 0; i < LANES; i++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (u32 i = 0; i < LANES; i++)
#endif

#define GET_u16(p) ((u16)((const row_u32 *)(p))[i])
#define GET_s16(p) ((s16)((const row_u32 *)(p))[i])
#define GET_u32(p) (((const row_u32 *)(p))[i])
#define GET_s32(p) ((s32)((const row_u32 *)(p))[i])
#define GET_f32(p) (((const row_f32 *)(p))[i])
#define GET_f16(p) (GET_u32(p) & 0xffff)
#define GET_bf16 GET_f16
#define GET_f16x2 GET_u32
#define GET_bf16x2 GET_u32
#define GET_u64(p) (((const row_u64 *)(p))[i])
#define GET_s64(p) ((s64)((const row_u64 *)(p))[i])
#define GET_f64(p) (((const row_f64 *)(p))[i])

/* What a type is stored as; single-precision NaNs become the one that NVIDIA's machines give. */
#define RAW_u16(v) ((u32)(u16)(v))
#define RAW_s16(v) ((u32)(u16)(v))
#define RAW_u32(v) ((u32)(v))
#define RAW_s32(v) ((u32)(v))
#define RAW_f32(v) raw_f32(v)
#define RAW_f16 RAW_u32
#define RAW_bf16 RAW_u32
#define RAW_f16x2 RAW_u32
#define RAW_bf16x2 RAW_u32
#define RAW_u64(v) ((u64)(v))
#define RAW_s64(v) ((u64)(v))
#define RAW_f64(v) bits64(v)
#define ROW_u16 row_u32
#define ROW_s16 row_u32
#define ROW_u32 row_u32
#define ROW_s32 row_u32
#define ROW_f32 row_u32
#define ROW_f16 row_u32
#define ROW_bf16 row_u32
#define ROW_f16x2 row_u32
#define ROW_bf16x2 row_u32
#define ROW_u64 row_u64
#define ROW_s64 row_u64
#define ROW_f64 row_u64

#define WIDTH_u16 4
#define WIDTH_s16 4
#define WIDTH_u32 4
#define WIDTH_s32 4
#define WIDTH_f32 4
#define WIDTH_f16 4
#define WIDTH_bf16 4
#define WIDTH_f16x2 4
#define WIDTH_bf16x2 4
#define WIDTH_u64 8
#define WIDTH_s64 8
#define WIDTH_f64 8

/* A loop over all lanes that stores `value`, through a buffer if `mixed` (see above). */
#define STORE_LANES(D, mixed, load, value)                                                         \
    do {                                                                                           \
        ROW_##D *d_ = (ROW_##D *)row(x, in->dst);                                                  \
        if (mixed) {                                                                               \
            ROW_##D t_[LANES];                                                                     \
            EACH_LANE                                                                              \
            {                                                                                      \
                load;                                                                              \
                t_[i] = RAW_##D(value);                                                            \
            }                                                                                      \
            EACH_LANE d_[i] = mask >> i & 1 ? t_[i] : d_[i];                                       \
        } else if (mask == ~0u) {                                                                  \
            EACH_LANE                                                                              \
            {                                                                                      \
                load;                                                                              \
                d_[i] = RAW_##D(value);                                                            \
            }                                                                                      \
        } else {                                                                                   \
            EACH_LANE                                                                              \
            {                                                                                      \
                load;                                                                              \
                ROW_##D r_ = RAW_##D(value);                                                       \
                d_[i] = mask >> i & 1 ? r_ : d_[i];                                                \
            }                                                                                      \
        }                                                                                          \
    } while (0)

#define UNUSED_M (void)m

#define UN(name, ptx, cls, D, A, expr)                                                             \
    static void x_##name(struct exec *x, const struct inst *in, u32 mask)                          \
    {                                                                                              \
        const u8 *pa = row(x, in->src[0]);                                                         \
        const u32 m = in->mod;                                                                     \
        UNUSED_M;                                                                                  \
        STORE_LANES(D, WIDTH_##D != WIDTH_##A, const A a = GET_##A(pa), expr);                     \
    }
#define BIN(name, ptx, cls, D, A, B, expr)                                                         \
    static void x_##name(struct exec *x, const struct inst *in, u32 mask)                          \
    {                                                                                              \
        const u8 *pa = row(x, in->src[0]), *pb = row(x, in->src[1]);                               \
        const u32 m = in->mod;                                                                     \
        UNUSED_M;                                                                                  \
        STORE_LANES(D, WIDTH_##D != WIDTH_##A || WIDTH_##D != WIDTH_##B, const A a = GET_##A(pa);  \
                    const B b = GET_##B(pb), expr);                                                \
    }
#define TRI(name, ptx, cls, D, A, B, C, expr)                                                      \
    static void x_##name(struct exec *x, const struct inst *in, u32 mask)                          \
    {                                                                                              \
        const u8 *pa = row(x, in->src[0]), *pb = row(x, in->src[1]), *pc = row(x, in->src[2]);     \
        const u32 m = in->mod;                                                                     \
        UNUSED_M;                                                                                  \
        STORE_LANES(D, WIDTH_##D != WIDTH_##A || WIDTH_##D != WIDTH_##B || WIDTH_##D != WIDTH_##C, \
                    const A a = GET_##A(pa);                                                       \
                    const B b = GET_##B(pb); const C c = GET_##C(pc), expr);                       \
    }
#define QUAD(name, ptx, cls, D, A, B, C, E, expr)                                                  \
    static void x_##name(struct exec *x, const struct inst *in, u32 mask)                          \
    {                                                                                              \
        const u8 *pa = row(x, in->src[0]), *pb = row(x, in->src[1]);                               \
        const u8 *pc = row(x, in->src[2]), *pe = row(x, in->src[3]);                               \
        const u32 m = in->mod;                                                                     \
        UNUSED_M;                                                                                  \
        STORE_LANES(D, true, const A a = GET_##A(pa); const B b = GET_##B(pb);                     \
                    const C c = GET_##C(pc); const E e = GET_##E(pe), expr);                       \
    }

/* One bit per lane from 0 or ~0 in each. */
static inline u32 mask_of(const u32 t[LANES])
{
#if defined(__AVX2__)
    u32 r = 0;

    for (u32 k = 0; k < 4; k++)
        r |= (u32)_mm256_movemask_ps(_mm256_loadu_ps((const float *)(t + 8 * k))) << 8 * k;
    return r;
#elif defined(__SSE2__)
    u32 r = 0;

    for (u32 k = 0; k < 8; k++)
        r |= (u32)_mm_movemask_ps(_mm_loadu_ps((const float *)(t + 4 * k))) << 4 * k;
    return r;
#else
    u32 r = 0;

    for (u32 i = 0; i < LANES; i++)
        r |= (t[i] & 1u) << i;
    return r;
#endif
}

static inline u32 psrc_mask(const struct exec *x, const struct inst *in)
{
    u32 p = x->pred[in->psrc & ~PRED_NOT];

    return in->psrc & PRED_NOT ? ~p : p;
}

static inline void put_pred(struct exec *x, u32 p, u32 value, u32 mask)
{
    if (p != PRED_NONE)
        x->pred[p] = (x->pred[p] & ~mask) | (value & mask);
}

/* What `set` writes for true. */
static inline u32 set_true(const struct inst *in)
{
    return in->mod & MOD_SET_F32    ? FP32_ONE
           : in->mod & MOD_SET_F16  ? 0x3c00u
           : in->mod & MOD_SET_BF16 ? 0x3f80u
                                    : ~0u;
}

/* A comparison's result and another's (its opposite, or that of the upper half) with psrc. */
static inline void combine(const struct exec *x, const struct inst *in, u32 *r, u32 *q)
{
    u32 c, how = in->mod & MOD_BOOL;

    if (!how)
        return;
    c = psrc_mask(x, in);
    *r = how == MOD_BOOL_AND ? *r & c : how == MOD_BOOL_OR ? *r | c : *r ^ c;
    *q = how == MOD_BOOL_AND ? *q & c : how == MOD_BOOL_OR ? *q | c : *q ^ c;
}

/* The end of every comparison: combine with psrc, then write predicate(s) or a register. */
static void finish_compare(struct exec *x, const struct inst *in, u32 mask, u32 r)
{
    u32 q = ~r;

    combine(x, in, &r, &q);
    if (in->mod & MOD_SET_REG) {
        row_u32 *d = (row_u32 *)row(x, in->dst);
        u32 yes = set_true(in);

        EACH_LANE d[i] = mask >> i & 1 ? r >> i & 1 ? yes : 0 : d[i];
        return;
    }
    put_pred(x, in->pdst, r, mask);
    if (in->mod & MOD_SET_Q)
        put_pred(x, in->dst, q, mask);
}

#define FLUSH_u16(v) v
#define FLUSH_s16(v) v
#define FLUSH_u32(v) v
#define FLUSH_s32(v) v
#define FLUSH_u64(v) v
#define FLUSH_s64(v) v
#define FLUSH_f32(v) fz(v, m)
#define FLUSH_f64(v) v
#define FLUSH_f16(v) f16_see(v, m)
#define FLUSH_bf16(v) bf16_see(v, m)

/* What a comparison sees of a type. */
#define SEEN_u16 u16
#define SEEN_s16 s16
#define SEEN_u32 u32
#define SEEN_s32 s32
#define SEEN_u64 u64
#define SEEN_s64 s64
#define SEEN_f32 f32
#define SEEN_f64 f64
#define SEEN_f16 f32
#define SEEN_bf16 f32

#define CMP(name, ptx, T, expr)                                                                    \
    static void x_##name(struct exec *x, const struct inst *in, u32 mask)                          \
    {                                                                                              \
        const u8 *pa = row(x, in->src[0]), *pb = row(x, in->src[1]);                               \
        const u32 m = in->mod;                                                                     \
        u32 t[LANES];                                                                              \
        UNUSED_M;                                                                                  \
        EACH_LANE                                                                                  \
        {                                                                                          \
            const SEEN_##T a = FLUSH_##T(GET_##T(pa)), b = FLUSH_##T(GET_##T(pb));                 \
            t[i] = (expr) ? ~0u : 0u;                                                              \
        }                                                                                          \
        finish_compare(x, in, mask, mask_of(t));                                                   \
    }
#define OP(...)
#define OP4(...)

#include "isa/op.def"

#include "exec/lane_warp.inc"

#include "exec/lane_among.inc"

#include "exec/lane_mem.inc"

#include "exec/lane_matrix.inc"

#include "exec/lane_copy.inc"

/* Control flow changes the SIMT stack and is not done lane by lane: see exec_ctrl.c. */
#define x_bra NULL
#define x_brx NULL
#define x_call NULL
#define x_callx NULL
#define x_ret NULL
#define x_exit NULL
#define x_trap NULL
#define x_bar NULL

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

const lane_fn CAT(lanes_, LANE_ISA)[N_OP] = {
#define ROW(name, ...) [OP_##name] = x_##name,
#include "isa/op.def"
};
