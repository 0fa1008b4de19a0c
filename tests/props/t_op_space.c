/* t_op_space.c -- special registers; cvta and isspacep between the spaces */
#include "tests/props/op_job.h"

/* ---- special registers: each thread writes all of them; the host knows what they are */

static const char *const sregs[] = {
    "%tid.x",       "%tid.y",       "%tid.z",       "%ntid.x",          "%ntid.y",
    "%ntid.z",      "%ctaid.x",     "%ctaid.y",     "%ctaid.z",         "%nctaid.x",
    "%nctaid.y",    "%nctaid.z",    "%laneid",      "%warpid",          "%nwarpid",
    "%smid",        "%nsmid",       "%gridid",      "%lanemask_eq",     "%lanemask_le",
    "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%total_smem_size", "%dynamic_smem_size",
};
enum {
    TID = 0,
    NTID = 3,
    CTAID = 6,
    NCTAID = 9,
    LANEID = 12,
    WARPID,
    NWARPID,
    SMID,
    NSMID,
    GRIDID,
    MASK_EQ,
    TOTAL = 23,
    DYNAMIC,
    N_REG
};

static const u32 grid[3] = {3, 2, 2}, block[3] = {10, 4, 2};
enum { BLOCK = 10 * 4 * 2, CTAS = 12, THREADS = BLOCK * CTAS, SMEM = 48 };

/* All of them plain, and under a guard of odd threads with 77 in the register before. */
static char *sreg_text(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&text, &size);

    fputs(OP_HEAD ".extern .shared .align 4 .b8 dyn[];\n"
                  ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %w<20>; .reg .b64 %d<8>; .reg "
                  ".pred %p<2>; .shared .align 8 .b8 sh[16];\n"
                  "ld.param.u64 %d1, [out]; mov.u32 %w1, %tid.z; mov.u32 %w2, %ntid.y; mov.u32 "
                  "%w3, %tid.y; mad.lo.u32 %w1, %w1, %w2, %w3;\n"
                  "mov.u32 %w2, %ntid.x; mov.u32 %w3, %tid.x; mad.lo.u32 %w1, %w1, %w2, %w3; "
                  "and.b32 %w9, %w1, 1; setp.eq.u32 %p1, %w9, 1;\n"
                  "mov.u32 %w4, %ctaid.z; mov.u32 %w5, %nctaid.y; mov.u32 %w6, %ctaid.y; "
                  "mad.lo.u32 %w4, %w4, %w5, %w6;\n"
                  "mov.u32 %w5, %nctaid.x; mov.u32 %w6, %ctaid.x; mad.lo.u32 %w4, %w4, %w5, %w6;\n"
                  "st.shared.u32 [sh], %w1; st.shared.u32 [dyn+44], %w1;\n",
          o);
    fprintf(o, "mad.lo.u32 %%w1, %%w4, %u, %%w1; mad.wide.u32 %%d1, %%w1, %u, %%d1;\n", BLOCK,
            8 * N_REG);
    for (u32 i = 0; i < N_REG; i++)
        fprintf(o,
                "mov.u32 %%w7, %s; mov.u32 %%w8, 77; @%%p1 mov.u32 %%w8, %s; st.global.v2.u32 "
                "[%%d1+%u], {%%w7, %%w8};\n",
                sregs[i], sregs[i], 8 * i);
    fputs("ret;\n}\n", o);
    fclose(o);
    return text;
}

static void expect_sregs(u32 *want, u32 t, u32 cta)
{
    u32 lane = t % 32;
    u32 eq = 1u << lane;
    u32 id[3] = {t % block[0], t / block[0] % block[1], t / block[0] / block[1]};
    u32 cid[3] = {cta % grid[0], cta / grid[0] % grid[1], cta / grid[0] / grid[1]};

    for (u32 i = 0; i < 3; i++) {
        want[TID + i] = id[i], want[NTID + i] = block[i];
        want[CTAID + i] = cid[i], want[NCTAID + i] = grid[i];
    }
    want[LANEID] = lane, want[WARPID] = t / 32;
    for (u32 i = 0; i < 5; i++)
        want[MASK_EQ + i] = (u32[]){eq, 2 * eq - 1, eq - 1, ~(eq - 1), ~(2 * eq - 1)}[i];
    want[TOTAL] = 16 + SMEM, want[DYNAMIC] = SMEM;
}

