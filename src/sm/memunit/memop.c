/*
 * memop.c -- a memory instruction that has been issued becomes an operation of its memory unit: which
 * memory it means, which accesses its lanes' addresses become (coalesce.c), and who waits for it.
 */
#include "sm/memunit/memunit.h"

#include <string.h>

#include "base/text.h"
#include "sm/datapath/datapath.h"
#include "sm/front/front.h"
#include "sm/sm.h"

/* Lanes of a generic access by the memory they mean; where they mix, global and local lanes decide. */
static u8 generic_space(const struct exec *x, const struct warp *w, u32 *mask)
{
    u32 shared[MAX_WORDS] = {0}, other = 0;
    bool local = false;

    for (u32 k = 0; k < w->n_word; k++) {
        const u64 *addr = exec_addr(x, w, k);

        for (u32 m = x->out.mask[k]; m; m &= m - 1) {
            u64 a = addr[__builtin_ctz(m)];

            shared[k] |= a - WINDOW_SHARED < WINDOW_SIZE ? m & -m : 0;
            local |= a - WINDOW_LOCAL < WINDOW_SIZE;
        }
        other |= x->out.mask[k] & ~shared[k];
    }
    for (u32 k = 0; k < w->n_word; k++)
        mask[k] = other ? x->out.mask[k] & ~shared[k] : shared[k];
    return other ? local ? SP_LOCAL : SP_GLOBAL : SP_SHARED;
}

static bool bypasses(const struct memunit *mu, const struct inst *in, const struct uop *u, u8 space)
{
    u32 how = in->mod >> MOD_CACHE & 7;

    if (u->flags & UOP_ATOM)
        return true;
    if (how == CACHE_CG || how == CACHE_CV)
        return true;
    return space == SP_GLOBAL && !mu->global_l1 && how != CACHE_NC && how != CACHE_CA;
}

static void count_sectors(struct sm_stat *st, bool whole_lines, const struct access_list *l)
{
    u32 used = 0, fetched = 0;

    for (u32 i = 0; i < l->n; i++) {
        used += popc_4(l->at[i].sectors);
        fetched += l->at[i].bytes / 32u;
    }
    st->load_sectors_used += used;
    st->load_sectors += whole_lines ? 4 * l->n : fetched;
}

static void count_global(const struct memunit *mu, const struct memop *op,
                         const struct access_list *l)
{
    const struct uop *u = op->u;
    struct sm_stat *st = mu->st;

    st->loads += (u->flags & UOP_LOAD) != 0;
    st->stores += (u->flags & UOP_STORE) != 0;
    st->atomics += (u->flags & UOP_ATOM) != 0;
    st->load_store_insts++;
    st->mem_accesses += l->n;
    if (u->flags & UOP_LOAD)
        count_sectors(st, !mu->sector && !op->bypass, l);
}

/* Nobody waits for a copy by a register, but its warp must not end before it, as with a store. */
static void begin_copy(struct memop *op)
{
    struct wctx *c = &op->fe->ctx[op->slot];

    ensure(c, c->copy_group < COPY_GROUPS);
    op->copy = (u8)(c->copy_group + 1);
    c->copies[c->copy_group]++;
    c->stores++;
}

static void make_global(struct memunit *mu, struct memop *op, const u32 *mask, u8 space)
{
    const struct uop *u = op->u;
    struct access_list *l = &mu->list[op->list];
    struct wctx *c = &op->fe->ctx[op->slot];

    op->kind = MEM_GLOBAL;
    op->local = space == SP_LOCAL;
    op->bypass = bypasses(mu, mu->x->out.in, u, space);
    coalesce(mu, c->w, mu->x, u, op, mask, l);
    count_global(mu, op, l);
    if (UNLIKELY(mu->x->out.in->op == OP_cp_async))
        begin_copy(op);
    if (!(u->flags & UOP_ATOM))
        return;
    op->atom = atom_keep(mu, mu->x);
    c->atom_op = (u32)(op - mu->op);
    c->atoms = (u16)(c->atoms + l->n);
    if (l->n && mu->atom_blocks)
        warp_wait_atoms(op->fe, op->slot);
}

