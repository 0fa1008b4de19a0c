/* disasm.c -- see disasm.h */
#include "ptx/disasm.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "isa/mma.h"
#include "isa/tag.h"

struct out {
    const struct program *prog;
    const struct func *func;
    const struct inst *in;
    const struct op_info *info;
    char *buf;
    size_t size, n;
    bool more; /* an operand has been written: the next needs a comma */
};

static void put_text(struct out *o, const char *fmt, ...) PRINTF(2, 3);

static void put_text(struct out *o, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(o->buf + o->n, o->size - o->n, fmt, ap);
    va_end(ap);
    o->n += (size_t)n;
    if (o->n >= o->size)
        o->n = o->size - 1;
}

/* --- operands --- */

enum shape { AS_32, AS_64, AS_F32, AS_F64 };

static void put_float(struct out *o, double v, const char *text)
{
    if (isfinite(v))
        put_text(o, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
    else
        put_text(o, "%s", isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
}

/* The fewest digits that give the same float again. */
static void put_f32(struct out *o, float v)
{
    char text[TEXT_NUMBER];
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, (double)v);
        if (strtof(text, NULL) == v)
            break;
    }
    put_float(o, (double)v, text);
}

/* An address of a variable, which is known by its tag, by the variable's name. */
static bool put_var(struct out *o, u64 v)
{
    for (u32 i = 0; v >> TAG_SHIFT && i < o->prog->n_var; i++) {
        const struct var *var = &o->prog->var[i];

        if ((var->addr ^ v) >> TAG_SHIFT)
            continue;
        put_text(o, "%s", var->name);
        if (v != var->addr)
            put_text(o, "%+" PRId64, (s64)(v - var->addr));
        return true;
    }
    return false;
}

/* Small numbers, also negative ones, as people write them; the rest are masks or addresses. */
static void put_immediate(struct out *o, u64 v, u32 bits)
{
    s64 s = bits == 32 ? (s64)(s32)(u32)v : (s64)v;
    if (s > -65536 && s < 1 << 20)
        put_text(o, "%" PRId64, s);
    else if (bits == 32 || !put_var(o, v))
        put_text(o, "0x%" PRIx64, bits == 32 ? v & 0xffffffffu : v);
}

static void put_const(struct out *o, u32 row, enum shape shape)
{
    const u8 *at = o->func->consts + (size_t)row * ROW_BYTES;
    u64 v = 0;
    float f;
    double d;
    char text[TEXT_NUMBER];
    memcpy(&v, at, shape == AS_64 || shape == AS_F64 ? 8 : 4);
    memcpy(&f, at, sizeof(f));
    memcpy(&d, at, sizeof(d));
    if (shape == AS_F32)
        put_f32(o, f);
    else if (shape == AS_F64)
        put_float(o, d, text_show_real(d, text, sizeof(text)));
    else
        put_immediate(o, v, shape == AS_64 ? 64 : 32);
}

static void put_opnd(struct out *o, u16 opnd, enum shape shape)
{
    if (opnd == OPND_NONE)
        put_text(o, "_");
    else if (opnd & OPND_CONST)
        put_const(o, opnd & ~OPND_CONST & 0xffff, shape);
    else
        put_text(o, shape == AS_64 || shape == AS_F64 ? "rd%u" : "r%u", opnd);
}

static void comma(struct out *o)
{
    put_text(o, o->more ? ", " : " ");
    o->more = true;
}

static void next_opnd(struct out *o, u16 opnd, enum shape shape)
{
    comma(o);
    put_opnd(o, opnd, shape);
}

static void next_pred(struct out *o, u16 pred)
{
    comma(o);
    put_text(o, "%sp%u", pred & PRED_NOT ? "!" : "", pred & ~PRED_NOT & 0xffff);
}

static void next_part(struct out *o, u32 first, u32 n, enum shape shape)
{
    comma(o);
    put_text(o, "{");
    for (u32 i = 0; i < n; i++) {
        put_text(o, "%s", i ? ", " : "");
        put_opnd(o, o->func->list[o->in->list + first + i], shape);
    }
    put_text(o, "}");
}

