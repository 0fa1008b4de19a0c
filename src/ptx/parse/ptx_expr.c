/*
 * ptx_expr.c -- constant expressions.
 *
 * Integers are 64 bits wide, signed unless they have the suffix U, are too large
 * for it, or meet an unsigned one, as in C.  Reals are doubles; a 0f... constant
 * may only be negated, so that its bits stay what was written.
 */
#include "ptx/parse/ptx_int.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_real(const struct ptx_num *v)
{
    return v->kind == NUM_F32 || v->kind == NUM_F64;
}

static double as_double(const struct ptx_num *v)
{
    double d;
    memcpy(&d, &v->bits, sizeof(d));
    return d;
}

static void set_real(struct ptx_num *v, double d)
{
    v->kind = NUM_F64;
    memcpy(&v->bits, &d, sizeof(d));
}

static bool unary(struct ptx_parser *p, struct ptx_num *v);
static bool ternary(struct ptx_parser *p, struct ptx_num *v);

static bool deeper(struct ptx_parser *p)
{
    if (p->depth == PTX_MAX_DEPTH)
        return ptx_fail(p, &p->tok, "an expression is nested more than %d deep", PTX_MAX_DEPTH);
    p->depth++;
    return true;
}

static bool literal_number(struct ptx_parser *p, struct ptx_num *v)
{
    const struct ptx_tok *t = &p->tok;
    v->bits = t->value;
    if (t->kind == TK_INT)
        v->kind = t->is_unsigned || t->value > INT64_MAX ? NUM_U64 : NUM_S64;
    else
        v->kind = t->kind == TK_F32 ? NUM_F32 : NUM_F64;
    ptx_next(p);
    return true;
}

static bool is_warp_size(const struct ptx_tok *t)
{
    return t->kind == TK_NAME && strcmp(t->name->s, "WARP_SZ") == 0;
}

static bool primary(struct ptx_parser *p, struct ptx_num *v)
{
    struct ptx_tok *t = &p->tok;
    if (t->kind == TK_DOT && t->name->s[0] >= '0' && t->name->s[0] <= '9')
        ptx_lex_again_as_number(&p->lex, t);
    if (t->kind == TK_INT || t->kind == TK_F32 || t->kind == TK_F64)
        return literal_number(p, v);
    if (is_warp_size(t)) {
        *v = (struct ptx_num){NUM_S64, 32};
        ptx_next(p);
        return true;
    }
    return ptx_expected(p, "a constant");
}

static bool needs_integer(struct ptx_parser *p, const struct ptx_tok *op, const struct ptx_num *v)
{
    return !is_real(v) || ptx_fail(p, op, "'%.*s' needs integer constants",
                                   (int)min_u32(op->len, PTX_SHOW), op->at);
}

/* After the '(': a type, its ')' and what it applies to. */
static bool cast(struct ptx_parser *p, struct ptx_num *v)
{
    struct ptx_tok t = p->tok;
    bool to_signed = ptx_is_dot(p, "s64");
    if (!to_signed && !ptx_is_dot(p, "u64"))
        return ptx_expected(p, "a cast to .s64 or .u64");
    ptx_next(p);
    if (!ptx_expect(p, ')', "')'") || !unary(p, v) || !needs_integer(p, &t, v))
        return false;
    v->kind = to_signed ? NUM_S64 : NUM_U64;
    return true;
}

static void negate(struct ptx_num *v)
{
    if (v->kind == NUM_F32)
        v->bits ^= (u64)1 << 31;
    else if (v->kind == NUM_F64)
        v->bits ^= (u64)1 << 63;
    else
        v->bits = -v->bits;
}

