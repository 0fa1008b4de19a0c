/* t_err.c -- messages stay one line, know where they were, and suggest what was meant. */
#include "base/err.h"
#include "tests/test_main.h"

static struct err e;

static void setting_returns_false_and_blames_the_user(void **state)
{
    (void)state;
    assert_false(err_set(&e, "%d is odd", 3));
    assert_string_equal(e.msg, "3 is odd");
    assert_int_equal(e.status, ERR_USER);
    assert_string_equal(e.excerpt, "");
}

static void program_errors_have_status_one(void **state)
{
    (void)state;
    assert_false(err_program(&e, "deadlock"));
    assert_int_equal(e.status, ERR_PROGRAM);
}

static void context_is_put_in_front(void **state)
{
    (void)state;
    err_program(&e, "boom");
    assert_false(err_at(&e, "%s:%d", "x.ptx", 12));
    err_at(&e, "job");
    assert_string_equal(e.msg, "job: x.ptx:12: boom");
    assert_int_equal(e.status, ERR_PROGRAM);
}

static void control_characters_cannot_break_the_line(void **state)
{
    (void)state;
    err_set(&e, "bad '%s'", "a\nb\x1b[2J");
    assert_string_equal(e.msg, "bad 'a?b?[2J'");
}

/* Whatever the lengths, the context survives and the text is terminated. */
static void long_messages_are_cut_at_their_end(void **state)
{
    (void)state;
    char big[2000];
    memset(big, 'x', sizeof(big));
    big[sizeof(big) - 1] = 0;
    err_set(&e, "%s", big);
    assert_int_equal(strlen(e.msg), sizeof(e.msg) - 1);
    err_at(&e, "here");
    assert_int_equal(strlen(e.msg), sizeof(e.msg) - 1);
    assert_memory_equal(e.msg, "here: xxx", 9);
    err_at(&e, "%s", big);
    assert_int_equal(strlen(e.msg), sizeof(e.msg) - 1);
    assert_non_null(strstr(e.msg, "x: here: x"));
}

static void caret_stands_below_its_column(void **state)
{
    (void)state;
    err_set(&e, "m");
    err_excerpt(&e, "\tadd.s32 %r1;\n", 14, 6);
    assert_string_equal(e.excerpt, "\tadd.s32 %r1;\n\t    ^\n");
    err_excerpt(&e, "abc", 3, 0);
    assert_string_equal(e.excerpt, "abc\n");
    err_excerpt(&e, "abc", 3, 99);
    assert_string_equal(e.excerpt, "abc\n   ^\n");
    err_excerpt(&e, "", 0, 1);
    assert_string_equal(e.excerpt, "\n^\n");
}

static void a_long_line_is_shown_around_its_caret(void **state)
{
    (void)state;
    char line[3000];
    memset(line, '.', sizeof(line));
    line[1999] = '!';
    err_excerpt(&e, line, sizeof(line), 2000);
    const char *mark = strchr(e.excerpt, '!'), *end = strchr(e.excerpt, '\n');
    assert_non_null(mark);
    assert_int_equal(end[1 + (mark - e.excerpt)], '^');
}

static const char *near(const char *s, const char *const *names, size_t n)
{
    static struct err_hint h;
    return err_hint(&h, s, names, n, "<", ">");
}

static void the_nearest_name_is_suggested(void **state)
{
    (void)state;
    static const char *const names[] = {"n_warp", "max_threads", "regs", "on", "off"};
    assert_string_equal(near("n_wrap", names, LEN(names)), "<n_warp>");
    assert_string_equal(near("N_WARP", names, LEN(names)), "<n_warp>");
    assert_string_equal(near("maxthread", names, LEN(names)), "<max_threads>");
    assert_string_equal(near("reg", names, LEN(names)), "<regs>");
    assert_string_equal(near("of", names, LEN(names)), "<off>");
}

static void a_far_name_is_not_suggested(void **state)
{
    (void)state;
    static const char *const names[] = {"n_warp", "on"};
    assert_string_equal(near("shared", names, LEN(names)), "");
    assert_string_equal(near("", names, LEN(names)), "");
    assert_string_equal(near("x", NULL, 0), "");
    char big[500];
    memset(big, 'n', sizeof(big));
    big[sizeof(big) - 1] = 0;
    assert_string_equal(near(big, names, LEN(names)), "");
}

static void a_missing_name_is_told_with_the_nearest_or_where_to_look(void **state)
{
    (void)state;
    static const char *const names[] = {"gto", "lrr"};
    err_program(&e, "before");
    assert_false(err_no_such(&e, "gtoo", names, 2, "see the list", "no policy '%s'", "gtoo"));
    assert_string_equal(e.msg, "no policy 'gtoo'; did you mean gto?");
    assert_int_equal(e.status, ERR_USER);
    assert_false(err_no_such(&e, "fifo", names, 2, "see the list", "no policy '%s'", "fifo"));
    assert_string_equal(e.msg, "no policy 'fifo'; see the list");
    assert_false(
        err_no_such(&e, "fifo", names, 2, NULL, "'%s' is not one of %s", "fifo", "gto|lrr"));
    assert_string_equal(e.msg, "'fifo' is not one of gto|lrr");
    assert_false(err_no_such(&e, "a\n", names, 2, NULL, "'%s'", "a\n"));
    assert_string_equal(e.msg, "'a?'");
}

/* What does not fit is lost at the end; the text is terminated. */
static void a_long_message_has_no_room_for_the_nearest_name(void **state)
{
    (void)state;
    static const char *const names[] = {"gto"};
    char big[2000];
    memset(big, 'x', sizeof(big));
    big[sizeof(big) - 1] = 0;
    err_no_such(&e, "gtoo", names, 1, NULL, "%s", big);
    assert_int_equal(strlen(e.msg), sizeof(e.msg) - 1);
    err_no_such(&e, "gtoo", names, 1, NULL, "%.*s", (int)sizeof(e.msg) - 5, big);
    assert_int_equal(strlen(e.msg), sizeof(e.msg) - 1);
    assert_string_equal(e.msg + sizeof(e.msg) - 7, "xx; di");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(setting_returns_false_and_blames_the_user),
    cmocka_unit_test(program_errors_have_status_one),
    cmocka_unit_test(context_is_put_in_front),
    cmocka_unit_test(control_characters_cannot_break_the_line),
    cmocka_unit_test(long_messages_are_cut_at_their_end),
    cmocka_unit_test(caret_stands_below_its_column),
    cmocka_unit_test(a_long_line_is_shown_around_its_caret),
    cmocka_unit_test(the_nearest_name_is_suggested),
    cmocka_unit_test(a_far_name_is_not_suggested),
    cmocka_unit_test(a_missing_name_is_told_with_the_nearest_or_where_to_look),
    cmocka_unit_test(a_long_message_has_no_room_for_the_nearest_name),
};

TEST_MAIN(tests)
