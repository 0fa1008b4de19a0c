/* t_issue.c -- exec_issue: one instruction at a time, what it reports, and built-ins done later */
#include "tests/unit/issue.h"

#define HEAD ".version 6.0 .target sm_35 .address_size 64\n"

/* ---- the same as a run without timing */

/* Shared memory, barriers, a loop of different lengths, a call and a guarded exit. */
static const char mixture[] = HEAD
    ".func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a];\n"
    "add.u32 %x, %x, %x; st.param.b32 [r], %x; ret; }\n"
    ".visible .entry k(.param .u64 out) {\n"
    ".shared .b32 s[128]; .reg .b32 %r<9>; .reg .b64 %d<4>; .reg .pred %p<3>;\n"
    "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r3, %r3, %r2;\n"
    "mov.u32 %r4, 0; and.b32 %r5, %r1, 7;\n"
    "L: setp.ge.u32 %p1, %r4, %r5; @%p1 bra E; add.u32 %r4, %r4, 1; mad.lo.u32 %r1, %r1, 3, %r4;\n"
    "bra L;\n"
    "E: st.shared.u32 [%r3], %r1; bar.sync 0; xor.b32 %r2, %r2, 128; mov.u32 %r3, s;\n"
    "add.u32 %r3, %r3, %r2; ld.shared.u32 %r6, [%r3]; mov.u32 %r1, %tid.x;\n"
    "setp.gt.u32 %p2, %r1, 99; @%p2 bra F;\n"
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r6; call (b), twice, (a);\n"
    "ld.param.b32 %r6, [b]; }\n"
    "F: ld.param.u64 %d1, [out]; mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2;\n"
    "setp.eq.u32 %p1, %r1, 77; @%p1 exit; red.global.add.u32 [%d1], 1; st.global.u32 [%d3+4], "
    "%r6;\n"
    "ret; }\n";

static void stepping_is_running(enum kit_mode mode, u32 words)
{
    u32 want[129], have[129];
    struct rig r;

    rig_open(&r, mixture, mode, words);
    u64 out = kit_buf(&r.k, NULL, sizeof want);

    kit_run(&r.k, "k", 1, 128, KIT_ARGS(out));
    kit_get(&r.k, out, want, sizeof want);
    assert_true(device_set(r.k.d, out, 0, sizeof want, &r.k.e));
    rig_launch(&r, "k", 128, KIT_ARGS(out));
    rig_finish(&r);
    kit_get(&r.k, out, have, sizeof have);
    assert_memory_equal(have, want, sizeof want);
    assert_memory_equal(&r.x.n, &r.k.d->last.n, sizeof r.x.n);
    rig_close(&r);
}

static void stepping_gives_the_memory_and_counters_of_a_run(void **state)
{
    (void)state;
    for (u32 words = 1; words <= 4; words++) {
        stepping_is_running(KIT_LOWER, words);
        stepping_is_running(KIT_OFF, words);
    }
}

static void the_clock_is_the_callers(void **state)
{
    static const char text[] =
        HEAD ".visible .entry k(.param .u64 out) { .reg .b32 %r<2>; .reg .b64 %d<2>;\n"
             "ld.param.u64 %d1, [out]; mov.u32 %r1, %clock; st.global.u32 [%d1], %r1; ret; }\n";
    struct rig r;
    u32 have;

    (void)state;
    rig_open(&r, text, KIT_LOWER, 1);
    u64 out = kit_buf(&r.k, NULL, 4);

    rig_launch(&r, "k", 1, KIT_ARGS(out));
    while (!r.c->warp[0].done) {
        r.x.clock = 12345;
        exec_issue(&r.x, &r.c->warp[0]);
        assert_int_equal(r.x.clock, 12345);
    }
    kit_get(&r.k, out, &have, 4);
    assert_int_equal(have, 12345);
    rig_close(&r);
}

/* ---- what is reported */

