/* t_conf_gpus.c -- the bundled GPUs say what their papers and data sheets say. */
#include "conf/conf.h"
#include "tests/test_main.h"

#include <math.h>

enum { NOC_IDEAL, NOC_XBAR, NOC_MESH }; /* the words of noc.kind */
enum { LARGEST_STORE = 32 * 32 };       /* of a warp in one piece: a vector of 32 bytes a lane */

static struct conf c;
static struct err e;

static void load(const char *gpu)
{
    if (!conf_make(&c, gpu, NULL, 0, &e))
        fail_msg("%s: %s", gpu, e.msg);
    assert_string_equal(c.name, gpu);
}

static int drop(void **state)
{
    (void)state;
    conf_free(&c);
    return 0;
}

static u64 bytes(const struct cache_conf *k)
{
    return k->sets * k->ways * k->line;
}

static void has_cache(const struct cache_conf *k, u64 kb, u64 ways, u64 line)
{
    assert_int_equal(bytes(k), kb << 10);
    assert_int_equal(k->ways, ways);
    assert_int_equal(k->line, line);
}

/* GB/s that the channels move at most. */
static double bandwidth(void)
{
    double clocks = (double)c.gpu.mem_mhz / (double)c.dram.burst_cycles;

    return (double)(c.mem.channels * c.dram.burst_bytes) * clocks / 1e3;
}

/* Gflop/s of one class of operations, two flops each, on `units` pipelines of an SM. */
static double gflops(u64 units, u64 interval)
{
    double lanes = (double)(c.gpu.n_sm * c.sm.sub_cores * units * c.sm.simd_width);

    return 2 * lanes * (double)c.gpu.core_mhz / 1e3 / (double)interval;
}

static void is_near(double is, double wanted, double share)
{
    if (fabs(is - wanted) > share * wanted)
        fail_msg("%g is not within %g %% of %g", is, 100 * share, wanted);
}

/* ---- all */

static const char *const gpus[] = {"amoeba",     "buddy",      "gates",     "gtx1080",   "gtx480",
                                   "gtx480-321", "gtx480-322", "gtx480-3x", "gtx480-hw", "share",
                                   "socgpu",     "tiny",       "titanx"};

static void each(void (*check)(void))
{
    for (size_t i = 0; i < LEN(gpus); i++) {
        print_message("%s\n", gpus[i]);
        load(gpus[i]);
        check();
        conf_free(&c);
    }
    conf_defaults(&c);
}

static void is_whole(void)
{
    assert_true(strlen(c.gpu.name) > 3);
    assert_int_equal(c.sm.max_threads, c.sm.n_warp * 32 * c.sm.warp_words);
    assert_true(c.sm.max_block_threads <= c.sm.max_threads);
}

static void all_load_and_fit_together(void **state)
{
    (void)state;
    each(is_whole);
}

static void is_wide(void)
{
    is_near(bandwidth(), (double)(c.gpu.bus_bits / 8 * 4 * c.gpu.mem_mhz) / 1e3, 1e-9);
}

/* GDDR5 and GDDR5X: four beats a command clock. */
static void channels_add_up_to_the_bus_that_programs_see(void **state)
{
    (void)state;
    each(is_wide);
}

/* ---- real GPUs */

static void gtx480_hw_has_the_peaks_of_the_data_sheet(void **state)
{
    (void)state;
    load("gtx480-hw");
    assert_int_equal(c.gpu.n_sm, 15);
    assert_int_equal(c.gpu.cc_major * 10 + c.gpu.cc_minor, 20);
    is_near(bandwidth(), 177.4, 0.01);
    is_near(gflops(c.sm.sp_clusters, c.op.ffma_ii), 1345, 0.01);
    is_near(gflops(c.sm.dp_units, c.op.dfma_ii), 168, 0.01); /* an eighth */
    has_cache(&c.l1d, 16, 4, 128);
    assert_int_equal(conf_l2_bytes(&c), 768 << 10);
    assert_int_equal(c.mem.size, 1536 << 20);
    assert_int_equal(c.op.ffma_lat, c.op.fmul_lat);
    assert_int_equal(c.op.ffma_ii, c.op.fmul_ii);
    assert_int_equal(c.mem.copy_warms_l2, 0);
}

