/* t_verdict.c -- what is said to hold a kernel back, for made-up counters of one cause each. */
#include "report/verdict.h"
#include "tests/test_main.h"

static struct counters c;
static struct conf conf;
static struct mech_set mechs;
static struct verdict_kernel k;

/* 15 SMs with two schedulers for 1000 cycles, full of warps, that issue in a tenth of them. */
static void begin(void)
{
    memset(&c, 0, sizeof c);
    memset(&conf, 0, sizeof conf);
    conf.gpu.n_sm = 15, conf.gpu.core_mhz = 1000, conf.gpu.mem_mhz = 1000, conf.sm.n_warp = 48;
    conf.mem.channels = 6, conf.dram.burst_bytes = 32, conf.dram.burst_cycles = 1;
    c.cycles = 1000;
    c.stall.scheduler_cycles = 30000, c.stall.issued = 3000;
    c.sm.busy_cycles = 15000, c.sm.warp_cycles = 40 * 15000;
    c.sm.simt_lanes = c.sm.simt_slots = 3000 * 32;
    c.ptx.warp_insts = 3000, c.sm.issued_mem = 1500;
    static const struct mech lock = {.name = "lock", .holds = "warps wait for each other"};

    for (u32 i = 0; i < MAX_MECHS; i++)
        mechs.at[i].m = &lock;
    k = (struct verdict_kernel){&conf, &mechs, &c, 120, 2, "registers"};
}

static void says(const char *want)
{
    char buf[256];

    assert_string_equal(verdict(&k, buf, sizeof buf), want);
}

static void nothing_timed_is_nothing_said(void **state)
{
    (void)state;
    begin();
    c.stall.scheduler_cycles = 0;
    says("");
}

static void a_full_load_store_unit_is_told_apart(void **state)
{
    (void)state;
    begin();
    c.stall.lsu = 20000;
    c.sm.shared_insts = 1000, c.sm.shared_cycles = 32000;
    says("bank conflicts: an access to shared memory takes 32.0 cycles");
    c.sm.shared_cycles = 1000;
    c.sm.load_store_insts = 500, c.sm.mem_accesses = 16000;
    says("uncoalesced accesses: a load or store of a warp is 32.0 of them");
    c.sm.mem_accesses = 500;
    c.l1d.access = 500, c.l1d.reserv_fail = 1500;
    says("misses of L1D: it tries 4.0 times to take an access");
    c.l1d.reserv_fail = 0;
    says("the load/store unit: 50 % of instructions are for it");
}

static void memory_is_bandwidth_or_latency(void **state)
{
    (void)state;
    begin();
    c.stall.raw_mem = 20000;
    c.sm.load_latency = 40000, c.sm.load_done = 100;
    says("latency of memory: a load takes 400 cycles");
    c.sm.warp_cycles = 8 * 15000;
    says("latency of memory: a load takes 400 cycles; 8.0 of 48 warps are there to hide it "
         "(limited by "
         "registers)");
    c.dram.read = 5000; /* 160 GB/s of 192 */
    says("bandwidth of DRAM: 160.0 of 192.0 GB/s");
    c.sm.load_store_insts = 100, c.sm.mem_accesses = 3200;
    c.sm.load_sectors = 12800, c.sm.load_sectors_used = 3200;
    says("bandwidth of DRAM: 160.0 of 192.0 GB/s; a load or store of a warp is 32.0 accesses; "
         "lanes use "
         "25 % of the sectors they fetch");
}

static void too_few_ctas_are_named(void **state)
{
    (void)state;
    begin();
    c.stall.tail = 16000, c.stall.raw = 9000;
    k.ctas = 4;
    says("too little work: schedulers have no warp for 53 % of the time (2 CTAs a launch for 15 "
         "SMs)");
}

/* 1024 CTAs for 80 SMs, of which launch latency is 18000 of 30000 cycles; it is no lack of work. */
static void launch_latency_is_named_if_it_is_most(void **state)
{
    (void)state;
    begin();
    conf.gpu.n_sm = 80, conf.gpu.launch_latency = 5000;
    k.ctas = 1024, k.n_launch = 1;
    c.stall.launch = 18000, c.stall.raw = 5000, c.stall.no_warp = 4000;
    says("launch latency: 60 % of the time no CTA has come yet (gpu.launch_latency=5000)");
    c.stall.launch = 9000, c.stall.raw = 8000, c.stall.raw_mem = 6000;
    says("launch latency: 30 % of the time no CTA has come yet (gpu.launch_latency=5000)");
}

/* Half of 24000 cycles that CTAs had are lost for want of a warp, and of their bandwidth 80 % is used. */
static void without_launch_latency_it_is_judged_as_if_there_were_none(void **state)
{
    (void)state;
    begin();
    c.stall.launch = 6000, c.stall.issued = 12000, c.stall.raw = 9000;
    says("issue: schedulers are busy in 50 % of cycles; 20 % of the time is launch latency");
    c.stall.issued = 3000, c.stall.raw = 8000, c.stall.tail = 13000;
    k.ctas = 4;
    says("too little work: schedulers have no warp for 54 % of the time (2 CTAs a launch for 15 "
         "SMs); 20 % of the time is launch latency");
    c.stall.raw = 18000, c.stall.tail = 3000,
    c.dram.read = 3840; /* 122.9 GB/s of 192, if it took all of the time */
    says("bandwidth of DRAM: 153.6 of 192.0 GB/s; 20 % of the time is launch latency");
    c.stall.launch = 2000, c.dram.read = 0, c.stall.issued = 7000;
    says("latency of arithmetic: instructions wait for the ones before them");
}

