/*
 * t_html.c -- pages: text stays text, pictures are taken apart, and a study's page says what is there.
 * How they behave in a browser is tested in tests/page.
 */
#include "page/html.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "page/html_parts.h"
#include "tests/page/made.h"
#include "tests/test_main.h"

static char dir[] = "html_XXXXXX";
static struct err e;

static const char *const files[] = {"report.html", "fig1.svg",     "page.html",
                                    "store.db",    "store.db-wal", "store.db-shm"};

static int make_dir(void **state)
{
    (void)state;
    memcpy(dir + sizeof(dir) - 7, "XXXXXX", 6);
    return mkdtemp(dir) ? 0 : -1;
}

static char *in_dir(const char *name)
{
    return text_printf("%s/%s", dir, name);
}

static int drop_dir(void **state)
{
    (void)state;
    for (u32 i = 0; i < LEN(files); i++) {
        char *path = in_dir(files[i]);
        unlink(path);
        free(path);
    }
    return rmdir(dir); /* nothing else may be left there */
}

static char *read_back(const char *name)
{
    char *path = in_dir(name), *text = text_read_file(path, NULL, &e);
    free(path);
    assert_non_null(text);
    return text;
}

static void put_file(const char *name, const char *text)
{
    char *path = in_dir(name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    free(path);
}

static void has(const char *page, const char *part)
{
    if (!strstr(page, part))
        fail_msg("not there: %s", part);
}

/* What is between <main> and </main> of a page with this text. */
static char *page_of(const char *text)
{
    struct html h;
    char *path = in_dir("page.html");
    html_open(&h, "t");
    html_text(&h, text);
    assert_true(html_close(&h, path, &e));
    free(path);
    char *page = read_back("page.html"), *from = strstr(page, "<main>\n") + strlen("<main>\n");
    char *body = text_dup_n(from, (size_t)(strstr(page, "</main>") - from));
    free(page);
    return body;
}

static void text_stays_text(void **state)
{
    static const char *const pair[][2] = {
        {"a<b>&\"c\" 'd'", "a&lt;b&gt;&amp;&quot;c&quot; &#39;d&#39;"},
        {"\xc3\xa9 \xe2\x82\xac", "\xc3\xa9 \xe2\x82\xac"},
        {"a\x80"
         "b\xc3",
         "a\xef\xbf\xbd"
         "b\xef\xbf\xbd"},
        {"\033[1m\x7f\n\t", "\xef\xbf\xbd[1m\xef\xbf\xbd\n\t"},
        {"", ""}};
    (void)state;
    for (u32 i = 0; i < LEN(pair); i++) {
        char *got = page_of(pair[i][0]);
        assert_string_equal(got, pair[i][1]);
        free(got);
    }
}

static void durations_have_two_units(void **state)
{
    static const struct {
        double s;
        const char *shown;
    } row[] = {{0, "0.0 s"},          {12.34, "12.3 s"},      {59.96, "1 min 00 s"},
               {200.4, "3 min 20 s"}, {3599.7, "1 h 00 min"}, {100000, "27 h 46 min"}};
    char buf[48];
    (void)state;
    for (u32 i = 0; i < LEN(row); i++)
        assert_string_equal(html_duration(row[i].s, buf, sizeof(buf)), row[i].shown);
}

/* --- pictures --- */

static char *svg_page(const char *svg)
{
    struct html h;
    char *path = in_dir("page.html"), *page = NULL;
    html_open(&h, "t");
    if (html_svg(&h, svg, "fig_1", "a & b", &e)) {
        assert_true(html_close(&h, path, &e));
        page = read_back("page.html");
    } else
        html_drop(&h);
    free(path);
    return page;
}

static void pictures_are_part_of_the_page(void **state)
{
    (void)state;
    char *page = svg_page("<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg width=\"9\"><!-- <x -->"
                          "<g id='p' fill = \"url(#q)\" /><use xlink:href='#p'/>"
                          "<image href='data:image/png;base64,AA'/><text>a &lt; b</text></svg>\n");
    assert_non_null(page);
    has(page, "<main>\n<svg role=\"img\" aria-label=\"a &amp; b\" width=\"9\">"
              "<g id='p' fill = \"url(#q)\"/><use xlink:href='#p'/>"
              "<image href='data:image/png;base64,AA'/><text>a &lt; b</text></svg>\n");
    free(page);
}

static void pictures_with_more_than_drawings_are_refused(void **state)
{
    static const char *const pair[][2] = {
        {"<svg><script>1</script></svg>", "an element that does not draw"},
        {"<svg><foreignObject/></svg>", "an element that does not draw"},
        {"<svg><![CDATA[<script>]]></svg>", "an element that does not draw"},
        {"<svg OnLoad='1'></svg>", "a handler of events"},
        {"<svg><use href='http://x/#y'/></svg>", "a link to another file"},
        {"<svg><use xlink:href='javascript:1'/></svg>", "a link to another file"},
        {"<svg><rect fill='url(http://x)'/></svg>", "a reference to another file"},
        {"<svg><rect x/></svg>", "an attribute without a value"},
        {"<svg><rect x=1/></svg>", "a value that does not end"},
        {"<svg><rect x='1></svg>", "a value that does not end"},
        {"<svg", "an attribute without a value"},
        {"<?xml?>", "no <svg> in it"}};
    (void)state;
    for (u32 i = 0; i < LEN(pair); i++) {
        char *wanted =
            text_printf("fig_1.svg: %s: it is no picture that smelt has drawn", pair[i][1]);
        assert_null(svg_page(pair[i][0]));
        assert_string_equal(e.msg, wanted);
        free(wanted);
    }
}

/* --- a study --- */

/* Its page, to be freed. */
static char *study_page(struct made *m)
{
    bool ok = html_write(&m->s, m->st, dir, &e);
    if (!ok)
        fail_msg("%s", e.msg);
    return read_back("report.html");
}

static void a_study_shows_all_it_has(void **state)
{
    struct made m;
    (void)state;
    put_file("fig1.svg", "<svg><g id='x'/></svg>");
    made_open(&m, dir);
    char *page = study_page(&m);
    has(page, "<title>Made &amp; &lt;script&gt;");
    has(page, "<dd>3 done, 1 failed, 0 not run</dd>");
    has(page, "<dd><time datetime=\"2026-11-10T12:00:00Z\">");
    has(page, "<dd>6 min 40 s</dd>");
    has(page, "<dd>1.2.3 abcdef</dd>");
    has(page, "Numbers and orders: <strong>1 of 2 met</strong>");
    has(page, "<td data-v=\"2e+01\">20</td><td data-v=\"25\">25</td><td data-v=\"5\">5</td>"
              "<td data-v=\"25\">25</td><td>within 6</td><td><span class=\"yes\">met</span></td>");
    has(page,
        "<td></td><td>a &lt; b</td><td></td><td></td><td>order</td><td><span class=\"no\">not "
        "met</span></td>");
    has(page, "Claims of the text: <strong>1 of 1 met</strong>");
    has(page, "href=\"data:text/"
              "csv;charset=utf-8,program,ours,paper%0Aten,9.5,%0A%3Cscript%3Edocument.title");
    has(page, "<g id='x'/>");
    has(page, "No picture: gnuplot did not work where this was made.");
    has(page, "</tbody>\n<tfoot>\n<tr><th scope=\"row\">mean</th>");
    has(page, "<li><code>sm.n_warp</code> 48 \xe2\x86\x92 8</li>");
    has(page, "<span class=\"no\">failed</span>");
    has(page, "<p>ended with status 1</p>\n<pre>last &lt;line&gt;\n\xef\xbf\xbd[1m&lt;script&gt;");
    free(page);
    made_close(&m);
}

static void speed_ups_are_over_the_base(void **state)
{
    struct made m;
    (void)state;
    put_file("fig1.svg", "<svg><g id='x'/></svg>");
    made_open(&m, dir);
    char *page = study_page(&m), *few = strstr(page, "<summary>&lt;u&gt;few");
    assert_non_null(few);
    /* 1000 cycles against 3000 */
    has(few, "<th scope=\"row\">nn</th><td data-v=\"0.3333333333333333\">0.333</td>"
             "<td data-v=\"3e+03\">3000</td>");
    has(few, "&lt;b&gt;bfs&lt;/b&gt; <span class=\"no\">failed</span></th><td></td><td></td>");
    free(page);
    made_close(&m);
}

static void what_was_not_run_is_named(void **state)
{
    struct made m;
    (void)state;
    put_file("fig1.svg", "<svg><g id='x'/></svg>");
    made_open(&m, dir);
    m.s.point.at[3].key[0] = 'f';
    char *page = study_page(&m);
    has(page, "<dd>3 done, 0 failed, 1 not run</dd>");
    has(page, "<span class=\"no\">not run</span>");
    has(page, "<h3>Not run yet</h3>\n<ul>\n<li><code>bfs -g tiny</code></li>");
    free(page);
    made_close(&m);
}

static void a_page_needs_nothing_else(void **state)
{
    struct made m;
    (void)state;
    put_file("fig1.svg", "<svg><g id='x'/></svg>");
    made_open(&m, dir);
    char *page = study_page(&m);
    assert_null(strstr(page, "http:"));
    assert_null(strstr(page, "https:"));
    assert_null(strstr(page, " src="));
    assert_null(strstr(page, "@import"));
    assert_null(strstr(page, "<script>"));
    has(page, "default-src 'none'");
    free(page);
    made_close(&m);
}

static void the_same_results_give_the_same_bytes(void **state)
{
    struct made m;
    (void)state;
    put_file("fig1.svg", "<svg><g id='x'/></svg>");
    made_open(&m, dir);
    char *one = study_page(&m), *two = study_page(&m);
    assert_string_equal(one, two);
    free(one), free(two);
    made_close(&m);
}

static void a_picture_that_is_none_is_told(void **state)
{
    struct made m;
    (void)state;
    put_file("fig1.svg", "<svg><script>1</script></svg>");
    made_open(&m, dir);
    assert_false(html_write(&m.s, m.st, dir, &e));
    assert_string_equal(e.msg, "fig1.svg: an element that does not draw: it is no picture that "
                               "smelt has drawn");
    made_close(&m);
}

static void a_store_is_a_table(void **state)
{
    struct made m;
    char *path = in_dir("page.html");
    (void)state;
    made_open(&m, dir);
    assert_true(html_write_store(m.st, path, &e));
    char *page = read_back("page.html");
    has(page, "<p>4 runs, in the order in which they were finished.</p>");
    has(page, "<td data-v=\"1e+03\">1000</td><td data-v=\"1.5\">1.50</td>");
    has(page, "<td><span class=\"no\">failed</span></td><td></td>");
    has(page, "<pre>ended with status 1\nlast &lt;line&gt;");
    free(page), free(path);
    made_close(&m);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_dir, drop_dir)

static const struct CMUnitTest tests[] = {
    CASE(text_stays_text),
    cmocka_unit_test(durations_have_two_units),
    CASE(pictures_are_part_of_the_page),
    CASE(pictures_with_more_than_drawings_are_refused),
    CASE(a_study_shows_all_it_has),
    CASE(speed_ups_are_over_the_base),
    CASE(what_was_not_run_is_named),
    CASE(a_page_needs_nothing_else),
    CASE(the_same_results_give_the_same_bytes),
    CASE(a_picture_that_is_none_is_told),
    CASE(a_store_is_a_table),
};

TEST_MAIN(tests)