static void gtx1080_has_the_figures_of_the_whitepaper(void **state)
{
    (void)state;
    load("gtx1080");
    assert_int_equal(c.gpu.n_sm, 20);
    assert_int_equal(c.gpu.core_mhz, 1607);
    assert_int_equal(c.gpu.cc_major * 10 + c.gpu.cc_minor, 61);
    is_near(bandwidth(), 320, 0.01);
    is_near(gflops(c.sm.sp_clusters, c.op.ffma_ii), 8228, 0.01);     /* 2560 cores */
    is_near(gflops(c.sm.dp_units, c.op.dfma_ii), 8228.0 / 32, 0.01); /* a thirty-second */
    is_near(gflops(c.sm.sfu_units, c.op.sfu_ii), 8228.0 / 4, 0.01);  /* 32 of 128 lanes */
    assert_int_equal(c.sm.n_warp, 64);
    assert_int_equal(c.sm.regs, 65536);
    assert_int_equal(c.sm.shared, 96 << 10);
    assert_int_equal(c.sm.schedulers, 4);
    assert_int_equal(c.sm.sub_cores, 4);
    assert_int_equal(c.sm.issue_width, 2);
    assert_int_equal(bytes(&c.l1d), 24 << 10);
    assert_int_equal(c.l1d.sector, 32);
    assert_int_equal(conf_l2_bytes(&c), 2 << 20);
    assert_int_equal(c.mem.channels, 8);
    assert_int_equal(c.mem.size, 8ull << 30);
}

static void titanx_is_that_of_gpgpu_sim(void **state)
{
    (void)state;
    load("titanx");
    assert_int_equal(c.gpu.n_sm, 28);
    assert_int_equal(c.gpu.core_mhz, 1417);
    is_near(bandwidth(), 480, 0.01);
    is_near(gflops(c.sm.sp_clusters, c.op.ffma_ii), 10157, 0.01);
    assert_int_equal(c.mem.channels, 12);
    assert_int_equal(conf_l2_bytes(&c), 3 << 20);
    assert_int_equal(bytes(&c.l1d), 48 << 10);
    assert_int_equal(bytes(&c.l1i), 4 << 10);
    assert_int_equal(bytes(&c.l1t), 48 << 10);
    assert_int_equal(c.sm.global_l1, 0);
}

/* ---- the papers */

/* GPGPU-Sim 3.2: no latency of L1 and shared memory, L2 of whole lines, short queues, cold L2. */
static void is_3_2(void)
{
    assert_int_equal(c.sm.smem_latency, 3);
    assert_int_equal(c.l1d.latency, 0);
    assert_int_equal(c.l2.sector, 0);
    assert_int_equal(c.l2.mshrs, 32);
    assert_int_equal(c.dram.queue, 16);
    assert_int_equal(c.mem.copy_warms_l2, 0);
}

static void papers_have_the_simulator_they_name(void **state)
{
    static const char *const old[] = {"gtx480-321", "gtx480-322", "gtx480-3x", "gates",
                                      "buddy",      "amoeba",     "share"};

    (void)state;
    for (size_t i = 0; i < LEN(old); i++) {
        load(old[i]);
        is_3_2();
        conf_free(&c);
    }
    load("gates");
    assert_int_equal(c.l1d.mshrs, 32);
}

/* What GTX480/gpgpusim.config and its .icnt of the two releases say of L1D, L2, network and DRAM. */
static void releases_of_3_2_are_whole(void **state)
{
    static const struct {
        const char *name;
        u64 noc_mhz, slices, kb, ways, returns, vc_alloc;
        const char *bank;
    } row[] = {{"gtx480-321", 1400, 1, 128, 16, 16, 0, "12"},
               {"gtx480-322", 0, 2, 64, 8, 116, 1, "8"}};

    (void)state;
    for (size_t i = 0; i < LEN(row); i++) {
        load(row[i].name);
        has_cache(&c.l1d, 16, 4, 128);
        assert_int_equal(c.l1d.index, INDEX_LINEAR);
        assert_int_equal(c.l1d.mshrs, 32);
        has_cache(&c.l2, row[i].kb, row[i].ways, 128);
        assert_int_equal(c.mem.channels, 6);
        assert_int_equal(c.mem.slices, row[i].slices);
        assert_string_equal(c.mem.bank_bits.item[0], row[i].bank);
        assert_int_equal(c.noc.mhz, row[i].noc_mhz);
        assert_int_equal(c.noc.flit_bytes, 32);
        assert_int_equal(c.noc.buffer_flits, 8);
        assert_int_equal(c.noc.vc_alloc, row[i].vc_alloc);
        assert_int_equal(c.dram.return_queue, row[i].returns);
        conf_free(&c);
    }
}

