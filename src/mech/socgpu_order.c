/*
 * socgpu_order.c -- see socgpu.h: accesses of one warp that may touch the same bytes.
 *
 * The thesis says nothing of it.  An access waits until older ones of its warp are issued:
 *
 *     store   a load for stores, a store for loads and stores, of a space that may be the same one
 *     exact   the same, but only until it is known that they touch other bytes: the registers of
 *             both addresses have been computed, which is when those that write them were issued
 *     none    for nothing; who touches bytes before an older access is counted
 *
 * Atomics and volatile accesses keep their place among all accesses, of whatever space and whatever
 * the key says: others may be told by them that what came before has been done.  Lanes of a warp may
 * read what others write, so all lanes are compared with all, but in local memory.
 */
#include "base/text.h"
#include "mech/socgpu.h"

enum { IN_GLOBAL, IN_SHARED, IN_LOCAL, IN_GENERIC, IN_NONE };

static u32 order_space(const struct uop *u)
{
    if (!(u->flags & (UOP_LOAD | UOP_STORE | UOP_ATOM)))
        return IN_NONE;
    switch (u->space) {
    case SP_GLOBAL:
        return IN_GLOBAL;
    case SP_SHARED:
        return IN_SHARED;
    case SP_LOCAL:
        return IN_LOCAL;
    case SP_GENERIC:
        return IN_GENERIC;
    default:
        return IN_NONE; /* constants and parameters: nobody writes them */
    }
}

static u64 aliases(const struct window *w, u32 space)
{
    if (space == IN_GENERIC)
        return w->space[IN_GLOBAL] | w->space[IN_SHARED] | w->space[IN_LOCAL] |
               w->space[IN_GENERIC];
    return w->space[space] | w->space[IN_GENERIC];
}

void order_insert(const struct socgpu *g, struct window *w, u32 e, const struct uop *u)
{
    u64 bit = entry_bit(e), older, must;
    u32 space = order_space(u);
    bool write, strict;

    if (w->access & bit) {
        w->access &= ~bit, w->writes &= ~bit, w->strict &= ~bit, w->unsure &= ~bit;
        for (u32 i = 0; i < N_ALIAS; i++)
            w->space[i] &= ~bit;
    }
    if (space == IN_NONE)
        return;
    w->access |= bit;
    write = u->flags & (UOP_STORE | UOP_ATOM), strict = u->keeps & KEEPS_ORDER;
    older = write ? aliases(w, space) : aliases(w, space) & w->writes;
    older = unissued(w) & (strict ? w->access : older | w->strict);
    must = strict ? older : older & w->strict;
    befores_of(w)[e] |= g->conf.memory_order == ORDER_NONE ? must : older;
    watches_of(w)[e] = older & ~must;
    w->unsure |= g->conf.memory_order == ORDER_EXACT && watches_of(w)[e] ? bit : 0;
    w->space[space] |= bit;
    w->writes |= write ? bit : 0;
    w->strict |= strict ? bit : 0;
}

/* ---- bytes */

static void range(const u64 *addr, u32 mask, u64 *lo, u64 *hi)
{
    u64 least = UINT64_MAX, most = 0;

    for (u32 i = 0; i < LANES; i++) { /* without branches: vector code */
        u64 off = (mask >> i & 1) - (u64)1;

        least = (addr[i] | off) < least ? addr[i] | off : least;
        most = (addr[i] & ~off) > most ? addr[i] & ~off : most;
    }
    *lo = least, *hi = most;
}

struct lanes { /* of one word of a warp */
    const u64 *addr;
    u32 mask, bytes;
};

static bool lane_meets(const struct lanes *a, u32 lane, const struct lanes *b, u32 among)
{
    u64 at = a->addr[lane];

    for (u32 m = b->mask & among; m; m &= m - 1) {
        u64 other = b->addr[__builtin_ctz(m)];

        if (at < other + b->bytes && other < at + a->bytes)
            return true;
    }
    return false;
}

/* 4-byte words that are touched, modulo 256: a first look. */
struct touched {
    u64 bits[4];
};

static struct touched touched_by(const struct lanes *l)
{
    struct touched t = {{0}};

    for (u32 m = l->mask; m; m &= m - 1) {
        u64 at = l->addr[__builtin_ctz(m)], last = (at + l->bytes - 1) / 4;

        for (u64 word = at / 4; word <= last; word++)
            t.bits[word / 64 & 3] |= (u64)1 << (word & 63);
    }
    return t;
}

static bool could_meet(const struct lanes *a, const struct lanes *b)
{
    struct touched x = touched_by(a), y = touched_by(b);

    return (x.bits[0] & y.bits[0]) | (x.bits[1] & y.bits[1]) | (x.bits[2] & y.bits[2]) |
           (x.bits[3] & y.bits[3]);
}

static bool words_meet(const struct lanes *a, const struct lanes *b, bool own)
{
    u64 lo_a, hi_a, lo_b, hi_b;

    range(a->addr, a->mask, &lo_a, &hi_a);
    range(b->addr, b->mask, &lo_b, &hi_b);
    if (!a->mask || !b->mask || hi_a + a->bytes <= lo_b || hi_b + b->bytes <= lo_a)
        return false;
    if (!could_meet(a, b))
        return false;
    for (u32 m = a->mask; m; m &= m - 1) {
        u32 lane = (u32)__builtin_ctz(m);

        if (lane_meets(a, lane, b, own ? 1u << lane : ~0u))
            return true;
    }
    return false;
}

/* ---- exact */

