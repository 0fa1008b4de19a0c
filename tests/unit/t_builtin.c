/* t_builtin.c -- printf and assert in kernels */
#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>

#include "tests/unit/printed.h"

#define HEAD                                                                                       \
    ".version 6.0 .target sm_35 .address_size 64\n"                                                \
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"

/* vprintf(f, a) with values in registers; the result in %n. */
#define PRINT(f, a)                                                                                \
    "{ .param .b64 p; .param .b64 q; .param .b32 r; st.param.b64 [p], " f "; st.param.b64 [q], " a \
    "; call.uni (r), vprintf, (p, q); ld.param.b32 %n, [r]; }\n"

/* ---- formats: one kernel that prints what the host gives it */

static const char give[] =
    HEAD ".visible .entry k(.param .u64 f, .param .u64 a, .param .u64 out) {\n"
         ".reg .b32 %n; .reg .b64 %d<4>;\n"
         "ld.param.u64 %d1, [f]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [out];\n" PRINT(
             "%d1", "%d2") "st.global.u32 [%d3], %n; ret; }\n";

struct printing {
    struct kit k;
    struct paper paper;
    u64 format, args, out;
    u8 arg[256];
    u32 n_bytes;
};

static void start(struct printing *p)
{
    open_printing(&p->k, give, KIT_LOWER, NULL, &p->paper);
    p->format = kit_buf(&p->k, NULL, 256);
    p->args = kit_buf(&p->k, NULL, sizeof p->arg);
    p->out = kit_buf(&p->k, NULL, 4);
    p->n_bytes = 0;
}

static void finish(struct printing *p)
{
    kit_close(&p->k);
    free(p->paper.text);
}

static void pack(struct printing *p, const void *v, u32 size)
{
    p->n_bytes = (u32)align_up(p->n_bytes, size);
    memcpy(p->arg + p->n_bytes, v, size);
    p->n_bytes += size;
}

/* Prints the arguments packed before; returns what vprintf returned. */
static s32 print(struct printing *p, const char *format)
{
    s32 n;

    p->paper.n = 0;
    assert_true(device_write(p->k.d, p->format, format, strlen(format) + 1, &p->k.e));
    assert_true(device_write(p->k.d, p->args, p->arg, sizeof p->arg, &p->k.e));
    kit_run(&p->k, "k", 1, 1, KIT_ARGS(p->format, p->args, p->out));
    kit_get(&p->k, p->out, &n, sizeof n);
    p->n_bytes = 0;
    return n;
}

static void same(struct printing *p, const char *format, const char *want, size_t n)
{
    assert_int_equal(print(p, format), 1);
    if (p->paper.n != n || memcmp(p->paper.text, want, n))
        fail_msg("'%s' prints '%s', not '%s'", format, p->paper.text, want);
}

static const char *const flags[] = {"",     "-5", "+",   " ",   "#", "08",  "-12", "+012", ".0",
                                    "12.7", "3",  "#.3", "-#9", ".", "+.5", "0-6", "# 020"};

static void integers_of_every_size_are_printed_as_on_the_host(void **state)
{
    static const char *const size[] = {"hh", "h", "", "l", "ll", "z"};
    static const u64 value[] = {0, 1, 42, 127, 128, 65535, 0x80000000u, 0xdeadbeefcafef00du, ~0ull};
    struct printing p;

    (void)state;
    start(&p);
    for (u32 f = 0; f < LEN(flags); f++)
        for (u32 s = 0; s < LEN(size); s++)
            for (const char *c = "diouxX"; *c; c++)
                for (u32 v = 0; v < LEN(value); v++) {
                    char *format = text_printf("<%%%s%s%c>", flags[f], size[s], *c), want[128];
                    int n = s < 3 ? snprintf(want, sizeof want, format, (u32)value[v])
                                  : snprintf(want, sizeof want, format, value[v]);

                    pack(&p, &value[v], s < 3 ? 4 : 8);
                    same(&p, format, want, (size_t)n);
                    free(format);
                }
    finish(&p);
}

