/* select_mem.c -- loads, stores, atomics */
#include "ptx/select/select_int.h"

#include <string.h>

#define O(k) (&s->in->opnd[k])

/* The element's opcode within a block of LOADS or STORES of op.def. */
static u32 load_index(enum ptx_type t)
{
    switch (t) {
    case PT_B8:
    case PT_U8:
        return 0;
    case PT_S8:
        return 1;
    case PT_B16:
    case PT_U16:
    case PT_F16:
    case PT_BF16:
        return 2;
    case PT_S16:
        return 3;
    case PT_S32:
        return 5;
    case PT_B64:
    case PT_U64:
    case PT_S64:
    case PT_F64:
        return 6;
    default:
        return 4;
    }
}

static u32 store_index(enum ptx_type t)
{
    u32 bytes = ptx_type_bytes(t);

    return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
}

bool sel_data_type_ok(struct sel *s)
{
    enum ptx_type t = s->s.type[0];

    if (t == PT_PRED || ptx_type_bytes(t) > 8 || ptx_type_bytes(t) == 0)
        return sel_fail(s, s->in->col, "%s: type '.%s' is not supported", s->in->name,
                        ptx_type_name(t));
    return true;
}

/*
 * The PTX ISA's tables of operands wider than the instruction's type: bits go anywhere, floats to
 * registers of bits, integers to whatever is no float.
 */
bool sel_may_be_wider(enum ptx_type t, enum ptx_type reg)
{
    if (ptx_type_is_bits(t))
        return true;
    return ptx_type_is_float(t) ? ptx_type_is_bits(reg) : !ptx_type_is_float(reg);
}

/* A register that holds an element may be wider than it. */
static bool data_reg(struct sel *s, const struct ptx_opnd *o, bool is_dst, u32 *out, bool *is64)
{
    enum ptx_type t = s->s.type[0];
    u32 bytes = ptx_type_bytes(t);

    *is64 = bytes == 8;
    if (o->kind != PO_REG)
        return is_dst ? sel_dst_or_none(s, o, t, out) : sel_src(s, o, bytes == 1 ? PT_B16 : t, out);
    enum ptx_type r = s->pf->reg[o->reg].type;
    u32 have = ptx_type_bytes(r);

    if (r == PT_PRED || have < bytes || (have != bytes && !sel_may_be_wider(t, r)))
        return sel_fail(s, o->col, "%s: %s is declared .%s; a register that holds .%s is needed",
                        s->in->name, s->pf->reg[o->reg].name, ptx_type_name(r), ptx_type_name(t));
    *is64 = have == 8;
    *out = o->reg;
    return true;
}

bool sel_data_regs(struct sel *s, const struct ptx_opnd *o, bool is_dst, u32 *out, bool *is64)
{
    u32 n = s->s.vec;

    if (n == 1 && o->kind != PO_VEC)
        return data_reg(s, o, is_dst, out, is64);
    if (o->kind == PO_VEC && n == 1)
        return sel_fail(s, o->col, "%s: a vector operand needs .v2, .v4 or .v8", s->in->name);
    if (o->kind != PO_VEC || o->n_elem != n)
        return sel_fail(s, o->col, "%s: a vector of %u registers is needed, as in {%%a, %%b}",
                        s->in->name, n);
    bool first = false;

    for (u32 i = 0; i < n; i++) {
        if (!data_reg(s, &o->elem[i], is_dst, &out[i], is64))
            return false;
        if (o->elem[i].kind == PO_SINK)
            *is64 = i ? first : *is64;
        else if (i && out[i - 1] != IR_NONE && *is64 != first)
            return sel_fail(s, o->elem[i].col, "%s: the registers of a vector must have one size",
                            s->in->name);
        first = *is64;
    }
    return true;
}

/* ld.param in a function reads its frame; in a kernel, the launch's parameter block. */
static enum ptx_space effective_space(struct sel *s, const struct ptx_opnd *addr)
{
    if (s->s.space != PS_PARAM)
        return s->s.space;
    const struct ptx_opnd *b = addr->kind == PO_ADDR ? addr->elem : NULL;

    if (s->pf->is_entry &&
        !(b && b->kind == PO_VAR && b->var->func == s->pf && sel_is_frame_param(s, b->var)))
        return PS_PARAM;
    return PS_LOCAL;
}

