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

/* Behind the E that ends what begins at r->at; names inside may contain any letter. */
static bool skip_to_end(struct reader *r)
{
    u32 depth = 1;
    while (*r->at && depth) {
        char c = *r->at;
        if (is_digit(c) && (r->at[-1] != 'L' && !(r->at[-1] >= 'a' && r->at[-1] <= 'z'))) {
            char *after;
            unsigned long n = strtoul(r->at, &after, 10);
            if (n > (unsigned long)(r->end - after))
                return false;
            r->at = after + n;
            continue;
        }
        depth += c == 'I' || c == 'N' || c == 'L' || c == 'X' || c == 'F';
        depth -= c == 'E';
        r->at++;
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
