/*
 * t_hooks.c -- each hook is called when, and with what, a small kernel makes it: counted by hand, see timed.h
 * and memory_path.h for the cycles.
 *
 * The mechanism `ear` listens to every hook of the lists (sm/hook.h, mem/cache_hook.h) and notes the calls
 * of each.  A hook is heard in one scene, where SEES_NAME says which calls there must be, all of them: a
 * new hook does not compile before it has one.
 */
#include <inttypes.h>
#include <stdarg.h>

#include "mech/mech.h"
#include "tests/micro/memory_path.h"

#undef STAT /* of timed.h: the sheet needs the word */
#define SHEET_DEF "tests/micro/t_hooks.def"
struct ear_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "tests/micro/t_hooks.def"
struct ear_stat {
    u64 none;
};
#define SHEET ear
#define SHEET_DEF "tests/micro/t_hooks.def"
#define SHEET_DOC "for tests"
extern const struct sheet ear_sheet;
#include "base/sheet_table.inc"

/* Those that are in no list: mech.h has them one by one. */
#define OTHER_HOOKS(H)                                                                             \
    H(l1_route)                                                                                    \
    H(plan)                                                                                        \
    H(chip_plan)                                                                                   \
    H(bind)                                                                                        \
    H(partition_begin)                                                                             \
    H(chip_begin)                                                                                  \
    H(chip_edge)

#define L1_HOOK(name) H(l1_##name)
#define L2_HOOK(name) H(l2_##name)
#define ALL_HOOKS(H) HOOKS(H) CACHE_HOOKS(L1_HOOK) CACHE_HOOKS(L2_HOOK) OTHER_HOOKS(H)

enum {
#define H(name) HEARD_##name,
    ALL_HOOKS(H)
#undef H
        N_HEARD
};

enum { NOTES = 1000 };

static char heard[N_HEARD][NOTES];
static u64 buffer; /* addresses are counted from here */

static void note(u32 hook, const char *fmt, ...) PRINTF(2, 3);

static void note(u32 hook, const char *fmt, ...)
{
    size_t n = strlen(heard[hook]);
    va_list args;

    assert_true(n + 40 < NOTES);
    if (n)
        heard[hook][n++] = ' ';
    va_start(args, fmt);
    vsnprintf(heard[hook] + n, NOTES - n, fmt, args);
    va_end(args);
}

struct ear { /* of an SM, of a partition, of the chip */
    struct ear_conf conf;
    struct ear_stat st;
    u32 timer0;
    bool began;
};

/* ---- what it does */

enum { TIMER_OPEN, TIMER_TICK };

static void shut(struct sm *sm, bool closed)
{
    const struct subcore *sc = &sm->dp->sub[0];

    for (u32 i = 0; i < sc->n_pipe; i++)
        if (sc->pipe[i].unit == UNIT_SP)
            pipe_shut(sm->dp, i, closed);
}

static void begin_once(struct ear *e, struct sm *sm)
{
    if (e->began)
        return;
    e->began = true;
    sm->mu->keep_lanes = true;
    shut(sm, e->conf.shut != 0);
    if (e->conf.shut)
        sm_timer(sm, e->timer0 + TIMER_OPEN, sm->now, e->conf.shut);
    if (e->conf.timer)
        sm_timer(sm, e->timer0 + TIMER_TICK, sm->now, e->conf.timer);
}

/* ---- what it hears */

/* "CYCLE:ARG" in a cycle of the SM, "ARG" between windows and launches. */
static void hear(struct ear *e, u32 hook, struct sm *sm, u32 arg)
{
    if (hook == HEARD_kernel_begin || hook == HEARD_kernel_end || hook == HEARD_edge)
        note(hook, "%u", arg);
    else
        note(hook, sm->id ? "%" PRIu64 ":%u/%u" : "%" PRIu64 ":%u", sm->now, arg, sm->id);
    if (hook == HEARD_cta_begin)
        begin_once(e, sm);
    if (hook == HEARD_timer && arg == e->timer0 + TIMER_OPEN)
        shut(sm, false);
}

