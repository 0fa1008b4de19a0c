/*
 * t_socgpu.c -- out-of-order issue within a warp, counted by hand.
 *
 * The window asks for more as soon as two entries are free: fetch in 1, decode in 2, and from then on
 * two instructions are decoded in each cycle, so that independent ones issue in 3, 4, 5, ..  An
 * instruction issued in t writes back in t + L + 6 (one earlier without register operands), when its
 * column is cleared.  `ret` is barrier-like: with branches=writeback, which is added here where a test does
 * not say otherwise, it is issued when all others have written back, in t, and the launch takes t + 7
 * cycles; so is oldest=valid.
 */
#include "mech/socgpu.h"
#include "tests/micro/clocks.h"

static u64 soc(struct timed *t, const char *keys, const char *body, const char *const *set,
               u32 threads)
{
    char *mech = text_printf("socgpu:%s%s%s", *keys ? keys : "entries=8",
                             strstr(keys, "branches=") ? "" : ",branches=writeback",
                             strstr(keys, "oldest=") ? "" : ",oldest=valid");
    u64 cycles;

    timed_mech = mech;
    cycles = run(t, body, set, 1, threads);
    timed_mech = NULL;
    free(mech);
    return cycles;
}

static u64 soc_cycles(const char *keys, const char *body, const char *const *set)
{
    struct timed t;
    u64 cycles = soc(&t, keys, body, set, 32);

    timed_close(&t);
    return cycles;
}

static struct socgpu_stat soc_stat(const struct timed *t)
{
    struct socgpu_stat s = {0};

    mech_count(t->d[0]->mechs, 0, &s);
    return s;
}

/* min has L 13 and registers: issued in 3, back in 22. */
#define SLOW "min.u32 %r3, %r1, %r2;"
enum { SLOW_BACK = 22 };

/* ---- hazards */

/* ret alone: issued in 3. */
static void an_empty_kernel_takes_as_long_as_without(void **state)
{
    (void)state;
    assert_int_equal(soc_cycles("", "", NULL), 10);
}

/*
 * The third instruction, decoded in 3, is issued in 4 while the second waits for the first until 22;
 * that is back in 32, ret follows.
 */
static void an_independent_instruction_overtakes(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(soc(&t, "", SLOW "add.u32 %r4, %r3, 1; add.u32 %r5, %r6, 1;", NULL, 32),
                     SLOW_BACK + 10 + 7);
    assert_int_equal(soc_stat(&t).ahead, 1);
    assert_int_equal(STAT(&t, stall.raw), SLOW_BACK - 5);
    timed_close(&t);
}

/* A write of what is read, or written, waits for write-back: mov in 22, back in 28. */
static void writes_wait_for_reads_and_writes(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(soc(&t, "", SLOW "mov.u32 %r1, 7;", NULL, 32), SLOW_BACK + 6 + 7);
    assert_int_equal(STAT(&t, stall.war), SLOW_BACK - 4);
    timed_close(&t);
    assert_int_equal(soc(&t, "", SLOW "mov.u32 %r3, 7;", NULL, 32), SLOW_BACK + 6 + 7);
    assert_int_equal(STAT(&t, stall.waw), SLOW_BACK - 4);
    timed_close(&t);
}

/* The matrix has no marks: reads are no dependences, whatever the scoreboard would have made of them. */
static void readers_are_not_counted(void **state)
{
    const char *body = "mov.u32 %r3, %r1; mov.u32 %r4, %r1; mov.u32 %r5, %r1;";

    (void)state;
    assert_int_equal(soc_cycles("", body, TIMED_SET("sm.war=writeback", "sm.war_readers=1")),
                     soc_cycles("", body, NULL));
}

/* The third writes what the first writes and the second reads: it waits for both, until 32. */
static void the_last_of_three_waits_for_both(void **state)
{
    (void)state;
    assert_int_equal(soc_cycles("", SLOW "add.u32 %r4, %r3, 1; mov.u32 %r3, 5;", NULL),
                     SLOW_BACK + 10 + 6 + 7);
}

