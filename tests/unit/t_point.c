/* Points: what makes two of them the same, and what is told before a run. */
#include "runs/point.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "tests/test_main.h"

static struct err e;

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static struct point job(const char *path, const char *gpu)
{
    return (struct point){.program = text_dup(path), .gpu = text_dup(gpu)};
}

/* The key of a job on a GPU with one setting and one mechanism, each NULL if none. */
static char *key_of(const char *path, const char *gpu, const char *set, const char *mech)
{
    struct point p = job(path, gpu);

    if (set)
        point_add(&p.set, set);
    if (mech)
        point_add(&p.mech, mech);
    if (!point_check(&p, &e))
        fail_msg("%s", e.msg);
    char *key = text_dup(p.key);

    point_free(&p);
    return key;
}

static void keys_are(bool same, char *a, char *b)
{
    assert_int_equal(strlen(a), HASH_HEX - 1);
    assert_int_equal(strcmp(a, b) == 0, same);
    free(a), free(b);
}

static void setup(void)
{
    write_file("a.job", "buf a i32 4 iota\nsum a\n");
}

/* ---- what the key depends on */

static void two_ways_to_say_the_same_are_one_point(void **state)
{
    (void)state;
    setup();
    keys_are(true, key_of("a.job", "tiny", NULL, NULL), key_of("a.job", "tiny", NULL, NULL));
    keys_are(true, key_of("a.job", "gtx480", NULL, NULL),
             key_of("a.job", "gtx480", "l1d.size=16K", NULL)); /* its 32 sets */
    keys_are(true, key_of("a.job", "tiny", "l2.size=64K", NULL),
             key_of("a.job", "tiny", " l2.size = 65536", NULL));
    keys_are(true, key_of("a.job", "tiny", NULL, "noop"), key_of("a.job", "tiny", NULL, "noop:"));
}

static void comments_in_the_file_of_a_gpu_change_nothing(void **state)
{
    (void)state;
    setup();
    write_file("one.conf", "# One.\nbase = tiny\n[sm]\nn_warp = 4\n");
    write_file("two.conf", "# Two, with more to say.\nbase = tiny\n[sm]\nn_warp = 4 # half\n");
    write_file("three.conf", "# Two.\nbase = tiny\n[sm]\nn_warp = 6\n");
    keys_are(true, key_of("a.job", "./one.conf", NULL, NULL),
             key_of("a.job", "./two.conf", NULL, NULL));
    keys_are(false, key_of("a.job", "./one.conf", NULL, NULL),
             key_of("a.job", "./three.conf", NULL, NULL));
}

static void every_part_of_the_machine_counts(void **state)
{
    (void)state;
    setup();
    keys_are(false, key_of("a.job", "tiny", NULL, NULL), key_of("a.job", "gtx480", NULL, NULL));
    keys_are(false, key_of("a.job", "tiny", NULL, NULL),
             key_of("a.job", "tiny", "gpu.core_mhz=999", NULL));
    keys_are(false, key_of("a.job", "tiny", NULL, NULL), key_of("a.job", "tiny", NULL, "noop"));
    keys_are(false, key_of("a.job", "tiny", NULL, "noop"),
             key_of("a.job", "tiny", NULL, "noop:timer=17"));
    keys_are(false, key_of("a.job", "tiny", "power.table=pascal16", NULL),
             key_of("a.job", "tiny", "power.table=fermi40", NULL));
}

/* What is in the table, wherever it lies. */
static void files_that_a_mechanism_names_count(void **state)
{
    (void)state;
    setup();
    mkdir("same", 0777), mkdir("other", 0777);
    write_file("one.txt", "* occ\n"), write_file("same/one.txt", "* occ\n");
    write_file("other/one.txt", "* bal\n");
    keys_are(true, key_of("a.job", "share", NULL, "share:scheme=table:one.txt"),
             key_of("a.job", "share", NULL, "share:scheme=table:same/one.txt"));
    keys_are(false, key_of("a.job", "share", NULL, "share:scheme=table:one.txt"),
             key_of("a.job", "share", NULL, "share:scheme=table:other/one.txt"));
}

/* By name or by path. */
static void files_of_coefficients_count(void **state)
{
    (void)state;
    setup();
    mkdir("conf", 0777), mkdir("conf/predictor", 0777), mkdir("same", 0777), mkdir("other", 0777);
    write_file("conf/predictor/mine.conf", "[model]\nconstant = 1\n");
    write_file("same/mine.conf", "[model]\nconstant = 1\n");
    write_file("other/mine.conf", "[model]\nconstant = 2\n");
    setenv("SMELT_CONF_DIR", "conf", 1);
    keys_are(true, key_of("a.job", "tiny", NULL, "noop:model=mine"),
             key_of("a.job", "tiny", NULL, "noop:model=same/mine.conf"));
    keys_are(false, key_of("a.job", "tiny", NULL, "noop:model=mine"),
             key_of("a.job", "tiny", NULL, "noop:model=other/mine.conf"));
    keys_are(false, key_of("a.job", "tiny", NULL, "noop:model=mine"),
             key_of("a.job", "tiny", NULL, "noop"));
    unsetenv("SMELT_CONF_DIR");
}

static void files_that_a_job_names_count(void **state)
{
    (void)state;
    mkdir("sub", 0777);
    write_file("sub/f.job", "# one\nmodule m.ptx\nbuf a u8 2 file x.bin\n");
    write_file("sub/m.ptx", "one"), write_file("sub/x.bin", "ab");
    char *first = key_of("sub/f.job", "tiny", NULL, NULL);

    write_file("sub/x.bin", "abc");
    char *other_file = key_of("sub/f.job", "tiny", NULL, NULL);

    write_file("sub/m.ptx", "other");
    char *other_module = key_of("sub/f.job", "tiny", NULL, NULL);

    assert_string_not_equal(first, other_file);
    keys_are(false, other_file, other_module);
    free(first);
}