#define H(name)                                                                                    \
    static void on_##name(void *self, struct sm *sm, u32 arg)                                      \
    {                                                                                              \
        hear(self, HEARD_##name, sm, arg);                                                         \
    }
HOOKS(H)
#undef H

/* "CYCLE:ADDRESS:INSTRUCTION" of L1D, "ADDRESS:SM" of L2; -: nobody's. */
static void hear_cache(u32 hook, const struct cache_event *ev)
{
    u64 at = ev->addr - buffer;

    if (ev->which == IN_L2 && ev->sm_id != EVENT_NONE)
        note(hook, "%" PRIu64 ":%u", at, ev->sm_id);
    else if (ev->which == IN_L2)
        note(hook, "%" PRIu64 ":-", at);
    else
        note(hook, "%" PRIu64 ":%" PRIu64 ":%u", ev->now, at, ev->pc);
    assert_true(ev->which == IN_L2 ? ev->warp == EVENT_NONE && ev->part
                                   : ev->which == IN_L1D && ev->warp == 0 && ev->sm->id == 0);
}

#define H(name)                                                                                    \
    static void on_##name(void *self, struct cache_event *ev)                                      \
    {                                                                                              \
        (void)self;                                                                                \
        hear_cache(HEARD_##name, ev);                                                              \
    }
CACHE_HOOKS(L1_HOOK)
CACHE_HOOKS(L2_HOOK)
H(l1_route)
#undef H

static void on_plan(const void *conf, struct plan *p)
{
    (void)conf;
    note(HEARD_plan, "%u", p->n_sm);
}

static void on_chip_plan(const void *self, struct plan *p)
{
    (void)self;
    note(HEARD_chip_plan, "%u", p->n_sm);
}

static void on_bind(void *self, struct group *g)
{
    (void)self;
    note(HEARD_bind, "%u", g->n);
}

static void on_partition_begin(void *self, struct partition *p)
{
    (void)self;
    note(HEARD_partition_begin, "%u", partition_id(p));
}

static void on_chip_begin(void *self, const struct mech_chip *c)
{
    (void)self;
    note(HEARD_chip_begin, "%" PRIu64 ":%u", c->now, c->n_sm);
}

static void on_chip_edge(void *self, const struct mech_chip *c)
{
    (void)self;
    note(HEARD_chip_edge, "%" PRIu64, c->now);
}

#define PLACE sizeof(struct ear), offsetof(struct ear, conf), offsetof(struct ear, st)

static const struct mech ear = {.name = "ear",
                                .alone = true,
                                .doc = "for tests",
                                .sheet = &ear_sheet,
                                .size = sizeof(struct ear),
                                .conf = offsetof(struct ear, conf),
                                .stat = offsetof(struct ear, st),
                                .conf_size = sizeof(struct ear_conf),
                                .timer0 = offsetof(struct ear, timer0),
                                .partition = {PLACE},
                                .chip = {PLACE},
#define H(name) .on_##name = on_##name,
                                ALL_HOOKS(H)
#undef H
};

/* Instead of src/mech/list.c; it is told after the others. */
const struct mech *const *mech_list(u32 *n)
{
    extern const struct mech mech_buddy, mech_dws;
    static const struct mech *const all[] = {&mech_buddy, &mech_dws, &ear};

    *n = LEN(all);
    return all;
}

/* ---- scenes */

enum scene { ALONE, SHUT, MEMORY, TOGETHER };

/*
 * Two warps of nothing but `ret`, see t_levers.c: warp 1 issues in 3, warp 0 in 4; each is in the first SP
 * pipeline 3 later and ends 6 later.  The active warps are two (of 256 each), one, none, and what they
 * want is neither INT nor FP.  The timer is armed in 1; windows have 6 cycles.
 */
#define SEES_kernel_begin ALONE, "0"
#define SEES_kernel_end ALONE, "0"
#define SEES_cta_begin ALONE, "1:0"
#define SEES_cta_end ALONE, "10:0"
#define SEES_warp_begin ALONE, "1:0 1:1"
#define SEES_warp_end ALONE, "9:1 10:0"
#define SEES_issue ALONE, "3:1 4:0"
#define SEES_execute ALONE, "6:0 7:0"
#define SEES_subset ALONE, "1:512 3:256 4:0"
#define SEES_timer ALONE, "6:1"
#define SEES_edge ALONE, "0 0"
#define SEES_plan ALONE, "1"
#define SEES_chip_plan ALONE, "1"
#define SEES_bind ALONE, "1"
#define SEES_partition_begin ALONE, "0 1 2 3 4 5"
#define SEES_chip_begin ALONE, "0:1"
#define SEES_chip_edge ALONE, "6 12"

/* `ret` could issue in 3; its pipelines are shut from 1 to 6. */
#define SEES_unit_wanted SHUT, "3:0 4:0 5:0"

/*
 * L1D has two ways, a slice of L2 one.  ld.param issues in 4 and is back in 7.  The first load issues in 21,
 * with its neighbour's buffer: line 0, to L1D in 25, looked up in 60, filled in 334, done in 336 (315).
 * The second, which waits for its register, goes in 336: line 128 first, looked up in 375, a miss, then
 * line 0 in 376, a hit: some of its data have come.  The row is open: 12 less, done in 639.  The third, in
 * 639, takes the way of line 128, which instruction 5 had brought; 315.  setp goes in 640, the branch in 647.
 * All four sectors of a line miss in L2, and the one line of the slice goes with each new one.
 */
#define SEES_branch MEMORY, "647:0"
#define SEES_load_done MEMORY, "7:0 336:0 639:0 954:0"
#define SEES_load_part MEMORY, "60:0 376:0 678:0"
#define SEES_l1_route MEMORY, "25:0:4 340:128:5 341:0:5 643:49152:6"
#define SEES_l1_access MEMORY, "60:0:4 375:128:5 376:0:5 678:49152:6"
#define SEES_l1_miss MEMORY, "60:0:4 375:128:5 678:49152:6"
#define SEES_l1_fill MEMORY, "334:0:4 637:128:5 952:49152:6"
#define SEES_l1_evict MEMORY, "678:128:5"
#define SECTORS "0:0 32:0 64:0 96:0 128:0 160:0 192:0 224:0 49152:0 49184:0 49216:0 49248:0"
#define SEES_l2_access MEMORY, SECTORS
#define SEES_l2_miss MEMORY, SECTORS
#define SEES_l2_fill MEMORY, SECTORS
#define SEES_l2_evict MEMORY, "0:0 128:0"

/*
 * mov in 3, back in 10 (communicate), setp in 10, back in 18: the branch, at which the lock step of two SMs ends.  Lanes out,
 * an answer, 12 cycles to switch on: 32.  One issues its mov then and its jump in 34, the other its mov in
 * 34, which is back in 40; both stand where ways meet.
 */
#define SEES_unlocking TOGETHER, "18:2"
#define SEES_unlocked TOGETHER, "32:2"
#define SEES_relocked TOGETHER, "40:2"

static const struct {
    const char *name;
    enum scene scene;
    const char *calls;
} sees[] = {
#define H(name) {#name, SEES_##name},
    ALL_HOOKS(H)
#undef H
};

static void launch_once(struct timed *t, u32 i, u32 grid, u32 block)
{
    memset(heard, 0, sizeof heard);
    buffer = t->buf[i];
    timed_once(t, i, grid, block);
}

/* Skipping or not, each hook of the scene is told the same. */
static void play(struct timed *t, enum scene scene, u32 grid, u32 block)
{
    for (u32 i = 0; i < 2; i++) {
        launch_once(t, i, grid, block);
        for (u32 k = 0; k < N_HEARD; k++)
            if (sees[k].scene == scene && strcmp(sees[k].calls, heard[k]) != 0)
                fail_msg("%s: '%s', not '%s'", sees[k].name, heard[k], sees[k].calls);
    }
    timed_close(t);
}

static void a_launch_from_beginning_to_end(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = "ear:timer=5";
    timed_open(&t, "", TIMED_SET("gpu.n_sm=1"));
    play(&t, ALONE, 1, 64);
}

static void pipelines_that_are_shut(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = "ear:shut=5";
    timed_open(&t, "", TIMED_SET("gpu.n_sm=1"));
    play(&t, SHUT, 1, 32);
}

static void loads_and_a_branch(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = "ear";
    path_cold(&t,
              LANES(8) "ld.global.u32 %r1, [%rd0]; ld.global.u32 %r1, [%rd1];"
                       "ld.global.u32 %r1, [%rd0+49152]; setp.lt.u32 %p1, %r0, 16;"
                       "@%p1 bra L; mov.u32 %r2, 1; L:",
              TIMED_SET("gpu.n_sm=1", "gpu.mem_mhz=700", "l1d.index=linear", "l1d.sets=1",
                        "l1d.ways=2", "l2.index=linear", "l2.sets=1", "l2.ways=1"));
    play(&t, MEMORY, 1, 32);
}

#define TWO_WAYS(who, condition)                                                                   \
    "mov.u32 %r0, " who "; setp." condition "; @%p1 bra L;\n"                                      \
    "mov.u32 %r1, 1; bra J; L: mov.u32 %r1, 2; J: mov.u32 %r2, 3;"

static void sms_that_unlock_and_lock_again(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = "buddy:size=2,regroup=halfway", timed_beside = "ear";
    timed_open(&t, TWO_WAYS("%ctaid.x", "eq.u32 %p1, %r0, 1"), TIMED_SET("gpu.n_sm=2"));
    play(&t, TOGETHER, 2, 32);
    timed_beside = NULL;
}

/* ---- a hook in other scenes */

/*
 * The branch is in 16; the side that waits becomes a part in context 2, the next of its scheduler.  It
 * issues its mov in 18 and its jump in 19, is home in 20, and its context free when the jump has ended, in
 * 25.  The warp has the same scheduler and issues its mov in 20, in 21 what all have in common, and `ret`,
 * which it fetches then, in 23: it ends in 29.
 */
static void parts_of_warps_begin_and_end(void **state)
{
    struct timed t;

    (void)state;
    timed_mech = "dws:when=branch", timed_beside = "ear";
    timed_open(&t, TWO_WAYS("%tid.x", "lt.u32 %p1, %r0, 16"), TIMED_SET("gpu.n_sm=1"));
    for (u32 i = 0; i < 2; i++) {
        launch_once(&t, i, 1, 32);
        assert_string_equal(heard[HEARD_issue], "3:0 9:0 16:0 18:2 19:2 20:0 21:0 23:0");
        assert_string_equal(heard[HEARD_warp_begin], "1:0 16:2");
        assert_string_equal(heard[HEARD_warp_end], "25:2 29:0");
    }
    timed_close(&t);
    timed_beside = NULL;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_launch_from_beginning_to_end),
    cmocka_unit_test(pipelines_that_are_shut),
    cmocka_unit_test(loads_and_a_branch),
    cmocka_unit_test(sms_that_unlock_and_lock_again),
    cmocka_unit_test(parts_of_warps_begin_and_end),
};

TEST_MAIN(tests)
