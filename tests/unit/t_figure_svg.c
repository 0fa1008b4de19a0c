/*
 * t_figure_svg.c -- pictures: that they are XML, have what is in the table and nothing that users'
 * texts could bring in, and that there is life without gnuplot.
 */
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "figure/figure.h"
#include "tests/test_main.h"

/* --- XML, as much of it as these pictures have -------------------------------------------------- */

/* From '<' to '>', quotes respected; what is inside must be names and quoted values. */
static const char *end_of_tag(const char *s)
{
    char quote = 0;
    for (; *s && (quote || *s != '>'); s++) {
        assert_true(s[0] != '<' || !quote);
        if (quote ? *s == quote : *s == '"' || *s == '\'')
            quote = quote ? 0 : *s;
    }
    assert_int_equal(*s, '>');
    return s;
}

/* Every tag that opens closes, in order; no bare '&'; UTF-8 without control characters. */
static void check_xml(const char *s)
{
    VEC(char *) open = {0};
    for (; *s; s += text_utf8_len(s)) {
        assert_int_not_equal(text_utf8_len(s), 0);
        assert_true((u8)*s >= ' ' || *s == '\n' || *s == '\t');
        if (*s == '&')
            assert_true(strncmp(s, "&lt;", 4) == 0 || strncmp(s, "&amp;", 5) == 0);
        if (*s != '<')
            continue;
        bool close = s[1] == '/', other = s[1] == '?' || s[1] == '!';
        const char *name = s + 1 + close, *end = end_of_tag(s + 1);
        char *word = text_dup_n(name, strcspn(name, " \n\t/>"));
        if (close) {
            assert_true(open.n > 0);
            assert_string_equal(open.at[--open.n], word);
            free(open.at[open.n]);
        } else if (!other && end[-1] != '/') {
            *VEC_ADD(&open) = text_dup(word);
        }
        free(word);
        s = end;
    }
    assert_int_equal(open.n, 0);
    VEC_FREE(&open);
}

/* All values of an attribute ("id=", "href=") in tags; freed with text_split_free. */
static u32 values_of(const char *s, const char *attribute, char ***value)
{
    VEC(char *) found = {0};
    while ((s = strstr(s, attribute))) {
        s += strlen(attribute);
        *VEC_ADD(&found) = text_dup_n(s + 1, strcspn(s + 1, "'\""));
    }
    *value = found.at;
    return found.n;
}

/* Ids are this figure's and different, and what is referred to is there. */
static void check_ids(const char *svg, const char *name)
{
    char **id, **to, *prefix = text_printf("%s-", name);
    u32 n = values_of(svg, " id=", &id), m = values_of(svg, "href=", &to);
    assert_true(n > 0);
    for (u32 i = 0; i < n; i++) {
        assert_int_equal(strncmp(id[i], prefix, strlen(prefix)), 0);
        for (u32 k = 0; k < i; k++)
            assert_string_not_equal(id[i], id[k]);
    }
    for (u32 i = 0; i < m; i++) {
        u32 k = 0;
        while (k < n && strcmp(to[i] + 1, id[k]) != 0)
            k++;
        assert_true(to[i][0] == '#' && k < n);
    }
    text_split_free(id, n);
    text_split_free(to, m);
    free(prefix);
}

static u32 count(const char *s, const char *what)
{
    u32 n = 0;
    for (; (s = strstr(s, what)); s += strlen(what))
        n++;
    return n;
}

/* --- pictures ----------------------------------------------------------------------------------- */

/* The picture, checked, to be freed; the figure is freed. */
static char *picture_of(struct figure *f)
{
    struct err e;
    bool drawn = false;
    char path[] = "smelt_figure_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    if (!figure_svg(f, path, &drawn, &e))
        fail_msg("%s", e.msg);
    assert_true(drawn);
    char *svg = text_read_file(path, NULL, &e);
    unlink(path);
    assert_non_null(svg);
    check_xml(svg);
    check_ids(svg, f->name);
    figure_free(f);
    return svg;
}

