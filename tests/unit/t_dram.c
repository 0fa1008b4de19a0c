/*
 * t_dram.c -- when a DRAM channel gives which command.
 *
 * Requests are pushed after tick `t`; the scheduler sees them at t + 1.  The times below are ticks
 * at which read data is in the return queue, with the defaults: CL 12, WL 4, tRCD 12 (writes 7),
 * tRAS 28, tRP 12, tRC 40, tRRD 6, tCCD 2 (same group 3), tRTW 12, tWTR 11, tWTP 18.
 */
#include "base/rng.h"
#include "mem/dram.h"
#include "tests/test_main.h"

static struct dram_conf conf;
static struct dram d;
static u64 now;
static u64 came[1024]; /* tick at which read `addr` was in the return queue, or write ended */
static u32 order[1024], n_came;

static int defaults(void **state)
{
    (void)state;
    sheet_defaults(&dram_sheet, &conf);
    return 0;
}

static void set_scheduler(const char *name)
{
    struct err e;

    assert_true(sheet_set(&dram_sheet, &conf, "scheduler", name, &e));
}

static int drop(void **state)
{
    (void)state;
    dram_free(&d);
    sheet_free(&dram_sheet, &conf);
    return 0;
}

static void start(void)
{
    dram_init(&d, &conf);
    memset(came, 0, sizeof came);
    now = 0, n_came = 0;
}

static void push_kind(u32 id, u32 bank, u32 row, enum dram_kind kind, u32 bursts)
{
    dram_push(&d,
              (struct dram_req){.addr = id,
                                .row = row,
                                .bank = (u8)bank,
                                .slice = (u8)id,
                                .kind = (u8)kind,
                                .bursts = (u8)bursts},
              now);
}

static void push(u32 id, u32 bank, u32 row)
{
    push_kind(id, bank, row, DRAM_READ, 1);
}

static void note(u32 id)
{
    came[id] = now;
    order[n_came++] = id;
}

/* Tick by tick to `to`; data is taken from the return queue at once. */
static void run(u64 to)
{
    while (now < to) {
        dram_account(&d, ++now);
        dram_tick(&d, now);
        if (d.ended != DRAM_NONE)
            note(d.ended);
        if (d.done.n)
            note((u32)dram_pop(&d).addr);
    }
}

/* ACT at 1, RD at 1 + tRCD = 13, data at 13 + CL. */
static void a_closed_row_is_opened_first(void **state)
{
    (void)state;
    start();
    push(1, 0, 5);
    run(100);
    assert_int_equal(came[1], 25);
    assert_int_equal(d.st.act, 1);
    assert_int_equal(d.st.pre, 0);
    assert_int_equal(d.st.read, 1);
    assert_int_equal(d.st.row_miss, 1);
    assert_int_equal(d.st.busy_cycles, 2);
    assert_int_equal(d.st.cycles, 25); /* ticks 0 to 24 end with it in the channel */
}

/* The bank is free at 13; the second RD waits for tCCDL: 16. */
static void a_second_read_of_the_row_hits(void **state)
{
    (void)state;
    start();
    push(1, 0, 5), push(2, 0, 5);
    run(100);
    assert_int_equal(came[1], 25);
    assert_int_equal(came[2], 28);
    assert_int_equal(d.st.act, 1);
    assert_int_equal(d.st.row_hit, 1);
}

/* PRE at 1 + tRAS = 29, ACT at 29 + tRP = 1 + tRC = 41, RD at 53. */
static void another_row_of_the_bank_costs_precharge_and_activate(void **state)
{
    (void)state;
    start();
    push(1, 0, 5), push(2, 0, 6);
    run(100);
    assert_int_equal(came[2], 65);
    assert_int_equal(d.st.act, 2);
    assert_int_equal(d.st.pre, 1);
    assert_int_equal(d.st.row_miss, 2);
}

/* Second ACT at 1 + tRRD = 7, its RD at 19. */
static void activates_of_two_banks_are_apart(void **state)
{
    (void)state;
    start();
    push(1, 0, 5), push(2, 1, 5);
    run(100);
    assert_int_equal(came[1], 25);
    assert_int_equal(came[2], 31);
}

/* With open rows: RDs at 101 and 101 + tCCD, or 101 + tCCDL in the same group of banks. */
static void columns_of_one_bank_group_are_further_apart(void **state)
{
    (void)state;
    start();
    push(1, 0, 5), push(2, 1, 5), push(3, 4, 5);
    run(100);
    push(4, 0, 5), push(5, 1, 5);
    run(200);
    push(6, 0, 5), push(7, 4, 5);
    run(300);
    u64 first = came[4] < came[5] ? came[4] : came[5];
    assert_int_equal(first, 113);
    assert_int_equal(came[4] + came[5], 113 + 115);
    first = came[6] < came[7] ? came[6] : came[7];
    assert_int_equal(first, 213);
    assert_int_equal(came[6] + came[7], 213 + 216);
}

