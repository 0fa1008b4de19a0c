/* mend.c -- see mend.h. */
#include "base/mend.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

#define SPACES " \t\r\v\f" /* within a line */
#define BLANKS SPACES "\n"

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t name_len(const char *s)
{
    size_t n = 0;
    while (is_name_char(s[n]))
        n++;
    return n;
}

/* Three times `mark`, blanks between allowed: how long that is, 0 if it is not there. */
static size_t launch_mark(const char *s, char mark)
{
    size_t n = 0;
    for (u32 i = 0; i < 3; i++) {
        if (i)
            n += strspn(s + n, BLANKS);
        if (s[n++] != mark)
            return 0;
    }
    if (s[n] == mark || s[n] == '=')
        return 0;
    return s[n + strspn(s + n, SPACES)] == '#' ? 0 : n; /* no line is to begin with it */
}

/* After a %: a special register of PTX? */
static bool is_special_register(const char *s)
{
    static const char *const names[] = {
        "laneid", "warpid", "nwarpid", "smid",  "nsmid",  "gridid",       "lanemask_",
        "clock",  "tid",    "ntid",    "ctaid", "nctaid", "globaltimer",  "envreg",
        "pm0",    "pm1",    "pm2",     "pm3",   "pm4",    "dynamic_smem", "total_smem",
    };
    for (u32 i = 0; i < LEN(names); i++)
        if (text_begins(s, names[i]))
            return true;
    return false;
}

/* --- is it needed? --- */

static bool after_operator(const char *text, const char *s)
{
    while (s > text && strchr(BLANKS, s[-1]))
        s--;
    return s - text >= 8 && strncmp(s - 8, "operator", 8) == 0;
}

/* Three closing marks also end templates of templates, but seldom in front of a parenthesis. */
static bool has_broken_mark(const char *text)
{
    for (const char *s = text; (s = strpbrk(s, "<>")); s++) {
        size_t n = launch_mark(s, *s);
        if (n > 3 && (*s == '<' ? !after_operator(text, s) : s[n + strspn(s + n, BLANKS)] == '('))
            return true;
        s += strspn(s + 1, "<>"); /* of <<<< no mark begins in the middle */
    }
    return false;
}

static bool has_lone_percent(const char *text)
{
    if (!strstr(text, "asm"))
        return false;
    for (const char *s = text; (s = strchr(s, '%')); s += strspn(s, "%"))
        if (is_special_register(s + 1))
            return true;
    return false;
}

static bool has_pair(const char *text, const char *first, const char *second)
{
    for (const char *s = text; (s = strstr(s, first));) {
        s += strlen(first);
        if (text_begins(s + strspn(s, BLANKS), second))
            return true;
    }
    return false;
}

/* "0" or "(0)", and nothing else before the line, a string or a comment ends it. */
static bool is_zero(const char *s)
{
    s += strspn(s, " \t(");
    if (*s != '0')
        return false;
    s++, s += strspn(s, " \t)");
    return !*s || strchr("\r\n\"/", *s);
}

/* #define NAME 0, anywhere */
static bool is_defined_zero(const char *text, const char *name)
{
    size_t n = name_len(name);
    for (const char *s = text; (s = strstr(s, "define"));) {
        s += 6, s += strspn(s, " \t");
        if (name_len(s) == n && strncmp(s, name, n) == 0 && is_zero(s + n))
            return true;
    }
    return false;
}

static bool has_zero_unroll(const char *text)
{
    for (const char *s = text; (s = strstr(s, "unroll"));) {
        s += 6, s += strspn(s, " \t(");
        if (is_zero(s) || (name_len(s) && is_defined_zero(text, s)))
            return true;
    }
    return false;
}

bool mend_needed(const char *source)
{
    return has_broken_mark(source) || has_lone_percent(source) || has_zero_unroll(source) ||
           has_pair(source, "__global__", "__device__") ||
           has_pair(source, "__device__", "__global__");
}

/* --- the walk over the tokens --- */

struct macro {
    const char *name, *value; /* within the text: the value ends with its line */
};

struct mend {
    const char *s;         /* what is to be read; never beyond the 0 byte */
    const char *asm_until; /* strings before this are the instructions of an asm with operands */
    bool after_operator, line_begins;
    bool tokens;     /* they are mended, or else lines that begin with # */
    u32 depth;       /* of parentheses, brackets and braces */
    VEC(u32) launch; /* depths at which one is open */
    VEC(struct macro) macro;
    VEC(char) out;
};

static void put_char(struct mend *m, char c)
{
    *VEC_ADD(&m->out) = c;
}

static void copy_through(struct mend *m, size_t n)
{
    for (; n > 0; n--)
        put_char(m, *m->s++);
}

/* As many blanks as the n characters are, in as many lines. */
static void blank_out(struct mend *m, size_t n)
{
    for (; n > 0; n--, m->s++)
        put_char(m, strchr(BLANKS, *m->s) ? *m->s : ' ');
}

