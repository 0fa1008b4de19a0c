/* t_noc.c -- the network: ideal and crossbar, and what is common to all kinds. */
#include "tests/unit/noc_traffic.h"

/* latency 5: a packet of one flit that is pushed in cycle 3 arrives in cycle 8. */
static void one_flit_takes_the_latency(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ideal", "xbar"};
    for (u32 k = 0; k < LEN(kinds); k++) {
        defaults(kinds[k]);
        start(4, 4);
        assert_int_equal(n.lookahead, 5);
        push(1, 2, 1, 3);
        noc_advance(&n, 0, 5);
        assert_int_equal(arrival(2, 0), 8);
        assert_false(noc_arrived(&n, 2, 7));
        assert_true(noc_arrived(&n, 2, 8));
        assert_int_equal(n.st.latency_cycles, 5);
        assert_int_equal(n.st.cycles_waited, 0);
        noc_free(&n);
    }
}

/* Flits of a packet enter in cycles 0, 1, 2, 3; the tail arrives at 3 + 5. */
static void the_tail_comes_a_cycle_per_flit_later(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ideal", "xbar"};
    for (u32 k = 0; k < LEN(kinds); k++) {
        defaults(kinds[k]);
        start(2, 2);
        push(0, 1, 4, 0);
        noc_advance(&n, 0, 2);
        assert_int_equal(n.out[1].arrived.n, 0);
        assert_int_equal(noc_next(&n), 2);
        noc_advance(&n, 2, 5);
        assert_int_equal(arrival(1, 0), 8);
        assert_int_equal(n.st.cycles_waited, 0);
        noc_free(&n);
    }
}

/* Three inputs to one output in cycle 0: the ideal network delivers all at 5. */
static void the_ideal_network_knows_no_contention(void **state)
{
    (void)state;
    defaults("ideal");
    start(3, 1);
    for (u32 i = 0; i < 3; i++)
        push(i, 0, 1, 0);
    noc_advance(&n, 0, 5);
    for (u32 k = 0; k < 3; k++)
        assert_int_equal(arrival(0, k), 5);
    noc_free(&n);
}

/*
 * A sink with room for one packet.  Input 1's second is refused, so that input 1 is served first from then on; input 0,
 * before it, is served in the same tick all the same.
 */
static void inputs_before_a_refused_one_are_served_too(void **state)
{
    (void)state;
    defaults("ideal");
    conf.eject_flits = 1;
    start(2, 2);
    push(1, 0, 1, 0), push(1, 0, 1, 1);
    noc_advance(&n, 0, 5);
    assert_int_equal(n.out[0].arrived.n, 1);
    push(0, 1, 1, 5);
    noc_advance(&n, 5, 10);
    assert_int_equal(arrival(1, 0), 10);
    noc_free(&n);
}

/*
 * Three inputs for a sink with room for one packet, which takes one every 5 cycles; who was served has another one
 * then.  The first that is refused goes next, around and around.
 */
static void refused_inputs_go_around(void **state)
{
    (void)state;
    defaults("ideal");
    conf.eject_flits = 1;
    start(3, 1);
    for (u32 i = 0; i < 3; i++)
        push(i, 0, 1, 0);
    for (u32 k = 0; k < 7; k++) {
        noc_advance(&n, 5 * k, 5 * k + 5);
        assert_int_equal(n.out[0].arrived.n, 1);
        assert_int_equal(source(0, 0), k % 3);
        noc_take(&n, 0);
        push(k % 3, 0, 1, 5 * k + 5);
    }
    noc_free(&n);
}

/* An output delivers a flit a cycle, and its inputs take turns: 0 1 0 1 at 5 6 7 8. */
static void inputs_of_one_output_alternate(void **state)
{
    (void)state;
    defaults("xbar");
    start(2, 1);
    for (u32 c = 0; c < 2; c++)
        push(0, 0, 1, c), push(1, 0, 1, c);
    noc_advance(&n, 0, 5);
    for (u32 k = 0; k < 4; k++) {
        assert_int_equal(arrival(0, k), 5 + k);
        assert_int_equal(source(0, k), k % 2);
    }
    /* Latencies 5, 6, 6, 7: waited 0 + 1 + 1 + 2. */
    assert_int_equal(n.st.cycles_waited, 4);
    noc_free(&n);
}