static void next_list(struct out *o, u32 n, enum shape shape)
{
    next_part(o, 0, n, shape);
}

static void next_address(struct out *o, bool is32)
{
    comma(o);
    put_text(o, "[");
    bool base = o->in->src[0] != OPND_NONE;
    if (base)
        put_opnd(o, o->in->src[0], is32 ? AS_32 : AS_64);
    if (!base) {
        put_immediate(o, (u64)o->in->imm, 64);
    } else if ((u64)o->in->imm >> TAG_SHIFT && (u64)o->in->imm >> TAG_SHIFT <= N_TAG) {
        put_text(o, "+");
        put_immediate(o, (u64)o->in->imm, 64);
    } else if (o->in->imm) {
        put_text(o, "%+" PRId64, o->in->imm);
    }
    put_text(o, "]");
}

static bool moves_float(const struct inst *in)
{
    return in->mod & MOD_FLOAT && (in->op == OP_mov_32 || in->op == OP_mov_64 ||
                                   in->op == OP_selp_32 || in->op == OP_selp_64);
}

/* Some float operations work on the bits: then only the name tells that they are floats. */
static enum shape shown_as(const struct out *o, enum opnd_type t)
{
    if (moves_float(o->in))
        return opnd_is_64(t) ? AS_F64 : AS_F32;
    const char *name = o->info->name;
    bool bits = true;
    for (u32 i = 0; i < 4; i++)
        bits = bits && o->info->src[i] != OT_f32 && o->info->src[i] != OT_f64;
    if (t == OT_f32 || (bits && t == OT_u32 && text_ends(name, ".f32")))
        return AS_F32;
    if (t == OT_f64 || (bits && t == OT_u64 && text_ends(name, ".f64")))
        return AS_F64;
    return opnd_is_64(t) ? AS_64 : AS_32;
}

/* --- mnemonics --- */

static const char *const type_name[] = {
    [OT_NONE] = "none", [OT_u8] = "u8",     [OT_s8] = "s8",       [OT_u16] = "u16",
    [OT_s16] = "s16",   [OT_u32] = "u32",   [OT_s32] = "s32",     [OT_f32] = "f32",
    [OT_u64] = "u64",   [OT_s64] = "s64",   [OT_f64] = "f64",     [OT_PRED] = "pred",
    [OT_f16] = "f16",   [OT_bf16] = "bf16", [OT_f16x2] = "f16x2", [OT_bf16x2] = "bf16x2",
};

/* The name with the modifiers before its last part. */
static void put_name(struct out *o, const char *name, const char *mods)
{
    const char *dot = strrchr(name, '.');
    if (dot)
        put_text(o, "%.*s%s%s", (int)(dot - name), name, mods, dot);
    else
        put_text(o, "%s%s", name, mods);
}

static const char *rounding(u32 mod)
{
    static const char *const words[] = {"", ".rz", ".rm", ".rp"};
    return words[mod & MOD_RND];
}

/* Conversions that have opcodes of their own and modifiers: those stand before the types. */
static void cvt_name(struct out *o)
{
    const char *types = o->info->name + strlen("cvt");
    u32 mod = o->in->mod;
    if (o->in->op >= OP_cvt_pack) {
        put_text(o, "%s.%c%u.s32%s", o->info->name, mod & MOD_PACK_SIGNED ? 's' : 'u',
                 mod & MOD_PACK_BITS, o->in->op == OP_cvt_pack_c ? ".b32" : "");
        return;
    }
    if (strncmp(types, ".rn", 3) == 0)
        types += 3;
    if (strncmp(types, ".satfinite", 10) == 0)
        types += 10;
    put_text(o, "cvt%s%s%s%s",
             mod & MOD_RNA   ? ".rna"
             : mod & MOD_RND ? rounding(mod)
                             : ".rn",
             mod & MOD_RELU ? ".relu" : "", mod & MOD_SATFINITE ? ".satfinite" : "", types);
}

