/*
 * liveness.c -- which registers are needed later, as bit sets per block.
 *
 * Most registers live and die within one block.  Only those that some block reads
 * before it writes them can be live between blocks; they alone get a bit.
 */
#include <string.h>

#include "base/text.h"
#include "ptx/lower/lower_int.h"

struct live {
    u32 n_bit, n_word;
    u32 *bit; /* of each register, IR_NONE: never live between blocks */
    u32 *reg; /* of each bit */
    u64 *in, *out;
};

static void set_bit(u64 *set, u32 bit)
{
    set[bit / 64] |= 1ull << bit % 64;
}

static bool get_bit(const u64 *set, u32 bit)
{
    return set[bit / 64] >> bit % 64 & 1;
}

/* Gives r a bit if block b reads it before a write; written[r] is the last block that wrote r. */
static void find_exposed(struct live *l, const struct ir_func *f, u32 b, u32 *written)
{
    const struct ir_inst *in = &f->inst[f->block[b].first];
    u32 reg[IR_MAX_OPND];

    for (u32 i = 0; i < f->block[b].n; i++, in++) {
        for (u32 n = ir_uses(f, in, reg); n-- > 0;)
            if (written[reg[n]] != b && l->bit[reg[n]] == IR_NONE) {
                l->bit[reg[n]] = l->n_bit;
                l->reg[l->n_bit++] = reg[n];
            }
        for (u32 n = ir_defs(f, in, reg); n-- > 0;)
            written[reg[n]] = b;
    }
}

/* gen: read before written; kill: written.  A guarded write is a read too, so it kills nothing. */
static void find_gen_kill(const struct live *l, const struct ir_func *f, u32 b, u64 *gen, u64 *kill)
{
    u32 reg[IR_MAX_OPND];

    for (u32 i = f->block[b].first + f->block[b].n; i-- > f->block[b].first;) {
        const struct ir_inst *in = &f->inst[i];

        for (u32 n = ir_defs(f, in, reg); n-- > 0;)
            if (l->bit[reg[n]] != IR_NONE) {
                u32 bit = l->bit[reg[n]];
                set_bit(kill, bit);
                gen[bit / 64] &= ~(1ull << bit % 64);
            }
        for (u32 n = ir_uses(f, in, reg); n-- > 0;)
            if (l->bit[reg[n]] != IR_NONE)
                set_bit(gen, l->bit[reg[n]]);
    }
}

/* One step of the data flow; true if the live-in set of b grew. */
static bool flow_block(struct live *l, const struct ir_func *f, u32 b, const u64 *gen,
                       const u64 *kill)
{
    u64 *in = &l->in[(size_t)b * l->n_word], *out = &l->out[(size_t)b * l->n_word];
    u64 grown = 0;

    for (u32 i = 0; i < f->block[b].n_succ; i++)
        for (u32 w = 0; w < l->n_word; w++)
            out[w] |= l->in[(size_t)f->block[b].succ[i] * l->n_word + w];
    for (u32 w = 0; w < l->n_word; w++) {
        u64 now = gen[w] | (out[w] & ~kill[w]);
        grown |= now ^ in[w];
        in[w] = now;
    }
    return grown;
}

static void solve(struct live *l, const struct ir_func *f)
{
    size_t n = (size_t)f->n_block * l->n_word;
    u64 *gen = xcalloc(n, sizeof(u64)), *kill = xcalloc(n, sizeof(u64));
    bool changed = true;

    for (u32 b = 0; b < f->n_block; b++)
        find_gen_kill(l, f, b, &gen[(size_t)b * l->n_word], &kill[(size_t)b * l->n_word]);
    while (changed) {
        changed = false;
        for (u32 b = f->n_block; b-- > 0;)
            changed |=
                flow_block(l, f, b, &gen[(size_t)b * l->n_word], &kill[(size_t)b * l->n_word]);
    }
    free(gen);
    free(kill);
}

struct live *live_new(const struct ir_func *f)
{
    struct live *l = xcalloc(1, sizeof(*l));
    u32 *written = xmalloc((f->n_reg + 1) * sizeof(u32));

    l->bit = xmalloc((f->n_reg + 1) * sizeof(u32));
    l->reg = xmalloc((f->n_reg + 1) * sizeof(u32));
    memset(l->bit, 0xff, f->n_reg * sizeof(u32));
    memset(written, 0xff, f->n_reg * sizeof(u32));
    for (u32 b = 0; b < f->n_block; b++)
        find_exposed(l, f, b, written);
    free(written);
    l->n_word = (l->n_bit + 63) / 64;
    l->in = xcalloc((size_t)f->n_block * l->n_word, sizeof(u64));
    l->out = xcalloc((size_t)f->n_block * l->n_word, sizeof(u64));
    solve(l, f);
    return l;
}

void live_free(struct live *l)
{
    if (!l)
        return;
    free(l->bit);
    free(l->reg);
    free(l->in);
    free(l->out);
    free(l);
}

bool live_at_end(const struct live *l, u32 block, u32 reg)
{
    return l->bit[reg] != IR_NONE && get_bit(&l->out[(size_t)block * l->n_word], l->bit[reg]);
}

u32 live_list(const struct live *l, u32 block, bool at_end, u32 *reg)
{
    const u64 *set = &(at_end ? l->out : l->in)[(size_t)block * l->n_word];
    u32 n = 0;

    for (u32 w = 0; w < l->n_word; w++)
        for (u64 bits = set[w]; bits; bits &= bits - 1)
            reg[n++] = l->reg[64 * w + (u32)__builtin_ctzll(bits)];
    return n;
}

u32 live_max_list(const struct live *l)
{
    return l->n_bit;
}

/* Counts one block backwards; is_live is all false before and after. */
static void count_block(const struct live *l, const struct ir_func *f, u32 b, bool *is_live,
                        u32 *list, u32 *n32)
{
    u32 reg[IR_MAX_OPND], rows = 0, n_out = live_list(l, b, true, list);

    for (u32 i = 0; i < n_out; i++) {
        is_live[list[i]] = true;
        rows += lower_rows(f, list[i]);
    }
    for (u32 i = f->block[b].first + f->block[b].n; i-- > f->block[b].first;) {
        n32[i] = rows;
        for (u32 n = ir_defs(f, &f->inst[i], reg); n-- > 0;)
            if (is_live[reg[n]]) {
                is_live[reg[n]] = false;
                rows -= lower_rows(f, reg[n]);
            }
        for (u32 n = ir_uses(f, &f->inst[i], reg); n-- > 0;)
            if (!is_live[reg[n]]) {
                is_live[reg[n]] = true;
                rows += lower_rows(f, reg[n]);
            }
    }
    u32 n_in = live_list(l, b, false, list);
    for (u32 i = 0; i < n_in; i++)
        is_live[list[i]] = false;
}

void live_count(const struct live *l, const struct ir_func *f, u32 *n32)
{
    bool *is_live = xcalloc(f->n_reg + 1, sizeof(bool));
    u32 *list = xmalloc((l->n_bit + 1) * sizeof(u32));

    for (u32 b = 0; b < f->n_block; b++)
        count_block(l, f, b, is_live, list, n32);
    free(is_live);
    free(list);
}
