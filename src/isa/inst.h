/*
 * inst.h -- the machine code that smelt executes: one small fixed-size struct per instruction.
 *
 * PTX becomes this by `select` and `lower`; the executor turns it into values and
 * the SM model turns it into time.  One dense opcode per operation and type, so
 * that execution is one jump; op.def has one row per opcode with what it computes.
 *
 * Registers.  A register is a *row*: one 32-bit value for each of 32 lanes, 128
 * bytes.  A 64-bit value is a pair of rows at an even number, seen as 32 u64.
 * 8- and 16-bit values are the low bits of a row, the rest is noise.  Predicates are lane masks
 * with numbers of their own.  An operand number with OPND_CONST set is a row of the function's
 * constant pool, in which each immediate stands broadcast to all lanes; so no operation asks what
 * kind of operand it has.
 *
 * A warp of several words (32 lanes each) has a block of rows for each word; an
 * instruction is executed word by word.
 */
#ifndef ISA_INST_H
#define ISA_INST_H

#include <stdio.h>

#include "base/base.h"

enum {
    LANES = 32,
    ROW_BYTES = 4 * LANES,
    OPND_CONST = 0x8000, /* the rest is a row of the constant pool */
    OPND_NONE = 0x7fff,
    PRED_NOT = 0x8000, /* guard and psrc: the complement */
    PRED_NONE = 0x7fff,
    MAX_ROWS = 0x7ff0,
};

enum op {
#define ROW(name, ...) OP_##name,
#include "isa/op.def"
    N_OP,
};

/* What an operand holds; also the element type of a memory access. */
enum opnd_type {
    OT_NONE,
    OT_u8,
    OT_s8,
    OT_u16,
    OT_s16,
    OT_f16,
    OT_bf16,
    OT_u32,
    OT_s32,
    OT_f32,
    OT_f16x2,
    OT_bf16x2,
    OT_u64,
    OT_s64,
    OT_f64,
    OT_PRED
};

_Static_assert(OT_PRED < 16, "MOD_CVT_* and MOD_ATOM_TYPE have 4 bits for a type");

static inline bool opnd_is_64(enum opnd_type t)
{
    return t >= OT_u64 && t <= OT_f64;
}

static inline u32 opnd_type_bytes(enum opnd_type t)
{
    return t == OT_NONE || t == OT_PRED ? 0
           : t <= OT_s8                 ? 1
           : t <= OT_bf16               ? 2
           : t <= OT_bf16x2             ? 4
                                        : 8;
}

/* The shape of an opcode: which fields of struct inst it uses. */
enum op_form {
    FORM_ALU,  /* dst = f(src...), some with psrc or pdst */
    FORM_CMP,  /* pdst, dst (see MOD_SET_*) = compare(src[0], src[1]) combined with psrc */
    FORM_PRED, /* pdst = f(src[0], src[1]) of predicate numbers */
    FORM_LD,   /* dst or list = [src[0] + imm] */
    FORM_ST,   /* [src[0] + imm] = src[1] or list */
    FORM_ATOM, /* dst = [src[0] + imm], then op with src[1], src[2] */
    FORM_TEX,  /* list: 4 destinations, level of detail; src: coordinates; imm: texture number */
    FORM_COPY, /* shared [src[0] + low imm] = global [src[1] + high imm], MOD_VEC words; src[2] bytes read */
    FORM_MMA,  /* list: registers of D, A, B, C (isa/mma.h) */
    FORM_MISC, /* executed by a function of its own, operands as its row's comment says */
    FORM_CTRL, /* changes the flow: bra, brx, call, ret, exit, trap, bar */
};

/* Classes for timing and energy.  The latency table of the SM model has one row for each. */
enum op_class {
    CL_MOV,
    CL_LOGIC,
    CL_IADD,
    CL_IMINMAX,
    CL_IMUL,
    CL_IMAD,
    CL_IDIV,
    CL_IREM,
    CL_CVT,
    CL_SETP,
    CL_FADD,
    CL_FMUL,
    CL_FMAD,
    CL_FFMA,
    CL_FMINMAX,
    CL_FDIV,
    CL_SFU,
    CL_DADD,
    CL_DMUL,
    CL_DFMA,
    CL_DMINMAX,
    CL_DDIV,
    CL_DSFU,
    CL_SHFL,
    CL_VOTE,
    CL_MMA,
    CL_WAIT,
    CL_BRANCH,
    CL_BARRIER,
    CL_FENCE,
    CL_LD,
    CL_ST,
    CL_ATOM,
    CL_TEX,
    N_CL,
};

