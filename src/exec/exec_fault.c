/* exec_fault.c -- what went wrong in a kernel, told so that its author can find it */
#include <inttypes.h>
#include <stdio.h>

#include "base/log.h"
#include "exec/exec.h"

void exec_raise(struct exec *x, enum fault_kind kind, u32 lane, u64 addr, u32 bytes)
{
    if (x->fault)
        return;
    x->fault = kind;
    x->fault_lane = lane;
    x->fault_addr = addr;
    x->fault_bytes = bytes;
}

static const char *space_name(u32 space)
{
    static const char *const name[] = {"",      "global", "shared", "local",
                                       "const", "param",  "generic"};

    return name[space];
}

struct bad_access {
    u64 addr; /* in its space */
    u32 bytes;
    u8 space;
    bool write;
};

static void describe_space(const struct exec *x, const struct bad_access *a, char *buf, size_t size)
{
    switch (a->space) {
    case SP_SHARED:
        snprintf(buf, size, "the CTA has %u bytes of shared memory", x->launch->shared);
        break;
    case SP_LOCAL:
        snprintf(buf, size, "a thread has %u bytes of local memory", x->launch->func->local);
        break;
    case SP_PARAM:
        snprintf(buf, size, "the kernel has %u bytes of parameters", x->launch->func->param_bytes);
        break;
    default:
        vmem_describe(x->mem, a->addr, buf, size);
        break;
    }
}

static void describe_bounds(const struct exec *x, const struct bad_access *a, char *buf,
                            size_t size)
{
    char near[200];

    describe_space(x, a, near, sizeof near);
    snprintf(buf, size, "%s %s of %u byte%s at 0x%" PRIx64 " is out of bounds: %s",
             space_name(a->space), a->write ? "write" : "read", a->bytes, a->bytes == 1 ? "" : "s",
             vmem_shown(x->mem, a->addr), near);
}

static void describe_texture(const struct exec *x, char *buf, size_t size)
{
    const struct program *p = x->launch->prog;

    snprintf(buf, size, "0x%" PRIx64 " is no handle of a texture or surface", x->fault_addr);
    for (u32 i = 0; i < p->n_var; i++)
        if (p->var[i].is_texture && HANDLE_REF + p->var[i].texture == x->fault_addr)
            snprintf(buf, size, "%s '%s' is not bound",
                     p->var[i].ptx->type == PT_SURFREF ? "surface" : "texture", p->var[i].name);
}

static void describe_barrier(const struct exec *x, char *buf, size_t size)
{
    if (x->fault_addr >= N_BARRIER)
        snprintf(buf, size, "barrier %" PRIu64 "; there are 0..%u", x->fault_addr, N_BARRIER - 1);
    else
        snprintf(buf, size,
                 "barrier for %u threads; a multiple of %u, at most all of the block, is possible",
                 x->fault_bytes, LANES);
}

