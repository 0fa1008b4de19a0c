/* kernels.c -- see kernels.h */
#include "sm/binding/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sm/binding/group.h"
#include "sm/front/front.h"
#include "sm/memunit/memunit.h"

static u64 low_bits(u32 n)
{
    return n < 64 ? ((u64)1 << n) - 1 : ~0ull;
}

static struct kernel made(const struct front *fe, const struct launch *l, const struct uop *uop)
{
    return (struct kernel){.l = l, .uop = uop, .need = occupancy_need(&fe->sm->shape, fe->conf, l)};
}

void kernel_first(struct front *fe, const struct launch *l, const struct uop *uop, u32 ctas)
{
    memset(fe->board.kernel, 0, sizeof fe->board.kernel);
    fe->board.kernel[0] = made(fe, l, uop);
    fe->board.kernel[0].x = fe->x;
    fe->board.kernel[0].ctas = ctas, fe->board.kernel[0].slots = low_bits(ctas);
    fe->mixed = false;
}

void kernel_refit(struct front *fe, u32 ctas)
{
    struct kernel *k = &fe->board.kernel[0];

    check(fe, !fe->mixed && k->n_cta == fe->bind.carried.n);
    k->need = occupancy_need(&fe->sm->shape, fe->conf, k->l);
    k->ctas = ctas, k->slots = low_bits(ctas);
}

void kernel_turn(struct front *fe, const struct wctx *c)
{
    const struct kernel *k = kernel_of(c);

    check(c, fe->mixed && k->l && c->home == fe);
    fe->uop = k->uop;
    fe->x = fe->mu->x = k->x;
}

/* Counters are u64, all of them. */
static void add_since(void *to, const void *now, const void *before, size_t bytes)
{
    u64 *sum = to;
    const u64 *a = now, *b = before;

    for (size_t i = 0; i < bytes / sizeof(u64); i++)
        sum[i] += a[i] - b[i];
}

void kernel_issues(struct front *fe, const struct wctx *c)
{
    kernel_turn(fe, c);
    fe->board.before = (struct tally){*fe->st, *fe->ops};
}

void kernel_issued(struct front *fe, const struct wctx *c)
{
    struct tally *to = &fe->board.kernel[fe->slot[c->cta].kernel].issued;

    check(c, fe->uop == kernel_of(c)->uop);
    _Static_assert(sizeof to->sm % sizeof(u64) == 0 && sizeof to->ops % sizeof(u64) == 0, "u64");
    add_since(&to->sm, fe->st, &fe->board.before.sm, sizeof to->sm);
    add_since(&to->ops, fe->ops, &fe->board.before.ops, sizeof to->ops);
}

/* ---- room */

static u64 used_contexts(const struct front *fe)
{
    u64 used = 0;

    for (u32 i = 0; i < fe->n_slot; i++)
        if (fe->slot[i].used) {
            check(fe, fe->slot[i].first + fe->slot[i].n <= MAX_WARPS);
            used |= low_bits(fe->slot[i].n) << fe->slot[i].first;
        }
    return used;
}

u32 kernel_contexts(const struct front *fe, u32 n)
{
    u64 used = used_contexts(fe);

    for (u32 first = 0; first + n <= fe->n_warp; first++)
        if (!(used & low_bits(n) << first))
            return first;
    return MAX_WARPS;
}

/* Threads, registers and shared memory that are left. */
static bool has_room_for(const struct front *fe, const struct need *n)
{
    const struct shape *s = &fe->sm->shape;
    u64 threads = n->threads, regs = n->regs, shared = n->shared;

    if (fe->closed || fe->n_cta >= lever_ctas(fe))
        return false;
    for (u32 i = 0; i < MAX_SM_KERNELS; i++) {
        const struct kernel *k = &fe->board.kernel[i];

        threads += k->n_cta * k->need.threads;
        regs += k->n_cta * k->need.regs;
        shared += k->n_cta * k->need.shared;
    }
    return fe->n_cta < s->max_cta && threads <= s->max_threads && regs <= s->regs &&
           shared <= s->shared && kernel_contexts(fe, (u32)n->warps) < MAX_WARPS;
}

