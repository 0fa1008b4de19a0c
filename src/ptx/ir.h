/*
 * ir.h -- a function between PTX and machine code: the opcodes of inst.h over virtual registers.
 *
 *     ptx_func -> select -> ir_func -> cfg -> lower_* -> encode -> struct inst
 *
 * One ir_inst is one machine instruction.  With front.lower=off the lowering is
 * left out: then one PTX instruction is one ir_inst is one machine instruction.
 *
 * Registers are numbered 0..n_reg-1, each of one class.  An operand is a register,
 * or IR_IMM | index into imm[] (64-bit values; a 32-bit operand uses the low half),
 * or IR_NONE.
 *
 * Where the operands of each form are (dst, src, pdst, psrc as in struct inst):
 *     ALU         dst[0]; src[0..3]; selp: psrc; carry chains: psrc, pdst (the flag is a
 *                 predicate register of its own)
 *     CMP         pdst; src[0..1]; psrc with MOD_BOOL; dst[0]: q of p|q (a predicate), or the
 *                 register of set
 *     PRED        pdst; src[0..1] are predicate registers
 *     LD          dst[0..n-1], n = mod_vec(mod); src[0] base register or IR_NONE; imm offset
 *     ST          src[0] base or IR_NONE; src[1..n] values; imm offset
 *     ATOM        dst[0] (IR_NONE for red); src[0] base; src[1], src[2]; imm offset
 *     TEX         dst[0..3]; src[0..2] coordinates; src[3] handle, or imm texture number; src[4] level
 *                 of detail
 *     COPY        src[0] base in shared memory or IR_NONE; src[1] address in global memory; src[2] bytes
 *                 that are read or IR_NONE; psrc; imm: both offsets
 *     MMA         dst: D; src: A, B and C, one after the other (isa/mma.h)
 *     pack        dst[0]; src[0..n-1], n = mod & 15          unpack: the reverse
 *     bra         target: block after cfg_build, label before; guard
 *     brx         src[0]; target: index into table[]
 *     call, callx target: index into site[]; callx: src[0]
 *     a dst of IR_NONE is a sink: the value is not wanted
 * Every other form has its operands as the comment in op.def says.
 *
 * A guarded instruction that writes a register keeps the old value in the lanes
 * where the guard fails: it reads what it writes.
 */
#ifndef PTX_IR_H
#define PTX_IR_H

#include "base/base.h"
#include "base/err.h"
#include "isa/inst.h"

enum { IR_NONE = 0xffffffffu, IR_IMM = 0x80000000u };

/* Most that an opcode has: a load of eight values; mma (four, two and four), a store of eight. */
enum { IR_MAX_DST = 8, IR_MAX_SRC = 10, IR_MAX_DEF = IR_MAX_DST + 1 /* pdst */ };

enum ir_class { IRC_32, IRC_64, IRC_PRED };

struct ir_inst {
    u16 op, mod;
    bool guard_not, psrc_not;
    u32 guard; /* register or IR_NONE */
    u32 dst[IR_MAX_DST];
    u32 src[IR_MAX_SRC];
    u32 pdst, psrc;
    u32 target;
    s64 imm;
    u32 line;               /* of the PTX text */
    u32 loc_file, loc_line; /* of the CUDA source; loc_line 0: unknown */
};

/* A basic block: inst[first .. first+n).  Blocks stand in program order; n > 0. */
struct ir_block {
    u32 first, n;
    u32 n_succ, n_pred;
    u32 *succ, *pred; /* fall-through first */
    u32 ipdom;        /* immediate post-dominator, IR_NONE: the function's end */
    u32 idom;         /* immediate dominator, IR_NONE: the entry block and unreachable ones */
    u32 loop_depth;
};

struct ir_table { /* of brx */
    u32 n;
    u32 *target; /* labels, then blocks, as ir_inst.target */
};

/* A variable in local memory that the call hands over. */
struct ir_arg {
    u32 from, to, size; /* frame offsets: caller's, callee's */
};

