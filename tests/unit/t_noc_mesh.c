/*
 * t_noc_mesh.c -- the mesh: distances, pipelines, channels, bypassed routers.
 *
 * Default routers have 4 stages and links take 1: a packet of f flits over h links takes
 * 5h + 4 + 1 + f - 1 cycles and passes h + 1 routers.
 */
#include "tests/unit/noc_traffic.h"

enum { BOOKSIM = 1, ROWS }; /* as in noc.def */

/* `n_sm` SMs and one slice in one row; of N nodes the slice has place N/2. */
static void start_row(u32 n_sm)
{
    conf.mesh_width = n_sm + 1;
    start(n_sm, 1);
}

static void push_as(u32 i, u32 o, u32 flits, u64 at, bool ordered)
{
    struct packet p = {.src = (u16)i, .dst = (u16)o, .flits = (u8)flits, .ordered = ordered};

    noc_push(&n, i, p, at);
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

/*
 * A buffer of one flit, as in credits_bound_the_rate: the three flits of SM 1's first packet leave its router in 0, 6 and
 * 12.  Its second flit enters in 1 and waits until 6; the third enters in 7.  The second packet, of one flit, comes after
 * it.  In the same channel it enters in 13, when the third flit has left, and has the link's credit in 18.  In another
 * one it enters in 8, and goes at once.  From there it is 15 to the slice.
 */
static void a_packet_takes_another_channel(void **state)
{
    static const struct {
        bool any, ordered;
        u32 first, second;
    } t[] = {{false, false, 27, 33}, {true, false, 23, 27}, {true, true, 27, 33}};

    (void)state;
    for (u32 k = 0; k < LEN(t); k++) {
        defaults("mesh");
        conf.buffer_flits = 1, conf.vc = t[k].any;
        start_row(6);
        push_as(1, 0, 3, 0, t[k].ordered);
        push_as(1, 0, 1, 0, t[k].ordered);
        advance_to(60);
        assert_int_equal(arrival(0, 0), t[k].first);
        assert_int_equal(arrival(0, 1), t[k].second);
        assert_int_equal(ring_at(&n.out[0].arrived, 0).flits, t[k].first == 23 ? 1 : 3);
        noc_free(&n);
    }
}

/*
 * Replies of the slice to SMs 0 and 2, three links and one to the west, and a buffer of one flit: the four flits of the
 * first enter in 0, 1, 7 and 13 and leave in 0, 6, 12 and 18, the last is there in 18 + 20.  Both SMs are even, so their
 * static channel is the same: the second packet, of one flit, enters in 19, leaves in 24 and is there in 24 + 10.  One
 * for SM 1 or in any channel enters in 14, and leaves in 14.
 */
static void even_nodes_have_all_channels(void **state)
{
    static const struct {
        bool any;
        u32 sm, arrival;
    } t[] = {{false, 2, 34}, {false, 1, 14 + 15}, {true, 2, 14 + 10}};

    (void)state;
    for (u32 k = 0; k < LEN(t); k++) {
        defaults("mesh");
        conf.mesh_width = 7, conf.buffer_flits = 1, conf.vc = t[k].any;
        noc_init(&n, &conf, 1000, 1, 6, true);
        push(0, 0, 4, 0), push(0, t[k].sm, 1, 0);
        advance_to(80);
        assert_int_equal(arrival(0, 0), 38);
        assert_int_equal(arrival(t[k].sm, 0), t[k].arrival);
        noc_free(&n);
    }
}

/*
 * SM 0, SM 1, slice 0, slice 1 in a row, buffers and sinks of two flits, packets of two.  a is in slice 0, b in slice 1,
 * and nobody takes them.  c waits in slice 1's router; d, also for slice 1, behind it in that of slice 0; e, for slice 0,
 * beside d at the same port, in another channel.  a and b are taken, which is known in tick 100.  Then e's first flit
 * goes to slice 0, and c's to slice 1, whose credit d has in 101: d's first goes, it is its channel's turn, and e's
 * second waits until 102, if a port lets one flit go a tick.  If it lets two go, e's second goes in 101, unless its
 * channel and d's belong to the same input: of four, 0 and 2 do.  It is in slice 0 five later.
 */
static void two_flits_leave_an_input_port(void **state)
{
    static const struct {
        u32 vcs, speedup, from,
            arrival; /* from: whom e is from; its channel is that number, and d's is 2 */
    } t[] = {{2, 1, 1, 107}, {2, 2, 1, 106}, {4, 2, 1, 106},
             {4, 2, 0, 107}, {4, 3, 0, 106}, {4, 4, 0, 106}};

    (void)state;
    for (u32 k = 0; k < LEN(t); k++) {
        defaults("mesh");
        conf.map = ROWS, conf.mesh_width = 4;
        conf.vcs = t[k].vcs, conf.input_speedup = t[k].speedup;
        conf.buffer_flits = conf.eject_flits = 2, conf.inject_flits = 16;
        start(2, 2);
        push(1, 0, 2, 0), push(1, 1, 2, 0), push(1, 1, 2, 0), push(1, 1, 2, 0);
        noc_advance(&n, 0, 5);
        push(t[k].from, 0, 2, 5);
        for (u64 c = 5; c < 100; c += 5)
            noc_advance(&n, c, c + 5);
        noc_take(&n, 0), noc_take(&n, 1);
        noc_advance(&n, 100, 105);
        noc_advance(&n, 105, 110);
        assert_int_equal(arrival(0, 0), t[k].arrival);
        noc_free(&n);
    }
}

static void check_distance(u32 sm, u32 slice, u32 n_sm, u32 n_slice, u32 links)
{
    start(n_sm, n_slice);
    push(sm, slice, 1, 0);
    advance_to(100);
    assert_int_equal(arrival(slice, 0), 5 * links + 5);
    noc_free(&n);
}

/*
 * Of 4 x 4: slices 1 3 4 6 9 11 12 14, so SMs 0 2 5 7 8 10 13 15.  Of 8 x 8 for 48 SMs: slices 3 15 17 29 36 47 49 61;
 * SM 3 is at 4, SM 47, behind seven of them, at 54 (row 6, column 6), two links from 61 (7, 5).
 */
static void slices_are_where_booksim_has_them(void **state)
{
    static const u32 slice[] = {1, 3, 4, 6, 9, 11, 12, 14}, sm[] = {0, 2, 5, 7, 8, 10, 13, 15};

    (void)state;
    defaults("mesh");
    conf.map = BOOKSIM;
    for (u32 i = 0; i < 8; i++)
        for (u32 k = 0; k < 8; k++)
            check_distance(i, k, 8, 8,
                           (u32)abs((int)(sm[i] % 4) - (int)(slice[k] % 4)) +
                               (u32)abs((int)(sm[i] / 4) - (int)(slice[k] / 4)));
    check_distance(0, 0, 48, 8, 3);
    check_distance(3, 0, 48, 8, 1);
    check_distance(47, 7, 48, 8, 2);
    check_distance(27, 0, 28, 8, 7);    /* at 35, row 5, column 5; slice 0 of 6 x 6 at 3 */
    check_distance(0, 10, 110, 11, 18); /* of 11 x 11 the last at 108: row 9, column 9 */
}

/* 0 1 / 2 slice */
static void slices_are_last_in_rows(void **state)
{
    static const u32 links[] = {2, 1, 1};

    (void)state;
    defaults("mesh");
    conf.map = ROWS;
    for (u32 i = 0; i < 3; i++)
        check_distance(i, 0, 3, 1, links[i]);
}

static void check_map(u32 width, u32 n_sm, u32 n_slice, const char *why)
{
    struct err e;

    conf.mesh_width = width;
    assert_true(noc_conf_check(&conf, n_sm, n_slice, &e) == !why);
    if (why)
        assert_non_null(strstr(e.msg, why));
}

static void booksim_has_places_for_some_numbers(void **state)
{
    (void)state;
    defaults("mesh");
    conf.map = BOOKSIM;
    check_map(0, 56, 8, NULL);
    check_map(8, 29, 8, NULL);
    check_map(0, 110, 11, NULL);
    check_map(0, 57, 8, "has places for 8 L2 slices and 56 SMs or for 11 and 110, not for 8");
    check_map(0, 48, 16, "not for 16 (mem.channels, mem.slices) and 48");
    check_map(6, 29, 8, "noc.mesh_width: the grid of noc.map=booksim is 8 wide here");
    conf.map = ROWS;
    check_map(6, 57, 8, NULL);
}

/*
 * One channel, any; SMs 1 and 2 on their way to the slice share the last link.  Either's packets are ordered, the other's
 * are not, and there are always more: neither gets more than two turns of three.
 */
static void ordered_and_other_packets_take_turns(void **state)
{
    (void)state;
    for (u32 ordered = 1; ordered <= 2; ordered++) {
        u32 got[7] = {0};

        defaults("mesh");
        conf.vc = true, conf.vcs = 1, conf.buffer_flits = 4;
        start_row(6);
        for (u64 c = 0; c < 3000; c += n.lookahead) {
            for (u64 k = c; k < c + n.lookahead; k++)
                for (u32 i = 1; i <= 2; i++)
                    if (noc_room(&n, i, k) >= 3)
                        push_as(i, 0, 3, k, i == ordered);
            noc_advance(&n, c, c + n.lookahead);
            while (n.out[0].arrived.n)
                got[noc_take(&n, 0).src]++;
        }
        assert_true(got[1] + got[2] > 500);
        assert_true(got[1] > 200 && got[2] > 200);
        noc_free(&n);
    }
}

/* Full buffers and slow sinks, with as many channels and inputs of a port as there may be. */
static void nothing_is_lost_or_stuck_in_any_channel(void **state)
{
    static const u32 vcs[] = {1, 2, 3, 8, 16};

    (void)state;
    for (u32 k = 0; k < LEN(vcs) * 4; k++) {
        struct traffic t = {.seed = k, .cycles = 1500, .push_percent = 90, .take_percent = 40};

        defaults("mesh");
        conf.vc = true, conf.vcs = vcs[k / 4], conf.input_speedup = 1 + k % 4;
        conf.buffer_flits = 1 + k % 3, conf.eject_flits = 4 + k % 5;
        t.max_flits = 5;
        traffic(t, 13, 7);
    }
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
        conf.vc = true, conf.input_speedup = 2;
        windows_agree(15, 12, 3);
    }
}

/* Bypasses come and go while packets are under way. */
static void lose_nothing_while_bypasses_change(bool any)
{
    defaults("mesh");
    conf.buffer_flits = 4, conf.vc = any;
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

static void nothing_is_lost_while_bypasses_change(void **state)
{
    (void)state;
    lose_nothing_while_bypasses_change(false);
    lose_nothing_while_bypasses_change(true);
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
    cmocka_unit_test(a_packet_takes_another_channel),
    cmocka_unit_test(even_nodes_have_all_channels),
    cmocka_unit_test(two_flits_leave_an_input_port),
    cmocka_unit_test(slices_are_where_booksim_has_them),
    cmocka_unit_test(slices_are_last_in_rows),
    cmocka_unit_test(booksim_has_places_for_some_numbers),
    cmocka_unit_test(ordered_and_other_packets_take_turns),
    cmocka_unit_test(nothing_is_lost_or_stuck_in_any_channel),
    cmocka_unit_test(windows_of_any_size_agree),
    cmocka_unit_test(nothing_is_lost_while_bypasses_change),
};

TEST_MAIN(tests)
