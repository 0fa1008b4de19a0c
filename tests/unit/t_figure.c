/* t_figure.c -- tables as CSV and Markdown, their numbers, and what a kind of figure expects. */
#include <math.h>
#include <unistd.h>

#include "base/text.h"
#include "figure/figure.h"
#include "tests/test_main.h"

/* What `put` writes, to be freed. */
static char *text_of(const struct figure *f, void (*put)(const struct figure *f, FILE *out))
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    put(f, out);
    fclose(out);
    return text;
}

static void check_text(const struct figure *f, void (*put)(const struct figure *f, FILE *out),
                       const char *want)
{
    char *got = text_of(f, put);
    assert_string_equal(got, want);
    free(got);
}

static void table(struct figure *f)
{
    figure_init(f, FIGURE_TABLE, "t", "a title", "%");
    figure_column(f, "workload"), figure_column(f, "conv, pg"), figure_column(f, "a|b");
    figure_text(f, "bfs"), figure_number(f, 20.125), figure_number(f, 3);
    figure_text(f, "say \"x\""), figure_number(f, NAN), figure_text(f, "two\nlines|");
    figure_text(f, ""), figure_number(f, 1234567.5), figure_number(f, -0.004);
}

static void csv_has_a_header_and_quotes_what_must_be(void **state)
{
    (void)state;
    struct figure f;
    table(&f);
    check_text(&f, figure_csv,
               "workload,\"conv, pg\",a|b\n"
               "bfs,20.125,3\n"
               "\"say \"\"x\"\"\",,\"two\nlines|\"\n"
               ",1.23457e+06,-0.004\n");
    figure_free(&f);
}

static void markdown_is_a_table_whatever_is_in_the_cells(void **state)
{
    (void)state;
    struct figure f;
    table(&f);
    check_text(&f, figure_markdown,
               "| workload |  conv, pg |        a\\|b |\n"
               "|----------|----------:|------------:|\n"
               "| bfs      |      20.1 |           3 |\n"
               "| say \"x\"  |           | two lines\\| |\n"
               "|          | 1234567.5 |    -0.00400 |\n");
    figure_free(&f);
}

/* A sentence does not push the other cells of its column to its end. */
static void a_long_cell_is_not_filled_up_to(void **state)
{
    (void)state;
    struct figure f;
    const char *const sixty = "a sentence of sixty characters, which is longer than fifty..";
    char *want =
        text_printf("| a                                                  |    b |\n"
                    "|----------------------------------------------------|-----:|\n"
                    "| %s |    1 |\n"
                    "| \303\251                                                  | 2.50 |\n",
                    sixty);
    figure_init(&f, FIGURE_TABLE, "t", "", "");
    figure_column(&f, "a"), figure_column(&f, "b");
    figure_text(&f, sixty), figure_number(&f, 1);
    figure_text(&f, "\303\251"), figure_number(&f, 2.5);
    check_text(&f, figure_markdown, want);
    figure_free(&f);
    free(want);
}

static void a_table_without_rows_is_its_header(void **state)
{
    (void)state;
    struct figure f;
    figure_init(&f, FIGURE_TABLE, "t", NULL, NULL);
    figure_column(&f, "a");
    assert_int_equal(figure_rows(&f), 0);
    check_text(&f, figure_csv, "a\n");
    check_text(&f, figure_markdown, "| a   |\n|-----|\n");
    figure_free(&f);
}

static void cells_are_row_by_row(void **state)
{
    (void)state;
    struct figure f;
    table(&f);
    f.marks = 1;
    assert_int_equal(figure_rows(&f), 3);
    assert_int_equal(figure_series(&f), 1);
    assert_string_equal(figure_at(&f, 1, 0)->text, "say \"x\"");
    assert_true(figure_at(&f, 0, 1)->number == 20.125);
    assert_true(isnan(figure_at(&f, 1, 1)->number));
    assert_true(isnan(figure_at(&f, 1, 2)->number)); /* of a text */
    figure_free(&f);
}