static void columns(struct figure *f, const char *names)
{
    char **item;
    u32 n = text_split(names, &item);
    for (u32 i = 0; i < n; i++)
        figure_column(f, item[i]);
    text_split_free(item, n);
}

static void row(struct figure *f, const char *name, const double *v)
{
    figure_text(f, name);
    for (u32 i = 1; i < f->column.n; i++)
        figure_number(f, v[i - 1]);
}

/* A text of the picture, as it is there. */
static bool says(const char *svg, const char *text)
{
    char *want = text_printf("<text>%s</text>", text);
    bool found = strstr(svg, want);
    free(want);
    return found;
}

static void a_bar_for_each_number(void **state)
{
    (void)state;
    struct figure f;
    figure_init(&f, FIGURE_BARS, "fig9a", "energy saved", "% of all");
    columns(&f, "workload, conv_pg, warped");
    row(&f, "bfs", (double[]){20, 31.6});
    row(&f, "lud", (double[]){NAN, -5});
    row(&f, "mean", (double[]){20, 13.3});
    f.n_plain = 2;
    char *svg = picture_of(&f);
    assert_int_equal(count(svg, "<polygon"), 5 + 2); /* and two in the legend */
    static const char *const texts[] = {"energy saved", "% of all", "conv_pg", "warped", "bfs",
                                        "lud",          "mean",     "-10",     "0",      "40"};
    for (u32 i = 0; i < LEN(texts); i++)
        assert_true(says(svg, texts[i]));
    assert_non_null(strstr(svg, "<title>energy saved</title>"));
    assert_int_equal(count(svg, "<title>"), 1);
    assert_false(says(svg, "paper"));
    free(svg);
}

/* Where the n-th polygon of the data (those of the legend come first) is: least and most y. */
static void polygon_y(const char *svg, u32 n, double y[2])
{
    const char *s = svg;
    for (u32 i = 0; i <= n; i++) {
        s = strstr(s, "<polygon");
        assert_non_null(s);
        s += 8;
    }
    s = strstr(s, "points = '") + 10;
    y[0] = INFINITY, y[1] = -INFINITY;
    for (; *s && *s != '\''; s += strspn(s, " ")) {
        char *end;
        strtod(s, &end);
        double v = strtod(end + 1, &end);
        y[0] = fmin(y[0], v), y[1] = fmax(y[1], v);
        s = end;
    }
}

/* 10 and 5 make a bar as high as 15, from zero; -5 goes down from zero. */
static void stacked_bars_are_upon_each_other(void **state)
{
    (void)state;
    struct figure f;
    double a[2], b[2], c[2], pixel;
    figure_init(&f, FIGURE_STACKED, "st", "", "");
    columns(&f, "w, a, b, c");
    row(&f, "x", (double[]){10, 5, -5});
    char *svg = picture_of(&f);
    u32 n = count(svg, "<polygon");
    assert_int_equal(n, 3 + 3);
    u32 first = strstr(svg, "<polygon") < strstr(svg, "_plot_1") ? 3 : 0;
    polygon_y(svg, first, a), polygon_y(svg, first + 1, b), polygon_y(svg, first + 2, c);
    pixel = (a[1] - a[0]) / 10; /* of one */
    assert_float_equal(b[1], a[0], 0.02);
    assert_float_equal(b[1] - b[0], 5 * pixel, 0.1);
    assert_float_equal(c[0], a[1], 0.02);
    assert_float_equal(c[1] - c[0], 5 * pixel, 0.1);
    free(svg);
}