static void doubles_are_printed_as_on_the_host(void **state)
{
    static const double value[] = {0.0,           -0.0,  1.0,     -2.5,    1e-5,
                                   123456789.125, 1e300, DBL_MIN, DBL_MAX, 4.94e-324,
                                   INFINITY,      NAN,   0.1f};
    struct printing p;

    (void)state;
    start(&p);
    for (u32 f = 0; f < LEN(flags); f++)
        for (const char *c = "fFeEgGaA"; *c; c++)
            for (u32 v = 0; v < LEN(value); v++) {
                char *format = text_printf("%%%s%c", flags[f], *c), want[512];
                int n = snprintf(want, sizeof want, format, value[v]);

                pack(&p, &value[v], 8);
                same(&p, format, want, (size_t)n);
                free(format);
            }
    finish(&p);
}

static void characters_strings_and_pointers_are_printed_as_on_the_host(void **state)
{
    struct printing p;
    char want[256];

    (void)state;
    start(&p);
    u64 text = kit_buf(&p.k, "a string", 9);

    static const char *const of_char[] = {"%c", "%5c", "%-5c|"},
                             *const of_text[] = {"%s", "%20s", "%-20s|", "%.3s", "%10.2s", "%.0s"},
                             *const of_pointer[] = {"%p", "%20p", "%-20p|"};

    for (u32 c = 0; c < 3; c++)
        for (u32 f = 0; f < LEN(of_char); f++) {
            u32 v = (const u32[]){'x', 0, 0x141}[c]; /* a zero is a character, too */
            int n = snprintf(want, sizeof want, of_char[f], v);

            pack(&p, &v, 4);
            same(&p, of_char[f], want, (size_t)n);
        }
    for (u32 f = 0; f < LEN(of_text); f++) {
        int n = snprintf(want, sizeof want, of_text[f], "a string");

        pack(&p, &text, 8);
        same(&p, of_text[f], want, (size_t)n);
    }
    for (u32 f = 0; f < LEN(of_pointer); f++) {
        int n = snprintf(want, sizeof want, of_pointer[f], (void *)(uintptr_t)text);

        pack(&p, &text, 8);
        same(&p, of_pointer[f], want, (size_t)n);
    }
    finish(&p);
}

static void arguments_stand_at_multiples_of_their_size(void **state)
{
    struct printing p;
    u32 a = 1, c = 3;
    u64 b = 2;
    double d = 4.5;

    (void)state;
    start(&p);
    pack(&p, &a, 4), pack(&p, &b, 8), pack(&p, &c, 4), pack(&p, &d, 8);
    assert_int_equal(print(&p, "%d %ld %u %g\n"), 4);
    assert_string_equal(p.paper.text, "1 2 3 4.5\n");
    finish(&p);
}

/* CUDA has no '*'; what is no conversion stands as it is and takes no argument. */
static void what_is_no_conversion_is_printed_as_it_stands(void **state)
{
    static const struct {
        const char *format, *want;
        s32 n;
    } row[] = {{"100%%", "100%", 0},
               {"", "", 0},
               {"plain\n", "plain\n", 0},
               {"%*d %d", "%*d 7", 1},
               {"%k %d", "%k 7", 1},
               {"%n", "%n", 0},
               {"%d %", "7 %", 1},
               {"%5", "%5", 0},
               {"%.", "%.", 0},
               {"%ll", "%ll", 0},
               {"%lld%%%c", "30064771079%\v", 2},
               {"%------d", "%------d", 0},
               {"%12345678d", "%12345678d", 0},
               {"%.12345678d", "%.12345678d", 0}};
    struct printing p;
    u32 seven = 7, eleven = 11;

    (void)state;
    start(&p);
    for (u32 i = 0; i < LEN(row); i++) {
        pack(&p, &seven, 4), pack(&p, &seven, 4), pack(&p, &eleven, 4);
        assert_int_equal(print(&p, row[i].format), row[i].n);
        p.paper.text[p.paper.n] = 0;
        assert_string_equal(p.paper.text, row[i].want);
    }
    finish(&p);
}