/* Have the registers of its address been computed? */
static bool is_known(const struct front *fe, const struct window *w, u32 p)
{
    const struct inst *in = &fe->x->code[pcs_of(w)[p]];

    for (u64 m = rows_of(w)[p] & ~w->issued; m; m &= m - 1) {
        const struct uop *u = &fe->uop[pcs_of(w)[__builtin_ctzll(m)]];

        for (u32 i = 0; i < u->n_def_row; i++)
            if (u->def[i] == in->src[0] || u->def[i] == in->src[0] + 1)
                return false;
    }
    return true;
}

/* Might accesses at entries e and p touch the same bytes? */
static bool may_meet(struct front *fe, struct warp *warp, const struct window *w, u32 e, u32 p)
{
    const struct uop *ue = &fe->uop[pcs_of(w)[e]], *up = &fe->uop[pcs_of(w)[p]];
    const struct simt *top = &warp->stack[warp->depth - 1];
    u64 a[LANES], b[LANES];
    bool own = ue->space == SP_LOCAL;

    if (ue->space != up->space)
        return true; /* one is generic */
    for (u32 i = 0; i < warp->n_word; i++) {
        exec_where(fe->x, warp, pcs_of(w)[e], i, a);
        for (u32 k = own ? i : 0; k < (own ? i + 1 : warp->n_word); k++) {
            exec_where(fe->x, warp, pcs_of(w)[p], k, b);
            if (words_meet(&(struct lanes){a, top->mask[i], ue->bytes},
                           &(struct lanes){b, top->mask[k], up->bytes}, own))
                return true;
        }
    }
    return false;
}

/* What is found is so for good: registers of addresses are not written before both are issued. */
void order_look(struct front *fe, u32 slot)
{
    struct window *w = window_of(fe, slot);
    struct warp *warp = fe->ctx[slot].w;

    w->unsure &= unissued(w);
    for (u64 m = w->unsure; m; m &= m - 1) {
        u32 e = (u32)__builtin_ctzll(m);

        if (rows_of(w)[e]) /* its own address may not be there */
            continue;
        watches_of(w)[e] &= befores_of(w)[e];
        for (u64 n = watches_of(w)[e]; n; n &= n - 1) {
            u32 p = (u32)__builtin_ctzll(n);

            if (!is_known(fe, w, p))
                continue;
            watches_of(w)[e] &= ~entry_bit(p);
            if (!may_meet(fe, warp, w, e, p))
                befores_of(w)[e] &= ~entry_bit(p);
        }
        if (!watches_of(w)[e])
            w->unsure &= ~entry_bit(e);
        entry_free(w, e, fe->sm->now);
    }
}

/* ---- none */

static bool meets(const struct overtaker *o, struct front *fe, const struct warp *warp,
                  const struct uop *u)
{
    const struct exec_out *out = &fe->x->out;
    bool own = u->space == SP_LOCAL;

    if (o->space != u->space || !(o->write || u->flags & (UOP_STORE | UOP_ATOM)))
        return false;
    for (u32 i = 0; i < warp->n_word; i++)
        for (u32 k = own ? i : 0; k < (own ? i + 1 : warp->n_word); k++)
            if (words_meet(&(struct lanes){o->addr[i], o->mask[i], o->bytes},
                           &(struct lanes){exec_addr(fe->x, warp, k), out->mask[k], u->bytes}, own))
                return true;
    return false;
}

static void forget(struct socgpu *g, u32 i)
{
    g->overtakers.at[i] = g->overtakers.at[--g->overtakers.n];
}

/* Those that are waited for no more, and those that have met somebody, are forgotten. */
static void judge(struct front *fe, u32 slot, u32 e)
{
    struct socgpu *g = socgpu_of(fe);
    const struct uop *u = &fe->uop[pcs_of(window_at(g, slot))[e]];

    for (u32 i = g->overtakers.n; i-- > 0;) {
        struct overtaker *o = &g->overtakers.at[i];

        if (o->slot != slot || !(o->older & entry_bit(e)))
            continue;
        bool met = meets(o, fe, fe->ctx[slot].w, u);

        o->older &= ~entry_bit(e);
        g->st.overtook += met;
        if (met || !o->older)
            forget(g, i);
    }
}

void order_issue(struct front *fe, u32 slot, u32 e)
{
    struct socgpu *g = socgpu_of(fe);
    struct window *w = window_at(g, slot);
    const struct warp *warp = fe->ctx[slot].w;
    const struct uop *u = &fe->uop[pcs_of(w)[e]];

    if (order_space(u) == IN_NONE)
        return;
    for (u64 m = unissued(w) & w->access; m; m &= m - 1)
        watches_of(w)[__builtin_ctzll(m)] &= ~entry_bit(e);
    if (g->overtakers.n)
        judge(fe, slot, e);
    if (!(watches_of(w)[e] & unissued(w)))
        return;
    struct overtaker *o = VEC_ADD(&g->overtakers);

    *o = (struct overtaker){.older = watches_of(w)[e] & unissued(w),
                            .slot = (u16)slot,
                            .write = u->flags & (UOP_STORE | UOP_ATOM),
                            .space = u->space,
                            .bytes = u->bytes};
    for (u32 i = 0; i < warp->n_word; i++) {
        o->mask[i] = fe->x->out.mask[i];
        memcpy(o->addr[i], exec_addr(fe->x, warp, i), sizeof o->addr[i]);
    }
}

void order_drop(struct socgpu *g, u32 slot, u64 entries)
{
    for (u32 i = g->overtakers.n; i-- > 0;) {
        struct overtaker *o = &g->overtakers.at[i];

        if (o->slot != slot)
            continue;
        o->older &= ~entries;
        if (!o->older)
            forget(g, i);
    }
}
