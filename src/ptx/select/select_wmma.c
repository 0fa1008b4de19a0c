/*
 * select_wmma.c -- wmma: matrices of a warp whose fragments PTX keeps to itself
 *
 * Where elements are in a fragment is for the machine to choose, so that load, mma and store agree.  Here,
 * as on Turing and later, a wmma.mma becomes two products of m16n8 (isa/mma.h), and fragments are
 * those of their operands:
 *
 *     m16n16   A is one tile of 16 rows, B two of 8 columns, D two of 16 x 8 side by side
 *     m32n8    A is two tiles, B one, D two below each other
 *     m8n32    computed as its transpose: B is two tiles of 16, A one of 8
 *     m8n8k4   (f64) is a product as it is
 *
 * PTX has eight registers for A and B of f16 in every shape: those that are left repeat the others,
 * as each element is in two lanes of Volta.
 *
 * MODEL: loads and stores become accesses of each lane to its elements, of a register if they stand
 * side by side in memory, else of an element, with the instructions that compute their addresses.
 */
#include "ptx/select/select_int.h"

#include <string.h>

#include "isa/mma.h"

#define O(k) (&s->in->opnd[k])

struct wmma_shape {
    const char *name;
    u32 m, n, k;
    bool turned; /* D is computed as its transpose */
    u8 tiles[2]; /* of A and B */
    bool big[2]; /* they have 16 rows (or columns), not 8 */
    u8 products;
};

static const struct wmma_shape shapes[] = {
    {"m16n16k16", 16, 16, 16, false, {1, 2}, {true, false}, 2},
    {"m32n8k16", 32, 8, 16, false, {2, 1}, {true, false}, 2},
    {"m8n32k16", 8, 32, 16, true, {1, 2}, {false, true}, 2},
    {"m16n16k8", 16, 16, 8, false, {1, 2}, {true, false}, 2},
    {"m8n8k4", 8, 8, 4, false, {1, 1}, {false, false}, 1},
};

struct type {
    const char *name;
    u16 op;      /* of its products with sums of f32, s32 or f64; 0: sums alone */
    u8 bytes, k; /* .. of the shapes that it has */
    enum ptx_type reg;
};

static const struct type types[] = {
    {"f16", OP_mma_f32_f16, 2, 16, PT_B32},
    {"bf16", OP_mma_f32_bf16, 2, 16, PT_B32},
    {"tf32", OP_mma_f32_tf32, 4, 8, PT_B32},
    {"s8", OP_mma_s32_x8, 1, 16, PT_B32},
    {"u8", OP_mma_s32_x8, 1, 16, PT_B32},
    {"f64", OP_mma_f64, 8, 4, PT_F64},
    {"f32", 0, 4, 0, PT_F32},
    {"s32", 0, 4, 0, PT_S32},
};

static const struct wmma_shape *next_shape(struct sel *s, u32 *at)
{
    for (size_t i = 0; i < LEN(shapes); i++)
        if (sel_next_is(s, at, shapes[i].name))
            return &shapes[i];
    return NULL;
}

static const struct type *next_type(struct sel *s, u32 *at)
{
    for (size_t i = 0; i < LEN(types); i++)
        if (sel_next_is(s, at, types[i].name))
            return &types[i];
    return NULL;
}

static bool next_layout(struct sel *s, u32 *at, bool *col)
{
    *col = sel_next_is(s, at, "col");
    return *col || sel_next_is(s, at, "row");
}

/* ---- fragments */

enum which { FRAG_A, FRAG_B, FRAG_SUM };

struct frag {
    const struct wmma_shape *shape;
    const struct type *type;
    enum which which;
    u32 n, used; /* registers, and those that do not repeat others */
};

static u32 per_register(const struct type *t)
{
    return t->bytes == 8 ? 1 : 4 / t->bytes;
}

static bool is_type(const struct type *t, const char *name)
{
    return !strcmp(t->name, name);
}

