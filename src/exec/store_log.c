/* store_log.c -- see store_log.h */
#include "exec/store_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { START = 8 /* so that 0 is no record */, FIRST_CAP = 1 << 14, NONE = 0 };

static struct store_record *record_at(const struct store_log *l, u32 at)
{
    return (struct store_record *)(void *)(l->mem + at);
}

static u32 behind(const struct store_log *l, u32 at)
{
    return at + (u32)sizeof(struct store_record) + (u32)align_up(record_at(l, at)->bytes, 8);
}

/* Not by low bits: the rows of a matrix are often a power of two apart. */
static struct store_bucket *bucket_of(struct store_log *l, u64 addr)
{
    return &l->bucket[addr / STORE_LOG_BLOCK * 0x9e3779b97f4a7c15ull >> (64 - 11)];
}

_Static_assert(STORE_LOG_BUCKETS == 1 << 11, "bits of bucket_of");

static void forget_records(struct store_log *l)
{
    l->n = 0;
    l->lo = l->size = 0;
    l->used = START;
    l->last = NONE;
}

void store_log_init(struct store_log *l)
{
    memset(l, 0, sizeof *l);
    l->cap = FIRST_CAP;
    l->mem = xmalloc(l->cap);
    forget_records(l);
}

void store_log_free(struct store_log *l)
{
    free(l->mem);
    memset(l, 0, sizeof *l);
}

/* ---- appending */

static void cover_block(struct store_log *l, u64 addr)
{
    u64 block = addr & ~(u64)(STORE_LOG_BLOCK - 1), end = block + STORE_LOG_BLOCK;

    if (!l->n) {
        l->lo = block, l->size = STORE_LOG_BLOCK;
        return;
    }
    if (block < l->lo) {
        l->size += l->lo - block;
        l->lo = block;
    }
    if (end - l->lo > l->size)
        l->size = end - l->lo;
}

static struct store_record *new_record(struct store_log *l, u64 addr)
{
    u32 most = sizeof(struct store_record) + STORE_LOG_BLOCK;

    if (l->cap - l->used < most) {
        assert(l->cap <= UINT32_MAX / 2);
        l->cap *= 2;
        l->mem = xrealloc(l->mem, l->cap);
    }
    struct store_bucket *b = bucket_of(l, addr);

    if (b->first)
        record_at(l, b->last)->next = l->used;
    else
        b->first = l->used;
    b->last = l->last = l->used;
    cover_block(l, addr);
    l->n++;
    return record_at(l, l->used);
}

/* The newest record if these bytes are its continuation: neighbouring lanes. */
static struct store_record *continued(struct store_log *l, u64 cycle, u64 addr, const u8 *host)
{
    struct store_record *r = record_at(l, l->last);

    if (!l->last || r->cycle != cycle || r->addr + r->bytes != addr || r->host + r->bytes != host)
        return NULL;
    return addr % STORE_LOG_BLOCK ? r : NULL;
}

/* Within one block. */
static void add_piece(struct store_log *l, u64 cycle, u64 addr, u8 *host, const u8 *data, u32 bytes)
{
    struct store_record *r = continued(l, cycle, addr, host);

    if (!r) {
        r = new_record(l, addr);
        r->cycle = cycle, r->addr = addr, r->host = host;
        r->next = NONE, r->bytes = 0;
    }
    memcpy(r->data + r->bytes, data, bytes);
    r->bytes += bytes;
    l->used = behind(l, l->last);
}

void store_log_add(struct store_log *l, u64 cycle, u64 addr, u8 *host, const void *data, u32 bytes)
{
    const u8 *from = data;

    while (bytes) {
        u32 room = STORE_LOG_BLOCK - (u32)(addr % STORE_LOG_BLOCK), n = min_u32(bytes, room);

        add_piece(l, cycle, addr, host, from, n);
        addr += n, host += n, from += n, bytes -= n;
    }
}

/* ---- loads */

/* The bytes of r that are among `bytes` from addr on go over `to`. */
static void overlay(const struct store_record *r, u64 addr, u32 bytes, u8 *to)
{
    u64 lo = r->addr > addr ? r->addr : addr, end = r->addr + r->bytes;

    end = end < addr + bytes ? end : addr + bytes;
    memcpy(to + (lo - addr), r->data + (lo - r->addr), end - lo);
}

static bool patch_lane(struct store_log *l, u64 addr, const u8 *host, u32 bytes, u8 *to)
{
    bool hit = false;

    for (u32 at = bucket_of(l, addr)->first; at; at = record_at(l, at)->next) {
        const struct store_record *r = record_at(l, at);

        if (addr + bytes <= r->addr || addr >= r->addr + r->bytes)
            continue;
        if (!hit)
            memcpy(to, host, bytes);
        hit = true;
        overlay(r, addr, bytes, to);
    }
    return hit;
}

u32 store_log_patch(struct store_log *l, const u64 *addr, u8 *const *host, u32 mask, u32 bytes)
{
    u32 hit = 0;

    assert(bytes <= STORE_LOG_ACCESS);
    for (u32 m = mask; m; m &= m - 1) {
        u32 i = (u32)__builtin_ctz(m);

        hit |= (u32)patch_lane(l, addr[i], host[i], bytes, l->patch[i]) << i;
    }
    return hit;
}

/* ---- applying */

static u64 next_cycle(const struct store_log *l)
{
    return l->at < l->used ? record_at(l, l->at)->cycle : UINT64_MAX;
}

static void write_record(struct store_log *l)
{
    const struct store_record *r = record_at(l, l->at);

    if (r->bytes == STORE_LOG_BLOCK) /* by far the most frequent */
        memcpy(r->host, r->data, STORE_LOG_BLOCK);
    else
        memcpy(r->host, r->data, r->bytes);
    *bucket_of(l, r->addr) = (struct store_bucket){NONE, NONE};
    l->at = behind(l, l->at);
}

static void write_records(struct store_log *l)
{
    for (l->at = START; l->at < l->used;)
        write_record(l);
    forget_records(l);
}

/* All records of the earliest cycle, log by log, until there is none. */
static void merge_logs(struct store_log **log, u32 n)
{
    for (;;) {
        u64 cycle = UINT64_MAX;

        for (u32 i = 0; i < n; i++)
            cycle = next_cycle(log[i]) < cycle ? next_cycle(log[i]) : cycle;
        if (cycle == UINT64_MAX)
            return;
        for (u32 i = 0; i < n; i++)
            while (next_cycle(log[i]) == cycle)
                write_record(log[i]);
    }
}

void store_logs_apply(struct store_log **log, u32 n)
{
    u32 some = 0, which = 0;

    for (u32 i = 0; i < n; i++)
        if (log[i]->n)
            some++, which = i;
    if (some == 1)
        write_records(log[which]);
    if (some < 2)
        return;
    for (u32 i = 0; i < n; i++)
        log[i]->at = START;
    merge_logs(log, n);
    for (u32 i = 0; i < n; i++)
        forget_records(log[i]);
}
