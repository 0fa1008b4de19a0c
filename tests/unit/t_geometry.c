/* t_geometry.c -- energy, leakage and area of memories follow their size, ways and banks. */
#include "gpu/joules.h"
#include "tests/test_main.h"

#include <math.h>

static struct conf c;
static struct err e;

static struct power_conf table_with(const char *gpu, const char *const *set, u32 n)
{
    if (!conf_make(&c, gpu, set, n, &e))
        fail_msg("%s: %s", gpu, e.msg);
    struct power_conf p = joules_table(&c);
    conf_free(&c);
    p.table = "";
    return p;
}

static struct power_conf gtx480(const char *set)
{
    return table_with("gtx480", &set, set != NULL);
}

static void is_near(double is, double wanted)
{
    if (fabs(is - wanted) > 1e-9 * wanted)
        fail_msg("%.12g is not %.12g", is, wanted);
}

/* Figures that were measured, fitted or published for a machine stay what they are on it. */
static void own_geometry_changes_nothing(void **state)
{
    static const char *const gpus[] = {"gtx480", "gates", "titanx", "gtx480-hw"};

    (void)state;
    for (size_t i = 0; i < LEN(gpus); i++) {
        assert_true(conf_make(&c, gpus[i], NULL, 0, &e));
        struct power_conf p = joules_table(&c);
        assert_memory_equal(&p, &c.power, sizeof p);
        conf_free(&c);
    }
}

/* 2^0.63 = 1.5476 and (80 / 64)^0.93 = 1.2306, worked out by hand. */
static void twice_the_l1d_costs_more_an_access_and_leaks_more(void **state)
{
    struct power_conf one = gtx480(NULL), two = gtx480("l1d.sets=64");

    (void)state;
    assert_float_equal(two.e_l1_read_hit / one.e_l1_read_hit, 1.5476, 0.0001);
    assert_float_equal(two.leak_l1_shared / one.leak_l1_shared, 1.2306, 0.0001);
    is_near(two.area_l1_shared / one.area_l1_shared, two.leak_l1_shared / one.leak_l1_shared);
    is_near(two.e_shared, one.e_shared);
    is_near(two.e_reg_read, one.e_reg_read);
    is_near(two.leak_regfile, one.leak_regfile);
}

/* The same bytes in twice the ways: 4 more tags of 24 bits beside the 1024 bits of a line. */
static void more_ways_read_more_tags(void **state)
{
    static const char *const set[] = {"l1d.sets=16", "l1d.ways=8", "l1d.index=linear"};
    struct power_conf one = gtx480(NULL), p = table_with("gtx480", set, 3);

    (void)state;
    is_near(p.e_l1_read_hit / one.e_l1_read_hit, (1024 + 8 * 24.0) / (1024 + 4 * 24.0));
    is_near(p.leak_l1_shared, one.leak_l1_shared);
}

/* Twice the banks are half as large: 2^-0.63 = 0.6462. */
static void smaller_banks_are_cheaper(void **state)
{
    struct power_conf one = gtx480(NULL), two = gtx480("sm.banks=32");

    (void)state;
    assert_float_equal(two.e_reg_read / one.e_reg_read, 0.6462, 0.0001);
    assert_float_equal(two.e_reg_write / one.e_reg_write, 0.6462, 0.0001);
    is_near(two.leak_regfile, one.leak_regfile);
}

/* Energy of an access goes with a slice, leakage with all of them. */
static void more_slices_leak_more_and_cost_the_same(void **state)
{
    struct power_conf one = gtx480(NULL), two = gtx480("mem.channels=12");

    (void)state;
    is_near(two.e_l2_read_hit, one.e_l2_read_hit);
    assert_float_equal(two.leak_l2 / one.leak_l2, 1.9053, 0.0001); /* 2^0.93 */
}

static void reference_of_nothing_holds_at_any_size(void **state)
{
    static const char *const set[] = {"power.ref_l1d=0", "power.leak_ref_l1_shared=0",
                                      "l1d.sets=64"};
    struct power_conf one = gtx480(NULL), p = table_with("gtx480", set, 3);

    (void)state;
    is_near(p.e_l1_read_hit, one.e_l1_read_hit);
    is_near(p.leak_l1_shared, one.leak_l1_shared);
}

/*
 * CACTI 7, as published with ZigZag: bytes, pJ a read, mm2; one series for each width and kind of
 * ports.
 */
static const struct point {
    u32 series;
    double bytes, pj, mm2;
} points[] = {
    {0, 4096, 16.3381, 0.275162},   {0, 16384, 39.5909, 0.934416},  {0, 32768, 75.2088, 1.787254},
    {1, 262144, 413.334, 15.41588}, {1, 524288, 678.903, 28.6058},  {1, 1048576, 960.931, 59.1178},
    {2, 16384, 136.989, 1.550368},  {2, 65536, 192.948, 3.89096},   {3, 262144, 544.389, 17.17934},
    {3, 1048576, 1349.61, 64.5538}, {4, 65536, 289.047, 10.13988},  {4, 131072, 566.49, 19.6492},
    {5, 100001, 224.97, 8.4667},    {5, 1000000, 1027.69, 88.9124},
};

static double figure(const struct point *p, bool area)
{
    return log(area ? p->mm2 : p->pj);
}

/* Least squares of log(figure) over log(bytes), with a constant of its own for each series. */
static double fitted_exponent(bool area)
{
    double xx = 0, xy = 0;

    for (size_t i = 0; i < LEN(points); i++) {
        double n = 0, mean_x = 0, mean_y = 0;
        for (size_t k = 0; k < LEN(points); k++)
            if (points[k].series == points[i].series)
                n++, mean_x += log(points[k].bytes), mean_y += figure(&points[k], area);
        double x = log(points[i].bytes) - mean_x / n;
        xx += x * x, xy += x * (figure(&points[i], area) - mean_y / n);
    }
    return xy / xx;
}

static void exponents_are_the_fit_to_cacti(void **state)
{
    struct power_conf p = gtx480(NULL);

    (void)state;
    assert_float_equal(p.energy_exponent, fitted_exponent(false), 0.005);
    assert_float_equal(p.leak_exponent, fitted_exponent(true), 0.005);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(own_geometry_changes_nothing),
    cmocka_unit_test(twice_the_l1d_costs_more_an_access_and_leaks_more),
    cmocka_unit_test(more_ways_read_more_tags),
    cmocka_unit_test(smaller_banks_are_cheaper),
    cmocka_unit_test(more_slices_leak_more_and_cost_the_same),
    cmocka_unit_test(reference_of_nothing_holds_at_any_size),
    cmocka_unit_test(exponents_are_the_fit_to_cacti),
};

TEST_MAIN(tests)
