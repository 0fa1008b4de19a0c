/*
 * t_its.c -- independent thread scheduling: lanes of a warp that wait for each other end.
 *
 * A case is the body of a kernel whose parameter is in %a: a zeroed buffer of words.  It runs without and with
 * timing, lowered and not, with and without skipping, and with turns of 1, 7 and 64 loops.
 */
#include "tests/kit.h"

enum { WORDS = 1024 };

struct its {
    const char *before, *body;
    u32 block;
    void (*check)(const u32 *a, u32 block);
    const char *loops;           /* sm.yield_loops; NULL: waiting */
    u64 (*warp_insts)(u64 turn); /* of a functional run that is not lowered, or NULL */
};

/* Word 0 is the lock. */
#define LOCK "SPIN: atom.global.cas.b32 %r1, [%a], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra SPIN;\n"
#define UNLOCK "membar.gl; atom.global.exch.b32 %r1, [%a], 0;\n"
#define TICKET /* %r2: word 1, which is counted on */                                              \
    "ld.volatile.global.u32 %r2, [%a+4]; add.u32 %r3, %r2, 1; st.volatile.global.u32 [%a+4], "     \
    "%r3;\n"
#define OUT(r) "st.global.u32 [%o], " r ";\n" /* word 64 + thread */

static char *its_text(const struct its *c)
{
    return text_printf(
        ".version 6.4\n.target sm_70\n.address_size 64\n%s\n"
        ".visible .entry k(.param .u64 a)\n{\n"
        ".reg .b32 %%r<32>, %%t, %%l; .reg .b64 %%d<16>, %%a, %%o; .reg .pred %%p<8>;\n"
        "ld.param.u64 %%a, [a]; mov.u32 %%t, %%tid.x; mov.u32 %%l, %%laneid;\n"
        "mul.wide.u32 %%o, %%t, 4; add.u64 %%o, %%o, %%a; add.u64 %%o, %%o, 256;\n"
        "%s\nret;\n}\n",
        c->before ? c->before : "", c->body);
}

enum { HEAD = 6 }; /* instructions in front of the body */

static void its_once(const struct its *c, const char *text, u32 way, u32 turn)
{
    const u32 grid[3] = {1, 1, 1}, block[3] = {c->block, 1, 1};
    bool lowered = way & 1, functional = !(way & 6);
    char after[40], loops[40];
    const char *set[] = {"sm.thread_scheduling=independent",
                         "gpu.n_sm=1",
                         "mem.channels=1",
                         after,
                         loops,
                         lowered ? "front.lower=on" : "front.lower=off"};
    struct run_opts opts = {
        .functional = functional, .no_skip = way & 4, .threads = 1, .max_insts = 10000000};
    static u32 out[WORDS];
    struct conf conf;
    struct err e = {0};

    snprintf(after, sizeof after, "sm.yield_after=%u", turn);
    snprintf(loops, sizeof loops, "sm.yield_loops=%s", c->loops ? c->loops : "waiting");
    bool ok = conf_make(&conf, "gtx480", set, LEN(set), &e);
    struct device *d = ok ? device_new(&conf, &opts, &e) : NULL;
    struct program *p = d ? device_load(d, "its.ptx", text, strlen(text), &e) : NULL;
    u64 a = p ? device_alloc(d, sizeof out, &e) : 0;

    if (!a || !device_run(d, p, "k", grid, block, 0, (const u8 *)&a, &e))
        fail_msg("way %u, turns of %u: %s", way, turn, e.msg);
    assert_true(device_read(d, a, out, sizeof out, &e));
    c->check(out, c->block);
    if (c->warp_insts && !way)
        assert_int_equal(d->last.n.warp_insts, c->warp_insts(turn));
    device_free(d);
    conf_free(&conf);
}

static void its_run(const struct its *c)
{
    static const u32 turns[] = {1, 7, 64};
    char *text = its_text(c);

    for (u32 way = 0; way < 6; way++)
        for (u32 i = 0; i < LEN(turns); i++)
            its_once(c, text, way, turns[i]);
    free(text);
}

/* ---- locks */

static void counted(const u32 *a, u32 block)
{
    assert_int_equal(a[0], 0);
    assert_int_equal(a[1], block);
}

/*
 * A turn of the spinning lanes is `turn` times round 3 instructions; then the one that has the lock goes
 * through 6 to its end.  The last lane spins once.
 */