static void null_is_no_format_and_prints_as_a_string(void **state)
{
    struct printing p;
    u64 null = 0;
    s32 n;

    (void)state;
    start(&p);
    pack(&p, &null, 8);
    same(&p, "%s", "(null)", 6);
    kit_run(&p.k, "k", 1, 1, KIT_ARGS(0, p.args, p.out));
    kit_get(&p.k, p.out, &n, sizeof n);
    assert_int_equal(n, -1);
    assert_true(device_write(p.k.d, p.format, "ok", 3, &p.k.e));
    kit_run(&p.k, "k", 1, 1, KIT_ARGS(p.format, 0, p.out)); /* no arguments are asked for */
    finish(&p);
}

/* The simulated machine has no locale. */
static void the_locale_of_the_host_does_not_matter(void **state)
{
    struct printing p;
    double v = 1.5;

    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
        skip();
    start(&p);
    pack(&p, &v, 8);
    same(&p, "%.1f", "1.5", 3);
    finish(&p);
    setlocale(LC_ALL, "C");
}

/* ---- bad pointers */

static void fails_with(struct printing *p, u64 format, u64 args, const char *what)
{
    char *want = text_printf("kernel k: %s (test.ptx:6, thread 0,0,0 of block 0,0,0)", what);

    assert_false(kit_try(&p->k, "k", 1, 1, KIT_ARGS(format, args, p->out)));
    assert_string_equal(p->k.e.msg, want);
    assert_int_equal(p->k.d->last.fault, FAULT_BOUNDS);
    free(want);
}

static void a_bad_pointer_is_a_fault(void **state)
{
    struct printing p;
    u64 v[2] = {16, 0};

    (void)state;
    start(&p);
    u64 open = kit_buf(&p.k, "abcd", 4), format = kit_buf(&p.k, "%s", 3);
    char *behind = text_printf("global read of 1 byte at 0x%" PRIx64
                               " is out of bounds: right after buffer 0x%" PRIx64 "..0x%" PRIx64,
                               open + 4, open, open + 3);
    char *cut =
        text_printf("global read of 8 bytes at 0x%" PRIx64
                    " is out of bounds: 2 bytes before the end of buffer 0x%" PRIx64 "..0x%" PRIx64,
                    open + 2, open, open + 3);

    fails_with(&p, 16, p.args, "global read of 1 byte at 0x10 is out of bounds: a null pointer");
    fails_with(&p, open, p.args, behind); /* a format without an end */
    fails_with(&p, format, 16, "global read of 8 bytes at 0x10 is out of bounds: a null pointer");
    fails_with(&p, format, open + 2, cut);
    fails_with(&p, 0x02000000 + 0xfffff, p.args,
               "local read of 1 byte at 0xfffff is out of bounds: a thread has 32 bytes of local "
               "memory");
    assert_true(device_write(p.k.d, p.args, v, sizeof v, &p.k.e));
    fails_with(&p, format, p.args,
               "global read of 1 byte at 0x10 is out of bounds: a null pointer");
    assert_true(device_write(p.k.d, p.args, &open, sizeof open, &p.k.e));
    fails_with(&p, format, p.args, behind);
    pack(&p, &open, 8);
    same(&p, "%.4s", "abcd", 4); /* asks for no end */
    free(behind), free(cut);
    finish(&p);
}

/* ---- where strings and arguments can be */

static const char everywhere[] = HEAD
    ".const .b8 c[4] = {99, 111, 110, 0};\n"
    ".global .b8 g[4] = {103, 108, 111, 0};\n"
    ".global .b8 f[16] = {37, 115, 32, 37, 115, 32, 37, 115, 32, 37, 115, 32, 37, 115, 10, 0};\n"
    ".visible .entry k(.param .align 8 .b8 text[8]) {\n"
    ".shared .b8 s[4]; .local .b8 l[4]; .local .align 8 .b8 a[40];\n"
    ".reg .b32 %n; .reg .b16 %h; .reg .b64 %d<9>, %l;\n"
    "mov.u16 %h, 115; st.shared.u8 [s], %h; mov.u16 %h, 0; st.shared.u8 [s+1], %h;\n"
    "mov.u16 %h, 108; st.local.u8 [l], %h; mov.u16 %h, 0; st.local.u8 [l+1], %h;\n"
    "mov.u64 %d1, c; cvta.const.u64 %d1, %d1; mov.u64 %d2, g; cvta.global.u64 %d2, %d2;\n"
    "mov.u64 %d3, s; cvta.shared.u64 %d3, %d3; mov.u64 %d4, l; cvta.local.u64 %d4, %d4;\n"
    "mov.u64 %d5, text; cvta.param.u64 %d5, %d5; mov.u64 %d6, f;\n"
    "st.local.u64 [a], %d1; st.local.u64 [a+8], %d2; st.local.u64 [a+16], %d3;\n"
    "st.local.u64 [a+24], %d4; st.local.u64 [a+32], %d5;\n"
    "mov.u64 %d7, a; cvta.local.u64 %d7, %d7;\n" PRINT("%d6", "%d7") "ret; }\n";

