/* ptx_opnd.c -- operands of instructions. */
#include "ptx/parse/ptx_int.h"

#include <string.h>

/* Which of a vector's elements .x or .r is; -1: none. */
static int element_of(const char *s)
{
    static const char letter[] = "xyzwrgba";
    const char *at = s[0] && !s[1] ? strchr(letter, s[0]) : NULL;
    return at ? (int)(at - letter) % 4 : -1;
}

static bool is_token_word(const struct ptx_tok *t, const char *word)
{
    return t->kind == TK_NAME && strcmp(t->name->s, word) == 0;
}

/* Operands pushed on p->elem since `first` become the elements of o. */
static void pop_elems(struct ptx_parser *p, u32 first, struct ptx_opnd *o)
{
    o->n_elem = p->elem.n - first;
    o->elem = o->n_elem ? ptx_keep(p, &p->elem.at[first], o->n_elem, sizeof(*o)) : NULL;
    p->elem.n = first;
}

/* A whole vector register is the list of its parts. */
static void whole_vector(struct ptx_parser *p, struct ptx_opnd *o, u32 n)
{
    u32 first = p->elem.n;
    for (u32 i = 0; i < n; i++)
        *VEC_ADD(&p->elem) = (struct ptx_opnd){.kind = PO_REG, .col = o->col, .reg = o->reg + i};
    o->kind = PO_VEC;
    pop_elems(p, first, o);
}

/* .b0, .h1, .h32, .b3210: which parts of a register a video instruction means. */
static bool is_selector(const char *s)
{
    size_t n = strspn(s + 1, "01234567");
    return (s[0] == 'b' || s[0] == 'h') && n >= 1 && n <= 4 && !s[n + 1];
}

static bool reg_operand(struct ptx_parser *p, const struct ptx_tok *t, u32 reg, struct ptx_opnd *o)
{
    u32 vec = p->reg.at[reg].vec;
    o->kind = PO_REG;
    o->reg = reg;
    if (p->tok.kind != TK_DOT) {
        if (vec > 1)
            whole_vector(p, o, vec);
        return true;
    }
    if (p->video && vec == 1 && is_selector(p->tok.name->s)) {
        o->sel = p->tok.name->s;
        ptx_next(p);
        return true;
    }
    int i = element_of(p->tok.name->s);
    if (i < 0 || (u32)i >= vec || vec == 1)
        return ptx_fail(p, &p->tok, "'%.*s' has no element '.%.*s'", PTX_SHOW, t->name->s, PTX_SHOW,
                        p->tok.name->s);
    o->reg += (u32)i;
    ptx_next(p);
    return true;
}

/* %tid.x, %clock */
static bool special_operand(struct ptx_parser *p, const struct ptx_tok *t, struct ptx_opnd *o)
{
    o->kind = PO_SREG;
    o->name = t->name->s;
    if (p->tok.kind != TK_DOT)
        return true;
    if (element_of(p->tok.name->s) < 0)
        return ptx_fail(p, &p->tok, "'%s' has no element '.%.*s'", t->name->s, PTX_SHOW,
                        p->tok.name->s);
    char full[64];
    int n = snprintf(full, sizeof(full), "%s.%s", t->name->s, p->tok.name->s);
    o->name = ptx_name_get(&p->lex, full, (size_t)n)->s;
    ptx_next(p);
    return true;
}

static bool sym_operand(struct ptx_parser *p, const struct ptx_tok *t, struct ptx_opnd *o)
{
    const struct ptx_sym *s = t->name->sym;
    switch (s->kind) {
    case SYM_REG:
        return reg_operand(p, t, s->index, o);
    case SYM_VAR:
        o->kind = PO_VAR;
        o->var = s->var;
        return ptx_expr_offset(p, &o->off);
    case SYM_FUNC:
        o->kind = PO_FUNC;
        o->func = s->func;
        return true;
    case SYM_LABEL:
        o->kind = PO_LABEL;
        o->label = s->index;
        return true;
    default:
        o->kind = PO_TABLE;
        o->table = s->index;
        return true;
    }
}

static bool name_operand(struct ptx_parser *p, struct ptx_opnd *o)
{
    struct ptx_tok t = p->tok;
    ptx_next(p);
    if (t.name->sym)
        return sym_operand(p, &t, o);
    if (strcmp(t.name->s, "_") == 0) {
        o->kind = PO_SINK;
        return true;
    }
    if (ptx_sreg_known(t.name->s))
        return special_operand(p, &t, o);
    return ptx_undeclared(p, &t);
}

static bool operand_constant(struct ptx_parser *p, struct ptx_opnd *o)
{
    struct ptx_num n;
    if (!ptx_expr(p, &n))
        return false;
    o->kind = n.kind == NUM_F32 ? PO_F32 : n.kind == NUM_F64 ? PO_FLOAT : PO_INT;
    o->imm = n.bits;
    return true;
}

bool ptx_opnd_reg(struct ptx_parser *p, u32 *reg)
{
    struct ptx_opnd o = {0};
    struct ptx_tok t = p->tok;
    if (t.kind != TK_NAME)
        return ptx_expected(p, "a register");
    if (!name_operand(p, &o))
        return false;
    *reg = o.reg;
    return o.kind == PO_REG || ptx_fail(p, &t, "'%.*s' is no register", PTX_SHOW, t.name->s);
}