static void alu_name(struct out *o)
{
    const char *name = o->info->name;
    u32 mod = o->in->mod;
    char mods[32] = "";
    if (moves_float(o->in)) {
        put_text(o, "%.*sf%s", (int)(strlen(name) - 3), name,
                 name + strlen(name) - 2); /* mov.b32 */
        return;
    }
    if (o->in->op >= OP_cvt_x_f16_f32 && o->in->op <= OP_cvt_pack_c) {
        cvt_name(o);
        return;
    }
    if (text_ends(name, ".f32") || text_ends(name, ".f64") || strstr(name, "f16")) /* bf16x2 .. */
        snprintf(mods, sizeof(mods), "%s%s%s%s%s%s", rounding(mod),
                 mod & MOD_FTZ && !strstr(name, ".ftz") ? ".ftz" : "", mod & MOD_SAT ? ".sat" : "",
                 mod & MOD_NAN ? ".NaN" : "",
                 mod & MOD_XORSIGN && !strstr(name, "xorsign") ? ".xorsign.abs" : "",
                 mod & MOD_RELU ? ".relu" : "");
    else if (strncmp(name, "bfind", 5) == 0 && mod)
        snprintf(mods, sizeof(mods), ".shiftamt");
    else if (o->in->op == OP_lop3_p)
        snprintf(mods, sizeof(mods), "%s", mod & MOD_LOP3_AND ? ".and" : ".or");
    else if (mod && o->in->op != OP_lop3)
        snprintf(mods, sizeof(mods), ".mode%u", mod);
    put_name(o, name, mods);
}

static void memory_name(struct out *o)
{
    static const char *const cache[8] = {"", ".cg", ".cs", ".lu", ".cv", ".nc", ".wt", ".ca"};
    u32 mod = o->in->mod, n = mod_vec(mod);
    char mods[32];
    if (o->info->flags & OPF_CROSS) {
        put_text(o, "%s.x%u%s", o->info->name, n, mod & MOD_TRANS ? ".trans" : "");
        return;
    }
    snprintf(mods, sizeof(mods), "%s%s%s%s", mod & MOD_VOLATILE ? ".volatile" : "",
             cache[mod >> MOD_CACHE & 7],
             n == 2   ? ".v2"
             : n == 4 ? ".v4"
             : n == 8 ? ".v8"
                      : "",
             mod & MOD_FRAME ? ".frame" : "");
    put_name(o, o->info->name, mods);
}

static void compare_name(struct out *o)
{
    static const char *const words[] = {"", ".and", ".or", ".xor"};
    static const char *const orders[16] = {"",     ".lt",  ".eq",  ".le",  ".gt",  ".ne",
                                           ".ge",  ".num", ".nan", ".ltu", ".equ", ".leu",
                                           ".gtu", ".neu", ".geu", ""};
    u32 mod = o->in->mod;
    bool pair = mod >> MOD_CMP & 15;
    const char *set = mod & MOD_SET_U32    ? ".u32"
                      : mod & MOD_SET_F32  ? ".f32"
                      : mod & MOD_SET_F16  ? pair ? ".f16x2" : ".f16"
                      : mod & MOD_SET_BF16 ? pair ? ".bf16x2" : ".bf16"
                                           : "";
    char mods[32];
    snprintf(mods, sizeof(mods), "%s%s%s%s", orders[mod >> MOD_CMP & 15],
             words[(mod & MOD_BOOL) >> 4], mod & MOD_FTZ ? ".ftz" : "", set);
    if (set[0])
        put_text(o, "set"); /* of "setp.lt.f32" */
    put_name(o, o->info->name + (set[0] ? 4 : 0), mods);
}

