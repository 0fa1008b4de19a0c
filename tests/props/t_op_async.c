/*
 * t_op_async.c -- cp.async and mbarrier
 *
 * Copies of every size into shared memory, with fewer bytes read, and with none; then what is there.
 * Barriers: what arrivals return, when phases end, with values worked out by hand; transactions in
 * random order, with a model of their own.
 */
#include "base/rng.h"
#include "tests/props/op_job.h"

enum { LANES_OF = 64, ROW = 32 };

static u8 input[LANES_OF * ROW], want[LANES_OF * ROW];

#define HEAD                                                                                       \
    OP_HEAD                                                                                        \
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"                                      \
    ".reg .b32 %r<20>; .reg .b64 %d<20>; .reg .pred %p<8>; .shared .align 16 .b8 s[2048];\n"       \
    "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r1, %tid.x;\n"                      \
    "mad.wide.u32 %d3, %r1, 32, %d1; mad.wide.u32 %d4, %r1, 32, %d2;\n"                            \
    "mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 32, %r2; mov.u32 %r5, 0x11111111;\n"                     \
    "st.shared.v4.u32 [%r3], {%r5,%r5,%r5,%r5}; st.shared.v4.u32 [%r3+16], "                       \
    "{%r5,%r5,%r5,%r5};\n"                                                                         \
    "and.b32 %r4, %r1, 3; setp.eq.u32 %p1, %r4, 1; bar.sync 0;\n"
#define TAIL                                                                                       \
    "bar.sync 0;\nld.shared.v4.u32 {%r10,%r11,%r12,%r13}, [%r3]; st.global.v4.u32 [%d4], "         \
    "{%r10,%r11,%r12,%r13};\nld.shared.v4.u32 {%r10,%r11,%r12,%r13}, [%r3+16]; "                   \
    "st.global.v4.u32 [%d4+16], {%r10,%r11,%r12,%r13};\nret;\n}\n"

/* The copy of each thread: `bytes` from its row at `from` to its row at `to`, of which `some` are read. */
struct copy {
    const char *text;
    u32 to, from, bytes;
    u32 (*some)(u32 thread, u32 bytes);
};

static u32 all(u32 thread, u32 bytes)
{
    (void)thread;
    return bytes;
}

static u32 lane_mod(u32 thread, u32 bytes)
{
    u32 n = thread % 4 * 5; /* 0, 5, 10, 15 */

    return n < bytes ? n : bytes;
}

static u32 not_second(u32 thread, u32 bytes)
{
    return thread % 4 == 1 ? 0 : bytes;
}

static u32 only_second(u32 thread, u32 bytes)
{
    return bytes - not_second(thread, bytes);
}

static const struct copy copies[] = {
    {"cp.async.ca.shared.global [%r3], [%d3], 4; cp.async.wait_all;", 0, 0, 4, all},
    {"cp.async.ca.shared.global [%r3+8], [%d3+16], 8; cp.async.commit_group; cp.async.wait_group "
     "0;",
     8, 16, 8, all},
    {"cp.async.ca.shared.global [%r3+16], [%d3], 16; cp.async.wait_all;", 16, 0, 16, all},
    {"cp.async.cg.shared.global [%r3], [%d3+16], 16; cp.async.wait_all;", 0, 16, 16, all},
    {"cp.async.ca.shared::cta.global.L2::128B [%r3], [%d3], 16; cp.async.wait_all;", 0, 0, 16, all},
    {"mov.b64 %d9, 5; cp.async.ca.shared.global.L2::cache_hint [%r3], [%d3], 16, %d9; "
     "cp.async.wait_all;",
     0, 0, 16, all},
    {"mul.lo.u32 %r6, %r4, 5; cp.async.cg.shared.global [%r3], [%d3], 16, %r6; cp.async.wait_all;",
     0, 0, 16, lane_mod},
    {"mul.lo.u32 %r6, %r4, 5; cp.async.ca.shared.global [%r3+8], [%d3+8], 8, %r6; "
     "cp.async.wait_all;",
     8, 8, 8, lane_mod},
    {"cp.async.ca.shared.global [%r3], [%d3], 16, %p1; cp.async.wait_all;", 0, 0, 16, not_second},
    {"cp.async.ca.shared.global [%r3], [%d3], 4, !%p1; cp.async.wait_all;", 0, 0, 4, only_second},
    {"cp.async.ca.shared.global [%r3], [%d3], 16, 0; cp.async.wait_all;", 0, 0, 16, NULL},
};

static void expect_copy(const struct copy *c)
{
    memset(want, 0x11, sizeof want);
    for (u32 t = 0; t < LANES_OF; t++) {
        memset(want + ROW * t + c->to, 0, c->bytes);
        memcpy(want + ROW * t + c->to, input + ROW * t + c->from,
               c->some ? c->some(t, c->bytes) : 0);
    }
}