/* Threads below `n` load their element; those below `m` branch. */
static const char guarded[] = HEAD
    ".visible .entry k(.param .u64 in, .param .u32 n, .param .u32 m) {\n"
    ".reg .b32 %r<6>; .reg .b64 %d<4>; .reg .pred %p<3>;\n"
    "ld.param.u64 %d1, [in]; ld.param.u32 %r1, [n]; ld.param.u32 %r2, [m]; mov.u32 %r3, %tid.x;\n"
    "mul.wide.u32 %d2, %r3, 8; add.u64 %d3, %d1, %d2; setp.lt.u32 %p1, %r3, %r1;\n"
    "setp.lt.u32 %p2, %r3, %r2; @%p1 ld.global.u32 %r4, [%d3+4];\n"
    "@%p2 bra A; mul.lo.u32 %r4, %r4, 3; bra B; A: div.u32 %r4, %r4, 7;\n"
    "B: popc.b32 %r4, %r4; st.global.u32 [%d3], %r4; ret; }\n";

static u32 first(u32 n) /* lanes of a word that are below n */
{
    return n >= 32 ? ~0u : (1u << n) - 1;
}

static void check_masks(const struct rig *r, const char *name, u32 mask0, u32 mask1, u32 simt0,
                        u32 simt1)
{
    const struct exec_out *o = &r->x.out;

    assert_true(rig_is(&r->x, name));
    assert_ptr_equal(o->in, &r->x.code[o->pc]);
    assert_int_equal(o->mask[0], mask0);
    assert_int_equal(o->mask[1], mask1);
    assert_int_equal(o->mask[2] | o->mask[3] | o->simt[2] | o->simt[3], 0);
    assert_int_equal(o->simt[0], simt0);
    assert_int_equal(o->simt[1], simt1);
    assert_int_equal(o->n, __builtin_popcount(mask0) + __builtin_popcount(mask1));
}

static void check_addresses(const struct rig *r, const struct warp *w, u64 base)
{
    for (u32 k = 0; k < w->n_word; k++)
        for (u32 i = 0; i < LANES; i++)
            if (r->x.out.mask[k] >> i & 1)
                assert_int_equal(exec_addr(&r->x, w, k)[i], base + 8 * (k * LANES + i));
}

static void a_guarded_load_reports_its_lanes_and_addresses(void **state)
{
    (void)state;
    for (u32 words = 1; words <= 2; words++)
        for (u32 n = 0; n <= 32 * words; n += 5) {
            u32 all1 = words == 2 ? ~0u : 0;
            struct rig r;

            rig_open(&r, guarded, KIT_LOWER, words);
            u64 in = kit_buf(&r.k, NULL, 8 * 64);

            rig_launch(&r, "k", 32 * words, KIT_ARGS(in, n, 9));
            rig_until(&r, &r.c->warp[0], "ld.global");
            check_masks(&r, "ld.global", first(n), n > 32 ? first(n - 32) : 0, ~0u, all1);
            check_addresses(&r, &r.c->warp[0], in + 4);
            rig_until(&r, &r.c->warp[0], "st.global");
            check_masks(&r, "st.global", ~0u, all1, ~0u, all1);
            check_addresses(&r, &r.c->warp[0], in);
            rig_close(&r);
        }
}

static void the_sides_of_a_branch_report_their_masks(void **state)
{
    struct rig r;

    (void)state;
    rig_open(&r, guarded, KIT_OFF, 2); /* 64 lanes, of which the last 4 have no thread */
    u64 in = kit_buf(&r.k, NULL, 8 * 64);
    u32 last = first(28);

    rig_launch(&r, "k", 60, KIT_ARGS(in, 64, 40));
    rig_until(&r, &r.c->warp[0], "bra");
    check_masks(&r, "bra", ~0u, first(8), ~0u, last);
    rig_until(&r, &r.c->warp[0], "div");
    check_masks(&r, "div", ~0u, first(8), ~0u, first(8));
    rig_until(&r, &r.c->warp[0], "mul.lo");
    check_masks(&r, "mul.lo", 0, last & ~first(8), 0, last & ~first(8));
    rig_until(&r, &r.c->warp[0], "popc");
    check_masks(&r, "popc", ~0u, last, ~0u, last);
    rig_until(&r, &r.c->warp[0], "ret");
    check_masks(&r, "ret", ~0u, last, ~0u, last);
    assert_true(r.c->warp[0].done);
    rig_close(&r);
}

