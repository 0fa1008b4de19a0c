/* vmem.c -- see vmem.h */
#include "exec/vmem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum {
    HEAP_ALIGN = 16,
    HEAP_GAP = 16,      /* at least, between blocks: their overruns are caught with guard 0 too */
    REGION_GAP = 65536, /* between buffers and heap */
};

void vmem_init(struct vmem *m, u64 base, u64 size, u64 guard, u64 align, bool check)
{
    memset(m, 0, sizeof *m);
    m->base = base, m->size = size, m->guard = guard, m->align = align, m->check = check;
    m->heap_base = align_up(base + size, REGION_GAP) + REGION_GAP;
    m->heap_full = UINT64_MAX;
}

enum { PAGE = 4096, NULL_END = 0x100 /* addresses below are null pointers and their members */ };
#define MAPPED_BUS (1ull << 44) /* above all that a GPU has */

static void free_span(struct span *s)
{
    if (s->kind == SPAN_UNTAGGED)
        return;
    if (s->kind != SPAN_MAPPED)
        free(s->host);
    free(s->shadow);
}

void vmem_free_all(struct vmem *m)
{
    for (u32 i = 0; i < m->n; i++)
        free_span(&m->live[i]);
    free(m->live);
    memset(m, 0, sizeof *m);
}

void vmem_reset(struct vmem *m)
{
    u32 n = 0;

    for (u32 i = 0; i < m->n; i++)
        if (m->live[i].kind == SPAN_VARIABLE || m->live[i].kind == SPAN_UNTAGGED)
            m->live[n++] = m->live[i];
        else
            free_span(&m->live[i]);
    m->n = n;
    m->used = 0, m->n_freed = 0;
    m->heap_full = UINT64_MAX, m->heap_touched = false;
}

