/* t_slurm.c -- what Slurm's watcher and tasks agree on: words of options, and the files they meet by. */
#include "cluster/slurm_dir.h"
#include "cluster/slurm_tool.h"
#include "tests/test_main.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY "0123456789abcdef0123456789abcdef"

static void check_words(const char *text, const char *const *expected, u32 n)
{
    struct words w = {0};
    struct err e;

    assert_true(slurm_words(text, &w, &e));
    assert_int_equal(w.n, n);
    for (u32 i = 0; i < n; i++)
        assert_string_equal(w.at[i], expected[i]);
    *VEC_ADD(&w) = NULL;
    point_argv_free(w.at);
}

#define WORDS(text, ...)                                                                           \
    check_words(text, (const char *[]){__VA_ARGS__},                                               \
                sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

static void options_are_split_as_a_shell_would(void **state)
{
    (void)state;
    WORDS("-p long --time 2:00:00", "-p", "long", "--time", "2:00:00");
    WORDS("  a\tb\n", "a", "b");
    WORDS("--comment='two words' x", "--comment=two words", "x");
    WORDS("\"a \\\"b\\\" \\n\"", "a \"b\" \\n");
    WORDS("'a\\b' c\\ d", "a\\b", "c d");
    WORDS("'' \"\"", "", "");
    check_words("", NULL, 0);
    check_words("  ", NULL, 0);
}

static void nothing_is_expanded(void **state)
{
    (void)state;
    WORDS("$HOME `id` $(id) * ~ a;b", "$HOME", "`id`", "$(id)", "*", "~", "a;b");
}

static void a_quote_that_is_not_closed_is_told(void **state)
{
    (void)state;
    struct words w = {0};
    struct err e;

    assert_false(slurm_words("-p 'long", &w, &e));
    assert_string_equal(e.msg, "--slurm: a quote is not closed in -p 'long");
    assert_false(slurm_words("a \"b", &w, &e));
    assert_int_equal(w.n, 0);
}

static void quoted_text_is_one_word_again(void **state)
{
    (void)state;
    static const char *const text[] = {"plain", "two words", "it's", "''", "", "$(x) \\ \"y\""};

    for (u32 i = 0; i < LEN(text); i++) {
        char *quoted = slurm_quote(text[i]);

        WORDS(quoted, text[i]);
        free(quoted);
    }
}

/* ---- the folder */

struct place {
    char dir[32];
    char *folder;
};

static int make(void **state)
{
    struct place *p = xcalloc(1, sizeof *p);
    struct err e;

    snprintf(p->dir, sizeof p->dir, "slurm_XXXXXX");
    assert_non_null(mkdtemp(p->dir));
    p->folder = slurm_folder(p->dir, true, &e);
    assert_non_null(p->folder);
    *state = p;
    return 0;
}

static int unmake(void **state)
{
    struct place *p = *state;
    char *command = text_printf("rm -r %s", p->dir);

    assert_int_equal(system(command), 0);
    free(command), free(p->folder), free(p);
    return 0;
}

static void only_one_can_take_a_point(void **state)
{
    const struct place *p = *state;
    bool mine;
    struct err e;

    assert_int_equal(slurm_holder(p->folder, KEY).hold, SLURM_FREE);
    assert_true(slurm_take(p->folder, KEY, 7, 3, &mine, &e) && mine);
    assert_true(slurm_take(p->folder, KEY, 8, 0, &mine, &e) && !mine);
    struct slurm_holder h = slurm_holder(p->folder, KEY);

    assert_int_equal(h.hold, SLURM_TAKEN);
    assert_int_equal(h.job, 7);
    assert_int_equal(h.task, 3);
    slurm_set_free(p->folder, KEY);
    assert_true(slurm_take(p->folder, KEY, 8, 0, &mine, &e) && mine);
}

static void an_ended_point_stays_taken(void **state)
{
    const struct place *p = *state;
    bool mine;
    struct err e;

    assert_true(slurm_take(p->folder, KEY, 7, 3, &mine, &e) && mine);
    slurm_set_ended(p->folder, KEY, false);
    assert_int_equal(slurm_holder(p->folder, KEY).hold, SLURM_DONE);
    slurm_set_ended(p->folder, KEY, true);
    assert_int_equal(slurm_holder(p->folder, KEY).hold, SLURM_FAILED);
    assert_true(slurm_take(p->folder, KEY, 7, 3, &mine, &e) && !mine);
}

/* A task that is killed between the two leaves a file that does not say whose it is. */
static void an_empty_file_is_taken_by_nobody_known(void **state)
{
    const struct place *p = *state;
    char *path = text_printf("%s/" KEY ".taken", p->folder);
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fclose(f);
    struct slurm_holder h = slurm_holder(p->folder, KEY);

    assert_int_equal(h.hold, SLURM_TAKEN);
    assert_int_equal(h.job, 0);
    free(path);
}

static void losses_are_counted_but_not_all(void **state)
{
    const struct place *p = *state;
    const struct slurm_holder h = {SLURM_TAKEN, 7, 3}, other = {SLURM_TAKEN, 9, 0};

    assert_int_equal(slurm_lose(p->folder, KEY, &h, "FAILED", true), 1);
    assert_int_equal(slurm_lose(p->folder, KEY, &h, "PREEMPTED", false), 1);
    assert_int_equal(slurm_lose(p->folder, KEY, &other, "TIMEOUT", true), 2);
    char *losses = slurm_losses(p->folder, KEY);

    assert_string_equal(losses, "7_3 FAILED, 9_0 TIMEOUT");
    free(losses);
}

static void a_plan_reads_back_as_it_was_written(void **state)
{
    const struct place *p = *state;
    struct slurm_plan plan = {.cwd = text_dup("/a b"), .store = text_dup("/s"), .seconds = 60}, q;
    struct point point = {.program = text_dup("x.job"), .gpu = text_dup("gtx480"), .key = KEY};
    const struct point *list[] = {&point};
    bool there;
    struct err e;

    assert_true(slurm_plan_read(p->folder, &q, &there, &e) && !there);
    plan.bytes = (u64)5 << 32;
    point_add(&point.set, "sm.n_warp=8");
    assert_true(slurm_plan_write(p->folder, &plan, list, 1, &e));
    assert_true(slurm_plan_read(p->folder, &q, &there, &e) && there);
    assert_string_equal(q.cwd, "/a b");
    assert_string_equal(q.store, "/s");
    assert_int_equal(q.seconds, 60);
    assert_true(q.bytes == (u64)5 << 32);
    assert_int_equal(q.point.n, 1);
    assert_string_equal(q.point.at[0].key, KEY);
    assert_string_equal(q.point.at[0].set.at[0], "sm.n_warp=8");
    slurm_plan_free(&q), slurm_plan_free(&plan);
    point_free(&point);
}

static void check_bad_plan(const struct place *p, const char *text, const char *message)
{
    char *path = text_printf("%s/points", p->folder);
    FILE *f = fopen(path, "w");
    struct slurm_plan q;
    bool there;
    struct err e;

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_false(slurm_plan_read(p->folder, &q, &there, &e));
    assert_non_null(strstr(e.msg, "/points: "));
    assert_non_null(strstr(e.msg, message));
    free(path);
}

static void a_plan_that_is_none_is_told(void **state)
{
    const struct place *p = *state;

    check_bad_plan(p, "{}", "no cwd or store");
    check_bad_plan(p, "{\"cwd\": \"/\", \"store\": \"/s\", \"seconds\": -1}", "no limits");
    check_bad_plan(p,
                   "{\"cwd\": \"/\", \"store\": \"/s\", \"seconds\": 1, \"bytes\": 1, "
                   "\"points\": [{\"key\": \"12\"}]}",
                   "a point without a key");
    check_bad_plan(p,
                   "{\"cwd\": \"/\", \"store\": \"/s\", \"seconds\": 1, \"bytes\": 1, "
                   "\"points\": [{\"key\": \"" KEY "\"}]}",
                   "a point without a text \"program\"");
}

static void names_belong_to_paths(void **state)
{
    (void)state;
    char *a = slurm_name("/a/slurm"), *b = slurm_name("/b/slurm"), *again = slurm_name("/a/slurm");

    assert_string_equal(a, again);
    assert_string_not_equal(a, b);
    assert_int_equal(strncmp(a, "smelt-", 6), 0);
    free(a), free(b), free(again);
}

/* Whoever takes a point while the folder is cleaned sees that it is over. */
static void cleaning_leaves_stop_jobs_and_results(void **state)
{
    const struct place *p = *state;
    bool mine;
    struct err e;
    char *row = text_printf("%s/" KEY ".row", p->folder);
    FILE *f = fopen(row, "w");

    fclose(f);
    assert_true(slurm_take(p->folder, KEY, 7, 3, &mine, &e) && mine);
    slurm_note_job(p->folder, 7), slurm_note_job(p->folder, 9);
    assert_true(slurm_clean(p->folder, &e));
    assert_int_equal(slurm_holder(p->folder, KEY).hold, SLURM_FREE);
    assert_true(slurm_is_stopped(p->folder));
    assert_int_equal(access(row, F_OK), 0);
    char *jobs = slurm_jobs(p->folder);

    assert_string_equal(jobs, "7, 9");
    slurm_forget(p->folder);
    assert_null(slurm_jobs(p->folder));
    slurm_go(p->folder);
    assert_false(slurm_is_stopped(p->folder));
    free(jobs), free(row);
}

static void one_process_watches(void **state)
{
    const struct place *p = *state;
    struct err e;
    int first = slurm_lock(p->folder, &e);

    assert_true(first >= 0);
    assert_int_equal(slurm_lock(p->folder, &e), -1);
    assert_non_null(strstr(e.msg, "another smelt watches these jobs"));
    close(first);
    int second = slurm_lock(p->folder, &e);

    assert_true(second >= 0);
    close(second);
}

#define FOLDER(f) cmocka_unit_test_setup_teardown(f, make, unmake)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(options_are_split_as_a_shell_would),
    cmocka_unit_test(nothing_is_expanded),
    cmocka_unit_test(a_quote_that_is_not_closed_is_told),
    cmocka_unit_test(quoted_text_is_one_word_again),
    cmocka_unit_test(names_belong_to_paths),
    FOLDER(only_one_can_take_a_point),
    FOLDER(an_ended_point_stays_taken),
    FOLDER(an_empty_file_is_taken_by_nobody_known),
    FOLDER(losses_are_counted_but_not_all),
    FOLDER(a_plan_reads_back_as_it_was_written),
    FOLDER(a_plan_that_is_none_is_told),
    FOLDER(cleaning_leaves_stop_jobs_and_results),
    FOLDER(one_process_watches),
};

TEST_MAIN(tests)