static bool prefixed(struct ptx_parser *p, struct ptx_num *v)
{
    struct ptx_tok op = p->tok;
    ptx_next(p);
    if (op.kind == '(' && p->tok.kind == TK_DOT && ptx_type_find(p->tok.name->s) != PT_NONE)
        return cast(p, v);
    if (op.kind == '(')
        return ternary(p, v) && ptx_expect(p, ')', "')'");
    if (!unary(p, v))
        return false;
    if (op.kind == '-')
        negate(v);
    if ((op.kind == '~' || op.kind == '!') && !needs_integer(p, &op, v))
        return false;
    if (op.kind == '~')
        v->bits = ~v->bits;
    if (op.kind == '!')
        *v = (struct ptx_num){NUM_S64, !v->bits};
    return true;
}

static bool unary(struct ptx_parser *p, struct ptx_num *v)
{
    u32 k = p->tok.kind;
    if (k != '-' && k != '+' && k != '~' && k != '!' && k != '(')
        return primary(p, v);
    if (!deeper(p))
        return false;
    bool ok = prefixed(p, v);
    p->depth--;
    return ok;
}

/* How tightly an operator binds; 0: it is none. */
static u32 precedence(u32 kind)
{
    switch (kind) {
    case TK_OR:
        return 1;
    case TK_AND:
        return 2;
    case '|':
        return 3;
    case '^':
        return 4;
    case '&':
        return 5;
    case TK_EQ:
    case TK_NE:
        return 6;
    case '<':
    case '>':
    case TK_LE:
    case TK_GE:
        return 7;
    case TK_SHL:
    case TK_SHR:
        return 8;
    case '+':
    case '-':
        return 9;
    case '*':
    case '/':
    case '%':
        return 10;
    default:
        return 0;
    }
}

static bool divide_integers(struct ptx_parser *p, const struct ptx_tok *op, struct ptx_num *a,
                            u64 y)
{
    if (y == 0)
        return ptx_fail(p, op, "division by zero in a constant expression");
    u64 x = a->bits;
    bool is_signed = a->kind == NUM_S64;
    if (is_signed &&
        y == UINT64_MAX) /* by -1: the machine's division would trap on the least number */
        a->bits = op->kind == '/' ? -x : 0;
    else if (is_signed)
        a->bits = (u64)(op->kind == '/' ? (s64)x / (s64)y : (s64)x % (s64)y);
    else
        a->bits = op->kind == '/' ? x / y : x % y;
    return true;
}

static bool shift(struct ptx_parser *p, const struct ptx_tok *op, struct ptx_num *a, u64 y)
{
    if (y > 63)
        return ptx_fail(p, op, "a constant is shifted by less than 0 or more than 63 bits");
    if (op->kind == TK_SHL)
        a->bits <<= y;
    else
        a->bits = a->kind == NUM_S64 ? (u64)((s64)a->bits >> y) : a->bits >> y;
    return true;
}

/* -1, 0 or 1 */
static int compare_nums(const struct ptx_num *a, const struct ptx_num *b)
{
    if (a->kind == NUM_S64)
        return ((s64)a->bits > (s64)b->bits) - ((s64)a->bits < (s64)b->bits);
    return (a->bits > b->bits) - (a->bits < b->bits);
}

static bool compare_numbers(u32 op, const struct ptx_num *a, const struct ptx_num *b)
{
    int c = compare_nums(a, b);
    switch (op) {
    case TK_EQ:
        return c == 0;
    case TK_NE:
        return c != 0;
    case '<':
        return c < 0;
    case '>':
        return c > 0;
    case TK_LE:
        return c <= 0;
    case TK_GE:
        return c >= 0;
    case TK_AND:
        return a->bits && b->bits;
    default:
        return a->bits || b->bits;
    }
}

static bool apply_real(struct ptx_parser *p, const struct ptx_tok *op, struct ptx_num *a,
                       const struct ptx_num *b)
{
    if (a->kind != NUM_F64 || b->kind != NUM_F64 || precedence(op->kind) < 9 || op->kind == '%')
        return ptx_fail(p, op, "'%.*s' cannot be applied to these constants", (int)op->len, op->at);
    double x = as_double(a), y = as_double(b);
    double r = op->kind == '+' ? x + y : op->kind == '-' ? x - y : op->kind == '*' ? x * y : x / y;
    if (!isfinite(r))
        return ptx_fail(p, op, "the value of a constant expression is not finite");
    set_real(a, r);
    return true;
}

