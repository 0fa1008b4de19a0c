/* t_l2.c -- L2 slices: writes, merging, write-backs, their data port; see memory_path.h */
#include "tests/micro/memory_path.h"

/*
 * What the host copied is there, unless mem.copy_warms_l2 is off: then all four sectors come from
 * DRAM.
 */
static void a_copy_of_the_host_warms_l2(void **state)
{
    static const char body[] = TIMED_A "ld.global.u32 %r1, [%rd0];";
    struct timed t;

    (void)state;
    path_check(&t, body, TIMED_SET("gpu.mem_mhz=700"), 32, 6 + 180 + 1);
    assert_int_equal(STAT(&t, l2.miss), 0);
    assert_int_equal(STAT(&t, dram.read), 0);
    timed_close(&t);
    path_check(&t, body, TIMED_SET("gpu.mem_mhz=700", "mem.copy_warms_l2=off"), 32, 6 + 315 + 1);
    assert_int_equal(STAT(&t, l2.miss), 4);
    assert_int_equal(STAT(&t, dram.read), 4);
    timed_close(&t);
}

/* The second launch, from another SM, finds what the first one fetched. */
static void l2_keeps_its_lines_between_launches(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0];", 32, 6 + 315 + 1);
    assert_int_equal(timed_run(&t, 1, 32), 6 + 180 + 1);
    assert_int_equal(STAT(&t, dram.read), 0);
    timed_close(&t);
}

/*
 * 4 of 32 bytes are written, in 6; the load of 8 arrives after the store and needs the others:
 * fetched from DRAM.
 */
static void a_sector_written_in_part_is_fetched_when_read(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, TIMED_A "st.global.cg.u32 [%rd0], %r1; ld.global.cg.u32 %r2, [%rd0];", 32,
               8 + 270 + 1);
    assert_int_equal(STAT(&t, l2.access), 2);
    assert_int_equal(STAT(&t, l2.miss), 2);
    assert_int_equal(STAT(&t, dram.read), 1);
    assert_int_equal(STAT(&t, dram.write), 0);
    timed_close(&t);
}

/* Eight lanes write all 32 bytes, in 29: the load of 30 hits. */
static void a_sector_written_in_full_hits(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, LANES(4) "st.global.cg.u32 [%rd1], %r0; ld.global.cg.u32 %r1, [%rd1];", 8,
               30 + 141 + 1);
    assert_int_equal(STAT(&t, l2.miss), 1);
    assert_int_equal(STAT(&t, dram.read), 0);
    timed_close(&t);
}

/*
 * A store of a whole line, issued in 29 and sent in 69, is at the slice in 78, when its tail is.
 * The load, issued in 30 and sent in 70, is behind it: 79.  Its sectors follow the store's into the
 * input queue in 202 .. 205 and hit; the last replies in 207, is at the SM in 213, fills the line
 * in 214 and is written back in 216.
 */
static void a_line_written_in_full_hits(void **state)
{
    struct timed t;

    (void)state;
    path_cold(&t, LANES(4) "st.global.u32 [%rd1], %r0; ld.global.u32 %r1, [%rd1];",
              TIMED_SET("gpu.mem_mhz=700"));
    assert_int_equal(timed_run(&t, 1, 32), 216 + 1);
    assert_int_equal(STAT(&t, l2.access), 8);
    assert_int_equal(STAT(&t, l2.miss), 4);
    assert_int_equal(STAT(&t, dram.read), 0);
    timed_close(&t);
}

/* In the upper half of a line too, where GPGPU-Sim takes it for partial (docs/MODEL.md). */
static void the_upper_half_of_a_line_is_no_different(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t, LANES(4) "st.global.cg.u32 [%rd1+64], %r0; ld.global.cg.u32 %r1, [%rd1+64];", 8,
               30 + 141 + 1);
    assert_int_equal(STAT(&t, dram.read), 0);
    timed_close(&t);
}

/*
 * Two SMs want a sector that is in DRAM.  The slice takes their requests one after the other, looks
 * them up in T and T+1, fetches once, and replies in T+130 and T+131.
 */
static void two_sms_share_a_fetch(void **state)
{
    struct timed t;

    (void)state;
    path_cold(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0];", TIMED_SET("gpu.mem_mhz=700"));
    assert_int_equal(timed_run(&t, 2, 32), 6 + 271 + 1);
    assert_int_equal(STAT(&t, l2.access), 2);
    assert_int_equal(STAT(&t, l2.miss), 1);
    assert_int_equal(STAT(&t, l2.pending_hit), 1);
    assert_int_equal(STAT(&t, dram.read), 1);
    timed_close(&t);
}

/*
 * Four may wait for a sector.  The fifth is looked up in T+4 and again until the sector is filled
 * in T+128, where it hits; it replies in T+129, the others from T+130 to T+133: 273.
 */
