/*
 * t_noc_mesh.c -- the mesh: distances, pipelines, channels, bypassed routers.
 *
 * Default routers have 4 stages and links take 1: a packet of f flits over h links takes
 * 5h + 4 + 1 + f - 1 cycles and passes h + 1 routers.
 */
#include "tests/unit/noc_traffic.h"

/* `n_sm` SMs and one slice in one row; of N nodes the slice has place N/2. */
static void start_row(u32 n_sm)
{
    conf.mesh_width = n_sm + 1;
    start(n_sm, 1);
}

static void advance_to(u64 to)
{
    for (u64 c = 0; c < to; c += n.lookahead)
        noc_advance(&n, c, c + n.lookahead);
}

/* 7 nodes in a row: SMs at 0 1 2 4 5 6, the slice at 3; distances 3 2 1 1 2 3. */
static void latency_grows_with_distance(void **state)
{
    (void)state;
    static const u32 hops[] = {3, 2, 1, 1, 2, 3};
    for (u32 i = 0; i < LEN(hops); i++) {
        defaults("mesh");
        start_row(6);
        assert_int_equal(n.lookahead, 5);
        push(i, 0, 1, 2);
        advance_to(40);
        assert_int_equal(arrival(0, 0), 2 + 5 * hops[i] + 5);
        assert_int_equal(n.st.hops, hops[i] + 1);
        assert_int_equal(n.st.flit_hops, hops[i] + 1);
        assert_int_equal(n.st.cycles_waited, 0);
        noc_free(&n);
    }
}

/* 2 stages, link 3, 4 flits, 2 links: 2 * (2 + 3) + 2 + 1 + 3 = 16. */
static void stages_links_and_flits_add_up(void **state)
{
    (void)state;
    defaults("mesh");
    conf.router_stages = 2, conf.link_latency = 3;
    start_row(6);
    assert_int_equal(n.lookahead, 3);
    push(1, 0, 4, 0);
    advance_to(30);
    assert_int_equal(arrival(0, 0), 16);
    assert_int_equal(n.st.hops, 3);
    assert_int_equal(n.st.flit_hops, 12);
    assert_int_equal(n.st.cycles_waited, 0);
    noc_free(&n);
}

/*
 * 3 x 3, 8 SMs and a slice at place 4: row 1, column (4 + 3) mod 3 = 1, the centre.  SMs 0..7 are
 * around it row by row, two links away in the corners and one on the edges.
 */
static void a_grid_routes_in_both_directions(void **state)
{
    (void)state;
    for (u32 i = 0; i < 8; i++) {
        bool corner = i == 0 || i == 2 || i == 5 || i == 7;
        defaults("mesh");
        start(8, 1);
        push(i, 0, 1, 0);
        advance_to(40);
        assert_int_equal(arrival(0, 0), corner ? 15 : 10);
        noc_free(&n);
    }
}

/* Two rows of three, the slice at place 3: row 1, column (3 + 3) mod 3 = 0.  SMs: 0 1 2, - 4 3. */
static void rows_are_filled_to_and_fro(void **state)
{
    static const u32 links[] = {1, 2, 3, 2, 1};

    (void)state;
    for (u32 i = 0; i < 5; i++) {
        defaults("mesh");
        conf.mesh_width = 3;
        start(5, 1);
        push(i, 0, 1, 0);
        advance_to(40);
        assert_int_equal(arrival(0, 0), 5 * links[i] + 5);
        noc_free(&n);
    }
}

/* The reply subnet has the same nodes in the same places: the way back is as long. */
static void the_reply_subnet_is_the_same_grid(void **state)
{
    (void)state;
    u64 there[15][12];
    for (u32 way = 0; way < 2; way++) {
        defaults("mesh");
        for (u32 k = 0; k < 15 * 12; k++) {
            u32 sm = k / 12, slice = k % 12, o = way ? sm : slice;
            noc_init(&n, &conf, 1000, way ? 12 : 15, way ? 15 : 12, way);
            push(way ? slice : sm, o, 1, 0);
            advance_to(100);
            if (way)
                assert_int_equal(arrival(o, 0), there[sm][slice]);
            else
                there[sm][slice] = arrival(o, 0);
            noc_free(&n);
        }
    }
}

/*
 * SM 0 is 3 links from the slice; the routers of SMs 1 and 2 are on the way.  Each that is bypassed
 * saves its 4 stages; SM 0's own and the slice's never are for this packet.
 */