bool sel_is_frame_param(const struct sel *s, const struct ptx_var *v)
{
    for (u32 i = 0; i < s->pf->n_param; i++)
        if (s->pf->param[i] == v)
            return !s->pf->is_entry;
    return true;
}

static enum op block_of(enum ptx_space space, bool load)
{
    static const u16 ld[N_PS] = {
        OP_ld_generic_u8, 0, OP_ld_const_u8, OP_ld_global_u8, OP_ld_local_u8, OP_ld_param_u8,
        OP_ld_shared_u8,  0};
    static const u16 st[N_PS] = {OP_st_generic_8, 0,    N_OP,           OP_st_global_8,
                                 OP_st_local_8,   N_OP, OP_st_shared_8, 0};

    return load ? ld[space] : st[space];
}

struct ir_inst *sel_emit_access(struct sel *s, enum ptx_space space, bool load, const u32 *reg,
                                bool is64)
{
    enum ptx_type t = s->s.type[0];
    struct ir_inst *in =
        sel_emit(s, block_of(space, load) + (load ? load_index(t) : store_index(t)));

    in->mod = (u16)((s->s.vec & MOD_VEC) | (is64 && ptx_type_bytes(t) < 8 ? MOD_WIDE : 0));
    memcpy(load ? in->dst : &in->src[1], reg, s->s.vec * sizeof reg[0]);
    return in;
}

/* 32 bytes at once are for 32- and 64-bit types in global memory (PTX 8.8). */
static bool vector_ok(struct sel *s, bool is64)
{
    u32 each = ptx_type_bytes(s->s.type[0]);

    if (s->s.vec * each > 16 && (s->s.space != PS_GLOBAL || s->s.vec * each > 32))
        return sel_fail(s, s->in->col, "%s: a vector may have at most %u bytes", s->in->name,
                        s->s.space == PS_GLOBAL ? 32 : 16);
    if (s->s.vec == 8 && each < 4)
        return sel_fail(s, s->in->col, "%s: .v8 takes types of 32 bits, not '.%s'", s->in->name,
                        ptx_type_name(s->s.type[0]));
    if (s->s.vec == 8 && is64)
        return sel_fail(s, s->in->col, "%s: .v8 takes registers of 32 bits", s->in->name);
    return true;
}

/* .L2::cache_hint has a policy as its last operand, which no cache here knows how to follow. */
static u32 hints(const struct sel *s)
{
    for (u32 i = 0; i < s->in->n_suf; i++)
        if (!strcmp(s->in->suf[i], "L2::cache_hint"))
            return 1;
    return 0;
}

/* The operands are n, and the policy if there is to be one. */
static bool count_and_hint(struct sel *s, u32 n)
{
    u32 policy, more = hints(s);

    return sel_count(s, n + more, n + more) && (!more || sel_src(s, O(n), PT_B64, &policy));
}

static bool sel_access(struct sel *s, bool load)
{
    const struct ptx_opnd *addr = O(load ? 1 : 0), *data = O(load ? 0 : 1);
    enum ptx_space space = effective_space(s, addr);
    bool is64 = false, addr32, frame;
    u32 reg[8], base;
    s64 imm;

    if (!sel_data_type_ok(s) || !count_and_hint(s, 2) ||
        !sel_addr(s, addr, s->s.space, &base, &imm, &addr32, &frame) ||
        !sel_data_regs(s, data, load, reg, &is64))
        return false;
    if (!vector_ok(s, is64))
        return false;
    if (block_of(space, load) == N_OP)
        return sel_fail(s, s->in->col, "st: .%s memory cannot be written",
                        space == PS_CONST ? "const" : "param");
    struct ir_inst *in = sel_emit_access(s, space, load, reg, is64);

    in->mod |= (u16)((addr32 ? MOD_ADDR32 : 0) | (frame ? MOD_FRAME : 0) |
                     (s->s.is_volatile ? MOD_VOLATILE : 0) | (u32)s->s.cache << MOD_CACHE);
    in->src[0] = base, in->imm = imm;
    return true;
}

static bool sel_ld(struct sel *s)
{
    if (s->s.cache == CACHE_NC && s->s.space != PS_GLOBAL)
        return sel_fail(s, s->in->col, "ld: .nc is for .global only");
    return sel_access(s, true);
}

static bool sel_ldu(struct sel *s)
{
    return sel_access(s, true);
}

static bool sel_st(struct sel *s)
{
    return sel_access(s, false);
}