/* A metric may divide by zero. */
static void what_is_infinite_is_empty(void **state)
{
    (void)state;
    struct figure f;
    figure_init(&f, FIGURE_TABLE, "t", "", "");
    figure_column(&f, "a"), figure_column(&f, "b");
    figure_number(&f, INFINITY), figure_number(&f, -INFINITY);
    check_text(&f, figure_csv, "a,b\n,\n");
    check_text(&f, figure_markdown, "| a   | b   |\n|-----|-----|\n|     |     |\n");
    figure_free(&f);
}

/* Also what is small: a run's energy in joules is. */
static void numbers_have_three_digits(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *text;
    } show[] = {{31.64, "31.6"},
                {0.54, "0.540"},
                {1234, "1234"},
                {0, "0"},
                {9.949, "9.95"},
                {9.95, "9.9"},
                {9.96, "10.0"},
                {-3.14159, "-3.14"},
                {1e6, "1000000.0"},
                {999999, "999999"},
                {-12.34, "-12.3"},
                {0.001, "0.00100"},
                {0.9996, "1.00"},
                {0.9994, "0.999"},
                {0.09996, "0.100"},
                {0.00126432, "0.00126"},
                {-0.000182, "-0.000182"},
                {1.8249e-05, "1.82e-05"},
                {NAN, ""}};
    char buf[FIGURE_SHOW];
    for (u32 i = 0; i < LEN(show); i++)
        assert_string_equal(figure_show(show[i].v, buf, sizeof(buf)), show[i].text);
    assert_int_equal(strlen(figure_show(-1.7e308, buf, sizeof(buf))), 312);
}

static void kinds_are_known_by_name(void **state)
{
    (void)state;
    static const char *const name[] = {"bars",    "stacked", "lines", "box",
                                       "scatter", "heat",    "table"};
    enum figure_kind kind;
    struct err e;
    for (u32 i = 0; i < LEN(name); i++) {
        assert_true(figure_kind_of(name[i], &kind, &e));
        assert_int_equal(kind, i);
    }
    assert_false(figure_kind_of("bar", &kind, &e));
    assert_string_equal(e.msg, "no kind of figure is 'bar'; did you mean bars?");
    assert_false(figure_kind_of("pie chart", &kind, &e));
    assert_string_equal(e.msg, "no kind of figure is 'pie chart'; there are bars, stacked, lines, "
                               "box, scatter, heat and table");
}

/* A figure with these columns (comma-separated) and one row of these cells, and what is said of it. */
static void check_wrong(enum figure_kind kind, const char *name, const char *columns,
                        const char *cells, u32 marks, const char *want)
{
    struct figure f;
    struct err e;
    char **item;
    figure_init(&f, kind, name, "", "");
    f.marks = marks;
    u32 n = text_split(columns, &item);
    for (u32 i = 0; i < n; i++)
        figure_column(&f, item[i]);
    text_split_free(item, n);
    n = text_split(cells, &item);
    for (u32 i = 0; i < n; i++) {
        double v;
        if (text_parse_real(item[i], &v))
            figure_number(&f, v);
        else
            figure_text(&f, item[i]);
    }
    text_split_free(item, n);
    assert_false(figure_check(&f, &e));
    assert_string_equal(e.msg, want);
    assert_int_equal(e.status, ERR_USER);
    assert_false(figure_write(&f, ".", &e));
    assert_string_equal(e.msg, want);
    figure_free(&f);
}

static void a_figure_that_is_not_what_its_kind_expects_is_refused(void **state)
{
    (void)state;
    check_wrong(FIGURE_BARS, "f", "a", "", 0, "figure 'f': 1 columns, but bars needs at least 2");
    check_wrong(FIGURE_TABLE, "f", "", "", 0, "figure 'f': 0 columns, but table needs at least 1");
    check_wrong(FIGURE_BARS, "f", "a,b,c", "x,1,2", 2,
                "figure 'f': 2 marks, but 3 columns: each is for a series of its own");
    check_wrong(FIGURE_LINES, "f", "size,ipc", "16K,1", 0,
                "figure 'f': '16K' in column 'size', but lines needs numbers");
    check_wrong(FIGURE_SCATTER, "f", "x,y", "1,big", 0,
                "figure 'f': 'big' in column 'y', but scatter needs numbers");
    check_wrong(FIGURE_SCATTER, "f", "name,y", "bfs,1", 0,
                "figure 'f': names of points, but not two columns x and y");
    check_wrong(FIGURE_BOX, "f", "w,least,q1,q2,q3,most", "x,1,2,3,4,5", 0,
                "figure 'f': box needs columns least, q1, median, q3 and most");
    check_wrong(FIGURE_BOX, "f", "w,least,q1", "x,1,2", 0,
                "figure 'f': box needs columns least, q1, median, q3 and most");
}