/* The length of a string or character literal; an unfinished one ends with its line. */
static size_t literal_len(const char *s)
{
    size_t n = 1;
    while (s[n] && s[n] != s[0] && s[n] != '\n')
        n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    return n + (s[n] == s[0]);
}

/* R"x(..)x": s is at the quote. */
static size_t raw_len(const char *s)
{
    char end[20];
    size_t n = strcspn(s + 1, "( \\)\n");
    if (n > 16 || s[1 + n] != '(')
        return literal_len(s);
    int len = snprintf(end, sizeof(end), ")%.*s\"", (int)n, s + 1);
    const char *at = strstr(s, end);
    return at ? (size_t)(at - s) + (size_t)len : strlen(s);
}

static void take_string(struct mend *m)
{
    const char *end = m->s + literal_len(m->s);
    if (m->s >= m->asm_until) {
        copy_through(m, (size_t)(end - m->s));
        return;
    }
    while (m->s < end) {
        if (m->s[0] == '%' && m->s[1] == '%') {
            copy_through(m, 2);
            continue;
        }
        if (*m->s == '%' && is_special_register(m->s + 1))
            put_char(m, '%');
        copy_through(m, 1);
    }
}

/* At the end of a line: the end of those after it that begin with #. */
static const char *last_of_directives(const char *s)
{
    while (*s == '\n') {
        const char *next = s + 1 + strspn(s + 1, SPACES);
        if (*next != '#')
            break;
        s = next + strcspn(next, "\n");
    }
    return s;
}

static const char *skip_to_code(const char *s)
{
    for (;;) {
        s += strspn(s, SPACES);
        if (*s != '\n')
            return s;
        s = last_of_directives(s);
        s += *s == '\n';
    }
}

/* Where the operands of an asm begin whose parenthesis is at s; NULL if it has none. */
static const char *operands_of(const char *s)
{
    for (u32 depth = 0; *s; s++) {
        s = last_of_directives(s);
        if (*s == '"' || *s == '\'')
            s += literal_len(s) - 1;
        else if (*s == ':' && depth == 1)
            return s;
        depth += *s == '(';
        if ((*s == ')' && --depth == 0) || !*s)
            break;
    }
    return NULL;
}

static void begin_asm(struct mend *m)
{
    const char *s = skip_to_code(m->s);
    while (is_name_char(*s)) /* volatile, goto, .. */
        s = skip_to_code(s + name_len(s));
    const char *until = *s == '(' ? operands_of(s) : NULL;
    if (until)
        m->asm_until = until;
}

static size_t len_if(const char *s, const char *word)
{
    return text_begins(s, word) ? strlen(word) : 0;
}

/* What __device__ and __global__ are after preprocessing, one after the other: the first goes. */
static bool take_attributes(struct mend *m)
{
    static const char device[] = "__attribute__((device))", global[] = "__attribute__((global))";
    const char *end = m->s;
    bool function = false, kernel = false;
    for (const char *s = m->s; len_if(s, device) || len_if(s, global);
         s = end + strspn(end, BLANKS)) {
        kernel |= len_if(s, global) != 0, function |= len_if(s, device) != 0;
        end = s + strlen(device);
    }
    if (!function || !kernel)
        return false;
    _Static_assert(sizeof device == sizeof global, "of one length");
    while (m->s < end) {
        if (len_if(m->s, device))
            blank_out(m, strlen(device));
        else
            copy_through(m, len_if(m->s, global) ? strlen(global) : 1);
    }
    return true;
}

static bool is_that_word(const char *s, size_t n, const char *word)
{
    return n == strlen(word) && strncmp(s, word, n) == 0;
}

static void take_name(struct mend *m)
{
    const char *s = m->s;
    size_t n = name_len(s);
    if (m->tokens && take_attributes(m))
        return;
    copy_through(m, n);
    m->after_operator = is_that_word(s, n, "operator");
    if (s[n] == '"' && s[n - 1] == 'R' && n <= 3)
        copy_through(m, raw_len(m->s));
    else if (!m->tokens)
        return;
    else if (is_that_word(s, n, "asm") || is_that_word(s, n, "__asm") ||
             is_that_word(s, n, "__asm__"))
        begin_asm(m);
}

/* 1'000 is one number. */
static void skip_number(struct mend *m)
{
    while (is_name_char(*m->s) || *m->s == '.' || (*m->s == '\'' && is_name_char(m->s[1])))
        copy_through(m, 1);
}

/* The three marks first, then the blanks that stood between them. */
static void take_mark(struct mend *m, size_t n)
{
    const char *end = m->s + n;
    for (const char *s = m->s; s < end; s++)
        if (!strchr(BLANKS, *s))
            put_char(m, *s);
    for (const char *s = m->s; s < end; s++)
        if (strchr(BLANKS, *s))
            put_char(m, *s);
    m->s = end;
}

static void take_less(struct mend *m)
{
    size_t n = m->after_operator ? 0 : launch_mark(m->s, '<');
    if (n) {
        take_mark(m, n);
        *VEC_ADD(&m->launch) = m->depth;
    } else {
        copy_through(m, strspn(m->s, "<"));
    }
}