static void check_sregs(const u32 (*got)[N_REG][2], const struct kit *k)
{
    for (u32 i = 0; i < THREADS; i++) {
        u32 want[N_REG];

        for (u32 r = 0; r < N_REG; r++)
            want[r] = got[i][r][0]; /* what the reference leaves to the GPU */
        expect_sregs(want, i % BLOCK, i / BLOCK);
        want[NSMID] = (u32)k->conf.gpu.n_sm;
        assert_true(got[i][SMID][0] < want[NSMID]);
        assert_true(got[i][SMID][0] == got[i / BLOCK * BLOCK][SMID][0]); /* a CTA stays on its SM */
        assert_true(got[i][NWARPID][0] > want[WARPID]);
        want[GRIDID] = got[0][GRIDID][0];
        for (u32 r = 0; r < N_REG; r++) {
            if (got[i][r][0] != want[r] || got[i][r][1] != (i % BLOCK & 1 ? want[r] : 77))
                fail_msg("%s of thread %u: got %u and %u, want %u", sregs[r], i, got[i][r][0],
                         got[i][r][1], want[r]);
        }
    }
}

static void special_registers_say_who_and_where_a_thread_is(void **state)
{
    char *text = sreg_text();
    u32(*got)[N_REG][2] = calloc(THREADS, sizeof *got);

    (void)state;
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++)
        for (u32 i = 0; i < LEN(op_isas); i++) {
            struct kit k;
            u8 param[8];

            if (!op_isa_here(op_isas[i]))
                continue;
            kit_open(&k, text, mode, op_isas[i]);
            u64 out = kit_buf(&k, NULL, THREADS * sizeof *got);

            memcpy(param, &out, 8);
            assert_true(device_run(k.d, k.p, "k", grid, block, SMEM, param, &k.e));
            kit_get(&k, out, got, THREADS * sizeof *got);
            check_sregs((const u32(*)[N_REG][2])got, &k);
            kit_close(&k);
        }
    free(got);
    free(text);
}

/* ---- clocks go forward, and their halves belong together */

static const char clocks[] =
    OP_HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %w<12>; .reg .b64 "
            "%d<12>;\nld.param.u64 %d1, [out];\n"
            "mov.u64 %d2, %clock64; mov.u32 %w1, %clock; mov.u32 %w2, %clock_hi; mov.u64 %d3, "
            "%globaltimer; mov.u32 %w3, %globaltimer_lo;\n"
            "mov.u32 %w4, %globaltimer_hi; nanosleep.u32 10; mov.u64 %d4, %globaltimer; mov.u32 "
            "%w5, %clock; mov.u64 %d5, %clock64;\n"
            "mov.u64 %d9, %clock64; mov.u32 %w9, %clock;\n" /* read and not used */
            "st.global.u64 [%d1], %d2; st.global.u32 [%d1+8], %w1; st.global.u32 [%d1+12], %w2; "
            "st.global.u64 [%d1+16], %d3;\n"
            "st.global.u32 [%d1+24], %w3; st.global.u32 [%d1+28], %w4; st.global.u64 [%d1+32], "
            "%d4; st.global.u32 [%d1+40], %w5; st.global.u64 [%d1+48], %d5;\n"
            "ret;\n}\n";

static void clocks_and_timers_go_forward(void **state)
{
    (void)state;
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        struct kit k;
        struct {
            u64 clock64;
            u32 clock, clock_hi;
            u64 timer;
            u32 timer_lo, timer_hi;
            u64 timer2;
            u32 clock2, pad;
            u64 clock64_2;
        } r;

        kit_open(&k, clocks, mode, NULL);
        u64 out = kit_buf(&k, NULL, sizeof r);

        kit_run(&k, "k", 1, 1, KIT_ARGS(out));
        kit_get(&k, out, &r, sizeof r);
        assert_true(r.clock > (u32)r.clock64 && r.clock2 > r.clock && r.clock64_2 > r.clock2);
        assert_int_equal(r.clock_hi, r.clock64 >> 32);
        assert_true(r.timer2 >= r.timer && r.timer_lo >= (u32)r.timer);
        assert_int_equal(r.timer_hi, r.timer >> 32);
        kit_close(&k);
    }
}

/* ---- generic addresses: there and back, what they reach, where they say they are */

#define SPACES(F) F("global", "%d2") F("shared", "sh") F("local", "lo") F("const", "ct")

/*
 * Space number k: the value through cvta, the address after cvta and cvta.to, isspacep of each
 * kind.
 */