static u64 insts_of_lock(u64 turn)
{
    return HEAD + 31 * (3 * turn + 6) + 3 + 6;
}

static void a_lock_behind_the_loop_goes_round(void **state)
{
    (void)state;
    its_run(&(struct its){
        .body = LOCK TICKET UNLOCK, .block = 32, .check = counted, .warp_insts = insts_of_lock});
    its_run(&(struct its){.body = LOCK TICKET UNLOCK, .block = 80, .check = counted});
}

static void a_lock_within_the_loop_goes_round(void **state)
{
    (void)state;
    its_run(&(struct its){
        .body =
            "mov.u32 %r5, 0;\n"
            "L: atom.global.cas.b32 %r1, [%a], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra N;\n" TICKET
                UNLOCK "mov.u32 %r5, 1;\n"
            "N: setp.eq.u32 %p2, %r5, 0; @%p2 bra L;\n",
        .block = 96,
        .check = counted});
}

/* The side that falls through spins: the holder has jumped away from the loop. */
static void a_lock_that_is_left_by_a_jump_goes_round(void **state)
{
    (void)state;
    its_run(&(struct its){
        .body = "L: atom.global.cas.b32 %r1, [%a], 0, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra IN;\n"
                "bra L;\nIN:\n" TICKET UNLOCK,
        .block = 64,
        .check = counted});
}

static void thrice(const u32 *a, u32 block)
{
    assert_int_equal(a[1], 3 * block);
    for (u32 i = 0; i < block; i++)
        assert_int_equal(a[64 + i], 3 * (i % 3));
}

/* Lanes go through the lock three times, by three ways that depend on the lane. */
static void locks_in_nested_branches_go_round(void **state)
{
    (void)state;
    its_run(&(struct its){
        .body = "mov.u32 %r6, 0; mov.u32 %r7, 0; rem.u32 %r8, %t, 3;\n"
                "AGAIN: setp.eq.u32 %p2, %r8, 0; @%p2 bra ZERO; setp.eq.u32 %p3, %r8, 1; @%p3 bra "
                "ONE;\n"
                "add.u32 %r7, %r7, 1;\n"
                "ONE: add.u32 %r7, %r7, 1;\n"
                "ZERO:\n" LOCK TICKET UNLOCK
                "add.u32 %r6, %r6, 1; setp.lt.u32 %p4, %r6, 3; @%p4 bra AGAIN;\n" OUT("%r7"),
        .block = 64,
        .check = thrice});
}

#define FUNCTIONS                                                                                  \
    ".func lock(.param .b64 p) {.reg .b64 %q; .reg .b32 %r; .reg .pred %p; ld.param.u64 %q, "      \
    "[p];\n"                                                                                       \
    "L: atom.global.cas.b32 %r, [%q], 0, 1; setp.ne.u32 %p, %r, 0; @%p bra L; ret;}\n"             \
    ".func (.param .b32 v) twice(.param .b32 w) {.reg .b32 %r; ld.param.u32 %r, [w];\n"            \
    "shl.b32 %r, %r, 1; st.param.b32 [v], %r; ret;}\n"

static void doubled(const u32 *a, u32 block)
{
    u64 sum = 0;

    counted(a, block);
    for (u32 i = 0; i < block; i++)
        sum += a[64 + i];
    assert_int_equal(sum, block * (block - 1)); /* twice 0, 1, .., each once */
}

/* The lock is taken in a function, and another is called while it is held. */
static void calls_are_left_by_one_lane_at_a_time(void **state)
{
    (void)state;
    its_run(&(struct its){
        .before = FUNCTIONS,
        .body = "{.param .b64 p; st.param.b64 [p], %a; call lock, (p);}\n" TICKET
                "{.param .b32 w; .param .b32 v; st.param.b32 [w], %r2; call (v), twice, (w);\n"
                "ld.param.b32 %r4, [v];}\n" UNLOCK OUT("%r4"),
        .block = 64,
        .check = doubled});
}

/* ---- flags */

static void flags(const u32 *a, u32 block)
{
    for (u32 i = 0; i < block; i++)
        assert_int_equal(a[64 + i], i % 32 < 16 ? 100 + i : i);
}

/* Lanes wait until the one 16 lanes on has written; whoever waits jumps, then whoever writes does. */
#define WAIT                                                                                       \
    "W: ld.volatile.global.u32 %r4, [%d1]; setp.eq.u32 %p2, %r4, 0; @%p2 bra W;\n"                 \
    "sub.u32 %r4, %r4, 17; add.u32 %r4, %r4, 100;\n"
