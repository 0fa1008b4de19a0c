#include "base/err.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"

/* A message is one line whatever the user's text in it holds. */
static void flatten_msg(char *s)
{
    for (; *s; s++)
        if ((u8)*s < ' ' || *s == 0x7f)
            *s = '?';
}

static void fill_err(struct err *e, int status, const char *fmt, va_list ap)
{
    assert(e);
    locale_t old = text_c_locale(); /* not the host program's commas */
    vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
    uselocale(old);
    flatten_msg(e->msg);
    e->excerpt[0] = 0;
    e->status = status;
}

bool err_set(struct err *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill_err(e, ERR_USER, fmt, ap);
    va_end(ap);
    return false;
}

bool err_program(struct err *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill_err(e, ERR_PROGRAM, fmt, ap);
    va_end(ap);
    return false;
}

/* If both do not fit, the end of the message is lost: where it was matters more. */
bool err_at(struct err *e, const char *fmt, ...)
{
    char where[sizeof(e->msg)];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(where, sizeof(where), fmt, ap);
    va_end(ap);
    flatten_msg(where);
    size_t n = strlen(where), old = strlen(e->msg);
    if (n > sizeof(where) / 2)
        n = sizeof(where) / 2;
    if (old > sizeof(e->msg) - n - 3)
        old = sizeof(e->msg) - n - 3;
    memmove(e->msg + n + 2, e->msg, old);
    memcpy(e->msg, where, n);
    memcpy(e->msg + n, ": ", 2);
    e->msg[n + 2 + old] = 0;
    return false;
}

enum { EXCERPT_WIDTH = 160 };

/* The caret's line: tabs stay tabs, so that the caret lands below its column in any terminal. */
static size_t put_caret(char *out, const char *line, size_t n)
{
    size_t len = 0;
    for (size_t i = 0; i < n; i++)
        if (((u8)line[i] & 0xc0) != 0x80) /* a UTF-8 character is as wide as its first byte */
            out[len++] = line[i] == '\t' ? '\t' : ' ';
    out[len++] = '^';
    return len;
}

void err_excerpt(struct err *e, const char *line, size_t len, u32 col)
{
    while (len && (line[len - 1] == '\n' || line[len - 1] == '\r'))
        len--;
    size_t caret = col && col - 1 <= len ? col - 1 : len;
    if (caret >= EXCERPT_WIDTH) { /* a long line is shown around its caret */
        size_t cut = col ? caret - EXCERPT_WIDTH / 2 : 0;
        line += cut, len -= cut, caret -= cut;
    }
    if (len > EXCERPT_WIDTH)
        len = EXCERPT_WIDTH;
    char *out = e->excerpt;
    for (size_t i = 0; i < len; i++)
        *out++ = (u8)line[i] < ' ' && line[i] != '\t' ? '?' : line[i];
    *out++ = '\n';
    if (col) {
        out += put_caret(out, line, caret);
        *out++ = '\n';
    }
    *out = 0;
}

void err_print(const struct err *e, FILE *f)
{
    fprintf(f, "smelt: %s\n%s", e->msg, e->excerpt);
}

int err_tell(const struct err *e)
{
    fflush(stdout);
    err_print(e, stderr);
    return e->status;
}

enum { NAME_MAX_LEN = 64 };

static u32 min3(u32 a, u32 b, u32 c)
{
    return min_u32(a, min_u32(b, c));
}

/* Edits (insert, delete, replace, swap two neighbours) that turn a into b; case does not count. */
static u32 edit_distance(const char *a, const char *b)
{
    u32 row[3][NAME_MAX_LEN + 1];
    u32 n = (u32)strlen(b);
    for (u32 j = 0; j <= n; j++)
        row[0][j] = j;
    for (u32 i = 1; a[i - 1]; i++) {
        u32 *now = row[i % 3], *up = row[(i + 2) % 3], *upup = row[(i + 1) % 3];
        now[0] = i;
        for (u32 j = 1; j <= n; j++) {
            int x = tolower((u8)a[i - 1]), y = tolower((u8)b[j - 1]);
            now[j] = min3(up[j] + 1, now[j - 1] + 1, up[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((u8)b[j - 2]) && y == tolower((u8)a[i - 2]))
                now[j] = min_u32(now[j], upup[j - 2] + 1);
        }
    }
    return row[strlen(a) % 3][n];
}

/* Twice the edits, or UINT32_MAX if too many; what only lacks its end is nearer than its peers. */
static u32 badness(const char *s, const char *name, u32 limit)
{
    size_t len = strlen(s), other = strlen(name);
    if (other > NAME_MAX_LEN || other + limit < len || len + limit < other)
        return UINT32_MAX;
    u32 d = edit_distance(s, name);
    if (d > limit || d >= other)
        return UINT32_MAX;
    return 2 * d - (d && strncmp(s, name, len) == 0);
}

/*
 * The nearest name, or NULL.  Near: one edit in a short name, one in every three letters of a long
 * one.
 */
static const char *nearest_name(const char *s, const char *const *names, size_t n)
{
    size_t len = strlen(s);
    if (len == 0 || len > NAME_MAX_LEN)
        return NULL;
    const char *best = NULL;
    u32 least = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        u32 bad = badness(s, names[i], len < 6 ? 1 : (u32)len / 3);
        if (bad < least) {
            least = bad;
            best = names[i];
        }
    }
    return best;
}

const char *err_hint(struct err_hint *h, const char *s, const char *const *names, size_t n,
                     const char *before, const char *after)
{
    const char *near = nearest_name(s, names, n);

    h->text[0] = 0;
    if (near)
        snprintf(h->text, sizeof(h->text), "%s%s%s", before, near, after);
    flatten_msg(h->text);
    return h->text;
}

bool err_no_such(struct err *e, const char *s, const char *const *names, size_t n,
                 const char *else_say, const char *fmt, ...)
{
    struct err_hint h;
    bool is_near = *err_hint(&h, s, names, n, "; did you mean ", "?");
    va_list ap;
    va_start(ap, fmt);
    fill_err(e, ERR_USER, fmt, ap);
    va_end(ap);
    size_t used = strlen(e->msg), room = sizeof(e->msg) - used;
    if (is_near)
        snprintf(e->msg + used, room, "%s", h.text);
    else if (else_say)
        snprintf(e->msg + used, room, "; %s", else_say);
    return false;
}