/*
 * Table III: 16 SMs; warp size 32; 1,536 threads, 48 warps, 8 CTAs; 700/924 MHz; interconnect 1.4 GHz,
 * 32 bytes wide, crossbar; registers 32,768; shared 48KB; constant 8KB two-way 64B; GTO; FR-FCFS, 6 memory modules.
 * Other caches are those of the file of GPGPU-Sim 3.2.1, SETS:LINE:WAYS, whose numbers of sets are the table's KB: texture
 * 4:128:24, L1D 32:128:4, L1I 4:128:4, L2 64:128:16 in each of 6 partitions, all linear.
 */
static void buddy_is_table_3(void **state)
{
    (void)state;
    load("buddy");
    assert_int_equal(c.gpu.n_sm, 16);
    assert_int_equal(c.sm.warp_words, 1);
    assert_int_equal(c.sm.max_threads, 1536);
    assert_int_equal(c.sm.n_warp, 48);
    assert_int_equal(c.sm.max_cta, 8);
    assert_int_equal(c.gpu.core_mhz, 700);
    assert_int_equal(c.gpu.mem_mhz, 924);
    assert_int_equal(c.noc.kind, NOC_XBAR);
    assert_int_equal(c.noc.mhz, 1400);
    assert_int_equal(c.noc.flit_bytes, 32);
    assert_int_equal(c.sm.regs, 32768);
    assert_int_equal(c.sm.shared, 48 << 10);
    has_cache(&c.l1c, 8, 2, 64);
    has_cache(&c.l1t, 12, 24, 128);
    has_cache(&c.l1d, 16, 4, 128);
    has_cache(&c.l1i, 2, 4, 128);
    assert_int_equal(c.l1d.sets, 32);
    assert_int_equal(c.l1d.index, INDEX_LINEAR);
    assert_int_equal(c.mem.slices * c.l2.sets, 64);
    assert_int_equal(c.l2.ways, 16);
    assert_int_equal(c.l2.line, 128);
    assert_string_equal(c.sm.scheduler, "gto");
    assert_string_equal(c.dram.scheduler, "frfcfs");
    assert_int_equal(c.mem.channels, 6);
}

/*
 * Section 7.1: 700 MHz, 15 SMs, two SP units of 16 double-frequency cores with INT and FP pipelines, four
 * SFUs, two-level scheduler, 48 warps, two warps a cycle.  Section 6: at most 32 active warps.
 */
static void gates_is_section_7_1(void **state)
{
    (void)state;
    load("gates");
    assert_int_equal(c.gpu.core_mhz, 700);
    assert_int_equal(c.gpu.n_sm, 15);
    assert_int_equal(c.sm.sp_clusters, 2);
    assert_int_equal(c.sm.simd_width, 2 * 16);
    assert_int_equal(c.sm.sp_split, 1);
    assert_int_equal(c.sm.sfu_units * 32 / c.op.sfu_ii, 4);
    assert_string_equal(c.sm.scheduler, "two_level");
    assert_int_equal(c.sm.n_warp, 48);
    assert_int_equal(c.sm.schedulers * c.sm.issue_width * c.sm.picks, 2);
    assert_int_equal(c.sm.schedulers * c.sm.active_warps, 32);
    assert_int_equal(c.op.iadd_lat, 4);
    assert_int_equal(c.op.fadd_lat, 4);
}

/*
 * Table II, Baseline: 12 | 32 | 24 | 16K | 16 | 16K | 16 | 16K | 16, read as SMs, warp width, warps, shared memory and its
 * banks, L1D and its MSHRs, registers and their banks.  L2 256K, 4 controllers, 8 CTAs, 700MHz.
 */
