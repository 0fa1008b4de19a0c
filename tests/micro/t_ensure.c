/*
 * t_ensure.c -- a broken invariant of an SM is told with kernel, cycle, SM, warp and line.
 *
 * The machine is broken on purpose, in a hook.
 */
#include "sm/sm.h"
#include "tests/broken.h"
#include "tests/micro/timed.h"

static char said[BROKEN_SAID];

/* Line 9 is the first of the body (timed.h).  The second add is ready at once, the third waits for it. */
static const char body[] = "add.u32 %r1, %r2, 1;\n"
                           "add.u32 %r3, %r4, 1;\n"
                           "add.u32 %r5, %r3, 1;\n"
                           "st.shared.u32 [s], %r5;\n";

static void lose_operations(void *self, struct sm *sm, u32 slot)
{
    (void)self, (void)slot;
    sm->mu->free_op = sm->mu->n_op;
}

static void lose_flights(void *self, struct sm *sm, u32 slot)
{
    (void)self, (void)slot;
    sm->group->flights.free = NONE16;
}

struct breaking {
    enum hook hook;
    void (*call)(void *self, struct sm *sm, u32 arg);
};

/* Done to SM 0 in each such hook. */
static void run_broken(void *arg)
{
    const struct breaking *b = arg;
    struct timed t;

    timed_open(&t, body, NULL);
    struct hooks *h = &t.d[0]->machine->sm[0].hooks;

    h->at[b->hook][h->n[b->hook]++] = (struct listener){b->call, NULL};
    h->armed |= 1u << b->hook;
    timed_once(&t, 0, 1, 32);
}

static void breaks(enum hook hook, void (*call)(void *self, struct sm *sm, u32 arg))
{
    broken_by(run_broken, &(struct breaking){hook, call}, said);
}

/*
 * The first two adds are issued in cycles 3 and 4, the third when the second has written back, in
 * 4 + 10, and the store when the third has, in 14 + 10.
 */
static void memory_is_guarded_in_every_build(void **state)
{
    (void)state;
    breaks(HOOK_issue, lose_operations);
    assert_non_null(strstr(said, "smelt: broken invariant: i < mu->n_op"));
    assert_non_null(strstr(said, "(sm/memunit/memop.c:"));
    assert_non_null(strstr(said, "\n    kernel k, cycle 24, SM 0, warp 0 (warp 0 of block 0,0,0) "
                                 "at test.ptx:12\n"));
    assert_non_null(strstr(said, "/tests/micro"));
}

/* A pool does not know for whom it is asked; the host thread does.  The second add asks. */
static void whoever_is_at_work_is_told_without_a_subject(void **state)
{
    (void)state;
    breaks(HOOK_issue, lose_flights);
    assert_non_null(strstr(said, "smelt: broken invariant: p->free != NONE16 (sm/flight.h:"));
    assert_non_null(strstr(said, "\n    kernel k, cycle 4, SM 0\n"));
}

#ifndef NDEBUG
static void lose_registers(void *self, struct sm *sm, u32 pipe)
{
    (void)self, (void)pipe;
    sm->front->ctx[0].n_pend = 0;
}

/* The first add, issued in cycle 3, releases its register 10 cycles later; its warp is at the third. */
static void counts_are_checked_in_builds_with_asserts(void **state)
{
    (void)state;
    breaks(HOOK_execute, lose_registers);
    assert_non_null(strstr(said, "smelt: broken invariant: c->n_pend >= u->n_def "
                                 "(sm/front/depend.h:"));
    assert_non_null(strstr(said, "\n    kernel k, cycle 13, SM 0, warp 0 (warp 0 of block 0,0,0) "
                                 "at test.ptx:11\n"));
}
#endif

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_is_guarded_in_every_build),
    cmocka_unit_test(whoever_is_at_work_is_told_without_a_subject),
#ifndef NDEBUG
    cmocka_unit_test(counts_are_checked_in_builds_with_asserts),
#endif
};

TEST_MAIN(tests)
