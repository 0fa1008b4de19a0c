/* select_tex.c -- textures and surfaces */
#include "ptx/select/select_int.h"

#include <string.h>

#define O(k) (&s->in->opnd[k])

/* What the only instruction that writes `reg` moves there, NULL if there is none or another. */
static const struct ptx_opnd *moved_to(const struct sel *s, u32 reg)
{
    const struct ptx_opnd *from = NULL;

    for (u32 i = 0; i < s->pf->n_inst; i++) {
        const struct ptx_inst *in = &s->pf->inst[i];

        if (!in->n_opnd || in->opnd[0].kind != PO_REG || in->opnd[0].reg != reg)
            continue;
        if (from || strcmp(in->name, "mov") || in->n_opnd != 2)
            return NULL;
        from = &in->opnd[1];
    }
    return from;
}

/* A texture or surface: a variable of the module, or what a register has the handle of. */
struct tex_name {
    s64 number;
    u32 handle; /* IR_NONE: by number */
};

/*
 * Its name, or a register.  One that a name was moved to, as clang's headers have it, is as good as
 * the name, and costs nothing.
 */
static bool tex_name(struct sel *s, const struct ptx_opnd *o, bool surface, struct tex_name *out)
{
    const struct ptx_opnd *at = o;

    for (u32 hop = 0; hop < 4 && at->kind == PO_REG; hop++) {
        const struct ptx_opnd *from = moved_to(s, at->reg);

        if (!from)
            break;
        at = from;
    }
    *out = (struct tex_name){0, IR_NONE};
    if (at->kind == PO_VAR && !at->var->func && s->l->texture[at->var->id] != IR_NONE &&
        (at->var->type == PT_SURFREF) == surface) {
        out->number = s->l->texture[at->var->id];
        return true;
    }
    if (o->kind == PO_REG && !o->neg && at->kind != PO_VAR)
        return sel_src(s, o, PT_U64, &out->handle);
    return sel_fail(s, o->col,
                    "%s: a %s variable of the module, or a register with a handle, is needed here",
                    s->in->name, surface ? "surface" : "texture");
}

/* The number of coordinates a geometry has, its array layer included. */
static bool coordinates(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, u32 coord[4])
{
    const struct ptx_opnd *at = &o->elem[o->n_elem - 1];
    const struct ptx_opnd *list = at->kind == PO_VEC ? at->elem : at;
    u32 n = s->s.geom + s->s.array, have = at->kind == PO_VEC ? at->n_elem : 1;

    if (have < n)
        return sel_fail(s, at->col, "%s: this geometry takes %u coordinate%s", s->in->name, n,
                        n > 1 ? "s" : "");
    for (u32 i = 0; i < n; i++)
        if (!sel_src(s, &list[i], i == 0 && s->s.array ? PT_U32 : t, &coord[i]))
            return false;
    return true;
}

/* Which destinations, of which texture, where. */
struct tex_access {
    u32 dst[4], coord[4], level;
    struct tex_name name;
};

static bool tex_operands(struct sel *s, struct tex_access *a)
{
    enum ptx_type d = s->s.type[0], c = s->s.type[1];

    if (O(1)->kind != PO_TEX || O(0)->kind != PO_VEC || O(0)->n_elem != 4)
        return sel_fail(s, s->in->col, "%s takes {d0,d1,d2,d3}, [texture, {coordinates}]",
                        s->in->name);
    for (u32 i = 0; i < 4; i++)
        if (!sel_dst_or_none(s, &O(0)->elem[i], d, &a->dst[i]))
            return false;
    return tex_name(s, &O(1)->elem[0], false, &a->name) && coordinates(s, O(1), c, a->coord);
}

static u32 cube_part(struct sel *s, enum op op, const u32 *direction)
{
    struct ir_inst *in = sel_emit(s, op);

    memcpy(in->src, direction, 3 * sizeof direction[0]);
    return in->dst[0] = ir_reg(s->f, IRC_32);
}

