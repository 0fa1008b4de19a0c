/* t_sheet.c -- a sheet becomes fields and a table; values go in as text, checked, and come out. */
#include "base/json.h"
#include "base/sheet.h"
#include "base/text.h"
#include "tests/test_main.h"

#define SHEET_DEF "tests/unit/t_sheet.def"
struct demo_conf {
#include "base/sheet_fields.inc"
};

#define SHEET_DEF "tests/unit/t_sheet.def"
struct demo_stat {
#include "base/sheet_stats.inc"
};

extern const struct sheet demo_sheet;
#define SHEET demo
#define SHEET_DEF "tests/unit/t_sheet.def"
#define SHEET_DOC "a demonstration"
#include "base/sheet_table.inc"

static struct demo_conf conf;
static struct err e;

static int set_up(void **state)
{
    (void)state;
    sheet_defaults(&demo_sheet, &conf);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sheet_free(&demo_sheet, &conf);
    return 0;
}

static bool set(const char *name, const char *text)
{
    return sheet_set(&demo_sheet, &conf, name, text, &e);
}

static const char *show(const char *name)
{
    static char buf[64];
    return sheet_show(sheet_find(&demo_sheet, name), &conf, buf, sizeof(buf));
}

static void defaults_reach_the_fields(void **state)
{
    (void)state;
    assert_int_equal(conf.count, 32);
    assert_int_equal(conf.addr, 0xC0000000);
    assert_int_equal(conf.size, 49152);
    assert_true(conf.volt == 0.9);
    assert_int_equal(conf.mode, 1);
    assert_string_equal(conf.label, "none");
    assert_string_equal(conf.model, "paper");
    assert_string_equal(sheet_find(&demo_sheet, "model")->words, "predictor");
    assert_int_equal(conf.parts.n, 2);
    assert_string_equal(conf.parts.item[1], "b");
}

static void counters_and_ratios_are_in_the_table(void **state)
{
    (void)state;
    assert_int_equal(demo_sheet.n_stat, 4);
    assert_int_equal(demo_sheet.stat[1].off, offsetof(struct demo_stat, issued));
    assert_int_equal(demo_sheet.stat[1].over, STAT_NONE);
    assert_int_equal(demo_sheet.stat[3].off, offsetof(struct demo_stat, issued));
    assert_int_equal(demo_sheet.stat[3].over, offsetof(struct demo_stat, cycles));
    assert_int_equal(sizeof(struct demo_stat), 3 * sizeof(u64));
}

/* A set of counters as JSON has the text? */
static bool shows(struct demo_stat st, const char *text)
{
    struct json j;
    json_open_buf(&j);
    json_obj(&j);
    sheet_json(&demo_sheet, &st, "", &j);
    json_obj_end(&j);
    char *all = json_close_buf(&j, NULL);
    bool found = strstr(all, text) != NULL;
    free(all);
    return found;
}

static void rare_counters_are_left_out_while_they_are_0(void **state)
{
    (void)state;
    assert_false(shows((struct demo_stat){.cycles = 2}, "mishaps"));
    assert_true(shows((struct demo_stat){.cycles = 2}, "\"issued\": 0"));
    assert_true(shows((struct demo_stat){.mishaps = 3}, "\"mishaps\": 3"));
}

static void values_are_shown_as_they_are_written(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"count", "7"},   {"addr", "0xF0000000"}, {"size", "1536M"}, {"size", "2G"},
        {"size", "1025"}, {"volt", "1.05"},       {"mode", "auto"},  {"label", "two words"},
        {"label", ""},    {"parts", "x,y,z"},     {"parts", ""},     {"model", "x/y.conf"},
    };
    for (size_t i = 0; i < LEN(same); i++) {
        assert_true(set(same[i][0], same[i][1]));
        assert_string_equal(show(same[i][0]), same[i][1]);
    }
}

static void other_spellings_are_understood(void **state)
{
    (void)state;
    assert_true(set("count", "0x10"));
    assert_int_equal(conf.count, 16);
    assert_true(set("size", "65536"));
    assert_string_equal(show("size"), "64K");
    assert_true(set("size", "1024k"));
    assert_string_equal(show("size"), "1M");
    assert_true(set("parts", " x , y "));
    assert_string_equal(show("parts"), "x,y");
    assert_true(set("volt", "1"));
    assert_string_equal(show("volt"), "1");
}