static void share_is_the_baseline_of_table_2(void **state)
{
    (void)state;
    load("share");
    assert_int_equal(c.gpu.n_sm, 12);
    assert_int_equal(c.sm.warp_words * 32, 32);
    assert_int_equal(c.sm.n_warp, 24);
    assert_int_equal(c.sm.shared, 16 << 10);
    assert_int_equal(c.sm.smem_banks, 16);
    assert_int_equal(bytes(&c.l1d), 16 << 10);
    assert_int_equal(c.l1d.mshrs, 16);
    assert_int_equal(c.sm.regs, 16 << 10);
    assert_int_equal(c.sm.banks, 16);
    assert_int_equal(conf_l2_bytes(&c), 256 << 10);
    assert_int_equal(c.mem.channels, 4);
    assert_int_equal(c.sm.max_cta, 8);
    assert_int_equal(c.gpu.core_mhz, 700);
}

/*
 * Table 5.1, baseline: 1480 MHz; 2 issues a warp; SP/SFU/MEM units per sub-core 4/4/1; 28 SMs; 8 collector units
 * an SM; 64 warps; 65536 registers; warp width 32; L1/shared 12 KB/32 KB; 4 sub-cores; fetch throughput
 * 4; one scheduler a sub-core; 11 memory partitions; GTO.  Chapter 5: WAR until write-back.
 */
static void socgpu_is_table_5_1(void **state)
{
    (void)state;
    load("socgpu");
    assert_int_equal(c.gpu.core_mhz, 1480);
    assert_int_equal(c.sm.issue_width, 2);
    assert_int_equal(c.sm.sp_clusters, 4);
    assert_int_equal(c.sm.sfu_units, 4);
    assert_int_equal(c.sm.width_mem, 1);
    assert_int_equal(c.gpu.n_sm, 28);
    assert_int_equal(c.sm.cu_any * c.sm.sub_cores, 8);
    assert_int_equal(c.sm.n_warp, 64);
    assert_int_equal(c.sm.regs, 65536);
    assert_int_equal(c.sm.warp_words * 32, 32);
    assert_int_equal(bytes(&c.l1d), 12 << 10);
    assert_int_equal(c.sm.shared, 32 << 10);
    assert_int_equal(c.sm.sub_cores, 4);
    assert_int_equal(c.sm.fetch_width, 4);
    assert_int_equal(c.sm.schedulers, c.sm.sub_cores);
    assert_int_equal(c.mem.channels, 11);
    assert_string_equal(c.sm.scheduler, "gto");
    assert_int_equal(c.sm.war, 2);
    assert_int_equal(c.sm.war_readers, 1);
}

/*
 * Table 1: 48 cores; 8 controllers; MSHR 64; warp size 32; SIMD width 8 (the text's 32 here); 1024 threads; 8 CTAs;
 * constant 8KB; texture 8KB; L1 16KB; L2 128KB (a controller's); 16384 registers; GTO; shared 48 KB; FR-FCFS;
 * 924 MHz; channel 128 bit; mesh; 2 router stages.
 */
static void amoeba_is_table_1(void **state)
{
    (void)state;
    load("amoeba");
    assert_int_equal(c.gpu.n_sm, 48);
    assert_int_equal(c.mem.channels, 8);
    assert_int_equal(c.l1d.mshrs, 64);
    assert_int_equal(c.sm.warp_words * 32, 32);
    assert_int_equal(c.sm.simd_width, 32);
    assert_int_equal(c.sm.max_threads, 1024);
    assert_int_equal(c.sm.max_cta, 8);
    assert_int_equal(bytes(&c.l1c), 8 << 10);
    assert_int_equal(bytes(&c.l1t), 8 << 10);
    assert_int_equal(bytes(&c.l1d), 16 << 10);
    assert_int_equal(c.mem.slices * bytes(&c.l2), 128 << 10);
    assert_int_equal(c.sm.regs, 16384);
    assert_string_equal(c.sm.scheduler, "gto");
    assert_int_equal(c.sm.shared, 48 << 10);
    assert_string_equal(c.dram.scheduler, "frfcfs");
    assert_int_equal(c.gpu.mem_mhz, 924);
    assert_int_equal(c.noc.flit_bytes * 8, 128);
    assert_int_equal(c.noc.kind, NOC_MESH);
    assert_int_equal(c.noc.router_stages, 2);
}