/* Diamonds with white around; "paper" is in the legend once. */
static void the_papers_values_are_marks(void **state)
{
    (void)state;
    static const enum figure_kind kinds[] = {FIGURE_BARS, FIGURE_STACKED};
    for (u32 i = 0; i < LEN(kinds); i++) {
        struct figure f;
        figure_init(&f, kinds[i], "m", "", "");
        columns(&f, "w, a, b, paper a, paper b");
        f.marks = 2;
        row(&f, "x", (double[]){1, 2, 1.5, 2.5});
        row(&f, "y", (double[]){1, 2, NAN, 4});
        char *svg = picture_of(&f);
        assert_int_equal(count(svg, "href='#m-gpPt12'"), 2 * 3 + 1);
        assert_true(says(svg, "paper"));
        assert_false(says(svg, "paper a"));
        free(svg);
    }
}

/* Two points, a gap, two points: two strokes and four circles, and one in the legend. */
static void an_empty_cell_interrupts_a_line(void **state)
{
    (void)state;
    struct figure f;
    figure_init(&f, FIGURE_LINES, "l", "over x", "IPC");
    columns(&f, "size, a, paper");
    f.marks = 1;
    for (u32 x = 1; x <= 5; x++)
        figure_number(&f, x), figure_number(&f, x == 3 ? NAN : x * 10),
            figure_number(&f, x == 1 ? 11 : NAN);
    char *svg = picture_of(&f);
    assert_int_equal(count(svg, "href='#l-gpPt6'"), 4 + 1);
    assert_int_equal(count(svg, "href='#l-gpPt12'"), 2 + 1);
    assert_true(says(svg, "size"));
    assert_true(says(svg, "IPC"));
    free(svg);
}

/* What is not above zero has no place there. */
static void logarithmic_axes_have_powers_or_the_values_themselves(void **state)
{
    (void)state;
    struct figure f;
    figure_init(&f, FIGURE_LINES, "l", "", "misses");
    columns(&f, "size, a");
    f.log_x = f.log_y = true;
    f.x_title = text_dup("L1D size");
    for (u32 i = 0; i < 4; i++)
        figure_number(&f, 16384 << i), figure_number(&f, i == 3 ? 0 : pow(10, 2 * i + 2));
    char *svg = picture_of(&f);
    assert_int_equal(count(svg, "href='#l-gpPt6'"), 3 + 1);
    static const char *const texts[] = {"L1D size", "16384", "32768", "65536", "100", "100k", "1M"};
    for (u32 i = 0; i < LEN(texts); i++)
        assert_true(says(svg, texts[i]));
    free(svg);
}

static void a_box_has_its_five_numbers(void **state)
{
    (void)state;
    struct figure f;
    figure_init(&f, FIGURE_BOX, "b", "", "cycles");
    columns(&f, "w, least, q1, median, q3, most, paper");
    f.marks = 1;
    row(&f, "x", (double[]){1, 2, 3, 4, 5, 3.5});
    row(&f, "y", (double[]){1, NAN, 3, 4, 5, NAN});
    char *svg = picture_of(&f);
    assert_int_equal(count(svg, "<polygon"), 1 + 1);
    assert_true(says(svg, "quartiles"));
    assert_true(says(svg, "median"));
    assert_true(says(svg, "least and most"));
    free(svg);
}

static void scatter_says_r(void **state)
{
    (void)state;
    struct figure f;
    const double x[] = {1, 2, 3, 4, 5}, y[] = {1, 3, 2, 4, NAN};
    figure_init(&f, FIGURE_SCATTER, "s", "", "IPC");
    columns(&f, "measured, simulated");
    for (u32 i = 0; i < LEN(x); i++)
        figure_number(&f, x[i]), figure_number(&f, y[i]);
    char *svg = picture_of(&f);
    assert_int_equal(count(svg, "href='#s-gpPt6'"), 4);
    assert_true(says(svg, "r = 0.80, n = 4"));
    assert_true(says(svg, "measured"));
    assert_true(says(svg, "simulated (IPC)"));
    free(svg);
}