/* False: there is none. */
static bool frag_of(const struct wmma_shape *h, const struct type *t, enum which which,
                    struct frag *f)
{
    *f = (struct frag){.shape = h, .type = t, .which = which};
    if (which == FRAG_SUM) { /* four elements of each product in a lane, of f64 two */
        f->n = f->used = is_type(t, "f64") ? 2 : 4 * h->products / per_register(t);
        return is_type(t, "f64")   ? h->k == 4
               : is_type(t, "f32") ? h->k != 4
                                   : h->k == 16 && (is_type(t, "f16") || is_type(t, "s32"));
    }
    f->used = h->tiles[which] * (h->big[which] ? 2u : 1u) * h->k / (4 * per_register(t));
    f->n = is_type(t, "f16") ? 8 : f->used;
    return t->k == h->k;
}

/* ---- addresses */

struct tile_access {
    const struct frag *f;
    bool load, col, addr32;
    enum ptx_space space;
    u32 base, stride; /* stride: an operand */
    s64 imm;
    u32 off; /* of the lane's first element, in elements */
    u32 reg[8];
};

static u32 emit3(struct sel *s, enum op op, enum ir_class cls, u32 a, u32 b, u32 c)
{
    struct ir_inst *in = sel_emit(s, op);

    in->src[0] = a, in->src[1] = b, in->src[2] = c;
    return in->dst[0] = ir_reg(s->f, cls);
}

static u32 imm32(struct sel *s, u32 v)
{
    return ir_imm(s->f, v);
}

/*
 * An element's place in its matrix is (across, along): along k for A and B, along the pairs of a lane for sums.
 * Do neighbours along it stand side by side in memory?
 */
static bool side_by_side(const struct tile_access *a)
{
    bool along_columns = a->f->which == FRAG_A || (a->f->which == FRAG_SUM && !a->f->shape->turned);

    return along_columns != a->col;
}

/* across = lane / 4, along = step * (lane % 4), of the lane's first element. */
static void lane_offset(struct sel *s, struct tile_access *a)
{
    u32 step = a->f->which == FRAG_SUM ? 2 : per_register(a->f->type), lane = ir_reg(s->f, IRC_32);
    struct ir_inst *in = sel_emit(s, OP_mov_sreg);

    in->imm = SR_LANEID, in->dst[0] = lane;
    u32 group = emit3(s, OP_shr_u32, IRC_32, lane, imm32(s, 2), IR_NONE);
    u32 thread = emit3(s, OP_and_32, IRC_32, lane, imm32(s, 3), IR_NONE);

    thread = emit3(s, OP_mul_lo_32, IRC_32, thread, imm32(s, step), IR_NONE);
    a->off = side_by_side(a) ? emit3(s, OP_mad_lo_32, IRC_32, group, a->stride, thread)
                             : emit3(s, OP_mad_lo_32, IRC_32, thread, a->stride, group);
}

/* The address of what is (across, along) further than the lane's first element; *imm the rest of it. */
static u32 fragment_address(struct sel *s, const struct tile_access *a, u32 across, u32 along,
                            s64 *imm)
{
    u32 lines = side_by_side(a) ? across : along, within = side_by_side(a) ? along : across;
    u32 off = !lines ? a->off : emit3(s, OP_mad_lo_32, IRC_32, a->stride, imm32(s, lines), a->off);
    u32 size = imm32(s, a->f->type->bytes);

    *imm = a->imm + (s64)within * a->f->type->bytes;
    if (a->base == IR_NONE)
        return emit3(s, OP_mul_wide_u32, IRC_64, off, size, IR_NONE);
    return a->addr32 ? emit3(s, OP_mad_lo_32, IRC_32, off, size, a->base)
                     : emit3(s, OP_mad_wide_u32, IRC_64, off, size, a->base);
}

/* Where register r of the fragment begins. */
static void place_of_register(const struct frag *f, u32 r, u32 *across, u32 *along)
{
    u32 per = per_register(f->type);

    if (f->which == FRAG_SUM) { /* of each product two rows of two */
        u32 i = r * per;

        if (f->shape->turned || f->shape->m == 32)
            *across = i / 4 * 16 + i % 4 / 2 * 8, *along = i % 2;
        else
            *across = i % 4 / 2 * 8, *along = i / 4 * 8 + i % 2;
        return;
    }
    u32 rows = f->shape->big[f->which] ? 2 : 1, tile = f->shape->k / (4 * per) * rows;

    *across = r / tile * 8 * rows + r % tile % rows * 8;
    *along = r % tile / rows * 4 * per;
}

