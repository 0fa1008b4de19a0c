/*
 * partition_kit.h -- one memory partition between two subnets that are only their ports.
 *
 * What kit_send gives arrives at its node in the cycle that is asked for; what the partition sends
 * is kept in kit.reply_at and kit.log.  One channel of two slices unless a test says otherwise.
 */
#ifndef TESTS_PARTITION_KIT_H
#define TESTS_PARTITION_KIT_H

#include "mem/partition.h"

#include <string.h>

enum { KIT_REQS = 8192, KIT_NODES = 64 };

struct kit_reply {
    u64 at;
    u32 req, sector, flits;
};

static struct kit {
    struct mem_conf mem;
    struct cache_conf l2;
    struct dram_conf dram;
    struct noc_conf noc;
    struct addr_map map;
    struct req_pools pools;
    struct noc request, reply;
    struct noc_in in[KIT_NODES];
    struct noc_out out[KIT_NODES];
    struct partition_env env;
    struct partition *p;
    u64 now;
    u64 reply_at[KIT_REQS][LINE_SECTORS]; /* 0: none */
    struct kit_reply log[KIT_REQS * LINE_SECTORS];
    u32 n_log, n_sent;
    u32 n_atomic;
    u32 credit; /* flits that the reply subnet takes from each node, in all */
} kit;

static void kit_atomic(void *arg, u32 req, u32 sector)
{
    (void)arg, (void)req, (void)sector;
    kit.n_atomic++;
}

/* Keys as a GTX 480 has them but one channel, and all clocks alike. */
static int kit_defaults(void **state)
{
    (void)state;
    memset(&kit, 0, sizeof kit);
    sheet_defaults(&mem_sheet, &kit.mem);
    sheet_defaults(&l2_sheet, &kit.l2);
    sheet_defaults(&dram_sheet, &kit.dram);
    kit.noc = (struct noc_conf){.flit_bytes = 40, .header_bytes = 8, .inject_flits = 9};
    kit.mem.channels = 1;
    kit.l2.sets = 64, kit.l2.ways = 8, kit.l2.sector = 32;
    kit.l2.write = WRITE_BACK, kit.l2.write_miss = WRITE_LAZY;
    kit.l2.mshrs = 256, kit.l2.merges = 4, kit.l2.miss_queue = 4;
    kit.env.core_mhz = kit.env.l2_mhz = kit.env.dram_mhz = 700;
    kit.credit = 1u << 30;
    return 0;
}

static void kit_ports(void)
{
    u32 n = (u32)(kit.mem.channels * kit.mem.slices);

    kit.request = (struct noc){.n_out = n, .out = kit.out, .conf = &kit.noc};
    kit.reply = (struct noc){.n_in = n, .in = kit.in, .conf = &kit.noc};
    kit.reply.inject_flits = (u32)kit.noc.inject_flits;
    for (u32 i = 0; i < n; i++) {
        ring_init(&kit.out[i].arrived, KIT_REQS);
        ring_init(&kit.in[i].sent, KIT_REQS);
        kit.in[i].credit = kit.credit;
    }
}

static void kit_start(void)
{
    kit_ports();
    addr_init(&kit.map, &kit.mem);
    req_pools_init(&kit.pools, 1);
    req_pool_reserve(&kit.pools.pool[0], KIT_REQS);
    kit.env.mem = &kit.mem, kit.env.l2 = &kit.l2, kit.env.dram = &kit.dram;
    kit.env.noc = &kit.noc, kit.env.map = &kit.map, kit.env.pools = &kit.pools;
    kit.env.request = &kit.request, kit.env.reply = &kit.reply;
    kit.env.atomic = kit_atomic;
    kit.p = partition_new(&kit.env, 0);
}

static void kit_stop(void)
{
    partition_free(kit.p);
    req_pools_free(&kit.pools);
    for (u32 i = 0; i < KIT_NODES; i++) {
        ring_free(&kit.out[i].arrived);
        ring_free(&kit.in[i].sent);
    }
    kit.p = NULL;
}

static int kit_drop(void **state)
{
    (void)state;
    if (kit.p)
        kit_stop();
    sheet_free(&mem_sheet, &kit.mem);
    sheet_free(&dram_sheet, &kit.dram);
    return 0;
}

/* A request for some sectors of the line at addr, at its slice in cycle `at`.  Returns its number. */
static u32 kit_send(u64 at, enum req_kind kind, u64 addr, u8 sectors, u8 full)
{
    u32 number = req_alloc(&kit.pools.pool[0]);
    struct req *r = req_get(&kit.pools, number);
    u32 node = addr_node(&kit.map, addr);

    assert_true(number < KIT_REQS && node < kit.request.n_out);
    *r = (struct req){.addr = addr, .kind = (u8)kind, .sectors = sectors, .full = full};
    ring_push(&kit.out[node].arrived, ((struct packet){.at = at, .req = number, .flits = 1}));
    kit.n_sent += kit.mem.l2_requests ? 1 : (u32)__builtin_popcount(sectors);
    return number;
}

static u32 kit_read(u64 at, u64 addr)
{
    return kit_send(at, REQ_READ, addr, (u8)(1u << (addr >> 5 & 3)), 0);
}

static void kit_drain(void)
{
    for (u32 i = 0; i < kit.reply.n_in; i++) {
        for (; kit.in[i].sent.n; ring_pop(&kit.in[i].sent)) {
            struct packet p = ring_head(&kit.in[i].sent);

            assert_int_equal(kit.reply_at[p.req][p.sector], 0);
            assert_true(req_get(&kit.pools, p.req)->sectors >> p.sector & 1);
            kit.reply_at[p.req][p.sector] = p.at;
            kit.log[kit.n_log++] = (struct kit_reply){p.at, p.req, p.sector, p.flits};
        }
    }
}

/* In windows of `window` cycles, up to cycle `to`. */
static void kit_run(u64 to, u64 window, bool no_skip)
{
    while (kit.now < to) {
        u64 end = kit.now + window < to ? kit.now + window : to;

        partition_run(kit.p, kit.now, end, no_skip);
        kit_drain();
        kit.now = end;
    }
}

static struct l2_count kit_l2(void)
{
    struct l2_count l2 = {0};
    struct dram_stat dram = {0};

    partition_count(kit.p, &l2, &dram);
    return l2;
}

static struct dram_stat kit_dram(void)
{
    struct l2_count l2 = {0};
    struct dram_stat dram = {0};

    partition_count(kit.p, &l2, &dram);
    return dram;
}

#endif