static void a_fault_leaves_the_warp_at_its_instruction(void **state)
{
    struct rig r;
    enum step s;

    (void)state;
    rig_open(&r, guarded, KIT_LOWER, 1);
    rig_launch(&r, "k", 32, KIT_ARGS(0x10, 32, 0));
    while ((s = exec_issue(&r.x, &r.c->warp[0])) == STEP_GO)
        ;
    assert_int_equal(s, STEP_FAULT);
    assert_int_equal(r.x.fault, FAULT_BOUNDS);
    assert_true(rig_is(&r.x, "ld.global"));
    assert_int_equal(r.c->warp[0].stack[r.c->warp[0].depth - 1].pc, r.x.out.pc);
    rig_close(&r);
}

/* ---- built-ins */

#define CALLS                                                                                      \
    HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"                  \
         ".extern .func (.param .b64 r) malloc(.param .b64 n); .extern .func free(.param .b64 "    \
         "p);\n"

/* Odd threads print their number, then all store what printf gave. */
static const char printing[] = CALLS
    ".global .b8 text[8] = {91, 37, 100, 93, 0};\n"
    ".visible .entry k(.param .u64 out) { .local .align 8 .b8 a[8]; .reg .b32 %r<5>;\n"
    ".reg .b64 %d<7>; .reg .pred %p; mov.u32 %r1, %tid.x; mov.u64 %d1, a;\n"
    "cvta.local.u64 %d1, %d1; st.u32 [%d1], %r1; mov.u64 %d2, text; cvta.global.u64 %d2, %d2;\n"
    "and.b32 %r2, %r1, 1; setp.eq.u32 %p, %r2, 0; mov.u32 %r3, 7; @%p bra E;\n"
    "{ .param .b64 f; .param .b64 v; .param .b32 n; st.param.b64 [f], %d2;\n"
    "st.param.b64 [v], %d1; call.uni (n), vprintf, (f, v); ld.param.b32 %r3, [n]; }\n"
    "E: ld.param.u64 %d3, [out]; mul.wide.u32 %d4, %r1, 4; add.u64 %d3, %d3, %d4;\n"
    "st.global.u32 [%d3], %r3; ret; }\n";

static void a_deferred_printf_prints_when_it_is_performed(void **state)
{
    struct paper paper = {0};
    struct rig r;
    u32 have[8];

    (void)state;
    rig_open(&r, printing, KIT_LOWER, 1);
    u64 out = kit_buf(&r.k, NULL, sizeof have);
    struct warp *w;

    rig_launch(&r, "k", 8, KIT_ARGS(out));
    w = &r.c->warp[0];
    r.x.defer_calls = true;
    r.x.print = paper_add, r.x.print_arg = &paper;
    while (exec_issue(&r.x, w) != STEP_CALL)
        assert_int_equal(w->call.builtin, BUILTIN_NONE);
    assert_int_equal(w->call.builtin, BUILTIN_VPRINTF);
    assert_int_equal(w->call.mask[0], 0xaa);
    assert_int_equal(w->call.pc, r.x.out.pc);
    assert_int_equal(r.x.out.mask[0], 0xaa);
    assert_int_equal(w->stack[w->depth - 1].pc, r.x.out.pc + 1);
    assert_int_equal(r.x.n_text, 0);
    assert_int_equal(exec_call(&r.x, w), STEP_GO);
    assert_int_equal(w->call.builtin, BUILTIN_NONE);
    rig_finish(&r);
    builtin_flush(&r.x);
    assert_string_equal(paper.text, "[1][3][5][7]");
    kit_get(&r.k, out, have, sizeof have);
    for (u32 i = 0; i < 8; i++)
        assert_int_equal(have[i], i % 2 ? 1 : 7);
    free(paper.text);
    rig_close(&r);
}