/* ---- reconvergence */

/*
 * Lanes from 16 on run 3 and 4, which ends at the point where all go on, 5.  The branch is issued when
 * setp is back; 4 would overtake 3, but arrives there: it waits for 3 to be back (oldest=valid) or
 * issued (unissued).  5 waits for 4 to be issued.
 */
#define SIDE                                                                                       \
    "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 16; @%p1 bra L;\n" SLOW "mov.u32 %r5, 1;\n"        \
    "L: mov.u32 %r6, 2;"

static void who_arrives_where_lanes_meet_waits_to_be_the_oldest(void **state)
{
    struct timed t;

    (void)state;
    /* mov 3, back 9; setp 9, back 16; bra 16, back 22 (no operands); min 22, back 41; 4 and 5 in 41, 42 */
    assert_int_equal(soc(&t, "", SIDE, NULL, 32), 42 + 6 + 7);
    assert_int_equal(soc_stat(&t).dropped, 0);
    timed_close(&t);
    /* 4 and 5 in 23 and 24; ret when min is back */
    assert_int_equal(soc_cycles("oldest=unissued", SIDE, NULL), 41 + 7);
}

/*
 * By default both are about issue: bra goes in 16, when setp is back, min in 17, back in 36, 4 and 5 in 18 and 19,
 * ret in 20: min is the last.  With oldest=valid 4 waits for min, 5 and ret follow.
 */
static void branches_and_the_oldest_wait_for_issue_by_default(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = "socgpu";
    assert_int_equal(run(&t, SIDE, NULL, 1, 32), 36 + 1);
    timed_mech = NULL;
    timed_close(&t);
    assert_int_equal(soc_cycles("branches=issue", SIDE, NULL), 36 + 2 + 7);
}

/* ---- flushes */

/*
 * bra waits for min to be back, in 22; what was fetched behind it, three adds and ret, goes.  The
 * flush is in 23, fetch in 23, decode in 24; but all wait for the branch, back in 28.
 */
#define JUMP                                                                                       \
    SLOW "bra M;\nadd.u32 %r4, %r4, 1; add.u32 %r5, %r5, 1; add.u32 %r6, %r6, 1;\n"                \
         "M: add.u32 %r7, %r3, 1;"

static void a_flush_drops_what_was_not_issued(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(soc(&t, "", JUMP, NULL, 32), 28 + 10 + 7);
    assert_int_equal(soc_stat(&t).dropped, 5);
    assert_int_equal(STAT(&t, sm.flushes), 1);
    timed_close(&t);
}

/*
 * bra goes in 4, since min has been issued; the flush is in 5, the target is decoded in 6 and waits for
 * min, which the flush has left alone.  ret goes in 23; the add is back in 32.
 */
static void a_flush_keeps_what_was_issued(void **state)
{
    struct timed t;

    (void)state;
    assert_int_equal(soc(&t, "branches=issue", JUMP, NULL, 32), SLOW_BACK + 10 + 1);
    assert_int_equal(soc_stat(&t).dropped, 4); /* two decoded in 3, two in 4 */
    assert_int_equal(STAT(&t, stall.raw), SLOW_BACK - 7);
    timed_close(&t);
}

/*
 * Sixteen instructions are a line of the I-cache.  The branch that ends the first goes back 99 times, while what
 * is asked for behind it misses: nobody waits for that, and it has come when the loop ends.  So misses cost
 * the loop what the first line costs a kernel that is one line.
 */
static void a_flush_does_not_wait_for_a_miss_of_the_path_that_it_leaves(void **state)
{
#define MOVS "mov.u32 %r9, 1; mov.u32 %r10, 1; mov.u32 %r11, 1; mov.u32 %r12, 1;"
    const char *loop =
        "mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 100;" MOVS MOVS MOVS
        "@%p1 bra L;";
    const char *off[] = {"sm.perfect_icache=off", NULL};
    u64 line = soc_cycles("", "", off) - soc_cycles("", "", NULL);
    u64 most = soc_cycles("", loop, off) - soc_cycles("", loop, NULL);

    (void)state;
    assert_true(line > 100);
    assert_int_equal(most, line);
}

