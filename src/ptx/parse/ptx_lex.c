#include "ptx/parse/ptx_lex.h"

#include <string.h>

#include "base/text.h"
#include "ptx/parse/ptx_int.h"

enum { C_NAME = 1, C_DIGIT = 2, C_HEX = 4, C_BLANK = 8 };

/* Locale plays no part in what a letter is. */
static const u8 class_of[256] = {
    ['a' ... 'f'] = C_NAME | C_HEX,
    ['A' ... 'F'] = C_NAME | C_HEX,
    ['g' ... 'z'] = C_NAME,
    ['G' ... 'Z'] = C_NAME,
    ['0' ... '9'] = C_NAME | C_DIGIT | C_HEX,
    ['_'] = C_NAME,
    ['$'] = C_NAME,
    [' '] = C_BLANK,
    ['\t'] = C_BLANK,
    ['\r'] = C_BLANK,
    ['\v'] = C_BLANK,
    ['\f'] = C_BLANK,
};

static bool is_class(char c, u8 class)
{
    return class_of[(u8)c] & class;
}

static u32 column_at(const struct ptx_lex *x, const char *at)
{
    return (u32)(at - x->line_start) + 1;
}

/* The message, and the text from `from` to here if it is to be quoted. */
static void bad_token(struct ptx_lex *x, struct ptx_tok *t, const char *from, const char *what,
                      bool quote)
{
    t->kind = TK_BAD;
    x->failed = true;
    int len = quote ? (int)min_u32((u32)(x->at - from), PTX_SHOW) : 0;
    ptx_err(x->m, x->line, column_at(x, from), x->e, "%s%s%.*s%s", what, quote ? ": '" : "", len,
            from, quote ? "'" : "");
}

void ptx_lex_init(struct ptx_lex *x, struct ptx_module *m, struct err *e)
{
    *x = (struct ptx_lex){.at = m->text, .line_start = m->text, .line = 1, .m = m, .e = e};
    x->names.n_bucket = 256;
    x->names.bucket = xcalloc(x->names.n_bucket, sizeof(x->names.bucket[0]));
}

void ptx_lex_done(struct ptx_lex *x)
{
    free(x->names.bucket);
    x->names.bucket = NULL;
}

static u32 hash_of(const char *s, size_t len)
{
    u64 h = 0xcbf29ce484222325;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (u8)s[i]) * 0x100000001b3;
    return (u32)(h ^ h >> 32);
}

static void grow_buckets(struct ptx_names *ns)
{
    u32 n = ns->n_bucket * 2;
    struct ptx_name **bucket = xcalloc(n, sizeof(bucket[0]));
    for (struct ptx_name *i = ns->first; i; i = i->later) {
        i->next = bucket[i->hash & (n - 1)];
        bucket[i->hash & (n - 1)] = i;
    }
    free(ns->bucket);
    ns->bucket = bucket;
    ns->n_bucket = n;
}

static struct ptx_name *add_name(struct ptx_lex *x, const char *s, size_t len, u32 hash)
{
    struct ptx_names *ns = &x->names;
    if (ns->n >= ns->n_bucket && ns->n_bucket < 1u << 30)
        grow_buckets(ns);
    struct ptx_name *i = ptx_alloc(&x->m->arena, sizeof(*i) + len + 1);
    memcpy(i->s, s, len);
    i->len = (u32)len;
    i->hash = hash;
    i->next = ns->bucket[hash & (ns->n_bucket - 1)];
    ns->bucket[hash & (ns->n_bucket - 1)] = i;
    ns->n++;
    if (ns->last)
        ns->last->later = i;
    else
        ns->first = i;
    return ns->last = i;
}

struct ptx_name *ptx_name_get(struct ptx_lex *x, const char *s, size_t len)
{
    u32 hash = hash_of(s, len);
    struct ptx_name *i = x->names.bucket[hash & (x->names.n_bucket - 1)];
    for (; i; i = i->next)
        if (i->hash == hash && i->len == len && memcmp(i->s, s, len) == 0)
            return i;
    return add_name(x, s, len, hash);
}

static void new_line(struct ptx_lex *x)
{
    x->line_start = ++x->at;
    x->line++;
}

static void skip_line(struct ptx_lex *x)
{
    while (*x->at && *x->at != '\n')
        x->at++;
}

