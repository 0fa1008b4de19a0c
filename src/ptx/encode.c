/* encode.c -- see encode.h */
#include "ptx/encode.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "isa/mma.h"
#include "ptx/select/select.h"

bool encode_plain_rows(struct ir_func *f, struct err *e)
{
    u32 rows = 0, preds = 0;

    free(f->row);
    f->row = xcalloc(f->n_reg + 1, sizeof f->row[0]);
    for (u32 pass = 0; pass < 2; pass++) /* pairs first: they are aligned */
        for (u32 r = 0; r < f->n_reg && rows < MAX_ROWS; r++) {
            if (f->cls[r] == (pass ? IRC_32 : IRC_64))
                f->row[r] = (u16)rows, rows += pass ? 1 : 2;
            else if (!pass && f->cls[r] == IRC_PRED)
                f->row[r] = (u16)preds++;
        }
    if (rows >= MAX_ROWS || preds >= MAX_ROWS)
        return err_set(
            e,
            "%s declares more registers than the %u that run without lowering; use front.lower=on",
            f->name, MAX_ROWS);
    f->n_row = rows;
    f->n_pred = preds;
    return true;
}

struct enc {
    const struct ir_func *f;
    struct func *out;
    u32 *const_row; /* of each immediate: its row as 32 bits | as 64 bits << 16; 0xffff none */
    VEC(u16) list;
    u32 n_const;
};

/* A row (or two) of the constant pool for an immediate, made at its first use in this width. */
static u16 constant_row(struct enc *x, u32 index, bool is64)
{
    u32 *slot = &x->const_row[2 * index + is64];

    if (*slot == IR_NONE) {
        x->n_const += is64 && x->n_const & 1;
        *slot = x->n_const;
        x->n_const += is64 ? 2 : 1;
    }
    return (u16)(OPND_CONST | (*slot & 0x7fff));
}

static u16 operand(struct enc *x, u32 o, bool is64)
{
    if (o == IR_NONE)
        return OPND_NONE;
    return ir_is_reg(o) ? x->f->row[o] : constant_row(x, o & ~IR_IMM, is64);
}

static u16 predicate(struct enc *x, u32 o, bool neg)
{
    return o == IR_NONE ? PRED_NONE : (u16)(x->f->row[o] | (neg ? PRED_NOT : 0));
}

static bool is_64(const struct enc *x, u32 o)
{
    return o != IR_NONE && ir_is_reg(o) && x->f->cls[o] == IRC_64;
}

static u32 add_list(struct enc *x, const u32 *o, u32 n, bool is64)
{
    u32 at = x->list.n;

    for (u32 i = 0; i < n; i++)
        *VEC_ADD(&x->list) = operand(x, o[i], is64);
    return at;
}

static void encode_memory(struct enc *x, const struct ir_inst *in, struct inst *out)
{
    const struct op_info *o = &op_info[in->op];
    u32 n = mod_vec(in->mod);

    out->src[0] = operand(x, in->src[0], !(in->mod & MOD_ADDR32));
    out->imm = in->imm;
    if (o->form == FORM_LD) {
        out->dst = operand(x, in->dst[0], false);
        if (n > 1)
            out->list = add_list(x, in->dst, n, false);
        return;
    }
    bool is64 = o->src[1] == OT_u64 || in->mod & MOD_WIDE;

    out->src[1] = operand(x, in->src[1], is64);
    if (n > 1)
        out->list = add_list(x, in->src + 1, n, is64);
}

static void encode_atom(struct enc *x, const struct ir_inst *in, struct inst *out)
{
    bool is64 = opnd_is_64(in->mod >> MOD_ATOM_TYPE & 15);

    out->dst = operand(x, in->dst[0], is64);
    out->src[0] = operand(x, in->src[0], !(in->mod & MOD_ATOM_ADDR32));
    out->src[1] = operand(x, in->src[1], is64);
    out->src[2] = operand(x, in->src[2], is64);
    out->imm = in->imm;
}

/* pack and unpack: the list holds the parts; the whole is dst or src[0]. */
static void encode_pack(struct enc *x, const struct ir_inst *in, struct inst *out)
{
    u32 n = in->mod & 15;
    bool is64 = n * (in->mod >> 4) == 8, pack = in->op == OP_pack;

    out->list = add_list(x, pack ? in->src : in->dst, n, false);
    if (pack)
        out->dst = operand(x, in->dst[0], is64);
    else
        out->src[0] = operand(x, in->src[0], is64);
}

static void encode_compare(struct enc *x, const struct ir_inst *in, struct inst *out)
{
    bool is64 = opnd_is_64(op_info[in->op].src[0]);

    out->src[0] = operand(x, in->src[0], is64);
    out->src[1] = operand(x, in->src[1], is64);
    out->dst =
        in->mod & MOD_SET_Q ? predicate(x, in->dst[0], false) : operand(x, in->dst[0], false);
}