static void fill(void)
{
    for (u32 i = 0; i < sizeof input; i++)
        input[i] = (u8)(i * 7 + i / 32 + 1);
}

static void run(const char *what, const char *text)
{
    op_job_check(what, text,
                 (struct op_job){.kernel = "k",
                                 .in = input,
                                 .n_in = sizeof input,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = LANES_OF});
}

static void cp_async_copies_and_fills_with_zeros(void **state)
{
    (void)state;
    fill();
    for (u32 i = 0; i < LEN(copies); i++) {
        char *text = text_printf("%s%s\n%s", HEAD, copies[i].text, TAIL);

        expect_copy(&copies[i]);
        run(copies[i].text, text);
        free(text);
    }
}

/* Under a guard: the others keep what was there. */
static void cp_async_of_some_lanes_alone(void **state)
{
    (void)state;
    fill();
    memset(want, 0x11, sizeof want);
    for (u32 t = 1; t < LANES_OF; t += 4)
        memcpy(want + ROW * t, input + ROW * t, 16);
    run("@p cp.async",
        HEAD "@%p1 cp.async.ca.shared.global [%r3], [%d3], 16; cp.async.wait_all;\n" TAIL);
}

/* ---- barriers: one thread, its results as 64-bit values */

static void values(const char *body, u32 n, const u64 *value)
{
    char *text = text_printf("%s setp.ne.u32 %%p7, %%r1, 0; @%%p7 ret;\n%s\nret;\n}\n", HEAD, body);

    memset(want, 0xee, sizeof want);
    memcpy(want, value, n * sizeof *value);
    fill();
    run(body, text);
    free(text);
}

#define PUT_COUNT(at)                                                                              \
    "mbarrier.pending_count.b64 %r8, %d8; cvt.u64.u32 %d9, %r8; st.global.u64 [%d4+" #at "], "     \
    "%d9;\n"
#define PUT_P(at) "selp.u64 %d9, 1, 0, %p3; st.global.u64 [%d4+" #at "], %d9;\n"

/* Three are expected: pending before each arrival is 3, 2, 1; the third ends the phase, and 3 are pending again. */
static void mbarrier_counts_arrivals_down(void **state)
{
    (void)state;
    values("mbarrier.init.shared.b64 [%r2], 3;\n"
           "mbarrier.arrive.shared.b64 %d8, [%r2];\n" PUT_COUNT(
               0) "mbarrier.arrive.shared.b64 %d8, "
                  "[%r2];\n" PUT_COUNT(8) "mbarrier."
                                          "arrive."
                                          "shared."
                                          "b64 %d8, "
                                          "[%r2];"
                                          "\n" PUT_COUNT(16) "mb"
                                                             "ar"
                                                             "ri"
                                                             "er"
                                                             ".a"
                                                             "rr"
                                                             "iv"
                                                             "e."
                                                             "no"
                                                             "Co"
                                                             "mp"
                                                             "le"
                                                             "te"
                                                             ".s"
                                                             "ha"
                                                             "re"
                                                             "d."
                                                             "b6"
                                                             "4 "
                                                             "%d"
                                                             "8,"
                                                             " ["
                                                             "%r"
                                                             "2]"
                                                             ", "
                                                             "2;"
                                                             "\n" PUT_COUNT(24),
           4, (const u64[]){3, 2, 1, 3});
}

/* The state of the first arrival names phase 0, which ends with the second. */
static void mbarrier_test_wait_tells_the_end_of_a_phase(void **state)
{
    (void)state;
    values("mov.u32 %r7, 2; mbarrier.init.shared.b64 [%r2], %r7;\n"
           "mbarrier.arrive.shared.b64 %d8, [%r2];\n"
           "mbarrier.test_wait.shared.b64 %p3, [%r2], %d8;\n" PUT_P(
               0) "mbarrier.arrive.shared.b64 _, [%r2];\n"
                  "mbarrier.test_wait.shared.b64 %p3, [%r2], %d8;\n" PUT_P(
                      8) "mbarrier.arrive.shared.b64 %d8, [%r2], 1;\n"
                         "mbarrier.try_wait.shared.b64 %p3, [%r2], %d8, 100;\n" PUT_P(16),
           3, (const u64[]){0, 1, 0});
}

