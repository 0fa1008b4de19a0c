/*
 * lower_held.c -- what lanes hold that wait while others run (why it matters: lower_alloc.h).
 *
 * When the lanes of a warp part at a branch, those on one side run while the others are
 * somewhere on the other side, or wait where the sides meet.  So in each block of one side,
 * all is held that is live anywhere on the other side or on entry to the meeting point.
 *
 * Every branch is taken for one that lanes part at, and lanes that wait may be anywhere on
 * their side, not only at its start: then it does not matter who runs first, or for how long.
 */
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_alloc.h"

enum { MAX_WORK = 100 * 1000 * 1000 }; /* words; beyond, everything may be held everywhere */

struct holder {
    const struct ir_func *f;
    const struct ranges *r;
    u32 n_bit, *reg; /* registers that are live somewhere; each has a bit in the sets below */
    u32 n_word;
    u64 *touched;       /* per block: registers live anywhere in it */
    u64 *held;          /* per block */
    u64 *side[2];       /* registers live anywhere on a side of the branch at hand */
    u32 *list[2], n[2]; /* its blocks */
    u32 *seen;          /* stamp of the last side that holds the block */
    u32 stamp;
    u64 work;
};

static u64 *set_of_block(u64 *sets, const struct holder *h, u32 block)
{
    return sets + (size_t)block * h->n_word;
}

static void set_add(u64 *set, u32 bit)
{
    set[bit / 64] |= 1ull << bit % 64;
}

static void unite(struct holder *h, u64 *to, const u64 *from)
{
    for (u32 w = 0; w < h->n_word; w++)
        to[w] |= from[w];
    h->work += h->n_word;
}

static void find_live(struct holder *h)
{
    h->reg = xmalloc((h->r->n_reg + 1) * sizeof(u32));
    for (u32 reg = 0; reg < h->r->n_reg; reg++)
        if (lower_rows(h->f, reg) && h->r->of[reg].n)
            h->reg[h->n_bit++] = reg;
    h->n_word = (h->n_bit + 63) / 64;
}

static u32 *blocks_of_insts(const struct ir_func *f)
{
    u32 *block = xmalloc((f->n_inst + 1) * sizeof(u32));

    for (u32 b = 0; b < f->n_block; b++)
        for (u32 i = 0; i < f->block[b].n; i++)
            block[f->block[b].first + i] = b;
    return block;
}

static void find_touched(struct holder *h)
{
    u32 *block = blocks_of_insts(h->f);

    for (u32 bit = 0; bit < h->n_bit; bit++) {
        const struct interval *v = &h->r->of[h->reg[bit]];

        for (u32 i = 0; i < v->n; i++)
            for (u32 b = block[v->at[i].from / 2]; b <= block[(v->at[i].to - 1) / 2]; b++)
                set_add(set_of_block(h->touched, h, b), bit);
    }
    free(block);
}

static void add_live_in(struct holder *h, u64 *set, u32 b)
{
    struct range entry = {2 * h->f->block[b].first, 2 * h->f->block[b].first + 1};
    struct interval at = {1, false, &entry};
    u64 *touched = set_of_block(h->touched, h, b);

    for (u32 w = 0; w < h->n_word; w++)
        for (u64 bits = touched[w]; bits; bits &= bits - 1) {
            u32 bit = 64 * w + (u32)__builtin_ctzll(bits);
            if (ranges_meet(&h->r->of[h->reg[bit]], &at))
                set_add(set, bit);
        }
    h->work += h->n_word;
}

/* Adds the blocks that s leads to before `meet` to side k. */
static void walk_side(struct holder *h, u32 k, u32 s, u32 meet)
{
    u32 *list = h->list[k];

    if (s == meet || h->seen[s] == h->stamp)
        return;
    h->seen[s] = h->stamp;
    list[h->n[k]++] = s;
    for (u32 i = h->n[k] - 1; i < h->n[k]; i++) {
        const struct ir_block *b = &h->f->block[list[i]];

        unite(h, h->side[k], set_of_block(h->touched, h, list[i]));
        for (u32 e = 0; e < b->n_succ; e++)
            if (b->succ[e] != meet && h->seen[b->succ[e]] != h->stamp) {
                h->seen[b->succ[e]] = h->stamp;
                list[h->n[k]++] = b->succ[e];
            }
    }
}

