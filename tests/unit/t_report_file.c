/*
 * t_report_file.c -- a file that grows by entries: its bytes, and what is left when a write fails.
 */
#define _GNU_SOURCE /* memfd_create */
#include "report/report_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/test_main.h"

static char dir[] = "report_file_XXXXXX", *path;
static struct report_file f;
static struct err e;
static int notes = -1;

static int make_dir(void **state)
{
    (void)state;
    memcpy(dir + sizeof(dir) - 7, "XXXXXX", 6);
    if (!mkdtemp(dir))
        return -1;
    path = text_printf("%s/out.json", dir);
    f = (struct report_file){.fd = -1};
    return 0;
}

static int drop_dir(void **state)
{
    (void)state;
    report_file_free(&f);
    unlink(path);
    free(path);
    return rmdir(dir); /* nothing else may be left there */
}

static void holds(const char *want)
{
    char *got = text_read_file(path, NULL, &e);
    assert_non_null(got);
    assert_string_equal(got, want);
    free(got);
}

static void begin(void)
{
    assert_true(report_file_begin(&f, path, "[0", "]\n", &e));
    holds("[0]\n");
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void entries_push_the_closing_part_on(void **state)
{
    (void)state;
    begin();
    assert_true(report_file_grow(&f, ",1", "]\n", &e));
    holds("[0,1]\n");
    assert_true(report_file_grow(&f, ",2,3", ", \"longer\"]\n", &e));
    holds("[0,1,2,3, \"longer\"]\n");
    assert_true(report_file_end(&f, &e));
    holds("[0,1,2,3, \"longer\"]\n");
}

/* Blanks where the old one was longer: the end is not cut before it has been written over. */
static void a_shorter_closing_part_is_padded_until_the_end(void **state)
{
    (void)state;
    begin();
    assert_true(report_file_grow(&f, "", ",1,2,3]\n", &e));
    assert_true(report_file_grow(&f, ",1", "]\n", &e));
    holds("[0,1]\n\n\n\n\n");
    assert_true(report_file_grow(&f, ",2", "]\n", &e));
    holds("[0,1,2]\n\n\n");
    assert_true(report_file_end(&f, &e));
    holds("[0,1,2]\n");
}

static void without_room_the_file_is_as_it_was(void **state)
{
    (void)state;
    begin();
    assert_true(report_file_grow(&f, ",1", "]\n", &e));
    limit_files(8);
    assert_false(report_file_grow(&f, ",1234", "]\n", &e));
    assert_non_null(strstr(e.msg, "out.json: File too large"));
    holds("[0,1]\n");
    assert_true(report_file_grow(&f, ",2", "]\n", &e)); /* what has room goes in */
    limit_files(RLIM_INFINITY);
    assert_true(report_file_grow(&f, ",3", "]\n", &e));
    holds("[0,1,2,3]\n");
}

static void a_file_that_cannot_be_begun_leaves_the_old_one(void **state)
{
    struct report_file other = {.fd = -1};
    (void)state;
    begin();
    limit_files(2);
    assert_false(report_file_begin(&other, path, "[7", "]\n", &e));
    limit_files(RLIM_INFINITY);
    holds("[0]\n");
}

static void a_file_that_was_deleted_or_replaced_comes_back(void **state)
{
    struct report_file other = {.fd = -1};
    (void)state;
    begin();
    assert_int_equal(unlink(path), 0);
    assert_true(report_file_grow(&f, ",1", "]\n", &e));
    holds("[0,1]\n");
    assert_true(report_file_begin(&other, path, "[7", "]\n", &e));
    holds("[7]\n");
    assert_true(report_file_grow(&f, ",2", "]\n", &e));
    holds("[0,1,2]\n");
    report_file_free(&other);
}

/* A program closes what it does not know, and opens files of its own. */
static void a_lost_descriptor_is_opened_anew(void **state)
{
    (void)state;
    begin();
    char *name = text_printf("%s/own", dir);
    int own = open(name, O_RDWR | O_CREAT, 0600);
    assert_int_equal(dup2(own, f.fd), f.fd);
    assert_true(report_file_grow(&f, ",1", "]\n", &e));
    holds("[0,1]\n");
    assert_int_equal(lseek(own, 0, SEEK_END), 0);
    close(own);
    unlink(name);
    free(name);
}

static int open_notes(void)
{
    return dup(notes);
}

/* As after a kill: of the last write only the note is whole. */
static void a_write_that_was_cut_short_is_completed_by_its_note(void **state)
{
    struct report_file noted;
    (void)state;
    notes = memfd_create("notes", MFD_CLOEXEC);
    f.notes = open_notes;
    begin();
    assert_true(report_file_grow(&f, ",1", ",\"a closing part\"]\n", &e));
    assert_true(report_file_grow(&f, ",2", ",\"another one\"]\n", &e));
    int fd = open(path, O_WRONLY);
    assert_int_equal(pwrite(fd, "###", 3, 6), 3);
    close(fd);
    assert_true(report_file_noted(&noted, path, notes));
    assert_int_equal(noted.at, strlen("[0,1"));
    assert_string_equal(noted.closing, ",2,\"another one\"]\n");
    assert_false(report_file_has_closing(&noted));
    assert_true(report_file_replace(&noted, noted.closing, &e));
    holds("[0,1,2,\"another one\"]\n");
    report_file_free(&noted);
    close(notes);
}

/*
 * The bytes of a text come before the word that they are there; a half of them counts for nothing.
 */
static void a_note_that_was_cut_short_leaves_the_one_before(void **state)
{
    struct report_file noted;
    (void)state;
    notes = memfd_create("notes", MFD_CLOEXEC);
    f.notes = open_notes;
    begin();
    assert_true(report_file_grow(&f, ",1", "]\n", &e));
    limit_files(4096 + 8); /* there is no room for the next note, but for the file */
    assert_true(report_file_grow(&f, ",2,2,2,2", "]\n", &e));
    limit_files(RLIM_INFINITY);
    assert_true(report_file_noted(&noted, path, notes));
    assert_string_equal(noted.closing, ",1]\n");
    report_file_free(&noted);
    close(notes);
}

static void a_note_about_another_file_is_none(void **state)
{
    struct report_file noted, other = {.fd = -1};
    (void)state;
    notes = memfd_create("notes", MFD_CLOEXEC);
    f.notes = open_notes;
    begin();
    assert_true(report_file_begin(&other, path, "[7", "]\n", &e));
    assert_false(report_file_noted(&noted, path, notes));
    assert_false(report_file_is_there(&f));
    assert_true(report_file_is_there(&other));
    report_file_free(&noted);
    report_file_free(&other);
    close(notes);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_dir, drop_dir)

static const struct CMUnitTest tests[] = {
    CASE(entries_push_the_closing_part_on),
    CASE(a_shorter_closing_part_is_padded_until_the_end),
    CASE(without_room_the_file_is_as_it_was),
    CASE(a_file_that_cannot_be_begun_leaves_the_old_one),
    CASE(a_file_that_was_deleted_or_replaced_comes_back),
    CASE(a_lost_descriptor_is_opened_anew),
    CASE(a_write_that_was_cut_short_is_completed_by_its_note),
    CASE(a_note_that_was_cut_short_leaves_the_one_before),
    CASE(a_note_about_another_file_is_none),
};

TEST_MAIN(tests)
