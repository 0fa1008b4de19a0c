/* t_noc.c -- what the network adds, and what happens when queues are full; see memory_path.h */
#include "tests/micro/memory_path.h"

static const char load[] = TIMED_A "ld.global.cg.u32 %r1, [%rd0];";

/* Windows of one cycle: 5 less each way. */
static void a_latency_of_one_works(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, load, TIMED_SET("noc.latency=1"), 32, 6 + 141 - 10 + 1);
    assert_int_equal(STAT(&t, request.latency_cycles), 1);
    assert_int_equal(STAT(&t, reply.latency_cycles), 1);
    timed_close(&t);
}

/* How far SMs run ahead between two edges is not to be seen. */
static void the_window_changes_nothing(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, load, TIMED_SET("sim.window=1"), 32, 6 + 141 + 1);
    timed_close(&t);
    path_check(&t, load, TIMED_SET("sim.window=4"), 32, 6 + 141 + 1);
    timed_close(&t);
}

/*
 * Two SMs send to one slice in 10.  The ideal network delivers both in 16 and the slice takes the
 * second in 17; the crossbar lets one packet through an output in a cycle, so the second arrives in
 * 17: the same to the loads, 142.
 */
static void a_crossbar_lets_one_packet_to_a_slice_a_cycle(void **state)
{
    struct timed t;

    (void)state;
    path_open(&t, load, NULL);
    assert_int_equal(timed_run(&t, 2, 32), 6 + 142 + 1);
    assert_int_equal(STAT(&t, request.latency_cycles), 6 + 6);
    assert_int_equal(STAT(&t, request.cycles_waited), 0);
    timed_close(&t);
    path_open(&t, load, TIMED_SET("noc.kind=xbar"));
    assert_int_equal(timed_run(&t, 2, 32), 6 + 142 + 1);
    assert_int_equal(STAT(&t, request.latency_cycles), 6 + 7);
    assert_int_equal(STAT(&t, request.cycles_waited), 1);
    assert_int_equal(STAT(&t, reply.cycles_waited), 0);
    timed_close(&t);
}

/* Alone in the crossbar a load takes what it does in the ideal network. */
static void an_unloaded_crossbar_is_ideal(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0];", TIMED_SET("noc.kind=xbar"), 32,
               6 + 180 + 1);
    assert_int_equal(STAT(&t, request.latency_cycles), 6);
    assert_int_equal(STAT(&t, reply.latency_cycles), 24);
    timed_close(&t);
}

/*
 * 27 nodes on a grid 6 wide.  Slice m is at place (2m + 1) 27 / 24: slice 0 (channel 0) at 1, slice
 * 2 (channel 1) at 5; SM 0 at 0.  h links take 5 h + 5 cycles: 10 over one, 30 over five, each way,
 * instead of 6.
 */
static void a_mesh_takes_five_cycles_a_hop(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, load, TIMED_SET("noc.kind=mesh"), 32, 6 + 141 - 12 + 20 + 1);
    assert_int_equal(STAT(&t, request.latency_cycles), 10);
    assert_int_equal(STAT(&t, request.hops), 2);
    assert_int_equal(STAT(&t, reply.hops), 2);
    timed_close(&t);
    path_check(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0+256];", TIMED_SET("noc.kind=mesh"), 32,
               6 + 141 - 12 + 60 + 1);
    assert_int_equal(STAT(&t, request.latency_cycles), 30);
    assert_int_equal(STAT(&t, request.hops), 6);
    assert_int_equal(STAT(&t, reply.hops), 6);
    timed_close(&t);
}

/* Links of three cycles, routers of one stage: h (1 + 3) + 1 + 1, 6 over one link. */
static void router_stages_and_links_add_up(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, load, TIMED_SET("noc.kind=mesh", "noc.router_stages=1", "noc.link_latency=3"),
               32, 6 + 141 + 1);
    assert_int_equal(STAT(&t, request.latency_cycles), 6);
    timed_close(&t);
}

