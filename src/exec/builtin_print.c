/*
 * builtin_print.c -- printf in kernels
 *
 * A format is C's, as the CUDA C++ Programming Guide ("Formatted Output") has it: flags,
 * width, precision, h hh l ll z, and c d i o u x X p e E f F g G a A s.  A '*' or anything
 * else behind a '%' is no conversion and is printed as it stands.  The arguments are a
 * buffer, each at a multiple of its size: 4 bytes, or 8 for doubles, pointers and long ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "exec/builtin_call.h"

enum {
    KEEP = 1 << 20, /* of text before some is delivered while the kernel still runs */
    MAX_DIGITS = 6, /* of a width or precision */
    MAX_FLAGS = 5,
    MAX_HOST_SPEC = 32, /* of "%" flags, width "." precision "lld" */
};

struct spec {
    char host[MAX_HOST_SPEC]; /* the same for the host's printf, where integers have 64 bits */
    u32 len;                  /* of the conversion in the format */
    u32 size;                 /* of an integer: 1, 2, 4, 8 */
    u32 arg;                  /* bytes of the argument */
    u64 precision;            /* UINT64_MAX: none */
    char conv;
};

struct printer {
    const struct thread *t;
    u64 args;
    u32 off;  /* of the next argument */
    u32 word; /* bytes of a pointer */
    s32 n;
};

void builtin_flush(struct exec *x)
{
    if (!x->n_text)
        return;
    log_progress_end(); /* both may be on one terminal */
    if (x->print)
        x->print(x->print_arg, x->text, x->n_text);
    else
        fwrite(x->text, 1, x->n_text, stdout);
    x->n_text = 0;
}

/* Room for n more bytes and a zero. */
static char *room_for(struct exec *x, size_t n)
{
    if (x->n_text + n + 1 > x->cap_text) {
        x->cap_text = 2 * (x->n_text + n + 1);
        x->text = xrealloc(x->text, x->cap_text);
    }
    return x->text + x->n_text;
}

static void put_chars(struct printer *p, const char *s, size_t n)
{
    memcpy(room_for(p->t->x, n), s, n);
    p->t->x->n_text += n;
}

/* The host's printf twice, first for the length, into the text. */
#define PUT_VALUE(p, s, value)                                                                     \
    do {                                                                                           \
        int n_ = snprintf(NULL, 0, (s)->host, value);                                              \
        if (n_ > 0) {                                                                              \
            snprintf(room_for((p)->t->x, (size_t)n_), (size_t)n_ + 1, (s)->host, value);           \
            (p)->t->x->n_text += (size_t)n_;                                                       \
        }                                                                                          \
    } while (0)

/* ---- formats */

/* Digits at *f, which may be none, as a number; false if there are too many. */
static bool read_digits(const char **f, u64 *v)
{
    const char *start = *f;

    for (*v = 0; **f >= '0' && **f <= '9' && *f - start <= MAX_DIGITS; ++*f)
        *v = *v * 10 + (u64)(**f - '0');
    return *f - start <= MAX_DIGITS;
}

static const char *read_size(const char *f, struct spec *s, u32 word)
{
    s->size = 4;
    if (*f == 'h')
        s->size = f[1] == 'h' ? 1 : 2;
    else if (*f == 'l')
        s->size = f[1] == 'l' ? 8 : word;
    else if (*f == 'z')
        s->size = word;
    else
        return f;
    return f + 1 + (f[1] == *f && *f != 'z');
}

/* The host's conversion: what stands before the size, its size, the letter. */
static void make_host(struct spec *s, const char *f, const char *size, bool is_int)
{
    size_t n = (size_t)(size - f);

    memcpy(s->host, f, n);
    if (is_int) {
        s->host[n++] = 'l';
        s->host[n++] = 'l';
    }
    s->host[n++] = s->conv;
    s->host[n] = 0;
}

/* What f, which starts with a '%', converts; false if it is no conversion. */
static bool read_spec(const char *f, struct spec *s, u32 word)
{
    static const char ints[] = "diouxX", doubles[] = "fFeEgGaA";
    const char *at = f + 1 + strspn(f + 1, "-+ #0");
    u64 width;

    s->precision = UINT64_MAX;
    if (at - f > 1 + MAX_FLAGS || !read_digits(&at, &width))
        return false;
    if (*at == '.' && (at++, !read_digits(&at, &s->precision)))
        return false;
    const char *size = at;

    at = read_size(at, s, word);
    s->conv = *at;
    s->len = (u32)(at + 1 - f);
    if (!s->conv || !strchr("diouxXfFeEgGaAcsp", s->conv))
        return false;
    bool is_int = strchr(ints, s->conv);

    s->arg = is_int                     ? s->size == 8 ? 8 : 4
             : strchr(doubles, s->conv) ? 8
             : s->conv == 'c'           ? 4
                                        : word;
    make_host(s, f, size, is_int);
    return true;
}

/* ---- values */

static bool next_arg(struct printer *p, u32 size, u64 *v)
{
    p->off = (u32)align_up(p->off, size);
    const u8 *at = thread_memory(p->t, p->args + p->off, size);

    if (!at)
        return false;
    *v = 0;
    memcpy(v, at, size);
    p->off += size;
    p->n++;
    return true;
}

static s64 as_signed(u64 v, u32 size)
{
    return size == 1 ? (s8)v : size == 2 ? (s16)v : size == 4 ? (s32)v : (s64)v;
}

static u64 as_unsigned(u64 v, u32 size)
{
    return size == 8 ? v : v & ((1ull << 8 * size) - 1);
}

static bool put_string_value(struct printer *p, const struct spec *s, u64 addr)
{
    const char *text = addr ? thread_string(p->t, addr, s->precision) : "(null)";

    if (text)
        PUT_VALUE(p, s, text);
    return text;
}

static bool put_value(struct printer *p, const struct spec *s)
{
    double d;
    u64 v;

    if (!next_arg(p, s->arg, &v))
        return false;
    switch (s->conv) {
    case 'd':
    case 'i':
        PUT_VALUE(p, s, (long long)as_signed(v, s->size));
        return true;
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        PUT_VALUE(p, s, (unsigned long long)as_unsigned(v, s->size));
        return true;
    case 'c':
        PUT_VALUE(p, s, (int)v);
        return true;
    case 's':
        return put_string_value(p, s, v);
    case 'p':
        PUT_VALUE(p, s, (void *)(uintptr_t)v);
        return true;
    default:
        memcpy(&d, &v, sizeof d);
        PUT_VALUE(p, s, d);
        return true;
    }
}

static bool print(struct printer *p, const char *f)
{
    while (*f) {
        size_t plain = strcspn(f, "%");
        struct spec s;

        put_chars(p, f, plain);
        f += plain;
        if (!*f)
            break;
        if (f[1] == '%' || !read_spec(f, &s, p->word)) {
            put_chars(p, f, 1);
            f += f[1] == '%' ? 2 : 1;
        } else {
            if (!put_value(p, &s))
                return false;
            f += s.len;
        }
    }
    return true;
}

bool builtin_print(const struct thread *t, u64 format, u64 args, s32 *n)
{
    struct printer p = {
        .t = t, .args = args, .word = t->x->launch->prog->ptx->address_size / 8, .n = 0};
    const char *f = format ? thread_string(t, format, UINT64_MAX) : NULL;

    *n = -1;
    if (!f)
        return !format;
    locale_t old = text_c_locale(); /* the host's number formats do not reach the device */
    bool ok = print(&p, f);

    uselocale(old);
    if (t->x->n_text > KEEP)
        builtin_flush(t->x);
    *n = p.n;
    return ok;
}