static void strings_are_read_from_every_memory(void **state)
{
    (void)state;
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        struct paper paper;
        struct kit k;

        open_printing(&k, everywhere, mode, NULL, &paper);
        kit_run(&k, "k", 1, 1, KIT_ARGS(0x6d61726170)); /* "param" */
        assert_string_equal(paper.text, "con glo s l param\n");
        kit_close(&k);
        free(paper.text);
    }
}

/* ---- order */

/* Odd threads print by way of a function that calls another. */
static const char diverged[] =
    HEAD ".global .b8 even[9] = {101, 118, 101, 110, 32, 37, 100, 10, 0};\n"
         ".global .b8 odd[8] = {111, 100, 100, 32, 37, 100, 10, 0};\n"
         ".func say(.param .b64 f, .param .b32 v) {\n"
         ".local .align 8 .b8 a[8]; .reg .b32 %n; .reg .b64 %d<3>;\n"
         "ld.param.u64 %d1, [f]; ld.param.u32 %n, [v]; st.local.u32 [a], %n;\n"
         "mov.u64 %d2, a; cvta.local.u64 %d2, %d2;\n" PRINT(
             "%d1",
             "%d2") "ret; }\n"
                    ".func more(.param .b32 v) { .reg .b32 %n; .reg .b64 %d;\n"
                    "ld.param.u32 %n, [v]; mov.u64 %d, odd;\n"
                    "{ .param .b64 p; .param .b32 q; st.param.b64 [p], %d; st.param.b32 [q], %n;\n"
                    "call.uni say, (p, q); } ret; }\n"
                    ".visible .entry k(.param .u64 out) {\n"
                    ".reg .b32 %t, %b; .reg .b64 %d<3>; .reg .pred %p;\n"
                    "mov.u32 %t, %tid.x; and.b32 %b, %t, 1; setp.eq.u32 %p, %b, 1; @%p bra ODD;\n"
                    "mov.u64 %d1, even;\n"
                    "{ .param .b64 p; .param .b32 q; st.param.b64 [p], %d1; st.param.b32 [q], %t;\n"
                    "call.uni say, (p, q); } bra END;\n"
                    "ODD: { .param .b32 p; st.param.b32 [p], %t; call.uni more, (p); }\n"
                    "END: ld.param.u64 %d2, [out]; mad.wide.u32 %d2, %t, 4, %d2; st.global.u32 "
                    "[%d2], %t;\n"
                    "ret; }\n";

/* The side that jumps (odd) first, lanes in order; a wide warp has all its words in one. */
static char *in_order(u32 words, u32 threads)
{
    char *text = text_dup("");

    for (u32 first = 0; first < threads; first += 32 * words)
        for (u32 odd = 2; odd-- > 0;)
            for (u32 t = first + odd; t < first + 32 * words && t < threads; t += 2) {
                char *more = text_printf("%s%s %u\n", text, odd ? "odd" : "even", t);

                free(text);
                text = more;
            }
    return text;
}

static void lanes_print_in_order_in_diverged_calls(void **state)
{
    (void)state;
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++)
        for (u32 words = 1; words <= 4; words *= 2) {
            char *set = text_printf("sm.warp_words=%u", words), *want = in_order(words, 200);
            struct paper paper;
            struct kit k;
            u32 out[200];

            open_printing(&k, diverged, mode, set, &paper);
            k.d->conf.sim.slice = 1000; /* a warp is done before the next begins */
            u64 a = kit_buf(&k, NULL, sizeof out);

            kit_run(&k, "k", 1, 200, KIT_ARGS(a));
            assert_string_equal(paper.text, want);
            kit_get(&k, a, out, sizeof out);
            for (u32 i = 0; i < 200; i++)
                assert_int_equal(out[i], i);
            kit_close(&k);
            free(set), free(want), free(paper.text);
        }
}

