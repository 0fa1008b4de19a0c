/* t_memory_space.c -- the other memories: shared, local, parameters, constants, variables */
#include <unistd.h>

#include "tests/unit/memory.h"

/* ---- shared memory */

static void shared_memory_ends_where_the_kernel_says(void **state)
{
    (void)state;
    gives(&(struct mem_case){.before = ".shared .u32 s[4];",
                             .body = "st.shared.u32 [s+12], 8; ld.shared.u32 %r1, [s+12]; " OUT},
          8);
    fails(
        &(struct mem_case){.before = ".shared .u32 s[4];", .body = "st.shared.u32 [s+16], 8;"},
        "shared write of 4 bytes at 0x10 is out of bounds: the CTA has 16 bytes of shared memory");
    fails(&(struct mem_case){.before = ".shared .u32 s[4];",
                             .body = "ld.shared.u32 %r1, [s+-4]; " OUT},
          "shared read of 4 bytes at 0xfffffffffffffffc is out of bounds: the CTA has 16 bytes of "
          "shared memory");
    fails(&(struct mem_case){.body = "ld.shared.u32 %r1, [0]; " OUT},
          "shared read of 4 bytes at 0x0 is out of bounds: the CTA has 0 bytes of shared memory");
}

/*
 * 20 static bytes (if the kernel names them); dynamic ones begin at the next multiple of 16, so 32
 * of them end at 64.
 */
static void dynamic_shared_memory_follows_the_static(void **state)
{
    static const char both[] = ".shared .u32 s[5]; .extern .shared .align 16 .b8 dyn[];";

    (void)state;
    gives(&(struct mem_case){.before = both,
                             .smem = 32,
                             .body = "mov.u32 %r3, s; mov.u32 %r1, dyn; " OUT},
          32);
    gives(
        &(struct mem_case){
            .before = both,
            .smem = 32,
            .body = "mov.u32 %r3, s; st.shared.u32 [dyn+28], 6; ld.shared.u32 %r1, [s+60]; " OUT},
        6);
    gives(
        &(struct mem_case){
            .before = both,
            .smem = 32,
            .body =
                "mov.u32 %r3, s; mov.u32 %r1, %dynamic_smem_size; mov.u32 %r2, %total_smem_size;"
                "mad.lo.u32 %r1, %r1, 100, %r2; " OUT},
        3264);
    fails(
        &(struct mem_case){
            .before = both, .smem = 32, .body = "mov.u32 %r3, s; st.shared.u32 [dyn+32], 6;"},
        "shared write of 4 bytes at 0x40 is out of bounds: the CTA has 64 bytes of shared memory");
    fails(
        &(struct mem_case){.before = both, .body = "mov.u32 %r3, s; st.shared.u32 [dyn], 6;"},
        "shared write of 4 bytes at 0x20 is out of bounds: the CTA has 20 bytes of shared memory");
}

/* ---- local memory, parameters, constants */

static void local_arrays_belong_to_their_thread(void **state)
{
    static const char fill[] = ".local .align 4 .b8 x[64]; mov.u64 %d1, x; and.b32 %r1, %r0, 15; "
                               "mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d1, %d2;"
                               "st.local.u32 [%d2], %r0; bar.sync 0; ld.local.u32 %r1, [%d2];"
                               "vote.all.pred %p1, 1; setp.eq.and.u32 %p1, %r1, %r0, %p1; "
                               "vote.all.pred %p2, %p1; selp.u32 %r1, 1, 0, %p2; " OUT;

    (void)state;
    gives(&(struct mem_case){.block = 64, .body = fill}, 1);
    fails(&(struct mem_case){.body = ".local .align 4 .b8 x[16]; ld.local.u32 %r1, [x+16]; " OUT},
          "local read of 4 bytes at 0x10 is out of bounds: a thread has 16 bytes of local memory");
    fails(
        &(struct mem_case){.body = ".local .align 4 .b8 x[16]; mov.u64 %d1, x; cvta.local.u64 %d1, "
                                   "%d1; st.u32 [%d1+4096], 1;"},
        "local write of 4 bytes at 0x1000 is out of bounds: a thread has 16 bytes of local memory");
}