/* The same with 0 to 3 in one group: 0 and 1 are in it, 0 and 4 are not. */
static void high_bits_put_neighbours_into_one_group(void **state)
{
    (void)state;
    conf.group_bits = 1;
    start();
    push(1, 0, 5), push(2, 1, 5), push(3, 4, 5);
    run(100);
    push(4, 0, 5), push(5, 1, 5);
    run(200);
    push(6, 0, 5), push(7, 4, 5);
    run(300);
    assert_int_equal(came[4] + came[5], 113 + 116);
    assert_int_equal(came[6] + came[7], 213 + 215);
}

/*
 * Bank 0 is closed in 101 for row 9 and opened in 113, when bank 1, whose turn is behind it, could
 * read: data in 125 or, if a clock has one command, 126.  Bank 0 reads in 125, data in 137.
 */
static void a_clock_can_have_a_row_and_a_column_command(void **state)
{
    (void)state;
    for (u64 one = 0; one < 2; one++) {
        conf.one_command = one;
        start();
        push(1, 0, 5), push(2, 1, 5);
        run(100);
        push(3, 0, 9);
        run(112);
        push(4, 1, 5);
        run(200);
        assert_int_equal(came[3], 137);
        assert_int_equal(came[4], 125 + one);
        dram_free(&d);
    }
    start();
}

static void frfcfs_serves_the_open_row_first(void **state)
{
    (void)state;
    start();
    push(1, 0, 5), push(2, 0, 6), push(3, 0, 5), push(4, 0, 6);
    run(200);
    assert_int_equal(order[0], 1);
    assert_int_equal(order[1], 3);
    assert_int_equal(order[2], 2);
    assert_int_equal(order[3], 4);
    assert_int_equal(d.st.act, 2);
    assert_int_equal(d.st.row_hit, 2);
    assert_int_equal(d.st.request, 4);
}

static void fcfs_serves_in_order(void **state)
{
    (void)state;
    set_scheduler("fcfs");
    start();
    push(1, 0, 5), push(2, 0, 6), push(3, 0, 5), push(4, 0, 5);
    run(300);
    for (u32 i = 0; i < 4; i++)
        assert_int_equal(order[i], i + 1);
    assert_int_equal(d.st.act, 3);
}

/*
 * The third is for an idle bank, but the second, for the busy one, is older: RD of the first at 13, the second
 * gets its bank at 14, the third at 15 and reads at 27.  FR-FCFS opens its row at 1 + tRRD = 7.
 */
static void fcfs_waits_for_the_bank_of_the_oldest(void **state)
{
    (void)state;
    set_scheduler("fcfs");
    start();
    push(1, 0, 5), push(2, 0, 6), push(3, 1, 5);
    run(300);
    assert_int_equal(came[3], 27 + 12);
    set_scheduler("frfcfs");
    dram_free(&d);
    start();
    push(1, 0, 5), push(2, 0, 6), push(3, 1, 5);
    run(300);
    assert_int_equal(came[3], 7 + 12 + 12);
}

/* As a mechanism brings one: the youngest of a bank first, and none before tick *state. */
static u32 youngest(const struct dram *at, u64 banks, u16 *before)
{
    u32 b = dram_turn(at, banks);

    if (now < *(const u64 *)at->policy_state)
        return DRAM_NONE;
    for (u16 s = at->bank[b].first; at->slot[s - 1].next; s = at->slot[s - 1].next)
        *before = s;
    return b;
}

static void a_policy_of_ones_own_picks_what_it_likes(void **state)
{
    static const struct dram_policy policy = {"youngest", "for this test", youngest};
    u64 from = 50;

    (void)state;
    start();
    d.policy = &policy, d.policy_state = &from;
    push(1, 0, 5), push(2, 0, 6), push(3, 0, 7), push(4, 1, 5);
    run(400);
    assert_int_equal(n_came, 4);
    assert_int_equal(order[0], 3);
    assert_int_equal(order[2], 2);
    assert_int_equal(order[3], 1);
    assert_true(came[3] >= 50 + 12 + 12);
}