static void atom_name(struct out *o)
{
    static const char *const words[N_ATOM] = {"add",
                                              "min",
                                              "max",
                                              "inc",
                                              "dec",
                                              "and",
                                              "or",
                                              "xor",
                                              "exch",
                                              "cas",
                                              "mbarrier_arrive",
                                              "mbarrier_arrive_drop"};
    put_text(o, "%s.%s.%s", o->info->name, words[o->in->mod & MOD_ATOM_OP],
             type_name[o->in->mod >> MOD_ATOM_TYPE & 15]);
}

/* --- forms --- */

/* What stands after the first destination: pdst, sources, psrc. */
static void put_sources(struct out *o)
{
    const struct inst *in = o->in;
    if (in->pdst != PRED_NONE)
        next_pred(o, in->pdst);
    for (u32 i = 0; i < 4; i++)
        if (in->src[i] != OPND_NONE)
            next_opnd(o, in->src[i], shown_as(o, o->info->src[i]));
    if (in->psrc != PRED_NONE)
        next_pred(o, in->psrc);
}

/* ".h32": the parts that a selector or a mask names, the highest first. */
static void put_selected_parts(struct out *o, u32 n, u32 shift, bool is_mask)
{
    u64 how = (u64)o->in->imm >> shift;

    put_text(o, "%s", n == 2 ? ".h" : ".b");
    for (u32 i = n; i-- > 0;)
        if (!is_mask)
            put_text(o, "%u", (u32)(how >> 3 * i & 7));
        else if (how >> i & 1)
            put_text(o, "%u", i);
}

/* Video instructions: the types, and the selectors behind their operands. */
static void put_video(struct out *o)
{
    static const char *const part[8] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1", ""};
    static const char *const seconds[4] = {"", ".add", ".min", ".max"};
    static const char *const orders[8] = {"", ".lt", ".eq", ".le", ".gt", ".ne", ".ge", ""};
    const struct inst *in = o->in;
    u64 how = (u64)in->imm;
    u32 n = in->op < OP_vadd2 ? 0 : in->op < OP_vadd4 ? 2 : 4;
    bool set = how >> VID_CMP & 7;

    put_text(o, "%s%s.%s.%s%s%s%s", o->info->name,
             set                  ? ""
             : how & VID_D_SIGNED ? ".s32"
                                  : ".u32",
             how & VID_A_SIGNED ? "s32" : "u32", how & VID_B_SIGNED ? "s32" : "u32",
             orders[how >> VID_CMP & 7], how & VID_SAT ? ".sat" : "",
             seconds[how >> VID_SECOND & 3]);
    put_text(o, "%s%s%s%s", how & VID_WRAP ? ".wrap" : "", how & VID_PLUS_ONE ? ".po" : "",
             how & VID_SHR7 ? ".shr7" : "", how & VID_SHR15 ? ".shr15" : "");
    next_opnd(o, in->dst, AS_32);
    if (n)
        put_selected_parts(o, n, VID_MASK, true);
    else
        put_text(o, "%s", part[how >> VID_D_SEL & 7]);
    next_opnd(o, in->src[0], AS_32);
    put_text(o, "%s", n ? "" : part[how >> VID_A_SEL & 7]);
    if (n)
        put_selected_parts(o, n, VID_A_PART, false);
    next_opnd(o, in->src[1], AS_32);
    put_text(o, "%s", n ? "" : part[how >> VID_B_SEL & 7]);
    if (n)
        put_selected_parts(o, n, VID_B_PART, false);
    next_opnd(o, in->src[2], AS_32);
    put_text(o, "%s",
             how & VID_NEG_AB  ? " (product negated)"
             : how & VID_NEG_C ? " (negated)"
                               : "");
}

static void put_alu(struct out *o)
{
    const struct inst *in = o->in;
    if (in->op >= OP_vadd && in->op <= OP_vset4) {
        put_video(o);
        return;
    }
    alu_name(o);
    if (in->dst != OPND_NONE)
        next_opnd(o, in->dst, shown_as(o, o->info->dst));
    put_sources(o);
    if (in->op == OP_lop3 || in->op == OP_lop3_p)
        put_text(o, ", 0x%x", in->mod & 255);
}

