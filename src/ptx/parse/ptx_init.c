/*
 * ptx_init.c -- what a variable holds at the start: `= 5`, `= {{1, 2}, {3}}`, `= {name + 4}`.
 *
 * Numbers become bytes of the element's type; addresses, which nobody knows yet,
 * become entries of the variable's reloc list.  As in C, inner braces may be left
 * out, and what is not given is zero.  The bytes are collected as far as they are
 * given, and copied to their full size at the end.
 */
#include "ptx/parse/ptx_int.h"

#include <inttypes.h>
#include <string.h>

struct init {
    struct ptx_parser *p;
    struct ptx_var *v;
    const struct ptx_dims *d;
    u32 elem; /* bytes */
    VEC(u8) byte;
    struct ptx_reloc **tail;
};

static bool fits_bytes(const struct ptx_num *n, u32 bytes)
{
    if (bytes == 8)
        return true;
    s64 v = (s64)n->bits;
    s64 top = (s64)1 << (8 * bytes);
    return (n->kind == NUM_S64 && v < 0) ? v >= -(top / 2) : n->bits < (u64)top;
}

static float f32_of(const struct ptx_num *n)
{
    float f;
    double d;
    u32 half = (u32)n->bits;
    memcpy(&f, &half, sizeof(f));
    memcpy(&d, &n->bits, sizeof(d));
    switch (n->kind) {
    case NUM_F32:
        return f;
    case NUM_F64:
        return (float)d;
    case NUM_S64:
        return (float)(s64)n->bits;
    default:
        return (float)n->bits;
    }
}

static double f64_of(const struct ptx_num *n)
{
    double d;
    memcpy(&d, &n->bits, sizeof(d));
    switch (n->kind) {
    case NUM_F32:
        return f32_of(n);
    case NUM_F64:
        return d;
    case NUM_S64:
        return (double)(s64)n->bits;
    default:
        return (double)n->bits;
    }
}

static bool integer_bits(struct init *in, const struct ptx_tok *t, const struct ptx_num *n,
                         u64 *bits)
{
    enum ptx_type type = in->v->type;
    *bits = n->bits;
    if ((n->kind == NUM_F32 && type == PT_B32) || (n->kind == NUM_F64 && type == PT_B64))
        return true;
    if (n->kind == NUM_F32 || n->kind == NUM_F64)
        return ptx_fail(in->p, t, "a floating-point number cannot initialise a .%s",
                        ptx_type_name(type));
    return fits_bytes(n, in->elem) ||
           ptx_fail(in->p, t, "%.*s does not fit in a .%s", (int)min_u32(t->len, PTX_SHOW), t->at,
                    ptx_type_name(type));
}

/* The number as the bits of an element. */
static bool element_bits(struct init *in, const struct ptx_tok *t, const struct ptx_num *n,
                         u64 *bits)
{
    if (in->v->type == PT_F32) {
        float f = f32_of(n);
        u32 half;
        memcpy(&half, &f, sizeof(f));
        *bits = half;
        return true;
    }
    if (in->v->type == PT_F64) {
        double d = f64_of(n);
        memcpy(bits, &d, sizeof(d));
        return true;
    }
    return integer_bits(in, t, n, bits);
}

static void put_bytes(struct init *in, u64 off, u64 bits)
{
    while (in->byte.n < off + in->elem)
        *VEC_ADD(&in->byte) = 0;
    for (u32 i = 0; i < in->elem; i++)
        in->byte.at[off + i] = (u8)(bits >> (8 * i));
}

static bool add_reloc(struct init *in, const struct ptx_tok *t, u64 off, struct ptx_reloc *r)
{
    enum ptx_type type = in->v->type;
    if (type == PT_F32 || type == PT_F64 || in->elem != r->bytes)
        return ptx_fail(in->p, t, "an address does not fit in a .%s", ptx_type_name(type));
    r->off = off;
    *in->tail = ptx_keep(in->p, r, 1, sizeof(*r));
    in->tail = &(*in->tail)->next;
    put_bytes(in, off, 0);
    return true;
}

static bool address_name(struct ptx_parser *p, struct ptx_reloc *r)
{
    struct ptx_tok t;
    if (!ptx_expect_name(p, "the name of a variable or function", &t))
        return false;
    const struct ptx_sym *s = t.name->sym;
    if (!s)
        return ptx_undeclared(p, &t);
    if (s->kind != SYM_VAR && s->kind != SYM_FUNC)
        return ptx_fail(p, &t, "'%.*s' has no address", PTX_SHOW, t.name->s);
    r->var = s->var;
    r->func = s->func;
    return true;
}