/* WR at 1 + tRCDWR = 8, RD at 8 + tWTR = 19. */
static void a_read_waits_after_a_write(void **state)
{
    (void)state;
    start();
    push_kind(1, 0, 5, DRAM_WRITE, 1), push(2, 0, 5);
    run(100);
    assert_int_equal(came[1], 8 + 4);
    assert_int_equal(came[2], 19 + 12);
    assert_int_equal(d.st.write, 1);
    assert_int_equal(d.st.write_back, 0);
}

/* RD at 13, WR at 13 + tRTW = 25. */
static void a_write_waits_after_a_read(void **state)
{
    (void)state;
    start();
    push(1, 0, 5), push_kind(2, 0, 5, DRAM_WRITE, 1);
    run(100);
    assert_int_equal(came[1], 25);
    assert_int_equal(came[2], 25 + 4);
}

/* 128 bytes: WRs at 8 and 8 + tCCDL = 11; it ends once, with the second. */
static void a_write_back_of_a_line_is_two_commands(void **state)
{
    (void)state;
    start();
    push_kind(1, 0, 5, DRAM_BACK, 2);
    run(100);
    assert_int_equal(came[1], 11 + 4);
    assert_int_equal(n_came, 1);
    assert_int_equal(d.st.write, 2);
    assert_int_equal(d.st.write_back, 2);
    assert_int_equal(d.held, 0);
}

/* WR at 8, PRE at 8 + tWTP = 26, ACT at 38, RD at 50. */
static void a_precharge_waits_after_a_write(void **state)
{
    (void)state;
    conf.t_ras = 10, conf.t_rc = 20;
    start();
    push_kind(1, 0, 5, DRAM_WRITE, 1), push(2, 0, 6);
    run(100);
    assert_int_equal(came[2], 62);
}

/*
 * RD of bank 0 and ACT of the other may both go out at 13 (tRRD 12).  The scan starts at bank 2
 * then: it finds bank 3's row command first and gives both, but bank 0's column before bank 1's row.
 */
static void a_row_command_only_shares_its_tick_with_a_later_column(void **state)
{
    (void)state;
    conf.t_rrd = 12;
    start();
    push(1, 0, 5), push(2, 3, 5);
    run(100);
    assert_int_equal(came[1], 25);
    assert_int_equal(came[2], 13 + 24);
    dram_free(&d);
    start();
    push(1, 0, 5), push(2, 1, 5);
    run(100);
    assert_int_equal(came[1], 25);
    assert_int_equal(came[2], 14 + 24);
}

/* Row hits to four groups: the bus is never idle, one burst of 2 clocks after the other. */
static void row_hits_keep_the_bus_busy(void **state)
{
    (void)state;
    start();
    for (u32 b = 0; b < 4; b++)
        push(b, b, 5);
    run(100);
    for (u32 i = 0; i < 64; i++)
        push(4 + i, i % 4, 5);
    run(400);
    assert_int_equal(came[order[67]] - came[order[4]], 63 * 2);
}

static void a_full_return_queue_holds_data_back(void **state)
{
    (void)state;
    conf.return_queue = 1;
    start();
    push(1, 0, 5), push(2, 0, 5);
    while (now < 50)
        dram_tick(&d, ++now);
    assert_int_equal(d.done.n, 1);
    assert_int_equal(ring_head(&d.done).addr, 1);
    dram_pop(&d);
    dram_tick(&d, ++now);
    assert_int_equal(ring_head(&d.done).addr, 2);
}

static void a_full_queue_is_counted(void **state)
{
    (void)state;
    conf.queue = 2;
    start();
    push(1, 0, 5);
    assert_false(dram_full(&d));
    push(2, 0, 5);
    assert_true(dram_full(&d));
    run(100);
    assert_int_equal(d.st.queue_full, 1); /* tick 1 takes the first one out */
    assert_false(dram_full(&d));
}

/* Due at 200: rows closed, no ACT before 200 + tRP + tRFC = 232; RD at 244. */
static void a_refresh_delays_requests(void **state)
{
    (void)state;
    conf.t_refi = 100, conf.t_rfc = 20;
    start();
    run(199);
    push(1, 0, 5);
    run(290);
    assert_int_equal(came[1], 256);
    assert_int_equal(d.st.refresh, 2);
}

/* Open rows are closed by it, as soon as tRAS lets them: PRE at 29, ACT at 29 + 12 + 20 = 61. */
static void a_refresh_closes_open_rows(void **state)
{
    (void)state;
    conf.t_refi = 90, conf.t_rfc = 20;
    start();
    d.refresh_at = 14;
    push(1, 0, 5), push(2, 0, 5);
    run(100);
    assert_int_equal(came[1], 25);
    assert_int_equal(came[2], 61 + 24);
    assert_int_equal(d.st.pre, 1);
    assert_int_equal(d.st.act, 2);
}

