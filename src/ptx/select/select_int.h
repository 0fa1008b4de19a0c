/* select_int.h -- what the select_*.c files share; nobody else includes it */
#ifndef PTX_SELECT_INT_H
#define PTX_SELECT_INT_H

#include "ptx/select/select.h"

/* Kinds of suffixes: what a PTX instruction may have is a set of these. */
enum {
    S_RND = 1 << 0,  /* .rn .rz .rm .rp */
    S_RNDI = 1 << 1, /* .rni .rzi .rmi .rpi */
    S_FTZ = 1 << 2,
    S_SAT = 1 << 3,
    S_APPROX = 1 << 4, /* .approx .full */
    S_PART = 1 << 5,   /* .lo .hi .wide */
    S_CC = 1 << 6,
    S_CMP = 1 << 7,
    S_BOOL = 1 << 8, /* .and .or .xor of comparisons and .red; .popc */
    S_SPACE = 1 << 9,
    S_VEC = 1 << 10,
    S_SEM = 1 << 11,   /* .volatile .relaxed .. */
    S_SCOPE = 1 << 12, /* .cta .gl .sys .gpu */
    S_CACHE = 1 << 13,
    S_UNI = 1 << 14,
    S_SYNC = 1 << 15, /* .sync .aligned .arrive .red .warp */
    S_TO = 1 << 16,
    S_GEOM = 1 << 17, /* .1d .2d .3d */
    S_WORD = 1 << 18, /* a word of one instruction: .up .idx .shiftamt .finite .all .f4e .. */
    S_ATOM = 1 << 19, /* .add .min .exch .. */
    S_NAN = 1 << 20,
    S_LEVEL = 1 << 21,   /* .L1 .L2 and eviction hints */
    S_HALF = 1 << 22,    /* no suffix: its types may be .f16 .bf16 .f16x2 .bf16x2 */
    S_XORSIGN = 1 << 23, /* .xorsign.abs */
    S_RELU = 1 << 24,
    S_SATFINITE = 1 << 25,
    S_RNA = 1 << 26,
    S_NOFTZ = 1 << 27,
    S_EDGE = 1 << 28,  /* of surfaces: .trap .clamp .zero */
    S_BYTES = 1 << 29, /* of surfaces: .b .p */
    S_OWN = 1 << 30,   /* no suffix: its function reads them itself, in their order */
};

enum part { PART_NONE, PART_LO, PART_HI, PART_WIDE };
enum { SYNC_SYNC = 1, SYNC_ALIGNED = 2, SYNC_ARRIVE = 4, SYNC_RED = 8, SYNC_WARP = 16 };
enum cmp {
    CMP_EQ,
    CMP_NE,
    CMP_LT,
    CMP_LE,
    CMP_GT,
    CMP_GE,
    CMP_EQU,
    CMP_NEU,
    CMP_LTU,
    CMP_LEU,
    CMP_GTU,
    CMP_GEU,
    CMP_NUM,
    CMP_NAN,
    CMP_LO,
    CMP_LS,
    CMP_HI,
    CMP_HS
};

struct suffixes {
    u32 have; /* set of S_* */
    u32 n_type;
    enum ptx_type type[3];
    u8 rnd, rndi, part, cmp, bool_op, cache, atom, sync, geom, array, edge, xorsign;
    bool full, formatted, cube;
    enum ptx_space space;
    u32 vec;
    bool is_volatile; /* or another ordering that forbids reordering */
    const char *word;
};

struct sel {
    const struct layout *l;
    const struct func_layout *fl;
    const struct ptx_module *m;
    const struct ptx_func *pf;
    const struct ptx_inst *in;
    struct suffixes s;
    struct ir_func *f;
    bool *module_used; /* which registers of the module the function names */
    u32 cc;            /* the carry flag, IR_NONE: not used yet */
    struct err *e;
};

/* select_suffix.c: reads in->suf; `allow` are the kinds this instruction has. */
bool sel_suffixes(struct sel *s, u32 allow, u32 min_types, u32 max_types);

/* select_opnd.c.  All return false after setting the error; k is the operand's index. */
bool sel_fail(struct sel *s, u32 col, const char *fmt, ...) PRINTF(3, 4);
bool sel_count(struct sel *s, u32 min, u32 max);
bool sel_src(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, u32 *out);
bool sel_dst(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, u32 *out);
bool sel_dst_or_none(struct sel *s, const struct ptx_opnd *o, enum ptx_type t,
                     u32 *out); /* IR_NONE for '_', for opcodes that know it */