/* The turn is past the last input that was granted, not past the one that asked. */
static void a_turn_lasts_until_it_is_used(void **state)
{
    (void)state;
    defaults("xbar");
    conf.speedup = 1;
    start(3, 1);
    push(1, 0, 1, 0);
    noc_advance(&n, 0, 4);
    push(0, 0, 1, 4), push(1, 0, 1, 4), push(2, 0, 1, 4);
    noc_advance(&n, 4, 8);
    assert_int_equal(source(0, 1), 2);
    assert_int_equal(source(0, 2), 0);
    assert_int_equal(source(0, 3), 1);
    noc_free(&n);
}

/*
 * Inputs 0 and 1 both send to output 0 in cycle 0; input 1 loses.  Its next packet, pushed in cycle
 * 1, is for output 1, which nobody else wants.  At speedup 1 the first packet of input 1 passes in
 * tick 1 and the second in tick 2, so it arrives at 7; at speedup 2 the first passes in the second
 * round of tick 0 and the second in tick 1: at 6.
 */
static void speedup_eases_head_of_line_blocking(void **state)
{
    (void)state;
    for (u32 speedup = 1; speedup <= 2; speedup++) {
        defaults("xbar");
        conf.speedup = speedup;
        start(2, 2);
        push(0, 0, 1, 0), push(1, 0, 1, 0);
        push(1, 1, 1, 1);
        noc_advance(&n, 0, 5);
        assert_int_equal(arrival(0, 1), 6); /* a flit a cycle leaves an output in any case */
        assert_int_equal(arrival(1, 0), speedup == 1 ? 7 : 6);
        noc_free(&n);
    }
}

/*
 * Input 0's packet of 3 flits holds output 0 in ticks 0, 1 and 2 (its flits come in one a tick), so
 * input 1's passes in tick 3 and arrives at 8, although speedup is 2; the large one arrives at 7.
 */
static void a_packet_holds_its_output_to_the_tail(void **state)
{
    (void)state;
    defaults("xbar");
    start(2, 1);
    push(0, 0, 3, 0), push(1, 0, 1, 0);
    noc_advance(&n, 0, 5);
    assert_int_equal(source(0, 0), 0);
    assert_int_equal(arrival(0, 0), 7);
    assert_int_equal(arrival(0, 1), 8);
    noc_free(&n);
}

/*
 * Two packets of 4 flits for output 0, and behind that of input 1 one for output 1.  Speedup 1: the
 * first two pass in ticks 0..3 and 4..7, the third in 8, and arrives at 13.  Speedup 2 with a round
 * for the virtual channel: granted in the first round of tick 0, the first passes a flit a tick as
 * they come, 0..3; the second is granted in the second round of tick 3, and its flits, which are
 * all there, pass in two ticks, 4 and 5; the third is granted and passes in 6: at 11.  The tails of
 * the large ones arrive at 8 and, one flit a tick, at 12, in both.
 */
static void a_round_for_the_channel_and_one_for_each_flit(void **state)
{
    (void)state;
    for (u32 speedup = 1; speedup <= 2; speedup++) {
        defaults("xbar");
        conf.speedup = speedup, conf.vc_alloc = speedup - 1;
        start(2, 2);
        push(0, 0, 4, 0), push(1, 0, 4, 0), push(1, 1, 1, 0);
        noc_advance(&n, 0, 5);
        noc_advance(&n, 5, 10);
        assert_int_equal(arrival(0, 0), 8);
        assert_int_equal(arrival(0, 1), 12);
        assert_int_equal(arrival(1, 0), speedup == 1 ? 13 : 11);
        noc_free(&n);
    }
}

/*
 * In tick 1 (speedup 1) input 1 has two packets in its buffer, for outputs 0 and 1.  The first
 * goes, so output 1 grants input 2, although it is input 1's turn; the second goes in tick 2.
 */
static void an_input_passes_one_packet_a_round(void **state)
{
    (void)state;
    defaults("xbar");
    conf.speedup = 1;
    start(3, 2);
    push(0, 0, 1, 0), push(1, 0, 1, 0);
    push(1, 1, 1, 1), push(2, 1, 1, 1);
    noc_advance(&n, 0, 5);
    assert_int_equal(source(1, 0), 2);
    assert_int_equal(arrival(1, 0), 6);
    assert_int_equal(arrival(1, 1), 7);
    noc_free(&n);
}