#define WRITE "add.u32 %r5, %t, 1; st.volatile.global.u32 [%d2], %r5; mov.u32 %r4, %t;\n"
#define WHERE /* of threads' flags: word 256 on */                                                 \
    "mul.wide.u32 %d2, %t, 4; add.u64 %d2, %d2, %a; add.u64 %d2, %d2, 1024; add.u64 %d1, %d2, "    \
    "64;\n"

static void one_lane_waits_for_another(void **state)
{
    (void)state;
    its_run(&(struct its){.body = WHERE "setp.lt.u32 %p1, %l, 16; @%p1 bra W;\n" WRITE
                                        "bra E;\n" WAIT "E:\n" OUT("%r4"),
                          .block = 64,
                          .check = flags});
    its_run(&(struct its){.body = WHERE "setp.ge.u32 %p1, %l, 16; @%p1 bra P;\n" WAIT
                                        "bra E;\nP:" WRITE "E:\n" OUT("%r4"),
                          .block = 64,
                          .check = flags});
}

/* A plain load may wait, too, if all loops count. */
static void all_loops_can_count(void **state)
{
    (void)state;
    its_run(&(struct its){.body = WHERE
                          "setp.lt.u32 %p1, %l, 16; @%p1 bra W;\n" WRITE "bra E;\n"
                          "W: ld.global.u32 %r4, [%d1]; setp.eq.u32 %p2, %r4, 0; @%p2 bra W;\n"
                          "sub.u32 %r4, %r4, 17; add.u32 %r4, %r4, 100;\n"
                          "E:\n" OUT("%r4"),
                          .block = 64,
                          .check = flags,
                          .loops = "all"});
}

/* ---- among lanes */

static void all_active(const u32 *a, u32 block)
{
    counted(a, block);
    for (u32 i = 0; i < block; i++)
        assert_int_equal(a[64 + i], ~0u);
}

static void a_barrier_of_the_warp_gathers_its_lanes(void **state)
{
    (void)state;
    its_run(&(struct its){.body = LOCK TICKET UNLOCK
                          "bar.warp.sync -1; activemask.b32 %r4;\n" OUT("%r4"),
                          .block = 64,
                          .check = all_active});
}

static void pairs(const u32 *a, u32 block)
{
    u32 seen[64] = {0};

    counted(a, block);
    for (u32 i = 0; i < block; i++) { /* what the neighbour had, and its own */
        u32 own = a[64 + i] & 0xffff, other = a[64 + i] >> 16;

        assert_int_equal(other, a[64 + (i ^ 1)] & 0xffff);
        seen[own]++;
    }
    for (u32 i = 0; i < block; i++)
        assert_int_equal(seen[i], 1);
}

static void a_shuffle_waits_for_its_members(void **state)
{
    (void)state;
    its_run(&(struct its){.body = LOCK TICKET UNLOCK
                          "shfl.sync.bfly.b32 %r4, %r2, 1, 31, -1; shl.b32 %r4, %r4, 16;\n"
                          "or.b32 %r4, %r4, %r2;\n" OUT("%r4"),
                          .block = 64,
                          .check = pairs});
}

static void halves(const u32 *a, u32 block)
{
    for (u32 i = 0; i < block; i++)
        assert_int_equal(a[64 + i], (i % 32 < 16 ? 0x5555u : 0x55550000u));
}

/* Halves of a warp vote, each for itself; the second waits for the first, which must not wait for it. */
static void members_do_not_wait_for_others(void **state)
{
    (void)state;
    its_run(&(struct its){
        .body = "and.b32 %r5, %t, 1; setp.eq.u32 %p3, %r5, 0;\n"
                "setp.lt.u32 %p1, %l, 16; selp.u32 %r6, 0xffff, 0xffff0000, %p1;\n"
                "shr.u32 %r7, %t, 5; mul.wide.u32 %d1, %r7, 4; add.u64 %d1, %d1, %a;\n"
                "add.u64 %d1, %d1, 128;\n"
                "@%p1 bra V;\n"
                "W: ld.volatile.global.u32 %r4, [%d1]; setp.lt.u32 %p2, %r4, 16; @%p2 bra W;\n"
                "V: vote.sync.ballot.b32 %r4, %p3, %r6; atom.global.add.u32 %r8, [%d1], 1;\n" OUT(
                    "%r4"),
        .block = 64,
        .check = halves});
}

