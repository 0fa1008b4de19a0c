/*
 * t_l2.c -- how long a request is in an L2 slice, and what it sends to DRAM.
 *
 * A request that arrives in cycle 0 has waited for 120, enters the input queue in cycle 120, is
 * looked up in 121 and, if it hits, answered in 122.
 */
#include "tests/test_main.h"
#include "tests/unit/partition_kit.h"

static void run(u64 to)
{
    kit_run(to, 5, false);
}

static void a_hit_takes_the_delay_and_two_cycles(void **state)
{
    (void)state;
    kit_start();
    partition_warm(kit.p, 0x10000);
    u32 r = kit_read(0, 0x10000);
    run(200);
    assert_int_equal(kit.reply_at[r][0], 122);
    assert_int_equal(kit.log[0].flits, 1);
    assert_int_equal(kit_l2().cache.miss, 0);
    assert_int_equal(kit_l2().slice.read, 1);
}

static void a_line_is_answered_sector_by_sector(void **state)
{
    (void)state;
    kit_start();
    for (u32 k = 0; k < 4; k++)
        partition_warm(kit.p, 0x10000 + 32 * k);
    u32 r = kit_send(0, REQ_READ, 0x10000, 15, 0);
    run(200);
    for (u32 k = 0; k < 4; k++)
        assert_int_equal(kit.reply_at[r][k], 122 + k);
    assert_int_equal(kit_l2().cache.access, 4);
}

/*
 * Looked up in 121, in the queue to DRAM in 122, taken in 123, scheduled from 223 on: ACT 224, RD
 * 236, data 248, at the slice 249, waiting sector into the reply queue 250, answered in 251.
 */
static void a_miss_waits_for_dram(void **state)
{
    (void)state;
    kit_start();
    u32 r = kit_read(0, 0x10000);
    run(400);
    assert_int_equal(kit.reply_at[r][0], 251);
    assert_int_equal(kit_dram().read, 1);
    assert_int_equal(partition_latency(kit.p)->n, 1);
    assert_int_equal(partition_latency(kit.p)->sum, 249 - 122);
    assert_false(partition_is_busy(kit.p));
}

/* 924 MHz: the push is at tick floor(223 * 33 / 25) = 294, the data at the slice at 320, which is in
   core cycle ceil(320 * 25 / 33) = 243; the answer two later. */
static void dram_runs_at_its_own_clock(void **state)
{
    (void)state;
    kit.env.dram_mhz = 924;
    kit_start();
    u32 r = kit_read(0, 0x10000);
    run(400);
    assert_int_equal(kit.reply_at[r][0], 245);
}

/* 350 MHz: ticks in even cycles; into the queue in 120, looked up in 122, answered in 123. */
static void l2_runs_at_its_own_clock(void **state)
{
    (void)state;
    kit.env.l2_mhz = 350;
    kit_start();
    partition_warm(kit.p, 0x10000);
    u32 r = kit_read(0, 0x10000);
    run(200);
    assert_int_equal(kit.reply_at[r][0], 123);
}

static void a_write_is_answered_at_once(void **state)
{
    (void)state;
    kit_start();
    u32 w = kit_send(0, REQ_WRITE, 0x10000, 1, 1);
    run(400);
    assert_int_equal(kit.reply_at[w][0], 122);
    assert_int_equal(kit_l2().cache.miss, 1);
    assert_int_equal(kit_l2().slice.write, 1);
    assert_int_equal(kit_dram().read + kit_dram().write, 0);
}

static void a_full_write_can_be_read(void **state)
{
    (void)state;
    kit_start();
    kit_send(0, REQ_WRITE, 0x10000, 1, 1);
    u32 r = kit_read(10, 0x10000);
    run(400);
    assert_int_equal(kit.reply_at[r][0], 132);
}