#define GO(name, base)                                                                             \
    "mov.u64 %d4, " base "; add.u64 %d4, %d4, 8; cvta." name                                       \
    ".u64 %d5, %d4; ld.u32 %w4, [%d5]; st.u32 [%d2], %w4;\n"                                       \
    "cvta.to." name ".u64 %d6, %d5; setp.eq.u64 %p1, %d6, %d4; selp.u32 %w5, 1, 0, %p1;\n"         \
    "isspacep.global %p1, %d5; selp.u32 %w6, 2, 0, %p1; or.b32 %w5, %w5, %w6; isspacep.shared "    \
    "%p1, %d5; selp.u32 %w6, 4, 0, %p1; or.b32 %w5, %w5, %w6;\n"                                   \
    "isspacep.local %p1, %d5; selp.u32 %w6, 8, 0, %p1; or.b32 %w5, %w5, %w6; mov.u32 %w6, 16; "    \
    "setp.ne.u32 %p1, %w6, 16; @%p2 isspacep.shared %p1, %d5;\n"                                   \
    "selp.u32 %w6, 16, 0, %p1; or.b32 %w5, %w5, %w6; st.global.u32 [%d2+4], %w5; add.u64 %d2, "    \
    "%d2, 8;\n"

static const char addresses[] =
    OP_HEAD ".const .align 8 .u32 ct[4] = {11, 22, 33, 44};\n"
            ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %w<12>; .reg .b64 "
            "%d<12>; .reg .pred %p<4>;\n"
            ".shared .align 8 .u32 sh[4]; .local .align 8 .u32 lo[4];\n"
            "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %w1, %tid.x; mad.wide.u32 "
            "%d2, %w1, 32, %d2; and.b32 %w2, %w1, 1; setp.eq.u32 %p2, %w2, 1;\n"
            "st.shared.u32 [sh+8], 55; st.local.u32 [lo+8], %w1; st.global.u32 [%d2+8], 66; "
            "bar.sync 0;\n" SPACES(GO) "ret;\n}\n";

static void cvta_goes_there_and_back_and_isspacep_knows(void **state)
{
    enum { N = 64 };
    static u32 want[N][4][2], in[1];

    (void)state;
    for (u32 t = 0; t < N; t++) {
        u32 global = 1 + 2, shared = 1 + 4 + (t & 1 ? 16 : 0), local = 1 + 8;

        memcpy(want[t], (u32[4][2]){{66, global}, {55, shared}, {t, local}, {33, global}},
               sizeof want[t]);
    }
    op_job_check("cvta, isspacep", addresses,
                 (struct op_job){.kernel = "k",
                                 .in = in,
                                 .n_in = 4,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = N});
}

static const char params[] =
    OP_HEAD ".visible .entry k(.param .u64 in, .param .u64 out, .param .align 16 .b8 "
            "par[64])\n{\n.reg .b32 %w<8>; .reg .b64 %d<8>; .reg .pred %p<2>;\n"
            "ld.param.u64 %d2, [out]; mov.u32 %w1, %tid.x; mad.wide.u32 %d2, %w1, 8, %d2;\n"
            "mov.b64 %d3, par; cvta.param.u64 %d4, %d3; and.b32 %w2, %w1, 15; mad.wide.u32 %d5, "
            "%w2, 4, %d4; ld.u32 %w3, [%d5];\n"
            "cvta.to.param.u64 %d6, %d4; setp.eq.u64 %p1, %d6, %d3; selp.u32 %w4, 1, 0, %p1; "
            "isspacep.param %p1, %d4; selp.u32 %w5, 2, 0, %p1; or.b32 %w4, %w4, %w5;\n"
            "isspacep.param %p1, %d2; selp.u32 %w5, 4, 0, %p1; or.b32 %w4, %w4, %w5; "
            "isspacep.global %p1, %d4; selp.u32 %w5, 8, 0, %p1; or.b32 %w4, %w4, %w5;\n"
            "st.global.v2.u32 [%d2], {%w3, %w4}; ret;\n}\n";

static void cvta_param_reaches_the_parameters(void **state)
{
    enum { N = 40 };
    static u32 want[N][2], in[1];
    struct op_job job = {.kernel = "k",
                         .in = in,
                         .n_in = 4,
                         .want = want,
                         .n_want = sizeof want,
                         .grid = 1,
                         .block = N};

    (void)state;
    for (u32 i = 0; i < 16; i++)
        memcpy(job.param + 4 * i, &(u32){i * i + 3}, 4);
    for (u32 t = 0; t < N; t++)
        want[t][0] = (t % 16) * (t % 16) + 3, want[t][1] = 3;
    op_job_check("cvta.param", params, job);
}

