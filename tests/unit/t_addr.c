/* t_addr.c -- where addresses lie, and the way back. */
#include "base/rng.h"
#include "mem/addr.h"
#include "tests/test_main.h"

static struct mem_conf conf;
static struct addr_map map;
static struct err e;

static int defaults(void **state)
{
    (void)state;
    sheet_defaults(&mem_sheet, &conf);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    sheet_free(&mem_sheet, &conf);
    return 0;
}

static void set(const char *key, const char *value)
{
    assert_true(sheet_set(&mem_sheet, &conf, key, value, &e));
}

/* The address that lies at `local` of this node: slice bits back in, then the channel's. */
static u64 way_back(u32 node, u64 local)
{
    u32 slice = node % map.slices, channel = node / map.slices;

    for (u32 i = 0; i < map.n_slice_bit; i++) {
        u64 low = local & ((1ull << map.cut[i]) - 1);

        local = low | (local - low) << 1 | (u64)(slice >> map.cut_slice[i] & 1) << map.cut[i];
    }
    u64 q = local >> map.block_shift, in_block = local - (q << map.block_shift);

    return (q * map.channels + (channel ^ (map.hash ? addr_fold(&map, q) : 0))) << map.block_shift |
           in_block;
}

static void expect(u64 addr, u32 node, u64 local, u32 bank, u32 row)
{
    assert_int_equal(addr_node(&map, addr), node);
    assert_int_equal(addr_local(&map, addr), local);
    assert_int_equal(addr_bank(&map, node % (u32)conf.slices, local), bank);
    assert_int_equal(addr_row(&map, node % (u32)conf.slices, local), row);
    assert_int_equal(way_back(node, local), addr);
}

/* 0xC0000000 / 256 = 6 * 0x200000, so channel 0 and r = 0x20000000: row 0x2000.  Blocks of 256
   bytes go over the 6 channels; block 6 is r + 0x100, which is slice 1 and bank 1 of channel 0. */
static void gtx480_maps_as_gpgpusim(void **state)
{
    (void)state;
    addr_init(&map, &conf);
    expect(0xC0000000, 0, 0x10000000, 0, 0x2000);
    expect(0xC00000E0, 0, 0x100000E0, 0, 0x2000);
    expect(0xC0000100, 2, 0x10000000, 0, 0x2000);
    expect(0xC0000500, 10, 0x10000000, 0, 0x2000);
    expect(0xC0000600, 1, 0x10000000, 1, 0x2000);
    expect(0xC0000C00, 0, 0x10000100, 0, 0x2000);
    expect(0xC0000000 + 6 * 0x2000, 0, 0x10001000, 2, 0x2000);
    expect(0xC0000000 + 6 * 0x10000, 0, 0x10008000, 0, 0x2001);
}

static void check_all_ways_back(void)
{
    struct rng rng = rng_make(conf.channels * 16 + conf.slices);
    u32 seen[512] = {0}, nodes = (u32)(conf.channels * conf.slices);

    assert_true(mem_conf_check(&conf, &e));
    addr_init(&map, &conf);
    for (u32 i = 0; i < 20000; i++) {
        u64 addr = rng_u64(&rng) >> (24 + i % 24);
        u32 node = addr_node(&map, addr);

        assert_in_range(node, 0, nodes - 1);
        assert_int_equal(way_back(node, addr_local(&map, addr)), addr);
        seen[node]++;
    }
    for (u32 n = 0; n < nodes; n++)
        assert_true(seen[n] > 20000 / nodes / 2);
}

static void any_number_of_channels_maps_and_inverts(void **state)
{
    (void)state;
    static const char *const channels[] = {"1", "3", "4", "5", "6", "11", "12"};
    static const char *const slices[] = {"1", "2", "4", "8"};

    for (u32 c = 0; c < LEN(channels); c++) {
        for (u32 s = 0; s < LEN(slices); s++) {
            set("channels", channels[c]);
            set("slices", slices[s]);
            check_all_ways_back();
        }
    }
}

static void bank_bits_may_stand_in_any_order(void **state)
{
    (void)state;
    set("bank_bits", "14,9,12,7");
    set("slices", "8");
    check_all_ways_back();
    /*
     * r = 0x4200: bits 14 and 9 set, that is bank 3 and slice 3; without 14, 12 and 9 nothing is
     * left.
     */
    set("channels", "1");
    addr_init(&map, &conf);
    expect(0x4200, 3, 0, 3, 0);
}

/* Blocks that are 4 channels apart would all be on one channel; the fold spreads them. */
static void xor_spreads_strides_and_inverts(void **state)
{
    (void)state;
    set("channels", "4");
    set("channel_hash", "xor");
    check_all_ways_back();
    u32 seen = 0;
    for (u64 i = 0; i < 4; i++)
        seen |= 1u << addr_node(&map, i * 4 * 256) / 2;
    assert_int_equal(seen, 15);
}

static void refuse(const char *key, const char *value, const char *why)
{
    set(key, value);
    assert_false(mem_conf_check(&conf, &e));
    assert_string_equal(e.msg, why);
    sheet_free(&mem_sheet, &conf);
    sheet_defaults(&mem_sheet, &conf);
}

static void keys_that_make_no_map_are_refused(void **state)
{
    (void)state;
    refuse("slices", "3", "mem.slices: 3 is not a power of two");
    refuse("interleave", "384", "mem.interleave: 384 is not a power of two");
    refuse("channel_hash", "xor",
           "mem.channels: 6 is not a power of two, as mem.channel_hash=xor needs");
    refuse("bank_bits", "8,6", "mem.bank_bits: 6 is not a bit from 7 to 40");
    refuse("bank_bits", "8,x", "mem.bank_bits: x is not a bit from 7 to 40");
    refuse("bank_bits", "8,9,8", "mem.bank_bits: 8 twice");
    refuse("bank_bits", "7,8,9,10,11,12,13", "mem.bank_bits: 7 bits, at most 6");
    refuse("bank_bits", "", "mem.slices: 2, but mem.bank_bits tell 1 apart");
    assert_true(addr_banks_check(&conf, 16, &e));
    assert_false(addr_banks_check(&conf, 8, &e));
    assert_string_equal(e.msg, "mem.bank_bits: 4 bits are 16 banks, but dram.banks is 8");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, defaults, drop)

static const struct CMUnitTest tests[] = {
    CASE(gtx480_maps_as_gpgpusim),           CASE(any_number_of_channels_maps_and_inverts),
    CASE(bank_bits_may_stand_in_any_order),  CASE(xor_spreads_strides_and_inverts),
    CASE(keys_that_make_no_map_are_refused),
};

TEST_MAIN(tests)
