/* t_json.c -- the bytes of JSON, and that a file is there whole or not at all. */
#include "base/json.h"
#include "base/text.h"
#include "tests/test_main.h"

#include <fcntl.h>
#include <math.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static struct json j;
static struct err e;

static void expect(const char *want)
{
    char *got = json_close_buf(&j, NULL);
    assert_string_equal(got, want);
    free(got);
}

static void objects_are_indented_and_rows_are_not(void **state)
{
    (void)state;
    json_open_buf(&j);
    json_obj(&j);
    json_key(&j, "a"), json_u64(&j, 1);
    json_key(&j, "grid"), json_row(&j), json_u64(&j, 4), json_u64(&j, 1), json_arr_end(&j);
    json_key(&j, "list"), json_arr(&j), json_obj(&j), json_key(&j, "x"), json_null(&j);
    json_obj_end(&j), json_bool(&j, true), json_arr_end(&j);
    json_key(&j, "none"), json_obj(&j), json_obj_end(&j);
    json_key(&j, "empty"), json_arr(&j), json_arr_end(&j);
    json_obj_end(&j);
    expect("{\n"
           "  \"a\": 1,\n"
           "  \"grid\": [4, 1],\n"
           "  \"list\": [\n"
           "    {\n"
           "      \"x\": null\n"
           "    },\n"
           "    true\n"
           "  ],\n"
           "  \"none\": {},\n"
           "  \"empty\": []\n"
           "}\n");
}

static void a_row_keeps_what_is_in_it_on_its_line(void **state)
{
    (void)state;
    json_open_buf(&j);
    json_row(&j);
    json_obj(&j), json_key(&j, "x"), json_u64(&j, 1), json_key(&j, "y"), json_u64(&j, 2);
    json_obj_end(&j);
    json_arr(&j), json_u64(&j, 3), json_arr_end(&j);
    json_arr_end(&j);
    expect("[{\"x\": 1, \"y\": 2}, [3]]\n");
}

static void numbers_are_exact(void **state)
{
    (void)state;
    json_open_buf(&j);
    json_row(&j);
    json_u64(&j, UINT64_MAX);
    json_real(&j, 0.1);
    json_real(&j, 1e21);
    json_real(&j, NAN);
    json_real(&j, INFINITY);
    json_arr_end(&j);
    expect("[18446744073709551615, 0.1, 1e+21, null, null]\n");
}

static void strings_are_escaped(void **state)
{
    (void)state;
    json_open_buf(&j);
    json_str(&j, "q\" b\\ n\n t\t \x01 \x7f \xc3\xa9");
    expect("\"q\\\" b\\\\ n\\n t\\t \\u0001 \\u007f \xc3\xa9\"\n");
}

/* A lone byte, an overlong slash, a surrogate, a cut character, one above U+10FFFF. */
static void bytes_that_are_not_utf8_are_replaced(void **state)
{
    (void)state;
    json_open_buf(&j);
    json_str(&j, "\xff \xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82");
    expect("\"\\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd \\ufffd\\ufffd\\ufffd\\ufffd "
           "\\ufffd\\ufffd\"\n");
}

/* What is cut can be gone on with, by other texts that stand at the same place. */
static void a_text_that_is_cut_goes_on(void **state)
{
    struct json after;
    (void)state;
    json_open_buf(&j);
    json_obj(&j), json_key(&j, "list"), json_arr(&j), json_u64(&j, 1);
    after = j;
    char *head = json_cut_buf(&j);
    json_open_after(&j, &after), json_u64(&j, 2);
    char *entry = json_cut_buf(&j);
    json_open_after(&j, &after), json_paste(&j, entry), json_paste(&j, entry);
    json_arr_end(&j), json_obj_end(&j);
    char *rest = json_close_buf(&j, NULL), *all = text_printf("%s%s", head, rest);
    assert_string_equal(all, "{\n  \"list\": [\n    1,\n    2,\n    2\n  ]\n}\n");
    free(head), free(entry), free(rest), free(all);
}

static char dir[] = "/tmp/smelt_json_XXXXXX";
static char *path, *tmp;