/* Calls of several groups may all go through one executor, so that their text is in order. */
static void another_executor_may_perform_a_call(void **state)
{
    struct paper paper = {0};
    struct exec other;
    struct rig r;

    (void)state;
    rig_open(&r, printing, KIT_LOWER, 2);
    u64 out = kit_buf(&r.k, NULL, 4 * 128);

    rig_launch(&r, "k", 128, KIT_ARGS(out));
    rig_exec(&r, &other);
    r.x.defer_calls = true;
    other.print = paper_add, other.print_arg = &paper;
    for (u32 i = 2; i-- > 0;)
        while (exec_issue(&r.x, &r.c->warp[i]) != STEP_CALL)
            ;
    assert_int_equal(exec_call(&other, &r.c->warp[1]), STEP_GO);
    assert_int_equal(exec_call(&other, &r.c->warp[0]), STEP_GO);
    rig_finish(&r);
    builtin_flush(&other);
    assert_int_equal(r.x.n_text, 0);
    assert_int_equal(strncmp(paper.text, "[65][67]", 8), 0);
    assert_non_null(strstr(paper.text, "[127][1][3]"));
    free(paper.text);
    exec_release(&other);
    rig_close(&r);
}

/* malloc, store through the pointer, load again; then free of `p` plus an offset. */
static const char allocating[] = CALLS
    ".visible .entry k(.param .u64 out, .param .u64 off) { .reg .b32 %r<4>; .reg .b64 %d<8>;\n"
    "{ .param .b64 n; .param .b64 p; st.param.b64 [n], 24; call.uni (p), malloc, (n);\n"
    "ld.param.b64 %d1, [p]; } mov.u32 %r1, %tid.x; st.u32 [%d1], %r1; ld.u32 %r2, [%d1];\n"
    "ld.param.u64 %d2, [out]; mul.wide.u32 %d3, %r1, 4; add.u64 %d2, %d2, %d3;\n"
    "st.global.u32 [%d2], %r2; ld.param.u64 %d4, [off]; add.u64 %d5, %d1, %d4;\n"
    "{ .param .b64 p; st.param.b64 [p], %d5; call.uni free, (p); } ret; }\n";

static void deferred_malloc_and_free_work(void **state)
{
    struct rig r;
    u32 have[64];

    (void)state;
    rig_open(&r, allocating, KIT_LOWER, 1);
    u64 out = kit_buf(&r.k, NULL, sizeof have);
    u32 spans = r.k.d->mem.n;

    rig_launch(&r, "k", 64, KIT_ARGS(out, 0));
    r.x.defer_calls = true;
    rig_finish(&r);
    assert_int_equal(r.n_calls, 4);
    assert_int_equal(r.k.d->mem.n, spans);
    kit_get(&r.k, out, have, sizeof have);
    for (u32 i = 0; i < 64; i++)
        assert_int_equal(have[i], i);
    rig_close(&r);
}

static void a_deferred_call_can_fail(void **state)
{
    struct rig r;
    enum step s = STEP_GO;

    (void)state;
    rig_open(&r, allocating, KIT_LOWER, 1);
    u64 out = kit_buf(&r.k, NULL, 4 * 32);

    rig_launch(&r, "k", 32, KIT_ARGS(out, 8));
    r.x.defer_calls = true;
    while (s == STEP_GO)
        s = rig_step(&r, &r.x, &r.c->warp[0]);
    assert_int_equal(s, STEP_FAULT);
    assert_int_equal(r.x.fault, FAULT_FREE);
    assert_int_equal(r.x.code[r.c->warp[0].call.pc].op, OP_call);
    exec_fault_message(&r.x, &r.c->warp[0], r.c->warp[0].call.pc, &r.k.e);
    assert_non_null(strstr(r.k.e.msg, "no live heap block"));
    rig_close(&r);
}