/* ---- what a warp waits for */

/*
 * The address is there in 6; the load goes, and is back in 314.  Its reader waits for it, but the last add for
 * min only, which goes in 4 and is back in 23: until then that is what the warp waits for, then the load.
 * ret waits for the reader, from 315 to 324.
 */
static void a_warp_waits_for_the_first_that_could_go_on(void **state)
{
    struct timed t;

    (void)state;
    soc(&t, "",
        TIMED_A "ld.global.u32 %r3, [%rd0]; min.u32 %r4, %r1, %r2;\n"
                "add.u32 %r5, %r3, 1; add.u32 %r6, %r4, 1;",
        NULL, 32);
    assert_int_equal(STAT(&t, stall.raw), 23 - 5 - 1); /* the load goes in 6 */
    assert_int_equal(STAT(&t, stall.raw_mem), 314 - 24);
    assert_int_equal(STAT(&t, stall.window), 324 - 315);
    timed_close(&t);
}

/*
 * The same load, which waits for its address in 4 and 5.  The first add waits for what it loads, the second only
 * to write the address: what holds the warp is that it cannot rename.  In order, where the second is not
 * looked at, the same 307 cycles are the load's.
 */
static void one_that_only_writes_what_is_read_comes_before_one_that_waits_for_data(void **state)
{
    const char *body =
        TIMED_A "ld.global.u32 %r3, [%rd0]; add.u32 %r5, %r3, 1; add.u64 %rd0, %rd1, 4;";
    struct timed t;

    (void)state;
    soc(&t, "", body, NULL, 32);
    assert_int_equal(STAT(&t, stall.war), 314 - 7);
    assert_int_equal(STAT(&t, stall.raw_mem), 2);
    timed_close(&t);
    run(&t, body, TIMED_SET("sm.war=writeback", "sm.ibuffer=4"), 1, 32);
    assert_int_equal(STAT(&t, stall.raw_mem), 2 + 314 - 7);
    assert_int_equal(STAT(&t, stall.war), 0);
    timed_close(&t);
}

/* ---- a full buffer */

/*
 * Two entries.  ld.param is back in 6, and the first load goes; the second takes its entry and goes in 8.
 * Nothing is fetched from 9 on, until the first is back in 314: the add is decoded in 315 and issued in
 * 316, back in 326.  The buffer is full again from 317 until the second load is back in 324; ret waits
 * for the add.  With eight entries the second load goes in 7, is back in 323, and ret follows.
 */
static void a_buffer_of_issued_loads_stops_fetch(void **state)
{
    struct timed t;
    const char *body = "ld.param.u64 %rd0, [a]; ld.global.u32 %r1, [%rd0]; "
                       "ld.global.u32 %r2, [%rd0+128]; add.u32 %r3, %r4, 1;";

    (void)state;
    assert_int_equal(soc(&t, "entries=2,refill=1", body, NULL, 32), 326 + 7);
    assert_int_equal(soc_stat(&t).full, 2);
    assert_int_equal(STAT(&t, stall.window), (314 - 9) + (324 - 317));
    timed_close(&t);
    assert_int_equal(soc(&t, "entries=8", body, NULL, 32), 323 + 7);
    assert_int_equal(soc_stat(&t).full, 0);
    timed_close(&t);
}

/* ---- two in a cycle */

#define THREE                                                                                      \
    "add.u32 %r1, %r2, 1; add.u32 %r3, %r4, 1; add.u32 %r5, %r6, 1; rcp.approx.f32 %f1, %f2;"
#define TWO "sm.issue_width=2", "sm.dual_issue=other_unit"