static void what_happened(const struct exec *x, char *buf, size_t size)
{
    char near[200];

    switch (x->fault) {
    case FAULT_BOUNDS:
        describe_bounds(
            x, &(struct bad_access){x->fault_addr, x->fault_bytes, x->fault_space, x->fault_write},
            buf, size);
        break;
    case FAULT_ALIGN:
        snprintf(buf, size, "%s %s of %u byte%s at 0x%" PRIx64 " is misaligned",
                 space_name(x->fault_space), x->fault_write ? "write" : "read", x->fault_bytes,
                 x->fault_bytes == 1 ? "" : "s", vmem_shown(x->mem, x->fault_addr));
        break;
    case FAULT_READ_ONLY:
        snprintf(buf, size,
                 "write of %u byte%s at 0x%" PRIx64 " of param memory, which is read-only",
                 x->fault_bytes, x->fault_bytes == 1 ? "" : "s", x->fault_addr);
        break;
    case FAULT_TRAP:
        snprintf(buf, size, "trap");
        break;
    case FAULT_CALL:
        snprintf(buf, size, "call of 0x%" PRIx64 ", which is no function", x->fault_addr);
        break;
    case FAULT_STACK:
        snprintf(buf, size, "calls are nested too deeply; raise front.call_depth");
        break;
    case FAULT_TEXTURE:
        describe_texture(x, buf, size);
        break;
    case FAULT_SURFACE:
        snprintf(buf, size, "byte %" PRId64 " of row %d is outside of the surface",
                 (s64)x->fault_addr, (s32)x->fault_bytes);
        break;
    case FAULT_BRX:
        snprintf(buf, size, "brx.idx: index %" PRIu64 "; there are %u targets", x->fault_addr,
                 x->fault_bytes);
        break;
    case FAULT_BARRIER:
        describe_barrier(x, buf, size);
        break;
    case FAULT_FREE:
        snprintf(buf, size, "free of 0x%" PRIx64 ", which is no live heap block: %s",
                 vmem_shown(x->mem, x->fault_addr),
                 vmem_describe(x->mem, x->fault_addr, near, sizeof near));
        break;
    case FAULT_ASSERT:
        snprintf(buf, size, "assertion `%s` failed", x->fault_text);
        break;
    default:
        snprintf(buf, size, "read of memory that nobody wrote");
        break;
    }
}

struct fault_place { /* it happened */
    u32 pc, thread;
    const u32 *block;
};

static void describe_fault(const struct exec *x, const struct fault_place *at, const char *what,
                           const char *hint, struct err *e)
{
    char where[400];
    const u16 *t = x->launch->tid[at->thread];
    const u32 *b = at->block;

    err_program(e, "kernel %s: %s (%s, thread %u,%u,%u of block %u,%u,%u)%s",
                x->launch->func->label, what,
                program_where(x->launch->prog, at->pc, where, sizeof where), t[0], t[1], t[2], b[0],
                b[1], b[2], hint);
}

static struct fault_place where(const struct exec *x, const struct warp *w, u32 pc, u32 lane)
{
    return (struct fault_place){pc, w->word[x->word].thread[lane], w->cta->id};
}

/* Would it go on with another mem.bounds?  What a built-in function reads never does. */
static const char *hint(const struct exec *x, u32 pc)
{
    bool passes = x->fault == FAULT_BOUNDS && op_info[x->code[pc].op].cls >= CL_LD &&
                  exec_stray_passes(x, x->fault_addr, x->fault_bytes, BOUNDS_REPORT);

    return passes ? "; --set mem.bounds=report goes on" : "";
}

void exec_fault_message(struct exec *x, const struct warp *w, u32 pc, struct err *e)
{
    const struct fault_place at = where(x, w, pc, x->fault_lane);
    char what[400];

    what_happened(x, what, sizeof what);
    describe_fault(x, &at, what, hint(x, pc), e);
}

void exec_stray_message(struct exec *x, const struct stray *s, struct err *e)
{
    struct bad_access a = {s->addr, s->bytes, s->space, s->write};
    char what[400];

    describe_bounds(x, &a, what, sizeof what);
    describe_fault(x, &(struct fault_place){s->pc, s->thread, s->block}, what, "", e);
}

/* Once per instruction: a loop would say the same over and over. */
void exec_uninit(struct exec *x, const struct inst *in, u32 lane, u64 addr)
{
    u32 pc = (u32)(in - x->code);
    const struct fault_place at = where(x, x->warp, pc, lane);
    char what[128];
    struct err e;

    x->n_uninit++;
    if (x->uninit_seen[pc])
        return;
    x->uninit_seen[pc] = 1;
    snprintf(what, sizeof what, "%s read at 0x%" PRIx64 " of memory that nobody wrote",
             space_name(x->fault_space), vmem_shown(x->mem, addr));
    describe_fault(x, &at, what, "", &e);
    log_note("check: %s", e.msg);
}