static void put_compare(struct out *o)
{
    const struct inst *in = o->in;
    compare_name(o);
    if (in->pdst != PRED_NONE)
        next_pred(o, in->pdst);
    if (in->mod & MOD_SET_Q)
        put_text(o, "|p%u", in->dst);
    else if (in->dst != OPND_NONE)
        next_opnd(o, in->dst, AS_32);
    for (u32 i = 0; i < 2; i++)
        next_opnd(o, in->src[i], shown_as(o, o->info->src[i]));
    if (in->psrc != PRED_NONE)
        next_pred(o, in->psrc);
}

static void put_preds(struct out *o)
{
    put_text(o, "%s", o->info->name);
    next_pred(o, o->in->pdst);
    for (u32 i = 0; i < 2; i++)
        if (o->in->src[i] != PRED_NONE)
            next_pred(o, o->in->src[i]);
    if (o->in->op == OP_pset)
        put_text(o, ", %d", o->in->imm != 0);
}

static void put_load(struct out *o)
{
    const struct inst *in = o->in;
    bool is64 = opnd_is_64(o->info->dst) || in->mod & MOD_WIDE;
    memory_name(o);
    if (mod_vec(in->mod) > 1)
        next_list(o, mod_vec(in->mod), is64 ? AS_64 : AS_32);
    else
        next_opnd(o, in->dst, is64 ? AS_64 : AS_32);
    next_address(o, in->mod & MOD_ADDR32);
}

static void put_store(struct out *o)
{
    const struct inst *in = o->in;
    enum shape shape = opnd_is_64(o->info->src[1]) ? AS_64 : AS_32;
    memory_name(o);
    next_address(o, in->mod & MOD_ADDR32);
    if (mod_vec(in->mod) > 1)
        next_list(o, mod_vec(in->mod), shape);
    else
        next_opnd(o, in->src[1], shape);
}

static void put_atom(struct out *o)
{
    const struct inst *in = o->in;
    enum opnd_type t = in->mod >> MOD_ATOM_TYPE & 15;
    enum shape shape = t == OT_f32   ? AS_F32
                       : t == OT_f64 ? AS_F64
                                     : (opnd_is_64(t) ? AS_64 : AS_32);
    atom_name(o);
    if (in->dst != OPND_NONE)
        next_opnd(o, in->dst, shape);
    next_address(o, in->mod & MOD_ATOM_ADDR32);
    for (u32 i = 1; i < 3; i++)
        if (in->src[i] != OPND_NONE)
            next_opnd(o, in->src[i], shape);
}

/* "[t0" or "[rd4" */
static void put_tex_name(struct out *o, u16 handle)
{
    put_text(o, "[");
    if (handle == OPND_NONE)
        put_text(o, "t%" PRId64, o->in->imm);
    else
        put_opnd(o, handle, AS_64);
}

static void put_tex(struct out *o)
{
    static const char *const types[] = {"f32", "s32", "u32", "?"};
    u32 mod = o->in->mod;
    if (mod & MOD_TEX_GATHER)
        put_text(o, "tld4.%c", "rgba"[mod >> MOD_TEX_CHANNEL & 3]);
    else
        put_text(o, "tex%s%s", mod & MOD_TEX_LEVEL ? ".level" : "",
                 mod & MOD_TEX_CUBE ? ".face" : "");
    put_text(o, ".%s%ud.v4.%s.%s", mod & MOD_TEX_ARRAY ? "a" : "", mod & MOD_TEX_DIMS,
             types[mod >> MOD_TEX_TYPE & 3], mod & MOD_TEX_FLOAT ? "f32" : "s32");
    next_list(o, 4, AS_32);
    comma(o);
    put_tex_name(o, o->in->src[3]);
    for (u32 i = 0; i < 3; i++)
        if (o->in->src[i] != OPND_NONE) {
            put_text(o, ", ");
            put_opnd(o, o->in->src[i], mod & MOD_TEX_FLOAT ? AS_F32 : AS_32);
        }
    put_text(o, "]");
    if (mod & MOD_TEX_LEVEL)
        next_opnd(o, o->func->list[o->in->list + 4], AS_F32);
}