static void more_plain_rows_than_rows_are_refused(void **state)
{
    (void)state;
    struct figure f;
    struct err e;
    table(&f);
    f.n_plain = 4;
    assert_false(figure_check(&f, &e));
    assert_string_equal(e.msg, "figure 't': 4 plain rows of 3");
    figure_free(&f);
}

/* Names come from study files, which may write nowhere else. */
static void a_name_cannot_leave_the_folder(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "../x", "a/b", ".hidden", "a b", "x*", "caf\xc3\xa9"};
    for (u32 i = 0; i < LEN(bad); i++) {
        char *want = text_printf(
            "figure '%s': a name has 1 to 100 letters, digits, '-', '_' and '.'", bad[i]);
        check_wrong(FIGURE_TABLE, bad[i], "a", "1", 0, want);
        free(want);
    }
}

static void a_table_is_written_to_two_files(void **state)
{
    (void)state;
    struct figure f;
    struct err e;
    table(&f);
    assert_true(figure_write(&f, ".", &e));
    char *csv = text_read_file("./t.csv", NULL, &e), *md = text_read_file("./t.md", NULL, &e);
    assert_non_null(csv);
    assert_non_null(md);
    check_text(&f, figure_csv, csv);
    check_text(&f, figure_markdown, md);
    assert_int_not_equal(access("./t.svg", F_OK), 0);
    unlink("./t.csv"), unlink("./t.md");
    free(csv), free(md);
    figure_free(&f);
}

static void a_folder_that_is_not_there_is_named(void **state)
{
    (void)state;
    struct figure f;
    struct err e;
    table(&f);
    assert_false(figure_write(&f, "no/such", &e));
    assert_string_equal(e.msg, "no/such/t.csv: No such file or directory");
    figure_free(&f);
}

static void r_is_one_on_a_line_and_undefined_for_a_constant(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4}, up[] = {3, 5, 7, 9}, down[] = {8, 6, 4, 2},
                 flat[] = {1, 1, 1, 1};
    const double some[] = {1, 3, 2, 4}; /* 4/5: by hand */
    assert_float_equal(figure_pearson(x, up, 4), 1, 1e-12);
    assert_float_equal(figure_pearson(x, down, 4), -1, 1e-12);
    assert_float_equal(figure_pearson(x, some, 4), 0.8, 1e-12);
    assert_true(isnan(figure_pearson(x, flat, 4)));
    assert_true(isnan(figure_pearson(x, up, 1)));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(csv_has_a_header_and_quotes_what_must_be),
    cmocka_unit_test(markdown_is_a_table_whatever_is_in_the_cells),
    cmocka_unit_test(a_long_cell_is_not_filled_up_to),
    cmocka_unit_test(a_table_without_rows_is_its_header),
    cmocka_unit_test(cells_are_row_by_row),
    cmocka_unit_test(what_is_infinite_is_empty),
    cmocka_unit_test(numbers_have_three_digits),
    cmocka_unit_test(kinds_are_known_by_name),
    cmocka_unit_test(a_figure_that_is_not_what_its_kind_expects_is_refused),
    cmocka_unit_test(more_plain_rows_than_rows_are_refused),
    cmocka_unit_test(a_name_cannot_leave_the_folder),
    cmocka_unit_test(a_table_is_written_to_two_files),
    cmocka_unit_test(a_folder_that_is_not_there_is_named),
    cmocka_unit_test(r_is_one_on_a_line_and_undefined_for_a_constant),
};

TEST_MAIN(tests)