/*
 * A direction becomes a face, which is a layer, and coordinates in it, by instructions of their own.
 * MODEL: NVIDIA's texture units do so themselves.
 */
static void cube_coordinates(struct sel *s, u32 coord[4])
{
    const u32 *direction = coord + s->s.array;
    u32 face = cube_part(s, OP_cube_face, direction);
    u32 across = cube_part(s, OP_cube_s, direction), down = cube_part(s, OP_cube_t, direction);

    if (s->s.array) {
        struct ir_inst *in = sel_emit(s, OP_mad_lo_32);

        in->src[0] = coord[0], in->src[1] = ir_imm(s->f, 6), in->src[2] = face;
        face = in->dst[0] = ir_reg(s->f, IRC_32);
    }
    coord[0] = face, coord[1] = across, coord[2] = down;
}

static void tex_emit(struct sel *s, struct tex_access *a, u32 mod)
{
    enum ptx_type d = s->s.type[0];

    if (s->s.cube)
        cube_coordinates(s, a->coord);
    struct ir_inst *in = sel_emit(s, OP_tex);

    mod |= s->s.cube ? 2 | MOD_TEX_ARRAY | MOD_TEX_CUBE
                     : s->s.geom | (s->s.array ? (u32)MOD_TEX_ARRAY : 0);
    mod |= s->s.type[1] == PT_F32 ? MOD_TEX_FLOAT : 0;
    mod |= (d == PT_F32 ? 0u : d == PT_S32 ? 1u : 2u) << MOD_TEX_TYPE;
    in->mod = (u16)mod;
    in->imm = a->name.number;
    memcpy(in->dst, a->dst, sizeof a->dst);
    memcpy(in->src, a->coord, 3 * sizeof a->coord[0]);
    in->src[3] = a->name.handle;
    in->src[4] = a->level;
}

static bool has_suffix_word(const struct sel *s, const char *word)
{
    return s->s.word && !strcmp(s->s.word, word);
}

static bool sel_tex(struct sel *s)
{
    enum ptx_type d = s->s.type[0], c = s->s.type[1];
    struct tex_access a = {{0}, {IR_NONE, IR_NONE, IR_NONE, IR_NONE}, IR_NONE, {0, IR_NONE}};
    bool level = has_suffix_word(s, "level"), base = has_suffix_word(s, "base");

    if (!(s->s.have & S_GEOM) || s->s.vec != 4 || ptx_type_bytes(d) != 4 ||
        (c != PT_S32 && c != PT_F32) || (s->s.cube && c != PT_F32) ||
        (s->s.word && !level && !base) || s->in->n_opnd != (level ? 3 : 2))
        return sel_fail(s, s->in->col,
                        "tex is written tex.1d|2d|3d|a1d|a2d|cube|acube.v4.f32|s32|u32.s32|f32 "
                        "d, [texture, {coordinates}], or tex.level with the level behind it");
    if (!tex_operands(s, &a) || (level && !sel_src(s, O(2), PT_F32, &a.level)))
        return false;
    a.level = base ? ir_imm(s->f, 0) : a.level;
    tex_emit(s, &a, level || base ? MOD_TEX_LEVEL : 0);
    return true;
}

static bool sel_tld4(struct sel *s)
{
    static const char *const channel[] = {"r", "g", "b", "a"};
    enum ptx_type d = s->s.type[0];
    struct tex_access a = {{0}, {IR_NONE, IR_NONE, IR_NONE, IR_NONE}, IR_NONE, {0, IR_NONE}};
    u32 c = s->s.have & S_BYTES && !s->s.formatted ? 2 : 0;

    while (s->s.word && c < LEN(channel) && strcmp(s->s.word, channel[c]))
        c++;
    if (!(s->s.have & S_GEOM) || s->s.geom != 2 || s->s.vec != 4 || ptx_type_bytes(d) != 4 ||
        s->s.type[1] != PT_F32 || !(s->s.have & (S_WORD | S_BYTES)) || c == LEN(channel))
        return sel_fail(s, s->in->col, "tld4 is written tld4.r|g|b|a.2d|a2d.v4.f32|s32|u32.f32");
    if (!tex_operands(s, &a))
        return false;
    tex_emit(s, &a, MOD_TEX_GATHER | c << MOD_TEX_CHANNEL);
    return true;
}