static bool is_table_branch(const struct ir_func *f, u32 b)
{
    return f->inst[f->block[b].first + f->block[b].n - 1].op == OP_brx;
}

/*
 * Side 0 is the first successor, side 1 the others.  A table branch may part lanes that go to the
 * same block, so each of its sides is another one to itself.
 */
static void part_at(struct holder *h, u32 b)
{
    const struct ir_block *k = &h->f->block[b];

    for (u32 side = 0; side < 2; side++) {
        h->n[side] = 0;
        memset(h->side[side], 0, h->n_word * sizeof(u64));
        h->stamp++;
        for (u32 i = side; i < (side ? k->n_succ : 1); i++)
            walk_side(h, side, k->succ[i], k->ipdom);
    }
    if (is_table_branch(h->f, b)) {
        unite(h, h->side[0], h->side[1]);
        unite(h, h->side[1], h->side[0]);
    }
    for (u32 side = 0; side < 2; side++) {
        if (k->ipdom != IR_NONE)
            add_live_in(h, h->side[!side], k->ipdom);
        for (u32 i = 0; i < h->n[side]; i++)
            unite(h, set_of_block(h->held, h, h->list[side][i]), h->side[!side]);
    }
}

/* The sets of blocks as ranges of registers. */
static void make_ranges(struct holder *h, struct ranges *r)
{
    u32 n = 0, *count = xcalloc(r->n_reg + 1, sizeof(u32));

    for (u32 pass = 0; pass < 2; pass++) {
        for (u32 b = 0; b < h->f->n_block; b++)
            for (u32 w = 0; w < h->n_word; w++)
                for (u64 bits = set_of_block(h->held, h, b)[w]; bits; bits &= bits - 1) {
                    u32 reg = h->reg[64 * w + (u32)__builtin_ctzll(bits)];
                    u32 first = h->f->block[b].first;

                    if (pass)
                        ranges_append(&r->held[reg],
                                      (struct range){2 * first, 2 * (first + h->f->block[b].n)});
                    else
                        count[reg]++;
                }
        for (u32 reg = 0; !pass && reg < r->n_reg; reg++)
            n += count[reg];
        r->held_store = pass ? r->held_store : xmalloc((n + 1) * sizeof(struct range));
        for (u32 reg = 0, at = 0; !pass && reg < r->n_reg; at += count[reg++])
            r->held[reg].at = &r->held_store[at];
    }
    free(count);
}

/* Everything may be held everywhere. */
static void hold_everything(struct ranges *r, const struct ir_func *f)
{
    r->held_store = xmalloc((r->n_reg + 1) * sizeof(struct range));
    for (u32 reg = 0; reg < r->n_reg; reg++)
        if (lower_rows(f, reg)) {
            r->held[reg].at = &r->held_store[reg];
            ranges_append(&r->held[reg], (struct range){0, 2 * f->n_inst});
        }
}

void ranges_find_held(struct ranges *r, const struct ir_func *f)
{
    struct holder h = {.f = f, .r = r};

    find_live(&h);
    size_t words = (size_t)f->n_block * h.n_word;
    h.touched = xcalloc(words, sizeof(u64));
    h.held = xcalloc(words, sizeof(u64));
    h.seen = xcalloc(f->n_block, sizeof(u32));
    for (u32 i = 0; i < 2; i++) {
        h.side[i] = xmalloc(h.n_word * sizeof(u64));
        h.list[i] = xmalloc(f->n_block * sizeof(u32));
    }
    find_touched(&h);
    for (u32 b = 0; b < f->n_block && h.work < MAX_WORK; b++)
        if (f->block[b].n_succ > 1 || is_table_branch(f, b))
            part_at(&h, b);
    if (h.work >= MAX_WORK)
        hold_everything(r, f);
    else
        make_ranges(&h, r);
    free(h.reg);
    free(h.touched);
    free(h.held);
    free(h.seen);
    for (u32 i = 0; i < 2; i++) {
        free(h.side[i]);
        free(h.list[i]);
    }
}