/*
 * Four lines of 4 flits, issued in t = 29, in the miss queue from t+39 to t+42.  The injection
 * queue holds 9 flits and drains one a cycle: packets go in t+40 (4 flits), t+41 (3 + 4), t+43 (5 +
 * 4; in t+42 room for 3 only) and t+47 (5 + 4): refused in t+42, 44, 45, 46.  16 flits enter the
 * network from t+40 to t+55, tails in t+43, 47, 51, 55, and arrive 6 later.  The last store is
 * taken in t+61, its last sector acknowledged in t+61 + 122 + 3, back in t+192, counted in t+193.
 */
static void stores_wait_for_the_injection_queue(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, LANES(16) "st.global.v4.u32 [%rd1], {%r4, %r5, %r6, %r7};", NULL, 32,
               29 + 193 + 1);
    assert_int_equal(STAT(&t, sm.noc_stalls), 4);
    assert_int_equal(STAT(&t, request.packets), 4);
    assert_int_equal(STAT(&t, request.flits), 16);
    assert_int_equal(STAT(&t, reply.flits), 16);
    timed_close(&t);
}

/*
 * A line in flits of 16 bytes: four packets of 8 + 32 bytes, 3 flits, or of 3, 2, 2 and 2 flits.  A store
 * of it has four acknowledgements, or one, when the last of them is due.
 */
static u64 check_line(const char *body, const char *replies, u32 packets, u32 flits)
{
    struct timed t;
    u64 cycles;

    path_open(&t, body, TIMED_SET("noc.flit_bytes=16", replies));
    cycles = timed_run(&t, 1, 32);
    assert_int_equal(STAT(&t, request.packets), 1);
    assert_int_equal(STAT(&t, reply.packets), packets);
    assert_int_equal(STAT(&t, reply.flits), flits);
    assert_int_equal(STAT(&t, l2.access), 4);
    timed_close(&t);
    return cycles;
}

static void replies_can_be_parts_of_one_packet(void **state)
{
    static const char load_line[] = LANES(4) "ld.global.u32 %r4, [%rd1];";
    static const char store_line[] = LANES(4) "st.global.u32 [%rd1], %r4;";
    static const char each[] = "noc.line_replies=off", line[] = "noc.line_replies=on";

    (void)state;
    assert_int_equal(check_line(load_line, each, 4, 12) - check_line(load_line, line, 4, 9), 3);
    assert_int_equal(check_line(store_line, each, 4, 4), check_line(store_line, line, 1, 1));
}

/*
 * A line of 8 + 128 bytes in flits of 32 is one packet of 5; with a port of 128 bytes it leaves L2 in
 * one cycle, with one of 32 as soon.  As four packets of 2 flits it takes 3 flits longer.
 */
static void a_line_can_be_one_packet(void **state)
{
    static const char load_line[] = LANES(4) "ld.global.u32 %r4, [%rd1];";
    static const char *const whole[] = {"mem.l2_requests=whole", "mem.l2_port_bytes=128"};
    u64 cycles[3];

    (void)state;
    for (u32 i = 0; i < 3; i++) {
        struct timed t;

        path_open(&t, load_line,
                  TIMED_SET("l2.sector=0", "noc.flit_bytes=32", i ? whole[0] : "noc.vcs=2",
                            i == 2 ? whole[1] : "noc.vcs=2"));
        cycles[i] = timed_run(&t, 1, 32);
        assert_int_equal(STAT(&t, request.packets), 1);
        assert_int_equal(STAT(&t, reply.packets), i ? 1 : 4);
        assert_int_equal(STAT(&t, reply.flits), i ? 5 : 8);
        assert_int_equal(STAT(&t, sm.reply_got), i ? 1 : 4);
        assert_int_equal(STAT(&t, l2.access), i ? 1 : 4);
        timed_close(&t);
    }
    assert_int_equal(cycles[0] - cycles[1], 3);
    assert_int_equal(cycles[1], cycles[2]);
}