static bool skip_comment(struct ptx_lex *x, struct ptx_tok *t)
{
    const char *start = x->at, *start_line = x->line_start;
    u32 line = x->line;
    for (x->at += 2; *x->at && !(x->at[0] == '*' && x->at[1] == '/');) {
        if (*x->at == '\n')
            new_line(x);
        else
            x->at++;
    }
    if (*x->at) {
        x->at += 2;
        return true;
    }
    x->line = line, x->line_start = start_line;
    bad_token(x, t, start, "a comment that begins here has no end", false);
    return false;
}

/* To the next token's first character; false at a comment that has no end. */
static bool skip_blank(struct ptx_lex *x, struct ptx_tok *t)
{
    while (true) {
        const char *s = x->at;
        if (is_class(*s, C_BLANK))
            x->at++;
        else if (*s == '\n')
            new_line(x);
        else if ((s[0] == '/' && s[1] == '/') || (s[0] == '@' && s[1] == '@'))
            skip_line(x);
        else if (s[0] != '/' || s[1] != '*')
            return true;
        else if (!skip_comment(x, t))
            return false;
    }
}

static u32 digit_of(char c)
{
    return c <= '9' ? (u32)(c - '0') : (u32)((c | 0x20) - 'a' + 10);
}

/* Digits from x->at on; returns their number, or 0 and a bad token if there is none or too much. */
static u32 scan_digits(struct ptx_lex *x, struct ptx_tok *t, u32 base)
{
    const char *start = x->at;
    u64 v = 0;
    bool over = false;
    for (; is_class(*x->at, C_HEX) && digit_of(*x->at) < base; x->at++)
        over |=
            __builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit_of(*x->at), &v);
    t->value = v;
    u32 n = (u32)(x->at - start);
    if (over) {
        bad_token(x, t, t->at, "number does not fit in 64 bits", true);
        return 0;
    }
    return n;
}

static void malformed(struct ptx_lex *x, struct ptx_tok *t)
{
    while (is_class(*x->at, C_NAME))
        x->at++;
    if (!x->failed)
        bad_token(x, t, t->at, "malformed number", true);
}

/* 0x1F 0b11 0f3F800000 0d3FF0000000000000 */
static bool lex_prefixed(struct ptx_lex *x, struct ptx_tok *t)
{
    static const struct {
        char letter;
        u8 base, n_digit;
        u16 kind;
    } form[] = {
        {'x', 16, 0, TK_INT}, {'b', 2, 0, TK_INT}, {'f', 16, 8, TK_F32}, {'d', 16, 16, TK_F64}};
    for (u32 i = 0; i < LEN(form); i++) {
        if (x->at[0] != '0' || (x->at[1] | 0x20) != form[i].letter)
            continue;
        x->at += 2;
        t->kind = form[i].kind;
        u32 n = scan_digits(x, t, form[i].base);
        if (!n || (form[i].n_digit && n != form[i].n_digit))
            malformed(x, t);
        return true;
    }
    return false;
}

static bool at_exponent(const char *s)
{
    return (*s | 0x20) == 'e' &&
           (is_class(s[1], C_DIGIT) || ((s[1] == '+' || s[1] == '-') && is_class(s[2], C_DIGIT)));
}

static bool at_fraction(const char *s)
{
    return (*s == '.' && (!is_class(s[1], C_NAME) || is_class(s[1], C_DIGIT))) || at_exponent(s);
}

static void lex_real(struct ptx_lex *x, struct ptx_tok *t)
{
    while (is_class(*x->at, C_DIGIT))
        x->at++;
    x->at += *x->at == '.';
    while (is_class(*x->at, C_DIGIT))
        x->at++;
    if (at_exponent(x->at))
        for (x->at += 2; is_class(*x->at, C_DIGIT);)
            x->at++;
    char *copy = text_dup_n(t->at, (size_t)(x->at - t->at));
    double v = 0;
    if (!text_parse_real(copy, &v))
        bad_token(x, t, t->at, "number is outside the range of .f64", true);
    else
        t->kind = TK_F64;
    free(copy);
    memcpy(&t->value, &v, sizeof(v));
}

/* Decimal or, with a leading 0, octal. */
static void lex_integer(struct ptx_lex *x, struct ptx_tok *t)
{
    t->kind = TK_INT;
    if (!scan_digits(x, t, x->at[0] == '0' ? 8 : 10))
        malformed(x, t);
}

