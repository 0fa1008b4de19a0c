/* t_csv.c -- fields with commas, quotes and line ends; what is wrong is told with its line. */
#include "base/csv.h"
#include "base/text.h"
#include "tests/test_main.h"

static void what_is_written_is_read(void **state)
{
    (void)state;
    static const char *const fields[] = {"plain",      "a, b", "say \"it\"",
                                         "two\nlines", "",     " blank "};
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    for (u32 i = 0; i < LEN(fields); i++) {
        fputs(i ? "," : "", f);
        csv_put(f, fields[i]);
    }
    fclose(f);
    assert_string_equal(text, "plain,\"a, b\",\"say \"\"it\"\"\",\"two\nlines\",, blank ");
    struct csv_reader r = {.at = text};
    for (u32 i = 0; i < LEN(fields); i++) {
        assert_true(csv_next(&r));
        assert_string_equal(r.field, fields[i]);
        assert_int_equal(r.ends, i + 1 == LEN(fields));
    }
    assert_false(csv_next(&r));
    assert_null(r.wrong);
    csv_end(&r);
    free(text);
}

static void rows_lines_and_quotes_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        u32 line;
        bool quoted, ends;
    } want[] = {{"a", 1, true, false},  {"", 1, false, true}, {"1\n2", 2, true, true},
                {"b", 4, false, false}, {"", 4, false, true}, {"last", 5, false, true}};
    struct csv_reader r = {.at = "\"a\",\r\n\"1\n2\"\nb,\nlast"};
    for (u32 i = 0; i < LEN(want); i++) {
        assert_true(csv_next(&r));
        assert_string_equal(r.field, want[i].field);
        assert_int_equal(r.line, want[i].line);
        assert_int_equal(r.quoted, want[i].quoted);
        assert_int_equal(r.ends, want[i].ends);
    }
    assert_false(csv_next(&r));
    csv_end(&r);
}

static void wrong_quotes_are_told(void **state)
{
    (void)state;
    struct csv_reader open = {.at = "a\n\"b"}, behind = {.at = "\"a\"b\n"};
    assert_true(csv_next(&open));
    assert_false(csv_next(&open));
    assert_string_equal(open.wrong, "a quote is not closed");
    assert_int_equal(open.line, 2);
    assert_false(csv_next(&behind));
    assert_string_equal(behind.wrong, "a comma was expected behind the quote");
    csv_end(&open);
    csv_end(&behind);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_written_is_read),
    cmocka_unit_test(rows_lines_and_quotes_are_told),
    cmocka_unit_test(wrong_quotes_are_told),
};

TEST_MAIN(tests)