/* a = a op b */
static bool apply_operator(struct ptx_parser *p, const struct ptx_tok *op, struct ptx_num *a,
                           struct ptx_num *b)
{
    if (is_real(a) || is_real(b))
        return apply_real(p, op, a, b);
    u64 y = b->bits;
    bool is_shift = op->kind == TK_SHL || op->kind == TK_SHR;
    if (b->kind == NUM_U64 && !is_shift)
        a->kind = NUM_U64;
    switch (op->kind) {
    case '+':
        a->bits += y;
        return true;
    case '-':
        a->bits -= y;
        return true;
    case '*':
        a->bits *= y;
        return true;
    case '&':
        a->bits &= y;
        return true;
    case '|':
        a->bits |= y;
        return true;
    case '^':
        a->bits ^= y;
        return true;
    case '/':
    case '%':
        return divide_integers(p, op, a, y);
    case TK_SHL:
    case TK_SHR:
        return shift(p, op, a, y);
    default:
        *a = (struct ptx_num){NUM_S64, compare_numbers(op->kind, a, b)};
        return true;
    }
}

/* What follows *v, as far as it binds at least as tightly as `least`. */
static bool climb(struct ptx_parser *p, struct ptx_num *v, u32 least)
{
    while (precedence(p->tok.kind) >= least) {
        struct ptx_tok op = p->tok;
        struct ptx_num right;
        ptx_next(p);
        if (!unary(p, &right) || !climb(p, &right, precedence(op.kind) + 1))
            return false;
        if (!apply_operator(p, &op, v, &right))
            return false;
    }
    return true;
}

static bool choose_by_condition(struct ptx_parser *p, struct ptx_num *v)
{
    struct ptx_num yes, no;
    struct ptx_tok op = p->tok;
    if (!ptx_take(p, '?'))
        return true;
    if (!needs_integer(p, &op, v) || !ternary(p, &yes) || !ptx_expect(p, ':', "':'") ||
        !ternary(p, &no))
        return false;
    *v = v->bits ? yes : no;
    return true;
}

static bool ternary(struct ptx_parser *p, struct ptx_num *v)
{
    if (!deeper(p))
        return false;
    bool ok = unary(p, v) && climb(p, v, 1) && choose_by_condition(p, v);
    p->depth--;
    return ok;
}

bool ptx_expr(struct ptx_parser *p, struct ptx_num *v)
{
    return ternary(p, v);
}

bool ptx_expr_offset(struct ptx_parser *p, s64 *off)
{
    struct ptx_tok t = p->tok;
    struct ptx_num v = {NUM_S64, 0};
    if (!climb(p, &v, precedence('+')) || !needs_integer(p, &t, &v))
        return false;
    *off = (s64)v.bits;
    return true;
}

bool ptx_expr_u64(struct ptx_parser *p, u64 max, const char *what, u64 *v)
{
    struct ptx_tok t = p->tok;
    struct ptx_num n;
    if (t.kind != TK_INT && t.kind != '(' && !is_warp_size(&t))
        return ptx_expected(p, what);
    if (!ptx_expr(p, &n))
        return false;
    if (is_real(&n))
        return ptx_fail(p, &t, "expected %s, found a number with a fraction", what);
    if (n.bits > max)
        return ptx_fail(p, &t, "%s above %" PRIu64 " is not possible", what, max);
    *v = n.bits;
    return true;
}

bool ptx_expr_u32(struct ptx_parser *p, const char *what, u32 *v)
{
    u64 wide = 0;
    bool ok = ptx_expr_u64(p, UINT32_MAX, what, &wide);
    *v = (u32)wide;
    return ok;
}
