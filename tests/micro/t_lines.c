/* t_lines.c -- which instruction the cycles without an issue are charged to; see timed.h for how they are derived */
#include "gpu/lines.h"
#include "tests/micro/timed.h"

/* Two SMs and two CTAs of one warp: the same on both. */
static void lines_run(struct timed *t, u32 launches)
{
    timed_open(t, "add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1;", TIMED_SET("gpu.n_sm=2"));
    for (u32 i = 0; i < 2; i++)
        t->d[i]->opts.lines = true;
    for (u32 i = 0; i < launches; i++)
        assert_int_equal(timed_run(t, 2, 32), 24);
}

static void check_pc(const struct line_counts *c, u32 pc, u64 issued, enum stall why, u64 stalled)
{
    u64 sum = 0;

    for (u32 i = 0; i < N_STALL; i++)
        sum += c->stalled[pc][i];
    assert_int_equal(c->issued[pc], issued);
    assert_int_equal(c->stalled[pc][why], stalled);
    assert_int_equal(sum, stalled);
}

/*
 * Of each SM's one scheduler with a warp: cycles 1 and 2 wait for the first add, which goes in 3; 4 to 12 for its
 * result, the second goes in 13; 14 for `ret` to be fetched, which goes in 15.  The second add is written back in 23,
 * which ends the launch.  Of 24 cycles of two schedulers 3 issue and 12 are charged: cycle 0, 16 to 23 and the other
 * scheduler have no instruction to wait for.
 */
static void cycles_are_charged_to_the_instruction_that_waits(void **state)
{
    (void)state;
    for (u32 n = 1; n <= 2; n++) {
        struct timed t;

        lines_run(&t, n);
        for (u32 i = 0; i < 2; i++) {
            const struct lines *l = t.d[i]->lines;

            assert_int_equal(l->n_prog, 1);
            assert_ptr_equal(l->at[0].prog, t.p[i]);
            check_pc(&l->at[0], 0, 2 * n, STALL_fetch, 2 * 2 * n);
            check_pc(&l->at[0], 1, 2 * n, STALL_raw, 2 * 9 * n);
            check_pc(&l->at[0], 2, 2 * n, STALL_fetch, 2 * 1 * n);
            assert_int_equal(l->elsewhere, 2 * n * (2 * 24 - 3 - 12));
        }
        timed_close(&t);
    }
}

/* The second program's adds are its own. */
static void programs_are_told_apart(void **state)
{
    static const char text[] = ".version 6.0 .target sm_35 .address_size 64\n"
                               ".visible .entry k(.param .u64 a) { ret; }\n";
    const u32 one[3] = {1, 1, 1};
    struct timed t;

    (void)state;
    lines_run(&t, 1);
    struct device *d = t.d[0];
    struct program *p = device_load(d, "other.ptx", text, strlen(text), &t.e);

    assert_true(device_run(d, p, "k", one, one, 0, (const u8 *)&t.buf[0], &t.e));
    assert_int_equal(d->lines->n_prog, 2);
    assert_ptr_equal(d->lines->at[1].prog, p);
    assert_int_equal(d->lines->at[0].issued[0], 2);
    assert_int_equal(d->lines->at[1].issued[0], 1);
    timed_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(cycles_are_charged_to_the_instruction_that_waits),
    cmocka_unit_test(programs_are_told_apart),
};

TEST_MAIN(tests)
