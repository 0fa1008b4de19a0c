/* mangle.c -- see mangle.h */
#include "base/mangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name_reader {
    const char *at, *end;
    char *buf;
    size_t size, len;
};

static void put_label(struct name_reader *r, const char *s, size_t n)
{
    if (r->len + n >= r->size)
        n = r->size - 1 - r->len;
    memcpy(r->buf + r->len, s, n);
    r->buf[r->len += n] = 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* <length><name>, behind "::" if a part of the name stands before it (its begin is not the text's end); names that
 * compilers make up for namespaces without one are left out. */
static bool source_name(struct name_reader *r, size_t begin)
{
    static const char anonymous[] = "_GLOBAL__N_1";
    char *after;
    if (!is_digit(*r->at))
        return false;
    unsigned long n = strtoul(r->at, &after, 10);
    if (n == 0 || n > (unsigned long)(r->end - after))
        return false;
    r->at = after + n;
    if (n == sizeof(anonymous) - 1 && strncmp(after, anonymous, n) == 0)
        return true;
    if (r->len > begin)
        put_label(r, "::", 2);
    put_label(r, after, n);
    return true;
}

static bool skip_name(struct name_reader *r)
{
    char *after;
    unsigned long n = strtoul(r->at, &after, 10);
    if (n > (unsigned long)(r->end - after))
        return false;
    r->at = after + n;
    return true;
}

static bool skip_to_end(struct name_reader *r);

/*
 * Behind L: a type (a letter, a name, names in N..E, or S.._) and its value, or an entity _Z..; E.
 */
static bool skip_literal(struct name_reader *r)
{
    char c = *r->at;
    if (c == '_')
        return skip_to_end(r);
    if (is_digit(c)) {
        if (!skip_name(r))
            return false;
    } else if (c) {
        r->at++;
        if (c == 'N' && !skip_to_end(r))
            return false;
        if (c == 'S')
            r->at += strcspn(r->at, "_"), r->at += *r->at != 0;
    }
    r->at += strspn(r->at, "n0123456789");
    return *r->at && *r->at++ == 'E';
}

/* Behind the E that ends what begins at r->at; names inside may contain any letter. */
static bool skip_to_end(struct name_reader *r)
{
    u32 depth = 1;
    while (*r->at && depth) {
        char c = *r->at;
        if (is_digit(c)) {
            if (!skip_name(r))
                return false;
            continue;
        }
        r->at++;
        if (c == 'L' && !skip_literal(r))
            return false;
        if (c == 'S' || c == 'T' || c == 'A') /* S1_ T0_ A16_: numbers, not lengths */
            r->at += strspn(r->at, "0123456789");
        depth += c == 'I' || c == 'J' || c == 'N' || c == 'X' || c == 'F';
        depth -= c == 'E';
    }
    return depth == 0;
}

/* --- template arguments --- */

static bool template_args(struct name_reader *r);

/*
 * One part of a name that begins at `begin` of the text, with its template arguments if it has
 * some.
 */
static bool name_part(struct name_reader *r, size_t begin)
{
    if (*r->at == 'L') /* static */
        r->at++;
    return source_name(r, begin) && (*r->at != 'I' || template_args(r));
}

static bool name(struct name_reader *r)
{
    size_t begin = r->len;
    if (*r->at != 'N')
        return name_part(r, begin);
    r->at++;
    while (*r->at != 'E')
        if (!name_part(r, begin))
            return false;
    r->at++;
    return r->len > begin;
}

static const char *builtin(char c)
{
    static const char letters[] = "vwbcahstijlmxynofdeg";
    static const char *const types[] = {"void",        "wchar_t",
                                        "bool",        "char",
                                        "signed char", "unsigned char",
                                        "short",       "unsigned short",
                                        "int",         "unsigned",
                                        "long",        "unsigned long",
                                        "long long",   "unsigned long long",
                                        "__int128",    "unsigned __int128",
                                        "float",       "double",
                                        "long double", "__float128"};
    const char *at = c ? strchr(letters, c) : NULL;
    return at ? types[at - letters] : NULL;
}

/* What is not spelled out: a reference to an earlier type and the like stay as they are mangled. */
static bool raw(struct name_reader *r, const char *from)
{
    put_label(r, from, (size_t)(r->at - from));
    return true;
}

static bool type(struct name_reader *r)
{
    const char *from = r->at, *known = builtin(*from);
    if (known) {
        r->at++;
        put_label(r, known, strlen(known));
        return true;
    }
    switch (*from) {
    case 'P':
    case 'R':
        r->at++;
        if (!type(r))
            return false;
        put_label(r, *from == 'P' ? "*" : "&", 1);
        return true;
    case 'K':
        r->at++;
        put_label(r, "const ", 6);
        return type(r);
    case 'S':
    case 'T':
        r->at += strcspn(r->at, "_"), r->at += *r->at != 0;
        return raw(r, from);
    default:
        return (is_digit(*from) || (*from == 'N' && is_digit(from[1]))) && name(r);
    }
}

/* Behind L: "128" of "j128E", "true" of "b1E", the whole of others. */
static bool literal(struct name_reader *r)
{
    const char *from = r->at;
    if (!skip_literal(r))
        return false;
    if (from[0] == 'b' && from[2] == 'E')
        put_label(r, from[1] == '1' ? "true" : "false", from[1] == '1' ? 4 : 5);
    else if (builtin(from[0]) && from[1] == 'n')
        put_label(r, "-", 1), put_label(r, from + 2, (size_t)(r->at - from) - 3);
    else if (builtin(from[0]))
        put_label(r, from + 1, (size_t)(r->at - from) - 2);
    else
        return raw(r, from);
    return true;
}

static bool template_arg(struct name_reader *r)
{
    const char *from = r->at;
    size_t len = r->len;
    if (*from == 'L')
        return r->at++, literal(r);
    if (*from == 'X' || *from == 'J')
        return r->at++, skip_to_end(r) && raw(r, from);
    if (type(r))
        return true;
    r->buf[r->len = len] = 0; /* an array, a function: from here to the end as it is */
    r->at = from;
    if (!skip_to_end(r))
        return false;
    r->at--;
    return raw(r, from);
}

static bool template_args(struct name_reader *r)
{
    r->at++;
    put_label(r, "<", 1);
    for (bool first = true; *r->at && *r->at != 'E'; first = false) {
        if (!first)
            put_label(r, ", ", 2);
        if (!template_arg(r))
            return false;
    }
    put_label(r, ">", 1);
    return *r->at && *r->at++ == 'E';
}

const char *mangle_show(const char *mangled, char *buf, size_t size)
{
    struct name_reader r = {
        .at = mangled + 2, .end = mangled + strlen(mangled), .buf = buf, .size = size};
    if (strncmp(mangled, "_Z", 2) != 0 || !name(&r))
        snprintf(buf, size, "%s", mangled);
    return buf;
}

/*
 * An L in front of a name says that it is static: _ZL1x, _ZN2nsL1xE, and _ZZL1fvE1x of what is
 * declared in a function.  Template arguments may have an L of their own: nothing behind I is read.
 */
bool mangle_is_local(const char *name)
{
    if (strncmp(name, "_Z", 2) != 0)
        return false;
    if (strstr(name, "12_GLOBAL__N_1"))
        return true;
    const char *s = name + 2;
    while (*s == 'Z')
        s++;
    bool nested = *s == 'N';
    s += nested;
    s += strspn(s, "rVK");
    for (;;) {
        if (*s == 'L' && is_digit(s[1]))
            return true;
        size_t len = 0, left = strlen(s);
        for (; nested && is_digit(*s) && len <= left; s++)
            len = len * 10 + (size_t)(*s - '0');
        if (!len || len > strlen(s))
            return false;
        s += len;
    }
}