/*
 * "8 memory controllers", of which each has "injection queues": 8 nodes.  BookSim in GPGPU-Sim 3.2.2: a channel a packet
 * and link, any of 16, of which requests have 0 to 7 and replies 8 to 15; the GTX 480's file: 8 flits, input speed-up 2.
 */
static void amoeba_has_booksims_routers(void **state)
{
    (void)state;
    load("amoeba");
    assert_int_equal(c.mem.slices, 1);
    assert_int_equal(c.noc.vc, 1);
    assert_int_equal(c.noc.vcs, 8);
    assert_int_equal(c.noc.buffer_flits, 8);
    assert_int_equal(c.noc.input_speedup, 2);
}

static void amoeba_can_have_the_width_of_its_table(void **state)
{
    (void)state;
    static const char *const set[] = {"sm.simd_width=8"};
    assert_true(conf_make(&c, "amoeba", set, 1, &e));
    assert_int_equal(c.sm.simd_width, 8);
}

/* ---- memory */

/* Neither a key's default nor the GPU of a chip lets a warp's store jump into the next buffer. */
static void guards_are_larger_than_a_store(void **state)
{
    static const char *const chips[] = {"gtx480-hw", "gtx1080", "v100", "tiny"};
    struct mem_conf mem;

    (void)state;
    sheet_defaults(&mem_sheet, &mem);
    assert_true(mem.guard > LARGEST_STORE);
    sheet_free(&mem_sheet, &mem);
    for (u32 i = 0; i < LEN(chips); i++) {
        load(chips[i]);
        assert_true(c.mem.guard > LARGEST_STORE);
        conf_free(&c);
    }
}

static void buffers_stand_where_the_papers_simulators_put_them(void **state)
{
    static const char *const models[] = {"gtx480", "gtx480-321", "gtx480-322", "gtx480-3x",
                                         "titanx", "gates",      "buddy",      "share",
                                         "amoeba", "socgpu"};

    (void)state;
    for (u32 i = 0; i < LEN(models); i++) {
        load(models[i]);
        assert_int_equal(c.mem.guard, 0);
        conf_free(&c);
    }
}

/* ---- tiny */

static void tiny_is_small_in_everything(void **state)
{
    (void)state;
    load("tiny");
    assert_int_equal(c.gpu.n_sm, 2);
    assert_int_equal(c.mem.channels * c.mem.slices, 2);
    assert_int_equal(c.noc.kind, NOC_XBAR);
    assert_true(bytes(&c.l1i) <= 1 << 10 && bytes(&c.l1c) <= 1 << 10);
    assert_true(bytes(&c.l1t) <= 1 << 10 && bytes(&c.l1d) <= 2 << 10);
    assert_int_equal(conf_l2_bytes(&c), 64 << 10);
    assert_true(c.l1d.mshrs <= 8 && c.l2.mshrs <= 8 && c.dram.queue <= 8);
    assert_true(c.noc.inject_flits <= 8 && c.noc.buffer_flits <= 8 && c.noc.eject_flits <= 8);
    assert_true(c.mem.guard > LARGEST_STORE);
}

#define GPU(f) cmocka_unit_test_teardown(f, drop)

static const struct CMUnitTest tests[] = {
    GPU(all_load_and_fit_together),
    GPU(channels_add_up_to_the_bus_that_programs_see),
    GPU(gtx480_hw_has_the_peaks_of_the_data_sheet),
    GPU(gtx1080_has_the_figures_of_the_whitepaper),
    GPU(titanx_is_that_of_gpgpu_sim),
    GPU(papers_have_the_simulator_they_name),
    GPU(releases_of_3_2_are_whole),
    GPU(buddy_is_table_3),
    GPU(gates_is_section_7_1),
    GPU(share_is_the_baseline_of_table_2),
    GPU(socgpu_is_table_5_1),
    GPU(amoeba_is_table_1),
    GPU(amoeba_has_booksims_routers),
    GPU(amoeba_can_have_the_width_of_its_table),
    GPU(guards_are_larger_than_a_store),
    GPU(buffers_stand_where_the_papers_simulators_put_them),
    GPU(tiny_is_small_in_everything),
};

TEST_MAIN(tests)