/* CTAs wait, and one warp of a CTA at a time leaves the second scheduler without work. */
static void too_few_warps_are_no_lack_of_ctas(void **state)
{
    (void)state;
    begin();
    c.stall.no_warp = 15000, c.stall.tail = 1000, c.stall.raw = 9000;
    c.sm.warp_cycles = 15000;
    k.ctas = 1024, k.n_launch = 1, k.limit = "shared memory";
    says("occupancy: schedulers have no warp for 53 % of the time while CTAs wait for a place; 1.0 "
         "of 48 warps are there (limited by shared memory)");
}

/* SMs are busy for 6000 of 15000 cycles; where all are busy, CTAs of one warp are too little for two schedulers. */
static void an_uneven_end_is_no_lack_of_ctas(void **state)
{
    (void)state;
    begin();
    c.stall.tail = 17000, c.stall.raw = 9000;
    c.sm.sm_cycles = 15000, c.sm.busy_cycles = 6000;
    k.ctas = 2048;
    says("CTAs that end at different times: schedulers have no warp for 57 % of the time (1024 "
         "CTAs a launch for 15 SMs)");
    c.sm.busy_cycles = 15000;
    says("too little work: schedulers have no warp for 57 % of the time (1024 CTAs a launch for 15 "
         "SMs)");
}

/* Three quarters of the front ends are kept out of the launch; the last is busy most of the time. */
static void front_ends_that_are_off_are_not_asked(void **state)
{
    (void)state;
    begin();
    c.stall.off = 22500, c.stall.issued = 5000, c.stall.raw = 2500;
    says("issue: schedulers are busy in 67 % of cycles");
    c.stall.issued = 500, c.stall.tail = 4500;
    k.ctas = 4;
    says("too little work: schedulers have no warp for 60 % of the time (2 CTAs a launch for 15 "
         "SMs)");
}

static void busy_schedulers_are_good_unless_lanes_idle(void **state)
{
    (void)state;
    begin();
    c.stall.issued = 24000, c.stall.raw = 6000;
    says("issue: schedulers are busy in 80 % of cycles");
    c.sm.simt_lanes /= 4;
    says("issue: schedulers are busy in 80 % of cycles; only 25 % of the lanes are active");
}

static void a_mechanism_that_holds_warps_is_named(void **state)
{
    (void)state;
    begin();
    c.stall.held[2] = 14000, c.stall.gated = 13000;
    says("the mechanism lock: warps wait for each other");
    c.stall.gated = 14001;
    says("units that a mechanism has switched off");
}

/* Reasons are told apart by their names, and a mechanism's is one of them. */
static void no_mechanism_is_named_as_a_stall_reason(void **state)
{
    u32 n;
    const struct mech *const *m = mech_list(&n);

    (void)state;
    for (u32 i = 0; i < n; i++)
        for (u32 reason = 0; reason < stall_sheet.n_stat; reason++)
            assert_string_not_equal(m[i]->name, stall_sheet.stat[reason].name);
}

/* Whatever is on top, there is a sentence for it. */
static void every_reason_has_a_sentence(void **state)
{
    char buf[256];

    (void)state;
    for (u32 reason = STALL_issued + 1; reason < N_STALL; reason++) {
        begin();
        ((u64 *)(void *)&c.stall)[reason] = 20000;
        assert_true(strlen(verdict(&k, buf, sizeof buf)) > 10);
    }
}

static void long_sentences_are_cut(void **state)
{
    char buf[12];

    (void)state;
    begin();
    c.stall.barrier = 20000;
    assert_string_equal(verdict(&k, buf, sizeof buf), "barriers: w");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_timed_is_nothing_said),
    cmocka_unit_test(a_full_load_store_unit_is_told_apart),
    cmocka_unit_test(memory_is_bandwidth_or_latency),
    cmocka_unit_test(too_few_ctas_are_named),
    cmocka_unit_test(launch_latency_is_named_if_it_is_most),
    cmocka_unit_test(without_launch_latency_it_is_judged_as_if_there_were_none),
    cmocka_unit_test(too_few_warps_are_no_lack_of_ctas),
    cmocka_unit_test(an_uneven_end_is_no_lack_of_ctas),
    cmocka_unit_test(front_ends_that_are_off_are_not_asked),
    cmocka_unit_test(busy_schedulers_are_good_unless_lanes_idle),
    cmocka_unit_test(a_mechanism_that_holds_warps_is_named),
    cmocka_unit_test(no_mechanism_is_named_as_a_stall_reason),
    cmocka_unit_test(every_reason_has_a_sentence),
    cmocka_unit_test(long_sentences_are_cut),
};

TEST_MAIN(tests)