/* ---- everything full */

/*
 * Words 36 bytes apart: lane reads its own, adds it up in a word of all, stores it plus its number.
 */
static const char work[] = "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; ld.param.u64 %rd0, [a];"
                           "mad.lo.u32 %r0, %r1, 64, %r0; mul.wide.u32 %rd1, %r0, 36;"
                           "add.u64 %rd1, %rd0, %rd1; ld.global.u32 %r2, [%rd1];"
                           "atom.global.add.u32 %r3, [%rd0+65536], %r2; add.u32 %r2, %r2, %r0;"
                           "st.global.u32 [%rd1], %r2;";

enum { THREADS = 256 };

static void check_work(const char *kind, const char *const *set)
{
    u32 v[THREADS * 9] = {0}, sum = 0;
    const char *all[32] = {kind};
    struct timed t;

    for (u32 i = 1; *set; set++)
        all[i++] = *set;
    path_cold(&t, work, all);
    for (u32 i = 0; i < THREADS; i++)
        v[9 * i] = 3 * i;
    timed_write(&t, 0, v, sizeof v);
    timed_run(&t, THREADS / 64, 64);
    timed_read(&t, 0, v, sizeof v);
    for (u32 i = 0; i < THREADS; i++) {
        assert_int_equal(v[9 * i], 4 * i);
        sum += 3 * i;
    }
    assert_int_equal(timed_u32(&t, 65536), sum);
    assert_int_equal(STAT(&t, sm.req_sent), STAT(&t, request.packets));
    assert_int_equal(STAT(&t, sm.reply_got), STAT(&t, reply.packets));
    assert_int_equal(STAT(&t, sm.reply_got), STAT(&t, l2.access));
    timed_close(&t);
}

static const char *const kinds[] = {"noc.kind=ideal", "noc.kind=xbar", "noc.kind=mesh"};

/* Every request sent arrives, and every sector of it comes back. */
static void what_goes_in_comes_out(void **state)
{
    (void)state;
    for (u32 i = 0; i < 3; i++)
        check_work(kinds[i], TIMED_SET("mem.copy_warms_l2=off"));
    check_work("noc.kind=mesh",
               TIMED_SET("mem.copy_warms_l2=off", "noc.vc=any", "noc.buffer_flits=1"));
}

static void shallow_queues_change_no_result(void **state)
{
    (void)state;
    for (u32 i = 0; i < 3; i++)
        check_work(kinds[i],
                   TIMED_SET("mem.copy_warms_l2=off", "noc.inject_flits=1", "noc.buffer_flits=1",
                             "noc.eject_flits=1", "noc.vcs=1", "mem.l2_in=4", "mem.l2_out=1",
                             "mem.l2_dram=1", "mem.dram_l2=1", "dram.queue=1",
                             "dram.return_queue=1", "sm.reply_queue=1", "sm.reply_fifo=1",
                             "l1d.mshrs=1", "l1d.merges=1", "l1d.miss_queue=1", "l2.mshrs=1",
                             "l2.merges=1", "l2.miss_queue=1", "sm.mem_ops=8"));
}

/* The window is bounded by both networks, whichever is faster. */
static void networks_of_different_latency_get_on(void **state)
{
    static const char *const set[][4] = {
        {"noc.kind=xbar", "noc.latency=18", "noc.request_latency=7"},
        {"noc.kind=xbar", "noc.latency=200", "noc.request_latency=1"},
        {"noc.kind=ideal", "noc.latency=1", "noc.request_latency=200"},
        {"noc.kind=xbar", "noc.header_bytes=0"},
        {"noc.kind=mesh", "noc.header_bytes=0"},
        {"noc.kind=mesh", "noc.line_replies=on", "noc.flit_bytes=16"},
        {"noc.kind=mesh", "noc.vc=any", "noc.vcs=16", "noc.input_speedup=4"},
        {"noc.kind=xbar", "noc.line_replies=on", "noc.header_bytes=0"},
    };

    (void)state;
    for (u32 i = 0; i < LEN(set); i++) {
        struct timed t;

        timed_open(&t,
                   TIMED_A
                   "mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;"
                   "ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, %r0; st.global.u32 [%rd1], %r1;"
                   "atom.global.add.u32 %r2, [%rd0+4096], 1;",
                   set[i]);
        timed_run(&t, 30, 64);
        assert_true(timed_u32(&t, 4 * 5) >= 5);
        assert_int_equal(timed_u32(&t, 4096), 30 * 64);
        timed_close(&t);
    }
}

