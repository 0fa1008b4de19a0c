/*
 * t_partition.c -- a partition under random requests: nothing is lost, and neither sleeping nor
 * the length of the windows changes a number.
 */
#include "base/rng.h"
#include "tests/test_main.h"
#include "tests/unit/partition_kit.h"

enum { N = 3000, END = 120000 };

struct outcome {
    struct l2_count l2;
    struct dram_stat dram;
    struct hist latency;
    u64 reply_at[KIT_REQS][LINE_SECTORS];
    u32 n_atomic;
};

static struct outcome got[2];

/* Bursts of requests with pauses, few enough lines that all kinds of conflicts come about. */
static void send_stream(u64 seed)
{
    struct rng rng = rng_make(seed);
    u64 at = 0, lines = seed & 1 ? 200 : 5000;

    for (u32 i = 0; i < N; i++) {
        u64 x = rng_u64(&rng), line = 0x100000 + rng_below(&rng, (u32)lines) * 128;
        static const u8 kinds[] = {REQ_READ,  REQ_READ, REQ_READ, REQ_WRITE,
                                   REQ_WRITE, REQ_ATOM, REQ_INST, REQ_CONST};
        u8 kind = kinds[x & 7], sectors = kind == REQ_ATOM ? 1 : (u8)((x >> 3) % 15 + 1);

        at += (x >> 20 & 15) == 0 ? x >> 24 & 255 : (x >> 32 & 7) < 3;
        kit_send(at, kind, line, sectors, (u8)(x >> 40));
    }
}

static void play(u64 seed, u64 window, bool no_skip, struct outcome *o)
{
    kit_start();
    kit.now = 0, kit.n_log = kit.n_sent = kit.n_atomic = 0;
    memset(kit.reply_at, 0, sizeof kit.reply_at);
    for (u64 a = 0; a < 0x8000; a += SECTOR)
        partition_warm(kit.p, 0x100000 + a);
    send_stream(seed);
    kit_run(END, window, no_skip);
    assert_int_equal(kit.n_log, kit.n_sent);
    assert_false(partition_is_busy(kit.p));
    assert_true(partition_next(kit.p, END) == UINT64_MAX);
    *o = (struct outcome){.l2 = kit_l2(), .dram = kit_dram(), .latency = *partition_latency(kit.p)};
    memcpy(o->reply_at, kit.reply_at, sizeof o->reply_at);
    o->n_atomic = kit.n_atomic;
    kit_stop();
}

static void same(u64 seed, u64 window)
{
    play(seed, 5, true, &got[0]);
    play(seed, window, false, &got[1]);
    assert_memory_equal(&got[0].l2, &got[1].l2, sizeof got[0].l2);
    assert_memory_equal(&got[0].dram, &got[1].dram, sizeof got[0].dram);
    assert_memory_equal(&got[0].latency, &got[1].latency, sizeof got[0].latency);
    assert_memory_equal(got[0].reply_at, got[1].reply_at, sizeof got[0].reply_at);
    assert_int_equal(got[0].n_atomic, got[1].n_atomic);
}

static void sleeping_changes_nothing(void **state)
{
    (void)state;
    kit.env.dram_mhz = 924;
    for (u64 seed = 0; seed < 8; seed++)
        same(seed, 5);
}

static void windows_change_nothing(void **state)
{
    (void)state;
    kit.env.dram_mhz = 924;
    same(100, 1), same(101, 7), same(102, END);
}

static void sleeping_changes_nothing_at_other_clocks(void **state)
{
    (void)state;
    static const u64 mhz[][2] = {{350, 924}, {1401, 650}, {333, 200}, {700, 2500}};

    for (u32 i = 0; i < LEN(mhz); i++) {
        kit.env.l2_mhz = mhz[i][0], kit.env.dram_mhz = mhz[i][1];
        same(200 + i, 5);
    }
}

/* Every queue as short as it may be. */
static void shortest_queues(void)
{
    kit.mem.l2_in = 4, kit.mem.l2_out = kit.mem.l2_dram = kit.mem.dram_l2 = 1;
    kit.l2.sets = 2, kit.l2.ways = 2, kit.l2.mshrs = 3, kit.l2.merges = 2;
    kit.l2.miss_queue = 1;
    kit.dram.queue = kit.dram.return_queue = 1;
    kit.dram.t_refi = 500, kit.dram.t_rfc = 50;
    kit.noc.inject_flits = 1;
    kit.mem.rop_latency = kit.mem.dram_latency = 0;
    kit.env.dram_mhz = 924;
}

static void short_queues_lose_nothing(void **state)
{
    struct err e;

    (void)state;
    shortest_queues();
    same(300, 5), same(301, 5);
    kit.l2.write_miss = WRITE_ALLOCATE;
    same(302, 5), same(303, 5);
    kit.l2.sector = 0;
    kit.mem.slices = 8;
    same(304, 5);
    assert_true(sheet_set(&dram_sheet, &kit.dram, "scheduler", "fcfs", &e));
    kit.l2.write_miss = WRITE_AROUND;
    same(305, 5);
}