struct outcome {
    struct dram_stat st;
    u64 came[1024];
};

/* A random stream; only ticks from dram_next on are run if `skip`. */
static struct outcome stream(u64 seed, bool skip)
{
    struct rng rng = rng_make(seed);
    struct outcome o;
    u64 next_push = 0;
    u32 id = 0;

    start();
    for (u64 t = 0; t < 60000; t++) {
        bool pushing = id < 1000 && t >= next_push && !dram_full(&d);
        if (skip && !pushing && t < dram_next(&d))
            continue;
        dram_account(&d, now = t);
        if (d.done.n && rng_u64(&(struct rng){seed + t}) % 4)
            note((u32)dram_pop(&d).addr);
        dram_tick(&d, t);
        if (pushing) {
            u64 x = rng_u64(&rng);
            push_kind(id++, x & 15, x >> 4 & 3, x >> 8 & 3 ? DRAM_READ : DRAM_BACK,
                      1 + (x >> 10 & 1));
            next_push = t + 1 + (x >> 16) % (x >> 40 & 63 ? 8 : 2000);
        }
    }
    dram_account(&d, 60000);
    assert_int_equal(d.held, 0);
    o.st = d.st;
    memcpy(o.came, came, sizeof came);
    dram_free(&d);
    return o;
}

static void sleeping_changes_nothing(void **state)
{
    (void)state;
    for (u64 seed = 0; seed < 12; seed++) {
        set_scheduler(seed % 3 == 2 ? "fcfs" : "frfcfs");
        conf.t_refi = seed & 1 ? 1000 : 0, conf.t_rfc = 100;
        conf.return_queue = seed & 4 ? 2 : 116;
        struct outcome a = stream(seed, false), b = stream(seed, true);
        assert_memory_equal(&a.st, &b.st, sizeof a.st);
        assert_memory_equal(a.came, b.came, sizeof a.came);
        assert_true(a.st.row_hit + a.st.row_miss == 1000);
    }
    dram_init(&d, &conf); /* for drop */
}

static void refuse(u64 *key, u64 value, const char *why)
{
    struct err e;
    u64 old = *key;

    *key = value;
    assert_false(dram_conf_check(&conf, &e));
    assert_string_equal(e.msg, why);
    *key = old;
}

static void keys_that_fit_no_channel_are_refused(void **state)
{
    (void)state;
    struct err e;

    assert_true(dram_conf_check(&conf, &e));
    set_scheduler("frfcf");
    assert_false(dram_conf_check(&conf, &e));
    assert_string_equal(e.msg, "dram.scheduler: no DRAM scheduler 'frfcf'; did you mean frfcfs?");
    set_scheduler("frfcfs");
    refuse(&conf.banks, 12, "dram.banks: 12 is not a power of two");
    refuse(&conf.bank_groups, 32, "dram.bank_groups: 32 are more than dram.banks, 16");
    refuse(&conf.burst_cycles, 3,
           "dram.t_ccd: 2 clocks are less than a burst takes (dram.burst_cycles, 3)");
    refuse(&conf.t_refi, 12,
           "dram.t_refi: 12 clocks are no more than a refresh, a row and its closing take, 81");
    dram_init(&d, &conf); /* for drop */
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, defaults, drop)

static const struct CMUnitTest tests[] = {
    CASE(a_closed_row_is_opened_first),
    CASE(a_second_read_of_the_row_hits),
    CASE(another_row_of_the_bank_costs_precharge_and_activate),
    CASE(activates_of_two_banks_are_apart),
    CASE(columns_of_one_bank_group_are_further_apart),
    CASE(high_bits_put_neighbours_into_one_group),
    CASE(a_clock_can_have_a_row_and_a_column_command),
    CASE(frfcfs_serves_the_open_row_first),
    CASE(fcfs_serves_in_order),
    CASE(fcfs_waits_for_the_bank_of_the_oldest),
    CASE(a_policy_of_ones_own_picks_what_it_likes),
    CASE(a_read_waits_after_a_write),
    CASE(a_write_waits_after_a_read),
    CASE(a_write_back_of_a_line_is_two_commands),
    CASE(a_precharge_waits_after_a_write),
    CASE(a_row_command_only_shares_its_tick_with_a_later_column),
    CASE(row_hits_keep_the_bus_busy),
    CASE(a_full_return_queue_holds_data_back),
    CASE(a_full_queue_is_counted),
    CASE(a_refresh_delays_requests),
    CASE(a_refresh_closes_open_rows),
    CASE(sleeping_changes_nothing),
    CASE(keys_that_fit_no_channel_are_refused),
};

TEST_MAIN(tests)
