/* vmem.c -- see vmem.h */
#include "front/vmem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void vmem_init(struct vmem *m, u64 base, u64 size, u64 guard, u64 align, bool check)
{
    memset(m, 0, sizeof *m);
    m->base = base, m->size = size, m->guard = guard, m->align = align, m->check = check;
}

static void free_span(struct span *s)
{
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

/* Host memory is zero and has slack behind it, so that a whole word can be read at the end. */
static bool insert(struct vmem *m, u64 addr, u64 size, struct err *e)
{
    u8 *host = calloc(1, size + 64), *shadow = m->check ? calloc(1, size + 1) : NULL;
    u32 i = above(m, addr);

    if (!host || (m->check && !shadow)) {
        free(host), free(shadow);
        return err_program(e, "out of host memory for %" PRIu64 " bytes of simulated memory", size);
    }
    if (m->n == m->cap) {
        m->cap = m->cap ? 2 * m->cap : 16;
        m->live = xrealloc(m->live, m->cap * sizeof m->live[0]);
    }
    memmove(&m->live[i + 1], &m->live[i], (m->n - i) * sizeof m->live[0]);
    m->live[i] = (struct span){addr, size, host, shadow};
    m->n++;
    return true;
}

/* First fit: after the last buffer if there is room, else in a gap. */
static u64 find_room(const struct vmem *m, u64 size)
{
    u64 end = m->base + m->size, at = m->base;
    u32 last = above(m, end);

    if (last && m->live[last - 1].lo >= m->base)
        at = align_up(m->live[last - 1].lo + m->live[last - 1].size + m->guard, m->align);
    if (at + size <= end && at + size >= at)
        return at;
    at = m->base;
    for (u32 i = above(m, m->base - 1); i < last; i++) {
        if (at + size + m->guard <= m->live[i].lo)
            return at;
        at = align_up(m->live[i].lo + m->live[i].size + m->guard, m->align);
    }
    return at + size <= end ? at : 0;
}

u64 vmem_alloc(struct vmem *m, u64 size, struct err *e)
{
    u64 at = size <= m->size ? find_room(m, size ? size : 1) : 0;

    if (!at) {
        err_program(e,
                    "out of device memory: %" PRIu64 " bytes asked, %" PRIu64 " of %" PRIu64
                    " in use (mem.size)",
                    size, m->used, m->size);
        return 0;
    }
    if (!insert(m, at, size ? size : 1, e))
        return 0;
    m->used += size ? size : 1;
    return at;
}

bool vmem_alloc_at(struct vmem *m, u64 addr, u64 size, struct err *e)
{
    u32 i = above(m, addr);

    if ((i < m->n && addr + size > m->live[i].lo) || vmem_find(m, addr))
        return err_set(e, "module variables do not fit: address 0x%" PRIx64 " is taken", addr);
    return size == 0 || insert(m, addr, size, e);
}

bool vmem_release(struct vmem *m, u64 addr, struct err *e)
{
    struct span *s = vmem_find(m, addr);

    if (!s || s->lo != addr || addr < m->base)
        return err_program(e, "free of 0x%" PRIx64 ", which is not the start of a live buffer",
                           addr);
    m->freed[m->n_freed % LEN(m->freed)].lo = s->lo;
    m->freed[m->n_freed++ % LEN(m->freed)].size = s->size;
    m->used -= s->size;
    free_span(s);
    memmove(s, s + 1, (size_t)(m->live + m->n - (s + 1)) * sizeof *s);
    m->n--;
    return true;
}

static struct span *range(const struct vmem *m, u64 addr, u64 n, const char *what, struct err *e)
{
    struct span *s = vmem_find(m, addr);
    char near[160];

    if (s && n <= s->size - (addr - s->lo))
        return s;
    err_program(e, "%s of %" PRIu64 " byte%s at 0x%" PRIx64 " is outside of device memory: %s",
                what, n, n == 1 ? "" : "s", addr, vmem_describe(m, addr, near, sizeof near));
    return NULL;
}

bool vmem_write(struct vmem *m, u64 addr, const void *from, u64 n, struct err *e)
{
    struct span *s = n ? range(m, addr, n, "copy to the device", e) : NULL;

    if (s) {
        memcpy(s->host + (addr - s->lo), from, n);
        if (s->shadow)
            memset(s->shadow + (addr - s->lo), 1, n);
    }
    return !n || s;
}

bool vmem_read(const struct vmem *m, u64 addr, void *to, u64 n, struct err *e)
{
    struct span *s = n ? range(m, addr, n, "copy from the device", e) : NULL;

    if (s)
        memcpy(to, s->host + (addr - s->lo), n);
    return !n || s;
}

bool vmem_set(struct vmem *m, u64 addr, int byte, u64 n, struct err *e)
{
    struct span *s = n ? range(m, addr, n, "set", e) : NULL;

    if (s) {
        memset(s->host + (addr - s->lo), byte, n);
        if (s->shadow)
            memset(s->shadow + (addr - s->lo), 1, n);
    }
    return !n || s;
}

static bool was_freed(const struct vmem *m, u64 addr, char *buf, size_t size)
{
    u32 n = min_u32(m->n_freed, LEN(m->freed));

    for (u32 i = 0; i < n; i++)
        if (addr - m->freed[i].lo < m->freed[i].size) {
            snprintf(buf, size, "inside the freed buffer 0x%" PRIx64 "..0x%" PRIx64, m->freed[i].lo,
                     m->freed[i].lo + m->freed[i].size - 1);
            return true;
        }
    return false;
}

static void near_buffer(char *buf, size_t size, u64 n, const char *where, const struct span *s)
{
    snprintf(buf, size, "%" PRIu64 " byte%s %s buffer 0x%" PRIx64 "..0x%" PRIx64, n,
             n == 1 ? "" : "s", where, s->lo, s->lo + s->size - 1);
}

const char *vmem_describe(const struct vmem *m, u64 addr, char *buf, size_t size)
{
    u32 i = above(m, addr);
    const struct span *below = i ? &m->live[i - 1] : NULL, *next = i < m->n ? &m->live[i] : NULL;
    u64 end = below ? below->lo + below->size : 0;

    if (addr < 0x100)
        snprintf(buf, size, "a null pointer");
    else if (below && addr < end)
        near_buffer(buf, size, end - addr, "before the end of", below);
    else if (was_freed(m, addr, buf, size))
        return buf;
    else if (below && addr == end)
        snprintf(buf, size, "right after buffer 0x%" PRIx64 "..0x%" PRIx64, below->lo, end - 1);
    else if (below && (!next || addr - end < next->lo - addr))
        near_buffer(buf, size, addr - end, "after", below);
    else if (next)
        near_buffer(buf, size, next->lo - addr, "before", next);
    else
        snprintf(buf, size, "nothing is allocated");
    return buf;
}