/* 9 flits fit; the queue drains a flit a cycle; after the edge the source knows what is left. */
static void a_full_injection_queue_has_no_room(void **state)
{
    (void)state;
    defaults("xbar");
    start(2, 2);
    assert_int_equal(noc_room(&n, 0, 0), 9);
    push(0, 0, 4, 0), push(0, 1, 4, 0), push(0, 0, 1, 0);
    assert_int_equal(noc_room(&n, 0, 0), 0);
    assert_int_equal(noc_room(&n, 0, 1), 1);
    assert_int_equal(noc_room(&n, 0, 4), 4);
    noc_advance(&n, 0, 5);
    assert_int_equal(n.in[0].queued, 4);
    assert_int_equal(noc_room(&n, 0, 5), 5);
    assert_int_equal(noc_room(&n, 0, 20), 9);
    noc_free(&n);
}

/* 9 packets of which 3 fill the ejection side and 2 the buffer; the other 4 stay in the queue. */
static void fill(const char *kind)
{
    defaults(kind);
    conf.eject_flits = 3, conf.buffer_flits = 2;
    start(1, 1);
    for (u32 p = 0; p < 9; p++)
        push(0, 0, 1, 0);
    noc_advance(&n, 0, 5);
    noc_advance(&n, 5, 1000);
    assert_int_equal(n.out[0].arrived.n, 3);
    assert_int_equal(noc_room(&n, 0, 1000), 5);
}

/*
 * However long we wait.  When the sink, which runs its window after the edge, has taken one, the
 * next window grants one in its first tick.
 */
static void a_full_ejection_side_stops_delivery(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ideal", "xbar"};
    for (u32 k = 0; k < LEN(kinds); k++) {
        fill(kinds[k]);
        assert_int_equal(n.in[0].queued, 4);
        assert_int_equal(n.in[0].credit, 0);
        assert_true(noc_next(&n) == UINT64_MAX);
        noc_take(&n, 0);
        assert_int_equal(noc_next(&n), 1000);
        noc_advance(&n, 1000, 1005);
        assert_int_equal(n.out[0].arrived.n, 3);
        assert_int_equal(arrival(0, 2), 1005);
        noc_free(&n);
    }
}

/* Replies: the sink runs before the edge, so what it takes in a window is room in the next. */
static void room_of_a_sink_before_the_edge_counts_after_it(void **state)
{
    (void)state;
    fill("xbar");
    n.sinks_after = false;
    noc_take(&n, 0);
    noc_advance(&n, 1000, 1005);
    assert_int_equal(n.out[0].arrived.n, 2);
    noc_advance(&n, 1005, 1010);
    assert_int_equal(arrival(0, 2), 1010);
    noc_free(&n);
}

/*
 * The sink takes 3: packets pass in ticks 1000, 1001 and 1002, and those in the queue follow into
 * the buffer in 1001, 1002 and 1003.  The source sees it a window of 5 cycles later, one after the
 * other.
 */
static void room_behind_a_full_buffer_comes_one_by_one(void **state)
{
    (void)state;
    fill("xbar");
    for (u32 k = 0; k < 3; k++)
        noc_take(&n, 0);
    noc_advance(&n, 1000, 1005);
    for (u64 c = 1005; c < 1010; c++)
        assert_int_equal(noc_room(&n, 0, c), c < 1008 ? 5 + c - 1005 : 8);
    noc_free(&n);
}

static void an_empty_output_takes_any_packet(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ideal", "xbar", "mesh"};
    for (u32 k = 0; k < LEN(kinds); k++) {
        defaults(kinds[k]);
        conf.eject_flits = conf.buffer_flits = conf.inject_flits = 1;
        start(1, 1);
        push(0, 0, 6, 0);
        noc_advance(&n, 0, n.lookahead);
        noc_advance(&n, n.lookahead, 500);
        assert_int_equal(n.out[0].arrived.n, 1);
        noc_free(&n);
    }
}

