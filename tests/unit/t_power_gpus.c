/* t_power_gpus.c -- energy of the bundled GPUs: what their papers give is what the files give. */
#include "conf/conf.h"
#include "gpu/joules.h"
#include "tests/test_main.h"

#include <math.h>

static struct conf c;
static struct err e;

static void load(const char *gpu)
{
    if (!conf_make(&c, gpu, NULL, 0, &e))
        fail_msg("%s: %s", gpu, e.msg);
}

static int drop(void **state)
{
    (void)state;
    conf_free(&c);
    return 0;
}

static void is_near(double is, double wanted, double share)
{
    if (fabs(is - wanted) > share * wanted)
        fail_msg("%g is not within %g %% of %g", is, 100 * share, wanted);
}

enum { PER_SM, PER_PIPE = PER_SM, PER_RARE_PIPE = PER_SM, PER_CHIP, PER_PORT = PER_CHIP };

/* mW of all components of an SM, or of those that the chip has once. */
static double leakage(int of)
{
    double sum = 0;

#define COMPONENT(name, per, doc)                                                                  \
    if (PER_##per == of)                                                                           \
        sum += c.power.leak_##name;
#include "sm/component.def"
    return sum;
}

static double chip_leakage(void)
{
    return (double)c.gpu.n_sm * leakage(PER_SM) + leakage(PER_CHIP);
}

/* mm2 of an SM. */
static double sm_area(void)
{
    return area_total(&c.power, 1) - area_total(&c.power, 0);
}

/* mm2 of the chip at the sizes of its memories. */
static double chip_area(void)
{
    const struct power_conf table = joules_table(&c);

    return area_total(&table, c.gpu.n_sm);
}

/* ---- all */

static const char *const gpus[] = {"amoeba",     "buddy",      "gates",     "gtx1080",   "gtx480",
                                   "gtx480-321", "gtx480-322", "gtx480-3x", "gtx480-hw", "share",
                                   "socgpu",     "tiny",       "titanx",    "v100"};

static void each_gpu_names_a_table_that_exists(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEN(gpus); i++) {
        load(gpus[i]);
        char *path = conf_find_table(c.power.table, NULL, &e);
        if (!path)
            fail_msg("%s: %s", gpus[i], e.msg);
        free(path);
        assert_true(leakage(PER_SM) > 0 && sm_area() > 0);
        conf_free(&c);
    }
    conf_defaults(&c);
}

/* GPUWattch does not see additions; a GPU that is not to be compared with it does. */
static void only_gtx480_adds_for_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEN(gpus); i++) {
        load(gpus[i]);
        bool free_adds = strcmp(gpus[i], "gtx480") == 0;
        assert_int_equal(c.power.e_int_add == 0, free_adds);
        assert_int_equal(c.power.e_fp_add == 0, free_adds);
        assert_int_equal(c.power.e_dram_write_back == 0, free_adds);
        conf_free(&c);
    }
    conf_defaults(&c);
}

/* ---- tables */

/* All that a GPU and its base said of power is gone after another table. */
static void second_wins(const char *gpu, const char *table)
{
    char set_table[64];
    struct power_conf alone, after;

    snprintf(set_table, sizeof(set_table), "power.table=%s", table);
    const char *const set[] = {set_table};
    assert_true(conf_make(&c, "tiny", set, 1, &e));
    alone = c.power;
    conf_free(&c);
    assert_true(conf_make(&c, gpu, set, 1, &e));
    after = c.power;
    assert_string_equal(after.table, table);
    alone.table = after.table; /* the same words elsewhere */
    assert_memory_equal(&alone, &after, sizeof(alone));
    conf_free(&c);
}

static void a_second_table_sets_every_key_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEN(gpus); i++) {
        second_wins(gpus[i], "fermi40");
        second_wins(gpus[i], "pascal16");
    }
    conf_defaults(&c);
}