struct ir_site { /* of a call */
    u32 func;    /* index of the callee in the program, IR_NONE: by address */
    u32 n_arg, n_ret;
    struct ir_arg *arg, *ret; /* ret: from = callee's, to = caller's */
    u32 need;                 /* registers that the callee takes, filled in by calls.c */
    bool cycles;              /* the callee may call this function again */
};

struct ir_func {
    const char *name;
    bool is_entry;
    u32 id;
    u32 n_reg, cap_reg;
    u8 *cls;     /* enum ir_class of each register */
    s32 *number; /* the number in its PTX name, -1: none (new registers too) */
    u32 n_inst, cap_inst;
    struct ir_inst *inst;
    u32 n_label;
    u32 *label; /* instruction each label stands before */
    u32 n_imm, cap_imm;
    u64 *imm;
    u32 *imm_slot; /* ir_imm's hash: 2 * cap_imm places of imm[], IR_NONE: empty */
    u32 n_table;
    struct ir_table *table;
    u32 n_site;
    struct ir_site *site;
    u32 frame; /* bytes of local memory: variables, call parameters, spills */

    /* made by cfg_build */
    u32 n_block;
    struct ir_block *block;

    /* made by the allocation: where each register lives */
    u16 *row; /* row (pairs: the even one) or predicate number; OPND_NONE: nowhere */
    u32 n_row, n_pred;
    u32 max_live; /* most 32-bit registers live at once, after scheduling */
    u32 n_spill;  /* registers that were spilled to local memory */
};

u32 ir_reg(struct ir_func *f, enum ir_class cls); /* a new register */
u32 ir_imm(struct ir_func *f, u64 value);         /* an operand; equal values share a place */
struct ir_inst *ir_add(struct ir_func *f, enum op op,
                       u32 line); /* appended, all operands IR_NONE */
void ir_free(struct ir_func *f);  /* the contents */

static inline bool ir_is_reg(u32 opnd)
{
    return !(opnd & IR_IMM);
}

/* Registers that an instruction reads and writes (guard, psrc and partial writes included). */
enum { IR_MAX_OPND = IR_MAX_DEF + IR_MAX_SRC + 2 };
u32 ir_uses(const struct ir_func *f, const struct ir_inst *in, u32 reg[IR_MAX_OPND]);
u32 ir_defs(const struct ir_func *f, const struct ir_inst *in, u32 reg[IR_MAX_OPND]);

/*
 * Gives instructions without a line of source one: that of the next of their block that has one
 * (compilers say "line 0" of what they moved to its use), else of the last before them, else of
 * the first of the function.  After cfg_build.
 */
void ir_fill_lines(struct ir_func *f);

/* Are operands where their forms want them, of the right class, and targets valid?  For tests. */
bool ir_check(const struct ir_func *f, struct err *e);

/* ---- cfg.c: blocks, dominators, post-dominators.  Labels become blocks.
 * An instruction ends a block if its opcode has OPF_END; a guarded ret, exit or trap
 * has the next block and the function's end as successors; so has every call that may
 * not come back no special treatment.  Code that cannot be reached is removed if
 * `remove_dead`.  A function that can fall off its end gets a `ret` there. */
void cfg_build(struct ir_func *f, bool remove_dead);
void cfg_free(struct ir_func *f);

/* ---- lower.c: everything between cfg_build and encode with front.lower=on. */
struct lower_opts {
    bool contract; /* fuse float multiplications and additions */
    bool schedule; /* order instructions within blocks */
    u32 max_regs;  /* cap on 32-bit registers, with those of callees; 0: none */
};
bool lower_func(struct ir_func *f, const struct lower_opts *o, struct err *e);

/* ---- liveness.c: used by lower and by `disasm --live`. */
struct live;
struct live *live_new(const struct ir_func *f); /* live-in and live-out sets of blocks */
bool live_at_end(const struct live *l, u32 block, u32 reg); /* is reg live out of block? */
void live_count(
    const struct live *l, const struct ir_func *f,
    u32 *n32); /* per instruction: 32-bit registers live after it (64-bit: 2; predicates: 0) */
void live_free(struct live *l);

#endif