/* ---- textures */

static const char fetching[] =
    HEAD ".global .texref tex;\n.visible .entry k(.param .u64 at) {\n"
         ".reg .b32 %r<6>; .reg .f32 %f<6>; .reg .b64 %d<4>; mov.u32 %r1, %tid.x;\n"
         "ld.param.u64 %d1, [at]; mul.wide.u32 %d2, %r1, 8; add.u64 %d3, %d1, %d2;\n"
         "ld.global.v2.f32 {%f1, %f2}, [%d3];\n"
         "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [tex, {%f1, %f2}];\n"
         "st.global.f32 [%d3], %f1; ret; }\n";

enum { WIDTH = 8, HEIGHT = 4, PITCH = 256 };

/* The first texel that a lane at (x, y) fetches; 0: none. */
static u64 first_texel(const struct texture *t, const float *at)
{
    double shift = t->linear ? 0.5 : 0;
    int x0 = (int)(at[0] - shift + 100) - 100, y0 = (int)(at[1] - shift + 100) - 100;

    for (int y = y0; y <= y0 + t->linear; y++)
        for (int x = x0; x <= x0 + t->linear; x++)
            if (x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT)
                return t->addr + (u64)y * PITCH + (u64)x * 8;
    return t->addr;
}

static void texture_fetches_report_texels(bool linear, u32 words)
{
    float at[64][2];
    u64 seed = 5;
    struct rig r;

    for (u32 i = 0; i < 128; i++)
        at[i / 2][i % 2] = (float)(rig_random(&seed) % 3200) / 256 - 2;
    rig_open(&r, fetching, KIT_LOWER, words);
    u64 in = kit_buf(&r.k, at, sizeof at), texels = kit_buf(&r.k, NULL, HEIGHT * PITCH);
    struct texture t = {.addr = texels,
                        .width = WIDTH,
                        .height = HEIGHT,
                        .pitch = PITCH,
                        .channels = 2,
                        .bits = 32,
                        .is_float = true,
                        .linear = linear,
                        .wrap = {WRAP_BORDER, WRAP_BORDER, WRAP_BORDER}};

    assert_true(device_bind_texture(r.k.d, r.k.p, "tex", &t, &r.k.e));
    rig_launch(&r, "k", 32 * words, KIT_ARGS(in));
    rig_until(&r, &r.c->warp[0], "tex");
    for (u32 i = 0; i < 32 * words; i++)
        assert_int_equal(exec_addr(&r.x, &r.c->warp[0], i / 32)[i % 32], first_texel(&t, at[i]));
    rig_close(&r);
}

static void a_texture_fetch_reports_the_first_texel_of_each_lane(void **state)
{
    (void)state;
    for (u32 words = 1; words <= 2; words++) {
        texture_fetches_report_texels(false, words);
        texture_fetches_report_texels(true, words);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(stepping_gives_the_memory_and_counters_of_a_run),
    cmocka_unit_test(the_clock_is_the_callers),
    cmocka_unit_test(a_guarded_load_reports_its_lanes_and_addresses),
    cmocka_unit_test(the_sides_of_a_branch_report_their_masks),
    cmocka_unit_test(a_fault_leaves_the_warp_at_its_instruction),
    cmocka_unit_test(a_deferred_printf_prints_when_it_is_performed),
    cmocka_unit_test(another_executor_may_perform_a_call),
    cmocka_unit_test(deferred_malloc_and_free_work),
    cmocka_unit_test(a_deferred_call_can_fail),
    cmocka_unit_test(a_texture_fetch_reports_the_first_texel_of_each_lane),
};

TEST_MAIN(tests)