static void mistakes_say_what_would_be_right(void **state)
{
    (void)state;
    static const char *const bad[][3] = {
        {"count", "65", "demo.count: 65 warps is outside 1..64"},
        {"count", "0", "demo.count: 0 warps is outside 1..64"},
        {"count", "-1", "demo.count: '-1' is not a whole number"},
        {"count", "1.5", "demo.count: '1.5' is not a whole number"},
        {"count", "", "demo.count: '' is not a whole number"},
        {"count", "18446744073709551616",
         "demo.count: '18446744073709551616' is not a whole number"},
        {"addr", "0x20000000000001",
         "demo.addr: 0x20000000000001 is outside 0x0..0x20000000000000"},
        {"size", "8G", "demo.size: 8G is outside 1K..4G"},
        {"size", "512", "demo.size: 512 is outside 1K..4G"},
        {"size", "4T", "demo.size: '4T' is not a size in bytes such as 4096, 48K or 2G"},
        {"size", "17179869184G",
         "demo.size: '17179869184G' is not a size in bytes such as 4096, 48K or 2G"},
        {"volt", "2.5", "demo.volt: 2.5 V is outside 0.5..1.5"},
        {"volt", "nan", "demo.volt: 'nan' is not a number"},
        {"mode", "aut", "demo.mode: 'aut' is not one of off|on|auto; did you mean auto?"},
        {"mode", "never", "demo.mode: 'never' is not one of off|on|auto"},
        {"parts", "a,,b", "demo.parts: 'a,,b' has an empty word between its commas"},
        {"conut", "1", "demo.conut: no such key; did you mean count?"},
        {"xyzzy", "1", "demo.xyzzy: no such key; see smelt list keys"},
    };
    for (size_t i = 0; i < LEN(bad); i++) {
        assert_false(set(bad[i][0], bad[i][1]));
        assert_string_equal(e.msg, bad[i][2]);
    }
}

/* 2^53 + 1 rounds to 2^53 as a double: the check must not be fooled. */
static void a_failed_set_changes_nothing(void **state)
{
    (void)state;
    assert_false(set("count", "65"));
    assert_false(set("mode", "x"));
    assert_false(set("parts", ","));
    assert_false(set("addr", "9007199254740993"));
    defaults_reach_the_fields(state);
}

static void a_copy_outlives_the_original(void **state)
{
    (void)state;
    struct demo_conf copy;
    set("label", "first");
    set("model", "ours");
    sheet_copy(&demo_sheet, &copy, &conf);
    set("label", "second");
    set("model", "other");
    set("parts", "q");
    assert_string_equal(copy.label, "first");
    assert_string_equal(copy.model, "ours");
    assert_string_equal(copy.parts.item[0], "a");
    assert_true(copy.volt == 0.9 && copy.mode == 1 && copy.size == 49152);
    sheet_free(&demo_sheet, &copy);
}

static void a_small_buffer_is_not_overrun(void **state)
{
    (void)state;
    char buf[4];
    set("parts", "long,words");
    set("label", "longer");
    assert_string_equal(sheet_show(sheet_find(&demo_sheet, "parts"), &conf, buf, 4), "lon");
    assert_string_equal(sheet_show(sheet_find(&demo_sheet, "label"), &conf, buf, 4), "lon");
    assert_string_equal(sheet_show(sheet_find(&demo_sheet, "addr"), &conf, buf, 4), "0xC");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    CASE(defaults_reach_the_fields),
    CASE(counters_and_ratios_are_in_the_table),
    CASE(rare_counters_are_left_out_while_they_are_0),
    CASE(values_are_shown_as_they_are_written),
    CASE(other_spellings_are_understood),
    CASE(mistakes_say_what_would_be_right),
    CASE(a_failed_set_changes_nothing),
    CASE(a_copy_outlives_the_original),
    CASE(a_small_buffer_is_not_overrun),
};

TEST_MAIN(tests)
