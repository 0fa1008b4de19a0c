/* t_box.c -- what a study makes outside of Lua counts, and what takes long in one instruction ends. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "study/study_lua.h"
#include "tests/test_main.h"

static const struct box_limits small = {
    .instructions = 100000000, .bytes = 32 << 20, .text = 1 << 20, .seconds = 1};

/* The message of a study that is this text, read and, if that goes well, evaluated; "" if it has none. */
static const char *said(const char *text)
{
    static struct err e;
    struct study *s = study_load_text("x.lua", text, strlen(text), NULL, &small, &e);

    if (s && study_evaluate(s, NULL, &e))
        e.msg[0] = 0;
    study_free(s);
    return e.msg;
}

/* Each makes copies of one text of half a megabyte, as many as there are in hundreds of megabytes. */
static void copies_outside_of_lua_count(void **state)
{
    (void)state;
    static const char *const body[] = {
        "for i = 1, 999 do runs { programs = { 'bfs' }, label = big } end",
        "local p = {} for i = 1, 99 do p[i] = { program = 'bfs', label = big .. i } end "
        "for i = 1, 99 do runs { programs = p, label = 'x' .. i } end",
        "local a = {} for i = 1, 999 do a[i] = big end "
        "runs { programs = { { program = 'bfs', args = a } } }",
        "for i = 1, 999 do number(big .. i, function() end) end",
        "for i = 1, 999 do target { where = big, what = 'x', paper = 1, sign = true, "
        "ours = function() end } end",
        "for i = 1, 999 do text { name = 'x' .. i, lines = function() return { big } end } end",
        "figure { name = 'x', kind = 'table', columns = { 'a' }, rows = function() "
        "local r = {} for i = 1, 999 do r[i] = { big } end return r end }",
        "for i = 1, 999 do figure { name = 'x' .. i, kind = 'table', title = big, "
        "columns = { big }, rows = function() return {} end } end",
    };

    for (u32 i = 0; i < LEN(body); i++) {
        char *text = text_printf("study { name = 'x', title = 'x' }\n"
                                 "local big = ('x') for i = 1, 19 do big = big .. big end\n"
                                 "%s\n",
                                 body[i]);
        size_t before = mallinfo2().uordblks;
        const char *message = said(text);

        if (!strstr(message, "more than 32 MB of memory"))
            fail_msg("%s: %.300s", body[i], message);
        assert_true(mallinfo2().uordblks < before + (1 << 20));
        free(text);
    }
}

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check_ends_in_time(const char *text)
{
    double began = cpu_seconds();
    const char *message = said(text);

    if (!strstr(message, "more than 1 seconds") && !strstr(message, "million instructions"))
        fail_msg("%.60s..: %s", text, message);
    assert_true(cpu_seconds() - began < 8);
}

/* Lua goes through all jumps to the end of a chain for each of its parts: a minute. */
static void reading_ends_in_time(void **state)
{
    (void)state;
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);

    fputs("if x then", f);
    for (u32 i = 0; i < 300000; i++)
        fputs(" elseif x then", f);
    fputs(" end", f);
    fclose(f);
    check_ends_in_time(text);
    free(text);
}

/* A name that is not there is compared with all that are. */
static void unknown_names_end_in_time(void **state)
{
    (void)state;
    check_ends_in_time(
        "study { name = 'x', title = 'x' }\n"
        "for i = 1, 60000 do _ENV['abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrs' .. i] = 1 end\n"
        "local n = 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrsxx'\n"
        "while true do pcall(function() return _ENV[n] end) end\n");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(copies_outside_of_lua_count),
    cmocka_unit_test(reading_ends_in_time),
    cmocka_unit_test(unknown_names_end_in_time),
};

TEST_MAIN(tests)
