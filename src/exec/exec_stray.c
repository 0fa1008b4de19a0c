/*
 * exec_stray.c -- accesses out of bounds that the kernel survives: mem.bounds
 *
 * Hardware checks pages, not allocations, so that a program which reads a little before or behind a
 * buffer gets something and goes on.  Here such an access is none: of its bytes, those that are in
 * bounds are read and written, others read as 0 and are dropped.  An atomic out of bounds changes nothing.
 * With timing its address goes the way of any other.
 *
 * What may stray how far: global and constant memory as vmem_tolerates says; shared memory as far as the SM has
 * any; local memory as far as a thread may have any.  Parameters not at all.
 */
#include <string.h>

#include "exec/exec.h"

static u64 size_of_space(const struct exec *x, u32 space)
{
    return space == SP_SHARED ? x->launch->shared : x->launch->func->local;
}

/* Shared and local memory begin at 0, so that what lies before is far above. */
static bool passes_own(const struct exec *x, u32 space, u64 end, enum bounds how)
{
    u64 most = space == SP_SHARED ? x->sm_shared : MAX_LOCAL, size = size_of_space(x, space);

    if (how == BOUNDS_SLACK)
        most = size + x->mem->slack < most ? size + x->mem->slack : most;
    return how != BOUNDS_EXACT && end <= most;
}

bool exec_stray_passes(const struct exec *x, u64 addr, u32 bytes, enum bounds how)
{
    u64 end = addr + bytes < addr ? UINT64_MAX : addr + bytes;

    switch (x->fault_space) {
    case SP_SHARED:
    case SP_LOCAL:
        return passes_own(x, x->fault_space, end, how);
    case SP_GLOBAL:
    case SP_CONST:
        return vmem_tolerates(x->mem, addr, how);
    default:
        return false;
    }
}

/* A byte of the lane's memory; NULL: out of bounds. */
static u8 *byte_at(const struct exec *x, u32 lane, u64 addr)
{
    u64 size = size_of_space(x, x->fault_space);
    const struct span *s;

    switch (x->fault_space) {
    case SP_SHARED:
        return addr < size ? x->cta->shared + addr : NULL;
    case SP_LOCAL:
        return addr < size ? x->warp->word[x->word].local + lane * size + addr : NULL;
    default:
        s = vmem_find(x->mem, addr);
        return s ? s->host + (addr - s->lo) : NULL;
    }
}

/* Once per instruction; of a source line, the first is told. */
static void note_stray(struct exec *x, u32 pc, u32 lane, u32 bytes)
{
    const struct warp *w = x->warp;

    if (!x->stray_seen || x->stray_seen[pc])
        return;
    x->stray_seen[pc] = 1;
    struct stray *s = VEC_ADD(&x->stray);

    *s = (struct stray){.clock = x->clock,
                        .addr = x->addr[lane],
                        .pc = pc,
                        .bytes = bytes,
                        .thread = w->word[x->word].thread[lane],
                        .space = x->fault_space,
                        .write = x->fault_write};
    memcpy(s->block, w->cta->id, sizeof s->block);
}

bool exec_stray(struct exec *x, u32 pc, u32 lane, u32 bytes)
{
    u64 addr = x->addr[lane];

    if (!exec_stray_passes(x, addr, bytes, x->mem->bounds)) {
        exec_raise(x, FAULT_BOUNDS, lane, addr, bytes);
        return false;
    }
    x->n.stray_reads += !x->fault_write;
    x->n.stray_writes += x->fault_write;
    note_stray(x, pc, lane, bytes);
    for (u32 b = 0; b < bytes && b < sizeof x->stray_data[0]; b++) { /* more is not read: discard */
        const u8 *at = byte_at(x, lane, addr + b);

        x->stray_data[lane][b] = at ? *at : 0;
    }
    return true;
}

void exec_stray_store(struct exec *x, u32 lane, const u8 *data, u32 bytes)
{
    bool log = x->log && x->fault_space == SP_GLOBAL;

    for (u32 b = 0; b < bytes; b++) {
        u64 addr = x->addr[lane] + b;
        u8 *at = byte_at(x, lane, addr);

        if (at && log)
            store_log_add(x->log, x->clock, addr, at, data + b, 1);
        else if (at)
            *at = data[b];
    }
}