u64 kernel_room(const struct front *fe, u32 kernel)
{
    const struct kernel *k = &fe->board.kernel[kernel];

    ensure(fe, kernel < MAX_SM_KERNELS);
    check(fe, fe->mixed && k->l);
    if (k->n_cta >= k->ctas || !has_room_for(fe, &k->need))
        return 0;
    return k->slots & warps_free_slots(fe);
}

void kernel_place(struct front *fe, u32 slot)
{
    struct cta_slot *s = &fe->slot[slot];

    check(fe, kernel_room(fe, s->kernel) >> slot & 1);
    s->first = (u16)kernel_contexts(fe, s->n);
    ensure(fe, s->first + s->n <= MAX_WARPS);
}

/* ---- coming and going */

static u32 free_kernel(const struct front *fe)
{
    u32 k = 0;

    while (k < MAX_SM_KERNELS && fe->board.kernel[k].l)
        k++;
    return k;
}

static u32 n_kernels(const struct front *fe)
{
    u32 n = 0;

    for (u32 k = 0; k < MAX_SM_KERNELS; k++)
        n += fe->board.kernel[k].l != NULL;
    return n;
}

/* Scoreboards of so many places, with what is in them. */
static void widen_boards(struct front *fe, u32 n_regs)
{
    u8 *rows;

    if (n_regs <= fe->n_regs)
        return;
    rows = xcalloc((size_t)2 * fe->n_warp * n_regs, 1);
    for (u32 w = 0; w < fe->n_warp; w++) {
        struct wctx *c = &fe->ctx[w];

        c->pend = memcpy(rows + (size_t)w * n_regs, c->pend, fe->n_regs);
        if (c->readers)
            c->readers = memcpy(rows + (size_t)(fe->n_warp + w) * n_regs, c->readers, fe->n_regs);
    }
    free(fe->pend_rows);
    fe->pend_rows = rows;
    fe->n_regs = n_regs;
}

/* As many as there are, from those that no kernel has. */
static u64 take_slots(struct front *fe, u32 kernel, const struct kernel *k, u32 n)
{
    u64 taken = 0;

    for (u32 i = 0; i < MAX_CTAS && n; i++) {
        struct cta_slot *s = &fe->slot[i];

        if (s->cta)
            continue;
        *s = (struct cta_slot){.cta = cta_new(k->l, fe->words, fe->x->check),
                               .n = (u16)k->need.warps,
                               .kernel = (u8)kernel};
        taken |= (u64)1 << i;
        fe->n_slot = i >= fe->n_slot ? i + 1 : fe->n_slot;
        n--;
    }
    return taken;
}

u32 kernel_join(struct front *fe, const struct launch *l, const struct uop *uop, u32 ctas, u32 most)
{
    u32 k = free_kernel(fe);
    struct kernel new = made(fe, l, uop);

    if (k == MAX_SM_KERNELS || n_kernels(fe) >= most || !has_room_for(fe, &new.need))
        return NO_KERNEL;
    new.slots = take_slots(fe, k, &new, ctas);
    if (!new.slots)
        return NO_KERNEL;
    new.ctas = ctas;
    widen_boards(fe, l->func->rows + l->func->preds + 1);
    fe->board.kernel[k] = new;
    fe->mixed = true;
    return k;
}

void kernel_executes(struct front *fe, u32 kernel, struct exec *x)
{
    fe->board.kernel[kernel].x = x;
}

/* --lines: what was to blame is there no more. */
static void forgive(struct front *fe, u32 kernel)
{
    for (u32 k = 0; k < fe->n_sched; k++) {
        struct sched *s = &fe->sched[k];

        s->why.pc = s->why_of == kernel ? PC_NONE : s->why.pc;
        s->asleep.pc = s->asleep_of == kernel ? PC_NONE : s->asleep.pc;
    }
}

void kernel_leave(struct front *fe, u32 kernel)
{
    struct kernel *k = &fe->board.kernel[kernel];

    check(fe, fe->mixed && k->l && !k->n_cta);
    for (u64 m = k->slots; m; m &= m - 1) {
        struct cta_slot *s = &fe->slot[__builtin_ctzll(m)];

        check(fe, !s->used);
        cta_free(s->cta);
        *s = (struct cta_slot){.cta = NULL};
    }
    *k = (struct kernel){.l = NULL};
    forgive(fe, kernel);
}