/*
 * 60 CTAs' own words, all in one slice, so that its network backs up.  A lane writes 1 .. 8 one after the other without
 * waiting (sm.atom_blocks): an exchange returns what the one before it has written, and 8 stays.
 */
static void atomics_of_a_warp_stay_in_order(void **state)
{
    static const char body[] = TIMED_A
        "mov.u32 %r0, %ctaid.x; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1;"
        "mov.u32 %r1, %laneid; setp.eq.u32 %p0, %r1, 0;"
        "@%p0 atom.global.exch.b32 %r10, [%rd1], 1; @%p0 atom.global.exch.b32 %r11, [%rd1], 2;"
        "@%p0 atom.global.exch.b32 %r12, [%rd1], 3; @%p0 atom.global.exch.b32 %r13, [%rd1], 4;"
        "@%p0 atom.global.exch.b32 %r14, [%rd1], 5; @%p0 atom.global.exch.b32 %r15, [%rd1], 6;"
        "@%p0 atom.global.exch.b32 %r16, [%rd1], 7; @%p0 atom.global.exch.b32 %r17, [%rd1], 8;"
        "shl.b32 %r11, %r11, 4; shl.b32 %r12, %r12, 8; shl.b32 %r13, %r13, 12;"
        "shl.b32 %r14, %r14, 16; shl.b32 %r15, %r15, 20; shl.b32 %r16, %r16, 24;"
        "shl.b32 %r17, %r17, 28; add.u32 %r10, %r10, %r11; add.u32 %r12, %r12, %r13;"
        "add.u32 %r14, %r14, %r15; add.u32 %r16, %r16, %r17; add.u32 %r10, %r10, %r12;"
        "add.u32 %r14, %r14, %r16; add.u32 %r10, %r10, %r14;"
        "@%p0 st.global.u32 [%rd1+4096], %r10;";
    struct timed t;

    (void)state;
    timed_open(&t, body,
               TIMED_SET("sm.atom_blocks=off", "noc.kind=mesh", "noc.vc=any", "noc.vcs=4",
                         "noc.input_speedup=2", "noc.buffer_flits=2", "noc.eject_flits=4",
                         "noc.flit_bytes=16"));
    timed_once(&t, 0, 60, 32);
    for (u32 i = 0; i < 60; i++) {
        assert_int_equal(timed_u32(&t, 4 * i), 8);
        assert_int_equal(timed_u32(&t, 4096 + 4 * i), 0x76543210);
    }
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_latency_of_one_works),
    cmocka_unit_test(the_window_changes_nothing),
    cmocka_unit_test(a_crossbar_lets_one_packet_to_a_slice_a_cycle),
    cmocka_unit_test(an_unloaded_crossbar_is_ideal),
    cmocka_unit_test(a_mesh_takes_five_cycles_a_hop),
    cmocka_unit_test(router_stages_and_links_add_up),
    cmocka_unit_test(stores_wait_for_the_injection_queue),
    cmocka_unit_test(replies_can_be_parts_of_one_packet),
    cmocka_unit_test(a_line_can_be_one_packet),
    cmocka_unit_test(what_goes_in_comes_out),
    cmocka_unit_test(shallow_queues_change_no_result),
    cmocka_unit_test(networks_of_different_latency_get_on),
    cmocka_unit_test(atomics_of_a_warp_stay_in_order),
};

TEST_MAIN(tests)