static void a_bypassed_router_costs_only_its_link(void **state)
{
    (void)state;
    static const u32 bypassed[][4] = {{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 1, 0}, {1, 1, 1, 1}};
    static const u32 latency[] = {20, 16, 12, 12}, hops[] = {4, 3, 2, 2};
    for (u32 k = 0; k < LEN(latency); k++) {
        defaults("mesh");
        start_row(6);
        for (u32 sm = 0; sm < 3; sm++)
            noc_bypass(&n, sm, bypassed[k][sm]);
        noc_bypass(&n, 6, bypassed[k][3]); /* the slice: after the SMs */
        push(0, 0, 1, 0);
        advance_to(40);
        assert_int_equal(arrival(0, 0), latency[k]);
        assert_int_equal(n.st.hops, hops[k]);
        assert_int_equal(n.st.cycles_waited, 0);
        noc_free(&n);
    }
}

static void a_bypass_can_be_taken_back(void **state)
{
    (void)state;
    defaults("mesh");
    start_row(6);
    noc_bypass(&n, 1, true);
    noc_bypass(&n, 1, true);
    noc_bypass(&n, 1, false);
    push(0, 0, 1, 0);
    advance_to(40);
    assert_int_equal(arrival(0, 0), 20);
    noc_free(&n);
}

/*
 * Eight nodes in a row, slices at places 2 and 6.  SM 0 sends to slice 1 in cycle 0 and to slice 0,
 * in another channel, in cycle 1.  The first is sent on by router 1 in tick 5 and is at router 2 in
 * 10.  Then router 1 is bypassed: the second could be at router 2 in 6 + 1, but has to stay behind
 * the first, 11, and arrives at 11 + 5.
 */
static void flits_do_not_overtake_on_a_link(void **state)
{
    (void)state;
    defaults("mesh");
    conf.mesh_width = 8;
    start(6, 2);
    push(0, 1, 1, 0), push(0, 0, 1, 1);
    noc_advance(&n, 0, 5);
    noc_advance(&n, 5, 6);
    noc_bypass(&n, 1, true);
    noc_advance(&n, 6, 11);
    noc_advance(&n, 11, 16);
    assert_int_equal(arrival(0, 0), 16);
    noc_free(&n);
}

/*
 * SM 2 is next to the slice (at 3), SM 1 behind it.  SM 1's packet, pushed in cycle 0, is at SM 2's
 * router in cycle 5, where SM 2 pushes its own.  One link, one flit a cycle: the port after the one
 * that was last granted goes first; nothing was yet, so the westerly input goes before the node's.
 */
static void two_flows_share_a_link(void **state)
{
    (void)state;
    defaults("mesh");
    start_row(6);
    push(1, 0, 1, 0);
    noc_advance(&n, 0, 5);
    push(2, 0, 1, 5);
    noc_advance(&n, 5, 10);
    noc_advance(&n, 10, 15);
    assert_int_equal(source(0, 0), 1);
    assert_int_equal(arrival(0, 0), 15);
    assert_int_equal(source(0, 1), 2);
    assert_int_equal(arrival(0, 1), 16);
    assert_int_equal(n.st.cycles_waited, 1);
    noc_free(&n);
}

/*
 * A buffer of one flit: a flit that leaves router A in tick g is at B, next to it, in g + 5, leaves
 * at once, and its credit lets A send again in g + 6.  Three flits from SM 1 (two links): they
 * leave SM 1's router in 0, 6, 12; the last is at the slice in 12 + 15.
 */
static void credits_bound_the_rate(void **state)
{
    (void)state;
    defaults("mesh");
    conf.buffer_flits = 1;
    start_row(6);
    push(1, 0, 3, 0);
    advance_to(60);
    assert_int_equal(arrival(0, 0), 27);
    noc_free(&n);
}

/*
 * Two slices at places 5/4 = 1 and 15/4 = 3 of five in a row; SMs at 0, 2, 4.  Nobody takes from
 * slice 0, whose ejection side holds 1 flit and whose way is full.  SM 0's packet for slice 1 has
 * to go the same way: with two channels it passes, with one it is stuck.
 */
static void another_channel_passes_a_blocked_one(void **state)
{
    (void)state;
    for (u32 vcs = 1; vcs <= 2; vcs++) {
        defaults("mesh");
        conf.vcs = vcs, conf.mesh_width = 5;
        conf.eject_flits = 1, conf.buffer_flits = 2, conf.inject_flits = 4;
        start(3, 2);
        for (u32 p = 0; p < 4; p++)
            push(0, 0, 1, 0);
        advance_to(100);
        noc_advance(&n, 100, 105);
        push(0, 1, 1, 105);
        noc_advance(&n, 105, 110);
        noc_advance(&n, 110, 300);
        assert_int_equal(n.out[0].arrived.n, 1);
        assert_int_equal(n.out[1].arrived.n, vcs == 2);
        noc_free(&n);
    }
}

