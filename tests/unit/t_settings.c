/* t_settings.c -- settings from the environment, and into it */
#include "conf/settings.h"
#include "tests/test_main.h"

static void clear(void)
{
    unsetenv("SMELT_ARGS");
    for (u32 i = 0; i < n_setting; i++)
        unsetenv(setting_row[i].variable);
}

static struct settings from_args(const char *text)
{
    struct settings s;
    struct err e;

    clear();
    setenv("SMELT_ARGS", text, 1);
    if (!settings_from_env(&s, &e))
        fail_msg("%s", e.msg);
    return s;
}

static void refuses(const char *variable, const char *text, const char *message)
{
    struct settings s;
    struct err e;

    clear();
    setenv(variable, text, 1);
    assert_false(settings_from_env(&s, &e));
    assert_string_equal(e.msg, message);
    assert_int_equal(e.status, ERR_USER);
    settings_free(&s);
}

static void nothing_said_is_the_usual_gpu(void **state)
{
    struct settings s = from_args("");

    (void)state;
    assert_string_equal(s.gpu, SETTINGS_GPU);
    assert_null(s.json);
    assert_int_equal(s.threads, 1);
    assert_false(s.functional || s.check || s.no_skip);
    settings_free(&s);
}

static void args_are_words_as_in_a_shell(void **state)
{
    struct settings s =
        from_args(" -g tiny  --json 'my results.json' --set=sm.n_warp=8 --set \"sm.regs=1024\""
                  " --functional --max-insts 7 --isa a\\ b\n");

    (void)state;
    assert_string_equal(s.gpu, "tiny");
    assert_string_equal(s.json, "my results.json");
    assert_int_equal(s.set.n, 2);
    assert_string_equal(s.set.at[0], "sm.n_warp=8");
    assert_string_equal(s.set.at[1], "sm.regs=1024");
    assert_true(s.functional);
    assert_int_equal(s.max_insts, 7);
    assert_string_equal(s.isa, "a b");
    settings_free(&s);
}

/* As on the command line: base/option.h */
static void a_letter_has_its_value_behind_it(void **state)
{
    struct settings s = from_args("-gtiny -mnoop -mbuddy:size=4 -m=gates");

    (void)state;
    assert_string_equal(s.gpu, "tiny");
    assert_int_equal(s.mech.n, 3);
    assert_string_equal(s.mech.at[0], "noop");
    assert_string_equal(s.mech.at[1], "buddy:size=4");
    assert_string_equal(s.mech.at[2], "gates");
    settings_free(&s);
    refuses("SMELT_ARGS", "-quiet", "SMELT_ARGS: unknown option '-quiet'; see smelt run --help");
    refuses("SMELT_ARGS", "--setx=1",
            "SMELT_ARGS: unknown option '--setx=1'; see smelt run --help");
}

static void text_reads_back(void **state)
{
    struct settings s =
        from_args("-g 'a \"b\\c' --set 'x=it'\\''s' --check --no-skip --threads 3 "
                  "--json '' --functional --max-insts 12 -m gates --mech=buddy:size=4 "
                  "--kernels 3-5 --max-cycles 99 --sample 7 --lines --json-launches all -q");
    char *text = settings_text(&s);
    struct settings t = from_args(text);
    char *again = settings_text(&t);

    (void)state;
    assert_string_equal(text, again);
    assert_string_equal(t.gpu, "a \"b\\c");
    assert_string_equal(t.set.at[0], "x=it's");
    assert_string_equal(t.json, "");
    assert_int_equal(t.threads, 3);
    assert_true(t.check && t.no_skip && t.functional && t.lines);
    assert_int_equal(t.mech.n, 2);
    assert_string_equal(t.mech.at[1], "buddy:size=4");
    assert_int_equal(t.first_timed, 3);
    assert_int_equal(t.last_timed, 5);
    assert_int_equal(t.max_cycles, 99);
    assert_int_equal(t.sample, 7);
    assert_true(t.quiet && t.json_launches == UINT64_MAX);
    free(text), free(again);
    settings_free(&s), settings_free(&t);
}