static void the_fifth_sm_waits_in_front_of_the_tags(void **state)
{
    struct timed t;

    (void)state;
    path_cold(&t, TIMED_A "ld.global.cg.u32 %r1, [%rd0];", TIMED_SET("gpu.mem_mhz=700"));
    assert_int_equal(timed_run(&t, 5, 32), 6 + 273 + 1);
    assert_int_equal(STAT(&t, l2.pending_hit), 3);
    assert_int_equal(STAT(&t, l2.reserv_fail), 124);
    assert_int_equal(STAT(&t, l2.access), 5);
    assert_int_equal(STAT(&t, dram.read), 1);
    timed_close(&t);
}

/*
 * 16 bytes a cycle: a sector hit takes the data port two cycles, looked up in T, T+2, T+4, T+6: 3
 * more.
 */
static void hits_wait_for_the_data_port(void **state)
{
    struct timed t;

    (void)state;
    path_check(&t, TIMED_A "ld.global.u32 %r1, [%rd0];", TIMED_SET("mem.l2_port_bytes=16"), 32,
               6 + 180 + 3 + 1);
    assert_int_equal(STAT(&t, slice.port_busy), 3);
    timed_close(&t);
}

/*
 * Nine stores to lines of one set of eight ways: the ninth evicts the first.  They issue in 6, 8,
 * 9, 11, 12, 14, 15, 17, 18; the last, which skips L1D, is sent in 22, at the slice in 28, looked
 * up in 149; its acknowledgement is back in 157.  The write-back has the delay of 100 before it, so
 * it is in DRAM in the next launch, in which all nine evict again.
 */
static void the_ninth_line_of_a_set_writes_back_the_first(void **state)
{
    struct timed t;

    (void)state;
    cold_check(&t,
               TIMED_A "st.global.cg.u32 [%rd0], %r1; st.global.cg.u32 [%rd0+98304], %r1;"
                       "st.global.cg.u32 [%rd0+196608], %r1; st.global.cg.u32 [%rd0+294912], %r1;"
                       "st.global.cg.u32 [%rd0+393216], %r1; st.global.cg.u32 [%rd0+491520], %r1;"
                       "st.global.cg.u32 [%rd0+589824], %r1; st.global.cg.u32 [%rd0+688128], %r1;"
                       "st.global.cg.u32 [%rd0+786432], %r1;",
               32, 157 + 1);
    assert_int_equal(STAT(&t, l2.miss), 9);
    assert_int_equal(STAT(&t, l2.evict), 1);
    assert_int_equal(STAT(&t, l2.write_back), 1);
    assert_int_equal(STAT(&t, dram.write), 0);
    assert_int_equal(timed_run(&t, 1, 32), 157 + 1);
    assert_int_equal(STAT(&t, l2.evict), 9);
    assert_int_equal(STAT(&t, l2.write_back), 9);
    assert_int_equal(STAT(&t, dram.write), 1);
    assert_int_equal(STAT(&t, dram.write_back), 1);
    timed_close(&t);
}

/*
 * Two lines of one set with one way, stored in 29 and 30 and sent in 69 and 70, four flits each: at
 * the slice in 78 and 82.  The sectors of the first are looked up in 199 .. 202, the first of the
 * second in T = 203.  It evicts 128 dirty bytes, which hold the data port for four cycles: the
 * others follow in 207 .. 209, and the last acknowledgement is sent in 210 and counted in 217.
 *
 * Without the delay in front of DRAM the write-back, two bursts of 64 bytes, is at its bank in T+3
 * = 206 and written in 213 (tRCDWR 7) and 216 (tCCDL 3).
 */
static void a_dirty_line_is_written_back_in_two_bursts(void **state)
{
    struct timed t;

    (void)state;
    path_cold(&t, LANES(4) "st.global.u32 [%rd1], %r0; st.global.u32 [%rd1+98304], %r0;",
              TIMED_SET("gpu.mem_mhz=700", "l2.ways=1", "mem.dram_latency=0"));
    assert_int_equal(timed_run(&t, 1, 32), 217 + 1);
    assert_int_equal(STAT(&t, l2.evict), 1);
    assert_int_equal(STAT(&t, l2.write_back), 4);
    assert_int_equal(STAT(&t, slice.port_busy), 3);
    assert_int_equal(STAT(&t, dram.act), 1);
    assert_int_equal(STAT(&t, dram.write), 2);
    assert_int_equal(STAT(&t, dram.write_back), 2);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_copy_of_the_host_warms_l2),
    cmocka_unit_test(l2_keeps_its_lines_between_launches),
    cmocka_unit_test(a_sector_written_in_part_is_fetched_when_read),
    cmocka_unit_test(a_sector_written_in_full_hits),
    cmocka_unit_test(a_line_written_in_full_hits),
    cmocka_unit_test(the_upper_half_of_a_line_is_no_different),
    cmocka_unit_test(two_sms_share_a_fetch),
    cmocka_unit_test(the_fifth_sm_waits_in_front_of_the_tags),
    cmocka_unit_test(hits_wait_for_the_data_port),
    cmocka_unit_test(the_ninth_line_of_a_set_writes_back_the_first),
    cmocka_unit_test(a_dirty_line_is_written_back_in_two_bursts),
};

TEST_MAIN(tests)