/*
 * Three columns, 11 SMs and the slice at place 6: row 2, column (6 + 3 * 2) mod 3 = 0.  Above it is SM 5's router, at
 * (1, 0), above that SM 0's, and SM 4's beside it: their packets for the slice leave SM 5's router southwards.  SM 5's
 * own leaves in cycle 0; its port is the last of five, so the turn is the northerly port's, the first, when the others
 * come up, both in cycle 5.
 */
static void the_turn_goes_from_the_last_port_to_the_first(void **state)
{
    static const u32 from[] = {5, 0, 4};

    (void)state;
    defaults("mesh");
    conf.mesh_width = 3, conf.vcs = 1;
    start(11, 1);
    push(0, 0, 1, 0), push(4, 0, 1, 0), push(5, 0, 1, 0);
    advance_to(40);
    for (u32 k = 0; k < LEN(from); k++) {
        assert_int_equal(source(0, k), from[k]);
        assert_int_equal(arrival(0, k), k == 0 ? 10 : 14 + k);
    }
    noc_free(&n);
}

/*
 * SM 2's router, next to the slice.  From the west SM 1's two packets come up in 8 and 9, in channel 1, and SM 0's, in
 * channel 0, in 10; SM 2 has its own in 8 and 9.  8: SM 1's first goes, and the turn of that port is channel 0's; 9: SM
 * 2's first; 10: channel 0, SM 0; 11: SM 2's second; 12: SM 1's second.  Each is at the slice ten cycles later.
 */
static void the_turn_goes_from_the_last_channel_to_the_first(void **state)
{
    static const u32 from[] = {1, 2, 0, 2, 1};

    (void)state;
    defaults("mesh");
    start_row(6);
    push(0, 0, 1, 0);
    noc_advance(&n, 0, 3);
    push(1, 0, 1, 3), push(1, 0, 1, 4);
    noc_advance(&n, 3, 8);
    push(2, 0, 1, 8), push(2, 0, 1, 9);
    for (u64 c = 8; c < 28; c += 5)
        noc_advance(&n, c, c + 5);
    for (u32 k = 0; k < LEN(from); k++) {
        assert_int_equal(source(0, k), from[k]);
        assert_int_equal(arrival(0, k), 18 + k);
    }
    noc_free(&n);
}

static void windows_of_any_size_agree(void **state)
{
    (void)state;
    static const u32 mhz[] = {0, 400, 933, 1700};
    for (u32 k = 0; k < LEN(mhz) * 3; k++) {
        defaults("mesh");
        conf.mhz = mhz[k % LEN(mhz)];
        conf.vcs = 1 + k / LEN(mhz);
        conf.router_stages = 1 + k / LEN(mhz) * 3;
        windows_agree(15, 12, 3);
    }
}

/* Bypasses come and go while packets are under way. */
static void nothing_is_lost_while_bypasses_change(void **state)
{
    (void)state;
    defaults("mesh");
    conf.buffer_flits = 4;
    start(15, 12);
    struct traffic t = {.seed = 1, .push_percent = 50, .take_percent = 90, .max_flits = 4};
    t.rng = rng_make(1);
    for (u64 c = 0; c < 6000; c += 5) {
        for (u64 k = c; k < c + 5; k++) {
            for (u32 i = 0; i < 15 && c < 4000; i++)
                traffic_push(&t, i, k);
            for (u32 o = 0; o < 12; o++)
                traffic_take(&t, o, k);
        }
        traffic_edge(c, c + 5);
        noc_bypass(&n, rng_below(&t.rng, 27), rng_below(&t.rng, 2));
    }
    traffic_check(&t);
    noc_free(&n);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(latency_grows_with_distance),
    cmocka_unit_test(rows_are_filled_to_and_fro),
    cmocka_unit_test(stages_links_and_flits_add_up),
    cmocka_unit_test(a_grid_routes_in_both_directions),
    cmocka_unit_test(the_reply_subnet_is_the_same_grid),
    cmocka_unit_test(a_bypassed_router_costs_only_its_link),
    cmocka_unit_test(a_bypass_can_be_taken_back),
    cmocka_unit_test(flits_do_not_overtake_on_a_link),
    cmocka_unit_test(two_flows_share_a_link),
    cmocka_unit_test(credits_bound_the_rate),
    cmocka_unit_test(another_channel_passes_a_blocked_one),
    cmocka_unit_test(the_turn_goes_from_the_last_port_to_the_first),
    cmocka_unit_test(the_turn_goes_from_the_last_channel_to_the_first),
    cmocka_unit_test(windows_of_any_size_agree),
    cmocka_unit_test(nothing_is_lost_while_bypasses_change),
};

TEST_MAIN(tests)