static void an_idle_network_says_so(void **state)
{
    (void)state;
    defaults("xbar");
    start(2, 2);
    assert_true(noc_is_idle(&n));
    noc_advance(&n, 0, 5);
    push(0, 1, 1, 5);
    assert_false(noc_is_idle(&n));
    noc_advance(&n, 5, 10);
    assert_int_equal(n.in_flight, 1);
    assert_true(noc_next(&n) == UINT64_MAX); /* has arrived: the sink's business */
    assert_false(noc_is_idle(&n));
    noc_take(&n, 1);
    assert_true(noc_is_idle(&n));
    noc_advance(&n, 10, 15);
    assert_int_equal(n.in_flight, 0);
    noc_free(&n);
}

/*
 * Core 1000 MHz, network 400: tick t is at 2.5 t cycles.  A push in cycle 1 is seen by tick 1
 * (cycle 2.5), arrives at tick 6 (cycle 15) and so in cycle 15; one in cycle 3 by tick 2, arrives
 * at tick 7 (17.5), in cycle 18.  Lookahead is 5 ticks, 12.5 cycles: a window may be 13 long.
 */
static void a_slower_network_is_seen_in_whole_cycles(void **state)
{
    (void)state;
    defaults("xbar");
    conf.mhz = 400;
    start(2, 2);
    assert_int_equal(n.lookahead, 13);
    push(0, 0, 1, 1), push(1, 1, 1, 3);
    noc_advance(&n, 0, 13);
    assert_int_equal(arrival(0, 0), 15);
    assert_int_equal(arrival(1, 0), 18);
    assert_int_equal(n.st.cycles_waited, 0);
    noc_free(&n);
}

/* Network 3000 MHz: a push in cycle 2 is tick 6, arrives at tick 11, cycle 3.67, so in cycle 4. */
static void a_faster_network_is_seen_in_whole_cycles(void **state)
{
    (void)state;
    defaults("xbar");
    conf.mhz = 3000;
    start(1, 1);
    assert_int_equal(n.lookahead, 2);
    noc_advance(&n, 0, 2);
    push(0, 0, 1, 2);
    noc_advance(&n, 2, 4);
    assert_int_equal(arrival(0, 0), 4);
    noc_free(&n);
}

static void nothing_is_lost_or_overtaken(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ideal", "xbar", "mesh"};
    static const u32 mhz[] = {0, 1000, 700, 1848, 130};
    for (u32 k = 0; k < LEN(kinds) * LEN(mhz); k++) {
        defaults(kinds[k % LEN(kinds)]);
        conf.mhz = mhz[k / LEN(kinds)];
        struct traffic t = {.seed = k, .cycles = 2000, .push_percent = 60, .max_flits = 4};
        t.take_percent = 90;
        traffic(t, 15, 12);
    }
}

/* More than 64 inputs and outputs: sets are several words. */
static void large_networks_work_too(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ideal", "xbar", "mesh"};
    for (u32 k = 0; k < LEN(kinds); k++) {
        defaults(kinds[k]);
        struct traffic t = {.seed = 3, .cycles = 500, .push_percent = 40, .max_flits = 5};
        t.take_percent = 100;
        traffic(t, 84, 70);
        traffic(t, 66, 3);
    }
}

/* All queues one flit deep, packets of up to 6 flits, sinks that often look away. */
static void tiny_queues_still_make_progress(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ideal", "xbar", "mesh"};
    static const u32 mhz[] = {0, 613, 2200};
    for (u32 k = 0; k < LEN(kinds) * LEN(mhz); k++) {
        defaults(kinds[k % LEN(kinds)]);
        conf.mhz = mhz[k / LEN(kinds)];
        conf.inject_flits = conf.buffer_flits = conf.eject_flits = conf.speedup = 1;
        struct traffic t = {.seed = k, .cycles = 1000, .push_percent = 80, .max_flits = 6};
        t.take_percent = 30;
        traffic(t, 7, 5);
        t.window = 1;
        traffic(t, 7, 5);
    }
}

static void windows_of_any_size_agree(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ideal", "xbar"};
    static const u32 mhz[] = {0, 400, 933, 1700};
    for (u32 k = 0; k < LEN(kinds) * LEN(mhz); k++) {
        defaults(kinds[k % LEN(kinds)]);
        conf.mhz = mhz[k / LEN(kinds)];
        conf.latency = 1 + 3 * (k % 5);
        windows_agree(15, 12, 3);
    }
}

/*
 * Jumping over windows in which noc_next sees nothing changes nothing: full queues or not, sinks
 * that run before the edge or after it.
 */
