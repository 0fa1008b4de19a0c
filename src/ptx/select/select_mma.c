/* select_mma.c -- products of matrices, and matrices to and from shared memory */
#include "ptx/select/select_int.h"

#include <string.h>

#include "isa/mma.h"

#define O(k) (&s->in->opnd[k])

bool sel_next_is(struct sel *s, u32 *at, const char *word)
{
    if (*at >= s->in->n_suf || strcmp(s->in->suf[*at], word))
        return false;
    ++*at;
    return true;
}

bool sel_fragment(struct sel *s, const struct ptx_opnd *o, enum ptx_type t, u32 n, bool is_dst,
                  u32 *reg)
{
    const struct ptx_opnd *elem = o->kind == PO_VEC ? o->elem : o;
    u32 have = o->kind == PO_VEC ? o->n_elem : 1;

    if (have != n)
        return sel_fail(s, o->col, "%s: this operand has %u register%s here, not %u", s->in->name,
                        n, n == 1 ? "" : "s", have);
    for (u32 i = 0; i < n; i++)
        if (!(is_dst ? sel_dst(s, &elem[i], t, &reg[i]) : sel_src(s, &elem[i], t, &reg[i])))
            return false;
    return true;
}

/* Does a piece write what a later one reads? */
static bool pieces_clash(const struct sel_piece *p, u32 n)
{
    for (u32 i = 0; i < n; i++)
        for (u32 k = i + 1; k < n; k++)
            for (u32 d = 0; d < LEN(p->dst); d++)
                for (u32 x = 0; x < LEN(p->src); x++)
                    if (p[i].dst[d] != IR_NONE && p[i].dst[d] == p[k].src[x])
                        return true;
    return false;
}

void sel_emit_pieces(struct sel *s, struct sel_piece *p, u32 n)
{
    bool clash = pieces_clash(p, n);

    for (u32 i = 0; i < n; i++) {
        struct ir_inst *in = sel_emit(s, p[i].op);

        in->mod = p[i].mod;
        memcpy(in->src, p[i].src, sizeof p[i].src);
        for (u32 d = 0; d < LEN(p[i].dst); d++)
            if (p[i].dst[d] != IR_NONE)
                in->dst[d] = clash ? ir_reg(s->f, IRC_32) : p[i].dst[d];
    }
    u32 first = s->f->n_inst - n;

    for (u32 i = 0; i < n && clash; i++)
        for (u32 d = 0; d < LEN(p[i].dst); d++) {
            if (p[i].dst[d] == IR_NONE)
                continue;
            struct ir_inst *in = sel_emit(s, OP_mov_32);

            in->dst[0] = p[i].dst[d], in->src[0] = s->f->inst[first + i].dst[d];
        }
}

/* ---- mma */

struct mma_words {                                  /* of the suffixes, in their order */
    const char *shape, *layout[2], *type[4], *bits; /* types of D, A, B, C; "xor" or "and" */
    bool sat;
};

static const char *next_suffix(const struct sel *s, u32 *at)
{
    return *at < s->in->n_suf ? s->in->suf[(*at)++] : "";
}