static void make_shared(struct memunit *mu, struct memop *op, const u32 *mask)
{
    struct wctx *c = &op->fe->ctx[op->slot];

    op->kind = MEM_SHARED;
    op->conflict =
        (u16)shared_conflict(mu->x, c->w, mask, mu->smem_banks, mu->words_apart && !op->narrow);
    mu->st->shared_insts++;
    mu->st->shared_cycles += op->conflict;
    if (!(op->u->flags & UOP_ATOM))
        return;
    c->atoms++;
    if (mu->atom_blocks)
        warp_wait_atoms(op->fe, op->slot);
}

static void make_lines(struct memunit *mu, struct memop *op, const struct cache *cache, u64 *count)
{
    coalesce_lines(op->fe->ctx[op->slot].w, mu->x, mu->x->out.mask, cache->line_shift,
                   &mu->list[op->list]);
    ++*count;
}

static u64 *addr_of(struct exec *x, const struct warp *w, u32 word)
{
    return w->n_word == 1 ? x->addr : x->out.addr[word];
}

/* Addresses of variables without their tags (vmem.h). */
static void strip_tags(struct exec *x, const struct warp *w)
{
    for (u32 k = 0; k < w->n_word && x->mem->tagged; k++) {
        u64 *addr = addr_of(x, w, k);

        for (u32 i = 0; i < LANES; i++)
            addr[i] &= TAG_PLAIN;
    }
}

/* Addresses of mapped host memory as the memory side sees them. */
static void onto_bus(struct exec *x, const struct warp *w)
{
    for (u32 k = 0; k < w->n_word && x->mem->bus_next; k++) {
        u64 *addr = addr_of(x, w, k);

        for (u32 m = x->out.mask[k]; m; m &= m - 1)
            addr[__builtin_ctz(m)] = vmem_bus(x->mem, addr[__builtin_ctz(m)]);
    }
}

static void make_by_space(struct memunit *mu, struct memop *op)
{
    const struct warp *w = op->fe->ctx[op->slot].w;
    const struct uop *u = op->u;
    u32 mask[MAX_WORDS];
    u8 space = u->space;

    memcpy(mask, mu->x->out.mask, sizeof mask);
    strip_tags(mu->x, w);
    if (space == SP_GENERIC)
        space = generic_space(mu->x, w, mask);
    if (space == SP_LOCAL && u->flags & UOP_ATOM) { /* what lanes do to their own memory is done */
        space = SP_GLOBAL;
        memcpy(mask, mu->x->atom.mask, sizeof mask);
    }
    if (space == SP_GLOBAL)
        onto_bus(mu->x, w);
    if (u->flags & UOP_FENCE) {
        op->kind = MEM_FENCE;
    } else if (u->flags & UOP_TEX) {
        op->kind = MEM_TEX;
        make_lines(mu, op, &mu->l1t, &mu->st->tex_insts);
    } else if (space == SP_CONST || space == SP_PARAM) {
        op->kind = MEM_CONST;
        make_lines(mu, op, &mu->l1c, &mu->st->const_insts);
    } else if (space == SP_SHARED) {
        make_shared(mu, op, mask);
    } else {
        make_global(mu, op, mask, space);
    }
}

u32 lsu_make(struct memunit *mu, const struct flight *f, u64 now)
{
    u32 i = mu->free_op;
    struct memop *op = &mu->op[i];

    ensure(f, i < mu->n_op && mu->free_list < N_LIST);
    check(f, lsu_has_room(mu) && f->fe->ctx[f->slot].w);
    mu->free_op = op->next;
    mu->used_op++;
    *op = (struct memop){.u = f->u,
                         .fe = f->fe,
                         .dp = f->dp,
                         .issued = now,
                         .atom = REQ_NONE,
                         .lead = f->fe->by->lock.n > 1 ? f->lead : NULL,
                         .slot = f->slot,
                         .tag = f->tag,
                         .bank = f->bank,
                         .sub = f->sub,
                         .narrow = f->fe->ctx[f->slot].part->narrow,
                         .list = mu->free_list};
    struct access_list *l = &mu->list[op->list];

    mu->free_list = l->next_free;
    mu->n_list_used++;
    l->n = 0;
    make_by_space(mu, op);
    check(f, l->n <= MAX_ACCESS);
    op->left = op->unseen = (u16)l->n;
    return i;
}