/*
 * Two adds are there in 3, two more in 4: add 3, add 4 with rcp beside it if it looks for another unit,
 * add 5; plain has the third add as its next candidate, and rcp beside it in 5.
 */
static void smart_dual_issue_finds_the_other_unit(void **state)
{
    struct timed t;

    (void)state;
    soc(&t, "dual=off", THREE, TIMED_SET(TWO), 32);
    assert_int_equal(STAT(&t, sm.dual_issued), 0);
    timed_close(&t);
    /* rcp (L 8) in 5: back in 19; in 4: 18 */
    assert_int_equal(soc(&t, "dual=plain", THREE, TIMED_SET(TWO), 32), 19 + 7);
    assert_int_equal(STAT(&t, sm.dual_issued), 1);
    timed_close(&t);
    assert_int_equal(soc(&t, "dual=smart", THREE, TIMED_SET(TWO), 32), 18 + 7);
    assert_int_equal(STAT(&t, sm.dual_issued), 1);
    timed_close(&t);
}

/* ---- policies */

/* Three ready ones at once, in 22: which goes first decides when its dependent one does. */
static void policies_choose_as_they_say(void **state)
{
    (void)state;
    /* all wait for SLOW; the last has a dependent min behind it */
    const char *body = SLOW "add.u32 %r4, %r3, 1; add.u32 %r5, %r3, 2; add.u32 %r6, %r3, 3;"
                            "min.u32 %r7, %r6, %r3;";
    u64 first = soc_cycles("policy=first", body, NULL);

    /* first and older: the third add in 24, back in 34, min back in 53 */
    assert_int_equal(first, 53 + 7);
    assert_int_equal(soc_cycles("policy=older", body, NULL), first);
    assert_int_equal(soc_cycles("policy=younger", body, NULL), first - 2);
    assert_int_equal(soc_cycles("policy=most_ready", body, NULL), first);
}

/*
 * Two mins are back in 22 and 23.  In 23 two adds have been ready since 22 and one, with a min behind
 * it, since then: it goes in 23 (least_ready) or when the others have gone, in 25.
 */
static void policies_see_how_long_an_instruction_was_ready(void **state)
{
    const char *body = SLOW "min.u32 %r4, %r1, %r2; add.u32 %r5, %r3, 1; add.u32 %r6, %r3, 2;"
                            "add.u32 %r7, %r3, 3; add.u32 %r8, %r4, 1; min.u32 %r9, %r8, %r1;";

    (void)state;
    assert_int_equal(soc_cycles("policy=most_ready", body, NULL), 25 + 10 + 19 + 7);
    assert_int_equal(soc_cycles("policy=least_ready", body, NULL), 23 + 10 + 19 + 7);
}

/* Five adds are ready at once, one of which a min waits for: seeds differ, runs with the same do not. */
static void random_is_repeated_by_its_seed(void **state)
{
    const char *body = SLOW "add.u32 %r4, %r3, 1; add.u32 %r5, %r3, 2; add.u32 %r6, %r3, 3;"
                            "add.u32 %r7, %r3, 4; add.u32 %r8, %r3, 5; min.u32 %r9, %r8, %r8;";
    u32 other = 0;

    (void)state;
    for (u32 i = 1; i <= 8; i++) {
        char *near = text_printf("policy=random,seed=%u", i);
        char *far = text_printf("policy=random,seed=%u", i + 65536);
        u64 n = soc_cycles(near, body, NULL);

        assert_int_equal(soc_cycles(near, body, NULL), n);
        other += soc_cycles(far, body, NULL) != n;
        free(near), free(far);
    }
    assert_true(other > 0);
}

/* ---- memory */