/* --- copies --- */

static void put_copy(struct out *o)
{
    const struct inst *in = o->in;
    bool cg = (in->mod >> MOD_CACHE & 7) == CACHE_CG;
    s32 to = (s32)(u32)in->imm, from = (s32)(in->imm >> 32);
    put_text(o, "%s.%s.shared.global", o->info->name, cg ? "cg" : "ca");
    comma(o);
    put_text(o, "[");
    if (in->src[0] != OPND_NONE)
        put_opnd(o, in->src[0], in->mod & MOD_ADDR32 ? AS_32 : AS_64);
    put_text(o, "%+d], [", to);
    put_opnd(o, in->src[1], AS_64);
    put_text(o, "%+d], %u", from, 4 * mod_vec(in->mod));
    if (in->src[2] != OPND_NONE)
        next_opnd(o, in->src[2], AS_32);
    if (in->psrc != PRED_NONE)
        next_pred(o, in->psrc);
}

/* --- matrices --- */

static void put_mma_types(struct out *o)
{
    u32 op = o->in->op, mod = o->in->mod, bits = 32 / mma_per(op);
    char a = mod & MOD_MMA_A_SIGNED ? 's' : 'u', b = mod & MOD_MMA_B_SIGNED ? 's' : 'u';
    if (op == OP_mma_884)
        put_text(o, ".%s.%s.%s.%s.step%u", mod & MOD_MMA_A_COL ? "col" : "row",
                 mod & MOD_MMA_B_COL ? "col" : "row", mod & MOD_MMA_D_F32 ? "f32" : "f16",
                 mod & MOD_MMA_C_F32 ? "f32" : "f16", mod >> MOD_MMA_STEP & 3);
    else if (op == OP_mma_s32_x8 || op == OP_mma_s32_x4)
        put_text(o, ".%c%u.%c%u%s", a, bits, b, bits, mod & MOD_MMA_SAT ? ".satfinite" : "");
    else if (op == OP_mma_s32_b1)
        put_text(o, ".%s.popc", mod & MOD_MMA_AND ? "and" : "xor");
}

static void put_mma(struct out *o)
{
    struct mma_shape s = mma_shape(o->in->op, o->in->mod);
    enum shape as = o->in->op == OP_mma_f64 ? AS_64 : AS_32;
    put_text(o, "%s", o->info->name);
    put_mma_types(o);
    put_text(o, ".m%un%uk%u", s.m, s.n, s.k);
    next_part(o, 0, s.d, as);
    next_part(o, s.d, s.a, as);
    next_part(o, s.d + s.a, s.b, as);
    next_part(o, s.d + s.a + s.b, s.c, as);
}

/* --- the others --- */

static bool is_float_opnd(enum opnd_type t)
{
    return t == OT_f32 || t == OT_f64 || t == OT_f16 || t == OT_bf16;
}

static void put_cvt(struct out *o)
{
    u32 mod = o->in->mod;
    enum opnd_type d = mod >> MOD_CVT_DST & 15, s = mod >> MOD_CVT_SRC & 15;
    static const char *const nearest[] = {"", ".rn"};
    bool same = d == s, to_float = is_float_opnd(d);
    const char *rnd = mod & MOD_RND ? rounding(mod) : nearest[mod & MOD_CVT_INT || !same];
    bool real = to_float || is_float_opnd(s);
    put_text(o, "cvt%s%s%s%s.%s.%s", real ? rnd : "", mod & MOD_CVT_INT && real ? "i" : "",
             mod & MOD_FTZ ? ".ftz" : "", mod & MOD_SAT ? ".sat" : "", type_name[d], type_name[s]);
    next_opnd(o, o->in->dst, opnd_is_64(d) || mod & MOD_CVT_DST64 ? AS_64 : AS_32);
    enum shape from = s == OT_f32 ? AS_F32 : s == OT_f64 ? AS_F64 : AS_32;
    if (from == AS_32 && (opnd_is_64(s) || mod & MOD_CVT_SRC64))
        from = AS_64;
    next_opnd(o, o->in->src[0], from);
}