/* An executable's arguments, and what is in the files they name. */
static char *key_of_args(const char *a, const char *b, u64 sample)
{
    struct point p = job("./program", "tiny");

    point_add(&p.args, a), point_add(&p.args, b);
    p.sample = sample;
    if (!point_check(&p, &e))
        fail_msg("%s", e.msg);
    char *key = text_dup(p.key);

    point_free(&p);
    return key;
}

static void arguments_and_their_files_count(void **state)
{
    (void)state;
    write_file("program", "#!/bin/true\n");
    chmod("program", 0777);
    write_file("in", "1");
    keys_are(false, key_of_args("a", "b", 0), key_of_args("ab", "", 0));
    keys_are(false, key_of_args("a", "b", 0), key_of_args("a", "b", 100));
    char *before = key_of_args("in", "--more=in", 0);

    write_file("in", "22");
    char *after = key_of_args("in", "--more=in", 0);

    keys_are(false, before, text_dup(after));
    write_file("program", "#!/bin/false\n");
    keys_are(false, after, key_of_args("in", "--more=in", 0));
}

/* ---- what is wrong */

static void refused(struct point p, const char *why)
{
    assert_false(point_check(&p, &e));
    if (!strstr(e.msg, why))
        fail_msg("'%s' does not say '%s'", e.msg, why);
    assert_int_equal(e.status, ERR_USER);
    point_free(&p);
}

static void what_smelt_run_would_refuse_is_refused(void **state)
{
    struct point p;

    (void)state;
    setup();
    refused(job("none.job", "tiny"), "none.job: No such file or directory");
    refused(job("nothing", "tiny"), "nothing: no such file, and no workload is called so");
    refused(job("x.ptx", "tiny"), "PTX alone does not say what is launched");
    refused(job("a.job", "tinny"), "did you mean tiny?");
    p = job("a.job", "tiny"), point_add(&p.set, "sm.n_wrap=3");
    refused(p, "--set: sm.n_wrap: no such key; did you mean n_warp?");
    p = job("a.job", "tiny"), point_add(&p.mech, "nop");
    refused(p, "-m nop: no mechanism 'nop'; did you mean noop?");
    p = job("a.job", "tiny"), point_add(&p.args, "--size");
    refused(p, "a.job: a job takes no arguments, such as '--size'");
}

/* ---- in and out */

static struct point rich(void)
{
    struct point p = job("bfs", "gtx480");

    point_add(&p.args, "--name"), point_add(&p.args, "two words");
    point_add(&p.mech, "noop"), point_add(&p.set, "sm.n_warp=8"), point_add(&p.set, "l2.ways=4");
    p.sample = 500;
    return p;
}

static void it_is_a_command_line(void **state)
{
    static const char *const expected[] = {
        "run",      "--quiet", "--json", "out.json",    "-g",     "gtx480",
        "-m",       "noop",    "--set",  "sm.n_warp=8", "--set",  "l2.ways=4",
        "--sample", "500",     "--",     "bfs",         "--name", "two words"};
    struct point p = rich();
    char **argv = point_argv(&p, "out.json"), *text = point_text(&p);

    (void)state;
    for (u32 i = 0; i < LEN(expected); i++)
        assert_string_equal(argv[i + 1], expected[i]);
    assert_null(argv[LEN(expected) + 1]);
    assert_string_equal(text, "bfs --name 'two words' -g gtx480 -m noop --set sm.n_warp=8 --set "
                              "l2.ways=4 --sample 500");
    point_argv_free(argv);
    free(text);
    point_free(&p);
}

static char *json_of(const struct point *p)
{
    struct json j;

    json_open_buf(&j);
    point_json(p, &j);
    return json_close_buf(&j, NULL);
}

static void it_comes_back_from_json(void **state)
{
    struct point p = rich(), q;
    char *text = json_of(&p);
    struct json_value *v = json_read("point", text, strlen(text), &e);

    (void)state;
    assert_true(point_from_json(&q, v, &e));
    char *again = json_of(&q);

    assert_string_equal(again, text);
    free(text), free(again);
    json_free(v);
    point_free(&p), point_free(&q);
}

static void json_that_is_no_point_is_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"{}", "without a text \"program\""},
        {"{\"program\": \"a\", \"args\": [1]}", "without a list of texts \"args\""},
        {"{\"program\": \"a\", \"args\": [], \"gpu\": \"g\", \"mech\": [], \"set\": [], "
         "\"sample\": 1.5}",
         "without a whole number \"sample\""},
    };
    struct point p;

    (void)state;
    for (u32 i = 0; i < LEN(wrong); i++) {
        struct json_value *v = json_read("point", wrong[i][0], strlen(wrong[i][0]), &e);

        assert_non_null(v);
        assert_false(point_from_json(&p, v, &e));
        assert_non_null(strstr(e.msg, wrong[i][1]));
        json_free(v);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_ways_to_say_the_same_are_one_point),
    cmocka_unit_test(comments_in_the_file_of_a_gpu_change_nothing),
    cmocka_unit_test(every_part_of_the_machine_counts),
    cmocka_unit_test(files_that_a_mechanism_names_count),
    cmocka_unit_test(files_of_coefficients_count),
    cmocka_unit_test(files_that_a_job_names_count),
    cmocka_unit_test(arguments_and_their_files_count),
    cmocka_unit_test(what_smelt_run_would_refuse_is_refused),
    cmocka_unit_test(it_is_a_command_line),
    cmocka_unit_test(it_comes_back_from_json),
    cmocka_unit_test(json_that_is_no_point_is_refused),
};

TEST_MAIN(tests)