static void take_greater(struct mend *m)
{
    bool open = m->launch.n && m->launch.at[m->launch.n - 1] == m->depth;
    size_t n = open ? launch_mark(m->s, '>') : 0;
    if (n && m->s[n + strspn(m->s + n, BLANKS)] == '(') {
        take_mark(m, n);
        m->launch.n--;
    } else {
        copy_through(m, 1);
    }
}

static void take_bracket(struct mend *m)
{
    if (strchr("([{", *m->s))
        m->depth++;
    else if (m->depth)
        m->depth--;
    while (m->launch.n && m->launch.at[m->launch.n - 1] > m->depth)
        m->launch.n--; /* was none */
    copy_through(m, 1);
}

static void take_token(struct mend *m)
{
    char c = *m->s;
    if (isdigit((unsigned char)c))
        skip_number(m);
    else if (is_name_char(c)) {
        take_name(m); /* which knows of `operator` */
        return;
    } else if (c == '"' || c == '\'')
        take_string(m);
    else if (m->tokens && c == '<')
        take_less(m);
    else if (m->tokens && c == '>')
        take_greater(m);
    else if (strchr("()[]{}", c))
        take_bracket(m);
    else
        copy_through(m, 1);
    m->after_operator = false;
}

/* --- lines that begin with # --- */

static bool same_name(const char *a, const char *b)
{
    size_t n = name_len(a);
    return n == name_len(b) && strncmp(a, b, n) == 0;
}

/* Macros with parameters, and #undef, have no value: their names stay. */
static void take_define(struct mend *m, const char *name, bool defined)
{
    const char *end = name + name_len(name);
    bool plain = defined && (*end == ' ' || *end == '\t');
    *VEC_ADD(&m->macro) = (struct macro){name, plain ? end + strspn(end, " \t") : NULL};
    m->s += strcspn(m->s, "\n");
}

static const char *value_of_macro(const struct mend *m, const char *name)
{
    for (u32 i = m->macro.n; i-- > 0;)
        if (same_name(m->macro.at[i].name, name))
            return m->macro.at[i].value;
    return NULL;
}

/* What is left of the line at s, with macros replaced by their values, *left times at most. */
static void put_expanded(struct mend *m, const char *s, u32 *left)
{
    while (*s && *s != '\n') {
        size_t n = name_len(s);
        const char *value = n && *left && !isdigit((unsigned char)*s) ? value_of_macro(m, s) : NULL;
        if (value) {
            --*left;
            put_expanded(m, value, left);
        }
        for (size_t i = 0; !value && i < (n ? n : 1); i++)
            put_char(m, s[i]);
        s += n ? n : 1;
    }
}

/* After "#" and after each word, blanks may stand. */
static const char *after_directive(const char *s, const char *word)
{
    s += strspn(s, " \t");
    size_t n = strlen(word);
    return name_len(s) == n && strncmp(s, word, n) == 0 ? s + n + strspn(s + n, " \t") : NULL;
}

/* nvcc ignores a count of 0. */
static void take_unroll(struct mend *m, const char *count)
{
    u32 left = 64, begin = m->out.n; /* of a macro that names itself there is no end */
    copy_through(m, (size_t)(count - m->s));
    u32 value = m->out.n;
    put_expanded(m, count, &left);
    put_char(m, 0);
    m->out.n = is_zero(m->out.at + value) ? begin : m->out.n - 1;
    m->s += strcspn(m->s, "\n");
}

static void take_line(struct mend *m)
{
    const char *s = m->s + 1, *rest;
    if (m->tokens) {
        copy_through(m, strcspn(m->s, "\n"));
    } else if ((rest = after_directive(s, "define"))) {
        take_define(m, rest, true);
    } else if ((rest = after_directive(s, "undef"))) {
        take_define(m, rest, false);
    } else if ((rest = after_directive(s, "pragma")) && (rest = after_directive(rest, "unroll"))) {
        take_unroll(m, rest);
    } else { /* where the lines are from, and other pragmas */
        copy_through(m, strcspn(m->s, "\n"));
    }
}

static char *mend(const char *text, bool tokens)
{
    struct mend m = {.s = text, .asm_until = text, .line_begins = true, .tokens = tokens};
    while (*m.s) {
        size_t blanks = strspn(m.s, BLANKS);
        bool fresh = m.line_begins || memchr(m.s, '\n', blanks);
        copy_through(&m, blanks);
        m.line_begins = false;
        if (fresh && *m.s == '#')
            take_line(&m);
        else if (*m.s)
            take_token(&m);
    }
    put_char(&m, 0);
    VEC_FREE(&m.launch);
    VEC_FREE(&m.macro);
    return m.out.at;
}

/* Definitions go first: one may stand within what is to be mended. */
char *mend_text(const char *preprocessed)
{
    char *plain = mend(preprocessed, false), *mended = mend(plain, true);
    free(plain);
    return mended;
}
