/* t_page.c -- pages: tables are filled in, and numbers that are not the study's are found. */
#include <math.h>
#include <unistd.h>

#include "base/text.h"
#include "page/page.h"
#include "study/summary.h"
#include "tests/test_main.h"

static const char numbers[] = "table,row,column,value\n"
                              "fig9,bfs,workload,\"bfs\"\n"
                              "fig9,bfs,base,20.14\n"
                              "fig9,bfs,warped,31.6\n"
                              "fig9,\"a, b\",workload,\"a, b\"\n"
                              "fig9,\"a, b\",base,\n"
                              "fig9,\"a, b\",warped,-0.125\n"
                              "text,x: y,key,\"x: y\"\n"
                              "text,x: y,here,\"0.30\"\n"
                              "text,x: y,n,7\n"
                              "text,twice,key,\"twice\"\n"
                              "text,twice,here,\"\"\n"
                              "text,twice,n,1\n"
                              "text,twice,key,\"twice\"\n"
                              "text,twice,here,\"\"\n"
                              "text,twice,n,2\n"
                              "number,gap,,0.1812\n"
                              "number,none,,\n";

#define FIG9                                                                                       \
    "| workload | base | warped |\n"                                                               \
    "|----------|-----:|-------:|\n"                                                               \
    "| bfs      | 20.1 |   31.6 |\n"                                                               \
    "| a, b     |      | -0.125 |\n"

/* A folder of its own with page.md, page.csv and numbers.csv. */
struct folder {
    char dir[32], page[64], csv[64], numbers[64];
};

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static struct folder folder_new(const char *page, const char *csv)
{
    struct folder d = {.dir = "/tmp/smelt_page_XXXXXX"};
    assert_non_null(mkdtemp(d.dir));
    snprintf(d.page, sizeof d.page, "%s/page.md", d.dir);
    snprintf(d.csv, sizeof d.csv, "%s/page.csv", d.dir);
    snprintf(d.numbers, sizeof d.numbers, "%s/numbers.csv", d.dir);
    write_file(d.page, page);
    write_file(d.csv, csv);
    write_file(d.numbers, numbers);
    return d;
}

static void folder_free(struct folder *d)
{
    unlink(d->page), unlink(d->csv), unlink(d->numbers);
    assert_int_equal(rmdir(d->dir), 0);
}

/* What the check says of a page, without the folder; to be freed. */
static char *said_of(const char *page, struct page_report *r)
{
    struct folder d = folder_new(page, numbers);
    struct err e;
    char *text = NULL, *at;
    size_t n, cut = strlen(d.dir) + 1;
    FILE *f = open_memstream(&text, &n);
    *r = (struct page_report){0};
    if (!page_check(d.page, f, r, &e))
        fail_msg("%s", e.msg);
    fclose(f);
    while ((at = strstr(text, d.dir)))
        memmove(at, at + cut, strlen(at + cut) + 1);
    folder_free(&d);
    return text;
}

static void expect(const char *page, const char *said)
{
    struct page_report r;
    char *text = said_of(page, &r);
    assert_string_equal(text, said);
    assert_int_equal(r.findings > 0, said[0] != 0);
    free(text);
}

static void a_page_that_is_right_has_no_finding(void **state)
{
    (void)state;
    struct page_report r;
    char *text = said_of("# 1\n<!-- table fig9 -->\n" FIG9 "<!-- end -->\n"
                         "Saves 31.6 %<!-- =fig9:bfs:warped --> or 32<!-- =fig9:bfs:warped -->,\n"
                         "-0.125<!-- =fig9:a, b:warped --> and 7<!-- =text:x: y:n -->,\n"
                         "0.2<!-- =gap --> or +0.18<!-- =gap --> or 0.1812<!-- =gap -->.\n",
                         &r);
    assert_string_equal(text, "");
    assert_int_equal(r.tables, 1);
    assert_int_equal(r.numbers, 7);
    assert_int_equal(r.findings, 0);
    free(text);
}

static void a_wrong_number_is_found(void **state)
{
    (void)state;
    expect("One.\n\n31.7<!-- =fig9:bfs:warped --> here\n",
           "page.md:3: 31.7 should be 31.6 (fig9:bfs:warped)\n");
    expect("-0.18 %<!-- =gap -->\n", "page.md:1: -0.18 should be 0.18 (gap)\n");
    expect("8-0.18<!-- =gap -->\n", ""); /* a range, not a sign */
    expect("some<!-- =gap -->\n", "page.md:1: no number before the mark of gap\n");
}