/* ---- atom, red */

static bool atom_type_ok(struct sel *s, u32 op)
{
    enum ptx_type t = s->s.type[0];
    bool bits = t == PT_B32 || t == PT_B64;
    bool ints = t == PT_U32 || t == PT_S32 || t == PT_U64 || t == PT_S64;

    switch (op) {
    case ATOM_ADD:
        return ints || ptx_type_is_float(t);
    case ATOM_CAS:
        return bits || ints || t == PT_B16;
    case ATOM_MIN:
    case ATOM_MAX:
        return ints;
    case ATOM_INC:
    case ATOM_DEC:
        return t == PT_U32;
    case ATOM_EXCH:
        return bits || ints;
    default:
        return bits;
    }
}

enum opnd_type sel_atom_opnd(enum ptx_type t)
{
    switch (t) {
    case PT_S32:
        return OT_s32;
    case PT_F32:
        return OT_f32;
    case PT_S64:
        return OT_s64;
    case PT_F64:
        return OT_f64;
    case PT_F16:
        return OT_f16;
    case PT_BF16:
        return OT_bf16;
    case PT_F16X2:
        return OT_f16x2;
    case PT_BF16X2:
        return OT_bf16x2;
    case PT_B16:
        return OT_u16;
    default:
        return ptx_type_bytes(t) == 8 ? OT_u64 : OT_u32;
    }
}

bool sel_atom_operation(struct sel *s, bool has_dst, u32 *op)
{
    static const u8 logic[] = {0, ATOM_AND, ATOM_OR, ATOM_XOR};

    if (!(s->s.have & (S_ATOM | S_BOOL)) || s->s.bool_op > 3)
        return sel_fail(s, s->in->col, "%s needs an operation such as .add", s->in->name);
    *op = s->s.have & S_BOOL ? logic[s->s.bool_op] : s->s.atom;
    if (!has_dst && (*op == ATOM_CAS || *op == ATOM_EXCH))
        return sel_fail(s, s->in->col, "red: .%s needs a result; use atom",
                        *op == ATOM_CAS ? "cas" : "exch");
    if (ptx_type_is_half(s->s.type[0]) != ((s->s.have & S_NOFTZ) != 0))
        return sel_fail(s, s->in->col,
                        "%s: .noftz is for types of 16 bits, which need it, as in "
                        "atom.add.noftz.f16",
                        s->in->name);
    if (!atom_type_ok(s, *op))
        return sel_fail(s, s->in->col, "%s: this operation does not exist for type '.%s'",
                        s->in->name, ptx_type_name(s->s.type[0]));
    return true;
}

static bool sel_atomic(struct sel *s, bool has_dst)
{
    u32 k = has_dst, op = 0, base, dst = IR_NONE, b, c = IR_NONE;
    enum ptx_type t = s->s.type[0];
    enum ptx_space sp = s->s.space;
    bool addr32, frame;
    s64 imm;

    if (!sel_atom_operation(s, has_dst, &op) || !count_and_hint(s, k + 2 + (op == ATOM_CAS)))
        return false;
    if (sp != PS_NONE && sp != PS_GLOBAL && sp != PS_SHARED)
        return sel_fail(s, s->in->col, "%s works on .global, .shared or generic addresses",
                        s->in->name);
    if (!sel_addr(s, O(k), sp, &base, &imm, &addr32, &frame) || !sel_src(s, O(k + 1), t, &b))
        return false;
    if ((op == ATOM_CAS && !sel_src(s, O(k + 2), t, &c)) ||
        (has_dst && !sel_dst_or_none(s, O(0), t, &dst)))
        return false;
    enum op o = sp == PS_GLOBAL   ? OP_atom_global
                : sp == PS_SHARED ? OP_atom_shared
                                  : OP_atom_generic;
    struct ir_inst *in = sel_emit(s, has_dst ? o : o + (OP_red_global - OP_atom_global));

    in->mod = (u16)(op | (u32)sel_atom_opnd(t) << MOD_ATOM_TYPE | (addr32 ? MOD_ATOM_ADDR32 : 0));
    in->dst[0] = dst, in->src[0] = base, in->src[1] = b, in->src[2] = c, in->imm = imm;
    return true;
}

static bool sel_atom(struct sel *s)
{
    return sel_atomic(s, true);
}

static bool sel_red(struct sel *s)
{
    return sel_atomic(s, false);
}