/* Names beside points if each is another's, a legend if they are groups. */
static void scatter_names_points_or_groups(void **state)
{
    (void)state;
    for (u32 groups = 0; groups < 2; groups++) {
        struct figure f;
        figure_init(&f, FIGURE_SCATTER, "s", "", "");
        columns(&f, "w, x, y");
        row(&f, "bfs", (double[]){1, 1});
        row(&f, "lud", (double[]){2, 2});
        row(&f, groups ? "bfs" : "nw", (double[]){3, 4});
        char *svg = picture_of(&f);
        assert_true(says(svg, "bfs"));
        assert_true(says(svg, "lud"));
        assert_int_equal(says(svg, "nw"), !groups);
        assert_int_equal(count(svg, "href='#s-gpPt6'"), groups ? 2 + 1 : 3);
        assert_int_equal(count(svg, "href='#s-gpPt4'"), groups ? 1 + 1 : 0);
        free(svg);
    }
}

static void several_series_have_an_r_each(void **state)
{
    (void)state;
    struct figure f;
    figure_init(&f, FIGURE_SCATTER, "s", "", "");
    columns(&f, "x, lrr, gto");
    for (u32 i = 0; i < 4; i++)
        figure_number(&f, i), figure_number(&f, 2 * i), figure_number(&f, 9 - 3.0 * i);
    char *svg = picture_of(&f);
    assert_true(says(svg, "lrr: r = 1.00, n = 4"));
    assert_true(says(svg, "gto: r = -1.00, n = 4"));
    free(svg);
}

static void heat_has_its_values_in_dark_or_light(void **state)
{
    (void)state;
    struct figure f;
    figure_init(&f, FIGURE_HEAT, "h", "", "IPC");
    columns(&f, "w, 16K, 32K, paper");
    f.marks = 1;
    row(&f, "bfs", (double[]){1.25, 80.5, 60});
    row(&f, "lud", (double[]){NAN, 3, 2});
    char *svg = picture_of(&f);
    static const char *const texts[] = {"bfs", "lud",  "16K", "32K", "paper",
                                        "IPC", "1.25", "60",  "80.5"};
    for (u32 i = 0; i < LEN(texts); i++)
        assert_true(says(svg, texts[i]));
    assert_non_null(strstr(svg, "rgb(  0,  34,  78)")); /* the least */
    assert_non_null(strstr(svg, "rgb(254, 232,  56)")); /* the most */
    free(svg);
}

/* --- any table is drawn ------------------------------------------------------------------------- */

static const char box_columns[] = "w, least, q1, median, q3, most";

static bool has_numbers(enum figure_kind kind)
{
    return kind == FIGURE_LINES || kind == FIGURE_SCATTER;
}

/* n rows whose numbers are all v. */
static void uniform(struct figure *f, enum figure_kind kind, u32 n, double v)
{
    figure_init(f, kind, "u", "one number everywhere", "unit");
    columns(f, kind == FIGURE_BOX ? box_columns : "w, a, b");
    for (u32 i = 0; i < n; i++)
        for (u32 k = 0; k < f->column.n; k++)
            if (k || has_numbers(kind))
                figure_number(f, v);
            else
                figure_text(f, "x");
}

static void tables_without_numbers_or_with_one_are_drawn(void **state)
{
    (void)state;
    static const double v[] = {NAN, 0, 1, -1, 1e-30, 1e30, -1.7e308, 5e-324};
    for (enum figure_kind kind = 0; kind < FIGURE_TABLE; kind++) {
        struct figure f;
        uniform(&f, kind, 0, 0);
        char *svg = picture_of(&f);
        assert_true(says(svg, "no values"));
        free(svg);
        for (u32 i = 0; i < LEN(v); i++) {
            uniform(&f, kind, 2, v[i]);
            svg = picture_of(&f);
            assert_int_equal(says(svg, "no values"), isnan(v[i]) || fabs(v[i]) > 1e300);
            free(svg);
        }
    }
}

