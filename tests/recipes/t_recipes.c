/*
 * t_recipes.c -- the mechanisms of docs/ADDING.md do what the page says, and the program does not notice.
 *
 * Each thread adds up one element of each of 64 rows; a row has one element for each thread, so that a load goes by
 * a stride and never comes back to a line.  Also in the hostile build, where only what is computed is sure.
 */
#include "base/hostile.h"
#include "mech/mech.h"
#include "mem/cache_watch.h"
#include "tests/micro/timed.h"

extern const struct mech mech_stream, mech_stride;

/* Instead of src/mech/list.c. */
const struct mech *const *mech_list(u32 *n)
{
    static const struct mech *const all[] = {&mech_stream, &mech_stride};

    *n = LEN(all);
    return all;
}

enum { ROWS = 64, SUMS = 512 << 10 }; /* rows; where the sums go */

static u64 counted(const struct timed *t, const char *name)
{
    const struct mech *m = t->d[0]->mechs->at[0].m;
    u64 *stat = xcalloc(1, m->stat_size), v = UINT64_MAX;

    mech_count(t->d[0]->mechs, 0, stat);
    for (u32 i = 0; i < m->sheet->n_stat; i++)
        if (strcmp(m->sheet->stat[i].name, name) == 0)
            v = *(u64 *)(void *)((u8 *)stat + m->sheet->stat[i].off);
    free(stat);
    assert_int_not_equal(v, UINT64_MAX);
    return v;
}

static void open_rows(struct timed *t, const char *mech, u32 threads)
{
    char *body =
        text_printf("mov.u32 %%r0, %%tid.x; mov.u32 %%r5, %%ctaid.x; mov.u32 %%r6, %%ntid.x;\n"
                    "mad.lo.u32 %%r0, %%r5, %%r6, %%r0; ld.param.u64 %%rd0, [a];\n"
                    "mul.wide.u32 %%rd1, %%r0, 4; add.u64 %%rd1, %%rd0, %%rd1;\n"
                    "add.u64 %%rd2, %%rd1, %u; mov.u32 %%r2, 0; mov.u32 %%r3, 0;\n"
                    "L: ld.global.u32 %%r4, [%%rd1]; add.u32 %%r2, %%r2, %%r4;\n"
                    "add.u64 %%rd1, %%rd1, %u; add.u32 %%r3, %%r3, 1;\n"
                    "setp.lt.u32 %%p1, %%r3, %u; @%%p1 bra L;\n"
                    "st.global.u32 [%%rd2], %%r2;\n",
                    (u32)SUMS, 4 * threads, (u32)ROWS);

    timed_mech = mech;
    timed_open(t, body, NULL);
    free(body);
}

static void check_sums(struct timed *t, u32 threads)
{
    for (u32 i = 0; i < threads; i++) {
        u32 sum, want = 0;

        timed_read(t, SUMS + 4 * i, &sum, sizeof sum);
        for (u32 k = 0; k < ROWS; k++)
            want += 3 * (k * threads + i) + 1;
        assert_int_equal(sum, want);
    }
}

/* The counters of a run on 15 CTAs; sums are right. */
static struct counters run(struct timed *t, const char *mech, u32 block)
{
    static u32 data[SUMS / 4];

    for (u32 i = 0; i < LEN(data); i++)
        data[i] = 3 * i + 1;
    open_rows(t, mech, 15 * block);
    timed_write(t, 0, data, sizeof data);
    if (SMELT_HOSTILE)
        timed_once(t, 0, 15, block);
    else
        timed_run(t, 15, block);
    check_sums(t, 15 * block);
    return *t->last->counters;
}

/* 64 accesses a warp, of which an SM's two warps need 32 for it to see that none hits; some are under way then. */
static void streaming_loads_go_around_l1d(void **state)
{
    struct timed t;
    struct counters with, without;

    (void)state;
    without = run(&t, NULL, 64);
    timed_close(&t);
    with = run(&t, "stream", 64);
    u64 bypassed = counted(&t, "bypassed");

    assert_true(bypassed > 0);
    assert_int_equal(with.l1d.access + bypassed, without.l1d.access);
    if (!SMELT_HOSTILE)
        assert_true(with.l1d.access * 3 < without.l1d.access * 2);
    timed_close(&t);
}

/* One warp an SM waits for each row; with the rows to come on their way it waits less. */
static void strides_are_prefetched(void **state)
{
    struct timed t;
    struct counters with, without;

    (void)state;
    without = run(&t, NULL, 32);
    timed_close(&t);
    with = run(&t, "stride", 32);
    assert_true(counted(&t, "issued") > 0);
    assert_true(counted(&t, "useful") > 0);
    if (!SMELT_HOSTILE) {
        assert_true(with.stall.raw_mem * 2 < without.stall.raw_mem);
        assert_true(with.cycles < without.cycles);
        assert_true(with.l1d.miss < without.l1d.miss);
    }
    timed_close(&t);
}

static void keys_of_a_recipe_are_checked(void **state)
{
    struct mech_set s = {0};
    struct err e;

    (void)state;
    assert_false(mech_add(&s, "stride:ahead=0", &e));
    assert_string_equal(e.msg, "-m stride:ahead=0: stride.ahead: 0 strides is outside 1..64");
    assert_true(mech_add(&s, "stride:ahead=2,sure=1", &e));
    assert_true(mech_add(&s, "stream", &e));
    mech_free(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(streaming_loads_go_around_l1d),
    cmocka_unit_test(strides_are_prefetched),
    cmocka_unit_test(keys_of_a_recipe_are_checked),
};

TEST_MAIN(tests)