bool sel_pred(struct sel *s, const struct ptx_opnd *o, u32 *out, bool *neg); /* a source */
bool sel_pred_dst(struct sel *s, const struct ptx_opnd *o, u32 *out);
bool sel_addr(struct sel *s, const struct ptx_opnd *o, enum ptx_space space, u32 *base, s64 *imm,
              bool *addr32, bool *frame);
u64 sel_var_address(struct sel *s, const struct ptx_var *v, bool *frame); /* in its own space */
u32 sel_reg_bits(const struct sel *s, u32 reg);
bool sel_is_frame_param(const struct sel *s, const struct ptx_var *v); /* not a kernel parameter */
bool sel_sreg(struct sel *s, const struct ptx_opnd *o, enum sreg *out);
struct ir_inst *sel_emit(struct sel *s, enum op op); /* with the guard of the PTX instruction */
bool ptx_type_is_float(enum ptx_type t);             /* of 16 bits too */
bool ptx_type_is_half(enum ptx_type t);              /* .f16 .bf16 and pairs of them */
bool ptx_type_is_signed(enum ptx_type t);
bool ptx_type_is_bits(enum ptx_type t);
bool sel_may_be_wider(enum ptx_type t, enum ptx_type reg); /* a register than type t */

/* One row of the instruction table. */
struct sel_op {
    const char *name;
    bool (*fn)(struct sel *s);
    u32 allow; /* S_* */
    u8 min_types, max_types;
    u8 min_opnd, max_opnd;
};

extern const struct sel_op sel_arith[], sel_move[], sel_convert[], sel_videos[], sel_mem[],
    sel_texture[], sel_ctrl[], sel_matrix[], sel_async[]; /* name NULL ends each */

/* select_mem.c, also for surfaces */
bool sel_data_type_ok(struct sel *s);
bool sel_data_regs(struct sel *s, const struct ptx_opnd *o, bool is_dst, u32 *out, bool *is64);
struct ir_inst *sel_emit_access(struct sel *s, enum ptx_space space, bool load, const u32 *reg,
                                bool is64); /* without its address */
bool sel_atom_operation(struct sel *s, bool has_dst, u32 *op);
enum opnd_type sel_atom_opnd(enum ptx_type t);

/* select_mma.c, also for wmma */
bool sel_next_is(struct sel *s, u32 *at,
                 const char *word); /* the suffix at *at: then it is passed */
bool sel_fragment(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, u32 n, bool is_dst,
                  u32 *reg); /* a vector of n registers, or one */
struct sel_piece {           /* of an instruction that becomes several products of matrices */
    u16 op, mod;
    u32 dst[4], src[IR_MAX_SRC];
};
void sel_emit_pieces(struct sel *s, struct sel_piece *p, u32 n);
bool sel_wmma(struct sel *s); /* select_wmma.c */

/* select_call.c: the calling convention */
void sel_frame_offsets(const struct ptx_func *pf, u32 *ret, u32 *param, u32 *end);
void sel_find_module_regs(struct sel *s); /* makes s->module_used */
void sel_begin(struct sel *s);            /* what a function does before its first instruction */
bool sel_call(struct sel *s);
bool sel_ret(struct sel *s);

/* select_half.c: the forms of 16 bits of instructions that other types have too */
bool sel_half(struct sel *s);         /* add sub mul fma */
bool sel_half_sign(struct sel *s);    /* neg abs */
bool sel_half_minmax(struct sel *s);  /* min max */
bool sel_half_special(struct sel *s); /* ex2 tanh */

/* select_arith.c, also for the others */
bool sel_row(struct sel *s, enum op op, u32 mod); /* operands as the opcode's row says */
enum { I_U16, I_S16, I_U32, I_S32, I_U64, I_S64, N_I };
int sel_int_index(enum ptx_type t); /* -1: no integer of 16 to 64 bits */
u32 sel_float_mod(const struct sel *s);
bool sel_bad_type(struct sel *s);
struct ir_inst *sel_last(struct sel *s); /* the instruction emitted last */
bool sel_simple(struct sel *s, enum op op, enum ptx_type d, enum ptx_type a, enum ptx_type b,
                enum ptx_type c);

#endif