static void a_jump_is_like_many_steps(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ideal", "xbar", "mesh"};
    static const u32 mhz[] = {0, 730, 130};
    for (u32 k = 0; k < 3 * 3 * 4; k++) {
        defaults(kinds[k % 3]);
        conf.eject_flits = 5, conf.buffer_flits = 3;
        conf.mhz = mhz[k / 3 % 3];
        struct traffic t = {.seed = k, .cycles = 5000, .push_percent = 70, .max_flits = 4};
        t.take_percent = 100, t.burst = 1 + k, t.window = k / 9 % 2 ? 1 : 5, t.late = k >= 18;
        u64 want = traffic(t, 9, 3);
        t.jump = true;
        assert_true(traffic(t, 9, 3) == want);
    }
}

static void stalls_of_all_sources_are_counted(void **state)
{
    (void)state;
    struct noc_stat st = {0};
    defaults("xbar");
    start(3, 1);
    n.in[0].stalls = 4, n.in[2].stalls = 3;
    noc_count(&n, &st);
    noc_count(&n, &st);
    assert_int_equal(st.inject_stalls, 14);
    noc_free(&n);
}

static void a_report_names_queues_that_are_not_empty(void **state)
{
    (void)state;
    char text[256], small[12];
    defaults("xbar");
    conf.eject_flits = 1, conf.buffer_flits = 2;
    start(2, 2);
    for (u32 p = 0; p < 4; p++)
        push(1, 0, 1, 0);
    noc_advance(&n, 0, 5);
    noc_describe(&n, text, sizeof(text));
    assert_string_equal(text, "xbar, 3 packets under way; in 1: 1 flits queued, 2 in the buffer; "
                              "out 0: 1 of 1 flits not taken");
    noc_describe(&n, small, sizeof(small));
    assert_string_equal(small, "xbar, 3 pac");
    noc_free(&n);
}

static void a_mesh_has_a_bound_on_its_buffers(void **state)
{
    (void)state;
    struct err e;
    defaults("xbar");
    conf.vcs = 8, conf.buffer_flits = 4096;
    assert_true(noc_conf_check(&conf, 4, 4, &e));
    defaults("mesh");
    conf.vcs = 8, conf.buffer_flits = 4096;
    assert_false(noc_conf_check(&conf, 4, 4, &e));
    assert_non_null(strstr(e.msg, "noc.buffer_flits: 4096 flits in each of 8 channels"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_flit_takes_the_latency),
    cmocka_unit_test(the_tail_comes_a_cycle_per_flit_later),
    cmocka_unit_test(the_ideal_network_knows_no_contention),
    cmocka_unit_test(inputs_before_a_refused_one_are_served_too),
    cmocka_unit_test(refused_inputs_go_around),
    cmocka_unit_test(inputs_of_one_output_alternate),
    cmocka_unit_test(a_turn_lasts_until_it_is_used),
    cmocka_unit_test(speedup_eases_head_of_line_blocking),
    cmocka_unit_test(a_packet_holds_its_output_to_the_tail),
    cmocka_unit_test(an_input_passes_one_packet_a_round),
    cmocka_unit_test(a_full_injection_queue_has_no_room),
    cmocka_unit_test(a_full_ejection_side_stops_delivery),
    cmocka_unit_test(room_of_a_sink_before_the_edge_counts_after_it),
    cmocka_unit_test(room_behind_a_full_buffer_comes_one_by_one),
    cmocka_unit_test(a_round_for_the_channel_and_one_for_each_flit),
    cmocka_unit_test(an_empty_output_takes_any_packet),
    cmocka_unit_test(an_idle_network_says_so),
    cmocka_unit_test(a_slower_network_is_seen_in_whole_cycles),
    cmocka_unit_test(a_faster_network_is_seen_in_whole_cycles),
    cmocka_unit_test(nothing_is_lost_or_overtaken),
    cmocka_unit_test(large_networks_work_too),
    cmocka_unit_test(tiny_queues_still_make_progress),
    cmocka_unit_test(windows_of_any_size_agree),
    cmocka_unit_test(a_jump_is_like_many_steps),
    cmocka_unit_test(stalls_of_all_sources_are_counted),
    cmocka_unit_test(a_report_names_queues_that_are_not_empty),
    cmocka_unit_test(a_mesh_has_a_bound_on_its_buffers),
};

TEST_MAIN(tests)