/* name, name+4, generic(name+4)+4 */
static bool initial_address(struct ptx_parser *p, struct ptx_reloc *r)
{
    const struct ptx_tok *t = &p->tok;
    s64 inner = 0;
    r->generic = t->kind == TK_NAME && !t->name->sym && strcmp(t->name->s, "generic") == 0;
    if (r->generic)
        ptx_next(p);
    if (r->generic && !ptx_expect(p, '(', "'('"))
        return false;
    if (!address_name(p, r))
        return false;
    if (r->generic && (!ptx_expr_offset(p, &inner) || !ptx_expect(p, ')', "')'")))
        return false;
    if (!ptx_expr_offset(p, &r->addend))
        return false;
    r->addend = (s64)((u64)r->addend + (u64)inner);
    return true;
}

/* 0xFF00(name): one byte of the address */
static bool masked(struct init *in, const struct ptx_tok *t, u64 off, u64 mask)
{
    struct ptx_reloc r = {.bytes = 1};
    r.shift = mask ? (u32)__builtin_ctzll(mask) : 0;
    if (mask >> r.shift != 0xff || r.shift % 8)
        return ptx_fail(in->p, t,
                        "the mask of an address must be 0xFF or that shifted by whole bytes");
    ptx_next(in->p);
    return initial_address(in->p, &r) && ptx_expect(in->p, ')', "')'") && add_reloc(in, t, off, &r);
}

static bool scalar(struct init *in, u64 off)
{
    struct ptx_parser *p = in->p;
    struct ptx_tok t = p->tok;
    struct ptx_num n;
    u64 bits;
    if (t.kind == TK_NAME && strcmp(t.name->s, "WARP_SZ") != 0) {
        struct ptx_reloc r = {.bytes = in->elem == 8 ? 8 : 4};
        return initial_address(p, &r) && add_reloc(in, &t, off, &r);
    }
    if (!ptx_expr(p, &n))
        return false;
    if (p->tok.kind == '(' && n.kind != NUM_F32 && n.kind != NUM_F64)
        return masked(in, &t, off, n.bits);
    if (!element_bits(in, &t, &n, &bits))
        return false;
    put_bytes(in, off, bits);
    return true;
}

static u64 part_bytes(const struct init *in, u32 level)
{
    u64 n = in->elem;
    for (u32 i = level + 1; i < in->d->n; i++)
        n *= in->d->len[i];
    return n;
}

static bool too_long(struct init *in)
{
    return ptx_fail(in->p, &in->p->tok,
                    "the initialiser of '%.*s' has more than its %" PRIu64 " bytes", PTX_SHOW,
                    in->v->name, in->v->size);
}

/* {...} for the array of dimension `level` that lies at base..end. */
static bool braces(struct init *in, u32 level, u64 base, u64 end)
{
    struct ptx_parser *p = in->p;
    u64 part = part_bytes(in, level), at = base;
    ptx_next(p);
    while (p->tok.kind != '}') {
        bool inner = p->tok.kind == '{';
        if (inner && level + 1 >= in->d->n)
            return ptx_fail(p, &p->tok, "there are more braces than dimensions");
        if (inner && part)
            at = base + align_up(at - base, part);
        u64 size = inner ? part : in->elem;
        if (at + size > end)
            return in->d->open && end == PTX_MAX_INIT
                       ? ptx_fail(p, &p->tok, "an initialiser of more than 64 MB")
                       : too_long(in);
        if (!(inner ? braces(in, level + 1, at, at + size) : scalar(in, at)))
            return false;
        at += size;
        if (!ptx_take(p, ',') && p->tok.kind != '}')
            return ptx_expected(p, "',' or '}'");
    }
    ptx_next(p);
    return true;
}

/* Its length was left open: as many parts as are given. */
static void close_size(struct init *in)
{
    u64 part = part_bytes(in, 0);
    in->v->size = part ? align_up(in->byte.n, part) : 0;
}

static bool keep_bytes(struct init *in)
{
    struct ptx_parser *p = in->p;
    if (in->d->open)
        close_size(in);
    p->n_init_all += in->v->size;
    if (in->v->size > PTX_MAX_INIT || p->n_init_all > PTX_MAX_INIT_ALL)
        return ptx_fail(p, &p->tok, "initialisers of more than 64 MB, or 256 MB in all");
    in->v->init = ptx_alloc(&p->m->arena, in->v->size ? in->v->size : 1);
    if (in->byte.n)
        memcpy(in->v->init, in->byte.at, in->byte.n);
    return true;
}

bool ptx_init(struct ptx_parser *p, struct ptx_var *v, struct ptx_dims *d)
{
    struct init in = {.p = p, .v = v, .d = d, .elem = ptx_type_bytes(v->type), .tail = &v->reloc};
    if (v->type == PT_F16 || v->type == PT_F16X2 || v->type > PT_F64)
        return ptx_fail(p, &p->tok, "a .%s cannot have an initialiser", ptx_type_name(v->type));
    if (p->tok.kind != '{' && d->n > 0)
        return ptx_expected(p, "'{'");
    bool ok =
        p->tok.kind == '{' ? braces(&in, 0, 0, d->open ? PTX_MAX_INIT : v->size) : scalar(&in, 0);
    ok = ok && keep_bytes(&in);
    VEC_FREE(&in.byte);
    return ok;
}