static void encode_plain(struct enc *x, const struct ir_inst *in, struct inst *out)
{
    const struct op_info *o = &op_info[in->op];

    out->dst = operand(x, in->dst[0], false);
    out->imm = in->imm;
    for (u32 i = 0; i < 4; i++) {
        bool is64 = o->src[i] == OT_NONE ? is_64(x, in->src[i]) : opnd_is_64(o->src[i]);

        if (in->op == OP_cvt_x)
            is64 = opnd_is_64(in->mod >> MOD_CVT_SRC & 15) || in->mod & MOD_CVT_SRC64;
        if (in->op == OP_callx || in->op == OP_prefetch || in->op == OP_discard ||
            in->op == OP_applypriority)
            is64 = is_64(x, in->src[i]);
        out->src[i] = operand(x, in->src[i], is64);
    }
}

/* D, A, B and C; those of f64 are pairs. */
static void encode_mma(struct enc *x, const struct ir_inst *in, struct inst *out)
{
    struct mma_shape s = mma_shape(in->op, in->mod);
    bool is64 = in->op == OP_mma_f64;

    out->list = add_list(x, in->dst, s.d, is64);
    add_list(x, in->src, s.a + s.b + s.c, is64);
}

static u32 block_pc(const struct enc *x, u32 block)
{
    return block == IR_NONE ? PC_NONE : x->out->pc + x->f->block[block].first;
}

static void encode_jump(struct enc *x, const struct ir_inst *in, u32 block, struct inst *out)
{
    if (in->op == OP_bra)
        out->target = block_pc(x, in->target);
    else
        out->list = in->target, out->src[0] = operand(x, in->src[0], false);
    out->reconv = block_pc(x, x->f->block[block].ipdom);
}

static void encode_inst(struct enc *x, const struct ir_inst *in, u32 block, struct inst *out)
{
    *out = (struct inst){.op = in->op, .mod = in->mod, .dst = OPND_NONE};
    for (u32 i = 0; i < 4; i++)
        out->src[i] = OPND_NONE;
    out->guard = predicate(x, in->guard, in->guard_not);
    out->pdst = predicate(x, in->pdst, false);
    out->psrc = predicate(x, in->psrc, in->psrc_not);
    switch (op_info[in->op].form) {
    case FORM_CMP:
        encode_compare(x, in, out);
        return;
    case FORM_LD:
    case FORM_ST:
        encode_memory(x, in, out);
        return;
    case FORM_ATOM:
        encode_atom(x, in, out);
        return;
    case FORM_TEX:
        encode_plain(x, in, out);
        out->list = add_list(x, in->dst, 4, false);
        if (in->mod & MOD_TEX_LEVEL)
            add_list(x, &in->src[4], 1, false);
        return;
    case FORM_MMA:
        encode_mma(x, in, out);
        return;
    case FORM_PRED:
        out->imm = in->imm;
        for (u32 i = 0; i < 2; i++)
            out->src[i] = predicate(x, in->src[i], false);
        return;
    default:
        break;
    }
    if (in->op == OP_bra || in->op == OP_brx) {
        encode_jump(x, in, block, out);
    } else if (in->op == OP_pack || in->op == OP_unpack) {
        encode_pack(x, in, out);
    } else {
        encode_plain(x, in, out);
        if (in->op == OP_call || in->op == OP_callx)
            out->list = in->target;
    }
}

static void fill_constants(struct enc *x)
{
    struct func *o = x->out;

    o->consts = xcalloc_lines(x->n_const + 2, ROW_BYTES);
    for (u32 i = 0; i < 2 * x->f->n_imm; i++) {
        if (x->const_row[i] == IR_NONE)
            continue;
        u8 *row = o->consts + (size_t)x->const_row[i] * ROW_BYTES;

        for (u32 lane = 0; lane < LANES; lane++)
            memcpy(row + lane * (i & 1 ? 8 : 4), &x->f->imm[i / 2], i & 1 ? 8 : 4);
    }
}

static void copy_tables(struct enc *x)
{
    struct func *o = x->out;

    o->n_table = x->f->n_table;
    o->table = xcalloc(o->n_table + 1, sizeof o->table[0]);
    for (u32 t = 0; t < o->n_table; t++) {
        const struct ir_table *from = &x->f->table[t];

        o->table[t] = xcalloc(from->n + 1, sizeof(u32));
        o->table[t][0] = from->n;
        for (u32 i = 0; i < from->n; i++)
            o->table[t][i + 1] = block_pc(x, from->target[i]);
    }
    o->n_site = x->f->n_site;
    o->site = xcalloc(o->n_site + 1, sizeof o->site[0]);
    for (u32 i = 0; i < o->n_site; i++) {
        const struct ir_site *from = &x->f->site[i];
        struct call_site *to = &o->site[i];

        *to = (struct call_site){.func = from->func, .n_arg = from->n_arg, .n_ret = from->n_ret};
        to->arg = xcalloc(from->n_arg + 1, sizeof to->arg[0]);
        to->ret = xcalloc(from->n_ret + 1, sizeof to->ret[0]);
        memcpy(to->arg, from->arg, from->n_arg * sizeof to->arg[0]);
        memcpy(to->ret, from->ret, from->n_ret * sizeof to->ret[0]);
    }
}