static void a_wrong_table_is_found(void **state)
{
    (void)state;
    expect("<!-- table fig9 -->\n| workload | base | warped |\n|----------|-----:|-------:|\n"
           "| bfs      | 20.2 |   31.6 |\n| b | 1 | 2 |\n<!-- end -->\n",
           "page.md:4: table fig9: '| bfs      | 20.2 |   31.6 |' should be "
           "'| bfs      | 20.1 |   31.6 |'\n");
    expect("<!-- table fig9 -->\n<!-- end -->\n", "page.md:1: table fig9 ends too early\n");
    expect("<!-- table fig9 -->\n" FIG9 "| more |\n<!-- end -->\n",
           "page.md:6: table fig9: '| more |' should be ''\n");
    expect("<!-- table fig9 -->\n" FIG9, "page.md:1: table fig9: no <!-- end --> behind it\n");
}

static void a_table_that_is_not_there_is_found(void **state)
{
    (void)state;
    expect("\n<!-- table fig8 -->\n| 1.5 |\n<!-- end -->\n1.5\n",
           "page.md:2: no table 'fig8'; did you mean fig9?\n"
           "page.md:5: 1.5 has no mark: <!-- =NAME -->, or one that says whose it is\n");
}

static void an_unknown_name_is_found(void **state)
{
    (void)state;
    expect("1<!-- =gip -->\n", "page.md:1: no number 'gip'; did you mean gap?\n");
    expect("1<!-- =none -->\n", "page.md:1: number 'none' has no value\n");
    expect("1<!-- =fig:b:c -->\n", "page.md:1: no table 'fig'; did you mean fig9?\n");
    expect("1<!-- =fig9:nw:base -->\n", "page.md:1: table 'fig9' has no row 'nw'\n");
    expect("1<!-- =fig9:bfs:bas -->\n",
           "page.md:1: table 'fig9' has no column 'bas'; did you mean base?\n");
    expect("1<!-- =fig9:a, b:base -->\n", "page.md:1: fig9:a, b:base is no number\n");
    expect("1<!-- =text:x: y:here -->\n", "page.md:1: text:x: y:here is no number\n");
    expect("1<!-- =text:twice:n -->\n", "page.md:1: table 'text' has 2 rows 'twice'\n");
    expect("1<!-- =fig9:bfs -->\n", "page.md:1: 'fig9:bfs' is neither a number's name nor "
                                    "table:row:column\n");
}

#define NO_MARK " has no mark: <!-- =NAME -->, or one that says whose it is\n"

static void numbers_without_a_mark_are_found(void **state)
{
    (void)state;
    expect("It saves 31.6 of it.\n", "page.md:1: 31.6" NO_MARK);
    expect("a\n\n- b 3 %, 5%\n", "page.md:3: 3 %" NO_MARK "page.md:3: 5 %" NO_MARK);
    expect("| a | 1.25x |\n", "page.md:1: 1.25x" NO_MARK);
    expect("Section 7.3 and then 7.3\n", "page.md:1: 7.3" NO_MARK);
    expect("section 4 %\n", "page.md:1: 4 %" NO_MARK);
    expect("\"a 1.5\n\n1.5\"\n",
           "page.md:3: 1.5" NO_MARK); /* a quotation ends with its paragraph */
}

static void what_is_no_measurement_needs_no_mark(void **state)
{
    (void)state;
    expect("12 runs, 64-bit, v3.02, 3.2.x, sm_2.0, L1 of 16K; `l1d.x=1.5`\n", "");
    expect("Section 7.3, Figs 6.1 to 6.9, Fig. 2.1, sections\n4.7 and 5.1, GPGPU-Sim 3.2\n", "");
    expect("It \"is 29 % or\n1.5 times\" so, and `a\n1.5` too\n", "");
    expect("    smelt --set 1.5\n```\n1.5 %\n```\n", "");
    expect("1.5<!-- paper --> and 3 %<!-- not of this study -->\n", "");
    expect("<!-- paper -->\n1.5\n| 3 % |\n<!-- end -->\n1.5\n", "page.md:5: 1.5" NO_MARK);
}