static void a_partial_write_is_fetched_when_read(void **state)
{
    (void)state;
    kit_start();
    kit_send(0, REQ_WRITE, 0x10000, 1, 0);
    u32 r = kit_read(10, 0x10000);
    run(400);
    assert_int_equal(kit.reply_at[r][0], 10 + 251);
    assert_int_equal(kit_dram().read, 1);
}

/* One DRAM read for both; they leave one after the other. */
static void reads_of_one_sector_merge(void **state)
{
    (void)state;
    kit_start();
    u32 a = kit_read(0, 0x10000), b = kit_read(1, 0x10000);
    run(400);
    assert_int_equal(kit.reply_at[a][0], 251);
    assert_int_equal(kit.reply_at[b][0], 252);
    assert_int_equal(kit_dram().read, 1);
    assert_int_equal(kit_l2().cache.pending_hit, 1);
}

/* The second read fails from 122 to 248 and hits what was filled earlier in cycle 249. */
static void a_read_beyond_the_merges_tries_again(void **state)
{
    (void)state;
    kit.l2.merges = 1;
    kit_start();
    u32 a = kit_read(0, 0x10000), b = kit_read(1, 0x10000);
    run(400);
    assert_int_equal(kit.reply_at[b][0], 250);
    assert_int_equal(kit.reply_at[a][0], 251);
    assert_int_equal(kit_l2().cache.reserv_fail, 248 - 122 + 1);
}

/* One line in all: the second write evicts four dirty sectors, 128 bytes or two bursts, which holds
   the data port for 4 cycles: the third access waits for 3. */
static void a_dirty_line_is_written_back_in_one_request(void **state)
{
    (void)state;
    kit.l2.sets = kit.l2.ways = 1;
    kit_start();
    u32 a = kit_send(0, REQ_WRITE, 0x10000, 15, 15);
    u32 b = kit_send(1, REQ_WRITE, 0x20000, 3, 3);
    run(400);
    assert_int_equal(kit.reply_at[a][3], 125);
    assert_int_equal(kit.reply_at[b][0], 126);
    assert_int_equal(kit.reply_at[b][1], 130);
    assert_int_equal(kit_l2().slice.port_busy, 3);
    assert_int_equal(kit_l2().cache.write_back, 4);
    assert_int_equal(kit_dram().write, 2);
    assert_int_equal(kit_dram().write_back, 2);
    assert_int_equal(kit_dram().fetch, 0);
}

/*
 * 9 lines of one set of 8 ways (64 sets of 128 bytes a slice, so 16K apart): the first one is gone.
 */
static void a_full_set_loses_its_oldest_line(void **state)
{
    (void)state;
    kit_start();
    for (u64 i = 0; i < 9; i++)
        kit_read(20 * i, 0x100000 + i * 0x4000);
    u32 old = kit_read(1000, 0x100000), young = kit_read(1200, 0x100000 + 8 * 0x4000);
    run(2000);
    assert_int_equal(kit.reply_at[young][0], 1322);
    assert_true(kit.reply_at[old][0] > 1122);
    assert_int_equal(kit_l2().cache.evict, 2);
}

static void an_atomic_is_performed_as_its_reply_leaves(void **state)
{
    (void)state;
    kit.l2.sets = kit.l2.ways = 1;
    kit_start();
    u32 a = kit_send(0, REQ_ATOM, 0x10000, 1, 0);
    run(251);
    assert_int_equal(kit.n_atomic, 0);
    run(252);
    assert_int_equal(kit.n_atomic, 1);
    assert_int_equal(kit.reply_at[a][0], 251);
    kit_read(252, 0x20000); /* evicts it: it is dirty */
    run(800);
    assert_int_equal(kit_dram().write_back, 1);
    assert_int_equal(kit_l2().slice.atomic, 1);
}

static void accesses_are_counted_by_kind(void **state)
{
    (void)state;
    kit_start();
    kit_send(0, REQ_INST, 0x10000, 15, 0), kit_send(1, REQ_CONST, 0x20000, 3, 0);
    kit_send(2, REQ_TEX, 0x30000, 1, 0);
    run(1000);
    assert_int_equal(kit_l2().slice.inst, 4);
    assert_int_equal(kit_l2().slice.constant, 2);
    assert_int_equal(kit_l2().slice.texture, 1);
    assert_int_equal(kit.n_log, 7);
}