/* The number that decides a row's register bank: its own, or the one in its PTX name. */
static void number_rows(struct enc *x, bool lowered)
{
    struct func *o = x->out;

    o->row_number = xcalloc(x->f->n_row + 1, sizeof o->row_number[0]);
    for (u32 r = 0; r < x->f->n_row; r++)
        o->row_number[r] = (s32)r;
    for (u32 r = 0; r < x->f->n_reg && !lowered; r++)
        if (x->f->cls[r] != IRC_PRED && x->f->row[r] != OPND_NONE)
            for (u32 h = 0; h < (x->f->cls[r] == IRC_64 ? 2u : 1u); h++)
                o->row_number[x->f->row[r] + h] = x->f->number[r];
}

static struct reg_ref ref_to(const struct enc *x, u32 reg, bool lowered)
{
    u16 row = x->f->row[reg];
    u8 cls = x->f->cls[reg];
    u8 kind = cls == IRC_PRED ? REG_PRED : cls == IRC_64 ? REG_64 : REG_32;
    s32 number = !lowered ? x->f->number[reg] : kind == REG_PRED ? -1 : row;

    return (struct reg_ref){row, kind, (s16)(number > INT16_MAX ? number & INT16_MAX : number)};
}

static void add_use(const struct enc *x, struct inst_regs *r, u32 opnd, bool lowered)
{
    if (opnd != IR_NONE && ir_is_reg(opnd) && x->f->row[opnd] != OPND_NONE)
        r->use[r->n_use++] = ref_to(x, opnd, lowered);
}

static void add_def(const struct enc *x, struct inst_regs *r, u32 opnd, bool lowered)
{
    if (opnd != IR_NONE && x->f->row[opnd] != OPND_NONE)
        r->def[r->n_def++] = ref_to(x, opnd, lowered);
}

static struct inst_regs regs_of(const struct enc *x, const struct ir_inst *in, bool lowered)
{
    struct inst_regs r = {.n_use = 0};

    add_use(x, &r, in->guard, lowered);
    r.guarded = r.n_use != 0;
    for (u32 i = 0; i < LEN(in->src); i++) {
        add_use(x, &r, in->src[i], lowered);
        r.n_other += in->src[i] != IR_NONE && !ir_is_reg(in->src[i]) && in->op < OP_bra;
    }
    add_use(x, &r, in->psrc, lowered);
    r.n_other += op_info[in->op].form == FORM_LD;
    r.n_other += in->op == OP_mov_sreg || in->op == OP_mov_sreg_64;
    for (u32 i = 0; i < LEN(in->dst); i++)
        add_def(x, &r, in->dst[i], lowered);
    add_def(x, &r, in->pdst, lowered);
    return r;
}

static void add_code(struct program *p, struct enc *x)
{
    const struct ir_func *f = x->f;

    for (u32 b = 0; b < f->n_block; b++)
        for (u32 i = f->block[b].first; i < f->block[b].first + f->block[b].n; i++) {
            const struct ir_inst *in = &f->inst[i];

            encode_inst(x, in, b, &p->inst[p->n_inst + i]);
            p->regs[p->n_inst + i] = regs_of(x, in, p->lowered);
            p->loc[p->n_inst + i] = (struct src_loc){in->line, in->loc_file, in->loc_line};
        }
    p->n_inst += f->n_inst;
}

bool encode_func(struct program *p, struct func *out, const struct ir_func *f, struct err *e)
{
    struct enc x = {.f = f, .out = out};

    out->pc = p->n_inst;
    out->n_inst = f->n_inst;
    out->n_row = f->n_row;
    out->n_pred = f->n_pred;
    out->max_live = f->max_live;
    out->n_spill = f->n_spill;
    out->frame = (u32)align_up(f->frame, 16);
    if (!f->is_entry && !out->frame)
        out->frame = 16; /* so that calls without end run out of frames */
    x.const_row = xmalloc((2 * f->n_imm + 1) * sizeof(u32));
    memset(x.const_row, 0xff, (2 * f->n_imm + 1) * sizeof(u32));
    add_code(p, &x);
    fill_constants(&x);
    copy_tables(&x);
    number_rows(&x, p->lowered);
    free(x.const_row);
    out->list = x.list.at;
    if (x.n_const >= MAX_ROWS)
        return err_set(e, "%s uses more than %u different constants", f->name, MAX_ROWS);
    return true;
}
