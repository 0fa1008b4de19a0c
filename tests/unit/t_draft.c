/* t_draft.c -- files that appear whole. */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/draft.h"
#include "base/text.h"
#include "tests/test_main.h"

static u32 n_files(const char *dir)
{
    DIR *d = opendir(dir);
    u32 n = 0;
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2; /* "." and ".." */
}

static void a_text_replaces_the_file_and_leaves_no_draft(void **state)
{
    (void)state;
    char dir[] = "/tmp/smelt_draft_XXXXXX";
    struct err e;
    size_t len;
    assert_non_null(mkdtemp(dir));
    char *path = text_printf("%s/f", dir);
    assert_true(draft_write(path, "long before", 11, &e));
    assert_true(draft_write(path, "a\0b", 3, &e));
    char *got = text_read_file(path, &len, &e);
    assert_int_equal(len, 3);
    assert_memory_equal(got, "a\0b", 3);
    assert_int_equal(n_files(dir), 1);
    unlink(path), rmdir(dir);
    free(got), free(path);
}

static void a_text_that_cannot_be_written_is_told_and_leaves_no_draft(void **state)
{
    (void)state;
    char dir[] = "/tmp/smelt_draft_XXXXXX";
    struct err e;
    assert_non_null(mkdtemp(dir));
    char *path = text_printf("%s/f", dir), *want = text_printf("%s: Is a directory", path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(draft_write(path, "x", 1, &e));
    assert_string_equal(e.msg, want);
    assert_int_equal(n_files(dir), 1);
    rmdir(path), rmdir(dir);
    free(path), free(want);
    assert_false(draft_write("no/such/f", "x", 1, &e));
    assert_string_equal(e.msg, "no/such/f: No such file or directory");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_text_replaces_the_file_and_leaves_no_draft),
    cmocka_unit_test(a_text_that_cannot_be_written_is_told_and_leaves_no_draft),
};

TEST_MAIN(tests)