static void logarithmic_axes_without_positive_values_are_drawn(void **state)
{
    (void)state;
    for (enum figure_kind kind = FIGURE_LINES; kind <= FIGURE_SCATTER; kind++) {
        struct figure f;
        if (!has_numbers(kind))
            continue;
        uniform(&f, kind, 3, -2);
        f.log_x = f.log_y = true;
        char *svg = picture_of(&f);
        assert_true(says(svg, "no values"));
        free(svg);
    }
}

static void many(struct figure *f, enum figure_kind kind)
{
    figure_init(f, kind, "many", "thirty-three programs", "%");
    columns(f, kind == FIGURE_BOX ? box_columns : "w, a, b, c, d, e, paper a, paper b");
    f->marks = kind == FIGURE_BOX ? 0 : 2;
    for (u32 i = 0; i < 33; i++)
        for (u32 k = 0; k < f->column.n; k++) {
            char *name = text_printf("program.kernel_%u", i);
            if (k || has_numbers(kind))
                figure_number(f, (i * 37 + k * 11) % 100 / (k ? 2.0 : 1) - 10);
            else
                figure_text(f, name);
            free(name);
        }
}

static void thirty_three_programs_have_their_names_within_the_sheet(void **state)
{
    (void)state;
    static const enum figure_kind kinds[] = {FIGURE_BARS, FIGURE_STACKED, FIGURE_BOX, FIGURE_HEAT};
    for (u32 i = 0; i < LEN(kinds); i++) {
        struct figure f;
        many(&f, kinds[i]);
        char *svg = picture_of(&f);
        double width = strtod(strstr(svg, "width=\"") + 7, NULL);
        assert_true(width > 500 && width <= 1500);
        assert_int_equal(count(svg, "<text>program.kernel_"), 33);
        for (const char *s = svg; (s = strstr(s, "translate(")); s += 10) {
            double x = strtod(s + 10, NULL);
            assert_true(x >= 0 && x <= width);
        }
        free(svg);
    }
}

static void the_same_table_gives_the_same_bytes(void **state)
{
    (void)state;
    for (enum figure_kind kind = 0; kind < FIGURE_TABLE; kind++) {
        struct figure f;
        many(&f, kind);
        char *first = picture_of(&f);
        many(&f, kind);
        char *second = picture_of(&f);
        assert_string_equal(first, second);
        free(first), free(second);
    }
}

/* --- texts of users ----------------------------------------------------------------------------- */

#define RUN "`touch ran` $(touch ran)"

static const char *const hostile[] = {"`touch ran`",
                                      "$x @y",
                                      "it's",
                                      "'",
                                      "''",
                                      "\"",
                                      "\\",
                                      "a\\",
                                      "100%",
                                      "%g %s %%",
                                      "#c",
                                      "{a}_b^c",
                                      "<script>",
                                      "&amp;",
                                      "x\nEOD\nsystem 'touch ran'",
                                      "<a id='x' href=\"#y\">",
                                      "tab\there",
                                      "bad \xff\xc3",
                                      "caf\xc3\xa9 \xe2\x9c\x93",
                                      "\xef\xbf\xbf",
                                      "\x01\x7f",
                                      ""};

static const char *const shown[] = {"`touch ran`",
                                    "$x @y",
                                    "it's",
                                    "'",
                                    "''",
                                    "\"",
                                    "\\",
                                    "a\\",
                                    "100%",
                                    "%g %s %%",
                                    "#c",
                                    "{a}_b^c",
                                    "&lt;script>",
                                    "&amp;amp;",
                                    "x EOD system 'touch ran'",
                                    "&lt;a id='x' href=\"#y\">",
                                    "tab here",
                                    "bad ??",
                                    "caf\xc3\xa9 \xe2\x9c\x93",
                                    "?"};

/* Ids in texts are no ids, but our test cannot tell them apart. */
static bool like_an_id(const char *s)
{
    return strstr(s, "id=");
}