/* ---- load and store */

static void access_at(struct sel *s, const struct tile_access *a, enum ptx_type t, u32 reg,
                      u32 across, u32 along)
{
    s64 imm;
    u32 base = fragment_address(s, a, across, along, &imm);

    s->s.type[0] = t, s->s.vec = 1;
    struct ir_inst *in = sel_emit_access(s, a->space, a->load, &reg, t == PT_B64);

    in->src[0] = base, in->imm = imm;
    in->mod |= a->addr32 && a->base != IR_NONE ? MOD_ADDR32 : 0;
}

static enum ptx_type bits_type(u32 bytes)
{
    return bytes == 8 ? PT_B64 : bytes == 4 ? PT_B32 : bytes == 2 ? PT_B16 : PT_B8;
}

/* A register whose elements do not stand side by side, element by element. */
static void load_parts(struct sel *s, const struct tile_access *a, u32 reg, u32 across, u32 along)
{
    u32 per = per_register(a->f->type), part[4];

    for (u32 e = 0; e < per; e++) {
        part[e] = ir_reg(s->f, IRC_32);
        access_at(s, a, bits_type(a->f->type->bytes), part[e], across, along + e);
    }
    struct ir_inst *in = sel_emit(s, OP_pack);

    in->mod = (u16)(per | (u32)a->f->type->bytes << 4);
    memcpy(in->src, part, per * sizeof part[0]);
    in->dst[0] = reg;
}

static void store_parts(struct sel *s, const struct tile_access *a, u32 reg, u32 across, u32 along)
{
    access_at(s, a, PT_B16, reg, across, along);
    access_at(s, a, PT_B16, emit3(s, OP_shr_u32, IRC_32, reg, imm32(s, 16), IR_NONE), across,
              along + 1);
}

static void access_all(struct sel *s, const struct tile_access *a)
{
    u32 bytes = a->f->type->bytes, to[8];

    for (u32 r = 0; r < a->f->used;
         r++) { /* loaded into other registers, so that none overwrites an address */
        u32 across, along;

        to[r] = a->load ? ir_reg(s->f, bytes == 8 ? IRC_64 : IRC_32) : a->reg[r];
        place_of_register(a->f, r, &across, &along);
        if (bytes >= 4 || side_by_side(a))
            access_at(s, a, bits_type(bytes > 4 ? 8 : 4), to[r], across, along);
        else if (a->load)
            load_parts(s, a, to[r], across, along);
        else
            store_parts(s, a, to[r], across, along);
    }
    for (u32 r = 0; a->load && r < a->f->n; r++) {
        struct ir_inst *in = sel_emit(s, bytes == 8 ? OP_mov_64 : OP_mov_32);

        in->dst[0] = a->reg[r], in->src[0] = to[r % a->f->used];
    }
}

/* Without a stride lines follow each other. */
static bool stride_of(struct sel *s, struct tile_access *a, const struct ptx_opnd *o)
{
    const struct wmma_shape *h = a->f->shape;
    u32 rows = a->f->which == FRAG_B ? h->k : h->m, cols = a->f->which == FRAG_A ? h->k : h->n;

    if (o)
        return sel_src(s, o, PT_U32, &a->stride);
    a->stride = imm32(s, a->col ? rows : cols);
    return true;
}