static int make_dir(void **state)
{
    (void)state;
    memcpy(dir + sizeof(dir) - 7, "XXXXXX", 6);
    if (!mkdtemp(dir))
        return -1;
    path = text_printf("%s/out.json", dir);
    tmp = text_printf("%s.tmp", path);
    return 0;
}

static int drop_dir(void **state)
{
    (void)state;
    unlink(path);
    unlink(tmp);
    rmdir(dir);
    free(path);
    free(tmp);
    return 0;
}

static void write_number(u64 v)
{
    assert_true(json_open_file(&j, path, &e));
    json_u64(&j, v);
    assert_true(json_close(&j, &e));
}

static void check_file(const char *want)
{
    char *got = text_read_file(path, NULL, &e);
    assert_non_null(got);
    assert_string_equal(got, want);
    free(got);
}

static void a_file_is_replaced_when_it_is_complete(void **state)
{
    (void)state;
    write_number(1);
    assert_true(json_open_file(&j, path, &e));
    json_u64(&j, 2);
    check_file("1\n");
    assert_true(json_close(&j, &e));
    check_file("2\n");
    assert_int_not_equal(access(tmp, F_OK), 0);
}

static int make_file(const char *suffix, char *name, size_t size)
{
    snprintf(name, size, "%s%s", path, suffix);
    int fd = open(name, O_WRONLY | O_CREAT, 0666);
    assert_true(fd >= 0);
    return fd;
}

/* A lock tells whether its writer is still there. */
static void a_draft_that_was_left_is_removed(void **state)
{
    (void)state;
    char left[128], locked[128], other[128];
    close(make_file(".1.tmp", left, sizeof(left)));
    close(make_file(".old.tmp", other, sizeof(other)));
    int fd = make_file(".2.tmp", locked, sizeof(locked));
    assert_int_equal(flock(fd, LOCK_EX), 0);
    write_number(1);
    assert_int_not_equal(access(left, F_OK), 0);
    assert_int_equal(access(locked, F_OK), 0);
    assert_int_equal(access(other, F_OK), 0);
    close(fd);
    write_number(2);
    assert_int_not_equal(access(locked, F_OK), 0);
    check_file("2\n");
    unlink(other);
}

static void a_symbolic_link_stays_one(void **state)
{
    (void)state;
    char *link = text_printf("%s/link", dir);
    write_number(1);
    assert_int_equal(symlink(path, link), 0);
    assert_true(json_open_file(&j, link, &e));
    json_u64(&j, 3);
    assert_true(json_close(&j, &e));
    struct stat st;
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    check_file("3\n");
    unlink(link);
    free(link);
}

static void a_place_that_cannot_be_written_is_named(void **state)
{
    (void)state;
    assert_false(json_open_file(&j, "/no/such/dir/x.json", &e));
    assert_string_equal(e.msg, "/no/such/dir/x.json: No such file or directory");
    assert_false(json_open_file(&j, "/tmp", &e));
    assert_string_equal(e.msg, "/tmp: Is a directory");
}

/* A device is written to, never renamed over. */
static void a_full_device_is_an_error_and_stays_a_device(void **state)
{
    (void)state;
    struct stat st;
    assert_true(json_open_file(&j, "/dev/full", &e));
    json_u64(&j, 1);
    assert_false(json_close(&j, &e));
    assert_string_equal(e.msg, "/dev/full: No space left on device");
    assert_int_equal(stat("/dev/full", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_dir, drop_dir)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(objects_are_indented_and_rows_are_not),
    cmocka_unit_test(a_row_keeps_what_is_in_it_on_its_line),
    cmocka_unit_test(numbers_are_exact),
    cmocka_unit_test(strings_are_escaped),
    cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
    cmocka_unit_test(a_text_that_is_cut_goes_on),
    CASE(a_file_is_replaced_when_it_is_complete),
    CASE(a_draft_that_was_left_is_removed),
    CASE(a_symbolic_link_stays_one),
    cmocka_unit_test(a_place_that_cannot_be_written_is_named),
    cmocka_unit_test(a_full_device_is_an_error_and_stays_a_device),
};

TEST_MAIN(tests)
