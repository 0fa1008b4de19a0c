/* t_logistic.c -- files of coefficients: what they mean, where they are found, what mistakes say. */
#include "base/logistic.h"
#include "tests/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct logistic m;
static struct err e;

static const char *const metric[] = {"ctas", "loads", "noc"};

static bool parse(const char *text)
{
    return logistic_parse(&m, text, "x.conf", &e);
}

static void refuses(const char *text, const char *message)
{
    assert_false(parse(text));
    assert_string_equal(e.msg, message);
}

static void the_logit_is_the_constant_and_the_sum_of_terms(void **state)
{
    (void)state;
    const double value[] = {4, 10, 7};
    assert_true(parse("# said\n[model]\nconstant = -2\n[coefficients]\n"
                      "loads = 0.25 # each\n  ctas = -1.5\n"));
    assert_true(logistic_check(&m, metric, 3, &e));
    assert_true(logistic_logit(&m, metric, value, 3) == -2 - 1.5 * 4 + 0.25 * 10);
    assert_true(logistic_logit(&m, metric, value, 0) == -2);
    logistic_free(&m);
}

static void a_metric_that_the_file_lacks_counts_with_0(void **state)
{
    (void)state;
    assert_true(parse("[coefficients]\nloads = 2\n[model]\nconstant = 1e3\n"));
    assert_true(m.constant == 1000);
    assert_true(logistic_find(&m, "loads") == 2);
    assert_true(logistic_find(&m, "ctas") == 0);
    logistic_free(&m);
    assert_true(parse("[model]\nconstant = 1\n"));
    assert_true(logistic_check(&m, metric, 3, &e));
    logistic_free(&m);
}

static void a_metric_that_nobody_has_is_refused_and_the_known_ones_listed(void **state)
{
    (void)state;
    assert_true(parse("[model]\nconstant = 1\n[coefficients]\nctas = 1\n\nlaods = 2\n"));
    assert_false(logistic_check(&m, metric, 3, &e));
    assert_string_equal(
        e.msg, "x.conf:6: no metric 'laods'; known: ctas, loads, noc; did you mean loads?");
    assert_false(logistic_check(&m, metric, 0, &e));
    assert_string_equal(e.msg, "x.conf:4: no metric 'ctas'; known: none");
    logistic_free(&m);
}

static void mistakes_are_told_with_their_line(void **state)
{
    (void)state;
    refuses("", "x.conf: has no 'constant = NUMBER' below [model]");
    refuses("[coefficients]\nctas = 1\n", "x.conf: has no 'constant = NUMBER' below [model]");
    refuses("\nconstant = 1\n",
            "x.conf:2: 'constant' stands before any heading: [model] or [coefficients]");
    refuses("[model]\nbias = 1\n", "x.conf:2: [model] has no 'bias'; it has a constant");
    refuses("[model]\nconstant = 1\nconstant = 1\n", "x.conf:3: constant: set a second time");
    refuses("[model]\nconstant = nan\n", "x.conf:2: constant: 'nan' is not a number");
    refuses("[coefficients]\nctas = 1e999\n", "x.conf:2: ctas: '1e999' is not a number");
    refuses("[coefficients]\nctas = 1\nloads = 2\nctas = 3\n", "x.conf:4: ctas: set a second time");
    refuses("[coefficients]\n\na b = 1\n", "x.conf:3: 'a b' is no name of a metric: up to 64 "
                                           "letters, digits, '_', '.' and '-'");
    refuses("[weights]\nctas = 1\n",
            "x.conf:2: no section [weights]; there are [model] and [coefficients]");
    refuses("[model]\nconstant\n", "x.conf:2: is neither 'key = value' nor '[section]'");
}

/* A folder of settings with predictor/mine.conf in it; its path, to be freed. */
static char *make_mine(char *dir)
{
    assert_non_null(mkdtemp(dir));
    char *folder = text_printf("%s/predictor", dir);
    char *mine = text_printf("%s/mine.conf", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    FILE *f = fopen(mine, "w");
    assert_non_null(f);
    fputs("[model]\nconstant = 1\n[coefficients]\nctas = 5\n", f);
    fclose(f);
    free(folder);
    setenv("SMELT_CONF_DIR", dir, 1);
    return mine;
}

static void drop_mine(const char *dir, char *mine)
{
    remove(mine);
    *strrchr(mine, '/') = 0;
    remove(mine), remove(dir);
    free(mine);
    unsetenv("SMELT_CONF_DIR");
}

static void files_are_found_by_name_or_path(void **state)
{
    (void)state;
    char dir[] = "/tmp/smelt-logistic-XXXXXX", *mine = make_mine(dir);
    assert_true(logistic_load(&m, "mine", metric, 1, &e));
    assert_true(logistic_find(&m, "ctas") == 5);
    logistic_free(&m);
    assert_true(logistic_load(&m, mine, metric, 3, &e));
    logistic_free(&m);
    assert_false(logistic_load(&m, "mine", metric + 1, 2, &e));
    assert_non_null(strstr(e.msg, "/mine.conf:4: no metric 'ctas'; known: loads, noc"));
    assert_false(logistic_load(&m, "min", metric, 3, &e));
    assert_non_null(strstr(e.msg, "no predictor 'min'; known: "));
    assert_non_null(strstr(e.msg, " mine, "));
    assert_non_null(strstr(e.msg, "; did you mean mine?"));
    assert_false(logistic_load(&m, "./min.conf", metric, 3, &e));
    assert_string_equal(e.msg, "./min.conf: No such file or directory");
    drop_mine(dir, mine);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    assert_true(parse("[model]\nconstant = 0.1\n[coefficients]\na.b-c_1 = -1e-300\nz = 0\n"));
    logistic_write(&m, f);
    logistic_free(&m);
    fclose(f);
    assert_string_equal(text,
                        "[model]\nconstant = 0.1\n\n[coefficients]\na.b-c_1 = -1e-300\nz = 0\n");
    assert_true(parse(text));
    assert_true(logistic_find(&m, "a.b-c_1") == -1e-300);
    logistic_free(&m);
    free(text);
}

/* Table 2 of the paper: the coefficients add up to 2199.732. */
static void the_predictor_of_amoeba_is_the_papers(void **state)
{
    (void)state;
    static const char *const all[] = {"ctas",     "divergence", "coalescing", "l1d_miss",
                                      "l1i_miss", "l1c_miss",   "mshr_merge", "loads",
                                      "stores",   "noc"};
    double value[LEN(all)];
    for (u32 i = 0; i < LEN(all); i++)
        value[i] = 0.01;
    assert_true(logistic_load(&m, "paper", all, LEN(all), &e));
    assert_int_equal(m.term.n, LEN(all));
    assert_true(fabs(logistic_logit(&m, all, value, LEN(all)) - (-73.635 + 21.99732)) < 1e-9);
    logistic_free(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_logit_is_the_constant_and_the_sum_of_terms),
    cmocka_unit_test(a_metric_that_the_file_lacks_counts_with_0),
    cmocka_unit_test(a_metric_that_nobody_has_is_refused_and_the_known_ones_listed),
    cmocka_unit_test(mistakes_are_told_with_their_line),
    cmocka_unit_test(files_are_found_by_name_or_path),
    cmocka_unit_test(what_is_written_is_read),
    cmocka_unit_test(the_predictor_of_amoeba_is_the_papers),
};

TEST_MAIN(tests)