static bool mma_words(struct sel *s, struct mma_words *w)
{
    u32 at = 0;
    bool ok = sel_next_is(s, &at, "sync") && sel_next_is(s, &at, "aligned");

    w->shape = next_suffix(s, &at);
    for (u32 i = 0; i < 2; i++)
        w->layout[i] = next_suffix(s, &at);
    w->sat = sel_next_is(s, &at, "satfinite");
    sel_next_is(s, &at, "rn"); /* of f64: what it is anyway */
    for (u32 i = 0; i < 4; i++)
        w->type[i] = next_suffix(s, &at);
    w->bits = at < s->in->n_suf ? next_suffix(s, &at) : NULL;
    if (ok && at == s->in->n_suf - (w->bits ? 1u : 0u) &&
        (!w->bits ||
         (sel_next_is(s, &at, "popc") && (!strcmp(w->bits, "xor") || !strcmp(w->bits, "and")))))
        return true;
    return sel_fail(
        s, s->in->col,
        "mma is written mma.sync.aligned.SHAPE.row|col.row|col.D.A.B.C, with the types of D, "
        "A, B and C, as in mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
}

struct mma_form {
    const char *shape, *d, *a; /* C is of D's type, B of A's; "x8", "x4": signed or not */
    u16 op;
    u8 m16, k; /* registers of B */
};

static const struct mma_form forms[] = {
    {"m8n8k4", "f64", "f64", OP_mma_f64, 0, 1},
    {"m16n8k8", "f16", "f16", OP_mma_f16, 1, 1},
    {"m16n8k16", "f16", "f16", OP_mma_f16, 1, 2},
    {"m16n8k8", "f32", "f16", OP_mma_f32_f16, 1, 1},
    {"m16n8k16", "f32", "f16", OP_mma_f32_f16, 1, 2},
    {"m16n8k8", "f32", "bf16", OP_mma_f32_bf16, 1, 1},
    {"m16n8k16", "f32", "bf16", OP_mma_f32_bf16, 1, 2},
    {"m16n8k4", "f32", "tf32", OP_mma_f32_tf32, 1, 1},
    {"m16n8k8", "f32", "tf32", OP_mma_f32_tf32, 1, 2},
    {"m8n8k16", "s32", "x8", OP_mma_s32_x8, 0, 1},
    {"m16n8k16", "s32", "x8", OP_mma_s32_x8, 1, 1},
    {"m16n8k32", "s32", "x8", OP_mma_s32_x8, 1, 2},
    {"m8n8k32", "s32", "x4", OP_mma_s32_x4, 0, 1},
    {"m16n8k32", "s32", "x4", OP_mma_s32_x4, 1, 1},
    {"m16n8k64", "s32", "x4", OP_mma_s32_x4, 1, 2},
    {"m8n8k128", "s32", "b1", OP_mma_s32_b1, 0, 1},
    {"m16n8k128", "s32", "b1", OP_mma_s32_b1, 1, 1},
    {"m16n8k256", "s32", "b1", OP_mma_s32_b1, 1, 2},
};

static bool type_is(const char *want, const char *word)
{
    return want[0] == 'x' ? (word[0] == 's' || word[0] == 'u') && !strcmp(want + 1, word + 1)
                          : !strcmp(want, word);
}

static const struct mma_form *find_form(const struct mma_words *w)
{
    for (size_t i = 0; i < LEN(forms); i++)
        if (!strcmp(forms[i].shape, w->shape) && type_is(forms[i].d, w->type[0]) &&
            type_is(forms[i].a, w->type[1]) && type_is(forms[i].a, w->type[2]) &&
            type_is(forms[i].d, w->type[3]))
            return &forms[i];
    return NULL;
}

static bool is_col(const char *layout)
{
    return !strcmp(layout, "col");
}

/* Everything but m8n8k4 of f16 has A by rows and B by columns. */
static bool mma_fits(struct sel *s, const struct mma_words *w, const struct mma_form *f)
{
    bool bits = f->op == OP_mma_s32_b1, ints = f->op == OP_mma_s32_x8 || f->op == OP_mma_s32_x4;

    if (strcmp(w->layout[0], "row") || !is_col(w->layout[1]))
        return sel_fail(s, s->in->col, "mma.%s of these types is written .row.col", w->shape);
    if (w->sat && !ints)
        return sel_fail(s, s->in->col, "mma: .satfinite is for integers");
    if (bits != (w->bits != NULL))
        return sel_fail(s, s->in->col, "mma: .xor.popc or .and.popc %s",
                        bits ? "is needed with type .b1" : "is for type .b1");
    return true;
}

static u16 mma_mod(const struct mma_words *w, const struct mma_form *f)
{
    bool ints = f->a[0] == 'x';

    return (u16)((f->m16 ? MOD_MMA_M16 : 0) | (u32)f->k << MOD_MMA_K |
                 (ints && w->type[1][0] == 's' ? MOD_MMA_A_SIGNED : 0) |
                 (ints && w->type[2][0] == 's' ? MOD_MMA_B_SIGNED : 0) |
                 (w->sat ? MOD_MMA_SAT : 0) |
                 (w->bits && !strcmp(w->bits, "and") ? MOD_MMA_AND : 0));
}

static enum ptx_type sum_type(const char *word)
{
    return !strcmp(word, "f32")   ? PT_F32
           : !strcmp(word, "f64") ? PT_F64
           : !strcmp(word, "s32") ? PT_S32
                                  : PT_B32;
}

static bool mma_plain(struct sel *s, const struct mma_words *w, const struct mma_form *f)
{
    struct mma_shape m = mma_shape(f->op, mma_mod(w, f));
    enum ptx_type t = f->op == OP_mma_f64 ? PT_F64 : PT_B32, sum = sum_type(w->type[0]);
    u32 dst[4], src[IR_MAX_SRC];

    if (!mma_fits(s, w, f) || !sel_fragment(s, O(1), t, m.a, false, src) ||
        !sel_fragment(s, O(2), t, m.b, false, src + m.a) ||
        !sel_fragment(s, O(3), sum, m.c, false, src + m.a + m.b) ||
        !sel_fragment(s, O(0), sum, m.d, true, dst))
        return false;
    struct ir_inst *in = sel_emit(s, f->op);

    in->mod = mma_mod(w, f);
    memcpy(in->dst, dst, m.d * sizeof dst[0]);
    memcpy(in->src, src, (m.a + m.b + m.c) * sizeof src[0]);
    return true;
}

static bool is_float_sum(const char *type)
{
    return !strcmp(type, "f32") || !strcmp(type, "f16");
}

/* m8n8k4 of f16, in steps: see isa/mma.h. */
static bool mma_884(struct sel *s, const struct mma_words *w)
{
    bool c32 = !strcmp(w->type[3], "f32"), d32 = !strcmp(w->type[0], "f32");
    u32 mod = (is_col(w->layout[0]) ? MOD_MMA_A_COL : 0) |
              (is_col(w->layout[1]) ? MOD_MMA_B_COL : 0) | (c32 ? MOD_MMA_C_F32 : 0) |
              (d32 ? MOD_MMA_D_F32 : 0);
    u32 n = d32 ? 4 : 2, dst[8], ab[4], c[8];
    struct sel_piece p[4];

    for (u32 i = 0; i < 2; i++)
        if (!is_col(w->layout[i]) && strcmp(w->layout[i], "row"))
            return sel_fail(s, s->in->col, "mma: a layout is .row or .col");
    if (w->sat || w->bits)
        return sel_fail(s, s->in->col, "mma: .satfinite and .popc are for integers");
    if (!sel_fragment(s, O(1), PT_B32, 2, false, ab) ||
        !sel_fragment(s, O(2), PT_B32, 2, false, ab + 2) ||
        !sel_fragment(s, O(3), c32 ? PT_F32 : PT_B32, c32 ? 8 : 4, false, c) ||
        !sel_fragment(s, O(0), d32 ? PT_F32 : PT_B32, d32 ? 8 : 4, true, dst))
        return false;
    memset(p, 0xff, sizeof p);
    for (u32 i = 0; i < n; i++) {
        p[i].op = OP_mma_884, p[i].mod = (u16)(mod | i << MOD_MMA_STEP);
        memcpy(p[i].dst, dst + 2 * i, 2 * sizeof dst[0]);
        memcpy(p[i].src, ab, sizeof ab);
        memcpy(p[i].src + 4, c + mma_884_first_c(p[i].mod),
               mma_shape(OP_mma_884, p[i].mod).c * sizeof c[0]);
    }
    sel_emit_pieces(s, p, n);
    return true;
}

static bool sel_mma(struct sel *s)
{
    struct mma_words w;

    if (!mma_words(s, &w))
        return false;
    const struct mma_form *f = find_form(&w);

    if (f)
        return mma_plain(s, &w, f);
    if (!strcmp(w.shape, "m8n8k4") && !strcmp(w.type[1], "f16") && !strcmp(w.type[2], "f16") &&
        is_float_sum(w.type[0]) && is_float_sum(w.type[3]))
        return mma_884(s, &w);
    return sel_fail(s, s->in->col, "mma.%s of types .%s.%s.%s.%s is not supported", w.shape,
                    w.type[0], w.type[1], w.type[2], w.type[3]);
}

/* ---- ldmatrix, stmatrix, movmatrix */

static bool matrix_words(struct sel *s, bool load, u32 *n, bool *trans, bool *generic)
{
    static const char *const count[] = {"x1", "x2", "x4"};
    u32 at = 0, c = 0;
    bool ok = sel_next_is(s, &at, "sync") && sel_next_is(s, &at, "aligned") &&
              sel_next_is(s, &at, "m8n8");

    while (c < LEN(count) && !sel_next_is(s, &at, count[c]))
        c++;
    *n = 1u << c;
    *trans = sel_next_is(s, &at, "trans");
    *generic = !sel_next_is(s, &at, "shared") && !sel_next_is(s, &at, "shared::cta");
    if (ok && c < LEN(count) && sel_next_is(s, &at, "b16") && at == s->in->n_suf)
        return true;
    return sel_fail(s, s->in->col,
                    "%s is written %s.sync.aligned.m8n8.x1|x2|x4[.trans].shared.b16 %s",
                    s->in->name, s->in->name, load ? "{registers}, [a]" : "[a], {registers}");
}

static bool matrix_access(struct sel *s, bool load)
{
    u32 n, base, reg[4];
    bool trans, generic, addr32, frame;
    s64 imm;

    if (!matrix_words(s, load, &n, &trans, &generic) ||
        !sel_addr(s, O(load ? 1 : 0), generic ? PS_NONE : PS_SHARED, &base, &imm, &addr32,
                  &frame) ||
        !sel_fragment(s, O(load ? 0 : 1), PT_B32, n, load, reg))
        return false;
    struct ir_inst *in = sel_emit(s, load ? OP_ldmatrix : OP_stmatrix);

    in->mod = (u16)(n | (trans ? MOD_TRANS : 0) | (addr32 ? MOD_ADDR32 : 0));
    in->src[0] = base, in->imm = generic ? (s64)((u64)imm - WINDOW_SHARED) : imm;
    memcpy(load ? in->dst : in->src + 1, reg, n * sizeof reg[0]);
    return true;
}

static bool sel_ldmatrix(struct sel *s)
{
    return matrix_access(s, true);
}

static bool sel_stmatrix(struct sel *s)
{
    return matrix_access(s, false);
}

static bool sel_movmatrix(struct sel *s)
{
    u32 at = 0, dst, src;

    if (!sel_next_is(s, &at, "sync") || !sel_next_is(s, &at, "aligned") ||
        !sel_next_is(s, &at, "m8n8") || !sel_next_is(s, &at, "trans") ||
        !sel_next_is(s, &at, "b16") || at != s->in->n_suf)
        return sel_fail(s, s->in->col,
                        "movmatrix is written movmatrix.sync.aligned.m8n8.trans.b16 d, a");
    if (!sel_src(s, O(1), PT_B32, &src) || !sel_dst(s, O(0), PT_B32, &dst))
        return false;
    struct ir_inst *in = sel_emit(s, OP_movmatrix);

    in->dst[0] = dst, in->src[0] = src;
    return true;
}

const struct sel_op sel_matrix[] = {
    {"mma", sel_mma, S_OWN, 0, 0, 4, 4},
    {"wmma", sel_wmma, S_OWN, 0, 0, 2, 4},
    {"ldmatrix", sel_ldmatrix, S_OWN, 0, 0, 2, 2},
    {"stmatrix", sel_stmatrix, S_OWN, 0, 0, 2, 2},
    {"movmatrix", sel_movmatrix, S_OWN, 0, 0, 2, 2},
    {NULL, NULL, 0, 0, 0, 0, 0},
};