static const char narrow[] =
    OP_HEAD ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %w<12>; .reg .b64 "
            "%d<8>; .reg .pred %p<2>;\n"
            ".shared .align 8 .u32 sh[4]; .local .align 8 .u32 lo[4];\n"
            "ld.param.u64 %d2, [out]; mov.u32 %w1, %tid.x; mad.wide.u32 %d2, %w1, 8, %d2; "
            "st.shared.u32 [sh+4], 5; st.local.u32 [lo+4], %w1; bar.sync 0;\n"
            "mov.u32 %w2, sh; cvta.shared.u32 %w3, %w2; ld.u32 %w4, [%w3+4]; cvta.to.shared.u32 "
            "%w5, %w3; ld.shared.u32 %w6, [%w5+4]; add.u32 %w4, %w4, %w6;\n"
            "mov.u32 %w2, lo; cvta.local.u32 %w3, %w2; ld.u32 %w7, [%w3+4]; cvta.to.local.u32 %w5, "
            "%w3; ld.local.u32 %w6, [%w5+4]; add.u32 %w7, %w7, %w6;\n"
            "st.global.v2.u32 [%d2], {%w4, %w7}; ret;\n}\n";

static void cvta_of_32_bit_addresses(void **state)
{
    enum { N = 64 };
    static u32 want[N][2], in[1];

    (void)state;
    for (u32 t = 0; t < N; t++)
        want[t][0] = 10, want[t][1] = 2 * t;
    op_job_check("cvta.u32", narrow,
                 (struct op_job){.kernel = "k",
                                 .in = in,
                                 .n_in = 4,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = N});
}

/* Thread 0 also drops a line that nobody reads afterwards; a predicate keeps the others off it. */
static const char hints[] = OP_HEAD
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %w<12>; .reg .b64 "
    "%d<12>; .reg .pred %p<2>; .reg .f32 %f<2>;\n"
    "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %w1, %tid.x; "
    "mad.wide.u32 %d3, %w1, 8, %d1; mad.wide.u32 %d4, %w1, 4, %d2; mov.f32 %f1, 0f3F000000;\n"
    "createpolicy.fractional.L2::evict_last.b64 %d5, 1.0; "
    "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %d6, %f1; "
    "createpolicy.fractional.L2::evict_last.b64 %d6;\n"
    "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %d7, [%d1], 256, %w1; "
    "createpolicy.cvt.L2.b64 %d8, %d3;\n"
    "ld.global.L2::cache_hint.u32 %w2, [%d3], %d5; "
    "ld.global.nc.L1::no_allocate.L2::cache_hint.L2::128B.v2.u32 {%w3, %w4}, [%d3], %d6;\n"
    "add.u32 %w2, %w2, %w3; add.u32 %w2, %w2, %w4; "
    "st.global.L1::no_allocate.L2::cache_hint.u32 [%d4], %w2, %d7;\n"
    "atom.global.add.L2::cache_hint.u32 %w5, [%d4], 7, %d8; "
    "red.global.add.L2::cache_hint.u32 [%d4], %w5, %d5;\n"
    "prefetch.global.L2::evict_last [%d3]; applypriority.global.L2::evict_normal [%d1], 128;\n"
    "setp.eq.u32 %p1, %w1, 0; @%p1 discard.global.L2 [%d1+256], 128; ret;\n}\n";

static void hints_about_caches_change_no_value(void **state)
{
    enum { N = 64 };
    static u32 want[N], in[N][2];

    (void)state;
    for (u32 t = 0; t < N; t++)
        in[t][0] = t * t, in[t][1] = 1000 + t;
    for (u32 t = 0; t < N; t++)
        want[t] = 2 * (2 * t * t + 1000 + t) + 7; /* stored, 7 more, and what was there again */
    op_job_check("hints", hints,
                 (struct op_job){.kernel = "k",
                                 .in = in,
                                 .n_in = sizeof in,
                                 .want = want,
                                 .n_want = sizeof want,
                                 .grid = 1,
                                 .block = N});
}

static void every_listed_form_is_in_its_kernel(void **state)
{
    static const struct {
        const char *form, *text;
    } list[] = {
#define SPACE(form, text) {form " ", text},
#include "tests/props/forms_space.inc"
#undef SPACE
    };

    (void)state;
    for (u32 i = 0; i < LEN(list); i++)
        if (!strstr(list[i].text, list[i].form))
            fail_msg("%s is listed but not tested", list[i].form);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(special_registers_say_who_and_where_a_thread_is),
    cmocka_unit_test(clocks_and_timers_go_forward),
    cmocka_unit_test(cvta_goes_there_and_back_and_isspacep_knows),
    cmocka_unit_test(cvta_param_reaches_the_parameters),
    cmocka_unit_test(cvta_of_32_bit_addresses),
    cmocka_unit_test(hints_about_caches_change_no_value),
    cmocka_unit_test(every_listed_form_is_in_its_kernel),
};

TEST_MAIN(tests)