static void parameters_end_where_they_end(void **state)
{
    (void)state;
    fails(&(struct mem_case){.body = "ld.param.u32 %r1, [a+16]; " OUT},
          "param read of 4 bytes at 0x10 is out of bounds: the kernel has 16 bytes of parameters");
    fails(&(struct mem_case){.body = "ld.u32 %r1, [0x3000010]; " OUT},
          "param read of 4 bytes at 0x10 is out of bounds: the kernel has 16 bytes of parameters");
    fails(&(struct mem_case){.body = "st.u32 [0x3000008], 1;"},
          "write of 4 bytes at 0x8 of param memory, which is read-only");
    gives(&(struct mem_case){.body = "ld.u32 %r1, [0x3000000]; " OUT}, 0xc0000000);
}

/* tiny puts variables at 0x10000 and on.  Neighbours in memory, 8 bytes each: whoever leaves one does
 * not arrive at the other. */
#define NEIGHBOURS                                                                                 \
    ".global .u32 va[2] = {1, 2}; .global .u32 vb[2] = {3, 4}; "                                   \
    ".const .u32 vc[2] = {5, 6}; .const .u32 vd[2] = {7, 8};"

static void variables_end_where_they_end(void **state)
{
    struct mem_case c = {.before = NEIGHBOURS, .body = "ld.global.u32 %r1, [va+8]; " OUT};

    (void)state;
    fails(&c, "global read of 4 bytes at 0x10008 is out of bounds: right after variable va "
              "0x10000..0x10007");
    c.body = "mov.u64 %a, vb; mov.u32 %r1, 1; st.global.u32 [%a-4], %r1; ret;";
    fails(&c, "global write of 4 bytes at 0x10004 is out of bounds: 4 bytes before variable vb "
              "0x10008..0x1000f");
    c.body = "mov.u64 %a, vc; ld.const.u32 %r1, [%a+12]; " OUT;
    fails(&c, "const read of 4 bytes at 0x1001c is out of bounds: 4 bytes after variable vc "
              "0x10010..0x10017");
    c.body = "mov.u64 %a, va; ld.u32 %r1, [%a+16]; " OUT;
    fails(&c, "global read of 4 bytes at 0x10010 is out of bounds: 8 bytes after variable va "
              "0x10000..0x10007");
}

/* Old code, and code with short pointers, keeps addresses of constants in 32 bits. */
static void variables_have_addresses_of_32_bits_too(void **state)
{
    const struct mem_case c = {.before = NEIGHBOURS,
                               .body = "mov.u32 %r2, vd; ld.const.u32 %r1, [%r2+4]; " OUT};

    (void)state;
    gives(&c, 8);
}

static void constants_end_where_they_end(void **state)
{
    static const char two[] = ".const .u32 c[2] = {11, 22};";

    (void)state;
    gives(&(struct mem_case){.before = two, .body = "ld.const.u32 %r1, [c+4]; " OUT}, 22);
    gives(
        &(struct mem_case){
            .before = two,
            .body = "mov.u64 %d1, c; cvta.const.u64 %d1, %d1; ld.u32 %r1, [%d1+4]; " OUT},
        22);
    fails(&(struct mem_case){.before = two, .body = "ld.const.u32 %r1, [c+8]; " OUT},
          "const read of 4 bytes at 0x10008 is out of bounds: right after variable c "
          "0x10000..0x10007");
    fails(&(struct mem_case){.before = two,
                             .body = "ld.const.u64 %d1, [c+4]; st.global.u64 [%b], %d1;"},
          "const read of 8 bytes at 0x10004 is misaligned");
}

/* ---- generic addresses */