static void lex_number(struct ptx_lex *x, struct ptx_tok *t)
{
    const char *s = x->at;
    if (!lex_prefixed(x, t)) {
        while (is_class(*s, C_DIGIT))
            s++;
        if (at_fraction(s))
            lex_real(x, t);
        else
            lex_integer(x, t);
    }
    if (t->kind == TK_INT && *x->at == 'U')
        t->is_unsigned = true, x->at++;
    if (is_class(*x->at, C_NAME))
        malformed(x, t);
}

static void lex_string(struct ptx_lex *x, struct ptx_tok *t)
{
    const char *start = x->at++;
    while (*x->at && *x->at != '"' && *x->at != '\n')
        x->at += x->at[0] == '\\' && x->at[1] && x->at[1] != '\n' ? 2 : 1;
    if (*x->at != '"') {
        bad_token(x, t, start, "a string that begins here has no end", false);
        return;
    }
    t->kind = TK_STRING;
    t->at = start + 1;
    t->len = (u32)(x->at++ - t->at);
}

/* A suffix may have colons inside: .shared::cta */
static void lex_dot(struct ptx_lex *x, struct ptx_tok *t)
{
    const char *s = ++x->at;
    while (is_class(*s, C_NAME) ||
           (s > x->at && s[0] == ':' && s[1] == ':' && is_class(s[2], C_NAME)))
        s += *s == ':' ? 2 : 1;
    t->kind = TK_DOT;
    t->name = ptx_name_get(x, x->at, (size_t)(s - x->at));
    x->at = s;
}

static void lex_name(struct ptx_lex *x, struct ptx_tok *t)
{
    const char *s = x->at + 1;
    while (is_class(*s, C_NAME))
        s++;
    t->kind = TK_NAME;
    t->name = ptx_name_get(x, x->at, (size_t)(s - x->at));
    x->at = s;
}

static void lex_mark(struct ptx_lex *x, struct ptx_tok *t)
{
    static const struct {
        char text[3];
        u16 kind;
    } twin[] = {{"<<", TK_SHL}, {">>", TK_SHR}, {"==", TK_EQ},  {"!=", TK_NE},
                {"<=", TK_LE},  {">=", TK_GE},  {"&&", TK_AND}, {"||", TK_OR}};
    const char *s = x->at;
    for (u32 i = 0; i < LEN(twin); i++) {
        if (s[0] == twin[i].text[0] && s[1] == twin[i].text[1]) {
            t->kind = twin[i].kind;
            x->at += 2;
            return;
        }
    }
    t->kind = (u8)*x->at++;
    bool shown = (u8)*s > ' ' && (u8)*s <= '~';
    if (!strchr("{}()[]<>,;:@!|&^~+-*/%=?", *s))
        bad_token(x, t, s, shown ? "unexpected character" : "a character that PTX does not have",
                  shown);
}

void ptx_lex_next(struct ptx_lex *x, struct ptx_tok *t)
{
    *t = (struct ptx_tok){.kind = TK_BAD, .line = x->line, .at = x->at};
    if (x->failed || !skip_blank(x, t))
        return;
    const char *s = t->at = x->at;
    t->line = x->line;
    t->col = column_at(x, s);
    if (!*s)
        t->kind = TK_END;
    else if (is_class(*s, C_DIGIT))
        lex_number(x, t);
    else if (is_class(*s, C_NAME) || (*s == '%' && is_class(s[1], C_NAME)))
        lex_name(x, t);
    else if (*s == '.' && is_class(s[1], C_NAME))
        lex_dot(x, t);
    else if (*s == '"')
        lex_string(x, t);
    else
        lex_mark(x, t);
    if (t->kind != TK_STRING)
        t->len = (u32)(x->at - s);
}

void ptx_lex_again_as_number(struct ptx_lex *x, struct ptx_tok *t)
{
    x->at = t->at;
    lex_real(x, t);
    t->len = (u32)(x->at - t->at);
}

bool ptx_lex_name_follows(const struct ptx_lex *x)
{
    const char *s = x->at;
    while (is_class(*s, C_BLANK))
        s++;
    return *s == '%' || (is_class(*s, C_NAME) && !is_class(*s, C_DIGIT));
}
