/* t_no_memory.c -- guards of base/memory.h: who gets control where memory runs out */
#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"
#include "tests/test_main.h"

/* As a vector that cannot grow any more does. */
static void ask(void)
{
    u32 cap = UINT32_MAX;

    vec_grow(NULL, &cap, 1);
}

static bool is_out(void (*work)(void))
{
    struct memory_guard g;

    if (!MEMORY_GUARD(&g))
        return true;
    work();
    memory_unguard(&g);
    return false;
}

static void nothing(void)
{
}

static void a_guard_gets_what_its_thread_runs_out_of(void **state)
{
    (void)state;
    assert_false(is_out(nothing));
    assert_true(is_out(ask));
    assert_true(is_out(ask)); /* and again */
}

/* The inner one has it; the work of the outer one goes on. */
static void inner_work(void)
{
    assert_true(is_out(ask));
}

/* The inner one has ended well. */
static void later_work(void)
{
    assert_false(is_out(nothing));
    ask();
}

static void the_innermost_guard_gets_it(void **state)
{
    (void)state;
    assert_false(is_out(inner_work));
    assert_true(is_out(later_work));
}

/* ---- teams */

enum { ITEMS = 64 };
static u32 done[ITEMS];

static void step(void *arg, u32 item)
{
    const u32 *fails = arg;

    if (item == *fails)
        ask();
    done[item]++;
}

static struct team *team;
static u32 failing;

static void run_team(void)
{
    team_run(team, step, &failing, ITEMS);
}

/* Whose item it is: the caller's first or a member's last.  The team works on. */
static void a_team_tells_its_caller(void **state)
{
    (void)state;
    team = team_new(2);
    for (u32 i = 0; i < 40; i++) {
        failing = i % 2 ? ITEMS - 1 : 0;
        assert_true(is_out(run_team));
        failing = ITEMS;
        memset(done, 0, sizeof done);
        assert_false(is_out(run_team));
        for (u32 k = 0; k < ITEMS; k++)
            assert_int_equal(done[k], 1);
    }
    team_free(team);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_guard_gets_what_its_thread_runs_out_of),
    cmocka_unit_test(the_innermost_guard_gets_it),
    cmocka_unit_test(a_team_tells_its_caller),
};

TEST_MAIN(tests)