static void put_pack(struct out *o)
{
    u32 n = o->in->mod & 15, bytes = n * (o->in->mod >> 4);
    enum shape whole = bytes == 8 ? AS_64 : AS_32;
    bool pack = o->in->op == OP_pack;
    put_text(o, "%s%u", o->info->name, 8 * bytes);
    if (pack)
        next_opnd(o, o->in->dst, whole);
    next_list(o, n, AS_32);
    if (!pack)
        next_opnd(o, o->in->src[0], whole);
}

static void put_special(struct out *o)
{
    u64 number = (u64)o->in->imm;
    put_text(o, "%s", o->info->name);
    next_opnd(o, o->in->dst, opnd_is_64(o->info->dst) ? AS_64 : AS_32);
    if (o->in->op == OP_mov_frame)
        put_text(o, ", frame+%" PRIu64, number);
    else
        put_text(o, ", %s", number < N_SREG ? sreg_name[number] : "?");
}

static void put_bar(struct out *o)
{
    static const char *const kinds[8] = {"sync", "arrive", "red.popc", "red.and", "red.or"};
    const struct inst *in = o->in;
    const char *kind = kinds[in->mod & MOD_BAR_KIND];
    put_text(o, "bar.%s", kind ? kind : "?");
    if (in->dst != OPND_NONE)
        next_opnd(o, in->dst, AS_32);
    if (in->pdst != PRED_NONE)
        next_pred(o, in->pdst);
    for (u32 i = 0; i < 2; i++)
        if (in->src[i] != OPND_NONE)
            next_opnd(o, in->src[i], AS_32);
    if (in->psrc != PRED_NONE)
        next_pred(o, in->psrc);
}

static void put_reconv(struct out *o)
{
    if (o->in->reconv == PC_NONE)
        put_text(o, " -> reconv end");
    else
        put_text(o, " -> reconv %u", o->in->reconv);
}

static void put_branch(struct out *o)
{
    const struct inst *in = o->in;
    put_text(o, "%s", o->info->name);
    if (in->op == OP_bra) {
        put_text(o, " L%u", in->target);
    } else {
        const u32 *table = o->func->table[in->list];
        next_opnd(o, in->src[0], AS_32);
        for (u32 i = 0; i < table[0]; i++)
            put_text(o, "%sL%u", i ? ", " : ", {", table[i + 1]);
        put_text(o, "}");
    }
    if (in->op != OP_bra || in->guard != PRED_NONE)
        put_reconv(o);
}

static void put_call(struct out *o)
{
    const struct call_site *site = &o->func->site[o->in->list];
    put_text(o, "call");
    if (o->in->op == OP_callx)
        next_opnd(o, o->in->src[0], AS_64);
    else
        put_text(o, " %s", o->prog->func[site->func].name);
    for (u32 i = 0; i < site->n_arg; i++)
        put_text(o, "%s%u", i ? ", " : " (frame ", site->arg[i].from);
    put_text(o, site->n_arg ? ")" : "");
}

static bool is_hint(u16 op)
{
    return op == OP_prefetch || op == OP_discard || op == OP_applypriority;
}