static bool query(struct sel *s, bool surface)
{
    static const char *const what[] = {[TXQ_WIDTH] = "width",
                                       [TXQ_HEIGHT] = "height",
                                       [TXQ_DEPTH] = "depth",
                                       [TXQ_LAYERS] = "array_size",
                                       [TXQ_NORMALIZED] = "normalized_coords"};
    u32 dst;
    struct tex_name name;
    const struct ptx_opnd *o = O(1);

    if (o->kind == PO_ADDR || o->kind == PO_TEX)
        o = o->elem;
    if (!tex_name(s, o, surface, &name) || !sel_dst(s, O(0), s->s.type[0], &dst))
        return false;
    for (u32 i = 0; i < LEN(what) - surface; i++)
        if (s->s.word && !strcmp(what[i], s->s.word)) {
            struct ir_inst *in = sel_emit(s, OP_txq);

            in->dst[0] = dst, in->src[0] = name.handle, in->imm = name.number, in->mod = (u16)i;
            return true;
        }
    return sel_fail(s, s->in->col, "%s needs .width, .height, .depth%s .array_size%s", s->in->name,
                    surface ? " or" : ",", surface ? "" : " or .normalized_coords");
}

static bool sel_txq(struct sel *s)
{
    return query(s, false);
}

static bool sel_suq(struct sel *s)
{
    return query(s, true);
}

/*
 * ---- surfaces
 *
 * An access becomes two instructions, as in Kepler's machine code, which computes addresses of
 * surfaces by instructions of their own (SUCLAMP, SUEAU): `suaddr` makes an address of the
 * coordinates, and a load, store or reduction of global memory uses it.  With .zero its lanes
 * beyond the edge are turned off.
 */

struct su {
    u32 addr, inside; /* registers; inside IR_NONE: all lanes */
};

static bool su_form(struct sel *s, u32 bytes)
{
    if (!(s->s.have & S_GEOM) || s->s.cube || !(s->s.have & S_EDGE) || !(s->s.have & S_BYTES))
        return sel_fail(s, s->in->col, "%s is written %s.b%s.1d|2d|3d|a1d|a2d.b32.trap|clamp|zero",
                        s->in->name, s->in->name, s->in->name[2] == 'r' ? ".add" : "");
    if (s->s.formatted)
        return sel_fail(s, s->in->col, "%s.p (with the surface's format) is not supported; .b is",
                        s->in->name);
    if (bytes > 16 || s->s.vec == 8)
        return sel_fail(s, s->in->col, "%s: a vector may have at most 4 elements and 16 bytes",
                        s->in->name);
    return true;
}

static bool su_address(struct sel *s, const struct ptx_opnd *o, u32 bytes, struct su *out)
{
    u32 coord[4] = {IR_NONE, IR_NONE, IR_NONE, IR_NONE};
    struct tex_name name;

    *out = (struct su){IR_NONE, IR_NONE};
    if (o->kind != PO_TEX)
        return sel_fail(s, o->col, "%s takes [surface, {coordinates}]", s->in->name);
    if (!tex_name(s, &o->elem[0], true, &name) || !coordinates(s, o, PT_B32, coord))
        return false;
    if (s->s.edge == SU_ZERO)
        out->inside = ir_reg(s->f, IRC_PRED);
    if (s->s.edge == SU_ZERO && s->in->has_guard) { /* lanes that are off are not inside */
        struct ir_inst *in = sel_emit(s, OP_pset);

        in->guard = IR_NONE, in->guard_not = false;
        in->pdst = out->inside;
    }
    struct ir_inst *in = sel_emit(s, OP_suaddr);

    in->mod = (u16)(s->s.geom | (s->s.array ? MOD_SU_ARRAY : 0) | (u32)s->s.edge << MOD_SU_EDGE |
                    (u32)__builtin_ctz(bytes) << MOD_SU_LOG2);
    memcpy(in->src, coord, sizeof coord);
    in->src[3] = name.handle, in->imm = name.number;
    in->dst[0] = out->addr = ir_reg(s->f, IRC_64);
    in->pdst = out->inside;
    return true;
}

