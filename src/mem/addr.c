/* addr.c -- see addr.h */
#include "mem/addr.h"

#include <inttypes.h>

#include "base/text.h"
#include "mem/req.h"

static bool check_bit(const struct mem_conf *c, u32 i, u64 *seen, struct err *e)
{
    const char *word = c->bank_bits.item[i];
    u64 bit;

    if (!text_parse_u64(word, &bit) || bit < log2_u64(LINE) || bit > 40)
        return err_set(e, "mem.bank_bits: %s is not a bit from %u to 40", word, log2_u64(LINE));
    if (*seen >> bit & 1)
        return err_set(e, "mem.bank_bits: %s twice", word);
    *seen |= 1ull << bit;
    return true;
}

static bool check_bank_bits(const struct mem_conf *c, struct err *e)
{
    u64 seen = 0;

    if (c->bank_bits.n > ADDR_BANK_BITS)
        return err_set(e, "mem.bank_bits: %u bits, at most %d", c->bank_bits.n, ADDR_BANK_BITS);
    for (u32 i = 0; i < c->bank_bits.n; i++)
        if (!check_bit(c, i, &seen, e))
            return false;
    if (1ull << c->bank_bits.n < c->slices)
        return err_set(e, "mem.slices: %" PRIu64 ", but mem.bank_bits tell %llu apart", c->slices,
                       1ull << c->bank_bits.n);
    return true;
}

bool addr_conf_check(const struct mem_conf *c, struct err *e)
{
    if (!is_power_of_two(c->interleave))
        return err_set(e, "mem.interleave: %" PRIu64 " is not a power of two", c->interleave);
    if (!is_power_of_two(c->slices))
        return err_set(e, "mem.slices: %" PRIu64 " is not a power of two", c->slices);
    if (c->channel_hash == CHANNEL_XOR && !is_power_of_two(c->channels))
        return err_set(
            e, "mem.channels: %" PRIu64 " is not a power of two, as mem.channel_hash=xor needs",
            c->channels);
    return check_bank_bits(c, e);
}

bool addr_banks_check(const struct mem_conf *c, u64 banks, struct err *e)
{
    if (1ull << c->bank_bits.n == banks)
        return true;
    return err_set(e, "mem.bank_bits: %u bits are %llu banks, but dram.banks is %" PRIu64,
                   c->bank_bits.n, 1ull << c->bank_bits.n, banks);
}

/* Slice bits by place, lowest first, so that each can be taken out or put in after the other. */
static void sort_cuts(struct addr_map *m)
{
    for (u32 i = 0; i < ADDR_SLICE_BITS && i < m->n_slice_bit; i++) {
        u32 at = i;

        for (; at && m->cut[at - 1] > m->bank_bit[i]; at--) {
            m->cut[at] = m->cut[at - 1];
            m->cut_slice[at] = m->cut_slice[at - 1];
        }
        m->cut[at] = m->bank_bit[i];
        m->cut_slice[at] = (u8)i;
    }
}

void addr_init(struct addr_map *m, const struct mem_conf *c)
{
    *m = (struct addr_map){.channels = (u32)c->channels, .slices = (u32)c->slices};
    m->block_shift = log2_u64(c->interleave);
    m->channel_shift = log2_u64(c->channels);
    m->inverse = is_power_of_two(c->channels) ? 0 : domain_inverse(c->channels);
    m->hash = c->channel_hash == CHANNEL_XOR && c->channels > 1;
    m->n_slice_bit = log2_u64(c->slices);
    m->n_bank_bit = c->bank_bits.n;
    m->row_shift = (u32)c->row_shift;
    for (u32 i = 0; i < m->n_bank_bit; i++) {
        u64 bit = 0;

        text_parse_u64(c->bank_bits.item[i], &bit);
        m->bank_bit[i] = (u8)bit;
    }
    sort_cuts(m);
}

static u64 take_out(u64 v, u32 bit)
{
    u64 low = (1ull << bit) - 1;

    return (v & low) | (v >> 1 & ~low);
}

static u64 put_in(u64 v, u32 bit, u64 value)
{
    u64 low = (1ull << bit) - 1;

    return (v & low) | (v & ~low) << 1 | value << bit;
}

u64 addr_local(const struct addr_map *m, u64 addr)
{
    u64 r;

    addr_channel(m, addr, &r);
    for (u32 i = m->n_slice_bit; i-- > 0;)
        r = take_out(r, m->cut[i]);
    return r;
}

static u64 in_channel(const struct addr_map *m, u32 slice, u64 local)
{
    for (u32 i = 0; i < m->n_slice_bit; i++)
        local = put_in(local, m->cut[i], slice >> m->cut_slice[i] & 1);
    return local;
}

u64 addr_global(const struct addr_map *m, u32 node, u64 local)
{
    u32 slice = node & (m->slices - 1), channel = node >> m->n_slice_bit;
    u64 r = in_channel(m, slice, local);
    u64 q = r >> m->block_shift;
    u64 low = channel ^ (m->hash ? addr_fold(m, q) : 0);

    return (q * m->channels + low) << m->block_shift | (r & ((1ull << m->block_shift) - 1));
}

u32 addr_bank(const struct addr_map *m, u32 slice, u64 local)
{
    u64 r = in_channel(m, slice, local);
    u32 bank = 0;

    for (u32 i = 0; i < m->n_bank_bit; i++)
        bank |= (u32)(r >> m->bank_bit[i] & 1) << i;
    return bank;
}

u32 addr_row(const struct addr_map *m, u32 slice, u64 local)
{
    return (u32)(in_channel(m, slice, local) >> m->row_shift);
}