static void generic_addresses_reach_every_memory(void **state)
{
    static const char body[] =
        ".local .u32 l; mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; mov.u64 %d2, l; cvta.local.u64 "
        "%d2, %d2;"
        "st.u32 [%d1], 1; st.u32 [%d2], 20; st.u32 [%a], 300; ld.shared.u32 %r1, [s]; ld.local.u32 "
        "%r2, [l];"
        "ld.global.u32 %r3, [%a]; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; " OUT;

    (void)state;
    gives(&(struct mem_case){.before = ".shared .u32 s;", .body = body}, 321);
    gives(
        &(struct mem_case){
            .before = ".shared .u32 s;",
            .body = "mov.u64 %d1, s; cvta.shared.u64 %d2, %d1; isspacep.shared %p1, %d2;"
                    "isspacep.global %p2, %a; selp.u32 %r1, 1, 0, %p1; @%p2 add.u32 %r1, %r1, 2;"
                    "isspacep.local %p3, %d2; @%p3 add.u32 %r1, %r1, 4; " OUT},
        3);
}

static void generic_windows_end_with_their_memory(void **state)
{
    (void)state;
    fails(
        &(struct mem_case){
            .before = ".shared .u32 s[4];",
            .body = "mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; ld.u32 %r1, [%d1+16]; " OUT},
        "shared read of 4 bytes at 0x10 is out of bounds: the CTA has 16 bytes of shared memory");
    fails(&(struct mem_case){.body = "ld.u32 %r1, [0x4000000]; " OUT},
          "global read of 4 bytes at 0x4000000 is out of bounds: 3154116608 bytes before buffer "
          "0xc0000000..0xc000003f");
    fails(&(struct mem_case){.body = "mov.u64 %d1, 0x7fffffffffffff00; ld.u32 %r1, [%d1]; " OUT},
          "global read of 4 bytes at 0x7fffffffffffff00 is out of bounds: 9223372033633545664 "
          "bytes after buffer "
          "0xc0001100..0xc000113f");
}

/* ---- variables of modules */

static void variables_start_with_their_initial_values(void **state)
{
    (void)state;
    gives(
        &(struct mem_case){
            .before = ".global .u16 n[4] = {1, 2, 0xfffe};",
            .body =
                "ld.global.u16 %r1, [n+4]; ld.global.u16 %r2, [n+6]; add.u32 %r1, %r1, %r2; " OUT},
        0xfffe);
    gives(&(struct mem_case){.before = ".global .f32 f = 1.5;",
                             .body = "ld.global.u32 %r1, [f]; " OUT},
          0x3fc00000);
    gives(&(struct mem_case){.before = ".global .u32 m[2][2] = {{1}, {3, 4}};",
                             .body = "ld.global.u32 %r1, [m+4]; ld.global.u32 %r2, [m+8]; "
                                     "mad.lo.u32 %r1, %r1, 10, %r2; " OUT},
          3);
    gives(&(struct mem_case){.before = ".global .u32 zero[8];",
                             .body = "ld.global.u32 %r1, [zero+28]; " OUT},
          0);
}

/* x is at 0x10000, y at 0x10008 (each aligned to its type), p holds &y + 4. */
static void variables_hold_addresses_of_others(void **state)
{
    static const char vars[] = ".global .u32 x[2] = {5, 6}; .global .u32 y[2] = {7, 8}; .global "
                               ".u64 p[2] = {x, y + 4}; .global .u64 q = generic(p) + 8;";

    (void)state;
    gives(
        &(struct mem_case){
            .before = vars,
            .body = "ld.global.u64 %d1, [q]; ld.u64 %d1, [%d1]; ld.u32 %r1, [%d1]; " OUT},
        8);
    gives(&(struct mem_case){.before = vars,
                             .body = "ld.global.u64 %d1, [p]; ld.global.u32 %r1, [%d1+4]; " OUT},
          6);
}

static void variables_hold_functions_to_call(void **state)
{
    static const char table[] =
        ".func (.param .b32 r) one(.param .b32 x) {st.param.b32 [r], 1; ret;}"
        ".func (.param .b32 r) inc(.param .b32 x) {.reg .b32 v; ld.param.u32 v, [x]; add.u32 v, v, "
        "1; st.param.b32 [r], v; ret;}"
        ".global .u64 tab[2] = {one, inc};";

    (void)state;
    gives(
        &(struct mem_case){
            .before = table,
            .body =
                "P: .callprototype (.param .b32 _) _ (.param .b32 _); ld.global.u64 %d1, [tab+8];"
                "call (%r1), %d1, (41), P; " OUT},
        42);
    fails(&(struct mem_case){.before = table,
                             .body = "P: .callprototype (.param .b32 _) _ (.param .b32 _); mov.u64 "
                                     "%d1, 4096; call (%r1), %d1, (41), P; " OUT},
          "call of 0x1000, which is no function");
}