/* GPUWattch: gtx480_energy_per_event.csv; 35.6 W subthreshold and 10.8 W gate leakage for 16 SMs. */
static void fermi40_is_gpuwattch(void **state)
{
    (void)state;
    static const char *const set[] = {"power.table=fermi40", "gpu.n_sm=16"};
    assert_true(conf_make(&c, "gtx480", set, 2, &e));
    assert_float_equal(c.power.e_reg_read, 7.2668, 1e-9);
    assert_float_equal(c.power.e_int_add, 86.2329, 1e-9);
    assert_float_equal(c.power.e_dram_read, 26948.427, 1e-9);
    is_near(chip_leakage(), 46422, 0.001);
    is_near(area_total(&c.power, 16), 743.669, 0.001);
}

/* AccelWattch: SM6_TITANX, ptx_sim; 32.325 W constant; 37.387 W static for 32 lanes and all SMs. */
static void pascal16_is_accelwattch(void **state)
{
    (void)state;
    load("titanx");
    assert_string_equal(c.power.table, "pascal16");
    assert_float_equal(c.power.constant, 32.32522272, 1e-9);
    assert_float_equal(c.power.idle_sm, 0.28279166, 1e-9);
    assert_float_equal(c.power.vdd_mv, 810, 1e-9);
    assert_float_equal(c.power.e_int_add, 1.5841, 1e-9);
    assert_float_equal(c.power.e_fp_fma, 13.416, 1e-9);
    assert_float_equal(c.power.e_fp_mul, 8.2205, 1e-9);
    assert_float_equal(c.power.e_dp_div, 999.6724, 1e-9);
    assert_float_equal(c.power.e_shared, 189.7412, 1e-9);
    assert_float_equal(c.power.e_dram_read, 2203.5875, 1e-9);
    is_near(chip_leakage(), 1e3 * (17.21745077 + 31 * 0.650630555), 0.0001);
}

/*
 * A hit of v100 costs what 12 KB in front of the modelled I-cache do, and its area is near the chip's
 * (GV100 has 815 mm2, a part of it f64 and tensor units, for which no table has a figure).
 */
static void v100_fetches_from_its_small_cache(void **state)
{
    (void)state;
    load("titanx");
    double hit = c.power.e_icache_hit, miss = c.power.e_icache_miss;
    conf_free(&c);
    load("v100");
    assert_int_equal(c.power.ref_icache, 0);
    is_near(c.power.e_icache_hit, hit * pow(12.0 / 4, c.power.energy_exponent), 1e-4);
    is_near(c.power.e_icache_miss, miss * pow(128.0 / 4, c.power.energy_exponent), 1e-4);
    is_near(chip_area(), 815, 0.15);
}

/* ---- the papers */

/*
 * Section 7.3: on-chip leakage 26.87 W, FP 4.40 W, for 16 SMs; SFU 2.5 % of the execution units.
 * 7.5: an SM 48.1 mm2, 1.61 W of leakage.  INT is not that of 7.3: Fig. 1b.
 */
static void gates_is_section_7_3(void **state)
{
    (void)state;
    load("gates");
    double sp_int = c.power.leak_sp0_int + c.power.leak_sp1_int;
    double sp_fp = c.power.leak_sp0_fp + c.power.leak_sp1_fp;
    double given = leakage(PER_SM) - sp_int + 5.57 / 16;
    is_near(16 * sp_fp, 4400, 1e-6);
    is_near(given, 1610, 1e-4);
    is_near(16 * given + leakage(PER_CHIP), 26870, 1e-4);
    is_near(c.power.leak_sfu / (c.power.leak_sfu + sp_fp + 5.57 / 16), 0.025, 0.001);
    is_near(sm_area(), 48.1, 0.001);
    assert_true(sp_int > 5.57 / 16 && sp_int < sp_fp);
}

/*
 * Table III, W: Front-end .06783, Reg File .228586, SIMD .038, LDST .911, Undiff 1.571, L1D and shared
 * .86, Tex and Const .86.
 */