enum space { SP_NONE, SP_GLOBAL, SP_SHARED, SP_LOCAL, SP_CONST, SP_PARAM, SP_GENERIC };

enum op_flag {
    OPF_PIN = 1,   /* never moved, never removed: clocks, barriers, fences, sleeps */
    OPF_END = 2,   /* ends a basic block */
    OPF_CROSS = 4, /* talks to other lanes of the warp: depends on the active mask */
};

struct op_info {
    const char *name; /* as `smelt disasm` prints it: "add.s32" */
    const char *doc;  /* what it computes, from its row */
    u8 form, cls, flags, space;
    u8 dst; /* enum opnd_type */
    u8 src[4];
};

extern const struct op_info op_info[N_OP];

/* Modifiers (struct inst.mod).  The meaning depends on the form. */
enum {
    /* float arithmetic, conversions */
    MOD_RND = 3, /* 0 nearest even, 1 zero, 2 minus infinity, 3 plus infinity */
    MOD_FTZ = 4,
    MOD_SAT = 8,
    MOD_RN = 32,         /* .rn was written out: never fused by front.contract */
    MOD_NAN = 16,        /* min.NaN, max.NaN */
    MOD_XORSIGN = 64,    /* min, max .xorsign.abs */
    MOD_RELU = 128,      /* a negative result is zero */
    MOD_RNA = 512,       /* cvt to tf32: nearest, ties away from zero */
    MOD_SATFINITE = 256, /* a result beyond the largest number is the largest number */
    /* cvt_x */
    MOD_CVT_INT = 16, /* round to an integral value */
    MOD_CVT_DST = 5,  /* shift of 4 bits: enum opnd_type */
    MOD_CVT_SRC = 9,
    MOD_CVT_DST64 = 1 << 13, /* the register is wider than the type */
    MOD_CVT_SRC64 = 1 << 14,
    /* cvt_pack: low 5 bits the size of each, then */
    MOD_PACK_BITS = 31,
    MOD_PACK_SIGNED = 32,
    /* mov, selp */
    MOD_FLOAT = 1 << 15, /* of a float: the value is the same, the unit that moves it is not */
    /* compare */
    MOD_BOOL = 3 << 4, /* 0 none, 1 and, 2 or, 3 xor with psrc */
    MOD_BOOL_AND = 1 << 4,
    MOD_BOOL_OR = 2 << 4,
    MOD_BOOL_XOR = 3 << 4,
    MOD_SET_U32 = 1 << 6, /* set: dst gets ~0 or 0 */
    MOD_SET_F32 = 1 << 7, /* set: dst gets 1.0 or 0.0 */
    MOD_SET_Q = 1 << 8,   /* setp p|q: dst is the number of a predicate that gets the opposite */
    MOD_SET_F16 = 1 << 9,
    MOD_SET_BF16 = 1 << 10,
    MOD_SET_REG = MOD_SET_U32 | MOD_SET_F32 | MOD_SET_F16 | MOD_SET_BF16,
    /* compare of pairs: for which orders it holds, as every other comparison's opcode says */
    MOD_CMP = 11, /* shift of 4 bits */
    MOD_CMP_LESS = 1,
    MOD_CMP_EQUAL = 2,
    MOD_CMP_GREATER = 4,
    MOD_CMP_UNORDERED = 8,
    /* lop3_p: low 8 bits the look-up table */
    MOD_LOP3_AND = 1 << 8, /* with psrc by and, else by or */
    /* memory */
    MOD_VEC = 7,         /* elements: 1, 2, 4, or 0 for 8 (mod_vec); above 1 they are in the list */
    MOD_ADDR32 = 1 << 3, /* src[0] is a 32-bit register */
    MOD_WIDE = 1 << 4,   /* 64-bit registers for narrower elements */
    MOD_FRAME = 1 << 5,  /* local: relative to the frame of the running function */
    MOD_VOLATILE = 1 << 6,
    MOD_TRANS = 1 << 7, /* ldmatrix, stmatrix: the transpose */
    MOD_CACHE = 8,      /* shift of 3 bits: enum cache_op */
    /* atom: low 4 bits enum atom_op, then ADDR32 is bit 11 */
    MOD_ATOM_OP = 15,
    MOD_ATOM_TYPE = 4, /* shift of 4 bits: enum opnd_type */
    MOD_ATOM_ADDR32 = 1 << 11,
    /* bar */
    MOD_BAR_KIND = 7, /* enum bar_kind */
    /* tex */
    MOD_TEX_DIMS = 3,        /* 1, 2 or 3 */
    MOD_TEX_ARRAY = 1 << 2,  /* a layer comes first among the coordinates */
    MOD_TEX_FLOAT = 1 << 3,  /* other coordinates are floats */
    MOD_TEX_TYPE = 4,        /* shift of 2 bits: of the result, f32, s32, u32 */
    MOD_TEX_LEVEL = 1 << 6,  /* the fifth of the list is the level of detail */
    MOD_TEX_GATHER = 1 << 7, /* one channel of the four texels that would be filtered ... */
    MOD_TEX_CHANNEL = 8,     /* ... shift of 2 bits: which */
    MOD_TEX_CUBE = 1 << 10,  /* 2D coordinates are those of a face, 0 to 1 */
    /* mma */
    MOD_MMA_M16 = 1 << 0, /* 16 rows of A, not 8 */
    MOD_MMA_K = 1,        /* shift of 2 bits: registers of B */
    MOD_MMA_A_SIGNED = 1 << 3,
    MOD_MMA_B_SIGNED = 1 << 4,
    MOD_MMA_SAT = 1 << 5, /* integers: the sum saturates */
    MOD_MMA_AND = 1 << 6, /* bits: and, not xor */
    /* mma_884 */
    MOD_MMA_A_COL = 1 << 0, /* by columns */
    MOD_MMA_B_COL = 1 << 1,
    MOD_MMA_C_F32 = 1 << 2, /* not f16 */
    MOD_MMA_D_F32 = 1 << 3,
    MOD_MMA_STEP = 4, /* shift of 2 bits: which registers of D */
    /* suaddr */
    MOD_SU_DIMS = 3,       /* 1, 2 or 3 */
    MOD_SU_ARRAY = 1 << 2, /* a layer comes first among the coordinates */
    MOD_SU_EDGE = 3,       /* shift of 2 bits: enum su_edge */
    MOD_SU_LOG2 = 5,       /* shift of 3 bits: of the bytes of an access */
};