/* Phase 0 is under way: parity 1 (of the one before it) has ended, parity 0 has not; then the reverse. */
static void mbarrier_waits_by_parity(void **state)
{
    (void)state;
    values("mbarrier.init.shared.b64 [%r2], 1;\n"
           "mbarrier.test_wait.parity.shared.b64 %p3, [%r2], 0;\n" PUT_P(
               0) "mbarrier.try_wait.parity."
                  "acquire.cta.shared::cta."
                  "b64 %p3, [%r2], "
                  "1;\n" PUT_P(8) "mbarrier.arrive."
                                  "shared.b64 _, "
                                  "[%r2];\n"
                                  "mbarrier.test_"
                                  "wait.parity."
                                  "shared.b64 %p3, "
                                  "[%r2], 0;\n" PUT_P(16) "mbarrier."
                                                          "test_wait."
                                                          "parity."
                                                          "shared."
                                                          "b64 %p3, "
                                                          "[%r2], "
                                                          "1;"
                                                          "\n" PUT_P(24),
           4, (const u64[]){0, 1, 1, 0});
}

/* Three, of which one is not expected again: after the phase two are pending. */
static void mbarrier_arrive_drop_lowers_what_is_expected(void **state)
{
    (void)state;
    values(
        "mbarrier.init.shared.b64 [%r2], 3;\n"
        "mbarrier.arrive_drop.shared.b64 %d8, [%r2];\n" PUT_COUNT(
            0) "mbarrier.arrive.shared.b64 %d8, [%r2], 2;\n" PUT_COUNT(8) "mbarrier.arrive.shared."
                                                                          "b64 %d8, "
                                                                          "[%r2];\n" PUT_COUNT(
                                                                              16) "mbarrier.inval."
                                                                                  "shared.b64 "
                                                                                  "[%r2];\n",
        3, (const u64[]){3, 2, 2});
}

/* .noinc arrives for the copies; without it an arrival of its own is expected, and nothing is left of either. */
static void cp_async_arrives_at_a_barrier(void **state)
{
    (void)state;
    values("mbarrier.init.shared.b64 [%r2], 2;\n"
           "cp.async.ca.shared.global [%r2+16], [%d3], 16;\n"
           "cp.async.mbarrier.arrive.shared.b64 [%r2];\n"
           "mbarrier.arrive.shared.b64 %d8, [%r2];\n" PUT_COUNT(
               0) "cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];\n"
                  "mbarrier.test_wait.shared.b64 %p3, [%r2], %d8;\n" PUT_P(8),
           2, (const u64[]){2, 1});
}

/* Generic addresses mean the same barrier. */
static void mbarrier_by_generic_address(void **state)
{
    (void)state;
    values("cvt.u64.u32 %d7, %r2; cvta.shared.u64 %d7, %d7; mbarrier.init.b64 [%d7], 2;\n"
           "mbarrier.arrive.b64 %d8, [%d7];\n" PUT_COUNT(
               0) "mbarrier.arrive.release.cta.b64 _, [%d7];\n"
                  "mbarrier.test_wait.b64 %p3, [%d7], %d8;\n" PUT_P(8),
           2, (const u64[]){2, 1});
}

/* ---- transactions: any order of what changes a barrier, with a model of its own */

enum tx_form { ARRIVE, EXPECT_TX, COMPLETE_TX, ARRIVE_EXPECT_TX, DROP_EXPECT_TX, N_TX_FORM };

struct tx_model {
    u32 expected, pending, phase;
    s32 tx;
};

/* PTX ISA, "mbarrier: phase completion": no arrivals pending and a tx-count of zero. */
static void tx_change(struct tx_model *b, u32 arrive, u32 drop, s32 tx)
{
    b->expected -= drop, b->pending -= arrive, b->tx += tx;
    if (b->pending || b->tx)
        return;
    b->pending = b->expected;
    b->phase++;
}

/* What may come next: no more arrivals than are pending, and a tx-count in its range of +-2^20. */
static enum tx_form tx_pick(struct rng *r, const struct tx_model *b, u32 n)
{
    for (;;) {
        enum tx_form f = (enum tx_form)rng_below(r, N_TX_FORM);
        s32 after = b->tx + (s32)(f == ARRIVE ? 0 : f == COMPLETE_TX ? 0 - n : n);

        if (after <= -(1 << 20) || after >= 1 << 20)
            continue;
        if (b->pending || f == EXPECT_TX || f == COMPLETE_TX)
            if (f != DROP_EXPECT_TX || b->expected > 2)
                return f;
    }
}

/* As text; the number is a constant or in a register. */
static char *tx_text(enum tx_form f, u32 n, bool by_reg)
{
    static const char *const form[] = {
        "arrive.shared.b64 %d8, [%r2]", "expect_tx.relaxed.cta.shared::cta.b64 [%r2]",
        "complete_tx.relaxed.cta.shared::cta.b64 [%r2]", "arrive.expect_tx.shared.b64 %d8, [%r2]",
        "arrive_drop.expect_tx.shared::cta.b64 %d8, [%r2]"};

    if (f == ARRIVE)
        return text_printf("mbarrier.%s;\n", form[f]);
    if (by_reg)
        return text_printf("mov.u32 %%r9, %u; add.u32 %%r9, %%r9, %%r1;\nmbarrier.%s, %%r9;\n", n,
                           form[f]);
    return text_printf("mbarrier.%s, %u;\n", form[f], n);
}

