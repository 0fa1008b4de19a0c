/* t_text.c -- files, lists, numbers as text, growing arrays, random numbers. */
#include "base/rng.h"
#include "base/text.h"
#include "tests/test_main.h"

#include <math.h>
#include <unistd.h>

static void a_missing_file_is_named_with_the_reason(void **state)
{
    (void)state;
    struct err e;
    assert_null(text_read_file("no/such/file", NULL, &e));
    assert_string_equal(e.msg, "no/such/file: No such file or directory");
    assert_null(text_read_file("/", NULL, &e));
    assert_string_equal(e.msg, "/: Is a directory");
}

static void a_file_is_read_whole_and_terminated(void **state)
{
    (void)state;
    char path[] = "/tmp/smelt_text_XXXXXX";
    int fd = mkstemp(path);
    static char data[100000];
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (char)(i * 7);
    assert_int_equal(write(fd, data, sizeof(data)), sizeof(data));
    close(fd);
    struct err e;
    size_t len = 0;
    char *got = text_read_file(path, &len, &e);
    unlink(path);
    assert_non_null(got);
    assert_int_equal(len, sizeof(data));
    assert_memory_equal(got, data, len);
    assert_int_equal(got[len], 0);
    free(got);
}

static void lists_are_split_and_trimmed(void **state)
{
    (void)state;
    char **item;
    assert_int_equal(text_split(" a, b c ,,d", &item), 4);
    assert_string_equal(item[0], "a");
    assert_string_equal(item[1], "b c");
    assert_string_equal(item[2], "");
    assert_string_equal(item[3], "d");
    text_split_free(item, 4);
    assert_int_equal(text_split("  ", &item), 0);
    text_split_free(item, 0);
}

static void a_text_begins_and_ends_with_itself_and_with_nothing(void **state)
{
    (void)state;
    assert_true(text_begins("a.lua", "a.l") && text_begins("a", "a") && text_begins("a", ""));
    assert_false(text_begins("a", "ab") || text_begins("ba", "a"));
    assert_true(text_ends("a.lua", ".lua") && text_ends("a", "a") && text_ends("a", ""));
    assert_false(text_ends("a", "ba") || text_ends("ab", "a"));
}

static void a_path_is_a_folder_and_a_base_name(void **state)
{
    static const char *const folders[][2] = {
        {"/x.d/y.cu", "/x.d"}, {"x/", "x"}, {"/x", ""}, {"x", ""}};

    (void)state;
    for (size_t i = 0; i < LEN(folders); i++) {
        char *folder = text_folder(folders[i][0]);

        assert_string_equal(folder, folders[i][1]);
        free(folder);
    }
    assert_string_equal(text_base_name("/x.d/y.cu"), "y.cu");
    assert_string_equal(text_base_name("y.cu"), "y.cu");
    assert_string_equal(text_base_name("x/"), "");
}

static void only_whole_texts_are_numbers(void **state)
{
    (void)state;
    static const char *const bad[] = {"", " 1", "1 ", "+1", "-1", "0x", "1x", "0b1", "1e3"};
    u64 v;
    double d;
    for (size_t i = 0; i < LEN(bad); i++)
        assert_false(text_parse_u64(bad[i], &v));
    assert_true(text_parse_u64("18446744073709551615", &v) && v == UINT64_MAX);
    assert_true(text_parse_u64("010", &v) && v == 10);
    assert_true(text_parse_size("3g", &v) && v == 3ull << 30);
    assert_false(text_parse_size("1KB", &v));
    assert_true(text_parse_real("-1.5e3", &d) && d == -1500);
    assert_false(text_parse_real("1e999", &d));
    assert_false(text_parse_real("0x1p3", &d));
    assert_false(text_parse_real("-", &d));
}

static void reals_are_as_short_as_reads_back(void **state)
{
    (void)state;
    char buf[TEXT_NUMBER];
    assert_string_equal(text_show_real(0.1, buf, sizeof(buf)), "0.1");
    assert_string_equal(text_show_real(1.0 / 3, buf, sizeof(buf)), "0.3333333333333333");
    assert_string_equal(text_show_real(1e300, buf, sizeof(buf)), "1e+300");
    assert_string_equal(text_show_real(5e-324, buf, sizeof(buf)), "5e-324");
    assert_string_equal(text_show_real(-0.0, buf, sizeof(buf)), "-0");
    assert_string_equal(text_show_real(0, buf, sizeof(buf)), "0");
    assert_string_equal(text_show_real(-7, buf, sizeof(buf)), "-7");
    assert_string_equal(text_show_real(300, buf, sizeof(buf)), "3e+02");
    assert_string_equal(text_show_real(1510, buf, sizeof(buf)), "1.51e+03");
    assert_string_equal(text_show_real(100.5, buf, sizeof(buf)), "100.5");
    assert_string_equal(text_show_real(4e15, buf, sizeof(buf)), "4e+15");
    assert_string_equal(text_show_real(0.1 + 0.2, buf, sizeof(buf)), "0.30000000000000004");
    struct rng r = rng_make(1);
    for (int i = 0; i < 2000; i++) {
        double v = ldexp(rng_real(&r), (int)rng_below(&r, 600) - 300), back;
        assert_true(text_parse_real(text_show_real(v, buf, sizeof(buf)), &back) && back == v);
    }
}

static void sizes_use_the_largest_exact_unit(void **state)
{
    (void)state;
    char buf[TEXT_NUMBER];
    assert_string_equal(text_show_size(0, buf, sizeof(buf)), "0");
    assert_string_equal(text_show_size(1536ull << 20, buf, sizeof(buf)), "1536M");
    assert_string_equal(text_show_size(2048ull << 30, buf, sizeof(buf)), "2048G");
    assert_string_equal(text_show_size(1025, buf, sizeof(buf)), "1025");
}

static void arrays_grow_and_keep_their_entries(void **state)
{
    (void)state;
    VEC(u32) v = {0};
    for (u32 i = 0; i < 1000; i++)
        *VEC_ADD(&v) = i;
    assert_int_equal(v.n, 1000);
    for (u32 i = 0; i < 1000; i++)
        assert_int_equal(v.at[i], i);
    VEC_FREE(&v);
    assert_null(v.at);
}

/* The values Vigna's splitmix64.c gives for this seed. */
static void random_numbers_are_splitmix64(void **state)
{
    (void)state;
    struct rng r = rng_make(1234567);
    assert_true(rng_u64(&r) == 6457827717110365317u);
    assert_true(rng_u64(&r) == 3203168211198807973u);
    for (int i = 0; i < 1000; i++) {
        assert_true(rng_below(&r, 7) < 7);
        double x = rng_real(&r);
        assert_true(x >= 0 && x < 1);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_missing_file_is_named_with_the_reason),
    cmocka_unit_test(a_file_is_read_whole_and_terminated),
    cmocka_unit_test(lists_are_split_and_trimmed),
    cmocka_unit_test(a_text_begins_and_ends_with_itself_and_with_nothing),
    cmocka_unit_test(a_path_is_a_folder_and_a_base_name),
    cmocka_unit_test(only_whole_texts_are_numbers),
    cmocka_unit_test(reals_are_as_short_as_reads_back),
    cmocka_unit_test(sizes_use_the_largest_exact_unit),
    cmocka_unit_test(arrays_grow_and_keep_their_entries),
    cmocka_unit_test(random_numbers_are_splitmix64),
};

TEST_MAIN(tests)