static void filling_writes_the_page_and_what_it_names(void **state)
{
    (void)state;
    struct folder d =
        folder_new("One.\n<!-- table fig9 -->\nold\n<!-- end -->\nTwo 1<!-- =gap -->.\n"
                   "<!-- table other -->\nkept\n<!-- end -->\nEnd",
                   "");
    struct err e;
    assert_true(page_fill(d.page, d.dir, &e));
    char *page = text_read_file(d.page, NULL, &e), *csv = text_read_file(d.csv, NULL, &e);
    assert_string_equal(page, "One.\n<!-- table fig9 -->\n" FIG9 "<!-- end -->\nTwo 1<!-- =gap -->."
                              "\n<!-- table other -->\nkept\n<!-- end -->\nEnd");
    char *want =
        text_printf("%.*snumber,gap,,0.1812\n", (int)(strstr(numbers, "text,") - numbers), numbers);
    assert_string_equal(csv, want);
    free(page), free(csv), free(want);
    assert_true(page_fill(d.page, d.dir, &e));
    folder_free(&d);
}

static void a_table_read_back_is_the_one_that_was_written(void **state)
{
    (void)state;
    struct folder d = folder_new("", "");
    struct summary s;
    struct err e;
    assert_true(summary_read(&s, d.numbers, &e));
    assert_int_equal(s.table.n, 2);
    assert_int_equal(figure_rows(&s.table.at[1]), 3);
    assert_true(isnan(figure_at(&s.table.at[0], 1, 1)->number));
    assert_string_equal(figure_at(&s.table.at[1], 0, 1)->text, "0.30");
    FILE *f = fopen(d.csv, "w");
    summary_put_head(f);
    for (u32 i = 0; i < s.table.n; i++)
        summary_put_table(f, &s.table.at[i]);
    for (u32 i = 0; i < s.number.n; i++)
        summary_put_number(f, s.number.at[i].name, s.number.at[i].value);
    fclose(f);
    char *text = text_read_file(d.csv, NULL, &e);
    assert_string_equal(text, numbers);
    free(text);
    summary_free(&s);
    folder_free(&d);
}

static void a_summary_that_is_wrong_is_told_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"", "1: the first line is not table,row,column,value"},
        {"a,b\n", "1: the first line is not table,row,column,value"},
        {"table,row,column,value\na,b,c\n", "2: 3 fields, not table,row,column,value"},
        {"table,row,column,value\na,b,c,d\n", "2: 'd' is no number; a text is in quotes"},
        {"table,row,column,value\nnumber,b,,\"1\"\n", "2: '1' is no number"},
        {"table,row,column,value\nt,a,x,1\nt,a,y,2\nt,b,x,3\nt,b,z,4\n",
         "5: column 'y' was expected, not 'z'"},
        {"table,row,column,value\nt,a,x,1\nt,a,y,2\nt,b,x,3\n",
         "4: the last row of table 't' is not whole"},
        {"table,row,column,value\nt,a,x,\"1\n", "2: a quote is not closed"},
    };
    for (u32 i = 0; i < LEN(wrong); i++) {
        struct folder d = folder_new("a\n", wrong[i].text);
        struct page_report r = {0};
        struct err e;
        assert_false(page_check(d.page, stdout, &r, &e));
        assert_int_equal(strncmp(e.msg, d.csv, strlen(d.csv)), 0);
        assert_string_equal(e.msg + strlen(d.csv) + 1, wrong[i].said);
        folder_free(&d);
    }
}

static void files_that_are_missing_are_told(void **state)
{
    (void)state;
    struct page_report r = {0};
    struct err e;
    assert_false(page_check("none.md", stdout, &r, &e));
    assert_string_equal(e.msg, "none.md: No such file or directory");
    assert_false(page_check("page.txt", stdout, &r, &e));
    assert_string_equal(e.msg, "page.txt: a page is a .md file");
    struct folder d = folder_new("a\n", numbers);
    unlink(d.numbers), unlink(d.csv);
    assert_false(page_check(d.page, stdout, &r, &e));
    assert_non_null(strstr(e.msg, "page.csv: No such file or directory"));
    assert_false(page_fill(d.page, d.dir, &e));
    assert_non_null(strstr(e.msg, "numbers.csv: No such file or directory"));
    folder_free(&d);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_page_that_is_right_has_no_finding),
    cmocka_unit_test(a_wrong_number_is_found),
    cmocka_unit_test(a_wrong_table_is_found),
    cmocka_unit_test(a_table_that_is_not_there_is_found),
    cmocka_unit_test(an_unknown_name_is_found),
    cmocka_unit_test(numbers_without_a_mark_are_found),
    cmocka_unit_test(what_is_no_measurement_needs_no_mark),
    cmocka_unit_test(filling_writes_the_page_and_what_it_names),
    cmocka_unit_test(a_table_read_back_is_the_one_that_was_written),
    cmocka_unit_test(a_summary_that_is_wrong_is_told_with_its_line),
    cmocka_unit_test(files_that_are_missing_are_told),
};

TEST_MAIN(tests)
