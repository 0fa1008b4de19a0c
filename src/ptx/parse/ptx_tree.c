/* ptx_tree.c -- memory, types and messages of PTX modules. */
#include "ptx/parse/ptx_int.h"

#include <stdarg.h>
#include <string.h>

static const struct {
    const char *name;
    u32 bytes;
} types[N_PT] = {
    [PT_NONE] = {"none", 0},
    [PT_B8] = {"b8", 1},
    [PT_U8] = {"u8", 1},
    [PT_S8] = {"s8", 1},
    [PT_B16] = {"b16", 2},
    [PT_U16] = {"u16", 2},
    [PT_S16] = {"s16", 2},
    [PT_F16] = {"f16", 2},
    [PT_B32] = {"b32", 4},
    [PT_U32] = {"u32", 4},
    [PT_S32] = {"s32", 4},
    [PT_F32] = {"f32", 4},
    [PT_F16X2] = {"f16x2", 4},
    [PT_B64] = {"b64", 8},
    [PT_U64] = {"u64", 8},
    [PT_S64] = {"s64", 8},
    [PT_F64] = {"f64", 8},
    [PT_B128] = {"b128", 16},
    [PT_BF16] = {"bf16", 2},
    [PT_BF16X2] = {"bf16x2", 4},
    [PT_PRED] = {"pred", 0},
    [PT_TEXREF] = {"texref", 8},
    [PT_SAMPLERREF] = {"samplerref", 8},
    [PT_SURFREF] = {"surfref", 8},
};

u32 ptx_type_bytes(enum ptx_type t)
{
    return types[t].bytes;
}

const char *ptx_type_name(enum ptx_type t)
{
    return types[t].name;
}

enum ptx_type ptx_type_find(const char *s)
{
    for (u32 t = PT_NONE + 1; t < N_PT; t++)
        if (types[t].name[0] == s[0] && strcmp(types[t].name, s) == 0)
            return (enum ptx_type)t;
    return PT_NONE;
}

struct ptx_chunk {
    struct ptx_chunk *next;
    size_t used, size;
    _Alignas(16) u8 data[];
};

enum { CHUNK_FIRST = 8 << 10, CHUNK_MOST = 1 << 20 };

/* Chunks double; what would waste much of one gets its own, behind the one in use. */
void *ptx_alloc(struct ptx_chunk **arena, size_t size)
{
    struct ptx_chunk *c = *arena;
    size = align_up(size, 16);
    if (c && c->size - c->used >= size) {
        c->used += size;
        return c->data + c->used - size;
    }
    size_t room = !c ? CHUNK_FIRST : c->size * 2 > CHUNK_MOST ? CHUNK_MOST : c->size * 2;
    bool own = size > room / 4;
    struct ptx_chunk *fresh = xcalloc(1, sizeof(*fresh) + (own ? size : room));
    fresh->size = own ? size : room;
    fresh->used = size;
    if (own && c) {
        fresh->next = c->next;
        c->next = fresh;
    } else {
        fresh->next = c;
        *arena = fresh;
    }
    return fresh->data;
}

void ptx_alloc_free(struct ptx_chunk **arena)
{
    while (*arena) {
        struct ptx_chunk *next = (*arena)->next;
        free(*arena);
        *arena = next;
    }
}

void ptx_free(struct ptx_module *m)
{
    if (!m)
        return;
    struct ptx_chunk *arena = m->arena; /* holds the module itself */
    ptx_alloc_free(&arena);
}

static void excerpt(const struct ptx_module *m, u32 line, u32 col, struct err *e)
{
    const char *s = m->text, *end = m->text + m->len;
    for (u32 i = 1; i < line && s; i++) {
        s = memchr(s, '\n', (size_t)(end - s));
        s = s ? s + 1 : NULL;
    }
    if (!s)
        return;
    const char *stop = memchr(s, '\n', (size_t)(end - s));
    err_excerpt(e, s, (size_t)((stop ? stop : end) - s), col);
}

/*
 * The `.file` of this number; false: there is none.  Its directive may stand after all that uses
 * it.
 */
static bool find_file(const char *text, u32 number, char *name, size_t size)
{
    for (const char *s = text; (s = strstr(s, ".file")); s++) {
        char *rest;
        unsigned long n = strtoul(s + 5, &rest, 10);
        const char *from = strchr(rest, '"'), *to = from ? strchr(from + 1, '"') : NULL;
        if (rest == s + 5 || n != number || !to || strspn(rest, " \t") != (size_t)(from - rest))
            continue;
        snprintf(name, size, "%.*s", (int)(to - from - 1), from + 1);
        return true;
    }
    return false;
}

/*
 * "x.cu:7", the source of a line by the last `.loc` before it in its function, into buf; "" if
 * nothing says.  By the text, since also what is wrong with the text must be found.
 */
static void source_of_line(const struct ptx_module *m, u32 line, char *buf, size_t size)
{
    unsigned long file = 0, at = 0;
    const char *s = m->text;
    for (u32 i = 1; i <= line && s; i++) {
        const char *word = s + strspn(s, " \t");
        char *rest;
        if (*s == '}')
            at = 0;
        if (strncmp(word, ".loc", 4) == 0) {
            file = strtoul(word + 4, &rest, 10);
            at = strtoul(rest, NULL, 10);
        }
        s = strchr(s, '\n');
        s = s ? s + 1 : NULL;
    }
    char name[384];
    buf[0] = 0;
    if (at && find_file(m->text, (u32)file, name, sizeof(name)))
        snprintf(buf, size, "%s:%lu", name, at);
}

bool ptx_err(const struct ptx_module *m, u32 line, u32 col, struct err *e, const char *fmt, ...)
{
    char what[sizeof(e->msg)];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof(what), fmt, ap);
    va_end(ap);
    err_set(e, "%s", what);
    excerpt(m, line, col, e);
    char source[448];
    source_of_line(m, line, source, sizeof(source));
    size_t n = strlen(m->path);
    bool is_file = n > 4 && strcmp(m->path + n - 4, ".ptx") == 0;
    if (source[0] && !is_file)
        return err_at(e, "%s", source);
    return source[0] ? err_at(e, "%s:%u (%s)", m->path, line, source)
                     : err_at(e, "%s:%u", m->path, line);
}