static void su_access(struct ir_inst *in, const struct su *at)
{
    in->src[0] = at->addr;
    if (at->inside != IR_NONE)
        in->guard = at->inside, in->guard_not = false;
}

static void su_zeros(struct sel *s, const u32 *reg)
{
    for (u32 i = 0; i < s->s.vec; i++) {
        if (reg[i] == IR_NONE)
            continue;
        struct ir_inst *in = sel_emit(s, s->f->cls[reg[i]] == IRC_64 ? OP_mov_64 : OP_mov_32);

        in->dst[0] = reg[i];
        in->src[0] = ir_imm(s->f, 0);
    }
}

/* Compilers put braces around one register, too. */
static const struct ptx_opnd *su_data(const struct sel *s, const struct ptx_opnd *o)
{
    return o->kind == PO_VEC && o->n_elem == 1 && s->s.vec == 1 ? o->elem : o;
}

static bool su_move(struct sel *s, bool load)
{
    const struct ptx_opnd *surface = O(load ? 1 : 0), *data = su_data(s, O(load ? 0 : 1));
    u32 bytes = s->s.vec * ptx_type_bytes(s->s.type[0]), reg[8];
    bool is64 = false;
    struct su at;

    if (!su_form(s, bytes) || !sel_data_type_ok(s) || !sel_data_regs(s, data, load, reg, &is64) ||
        !su_address(s, surface, bytes, &at))
        return false;
    if (load && at.inside != IR_NONE)
        su_zeros(s, reg);
    su_access(sel_emit_access(s, PS_GLOBAL, load, reg, is64), &at);
    return true;
}

static bool sel_suld(struct sel *s)
{
    return su_move(s, true);
}

static bool sel_sust(struct sel *s)
{
    return su_move(s, false);
}

static bool sel_sured(struct sel *s)
{
    enum ptx_type t = s->s.type[0];
    u32 op = 0, b;
    struct su at;

    if (!su_form(s, ptx_type_bytes(t)) || !sel_atom_operation(s, false, &op) ||
        !sel_src(s, O(1), t, &b) || !su_address(s, O(0), ptx_type_bytes(t), &at))
        return false;
    struct ir_inst *in = sel_emit(s, OP_red_global);

    in->mod = (u16)(op | (u32)sel_atom_opnd(t) << MOD_ATOM_TYPE);
    in->src[1] = b;
    su_access(in, &at);
    return true;
}

enum { S_SURFACE = S_BYTES | S_GEOM | S_EDGE };

const struct sel_op sel_texture[] = {
    {"tex", sel_tex, S_GEOM | S_VEC | S_WORD, 2, 2, 2, 3},
    {"tld4", sel_tld4, S_GEOM | S_VEC | S_WORD | S_BYTES, 2, 2, 2, 2},
    {"txq", sel_txq, S_WORD, 1, 1, 2, 2},
    {"suq", sel_suq, S_WORD, 1, 1, 2, 2},
    {"suld", sel_suld, S_SURFACE | S_VEC | S_CACHE, 1, 1, 2, 2},
    {"sust", sel_sust, S_SURFACE | S_VEC | S_CACHE, 1, 1, 2, 2},
    {"sured", sel_sured, S_SURFACE | S_ATOM | S_BOOL, 1, 1, 2, 2},
    {NULL, NULL, 0, 0, 0, 0, 0},
};