/*
 * The prototype claims more parameters than the function has: its frame must hold them, or it is
 * refused.
 */
static void a_wrong_prototype_cannot_write_past_the_frames(void **state)
{
    (void)state;
    fails(&(struct mem_case){.before = ".func f() {ret;}",
                             .body = "P: .callprototype _ (.param .b8 _[4096]); .param .b8 "
                                     "big[4096]; mov.u64 %d1, f; call %d1, (big), P;"},
          "calls are nested too deeply; raise front.call_depth");
}

/* Two modules on one device: each has its x, and addresses can be passed from one to the other. */
static void modules_have_variables_of_their_own(void **state)
{
    const struct mem_case first = {
        .before = ".global .u32 x = 1;",
        .body = "ld.global.u32 %r1, [x]; add.u32 %r1, %r1, 10; st.global.u32 [x], %r1; " OUT};
    const struct mem_case second = {
        .before = ".global .u32 x = 2;",
        .body =
            "ld.global.u32 %r1, [x]; ld.global.u32 %r2, [%a]; mad.lo.u32 %r1, %r1, 100, %r2; " OUT};
    u64 param[2];
    const u32 one[3] = {1, 1, 1};
    struct kit k;
    u32 have;

    (void)state;
    mem_open(&k, &first, KIT_LOWER);
    char *text = mem_text(&second);
    struct program *p = device_load(k.d, "second.ptx", text, strlen(text), &k.e);
    u64 b = mem_buf(&k, 64);

    assert_non_null(p);
    assert_int_equal(program_var(k.p, "x")->addr & TAG_PLAIN, 0x10000);
    assert_int_equal(program_var(p, "x")->addr & TAG_PLAIN, 0x10100);
    assert_true(mem_launch(&k, &first, 0, b));
    param[0] = program_var(k.p, "x")->addr, param[1] = b;
    assert_true(device_run(k.d, p, "k", one, one, 0, (const u8 *)param, &k.e));
    kit_get(&k, b, &have, sizeof have);
    assert_int_equal(have, 211);
    free(text);
    kit_close(&k);
}

/* The host writes a constant between two launches. */
static void the_host_can_write_constants(void **state)
{
    const struct mem_case c = {.before = ".const .u32 c;", .body = "ld.const.u32 %r1, [c]; " OUT};
    struct kit k;
    u32 have = 77;

    (void)state;
    mem_open(&k, &c, KIT_LOWER);
    u64 b = mem_buf(&k, 64);

    assert_true(device_write(k.d, program_var(k.p, "c")->addr, &have, sizeof have, &k.e));
    assert_true(mem_launch(&k, &c, b, b));
    have = 0;
    kit_get(&k, b, &have, sizeof have);
    assert_int_equal(have, 77);
    kit_close(&k);
}

/* ---- reads of what nobody wrote */

/* Runs with checking on; what goes to stderr meanwhile is returned, to be freed. */
static char *checked(const struct mem_case *c, u32 mode, u64 *n)
{
    FILE *f = tmpfile();
    int keep = dup(STDERR_FILENO);
    char *text = xcalloc(1, 4096);
    struct kit k;

    assert_non_null(f);
    mem_open(&k, c, mode);
    u64 a = mem_buf(&k, 0), b = mem_buf(&k, 0);

    dup2(fileno(f), STDERR_FILENO);
    bool ok = mem_launch(&k, c, a, b);

    dup2(keep, STDERR_FILENO);
    close(keep);
    assert_true(ok);
    rewind(f);
    text[fread(text, 1, 4095, f)] = 0;
    fclose(f);
    *n = k.d->n_uninit;
    kit_close(&k);
    return text;
}

static void reports(const struct mem_case *c, u64 times, const char *want)
{
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        u64 n;
        char *have = checked(c, mode, &n);

        assert_string_equal(have, want);
        assert_int_equal(n, times);
        free(have);
    }
}