/* The NoC takes 3 flits and then nothing: 3 replies go, 9 more fit its injection queue, 2 the reply
   queue, and the input queue of 4 fills up, so that the last request waits at the port. */
static void a_full_reply_queue_backs_up_to_the_port(void **state)
{
    (void)state;
    kit.credit = 3;
    kit.mem.l2_out = 2, kit.mem.l2_in = 4;
    kit_start();
    partition_warm(kit.p, 0x10000);
    for (u32 i = 0; i < 60; i++)
        kit_read(5 * i, 0x10000);
    run(1000);
    assert_int_equal(kit.n_log, 12);
    assert_true(kit_l2().slice.in_full && kit_l2().slice.out_full && kit_l2().slice.noc_full);
    assert_true(partition_is_busy(kit.p));
    char text[400];
    partition_describe(kit.p, text, sizeof text);
    assert_non_null(strstr(text, "reply queue of slice 0: 2\n"));
    assert_non_null(strstr(text, "input queue of slice 0: 4\n"));
    kit.in[0].credit = 1000;
    run(2000);
    assert_int_equal(kit.n_log, 60);
    assert_false(partition_is_busy(kit.p));
    partition_describe(kit.p, text, sizeof text);
    assert_string_equal(text, "");
}

/* Without sectors the whole line of 128 bytes is fetched: two bursts, then all of it hits. */
static void a_line_without_sectors_is_fetched_whole(void **state)
{
    (void)state;
    kit.l2.sector = 0;
    kit_start();
    kit_read(0, 0x10000);
    u32 b = kit_read(500, 0x10060);
    run(1000);
    assert_int_equal(kit_dram().read, 2);
    assert_int_equal(kit.reply_at[b][3], 622);
}

/*
 * Two bursts bring the line, 3 clocks apart in one bank (CCDL): RD 236 and 239, data 251, at the slice
 * 252, waiting request into the reply queue 253, answered in 254, by 8 + 128 bytes in flits of 40.  Of
 * the second one all four sectors are looked up at once, and its 128 bytes hold a port of 32 for four
 * cycles.
 */
static void a_whole_request_is_looked_up_and_answered_once(void **state)
{
    (void)state;
    kit.l2.sector = 0;
    kit.mem.l2_requests = 1;
    kit_start();
    u32 a = kit_send(0, REQ_READ, 0x10000, 15, 0);
    u32 b = kit_send(500, REQ_READ, 0x10000, 15, 0), c = kit_send(501, REQ_READ, 0x10040, 4, 0);
    u32 w = kit_send(700, REQ_WRITE, 0x10040, 12, 12);
    run(1000);
    assert_int_equal(kit.reply_at[a][0], 254);
    assert_int_equal(kit.log[0].flits, 4);
    assert_int_equal(kit.reply_at[b][0], 622);
    assert_int_equal(kit.reply_at[c][2], 626);
    assert_int_equal(kit.log[2].flits, 1);
    assert_int_equal(kit.reply_at[w][2], 822);
    assert_int_equal(kit.n_log, 4);
    assert_int_equal(kit_l2().cache.access, 4);
    assert_int_equal(kit_l2().slice.read, 9);
    assert_int_equal(kit_l2().slice.write, 2);
    assert_int_equal(kit_dram().read, 2);
}

/*
 * Four banks of one channel whose queues hold a request each, taken in 123 to 126.  ACTs are 6 clocks
 * apart, 224, 230, 236 and 242, the banks in turns from the one behind the last that was opened or
 * given a request: 0, 4, 6, 2.  With credits two are under way, one of the slice's own and one that it
 * shares: bank 2 is second, and the others start anew, 100 cycles and a clock of the queue later, when
 * data have come to the slice, in 249 and 255.
 */