static void sides(const u32 *a, u32 block)
{
    for (u32 i = 0; i < block; i++)
        assert_int_equal(a[64 + i], (i ^ 16) + 1);
}

/* The sides of a branch meet in a barrier of the warp that each has for itself. */
static void barriers_of_a_warp_need_not_be_the_same(void **state)
{
    (void)state;
    its_run(&(struct its){
        .body = "xor.b32 %r6, %t, 16; mul.wide.u32 %d1, %r6, 4; add.u64 %d1, %d1, %a;\n"
                "add.u64 %d1, %d1, 2048; mul.wide.u32 %d2, %t, 4; add.u64 %d2, %d2, %a;\n"
                "add.u64 %d2, %d2, 2048; add.u32 %r5, %t, 1; setp.lt.u32 %p1, %l, 16; @%p1 bra B;\n"
                "st.volatile.global.u32 [%d2], %r5; bar.warp.sync -1;\n"
                "ld.volatile.global.u32 %r4, [%d1]; bra E;\n"
                "B: st.volatile.global.u32 [%d2], %r5; bar.warp.sync -1;\n"
                "ld.volatile.global.u32 %r4, [%d1];\n"
                "E:\n" OUT("%r4"),
        .block = 64,
        .check = sides});
}

/* ---- ends and barriers of the CTA */

static void some_end(const u32 *a, u32 block)
{
    u32 n = 0;

    counted(a, block);
    for (u32 i = 0; i < block; i++) {
        if (!a[64 + i])
            continue;
        n++;
        assert_int_equal(a[64 + i] >> (i % 32) & 1, 1);
    }
    assert_int_equal(n, block / 2);
}

/* Every other one that had the lock ends there; the rest gathers without them. */
static void lanes_that_end_are_not_waited_for(void **state)
{
    (void)state;
    its_run(&(struct its){.body = LOCK TICKET UNLOCK
                          "and.b32 %r5, %r2, 1; setp.eq.u32 %p3, %r5, 1; @%p3 exit;\n"
                          "bar.warp.sync -1; activemask.b32 %r4;\n" OUT("%r4"),
                          .block = 64,
                          .check = some_end});
}

static void even_ones(const u32 *a, u32 block)
{
    for (u32 i = 0; i < block; i++)
        assert_int_equal(a[64 + i], i & 1 ? 0 : 0x55555555);
}

/* The odd ones are members, but can no longer come. */
static void a_vote_is_among_those_that_are_left(void **state)
{
    (void)state;
    its_run(&(struct its){.body = "and.b32 %r5, %t, 1; setp.eq.u32 %p3, %r5, 1; @%p3 exit;\n"
                                  "vote.sync.ballot.b32 %r4, 1, -1;\n" OUT("%r4"),
                          .block = 64,
                          .check = even_ones});
}

static void all_see(const u32 *a, u32 block)
{
    counted(a, block);
    for (u32 i = 0; i < block; i++)
        assert_int_equal(a[64 + i], i % 4 == 3 ? 0 : block);
}

/* Each path comes to the barrier for its own lanes; those that end before it are not waited for. */
static void a_barrier_waits_for_all_paths(void **state)
{
    (void)state;
    its_run(&(struct its){.body = LOCK TICKET UNLOCK
                          "and.b32 %r5, %t, 3; setp.eq.u32 %p3, %r5, 3; @%p3 bra E;\n"
                          "bar.sync 0; ld.volatile.global.u32 %r4, [%a+4];\n" OUT("%r4") "E:\n",
                          .block = 96,
                          .check = all_see});
}

static void lower_halves(const u32 *a, u32 block)
{
    for (u32 i = 0; i < block; i++)
        assert_int_equal(a[64 + i], i % 32 < 16);
}

/*
 * The lower halves of two warps meet at barrier 1 when the upper halves wait at barrier 2 for all: who waits there does
 * not keep the others of its warp.
 */
static void a_path_goes_on_where_another_waits_at_another_barrier(void **state)
{
    (void)state;
    its_run(&(struct its){.body = "mov.u32 %r4, 0; setp.ge.u32 %p3, %l, 16; @%p3 bra H;\n"
                                  "bar.sync 1, 32; mov.u32 %r4, 1; bar.sync 2, 64; bra J;\n"
                                  "H: bar.sync 2, 64; J:\n" OUT("%r4"),
                          .block = 64,
                          .check = lower_halves});
}