static void unwritten_memory_is_reported(void **state)
{
    (void)state;
    reports(&(struct mem_case){.check = true, .body = "ld.global.u32 %r1, [%a+8]; " OUT}, 1,
            "smelt: check: kernel k: global read at 0xc0000008 of memory that nobody wrote "
            "(test.ptx:2, thread 0,0,0 of block 0,0,0)\n");
    reports(&(struct mem_case){.check = true,
                               .before = ".shared .u32 s[2];",
                               .body = "ld.shared.u32 %r1, [s+4]; " OUT},
            1,
            "smelt: check: kernel k: shared read at 0x4 of memory that nobody wrote (test.ptx:2, "
            "thread 0,0,0 of block 0,0,0)\n");
    reports(&(struct mem_case){.check = true, .body = "atom.global.add.u32 %r1, [%a], 1; " OUT}, 1,
            "smelt: check: kernel k: global read at 0xc0000000 of memory that nobody wrote "
            "(test.ptx:2, thread 0,0,0 of block 0,0,0)\n");
}

/* A word of which only half was written; and a loop that reads eight of them says it once. */
static void unwritten_memory_is_reported_once_per_instruction(void **state)
{
    (void)state;
    reports(&(struct mem_case){.check = true,
                               .body = "st.global.u16 [%a], %h1; ld.global.u32 %r1, [%a]; " OUT},
            1,
            "smelt: check: kernel k: global read at 0xc0000000 of memory that nobody wrote "
            "(test.ptx:2, thread 0,0,0 of block 0,0,0)\n");
    reports(&(struct mem_case){.check = true,
                               .body = "mov.u64 %d1, %a; mov.u32 %r2, 0; mov.u32 %r1, 0; L: "
                                       "ld.global.u32 %r3, [%d1]; add.u32 %r1, %r1, %r3;"
                                       "add.u64 %d1, %d1, 4; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, "
                                       "%r2, 8; @%p1 bra L; " OUT},
            8,
            "smelt: check: kernel k: global read at 0xc0000000 of memory that nobody wrote "
            "(test.ptx:2, thread 0,0,0 of block 0,0,0)\n");
}

static void written_memory_is_not_reported(void **state)
{
    (void)state;
    reports(&(struct mem_case){.check = true,
                               .body = "st.global.u32 [%a+8], 3; ld.global.u32 %r1, [%a+8]; " OUT},
            0, "");
    reports(
        &(struct mem_case){
            .check = true,
            .before = ".global .u32 g[2] = {1}; .global .u32 z;",
            .body =
                "ld.global.u32 %r1, [g+4]; ld.global.u32 %r2, [z]; add.u32 %r1, %r1, %r2; " OUT},
        0, "");
    reports(&(struct mem_case){.body = "ld.global.u32 %r1, [%a+8]; " OUT}, 0, "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shared_memory_ends_where_the_kernel_says),
    cmocka_unit_test(dynamic_shared_memory_follows_the_static),
    cmocka_unit_test(local_arrays_belong_to_their_thread),
    cmocka_unit_test(parameters_end_where_they_end),
    cmocka_unit_test(variables_end_where_they_end),
    cmocka_unit_test(variables_have_addresses_of_32_bits_too),
    cmocka_unit_test(constants_end_where_they_end),
    cmocka_unit_test(generic_addresses_reach_every_memory),
    cmocka_unit_test(generic_windows_end_with_their_memory),
    cmocka_unit_test(variables_start_with_their_initial_values),
    cmocka_unit_test(variables_hold_addresses_of_others),
    cmocka_unit_test(variables_hold_functions_to_call),
    cmocka_unit_test(a_wrong_prototype_cannot_write_past_the_frames),
    cmocka_unit_test(modules_have_variables_of_their_own),
    cmocka_unit_test(the_host_can_write_constants),
    cmocka_unit_test(unwritten_memory_is_reported),
    cmocka_unit_test(unwritten_memory_is_reported_once_per_instruction),
    cmocka_unit_test(written_memory_is_not_reported),
};

TEST_MAIN(tests)