static void put_misc(struct out *o)
{
    static const char *const reductions[8] = {".add.u32", ".min.u32", ".min.s32", ".max.u32",
                                              ".max.s32", ".and.b32", ".or.b32",  ".xor.b32"};
    static const char *const shuffles[4] = {".up", ".down", ".bfly", ".idx"};
    static const char *const spaces[] = {"",       ".global", ".shared", ".local",
                                         ".const", ".param",  ".generic"};
    const struct inst *in = o->in;
    char mods[16] = "";
    if (in->op == OP_shfl)
        snprintf(mods, sizeof(mods), "%s", shuffles[in->mod & 3]);
    else if (in->op == OP_isspacep && (u64)in->imm < LEN(spaces))
        snprintf(mods, sizeof(mods), "%s", spaces[in->imm]);
    else if (in->op == OP_redux)
        snprintf(mods, sizeof(mods), "%s", reductions[in->mod & 7]);
    else if (in->mod && !is_hint(in->op))
        snprintf(mods, sizeof(mods), ".mode%u", in->mod);
    put_text(o, "%s%s", o->info->name, mods);
    if (is_hint(in->op)) {
        next_address(o, in->mod & MOD_ADDR32);
        return;
    }
    if (in->dst != OPND_NONE)
        next_opnd(o, in->dst, opnd_is_64(o->info->dst) ? AS_64 : AS_32);
    if (in->op == OP_txq) {
        comma(o);
        put_tex_name(o, in->src[0]);
        put_text(o, "]");
        return;
    }
    put_sources(o);
}

static void put_suaddr(struct out *o)
{
    static const char *const edge[4] = {"trap", "clamp", "zero", "?"};
    const struct inst *in = o->in;
    put_text(o, "suaddr.%s%ud.b%u.%s", in->mod & MOD_SU_ARRAY ? "a" : "", in->mod & MOD_SU_DIMS,
             8u << (in->mod >> MOD_SU_LOG2 & 7), edge[in->mod >> MOD_SU_EDGE & 3]);
    next_opnd(o, in->dst, AS_64);
    if (in->pdst != PRED_NONE)
        put_text(o, "|p%u", in->pdst);
    comma(o);
    put_tex_name(o, in->src[3]);
    for (u32 i = 0; i < 3; i++)
        if (in->src[i] != OPND_NONE) {
            put_text(o, ", ");
            put_opnd(o, in->src[i], AS_32);
        }
    put_text(o, "]");
}

static void put_other(struct out *o)
{
    switch (o->in->op) {
    case OP_cvt_x:
        put_cvt(o);
        return;
    case OP_pack:
    case OP_unpack:
        put_pack(o);
        return;
    case OP_mov_sreg:
    case OP_mov_sreg_64:
    case OP_mov_clock:
    case OP_mov_clock_64:
    case OP_mov_frame:
        put_special(o);
        return;
    case OP_suaddr:
        put_suaddr(o);
        return;
    case OP_cp_async_wait:
        put_text(o, o->in->imm < 0 ? "cp.async.wait_all" : "%s %" PRId64, o->info->name,
                 o->in->imm);
        return;
    case OP_bar:
        put_bar(o);
        return;
    case OP_bra:
    case OP_brx:
        put_branch(o);
        return;
    case OP_call:
    case OP_callx:
        put_call(o);
        return;
    default:
        put_misc(o);
    }
}

const char *disasm_inst(const struct program *p, const struct func *f, u32 pc, char *buf,
                        size_t size)
{
    static void (*const forms[])(struct out * o) = {
        [FORM_ALU] = put_alu,   [FORM_CMP] = put_compare, [FORM_PRED] = put_preds,
        [FORM_LD] = put_load,   [FORM_ST] = put_store,    [FORM_ATOM] = put_atom,
        [FORM_TEX] = put_tex,   [FORM_MMA] = put_mma,     [FORM_MISC] = put_other,
        [FORM_COPY] = put_copy, [FORM_CTRL] = put_other,
    };
    const struct inst *in = &p->inst[pc];
    const struct op_info *info = &op_info[in->op];
    struct out o = {.prog = p, .func = f, .in = in, .info = info, .buf = buf, .size = size};
    buf[0] = 0;
    forms[info->form](&o);
    return buf;
}

const char *disasm_guard(const struct inst *in, char *buf, size_t size)
{
    buf[0] = 0;
    if (in->guard != PRED_NONE)
        snprintf(buf, size, "@%sp%u", in->guard & PRED_NOT ? "!" : "",
                 in->guard & ~PRED_NOT & 0xffff);
    return buf;
}
