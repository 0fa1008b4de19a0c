/*
 * addr.h -- where an address lies: channel, L2 slice, bank and row.
 *
 *     address        block = address / interleave
 *     channel        block % channels, or the low bits of block XOR higher ones (mem.channel_hash)
 *     r              the address within the channel: what is left when the channel is taken out
 *     bank           the bits mem.bank_bits of r, the first of them lowest
 *     slice          the low bits of the bank
 *     row            r >> mem.row_shift
 *     local          the address within the slice: r without the slice's bits; indexes the L2
 *
 * All of it can be undone: (node, local) gives the address back, so that a tag of the L2 needs no
 * more than `local`.  Node channel * slices + slice is the slice's place on the NoC.
 */
#ifndef MEM_ADDR_H
#define MEM_ADDR_H

#include "base/base.h"
#include "base/err.h"
#include "mem/domain.h"
#include "mem/mem_conf.h"

enum { ADDR_BANK_BITS = 6, ADDR_SLICE_BITS = 3 };
enum channel_hash { CHANNEL_MOD, CHANNEL_XOR };

struct addr_map {
    u64 inverse;     /* 2^64 / channels, rounded up; 0: channels is a power of two */
    u32 block_shift; /* of the interleave */
    u32 channels, channel_shift;
    u32 slices, n_slice_bit;
    bool hash;
    u8 cut[ADDR_SLICE_BITS];       /* places in r of the slice's bits, lowest first */
    u8 cut_slice[ADDR_SLICE_BITS]; /* which bit of the slice number each of them is */
    u32 n_bank_bit;
    u8 bank_bit[ADDR_BANK_BITS];
    u32 row_shift;
};

/* What mem_conf_check asks about these keys. */
bool addr_conf_check(const struct mem_conf *c, struct err *e);

/* mem.bank_bits and dram.banks are set apart: "mem.bank_bits: .." if they do not agree. */
bool addr_banks_check(const struct mem_conf *c, u64 banks, struct err *e);

void addr_init(struct addr_map *m, const struct mem_conf *c); /* of keys that were checked */

/* MODEL: four groups of bits above the block are folded in; real hashes are not published. */
static inline u32 addr_fold(const struct addr_map *m, u64 q)
{
    u32 k = m->channel_shift;

    return (u32)(q ^ q >> k ^ q >> 2 * k ^ q >> 3 * k) & (m->channels - 1);
}

/* The channel, and in *r the address within it. */
static inline u32 addr_channel(const struct addr_map *m, u64 addr, u64 *r)
{
    u64 block = addr >> m->block_shift, q;
    u32 c;

    if (m->inverse) {
        q = domain_divide(block, m->inverse);
        c = (u32)(block - q * m->channels);
    } else {
        q = block >> m->channel_shift;
        c = (u32)block & (m->channels - 1);
        c ^= m->hash ? addr_fold(m, q) : 0;
    }
    *r = q << m->block_shift | (addr & ((1ull << m->block_shift) - 1));
    return c;
}

static inline u32 addr_slice(const struct addr_map *m, u64 r)
{
    u32 s = 0;

    for (u32 i = 0; i < m->n_slice_bit; i++)
        s |= (u32)(r >> m->bank_bit[i] & 1) << i;
    return s;
}

/* Where on the NoC requests for this address go. */
static inline u32 addr_node(const struct addr_map *m, u64 addr)
{
    u64 r;
    u32 c = addr_channel(m, addr, &r);

    return c * m->slices + addr_slice(m, r);
}

u64 addr_local(const struct addr_map *m, u64 addr);
u64 addr_global(const struct addr_map *m, u32 node, u64 local); /* the way back */

/* Within the channel of the slice. */
u32 addr_bank(const struct addr_map *m, u32 slice, u64 local);
u32 addr_row(const struct addr_map *m, u32 slice, u64 local);

#endif