static void single_variables_count_and_args_win(void **state)
{
    struct settings s;
    struct err e;

    (void)state;
    clear();
    setenv("SMELT_GPU", "tiny", 1);
    setenv("SMELT_SET", "sm.n_warp=8 sm.regs=1024", 1);
    setenv("SMELT_CHECK", "1", 1);
    setenv("SMELT_FUNCTIONAL", "0", 1);
    setenv("SMELT_ARGS", "--gpu gtx480 --set sm.n_warp=9", 1);
    assert_true(settings_from_env(&s, &e));
    assert_string_equal(s.gpu, "gtx480");
    assert_int_equal(s.set.n, 3);
    assert_string_equal(s.set.at[2], "sm.n_warp=9"); /* the last one said counts */
    assert_true(s.check);
    assert_false(s.functional);
    settings_free(&s);
}

static void one_kernel_is_a_range(void **state)
{
    struct settings s = from_args("--kernels 4");

    (void)state;
    assert_int_equal(s.first_timed, 4);
    assert_int_equal(s.last_timed, 4);
    settings_free(&s);
}

static void a_variable_names_several_mechanisms(void **state)
{
    struct settings s;
    struct err e;

    (void)state;
    clear();
    setenv("SMELT_MECH", "buddy:size=4 gates", 1);
    setenv("SMELT_LINES", "1", 1);
    assert_true(settings_from_env(&s, &e));
    assert_int_equal(s.mech.n, 2);
    assert_string_equal(s.mech.at[0], "buddy:size=4");
    assert_string_equal(s.mech.at[1], "gates");
    assert_true(s.lines);
    settings_free(&s);
}

static void a_range_of_kernels_goes_up(void **state)
{
    (void)state;
    refuses("SMELT_KERNELS", "5-3",
            "SMELT_KERNELS: --kernels 5-3: the range ends before it begins; say --kernels 3-5");
    refuses("SMELT_KERNELS", "0-3", "SMELT_KERNELS: --kernels 0-3: 0 is outside 1..4294967295");
    refuses("SMELT_KERNELS", "3-",
            "SMELT_KERNELS: --kernels: '3-' is not A-B or A, launches counted from 1");
    refuses("SMELT_SAMPLE", "0", "SMELT_SAMPLE: --sample: 0 is outside 1..18446744073709551615");
}

static void mistakes_name_the_variable(void **state)
{
    (void)state;
    refuses("SMELT_ARGS", "--gpo x", "SMELT_ARGS: unknown option '--gpo'; see smelt run --help");
    refuses("SMELT_ARGS", "--gpu", "SMELT_ARGS: option '--gpu' needs a value");
    refuses("SMELT_ARGS", "bfs", "SMELT_ARGS: unknown option 'bfs'; see smelt run --help");
    refuses("SMELT_ARGS", "--check=1",
            "SMELT_ARGS: unknown option '--check=1'; see smelt run --help");
    refuses("SMELT_CHECK", "yes", "SMELT_CHECK: 'yes' is neither 1 nor 0");
    refuses("SMELT_THREADS", "0", "SMELT_THREADS: --threads: 0 is outside 1..1024");
    refuses("SMELT_MAX_INSTS", "many",
            "SMELT_MAX_INSTS: --max-insts: 'many' is not a whole number");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_said_is_the_usual_gpu),
    cmocka_unit_test(args_are_words_as_in_a_shell),
    cmocka_unit_test(a_letter_has_its_value_behind_it),
    cmocka_unit_test(text_reads_back),
    cmocka_unit_test(single_variables_count_and_args_win),
    cmocka_unit_test(one_kernel_is_a_range),
    cmocka_unit_test(a_variable_names_several_mechanisms),
    cmocka_unit_test(a_range_of_kernels_goes_up),
    cmocka_unit_test(mistakes_name_the_variable),
};

TEST_MAIN(tests)