static bool starts_constant(const struct ptx_tok *t)
{
    switch (t->kind) {
    case TK_INT:
    case TK_F32:
    case TK_F64:
    case TK_DOT:
    case '(':
    case '-':
    case '+':
    case '~':
    case '!':
        return true;
    default:
        return is_token_word(t, "WARP_SZ");
    }
}

/* What may stand alone or inside a list. */
static bool simple(struct ptx_parser *p, struct ptx_opnd *o)
{
    *o = (struct ptx_opnd){.col = p->tok.col};
    if (p->tok.kind == '!' && ptx_lex_name_follows(&p->lex)) {
        o->kind = PO_REG;
        o->neg = ptx_take(p, '!');
        return ptx_opnd_reg(p, &o->reg);
    }
    if (p->video && p->tok.kind == '-' && ptx_lex_name_follows(&p->lex)) {
        o->minus = ptx_take(p, '-');
        return p->tok.kind == TK_NAME ? name_operand(p, o) : ptx_expected(p, "a register");
    }
    if (starts_constant(&p->tok))
        return operand_constant(p, o);
    return p->tok.kind == TK_NAME ? name_operand(p, o) : ptx_expected(p, "an operand");
}

static bool vector(struct ptx_parser *p, struct ptx_opnd *o);

/* The operands up to `close`; `what` says so in words.  Those of a call may be vectors. */
static bool operand_list(struct ptx_parser *p, u32 close, const char *what, struct ptx_opnd *o)
{
    u32 first = p->elem.n;
    ptx_next(p);
    if (p->tok.kind == close && close == ')')
        return ptx_take(p, close);
    do {
        struct ptx_tok t = p->tok;
        struct ptx_opnd one;
        bool inner = p->tok.kind == '{' && close == ')';
        if (!(inner ? vector(p, &one) : simple(p, &one)))
            return false;
        if (one.kind == PO_VEC && close != ')')
            return ptx_fail(p, &t, "a vector cannot stand in a list");
        *VEC_ADD(&p->elem) = one;
    } while (ptx_take(p, ','));
    pop_elems(p, first, o);
    return ptx_expect(p, close, what);
}

static bool vector(struct ptx_parser *p, struct ptx_opnd *o)
{
    *o = (struct ptx_opnd){.kind = PO_VEC, .col = p->tok.col};
    return operand_list(p, '}', "',' or '}'", o);
}

/* After the first operand in brackets and its comma: sampler and coordinates. */
static bool texture(struct ptx_parser *p, const struct ptx_opnd *tex, struct ptx_opnd *o)
{
    u32 first = p->elem.n;
    o->kind = PO_TEX;
    *VEC_ADD(&p->elem) = *tex;
    while (ptx_take(p, ',')) {
        struct ptx_opnd one;
        if (!(p->tok.kind == '{' ? vector(p, &one) : simple(p, &one)))
            return false;
        *VEC_ADD(&p->elem) = one;
    }
    pop_elems(p, first, o);
    return ptx_expect(p, ']', "',' or ']'");
}

/* [reg+4], [var+4], [16], [tex, {x, y}] */
static bool operand_address(struct ptx_parser *p, struct ptx_opnd *o)
{
    struct ptx_opnd base;
    o->kind = PO_ADDR;
    ptx_next(p);
    struct ptx_tok t = p->tok;
    if (!simple(p, &base))
        return false;
    if (base.neg || (base.kind != PO_REG && base.kind != PO_VAR && base.kind != PO_INT))
        return ptx_fail(p, &t, "an address must begin with a register, a variable or a number");
    if (p->tok.kind == ',')
        return texture(p, &base, o);
    if (base.kind == PO_REG && !ptx_expr_offset(p, &o->off))
        return false;
    if (base.kind == PO_VAR)
        o->off = base.off, base.off = 0;
    o->n_elem = 1;
    o->elem = ptx_keep(p, &base, 1, sizeof(base));
    return ptx_expect(p, ']', "']'");
}

/* p|q */
static bool pair(struct ptx_parser *p, struct ptx_opnd *o)
{
    struct ptx_opnd both[2] = {*o};
    if (!ptx_take(p, '|'))
        return true;
    if (!simple(p, &both[1]))
        return false;
    *o = (struct ptx_opnd){.kind = PO_PAIR, .col = o->col, .n_elem = 2};
    o->elem = ptx_keep(p, both, 2, sizeof(both[0]));
    return true;
}

bool ptx_opnd(struct ptx_parser *p, const char *op, struct ptx_opnd *o)
{
    u32 kind = p->tok.kind;
    p->video = op[0] == 'v' && strcmp(op, "vote") != 0;
    *o = (struct ptx_opnd){.col = p->tok.col};
    if (kind == '[')
        return operand_address(p, o);
    if (kind == '{')
        return vector(p, o) && pair(p, o);
    if (kind == '(' && strcmp(op, "call") == 0) {
        o->kind = PO_LIST;
        return operand_list(p, ')', "',' or ')'", o);
    }
    if (kind == TK_NAME && strcmp(op, "bra") == 0) { /* the label may stand further down */
        o->kind = PO_LABEL;
        o->name = p->tok.name->s;
        return ptx_take(p, TK_NAME);
    }
    if (!simple(p, o))
        return false;
    if (o->kind == PO_REG && !o->neg && (p->tok.kind == '+' || p->tok.kind == '-'))
        return ptx_expr_offset(p, &o->off);
    return o->kind == PO_REG || o->kind == PO_SINK ? pair(p, o) : true;
}