static void both_sides(const u32 *a, u32 block)
{
    for (u32 i = 0; i < block; i++)
        assert_int_equal(a[64 + i], 2 * block);
}

/* The sides of a branch have a barrier each, twice: it counts threads, so all have come to one or the other. */
static void a_barrier_counts_threads_of_both_sides(void **state)
{
    (void)state;
    its_run(&(struct its){.body = "setp.lt.u32 %p1, %l, 11; @%p1 bra B;\n"
                                  "atom.global.add.u32 %r1, [%a+8], 1; bar.sync 0;\n"
                                  "atom.global.add.u32 %r1, [%a+8], 1; bar.sync 0; bra E;\n"
                                  "B: atom.global.add.u32 %r1, [%a+8], 1; bar.sync 0;\n"
                                  "atom.global.add.u32 %r1, [%a+8], 1; bar.sync 0;\n"
                                  "E: ld.volatile.global.u32 %r4, [%a+8];\n" OUT("%r4"),
                          .block = 96,
                          .check = both_sides});
}

static void reduced(const u32 *a, u32 block)
{
    for (u32 i = 0; i < block; i++)
        assert_int_equal(a[64 + i], block / 2);
}

/* bar.red, to which lanes of a warp come one by one. */
static void a_reduction_at_a_barrier_is_over_all_paths(void **state)
{
    (void)state;
    its_run(&(struct its){.body = LOCK TICKET UNLOCK
                          "and.b32 %r5, %r2, 1; setp.eq.u32 %p3, %r5, 1;\n"
                          "barrier.sync 1; bar.red.popc.u32 %r4, 0, %p3;\n" OUT("%r4"),
                          .block = 64,
                          .check = reduced});
}

/* ---- registers */

static void wide_and_narrow(const u32 *a, u32 block)
{
    for (u32 i = 0; i < block; i++)
        assert_int_equal(a[64 + i], 7 * i + 5);
}

/*
 * Values of 64 bits are computed where others spin with values of 32, which may be in the same registers:
 * each lane has its own when they are together again.
 */
static void registers_of_two_widths_are_kept_apart(void **state)
{
    (void)state;
    its_run(&(struct its){
        .body = "mul.lo.u32 %r9, %t, 3;\n" LOCK TICKET
                "mul.wide.u32 %d4, %t, 65536; mul.lo.u64 %d4, %d4, 65536; add.u64 %d5, %d4, 5;\n"
                "cvt.u64.u32 %d6, %r9; add.u64 %d5, %d5, %d6;\n" UNLOCK
                "shr.u64 %d7, %d5, 32; cvt.u32.u64 %r10, %d7; cvt.u32.u64 %r11, %d5;\n"
                "bar.warp.sync -1;\n"
                "add.u32 %r12, %r10, %r11; mad.lo.u32 %r12, %r9, 1, %r12;\n" OUT("%r12"),
        .block = 64,
        .check = wide_and_narrow});
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_lock_behind_the_loop_goes_round),
    cmocka_unit_test(a_lock_within_the_loop_goes_round),
    cmocka_unit_test(a_lock_that_is_left_by_a_jump_goes_round),
    cmocka_unit_test(locks_in_nested_branches_go_round),
    cmocka_unit_test(calls_are_left_by_one_lane_at_a_time),
    cmocka_unit_test(one_lane_waits_for_another),
    cmocka_unit_test(all_loops_can_count),
    cmocka_unit_test(a_barrier_of_the_warp_gathers_its_lanes),
    cmocka_unit_test(a_shuffle_waits_for_its_members),
    cmocka_unit_test(members_do_not_wait_for_others),
    cmocka_unit_test(barriers_of_a_warp_need_not_be_the_same),
    cmocka_unit_test(lanes_that_end_are_not_waited_for),
    cmocka_unit_test(a_vote_is_among_those_that_are_left),
    cmocka_unit_test(a_barrier_waits_for_all_paths),
    cmocka_unit_test(a_path_goes_on_where_another_waits_at_another_barrier),
    cmocka_unit_test(a_barrier_counts_threads_of_both_sides),
    cmocka_unit_test(a_reduction_at_a_barrier_is_over_all_paths),
    cmocka_unit_test(registers_of_two_widths_are_kept_apart),
};

TEST_MAIN(tests)