/* Only threads 3 and 5 call; the others keep what is in the result's place. */
static const char guarded[] =
    HEAD ".global .b8 f[3] = {120, 10, 0};\n"
         ".visible .entry k(.param .u64 out) {\n"
         ".reg .b32 %t, %n; .reg .b64 %d<3>; .reg .pred %p, %q;\n"
         "mov.u32 %t, %tid.x; setp.eq.u32 %p, %t, 3; setp.eq.or.u32 %q, %t, 5, %p;\n"
         "mov.u64 %d1, f; mov.u64 %d2, 0;\n"
         "{ .param .b64 p; .param .b64 q; .param .b32 r; st.param.b64 [p], %d1;\n"
         "st.param.b64 [q], %d2; mov.b32 %n, 77; st.param.b32 [r], %n;\n"
         "@%q call (r), vprintf, (p, q); ld.param.b32 %n, [r]; }\n"
         "ld.param.u64 %d2, [out]; mad.wide.u32 %d2, %t, 4, %d2; st.global.u32 [%d2], %n;\n"
         "ret; }\n";

static void a_guard_keeps_lanes_from_calling(void **state)
{
    (void)state;
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        struct paper paper;
        struct kit k;
        u32 out[32];

        open_printing(&k, guarded, mode, NULL, &paper);
        u64 a = kit_buf(&k, NULL, sizeof out);

        kit_run(&k, "k", 1, 32, KIT_ARGS(a));
        assert_string_equal(paper.text, "x\nx\n");
        kit_get(&k, a, out, sizeof out);
        for (u32 i = 0; i < 32; i++)
            assert_int_equal(out[i], i == 3 || i == 5 ? 0 : 77);
        kit_close(&k);
        free(paper.text);
    }
}

/* ---- delivery */

static const char then_trap[] =
    HEAD ".global .b8 f[3] = {120, 10, 0};\n"
         ".visible .entry k() { .reg .b32 %n; .reg .b64 %d<3>;\n"
         "mov.u64 %d1, f; mov.u64 %d2, 0;\n" PRINT("%d1", "%d2") "trap; }\n";

static void a_fault_does_not_lose_text(void **state)
{
    struct paper paper;
    struct kit k;

    (void)state;
    open_printing(&k, then_trap, KIT_LOWER, NULL, &paper);
    assert_false(kit_try(&k, "k", 1, 2, NULL, 0));
    assert_int_equal(k.d->last.fault, FAULT_TRAP);
    assert_string_equal(paper.text, "x\nx\n");
    kit_close(&k);
    free(paper.text);
}

static void much_text_arrives_in_pieces_and_whole(void **state)
{
    struct printing p;
    u32 v = 5;

    (void)state;
    start(&p);
    pack(&p, &v, 4);
    print(&p, "%999d\n");
    p.paper.n = 0, p.paper.pieces = 0;
    kit_run(&p.k, "k", 40, 32, KIT_ARGS(p.format, p.args, p.out));
    assert_int_equal(p.paper.n, 40 * 32 * 1000);
    for (u32 i = 0; i < 40 * 32; i++)
        assert_memory_equal(p.paper.text + 1000 * i + 997, " 5\n", 3);
    assert_int_equal(p.paper.pieces, 2); /* 1 MiB is passed once */
    finish(&p);
}

static void without_a_receiver_text_goes_to_stdout(void **state)
{
    struct kit k;

    (void)state;
    open_printing(&k, then_trap, KIT_LOWER, NULL, NULL);
    struct caught c = catch_begin(STDOUT_FILENO);
    bool ok = kit_try(&k, "k", 1, 2, NULL, 0);
    char *text = catch_end(&c);

    assert_false(ok);
    assert_string_equal(text, "x\nx\n");
    free(text);
    kit_close(&k);
}