static bool wmma_access(struct sel *s, bool load, u32 at)
{
    static const char *const name[] = {"a", "b", "c"};
    u32 which = load ? 0 : FRAG_SUM;
    struct tile_access a = {.load = load};
    struct frag f;
    bool frame, ok;

    while (load && which < LEN(name) && !sel_next_is(s, &at, name[which]))
        which++;
    ok = which < LEN(name) && (load || sel_next_is(s, &at, "d")) && sel_next_is(s, &at, "sync");
    sel_next_is(s, &at, "aligned"); /* PTX before 6.3 has no such word */
    ok = ok && next_layout(s, &at, &a.col);
    const struct wmma_shape *h = ok ? next_shape(s, &at) : NULL;

    a.space = sel_next_is(s, &at, "global")                                         ? PS_GLOBAL
              : sel_next_is(s, &at, "shared") || sel_next_is(s, &at, "shared::cta") ? PS_SHARED
                                                                                    : PS_NONE;
    const struct type *t = next_type(s, &at);

    if (!h || !t || at != s->in->n_suf || !frag_of(h, t, (enum which)which, &f))
        return sel_fail(s, s->in->col,
                        "wmma: no such form; it is written "
                        "wmma.%s.sync.aligned.row|col.SHAPE.TYPE, with shapes "
                        "m16n16k16, m32n8k16 and m8n32k16 of f16, bf16, s8 and u8, m16n16k8 of "
                        "tf32, m8n8k4 of f64",
                        load ? "load.a|b|c" : "store.d");
    a.f = &f;
    if (!sel_count(s, 2, 3) || !stride_of(s, &a, s->in->n_opnd > 2 ? O(2) : NULL) ||
        !sel_addr(s, O(load ? 1 : 0), a.space, &a.base, &a.imm, &a.addr32, &frame) ||
        !sel_fragment(s, O(load ? 0 : 1), t->reg, f.n, load, a.reg))
        return false;
    lane_offset(s, &a);
    access_all(s, &a);
    return true;
}

/* ---- mma */

struct wmma {
    const struct wmma_shape *shape;
    const struct type *d, *a, *b, *c;
    bool sat;
};

/* Of f16, only the types of D and C are written. */
static bool wmma_words(struct sel *s, u32 at, struct wmma *w)
{
    const struct type *type[4] = {NULL};
    bool col, ok = sel_next_is(s, &at, "sync");
    u32 n = 0;

    sel_next_is(s, &at, "aligned");
    ok = ok && next_layout(s, &at, &col) && next_layout(s, &at, &col);
    w->shape = ok ? next_shape(s, &at) : NULL;
    sel_next_is(s, &at, "rn"); /* of f64: what it is anyway */
    while (n < 4 && (type[n] = next_type(s, &at)))
        n++;
    w->sat = sel_next_is(s, &at, "satfinite");
    w->d = type[0], w->c = type[n == 4 ? 3 : 1];
    w->a = n == 4 ? type[1] : &types[0], w->b = n == 4 ? type[2] : &types[0];
    return w->shape && (n == 2 || n == 4) && at == s->in->n_suf;
}

static bool wmma_fits(const struct wmma *w)
{
    struct frag f;
    bool half = is_type(w->a, "f16"), ints = w->a->op == OP_mma_s32_x8;
    const char *sum = ints ? "s32" : is_type(w->a, "f64") ? "f64" : "f32";

    return frag_of(w->shape, w->a, FRAG_A, &f) && frag_of(w->shape, w->b, FRAG_B, &f) &&
           w->a->op == w->b->op && (!w->sat || ints) &&
           (is_type(w->d, sum) || (half && is_type(w->d, "f16"))) &&
           (is_type(w->c, sum) || (half && is_type(w->c, "f16")));
}

/* Pairs of f16 as twice as many of f32. */
static void widen_pairs(struct sel *s, u32 n, const u32 *pair, u32 *out)
{
    for (u32 i = 0; i < n; i++) {
        u32 high = emit3(s, OP_shr_u32, IRC_32, pair[i], imm32(s, 16), IR_NONE);

        out[2 * i] = emit3(s, OP_cvt_f32_f16, IRC_32, pair[i], IR_NONE, IR_NONE);
        out[2 * i + 1] = emit3(s, OP_cvt_f32_f16, IRC_32, high, IR_NONE, IR_NONE);
    }
}

static void narrow(struct sel *s, u32 n, const u32 *wide, const u32 *pair)
{
    for (u32 i = 0; i < n; i++) {
        struct ir_inst *in = sel_emit(s, OP_cvt_f16x2_f32);

        in->dst[0] = pair[i], in->src[0] = wide[2 * i + 1], in->src[1] = wide[2 * i];
    }
}