static void hostile_rows(struct figure *f)
{
    for (u32 i = 0; i < LEN(hostile); i++) {
        if (like_an_id(hostile[i]))
            continue;
        figure_text(f, hostile[i]);
        for (u32 k = 1; k < f->column.n; k++)
            figure_number(f, i * 7 % 22 + k);
    }
}

static void hostile_figure(struct figure *f, enum figure_kind kind)
{
    figure_init(f, kind, "evil", RUN " 'q' \"q\" \\ <b>&\n%d", RUN " '\"\\ %g\n");
    f->doc = text_dup("<doc> & " RUN "\x01");
    f->x_title = text_dup(RUN "'\"");
    if (kind == FIGURE_BOX) {
        columns(f, box_columns);
    } else {
        figure_column(f, RUN " \"]'\n<x>");
        figure_column(f, RUN " '\"\\%\n<script>");
        figure_column(f, "%d {/:Bold x} ' \"");
    }
}

static void texts_are_shown_and_do_no_harm(void **state)
{
    (void)state;
    for (enum figure_kind kind = 0; kind < FIGURE_TABLE; kind++) {
        struct figure f;
        hostile_figure(&f, kind);
        if (kind == FIGURE_LINES)
            figure_number(&f, 1), figure_number(&f, 2), figure_number(&f, 3);
        else
            hostile_rows(&f);
        char *svg = picture_of(&f);
        assert_true(says(svg, "`touch ran` $(touch ran) 'q' \"q\" \\ &lt;b>&amp; %d") ||
                    kind == FIGURE_HEAT); /* a narrow one has it in two lines */
        for (u32 i = 0; kind <= FIGURE_STACKED && i < LEN(shown); i++)
            assert_true(like_an_id(hostile[i]) || says(svg, shown[i]));
        assert_non_null(strstr(svg, "<desc>&lt;doc> &amp; `touch ran` $(touch ran) </desc>"));
        assert_null(strstr(svg, "<script"));
        free(svg);
        assert_int_not_equal(access("ran", F_OK), 0);
    }
}

/* Markup in a label is text, not a tag whose ids are made ours. */
static void tags_in_texts_are_left_alone(void **state)
{
    (void)state;
    struct figure f;
    struct err e;
    bool drawn;
    figure_init(&f, FIGURE_BARS, "evil", "", "");
    columns(&f, "w, a");
    row(&f, hostile[15], (double[]){1});
    assert_true(figure_svg(&f, "tags.svg", &drawn, &e));
    char *svg = text_read_file("tags.svg", NULL, &e);
    check_xml(svg);
    assert_true(says(svg, shown[15]));
    unlink("tags.svg");
    free(svg);
    figure_free(&f);
}

static void long_texts_are_cut_in_the_middle_and_titles_are_wrapped(void **state)
{
    (void)state;
    struct figure f;
    figure_init(&f, FIGURE_BARS, "long",
                "a title that is so long that it cannot be in one line above so small a picture as "
                "this one",
                "");
    columns(&f, "w, a");
    row(&f, "a_name_of_a_program_that_goes_on_and_on.with_a_kernel", (double[]){1});
    char *svg = picture_of(&f);
    assert_true(says(svg, "a_name_of_a_progra\u2026_on.with_a_kernel"));
    assert_false(says(svg, "a title that is so long that it cannot be in one line above so small a "
                           "picture as this one"));
    assert_non_null(strstr(svg, "<text>a title that is so long"));
    assert_non_null(strstr(svg, "this one</text>"));
    free(svg);
}

/* --- gnuplot ------------------------------------------------------------------------------------ */

/* In a process of its own, since the note is said once: draws twice with this PATH. */
static void draw_twice(const char *path, int said)
{
    struct figure f;
    struct err e;
    bool drawn = true, ok;
    dup2(said, STDERR_FILENO);
    setenv("PATH", path, 1);
    figure_init(&f, FIGURE_BARS, "none", "", "");
    columns(&f, "w, a");
    row(&f, "x", (double[]){1});
    ok = figure_svg(&f, "none.svg", &drawn, &e) && !drawn && figure_write(&f, ".", &e);
    figure_free(&f);
    _exit(ok ? 0 : 1);
}