static void share_is_table_3(void **state)
{
    (void)state;
    load("share");
    const struct power_conf *p = &c.power;
    is_near(p->leak_icache + p->leak_fetch_decode + p->leak_ibuffer + p->leak_scoreboard +
                p->leak_scheduler + p->leak_simt_stack,
            67.83, 0.001);
    is_near(p->leak_regfile + p->leak_collector, 228.586, 1e-9);
    is_near(p->leak_sp0_int + p->leak_sp1_int + p->leak_sp0_fp + p->leak_sp1_fp + p->leak_sfu +
                p->leak_dp,
            38, 0.001);
    is_near(p->leak_lsu, 911, 1e-9);
    is_near(p->leak_core_other, 1571, 1e-9);
    is_near(p->leak_l1_shared, 860, 1e-9);
    is_near(p->leak_const_cache + p->leak_tex_cache, 860, 1e-9);
    is_near(leakage(PER_SM), 4536.416, 0.001);
    is_near(sm_area(), 12.93, 0.001); /* section VI-A */
}

/*
 * GPUWattch's (sections 5.1, 5.3), and so the I-cache: 63.4 pJ for a fetch of 2 KB.  Section 4.7 has 32 pJ for a 64-bit
 * instruction, of which a fetch reads two.
 */
static void buddy_is_gpuwattch(void **state)
{
    (void)state;
    load("buddy");
    assert_string_equal(c.power.table, "fermi40");
    assert_int_equal(c.sm.ibuffer * c.sm.inst_bytes, 16);
    is_near(joules_table(&c).e_icache_hit, 63.4345, 1e-6);
    is_near(c.power.e_icache_hit, 2 * 32, 0.01);
}

/*
 * The same GPU in GPGPU-Sim 3.2.1: what its XML file names as its parser does costs the same; the decoder is in TOT_INST, and
 * units have factors of 1.  SP 1.13226 pJ x 25, SFU 94.807 x 4, FPU 46.2186.
 */
static void fermi40_321_is_gpuwattch_of_3_2_1(void **state)
{
    static const char *const set[] = {"power.table=fermi40-321"};
    struct power_conf old;

    (void)state;
    load("gtx480-3x");
    old = c.power;
    conf_free(&c);
    assert_true(conf_make(&c, "gtx480-3x", set, 1, &e));
    is_near(c.power.e_noc_flit, old.e_noc_flit, 0.001);
    is_near(c.power.e_l2_read_hit, old.e_l2_read_hit, 0.001);
    is_near(c.power.e_shared, old.e_shared, 0.001);
    is_near(c.power.e_reg_read, old.e_reg_read, 0.02);
    assert_float_equal(c.power.e_pipe_inst, old.e_pipe_inst, 1e-9);
    assert_float_equal(c.power.leak_regfile, old.leak_regfile, 1e-9);
    is_near(c.power.e_ibuffer, 4.86748e-5 * 2.03 * 500 / 700e6 * 1e12, 1e-4);
    is_near(c.power.e_int_add, 1.13226 * 25, 1e-4);
    is_near(c.power.e_int_mul, 94.807 * 4, 1e-4);
    is_near(c.power.e_fp_fma, 46.2186, 1e-4);
    assert_float_equal(c.power.constant, 0, 1e-9);
}

/* Section 6.2: 471 mm2; issue hardware 2234.79 um2 a warp. */
static void socgpu_is_section_6_2(void **state)
{
    (void)state;
    load("socgpu");
    const struct power_conf *p = &c.power;
    is_near(area_total(p, c.gpu.n_sm), 471, 0.001);
    is_near(p->area_ibuffer + p->area_scoreboard + p->area_scheduler, 64 * 2234.79e-6, 0.001);
}

#define GPU(f) cmocka_unit_test_teardown(f, drop)

static const struct CMUnitTest tests[] = {
    GPU(each_gpu_names_a_table_that_exists),
    GPU(only_gtx480_adds_for_nothing),
    GPU(a_second_table_sets_every_key_again),
    GPU(fermi40_is_gpuwattch),
    GPU(pascal16_is_accelwattch),
    GPU(v100_fetches_from_its_small_cache),
    GPU(gates_is_section_7_3),
    GPU(share_is_table_3),
    GPU(buddy_is_gpuwattch),
    GPU(fermi40_321_is_gpuwattch_of_3_2_1),
    GPU(socgpu_is_section_6_2),
};

TEST_MAIN(tests)