static void tx_apply(struct tx_model *b, enum tx_form f, u32 n)
{
    bool arrives = f != EXPECT_TX && f != COMPLETE_TX;

    tx_change(b, arrives, f == DROP_EXPECT_TX,
              f == ARRIVE        ? 0
              : f == COMPLETE_TX ? -(s32)n
                                 : (s32)n);
}

/* A value: what was pending at the last arrival, and above it whether a phase of parity 0 is over. */
#define TX_LOOK                                                                                    \
    "mbarrier.pending_count.b64 %%r8, %%d8;\n"                                                     \
    "mbarrier.test_wait.parity.shared.b64 %%p3, [%%r2], 0;\n"                                      \
    "selp.u32 %%r9, 1, 0, %%p3; mov.b64 %%d9, {%%r8, %%r9}; st.global.u64 [%%d4+%u], %%d9;\n"

static void tx_sequence(u64 seed)
{
    struct rng r = rng_make(seed);
    struct tx_model b = {.expected = 4, .pending = 4};
    u64 value[60], last = 0;
    char *text = text_printf("mov.u64 %%d8, 0; mbarrier.init.shared.b64 [%%r2], 4;\n");

    for (u32 i = 0; i < LEN(value); i++) {
        /* often what ends the phase */
        u32 n = b.tx && rng_below(&r, 2) ? (u32)abs(b.tx)
                                         : rng_below(&r, rng_below(&r, 2) ? 9 : 1 << 19);
        enum tx_form f = tx_pick(&r, &b, n);
        char *op = tx_text(f, n, rng_below(&r, 2));
        char *all = text_printf("%s%s" TX_LOOK, text, op, 8 * i);

        last = f == EXPECT_TX || f == COMPLETE_TX ? last : b.pending;
        tx_apply(&b, f, n);
        value[i] = last | (u64)(b.phase & 1) << 32;
        free(text), free(op);
        text = all;
    }
    values(text, LEN(value), value);
    assert_true(b.phase > 3);
    free(text);
}

static void mbarrier_phases_wait_for_transactions(void **state)
{
    (void)state;
    for (u64 seed = 1; seed <= 20; seed++)
        tx_sequence(seed);
}

/* Two warps: one waits in a loop for what the other stores before it arrives. */
static void a_warp_waits_at_a_barrier_for_another(void **state)
{
    (void)state;
    fill();
    memset(want, 0x11, sizeof want);
    for (u32 t = 0; t < LANES_OF; t++) {
        u32 five[4] = {5, 5, 5, 5};

        memcpy(want + ROW * t, five, t < 32 ? 4 : 0);
    }
    run("a loop of try_wait", HEAD
        "setp.ne.u32 %p2, %r1, 0; @!%p2 mbarrier.init.shared.b64 [s+1056], 32; bar.sync 0;\n"
        "setp.ge.u32 %p3, %r1, 32; @%p3 bra GIVE;\n"
        "WAIT: mbarrier.try_wait.parity.shared.b64 %p4, [s+1056], 0; @!%p4 bra WAIT;\n"
        "ld.shared.u32 %r6, [s+1072]; st.shared.u32 [%r3], %r6; bra OUT;\n"
        "GIVE: mov.u32 %r6, 5; st.shared.u32 [s+1072], %r6; mbarrier.arrive.shared.b64 _, "
        "[s+1056];\n"
        "OUT: bar.sync 0; mov.u64 %d9, 0x1111111111111111; @!%p2 st.shared.u64 [s+1056], %d9;\n"
        "@!%p2 st.shared.u32 [s+1072], %r5;\n" TAIL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(cp_async_copies_and_fills_with_zeros),
    cmocka_unit_test(cp_async_of_some_lanes_alone),
    cmocka_unit_test(mbarrier_counts_arrivals_down),
    cmocka_unit_test(mbarrier_test_wait_tells_the_end_of_a_phase),
    cmocka_unit_test(mbarrier_waits_by_parity),
    cmocka_unit_test(mbarrier_arrive_drop_lowers_what_is_expected),
    cmocka_unit_test(cp_async_arrives_at_a_barrier),
    cmocka_unit_test(mbarrier_by_generic_address),
    cmocka_unit_test(mbarrier_phases_wait_for_transactions),
    cmocka_unit_test(a_warp_waits_at_a_barrier_for_another),
};

TEST_MAIN(tests)
