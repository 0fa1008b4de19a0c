/* t_counters.c -- rows of results that are not made of a sheet: histograms, energy by class */
#include <stdlib.h>

#include "gpu/counters.h"
#include "gpu/joules.h"
#include "sm/uop.h"
#include "tests/test_main.h"

static void expect_in(const char *text, const char *what)
{
    if (!strstr(text, what))
        fail_msg("no %s in\n%s", what, text);
}

static void expect_not_in(const char *text, const char *what)
{
    if (strstr(text, what))
        fail_msg("%s in\n%s", what, text);
}

static char *counters_text(const struct counters *c, bool timed)
{
    struct json j;

    json_open_buf(&j);
    json_obj(&j);
    counters_json(c, timed, &j);
    json_obj_end(&j);
    return json_close_buf(&j, NULL);
}

/* 0, 0, 1, 2, 3 and 9: two in bucket 0, one in 1, two in 2 (2 to 3), none in 3, one in 4 (8 to 15); sum 15, mean 2.5. */
static void a_histogram_is_its_mean_and_all_its_buckets(void **state)
{
    static const u64 values[] = {0, 0, 1, 2, 3, 9};
    struct counters c = {0};

    (void)state;
    for (u32 i = 0; i < LEN(values); i++)
        hist_add(&c.mem_latency, values[i]);
    hist_add(&c.dram_latency, 0);
    hist_add(&c.reply_latency, 1);
    char *text = counters_text(&c, true);

    expect_in(text, "\"mem_latency\": 2.5,");
    expect_in(text, "\"mem_latency_log2\": [2, 1, 2, 0, 1]");
    expect_in(text, "\"dram_latency_log2\": [1]");
    expect_in(text, "\"noc_reply_latency_log2\": [0, 1]");
    expect_in(text, "\"noc_request_latency_log2\": []");
    expect_not_in(text, "\"noc_request_latency\":"); /* the mean of nothing */
    free(text);
    text = counters_text(&c, false);
    expect_not_in(text, "latency");
    free(text);
}

static void histograms_are_added_bucket_by_bucket(void **state)
{
    struct counters a = {0}, b = {0};

    (void)state;
    hist_add(&a.mem_latency, 0), hist_add(&a.dram_latency, 4);
    hist_add(&b.mem_latency, 3), hist_add(&b.request_latency, 1);
    counters_add(&a, &b);
    char *text = counters_text(&a, true);

    expect_in(text, "\"mem_latency\": 1.5,");
    expect_in(text, "\"mem_latency_log2\": [1, 0, 1]");
    expect_in(text, "\"dram_latency_log2\": [0, 0, 0, 1]");
    expect_in(text, "\"noc_request_latency_log2\": [0, 1]");
    free(text);
}

/* The first class, one in the middle, the last one; those without energy are left out. */
static void energy_by_class_has_the_first_and_the_last(void **state)
{
    struct energy e = {0};
    struct json j;

    (void)state;
    e.kind_j[0] = 0.5, e.kind_j[3] = 0.25, e.kind_j[N_OP_KIND - 1] = 2;
    json_open_buf(&j);
    json_obj(&j);
    joules_kinds_json(&e, &j);
    json_obj_end(&j);
    char *text = json_close_buf(&j, NULL);
    char last[64];

    snprintf(last, sizeof last, "\"%s\": 2\n", ops_sheet.stat[N_OP_KIND - 1].name);
    expect_in(text, "\"other\": 0.5,");
    expect_in(text, "\"imul\": 0.25,");
    expect_in(text, last);
    expect_not_in(text, "iadd");
    free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_histogram_is_its_mean_and_all_its_buckets),
    cmocka_unit_test(histograms_are_added_bucket_by_bucket),
    cmocka_unit_test(energy_by_class_has_the_first_and_the_last),
};

TEST_MAIN(tests)