static void credits_bound_what_a_channel_has_under_way(void **state)
{
    static const u64 due[][4] = {{251, 269, 257, 263}, {251, 257, 377, 383}};

    (void)state;
    for (u64 credits = 0; credits < 2; credits++) {
        kit.now = 0, kit.n_log = 0;
        kit.mem.dram_credits = credits;
        kit.dram.queue = kit.dram.return_queue = 1;
        kit_start();
        u32 r[4];
        for (u32 i = 0; i < 4; i++)
            r[i] = kit_read(i, 0x10000 + 0x2000 * i);
        run(1000);
        for (u32 i = 0; i < 4; i++)
            assert_int_equal(kit.reply_at[r[i]][0], due[credits][i]);
        kit_stop();
        memset(kit.reply_at, 0, sizeof kit.reply_at);
    }
}

/*
 * A store that misses is in DRAM at once, a sector in one burst of 64 bytes, and its line, in two, in L2;
 * one that hits stays there.  A whole line is written in two.
 */
static void a_store_can_be_sent_on_and_fetch_its_line(void **state)
{
    (void)state;
    kit.l2.sector = 0;
    kit.l2.write_miss = WRITE_BOTH;
    kit_start();
    u32 w = kit_send(0, REQ_WRITE, 0x10000, 1, 1);
    u32 r = kit_read(500, 0x10040);
    run(1000);
    assert_int_equal(kit.reply_at[w][0], 122);
    assert_int_equal(kit.reply_at[r][2], 622);
    assert_int_equal(kit_dram().read, 2);
    assert_int_equal(kit_dram().write, 1);
    assert_int_equal(kit_dram().write_back, 0);
    kit_send(1000, REQ_WRITE, 0x10000, 1, 1);
    run(2000);
    assert_int_equal(kit_dram().write, 1);
}

static void a_whole_line_is_sent_on_in_two_bursts(void **state)
{
    (void)state;
    kit.l2.sector = 0;
    kit.l2.write_miss = WRITE_BOTH;
    kit.mem.l2_requests = 1;
    kit_start();
    kit_send(0, REQ_WRITE, 0x10000, 15, 15);
    run(1000);
    assert_int_equal(kit_dram().read, 2);
    assert_int_equal(kit_dram().write, 2);
}

static void copies_warm_nothing_if_told_so(void **state)
{
    (void)state;
    kit.mem.copy_warms_l2 = 0;
    kit_start();
    partition_warm(kit.p, 0x10000);
    u32 r = kit_read(0, 0x10000);
    run(400);
    assert_int_equal(kit.reply_at[r][0], 251);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, kit_defaults, kit_drop)

static const struct CMUnitTest tests[] = {
    CASE(a_hit_takes_the_delay_and_two_cycles),
    CASE(a_line_is_answered_sector_by_sector),
    CASE(a_miss_waits_for_dram),
    CASE(dram_runs_at_its_own_clock),
    CASE(l2_runs_at_its_own_clock),
    CASE(a_write_is_answered_at_once),
    CASE(a_full_write_can_be_read),
    CASE(a_partial_write_is_fetched_when_read),
    CASE(reads_of_one_sector_merge),
    CASE(a_read_beyond_the_merges_tries_again),
    CASE(a_dirty_line_is_written_back_in_one_request),
    CASE(a_full_set_loses_its_oldest_line),
    CASE(an_atomic_is_performed_as_its_reply_leaves),
    CASE(accesses_are_counted_by_kind),
    CASE(a_full_reply_queue_backs_up_to_the_port),
    CASE(a_line_without_sectors_is_fetched_whole),
    CASE(a_whole_request_is_looked_up_and_answered_once),
    CASE(credits_bound_what_a_channel_has_under_way),
    CASE(a_store_can_be_sent_on_and_fetch_its_line),
    CASE(a_whole_line_is_sent_on_in_two_bursts),
    CASE(copies_warm_nothing_if_told_so),
};

TEST_MAIN(tests)