/* Video instructions: what is in their imm.  Selectors: 0 is the whole register. */
enum { VID_B0 = 1, VID_H0 = 5 };
enum { VID_ADD = 1, VID_MIN = 2, VID_MAX = 3 }; /* second operations */
enum video_how {
    VID_A_SEL = 0, /* shifts of 3 bits */
    VID_B_SEL = 3,
    VID_D_SEL = 6,
    VID_SECOND = 9, /* shift of 2 bits */
    VID_CMP = 11,   /* shift of 3 bits: MOD_CMP_LESS .. */
    VID_A_SIGNED = 1 << 14,
    VID_B_SIGNED = 1 << 15,
    VID_D_SIGNED = 1 << 16,
    VID_SAT = 1 << 17,
    VID_WRAP = 1 << 18,   /* vshl, vshr */
    VID_NEG_AB = 1 << 19, /* vmad */
    VID_NEG_C = 1 << 20,
    VID_PLUS_ONE = 1 << 21,
    VID_SHR7 = 1 << 22,
    VID_SHR15 = 1 << 23,
    VID_A_PART = 24, /* shifts of 3 bits for each of 2 or 4 parts */
    VID_B_PART = 36,
    VID_MASK = 48, /* shift of 4 bits: parts that are written */
};

enum redux_op {
    REDUX_ADD,
    REDUX_MIN_U32,
    REDUX_MIN_S32,
    REDUX_MAX_U32,
    REDUX_MAX_S32,
    REDUX_AND,
    REDUX_OR,
    REDUX_XOR,
};