/* ---- assert */

static const char asserts[] =
    ".version 6.0 .target sm_35 .address_size 64\n"
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, "
    ".param .b64 s) .noreturn;\n"
    ".global .b8 m[6] = {118, 60, 51, 48, 48, 0};\n.global .b8 f[5] = {97, 46, 99, 117, 0};\n"
    ".global .b8 n[7] = {118, 111, 105, 100, 32, 107, 0};\n"
    ".visible .entry k(.param .u32 from) {\n.reg .b32 %t, %f, %l; .reg .b64 %d<5>; .reg .pred %p;\n"
    "mov.u32 %t, %tid.x; ld.param.u32 %f, [from]; setp.lt.u32 %p, %t, %f; @%p bra GOOD;\n"
    "mov.u64 %d1, m; mov.u64 %d2, f; mov.u32 %l, 12; mov.u64 %d3, n; mov.u64 %d4, 1;\n"
    "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;\n"
    "st.param.b64 [a], %d1; st.param.b64 [b], %d2; st.param.b32 [c], %l; st.param.b64 [d], %d3;\n"
    "st.param.b64 [e], %d4; call.uni __assertfail, (a, b, c, d, e); }\n"
    "GOOD: ret; }\n";

static void a_failed_assertion_names_each_thread_and_is_a_fault(void **state)
{
    (void)state;
    for (u32 mode = KIT_LOWER; mode <= KIT_OFF; mode++) {
        struct kit k;

        open_printing(&k, asserts, mode, NULL, NULL);
        struct caught c = catch_begin(STDERR_FILENO);
        bool ok = kit_try(&k, "k", 1, 32, KIT_ARGS(30));
        char *text = catch_end(&c);

        assert_false(ok);
        assert_string_equal(text, "a.cu:12: void k: block: [0,0,0], thread: [30,0,0] Assertion "
                                  "`v<300` failed.\n"
                                  "a.cu:12: void k: block: [0,0,0], thread: [31,0,0] Assertion "
                                  "`v<300` failed.\n");
        assert_string_equal(k.e.msg, "kernel k: assertion `v<300` failed (test.ptx:12, thread "
                                     "30,0,0 of block 0,0,0)");
        assert_int_equal(k.d->last.fault, FAULT_ASSERT);
        kit_run(&k, "k", 1, 32, KIT_ARGS(32)); /* the device goes on */
        free(text);
        kit_close(&k);
    }
}

/* ---- what a call counts as */

static void a_call_of_the_device_is_one_instruction(void **state)
{
    struct printing p;

    (void)state;
    start(&p);
    print(&p, "x");
    u64 n = p.k.d->last.n.warp_insts;

    print(&p, "a much longer text\n");
    assert_int_equal(p.k.d->last.n.warp_insts, n);
    assert_int_equal(n, p.k.p->func[1].n_inst);
    finish(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(integers_of_every_size_are_printed_as_on_the_host),
    cmocka_unit_test(doubles_are_printed_as_on_the_host),
    cmocka_unit_test(characters_strings_and_pointers_are_printed_as_on_the_host),
    cmocka_unit_test(arguments_stand_at_multiples_of_their_size),
    cmocka_unit_test(what_is_no_conversion_is_printed_as_it_stands),
    cmocka_unit_test(null_is_no_format_and_prints_as_a_string),
    cmocka_unit_test(the_locale_of_the_host_does_not_matter),
    cmocka_unit_test(a_bad_pointer_is_a_fault),
    cmocka_unit_test(strings_are_read_from_every_memory),
    cmocka_unit_test(lanes_print_in_order_in_diverged_calls),
    cmocka_unit_test(a_guard_keeps_lanes_from_calling),
    cmocka_unit_test(a_fault_does_not_lose_text),
    cmocka_unit_test(much_text_arrives_in_pieces_and_whole),
    cmocka_unit_test(without_a_receiver_text_goes_to_stdout),
    cmocka_unit_test(a_failed_assertion_names_each_thread_and_is_a_fault),
    cmocka_unit_test(a_call_of_the_device_is_one_instruction),
};

TEST_MAIN(tests)
