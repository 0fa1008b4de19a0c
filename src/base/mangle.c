/* mangle.c -- see mangle.h */
#include "base/mangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at, *end;
    char *buf;
    size_t size, len;
};

static void put(struct reader *r, const char *s, size_t n)
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

/* <length><name>; names that compilers make up for namespaces without one are left out. */
static bool source_name(struct reader *r)
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
    if (r->len)
        put(r, "::", 2);
    put(r, after, n);
    return true;
}

static bool skip_name(struct reader *r)
{
    char *after;
    unsigned long n = strtoul(r->at, &after, 10);
    if (n > (unsigned long)(r->end - after))
        return false;
    r->at = after + n;
    return true;
}

static bool skip_to_end(struct reader *r);

/* Behind L: a type (a letter, a name, names in N..E, or S.._) and its value, or an entity _Z..; E. */
static bool skip_literal(struct reader *r)
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
static bool skip_to_end(struct reader *r)
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

/* One part of a name, with its template arguments if it has some. */
static bool part(struct reader *r)
{
    if (*r->at == 'L') /* static */
        r->at++;
    if (!source_name(r))
        return false;
    if (*r->at != 'I')
        return true;
    r->at++;
    put(r, "<..>", 4);
    return skip_to_end(r);
}

static bool parse(struct reader *r)
{
    if (*r->at != 'N')
        return part(r);
    r->at++;
    while (*r->at != 'E')
        if (!part(r))
            return false;
    return r->len > 0;
}

const char *mangle_show(const char *name, char *buf, size_t size)
{
    struct reader r = {.at = name + 2, .end = name + strlen(name), .buf = buf, .size = size};
    if (strncmp(name, "_Z", 2) != 0 || !parse(&r))
        snprintf(buf, size, "%s", name);
    return buf;
}