/* What it says; the tables must be there, and an old picture must not. */
static char *said_with_path(const char *path)
{
    struct err e;
    FILE *old = fopen("none.svg", "w"), *said = tmpfile();
    int status = -1;
    assert_non_null(old);
    fclose(old);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        draw_twice(path, fileno(said));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(access("none.csv", F_OK), 0);
    assert_int_equal(access("none.md", F_OK), 0);
    assert_int_not_equal(access("none.svg", F_OK), 0);
    unlink("none.csv"), unlink("none.md");
    char *name = text_printf("/proc/self/fd/%d", fileno(said));
    char *text = text_read_file(name, NULL, &e);
    free(name);
    fclose(said);
    return text;
}

static void without_gnuplot_there_are_tables_and_one_note(void **state)
{
    (void)state;
    char *said = said_with_path("");
    assert_string_equal(said, "smelt: gnuplot does not work here: tables are written, pictures are "
                              "not (it is not in PATH)\n");
    free(said);
}

/* A program of that name that does what the script says. */
static void check_broken(const char *script, const char *why)
{
    mkdir("broken", 0700);
    FILE *f = fopen("broken/gnuplot", "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", script);
    fclose(f);
    chmod("broken/gnuplot", 0700);
    char *said = said_with_path("broken");
    char *want = text_printf("smelt: gnuplot does not work here: tables are written, pictures are "
                             "not (%s)\n",
                             why);
    assert_string_equal(said, want);
    unlink("broken/gnuplot"), rmdir("broken");
    free(said), free(want);
}

static void a_gnuplot_that_fails_is_quoted(void **state)
{
    (void)state;
    check_broken("echo first; echo 'no svg terminal' >&2; exit 1", "no svg terminal");
    check_broken("exit 1", "it ended without a word");
    check_broken("exit 0", "it ended without a word");
}

static void a_picture_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    struct figure f;
    struct err e;
    bool drawn = true;
    uniform(&f, FIGURE_BARS, 1, 1);
    assert_false(figure_svg(&f, "no/such/u.svg", &drawn, &e));
    assert_false(drawn);
    assert_string_equal(e.msg, "no/such/u.svg: No such file or directory");
    figure_free(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_bar_for_each_number),
    cmocka_unit_test(stacked_bars_are_upon_each_other),
    cmocka_unit_test(the_papers_values_are_marks),
    cmocka_unit_test(an_empty_cell_interrupts_a_line),
    cmocka_unit_test(logarithmic_axes_have_powers_or_the_values_themselves),
    cmocka_unit_test(a_box_has_its_five_numbers),
    cmocka_unit_test(scatter_says_r),
    cmocka_unit_test(scatter_names_points_or_groups),
    cmocka_unit_test(several_series_have_an_r_each),
    cmocka_unit_test(heat_has_its_values_in_dark_or_light),
    cmocka_unit_test(tables_without_numbers_or_with_one_are_drawn),
    cmocka_unit_test(logarithmic_axes_without_positive_values_are_drawn),
    cmocka_unit_test(thirty_three_programs_have_their_names_within_the_sheet),
    cmocka_unit_test(the_same_table_gives_the_same_bytes),
    cmocka_unit_test(texts_are_shown_and_do_no_harm),
    cmocka_unit_test(tags_in_texts_are_left_alone),
    cmocka_unit_test(long_texts_are_cut_in_the_middle_and_titles_are_wrapped),
    cmocka_unit_test(without_gnuplot_there_are_tables_and_one_note),
    cmocka_unit_test(a_gnuplot_that_fails_is_quoted),
    cmocka_unit_test(a_picture_that_cannot_be_written_is_an_error),
};

TEST_MAIN(tests)