static bool sel_prefetch(struct sel *s)
{
    u32 base;
    s64 imm;
    bool addr32, frame;

    if (!sel_addr(s, O(0), s->s.space, &base, &imm, &addr32, &frame))
        return false;
    struct ir_inst *in = sel_emit(s, OP_prefetch);

    in->src[0] = base, in->imm = imm;
    in->mod = addr32 ? MOD_ADDR32 : 0;
    return true;
}

/* A line of 128 bytes: discard.global.L2 [a], 128 and applypriority.global.L2::evict_normal */
static bool sel_line(struct sel *s)
{
    bool discard = s->in->name[0] == 'd', addr32, frame;
    const char *level = discard ? "L2" : "L2::evict_normal";
    u32 base, n = s->in->n_suf;
    s64 imm;

    if (n == 0 || strcmp(s->in->suf[n - 1], level) ||
        (s->s.have & S_SPACE && s->s.space != PS_GLOBAL))
        return sel_fail(s, s->in->col, "%s is written %s.global.%s [a], 128", s->in->name,
                        s->in->name, level);
    if (O(1)->kind != PO_INT || O(1)->imm != 128)
        return sel_fail(s, O(1)->col, "%s: the size is 128", s->in->name);
    if (!sel_addr(s, O(0), s->s.space, &base, &imm, &addr32, &frame))
        return false;
    struct ir_inst *in = sel_emit(s, discard ? OP_discard : OP_applypriority);

    in->src[0] = base, in->imm = imm;
    in->mod = addr32 ? MOD_ADDR32 : 0;
    return true;
}

/*
 * MODEL: lines have no priorities here, so a policy is a value like any other, the same for all.
 */
static bool sel_createpolicy(struct sel *s)
{
    const char *kind = s->s.word ? s->s.word : "";
    u32 dst, src, base, n = s->in->n_opnd;
    bool addr32, frame, ok;
    s64 imm;

    if (s->s.type[0] != PT_B64)
        return sel_bad_type(s);
    if (!strcmp(kind, "fractional"))
        ok = sel_count(s, 1, 2) && (n < 2 || sel_src(s, O(1), PT_F32, &src));
    else if (!strcmp(kind, "range"))
        ok = sel_count(s, 4, 4) && sel_addr(s, O(1), s->s.space, &base, &imm, &addr32, &frame) &&
             sel_src(s, O(2), PT_U32, &src) && sel_src(s, O(3), PT_U32, &src);
    else if (!strcmp(kind, "cvt"))
        ok = sel_count(s, 2, 2) && sel_src(s, O(1), PT_B64, &src);
    else
        return sel_fail(s, s->in->col, "createpolicy needs .fractional, .range or .cvt");
    if (!ok || !sel_dst(s, O(0), PT_B64, &dst))
        return false;
    struct ir_inst *in = sel_emit(s, OP_mov_64);

    in->dst[0] = dst, in->src[0] = ir_imm(s->f, 0);
    return true;
}

enum { S_MEMORY = S_SPACE | S_VEC | S_SEM | S_SCOPE | S_CACHE | S_LEVEL | S_HALF };

enum { S_ATOMIC = S_ATOM | S_BOOL | S_SPACE | S_SEM | S_SCOPE | S_LEVEL | S_NOFTZ | S_HALF };

const struct sel_op sel_mem[] = {
    {"ld", sel_ld, S_MEMORY, 1, 1, 2, 3},
    {"ldu", sel_ldu, S_SPACE | S_VEC, 1, 1, 2, 2},
    {"st", sel_st, S_MEMORY, 1, 1, 2, 3},
    {"atom", sel_atom, S_ATOMIC, 1, 1, 3, 5},
    {"red", sel_red, S_ATOMIC, 1, 1, 2, 4},
    {"prefetch", sel_prefetch, S_SPACE | S_LEVEL, 0, 0, 1, 1},
    {"prefetchu", sel_prefetch, S_LEVEL, 0, 0, 1, 1},
    {"discard", sel_line, S_SPACE | S_LEVEL, 0, 0, 2, 2},
    {"applypriority", sel_line, S_SPACE | S_LEVEL, 0, 0, 2, 2},
    {"createpolicy", sel_createpolicy, S_WORD | S_SPACE | S_LEVEL, 1, 1, 1, 4},
    {NULL, NULL, 0, 0, 0, 0, 0},
};