static inline u32 mod_vec(u32 mod)
{
    return mod & MOD_VEC ? mod & MOD_VEC : 8;
}

/* ANY: nothing is said, and the GPU decides. */
enum cache_op { CACHE_ANY, CACHE_CG, CACHE_CS, CACHE_LU, CACHE_CV, CACHE_NC, CACHE_WT, CACHE_CA };
enum atom_op {
    ATOM_ADD,
    ATOM_MIN,
    ATOM_MAX,
    ATOM_INC,
    ATOM_DEC,
    ATOM_AND,
    ATOM_OR,
    ATOM_XOR,
    ATOM_EXCH,
    ATOM_CAS,
    ATOM_ARRIVE, /* mbarrier (MBAR_*): b's low word arrive, its high word is added to the tx-count */
    ATOM_DROP,   /* .. and are not expected again */
    N_ATOM
};

/*
 * An mbarrier: arrivals pending in its phase, those expected in each, the tx-count of its phase (with a
 * sign), and the phases completed: the last bits of their number, of which waiting needs one.
 */
enum {
    MBAR_BITS = 20,
    MBAR_COUNT = (1 << MBAR_BITS) - 1,
    MBAR_TX = 2 * MBAR_BITS,
    MBAR_TX_COUNT = (2 << MBAR_BITS) - 1,
    MBAR_PHASE = MBAR_TX + MBAR_BITS + 1
};

enum bar_kind { BAR_SYNC, BAR_ARRIVE, BAR_RED_POPC, BAR_RED_AND, BAR_RED_OR };
enum su_edge { SU_TRAP, SU_CLAMP, SU_ZERO }; /* what coordinates beyond the edge do */
enum txq { TXQ_WIDTH, TXQ_HEIGHT, TXQ_DEPTH, TXQ_LAYERS, TXQ_NORMALIZED };
enum shfl_mode { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

enum sreg {
    SR_TID_X,
    SR_TID_Y,
    SR_TID_Z,
    SR_NTID_X,
    SR_NTID_Y,
    SR_NTID_Z,
    SR_CTAID_X,
    SR_CTAID_Y,
    SR_CTAID_Z,
    SR_NCTAID_X,
    SR_NCTAID_Y,
    SR_NCTAID_Z,
    SR_LANEID,
    SR_WARPID,
    SR_NWARPID,
    SR_SMID,
    SR_NSMID,
    SR_GRIDID,
    SR_LANEMASK_EQ,
    SR_LANEMASK_LE,
    SR_LANEMASK_LT,
    SR_LANEMASK_GE,
    SR_LANEMASK_GT,
    SR_CLOCK,
    SR_CLOCK_HI,
    SR_CLOCK64,
    SR_GLOBALTIMER,
    SR_GLOBALTIMER_LO,
    SR_GLOBALTIMER_HI,
    SR_TOTAL_SMEM,
    SR_DYNAMIC_SMEM,
    SR_PM,
    SR_ENVREG,
    N_SREG,
};

extern const char *const sreg_name[N_SREG]; /* "%tid.x" */

enum { PC_NONE = 0xffffffffu }; /* no reconvergence before the function returns */

struct inst {
    u16 op; /* enum op */
    u16 mod;
    u16 guard; /* predicate (| PRED_NOT) that must hold in a lane, or PRED_NONE */
    u16 dst;
    u16 src[4];
    u16 pdst, psrc;
    u32 list; /* where its operand list starts in func_code.list (vectors, calls), or site */
    union {
        s64 imm; /* address offset, special register, texture, LUT */
        struct {
            u32 target; /* pc */
            u32 reconv; /* pc of the immediate post-dominator, or PC_NONE */
        };
    };
};

_Static_assert(sizeof(struct inst) == 32, "two instructions a cache line");

/* Look a mnemonic up for `smelt explain`; false if no opcode starts with it. */
bool isa_explain(const char *name, FILE *f);

#endif