/* As GPGPU-Sim 3.2.1 has it: whole requests, stores that go on and fetch, no credits. */
static void whole_requests_lose_nothing(void **state)
{
    (void)state;
    kit.mem.l2_requests = 1, kit.mem.dram_credits = 0;
    kit.l2.sector = 0, kit.l2.write_miss = WRITE_BOTH;
    kit.env.dram_mhz = 924;
    same(310, 5), same(311, END);
    shortest_queues();
    same(312, 5), same(313, 3);
    kit.mem.dram_latency = 30;
    same(314, 5);
}

/* Each sector that was looked up missed once, was merged or hit; each fetch is one column read. */
static void counters_agree(void **state)
{
    (void)state;
    play(400, 5, false, &got[0]);
    const struct l2_count *l2 = &got[0].l2;
    const struct dram_stat *d = &got[0].dram;

    assert_int_equal(l2->cache.access, kit.n_sent);
    assert_int_equal(l2->slice.read + l2->slice.write + l2->slice.atomic + l2->slice.inst +
                         l2->slice.constant,
                     kit.n_sent);
    assert_int_equal(d->read, d->fetch);
    assert_int_equal(d->write, d->write_back);
    assert_int_equal(d->request, d->row_hit + d->row_miss);
    assert_int_equal(d->busy_cycles, 2 * (d->read + d->write));
    assert_int_equal(got[0].latency.n, d->fetch);
    assert_int_equal(got[0].latency.sum, d->latency_cycles);
    assert_int_equal(got[0].n_atomic, l2->slice.atomic);
    assert_true(d->act - d->pre <= 16);
}

/* Both slices miss once a cycle, in the same row: the channel takes from each in turn. */
static void slices_share_the_channel_fairly(void **state)
{
    (void)state;
    kit_start();
    u32 r[40][2];
    for (u32 i = 0; i < 40; i++)
        for (u32 s = 0; s < 2; s++)
            r[i][s] = kit_read(i, 0x40000 + s * 256 + i / 8 * 512 + i % 8 * 32);
    kit_run(3000, 5, false);
    for (u32 i = 0; i < 40; i++) {
        u64 a = kit.reply_at[r[i][0]][i & 3], b = kit.reply_at[r[i][1]][i & 3];

        assert_true(a && b);
        assert_in_range(a + 12 - b, 0, 24);
    }
}

/* Nothing to do: sleeps for ever; one request: until its delay is over. */
static void next_is_the_cycle_with_work(void **state)
{
    (void)state;
    kit_start();
    assert_true(partition_next(kit.p, 0) == UINT64_MAX);
    partition_warm(kit.p, 0x10000);
    kit_read(30, 0x10000);
    assert_int_equal(partition_next(kit.p, 0), 30);
    assert_int_equal(partition_next(kit.p, 40), 40);
    kit_run(31, 5, false);
    assert_true(partition_is_busy(kit.p));
    assert_int_equal(partition_next(kit.p, 31), 150);
    kit_run(200, 5, false);
    assert_true(partition_next(kit.p, 200) == UINT64_MAX);
}

/* A write-back is no request of an SM: the partition is not busy, but goes on in the next launch. */
static void a_write_back_goes_on_after_a_restart(void **state)
{
    (void)state;
    kit.l2.sets = kit.l2.ways = 1;
    kit.env.dram_mhz = 924;
    kit_start();
    kit_send(0, REQ_WRITE, 0x10000, 1, 1);
    kit_send(1, REQ_WRITE, 0x20000, 1, 1);
    kit_run(130, 5, false);
    assert_int_equal(kit.n_log, 2);
    assert_false(partition_is_busy(kit.p));
    assert_int_equal(kit_dram().write, 0);
    partition_restart(kit.p, 130);
    kit_run(400, 5, false);
    assert_int_equal(kit_dram().write, 1);
}

/* After a restart at any cycle a miss takes as long as at cycle 0. */
static void clocks_start_anew_with_a_launch(void **state)
{
    (void)state;
    kit.env.dram_mhz = 924;
    for (u64 start = 1000; start < 1030; start++) {
        kit_start();
        kit.now = 0, kit.n_log = 0;
        memset(kit.reply_at, 0, sizeof kit.reply_at);
        kit_run(start, 5, false);
        partition_restart(kit.p, start);
        u32 r = kit_read(start, 0x10000);
        kit_run(start + 400, 5, false);
        assert_int_equal(kit.reply_at[r][0], start + 245);
        kit_stop();
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, kit_defaults, kit_drop)

static const struct CMUnitTest tests[] = {
    CASE(sleeping_changes_nothing),
    CASE(windows_change_nothing),
    CASE(sleeping_changes_nothing_at_other_clocks),
    CASE(short_queues_lose_nothing),
    CASE(whole_requests_lose_nothing),
    CASE(counters_agree),
    CASE(slices_share_the_channel_fairly),
    CASE(next_is_the_cycle_with_work),
    CASE(a_write_back_goes_on_after_a_restart),
    CASE(clocks_start_anew_with_a_launch),
};

TEST_MAIN(tests)
