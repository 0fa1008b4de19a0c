/* builtin_call.c -- see builtin_call.h: all but the formats of printf */
#include "exec/builtin_call.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"

/* ---- what a thread can reach */

static void fault(const struct thread *t, enum fault_kind kind, u64 addr, u32 bytes)
{
    t->x->word = t->word; /* the message names the thread */
    exec_raise(t->x, kind, t->lane, addr, bytes);
}

static u8 *own_local(const struct thread *t)
{
    return t->w->word[t->word].local + (size_t)t->lane * t->x->launch->func->local;
}

/* The allocation or window that a generic address is in. */
static struct span reachable_span(const struct thread *t, u64 addr, u32 *space)
{
    const struct launch *l = t->x->launch;

    if (addr - WINDOW_SHARED < WINDOW_SIZE) {
        *space = SP_SHARED;
        return (struct span){.lo = WINDOW_SHARED, .size = l->shared, .host = t->w->cta->shared};
    }
    if (addr - WINDOW_LOCAL < WINDOW_SIZE) {
        *space = SP_LOCAL;
        return (struct span){.lo = WINDOW_LOCAL, .size = l->func->local, .host = own_local(t)};
    }
    if (addr - WINDOW_PARAM < WINDOW_SIZE) {
        *space = SP_PARAM;
        return (struct span){
            .lo = WINDOW_PARAM, .size = l->func->param_bytes, .host = (u8 *)(uintptr_t)l->param};
    }
    const struct span *s = vmem_find(t->x->mem, addr);

    *space = SP_GLOBAL;
    return s ? *s : (struct span){.lo = 0};
}

static void fault_out_of_bounds(const struct thread *t, const struct span *s, u32 space, u64 addr,
                                u32 size)
{
    t->x->fault_space = (u8)space;
    t->x->fault_write = false;
    fault(t, FAULT_BOUNDS, space == SP_GLOBAL ? addr : addr - s->lo, size);
}

const u8 *thread_memory(const struct thread *t, u64 addr, u32 size)
{
    u32 space;
    struct span s = reachable_span(t, addr, &space);

    if (s.size >= size && addr - s.lo <= s.size - size)
        return s.host + (addr - s.lo);
    fault_out_of_bounds(t, &s, space, addr, size);
    return NULL;
}

const char *thread_string(const struct thread *t, u64 addr, u64 most)
{
    u32 space;
    struct span s = reachable_span(t, addr, &space);
    u64 room = addr - s.lo < s.size ? s.size - (addr - s.lo) : 0;
    const u8 *text = room ? s.host + (addr - s.lo) : NULL;

    if (text && (most <= room || memchr(text, 0, room)))
        return (const char *)text;
    fault_out_of_bounds(t, &s, space, addr + room, 1);
    return NULL;
}

/* ---- malloc, free, assert */

static u64 argument(const struct thread *t, const struct call_site *s, u32 i)
{
    u64 v = 0;

    memcpy(&v, own_local(t) + t->x->frame + s->arg[i].from, s->arg[i].size);
    return v;
}

static void return_value(const struct thread *t, const struct call_site *s, u64 v)
{
    memcpy(own_local(t) + t->x->frame + s->ret[0].to, &v, s->ret[0].size);
}

static bool do_free(const struct thread *t, u64 addr)
{
    if (!addr || vmem_heap_release(t->x->mem, addr))
        return true;
    fault(t, FAULT_FREE, addr, 0);
    return false;
}

static bool do_assert(const struct thread *t, const struct call_site *s)
{
    const char *text[4] = {NULL};
    const u16 *tid = t->x->launch->tid[t->w->word[t->word].thread[t->lane]];
    const u32 *cta = t->w->cta->id;

    for (u32 i = 0; i < LEN(text); i++)
        if (i != 2 && !(text[i] = thread_string(t, argument(t, s, i), UINT64_MAX)))
            return false;
    log_progress_end();
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            text[1], (u32)argument(t, s, 2), text[3], cta[0], cta[1], cta[2], tid[0], tid[1],
            tid[2], text[0]);
    if (!t->x->fault)
        snprintf(t->x->fault_text, sizeof t->x->fault_text, "%s", text[0]);
    fault(t, FAULT_ASSERT, 0, 0);
    return true; /* the other lanes have their say */
}

static bool call_one(const struct thread *t, enum builtin b, const struct call_site *s)
{
    s32 n;

    switch (b) {
    case BUILTIN_VPRINTF:
        if (!builtin_print(t, argument(t, s, 0), argument(t, s, 1), &n))
            return false;
        return_value(t, s, (u32)n);
        return true;
    case BUILTIN_MALLOC:
        return_value(t, s, vmem_heap_alloc(t->x->mem, argument(t, s, 0)));
        return true;
    case BUILTIN_FREE:
        return do_free(t, argument(t, s, 0));
    default:
        return do_assert(t, s);
    }
}

bool builtin_call(struct exec *x, struct warp *w, enum builtin b, const struct call_site *s,
                  const u32 *mask)
{
    for (u32 k = 0; k < w->n_word; k++)
        for (u32 lane = 0; lane < LANES; lane++)
            if (mask[k] >> lane & 1 && !call_one(&(struct thread){x, w, k, lane}, b, s))
                return false;
    return !x->fault;
}