static u32 loaded(const char *keys, const char *off, u64 *overtook, u64 *cycles)
{
    struct timed t;
    char *body = text_printf("ld.param.u64 %%rd0, [a];\nmin.u32 %%r3, %%r1, %%r2;\n"
                             "add.u32 %%r3, %%r3, 9; st.global.u32 [%%rd0], %%r3;\n"
                             "ld.global.u32 %%r4, [%%rd0+%s]; st.global.u32 [%%rd0+256], %%r4;",
                             off);
    u32 v = 0;

    *cycles = soc(&t, keys, body, NULL, 1);
    *overtook = soc_stat(&t).overtook;
    timed_read(&t, 256, &v, 4);
    timed_close(&t);
    free(body);
    return v;
}

/* The store's value is late: only `none` lets the load of the same bytes go first, and counts it. */
static void a_load_does_not_overtake_a_store_of_its_bytes(void **state)
{
    u64 n, same, other, slow;

    (void)state;
    assert_int_equal(loaded("memory_order=none", "0", &n, &same), 0);
    assert_int_equal(n, 1);
    assert_int_equal(loaded("memory_order=store", "0", &n, &slow), 9);
    assert_int_equal(n, 0);
    assert_int_equal(loaded("memory_order=exact", "0", &n, &same), 9);
    assert_int_equal(same, slow);
    /* other bytes: exact is as fast as none, store as before */
    assert_int_equal(loaded("memory_order=exact", "4", &n, &same), 0);
    assert_int_equal(loaded("memory_order=none", "4", &n, &other), 0);
    assert_int_equal(n, 0);
    assert_int_equal(same, other);
    assert_true(same < slow);
}

/*
 * An atomic may tell others that stores before it have been done, to shared memory too: it waits for one
 * whose value is late, whatever the order of accesses.  Without that store it overtakes.
 */
static void an_atomic_overtakes_no_store_of_another_space(void **state)
{
    const char *store = TIMED_A SLOW "add.u32 %r4, %r3, 1;\n"
                                     "st.shared.u32 [s], %r4; red.global.add.u32 [%rd0], 1;";
    const char *none = TIMED_A SLOW "add.u32 %r4, %r3, 1;\n"
                                    "mov.u32 %r5, %r4; red.global.add.u32 [%rd0], 1;";

    (void)state;
    for (u32 i = 0; i < 3; i++) {
        static const char *const keys[] = {"memory_order=none", "memory_order=store", ""};
        struct timed t;

        soc(&t, keys[i], store, NULL, 32);
        assert_int_equal(soc_stat(&t).ahead, 0);
        timed_close(&t);
        soc(&t, keys[i], none, NULL, 32);
        assert_int_equal(soc_stat(&t).ahead, 1);
        timed_close(&t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_empty_kernel_takes_as_long_as_without),
    cmocka_unit_test(an_independent_instruction_overtakes),
    cmocka_unit_test(writes_wait_for_reads_and_writes),
    cmocka_unit_test(readers_are_not_counted),
    cmocka_unit_test(the_last_of_three_waits_for_both),
    cmocka_unit_test(who_arrives_where_lanes_meet_waits_to_be_the_oldest),
    cmocka_unit_test(branches_and_the_oldest_wait_for_issue_by_default),
    cmocka_unit_test(a_flush_drops_what_was_not_issued),
    cmocka_unit_test(a_flush_keeps_what_was_issued),
    cmocka_unit_test(a_flush_does_not_wait_for_a_miss_of_the_path_that_it_leaves),
    cmocka_unit_test(a_warp_waits_for_the_first_that_could_go_on),
    cmocka_unit_test(one_that_only_writes_what_is_read_comes_before_one_that_waits_for_data),
    cmocka_unit_test(a_buffer_of_issued_loads_stops_fetch),
    cmocka_unit_test(smart_dual_issue_finds_the_other_unit),
    cmocka_unit_test(policies_choose_as_they_say),
    cmocka_unit_test(a_load_does_not_overtake_a_store_of_its_bytes),
    cmocka_unit_test(an_atomic_overtakes_no_store_of_another_space),
    cmocka_unit_test(policies_see_how_long_an_instruction_was_ready),
    cmocka_unit_test(random_is_repeated_by_its_seed),
};

TEST_MAIN(tests)