/* One or two products of tiles; c and d have the registers of sums of one kind. */
static void wmma_products(struct sel *s, const struct wmma *w, u16 op, const u32 *a, const u32 *b,
                          const u32 *c, const u32 *d)
{
    const struct wmma_shape *h = w->shape;
    const u32 *big = h->turned ? b : a, *small = h->turned ? a : b;
    bool a_signed = w->a->name[0] == 's', b_signed = w->b->name[0] == 's';
    u32 k = h->k / (4 * mma_per(op)), n_big = h->products == 2 ? 2 * k : k,
        sums = op == OP_mma_f16 ? 2 : 4;
    struct sel_piece p[2];

    sums = op == OP_mma_f64 ? 2 : sums;
    memset(p, 0xff, sizeof p);
    for (u32 i = 0; i < h->products; i++) {
        bool second_big = h->turned || h->m == 32;

        p[i].op = op;
        p[i].mod = (u16)((h->products == 2 ? MOD_MMA_M16 : 0) | k << MOD_MMA_K |
                         ((h->turned ? b_signed : a_signed) ? MOD_MMA_A_SIGNED : 0) |
                         ((h->turned ? a_signed : b_signed) ? MOD_MMA_B_SIGNED : 0) |
                         (w->sat ? MOD_MMA_SAT : 0));
        memcpy(p[i].src, big + (second_big ? i * n_big : 0), n_big * sizeof big[0]);
        memcpy(p[i].src + n_big, small + (second_big ? 0 : i * k), k * sizeof small[0]);
        memcpy(p[i].src + n_big + k, c + i * sums, sums * sizeof c[0]);
        memcpy(p[i].dst, d + i * sums, sums * sizeof d[0]);
    }
    sel_emit_pieces(s, p, h->products);
}

static bool wmma_mma(struct sel *s, u32 at)
{
    u32 a[8], b[8], c[8], d[8], wide_c[8], wide_d[8];
    struct frag fa, fb, fc, fd;
    struct wmma w;

    if (!wmma_words(s, at, &w) || !wmma_fits(&w))
        return sel_fail(s, s->in->col,
                        "wmma.mma: no such form; it is written "
                        "wmma.mma.sync.aligned.row|col.row|col.SHAPE.D.C of "
                        "f16, or .SHAPE.D.A.B.C of other types, as in m16n16k16.s32.s8.s8.s32");
    frag_of(w.shape, w.a, FRAG_A, &fa), frag_of(w.shape, w.b, FRAG_B, &fb);
    frag_of(w.shape, w.c, FRAG_SUM, &fc), frag_of(w.shape, w.d, FRAG_SUM, &fd);
    if (!sel_count(s, 4, 4) || !sel_fragment(s, O(1), w.a->reg, fa.n, false, a) ||
        !sel_fragment(s, O(2), w.b->reg, fb.n, false, b) ||
        !sel_fragment(s, O(3), w.c->reg, fc.n, false, c) ||
        !sel_fragment(s, O(0), w.d->reg, fd.n, true, d))
        return false;
    bool half_c = is_type(w.c, "f16"), half_d = is_type(w.d, "f16"), mixed = half_c != half_d;

    if (mixed && half_c)
        widen_pairs(s, fc.n, c, wide_c);
    for (u32 i = 0; i < 8 && mixed && half_d; i++)
        wide_d[i] = ir_reg(s->f, IRC_32);
    wmma_products(s, &w, half_c && half_d ? OP_mma_f16 : w.a->op, a, b,
                  mixed && half_c ? wide_c : c, mixed && half_d ? wide_d : d);
    if (mixed && half_d)
        narrow(s, fd.n, wide_d, d);
    return true;
}

bool sel_wmma(struct sel *s)
{
    u32 at = 0;

    if (sel_next_is(s, &at, "load"))
        return wmma_access(s, true, at);
    if (sel_next_is(s, &at, "store"))
        return wmma_access(s, false, at);
    if (sel_next_is(s, &at, "mma"))
        return wmma_mma(s, at);
    return sel_fail(s, s->in->col, "wmma needs .load, .store or .mma");
}