/* Index of the first allocation that starts above addr. */
static u32 above(const struct vmem *m, u64 addr)
{
    u32 lo = 0, hi = m->n;

    while (lo < hi) {
        u32 mid = (lo + hi) / 2;

        if (m->live[mid].lo > addr)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

struct span *vmem_find(const struct vmem *m, u64 addr)
{
    u32 i = above(m, addr);

    if (i == 0)
        return NULL;
    struct span *s = &m->live[i - 1];

    return addr - s->lo < s->size ? s : NULL;
}

static u64 bytes_of_span(const struct span *s)
{
    return s->shut ? s->whole : s->size;
}

struct span *vmem_find_shut(const struct vmem *m, u64 addr)
{
    u32 i = above(m, addr);
    struct span *s = i ? &m->live[i - 1] : NULL;

    return s && addr - s->lo < bytes_of_span(s) ? s : NULL;
}

/* Bytes from addr to the nearest byte of s. */
static u64 distance_to_span(const struct span *s, u64 addr)
{
    u64 last = s->lo + bytes_of_span(s) - 1;

    return addr < s->lo ? s->lo - addr : addr > last ? addr - last : 0;
}

/* NULL: there is none at all. */
static struct span *nearest_span(const struct vmem *m, u64 addr)
{
    u32 i = above(m, addr);
    struct span *below = i ? &m->live[i - 1] : NULL, *next = i < m->n ? &m->live[i] : NULL;

    if (!below || !next)
        return below ? below : next;
    return distance_to_span(below, addr) <= distance_to_span(next, addr) ? below : next;
}

static void insert_span(struct vmem *m, const struct span *s)
{
    u32 i = above(m, s->lo);

    if (m->n == m->cap) {
        m->cap = m->cap ? 2 * m->cap : 16;
        m->live = xrealloc(m->live, m->cap * sizeof m->live[0]);
    }
    memmove(&m->live[i + 1], &m->live[i], (m->n - i) * sizeof m->live[0]);
    m->live[i] = *s;
    m->n++;
}

static void remove_span(struct vmem *m, struct span *s)
{
    free_span(s);
    memmove(s, s + 1, (size_t)(m->live + m->n - (s + 1)) * sizeof *s);
    m->n--;
}

/* With host memory of its own, which is zero. */
static bool allocate_span(struct vmem *m, struct span s, struct err *e)
{
    u64 size = s.size;
    u8 *host = try_calloc(1, size), *shadow = m->check ? try_calloc(1, size) : NULL;

    if (!host || (m->check && !shadow)) {
        free(host), free(shadow);
        return err_program(e, "out of host memory for %" PRIu64 " bytes of simulated memory", size);
    }
    s.host = host, s.shadow = shadow;
    insert_span(m, &s);
    return true;
}

struct region {
    u64 lo, end, gap, align;
};

/*
 * First fit: after the last allocation of the region if there is room, else in a gap; 0: nowhere.
 */
static u64 find_room(const struct vmem *m, const struct region *r, u64 size)
{
    u64 at = r->lo;
    u32 last = above(m, r->end - 1);

    if (last && m->live[last - 1].lo >= r->lo)
        at = align_up(m->live[last - 1].lo + m->live[last - 1].size + r->gap, r->align);
    if (at + size <= r->end && at + size >= at)
        return at;
    at = r->lo;
    for (u32 i = above(m, r->lo - 1); i < last; i++) {
        if (at + size + r->gap <= m->live[i].lo)
            return at;
        at = align_up(m->live[i].lo + m->live[i].size + r->gap, r->align);
    }
    return at + size <= r->end ? at : 0;
}

u64 vmem_alloc(struct vmem *m, u64 size, struct err *e)
{
    const struct region r = {m->base, m->base + m->size, m->guard, m->align};
    u64 at = size <= m->size ? find_room(m, &r, size ? size : 1) : 0;

    if (!at) {
        err_program(e,
                    "out of device memory: %" PRIu64 " bytes asked, %" PRIu64 " of %" PRIu64
                    " in use (mem.size)",
                    size, m->used, m->size);
        return 0;
    }
    struct span s = {.lo = at, .size = size ? size : 1, .kind = SPAN_BUFFER, .bus = at};

    if (!allocate_span(m, s, e))
        return 0;
    m->used += size ? size : 1;
    return at;
}

static bool is_span_free(const struct vmem *m, u64 addr, u64 size)
{
    u32 i = above(m, addr);

    return (i == m->n || size <= m->live[i].lo - addr) && !vmem_find_shut(m, addr);
}

bool vmem_alloc_var(struct vmem *m, u64 addr, u64 size, const char *name, struct err *e)
{
    u64 plain = addr & TAG_PLAIN;
    struct span s = {.lo = addr, .size = size, .kind = SPAN_VARIABLE, .bus = plain, .name = name};

    if (!is_span_free(m, plain, size))
        return err_set(e, "module variables do not fit: address 0x%" PRIx64 " is taken", plain);
    if (size == 0)
        return true;
    if (!allocate_span(m, s, e))
        return false;
    if (addr == plain)
        return true;
    s = *vmem_find(m, addr);
    s.lo = plain, s.kind = SPAN_UNTAGGED;
    insert_span(m, &s);
    return m->tagged = true;
}

/* The live allocation of this kind that starts at addr, or NULL. */
static struct span *starts_at(const struct vmem *m, u64 addr, enum span_kind kind)
{
    struct span *s = vmem_find_shut(m, addr);

    return s && s->lo == addr && s->kind == kind ? s : NULL;
}

static void remember_freed(struct vmem *m, const struct span *s)
{
    u32 i = m->n_freed++ % LEN(m->freed);

    m->freed[i].lo = s->lo, m->freed[i].size = s->size, m->freed[i].kind = s->kind;
}

bool vmem_release(struct vmem *m, u64 addr, struct err *e)
{
    struct span *s = starts_at(m, addr, SPAN_BUFFER);

    if (!s)
        return err_program(e, "free of 0x%" PRIx64 ", which is not the start of a live buffer",
                           addr);
    remember_freed(m, s);
    m->used -= s->size;
    remove_span(m, s);
    return true;
}

/* ---- host memory */

u64 vmem_bus(const struct vmem *m, u64 addr)
{
    const struct span *s;

    if ((!m->bus_next && !m->tagged) || addr < m->heap_base + m->size)
        return addr;
    s = nearest_span(m, addr);
    return s ? s->bus + (addr - s->lo) : addr;
}

/* Behind all that the GPU has itself: the heap is not larger than its memory. */
static u64 own_end(const struct vmem *m)
{
    return m->heap_base + m->size;
}

bool vmem_is_own(const struct vmem *m, u64 addr)
{
    return addr < own_end(m);
}

bool vmem_map(struct vmem *m, void *host, u64 size, struct err *e)
{
    u64 addr = (uintptr_t)host, own = own_end(m);
    u8 *shadow = NULL;

    if (!size || addr + size < addr)
        return err_program(e, "host memory of %" PRIu64 " bytes cannot be mapped", size);
    if (addr < own)
        return err_program(e,
                           "host memory of %" PRIu64
                           " bytes cannot be mapped where it is: the GPU's "
                           "own addresses reach to 0x%" PRIx64 " (mem.base, mem.size)",
                           size, own);
    if (!is_span_free(m, addr, size))
        return err_program(e, "host memory of %" PRIu64 " bytes is mapped already", size);
    if (m->check && !(shadow = try_calloc(1, size)))
        return err_program(e, "out of host memory for %" PRIu64 " bytes of simulated memory", size);
    if (shadow)
        memset(shadow, 1, size);
    if (!m->bus_next)
        m->bus_next = MAPPED_BUS;
    insert_span(m, &(struct span){.lo = addr,
                                  .size = size,
                                  .host = host,
                                  .shadow = shadow,
                                  .kind = SPAN_MAPPED,
                                  .bus = m->bus_next + addr % PAGE,
                                  .whole = size});
    m->bus_next = align_up(m->bus_next + addr % PAGE + size, PAGE);
    return true;
}

bool vmem_unmap(struct vmem *m, const void *host, struct err *e)
{
    struct span *s = starts_at(m, (uintptr_t)host, SPAN_MAPPED);

    if (!s)
        return err_program(e, "no host memory is mapped there");
    remove_span(m, s);
    return true;
}

void vmem_shut(struct vmem *m, const void *host, enum shut how)
{
    struct span *s = starts_at(m, (uintptr_t)host, SPAN_MAPPED);

    if (!s)
        return;
    s->shut = how;
    s->size = how ? 0 : s->whole;
}

/* ---- the device's heap */

u64 vmem_heap_alloc(struct vmem *m, u64 size)
{
    const struct region r = {m->heap_base, m->heap_base + m->heap_size,
                             m->guard > HEAP_GAP ? m->guard : HEAP_GAP, HEAP_ALIGN};
    struct err e;

    m->heap_touched = true;
    size = size ? size : 1;
    if (size >= m->heap_full || size > m->heap_size)
        return 0;
    u64 at = find_room(m, &r, size);

    if (!at)
        m->heap_full = size;
    struct span s = {.lo = at, .size = size, .kind = SPAN_HEAP, .bus = at};

    return at && allocate_span(m, s, &e) ? at : 0;
}

bool vmem_heap_release(struct vmem *m, u64 addr)
{
    struct span *s = starts_at(m, addr, SPAN_HEAP);

    if (!s)
        return false;
    remember_freed(m, s);
    remove_span(m, s);
    m->heap_full = UINT64_MAX;
    return true;
}

/* ---- access from the host */

static struct span *checked_range(const struct vmem *m, u64 addr, u64 n, const char *what,
                                  struct err *e)
{
    struct span *s = vmem_find_shut(m, addr);
    char near[160];

    if (s && n <= bytes_of_span(s) - (addr - s->lo))
        return s;
    err_program(e, "%s of %" PRIu64 " byte%s at 0x%" PRIx64 " is outside of device memory: %s",
                what, n, n == 1 ? "" : "s", vmem_shown(m, addr),
                vmem_describe(m, addr, near, sizeof near));
    return NULL;
}

bool vmem_write(struct vmem *m, u64 addr, const void *from, u64 n, struct err *e)
{
    struct span *s = n ? checked_range(m, addr, n, "copy to the device", e) : NULL;

    if (s) {
        memmove(s->host + (addr - s->lo), from, n); /* mapped memory may be both sides */
        if (s->shadow)
            memset(s->shadow + (addr - s->lo), 1, n);
    }
    return !n || s;
}

bool vmem_read(const struct vmem *m, u64 addr, void *to, u64 n, struct err *e)
{
    struct span *s = n ? checked_range(m, addr, n, "copy from the device", e) : NULL;

    if (s)
        memmove(to, s->host + (addr - s->lo), n);
    return !n || s;
}

bool vmem_set(struct vmem *m, u64 addr, int byte, u64 n, struct err *e)
{
    struct span *s = n ? checked_range(m, addr, n, "set", e) : NULL;

    if (s) {
        memset(s->host + (addr - s->lo), byte, n);
        if (s->shadow)
            memset(s->shadow + (addr - s->lo), 1, n);
    }
    return !n || s;
}

static const char *kind_name(enum span_kind k)
{
    static const char *const name[] = {"buffer", "variable", "heap block", "mapped host memory",
                                       "variable"};

    return name[k];
}

static bool was_freed(const struct vmem *m, u64 addr, char *buf, size_t size)
{
    u32 n = min_u32(m->n_freed, LEN(m->freed));

    for (u32 i = 0; i < n; i++)
        if (addr - m->freed[i].lo < m->freed[i].size) {
            snprintf(buf, size, "inside the freed %s 0x%" PRIx64 "..0x%" PRIx64,
                     kind_name(m->freed[i].kind), m->freed[i].lo,
                     m->freed[i].lo + m->freed[i].size - 1);
            return true;
        }
    return false;
}

u64 vmem_shown(const struct vmem *m, u64 addr)
{
    u32 i = above(m, addr);
    bool below = i > 0 && !((m->live[i - 1].lo ^ addr) >> TAG_SHIFT);
    bool next = i < m->n && !((m->live[i].lo ^ addr) >> TAG_SHIFT);

    return below || next ? addr & TAG_PLAIN : addr;
}

bool vmem_tolerates(const struct vmem *m, u64 addr, enum bounds how)
{
    u64 shown = vmem_shown(m, addr);
    const struct span *s = nearest_span(m, addr);

    if (how == BOUNDS_EXACT || shown < NULL_END)
        return false;
    if (how == BOUNDS_REPORT && shown < own_end(m))
        return true;
    return s && distance_to_span(s, addr) <= m->slack;
}

/* "variable table 0x10000000..0x1000003f" */
static void describe_span(char *buf, size_t size, const char *where, const struct span *s)
{
    u64 lo = s->lo & TAG_PLAIN;

    snprintf(buf, size, "%s %s%s%s 0x%" PRIx64 "..0x%" PRIx64, where, kind_name(s->kind),
             s->name ? " " : "", s->name ? s->name : "", lo, lo + s->size - 1);
}

static void near_span(char *buf, size_t size, u64 n, const char *where, const struct span *s)
{
    int len = snprintf(buf, size, "%" PRIu64 " byte%s ", n, n == 1 ? "" : "s");

    describe_span(buf + len, size - (size_t)len, where, s);
}

static void put_shut(char *buf, size_t size, const struct span *s)
{
    snprintf(buf, size, "in mapped host memory 0x%" PRIx64 "..0x%" PRIx64 ", which %s", s->lo,
             s->lo + s->whole - 1,
             s->shut == SHUT_TO_ALL ? "is unmapped or protected by now" : "is read-only by now");
}

const char *vmem_describe(const struct vmem *m, u64 addr, char *buf, size_t size)
{
    u32 i = above(m, addr);
    const struct span *below = i ? &m->live[i - 1] : NULL, *next = i < m->n ? &m->live[i] : NULL;
    u64 end = below ? below->lo + bytes_of_span(below) : 0;

    if (addr < NULL_END)
        snprintf(buf, size, "a null pointer");
    else if (below && addr < end && below->shut)
        put_shut(buf, size, below);
    else if (below && addr < end)
        near_span(buf, size, end - addr, "before the end of", below);
    else if (was_freed(m, addr, buf, size))
        return buf;
    else if (below && addr == end)
        describe_span(buf, size, "right after", below);
    else if (below && (!next || addr - end < next->lo - addr))
        near_span(buf, size, addr - end, "after", below);
    else if (next)
        near_span(buf, size, next->lo - addr, "before", next);
    else
        snprintf(buf, size, "nothing is allocated");
    return buf;
}
