/*
 * random_program.h -- random programs whose threads compute with values of their own.
 *
 * A program has 10 registers of 32 bits, 6 of 64 and 4 predicates, all of them set at its start
 * and written out at its end.  In between stand random statements: arithmetic, guarded
 * instructions, accesses to memory of the thread's own (in all spaces, through several bases),
 * nested ifs, loops, jumps forward, table branches, calls.  Conditions differ between lanes.
 *
 * With `lanes` threads may end early, load from all over a table (`table`, of TABLE bytes, which is
 * for who runs it to fill), and shuffle and vote with whoever runs with them: only where it is
 * plain who that is, which jumps that cross each other and breaks of loops are not.
 */
#ifndef TESTS_PROPS_RANDOM_PROGRAM_H
#define TESTS_PROPS_RANDOM_PROGRAM_H

#include <stdarg.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/text.h"

enum {
    N_R = 10,
    N_D = 6,
    N_P = 4,
    THREADS = 96,
    AREA = 128,   /* bytes a thread may use in each space */
    RECORD = 256, /* bytes a thread writes to the output: AREA, then its registers */
    TABLE = 1 << 16,
};

struct gen {
    struct rng r;
    char *text;
    size_t n, cap;
    u32 n_label;
    u32 depth;    /* of nesting */
    bool uniform; /* all lanes are here */
    bool in_func; /* no memory bases, no calls */
    bool with_flow, with_calls, with_lanes;
    bool unclear; /* who runs together */
    bool leaves;  /* threads may end anywhere, and lanes do not talk to each other */
    bool apart;   /* they may have ended on one side only: lanes do not meet any more */
};

static void say(struct gen *g, const char *fmt, ...) PRINTF(2, 3);
static void say(struct gen *g, const char *fmt, ...)
{
    va_list ap;

    if (g->cap - g->n < 400)
        g->text = xrealloc(g->text, g->cap = 2 * g->cap + 1000);
    va_start(ap, fmt);
    g->n += (size_t)vsnprintf(g->text + g->n, g->cap - g->n, fmt, ap);
    va_end(ap);
}

static u32 pick(struct gen *g, u32 n)
{
    return rng_below(&g->r, n);
}

static const char *word(struct gen *g, const char *const *words, u32 n)
{
    return words[pick(g, n)];
}

static u32 reg32(struct gen *g)
{
    return pick(g, N_R);
}

static u32 reg64(struct gen *g)
{
    return pick(g, N_D);
}

/* A source of 32 or 64 bits: a register or, now and then, a constant. */
static const char *src(struct gen *g, bool is64, char buf[24])
{
    static const char *const consts[] = {"0", "1", "2", "-1", "4", "31", "255", "65536", "-8"};

    if (pick(g, 5) == 0)
        snprintf(buf, 24, "%s", word(g, consts, LEN(consts)));
    else
        snprintf(buf, 24, is64 ? "%%d%u" : "%%r%u", is64 ? reg64(g) : reg32(g));
    return buf;
}

static void guard(struct gen *g)
{
    if (pick(g, 5) == 0)
        say(g, "@%s%%p%u ", pick(g, 2) ? "!" : "", pick(g, N_P));
}

/* ---- statements ---- */

static void alu32(struct gen *g)
{
    static const char *const ops[] = {"add.s32", "sub.s32", "mul.lo.s32", "and.b32",   "or.b32",
                                      "xor.b32", "min.s32", "max.u32",    "mul.hi.u32"};
    static const char *const flt[] = {"add.f32", "mul.f32", "sub.f32", "max.f32"};
    char a[24], b[24], c[24];

    guard(g);
    switch (pick(g, 6)) {
    case 0:
        say(g, "mad.lo.s32 %%r%u, %s, %s, %s;\n", reg32(g), src(g, 0, a), src(g, 0, b),
            src(g, 0, c));
        break;
    case 1:
        say(g, "shl.b32 %%r%u, %%r%u, %u;\n", reg32(g), reg32(g), pick(g, 34));
        break;
    case 2:
        say(g, "%s %%r%u, %%r%u, %%r%u;\n", word(g, flt, LEN(flt)), reg32(g), reg32(g), reg32(g));
        break;
    case 3:
        say(g, "mov.b32 %%r%u, %s;\n", reg32(g), src(g, 0, a));
        break;
    default:
        say(g, "%s %%r%u, %s, %s;\n", word(g, ops, LEN(ops)), reg32(g), src(g, 0, a), src(g, 0, b));
    }
}

static void alu64(struct gen *g)
{
    static const char *const ops[] = {"add.s64", "sub.s64", "mul.lo.s64", "and.b64", "xor.b64"};
    static const char *const wide[] = {"mul.wide.s32", "mul.wide.u32"};
    static const char *const mad[] = {"mad.wide.s32", "mad.wide.u32"};
    static const char *const cvt[] = {"cvt.u64.u32", "cvt.s64.s32"};
    char a[24], b[24], c[24];

    guard(g);
    switch (pick(g, 7)) {
    case 0:
        say(g, "%s %%d%u, %s, %s;\n", word(g, wide, 2), reg64(g), src(g, 0, a), src(g, 0, b));
        break;
    case 1:
        say(g, "%s %%d%u, %s, %s, %s;\n", word(g, mad, 2), reg64(g), src(g, 0, a), src(g, 0, b),
            src(g, 1, c));
        break;
    case 2:
        say(g, "%s %%d%u, %%r%u;\n", word(g, cvt, 2), reg64(g), reg32(g));
        break;
    case 3:
        say(g, "cvt.u32.u64 %%r%u, %%d%u;\n", reg32(g), reg64(g));
        break;
    case 4:
        say(g, "shl.b64 %%d%u, %%d%u, %u;\n", reg64(g), reg64(g), pick(g, 70));
        break;
    case 5:
        say(g, "mov.b64 %%d%u, %s;\n", reg64(g), src(g, 1, a));
        break;
    default:
        say(g, "%s %%d%u, %s, %s;\n", word(g, ops, LEN(ops)), reg64(g), src(g, 1, a), src(g, 1, b));
    }
}

/* Results of another width than the operands, and other shapes. */
static void odd(struct gen *g)
{
    static const char *const to_32[] = {"popc.b64", "clz.b64", "cvt.rn.f32.f64", "cvt.rzi.s32.f64",
                                        "cvt.rn.f32.u64"};
    static const char *const to_64[] = {"cvt.f64.f32", "cvt.rn.f64.s32", "cvt.rzi.s64.f32"};
    char a[24], b[24];
    u32 lo = reg32(g);

    switch (pick(g, 11)) {
    case 0:
        say(g, "mov.b64 %%d%u, {%%r%u, %%r%u};\n", reg64(g), reg32(g), reg32(g));
        break;
    case 1:
        say(g, "mov.b64 {%%r%u, %%r%u}, %%d%u;\n", lo, (lo + 1 + pick(g, N_R - 1)) % N_R, reg64(g));
        break;
    case 2:
        say(g, "mov.b64 {_, %%r%u}, %%d%u;\n", lo, reg64(g));
        break;
    case 3:
        say(g, "add.cc.u32 %%r%u, %%r%u, %%r%u;\n", reg32(g), reg32(g), reg32(g));
        say(g, "addc.u32 %%r%u, %%r%u, 0;\n", reg32(g), reg32(g));
        break;
    case 4:
        say(g, "selp.b32 %%r%u, %s, %s, %%p%u;\n", reg32(g), src(g, 0, a), src(g, 0, b),
            pick(g, N_P));
        break;
    case 5:
        say(g, "selp.b64 %%d%u, %s, %s, %%p%u;\n", reg64(g), src(g, 1, a), src(g, 1, b),
            pick(g, N_P));
        break;
    case 6:
        guard(g);
        say(g, "%s %%r%u, %%d%u;\n", word(g, to_32, LEN(to_32)), lo, reg64(g));
        break;
    case 7:
        guard(g);
        say(g, "%s %%d%u, %%r%u;\n", word(g, to_64, LEN(to_64)), reg64(g), lo);
        break;
    case 8:
        say(g, "fma.rn.f64 %%d%u, %%d%u, %%d%u, %%d%u;\n", reg64(g), reg64(g), reg64(g), reg64(g));
        break;
    case 9:
        guard(g);
        say(g, "bfi.b64 %%d%u, %%d%u, %%d%u, %%r%u, 9;\n", reg64(g), reg64(g), reg64(g), lo);
        break;
    default: /* the same thing twice */
        say(g, "add.s32 %%r0, %%r1, %%r2;\nadd.s32 %%r3, %%r1, %%r2;\n");
    }
}

static void pred(struct gen *g)
{
    static const char *const cmp[] = {"eq", "ne", "lt", "ge", "gt", "le"};
    static const char *const logic[] = {"and.pred", "or.pred", "xor.pred"};
    char a[24];

    guard(g);
    switch (pick(g, 7)) {
    case 5:
        say(g, "setp.%s.f32 _|%%p%u, %%r%u, %%r%u;\n", word(g, cmp, LEN(cmp)), pick(g, N_P),
            reg32(g), reg32(g));
        break;
    case 0:
        say(g, "%s %%p%u, %%p%u, %%p%u;\n", word(g, logic, 3), pick(g, N_P), pick(g, N_P),
            pick(g, N_P));
        break;
    case 1:
        say(g, "not.pred %%p%u, %%p%u;\n", pick(g, N_P), pick(g, N_P));
        break;
    case 2:
        say(g, "mov.pred %%p%u, %%p%u;\n", pick(g, N_P), pick(g, N_P));
        break;
    case 3:
        say(g, "setp.%s.s32 %%p0|%%p1, %%r%u, %s;\n", word(g, cmp, LEN(cmp)), reg32(g),
            src(g, 0, a));
        break;
    case 4:
        say(g, "setp.%s.and.s64 %%p%u, %%d%u, %s, %%p%u;\n", word(g, cmp, LEN(cmp)), pick(g, N_P),
            reg64(g), src(g, 1, a), pick(g, N_P));
        break;
    default:
        say(g, "setp.%s.u32 %%p%u, %%r%u, %s;\n", word(g, cmp, LEN(cmp)), pick(g, N_P), reg32(g),
            src(g, 0, a));
    }
}

/* One of the thread's own areas; *name is its space as ld and st spell it. */
static void area(struct gen *g, const char **name, char base[64], u32 size)
{
    u32 off = pick(g, AREA / size) * size;

    switch (pick(g, 5)) {
    case 0:
        *name = "global";
        snprintf(base, 64, "%%own+%u", off);
        break;
    case 1: /* the same place by another way */
        *name = "global";
        say(g, "add.s64 %%tmp, %%own, %u;\n", off);
        snprintf(base, 64, "%%tmp");
        break;
    case 2:
        *name = "shared";
        snprintf(base, 64, "%%sh+%u", off);
        break;
    case 3: /* an index that only the thread knows */
        *name = "local";
        say(g, "and.b32 %%t32, %%r%u, %u;\n", reg32(g), AREA - 16);
        say(g, "cvt.u64.u32 %%tmp, %%t32;\nadd.s64 %%tmp, %%loc, %%tmp;\n");
        snprintf(base, 64, "%%tmp");
        break;
    default:
        *name = "local";
        snprintf(base, 64, "mine+%u", off);
    }
}

static void load(struct gen *g, const char *vol)
{
    static const char *const narrow[] = {"u8", "s8", "u32", "s32"};
    const char *name;
    char base[64];

    switch (pick(g, 5)) {
    case 0:
        area(g, &name, base, 8);
        say(g, "ld%s.%s.u64 %%d%u, [%s];\n", vol, name, reg64(g), base);
        break;
    case 1:
        area(g, &name, base, 16);
        say(g, "ld.%s.v4.u32 {%%r0, %%r%u, %s, %%r9}, [%s];\n", name, 1 + pick(g, 7),
            pick(g, 2) ? "%r8" : "_", base);
        break;
    case 2:
        area(g, &name, base, 16);
        say(g, "ld.%s.v2.u64 {%%d%u, %%d5}, [%s];\n", name, pick(g, 5), base);
        break;
    case 3: /* into a wider register */
        area(g, &name, base, 4);
        guard(g);
        say(g, "ld.%s.%s %%d%u, [%s];\n", name, word(g, narrow, LEN(narrow)), reg64(g), base);
        break;
    default:
        area(g, &name, base, 4);
        guard(g);
        say(g, "ld%s.%s.u32 %%r%u, [%s];\n", vol, name, reg32(g), base);
    }
}

static void store(struct gen *g, const char *vol)
{
    const char *name;
    char base[64];

    switch (pick(g, 4)) {
    case 0:
        area(g, &name, base, 8);
        say(g, "st%s.%s.u64 [%s], %%d%u;\n", vol, name, base, reg64(g));
        break;
    case 1:
        area(g, &name, base, 8);
        say(g, "st.%s.v2.u32 [%s], {%%r%u, %%r%u};\n", name, base, reg32(g), reg32(g));
        break;
    case 2:
        area(g, &name, base, 4);
        guard(g);
        say(g, "st.%s.%s [%s], %%d%u;\n", name, pick(g, 2) ? "u8" : "u32", base, reg64(g));
        break;
    default:
        area(g, &name, base, 4);
        guard(g);
        say(g, "st%s.%s.u32 [%s], %%r%u;\n", vol, name, base, reg32(g));
    }
}

/* From anywhere in so many bytes of the table: the fewer, the more lanes of a warp share lines. */
static void look_up(struct gen *g)
{
    u32 bytes = TABLE >> pick(g, 10);

    say(g, "and.b32 %%t32, %%r%u, %u;\ncvt.u64.u32 %%tmp, %%t32;\n", reg32(g), bytes - 8);
    say(g, "add.s64 %%tmp, %%tab, %%tmp;\n");
    guard(g);
    if (pick(g, 3))
        say(g, "ld.global.u32 %%r%u, [%%tmp];\n", reg32(g));
    else
        say(g, "ld.global.u64 %%d%u, [%%tmp];\n", reg64(g));
}

static void memory(struct gen *g)
{
    const char *vol = pick(g, 8) || g->leaves ? "" : ".volatile";
    u32 off = 8 * pick(g, AREA / 8);

    if (g->with_lanes && pick(g, 2)) {
        look_up(g);
        return;
    }
    switch (pick(g, 6)) {
    case 0:
        say(g, "atom.global.add.u32 %%r%u, [%%own+%u], %%r%u;\n", reg32(g), off, reg32(g));
        break;
    case 1:
        say(g, "atom.shared.cas.b64 %%d%u, [%%sh+%u], %%d%u, %%d%u;\n", reg64(g), off, reg64(g),
            reg64(g));
        break;
    case 2:
    case 3:
        store(g, vol);
        break;
    default:
        load(g, vol);
    }
}

/* Among the lanes that run together. */
static void among(struct gen *g)
{
    static const char *const mode[] = {"bfly", "idx", "up", "down"};
    static const char *const redux[] = {"add.u32", "min.s32", "max.u32", "xor.b32"};
    u32 k = pick(g, 4);

    guard(g);
    switch (pick(g, 6)) {
    case 0:
        say(g, "vote.sync.ballot.b32 %%r%u, %%p%u, -1;\n", reg32(g), pick(g, N_P));
        break;
    case 1:
        say(g, "vote.sync.%s.pred %%p%u, %%p%u, -1;\n", pick(g, 2) ? "any" : "all", pick(g, N_P),
            pick(g, N_P));
        break;
    case 2:
        say(g, "match.any.sync.b%s %%r%u, %s%u, -1;\n", k & 1 ? "64" : "32", reg32(g),
            k & 1 ? "%d" : "%r", k & 1 ? reg64(g) : reg32(g));
        break;
    case 3:
        say(g, "redux.sync.%s %%r%u, %%r%u, -1;\n", redux[k], reg32(g), reg32(g));
        break;
    default:
        say(g, "shfl.sync.%s.b32 %%r%u|%%p%u, %%r%u, %u, %u, -1;\n", mode[k], reg32(g),
            pick(g, N_P), reg32(g), 1 + pick(g, 31), k == 2 ? 0 : 31);
    }
}

/* Threads that end; the sides of a branch around it do not meet any more before all do. */
static void leave(struct gen *g)
{
    say(g, "and.b32 %%t32, %%r%u, 31;\nsetp.eq.u32 %%q, %%t32, %u;\n@%%q exit;\n", reg32(g),
        pick(g, 32));
    g->apart |= g->depth > 0;
}

/* Only where all lanes are. */
static void warp_wide(struct gen *g)
{
    switch (g->leaves ? 2 : pick(g, 3)) {
    case 0:
        say(g, "shfl.sync.bfly.b32 %%r%u|%%p%u, %%r%u, %u, 31, -1;\n", reg32(g), pick(g, N_P),
            reg32(g), 1 + pick(g, 31));
        break;
    case 1:
        say(g, "vote.sync.ballot.b32 %%r%u, %%p%u, -1;\n", reg32(g), pick(g, N_P));
        break;
    default:
        say(g, "bar.sync 0;\n");
    }
}

static void statements(struct gen *g, u32 n);

static void inner(struct gen *g, u32 n)
{
    bool uniform = g->uniform;

    g->uniform = false;
    g->depth++;
    statements(g, n);
    g->depth--;
    g->uniform = uniform;
}

static void if_else(struct gen *g)
{
    u32 l = g->n_label++;

    say(g, "@%%p%u bra E%u;\n", pick(g, N_P), l);
    inner(g, 1 + pick(g, 8));
    say(g, "bra X%u;\nE%u:\n", l, l);
    if (pick(g, 2))
        inner(g, 1 + pick(g, 8));
    say(g, "X%u:\n", l);
}

/* At most 4 times, a number of times that differs between lanes. */
static void loop(struct gen *g)
{
    u32 l = g->n_label++, c = g->depth;
    bool broken = pick(g, 2), unclear = g->unclear;

    say(g, "and.b32 %%c%u, %%r%u, 3;\nL%u:\n", c, reg32(g), l);
    g->unclear |= broken;
    inner(g, 1 + pick(g, 8));
    if (broken)
        say(g, "@%%p%u bra Y%u;\n", pick(g, N_P), l);
    if (pick(g, 2))
        inner(g, 1 + pick(g, 4));
    g->unclear = unclear;
    say(g, "sub.s32 %%c%u, %%c%u, 1;\nsetp.ge.s32 %%q, %%c%u, 0;\n@%%q bra L%u;\nY%u:\n", c, c, c,
        l, l);
}

static void table(struct gen *g)
{
    u32 l = g->n_label++;

    say(g, "T%u: .branchtargets A%u, B%u, C%u, A%u;\n", l, l, l, l, l);
    say(g, "and.b32 %%t32, %%r%u, 3;\nbrx.idx %%t32, T%u;\n", reg32(g), l);
    for (u32 i = 0; i < 3; i++) {
        say(g, "%c%u:\n", (char)('A' + i), l);
        inner(g, 1 + pick(g, 4));
        if (i < 2)
            say(g, "bra Z%u;\n", l);
    }
    say(g, "Z%u:\n", l);
}

/* Jumps forward that cross each other. */
static void crossing(struct gen *g)
{
    u32 l = g->n_label++;
    bool unclear = g->unclear;

    g->unclear = true;
    say(g, "@%%p%u bra F%u;\n", pick(g, N_P), l);
    inner(g, 1 + pick(g, 4));
    say(g, "@!%%p%u bra G%u;\n", pick(g, N_P), l);
    inner(g, 1 + pick(g, 4));
    say(g, "F%u:\n", l);
    inner(g, 1 + pick(g, 4));
    say(g, "G%u:\n", l);
    g->unclear = unclear;
}

static void call(struct gen *g)
{
    say(g, "{ .param .b32 a0; .param .b64 a1; .param .b64 r0;\n");
    say(g, "st.param.b32 [a0], %%r%u;\nst.param.b64 [a1], %%d%u;\n", reg32(g), reg64(g));
    say(g, "call (r0), callee, (a0, a1);\nld.param.b64 %%d%u, [r0]; }\n", reg64(g));
}

static void flow(struct gen *g)
{
    if (g->depth > 3) {
        alu32(g);
        return;
    }
    switch (pick(g, 6)) {
    case 0:
        loop(g);
        break;
    case 1:
        table(g);
        break;
    case 2:
        crossing(g);
        break;
    default:
        if_else(g);
    }
}

static void statement(struct gen *g)
{
    u32 k = pick(g, 20);

    if (g->with_lanes && !g->in_func && pick(g, 12) == 0) {
        if ((g->leaves || !g->depth) && pick(g, 8) == 0)
            leave(g);
        else if (!g->unclear && !g->leaves)
            among(g);
    }
    if (k < 6)
        alu32(g);
    else if (k < 10)
        alu64(g);
    else if (k < 12)
        pred(g);
    else if (k < 13)
        odd(g);
    else if (k < 16 && !g->in_func)
        memory(g);
    else if (k < 18 && g->with_flow)
        flow(g);
    else if (k < 19 && g->with_calls && !g->in_func)
        call(g);
    else if (k < 20 && g->uniform && !g->in_func && !g->apart)
        warp_wide(g);
    else
        alu32(g);
}

static void statements(struct gen *g, u32 n)
{
    for (u32 i = 0; i < n; i++)
        statement(g);
}

/* ---- programs ---- */

static void declare(struct gen *g)
{
    say(g, ".reg .b32 %%r<%u>; .reg .b64 %%d<%u>; .reg .pred %%p<%u>; .reg .pred %%q;\n", N_R, N_D,
        N_P);
    say(g, ".reg .b32 %%c<8>; .reg .b32 %%t32; .reg .b64 %%tmp;\n");
}

/* Values that differ between lanes, from %r0 and %d0. */
static void initialise(struct gen *g)
{
    for (u32 i = 1; i < N_R; i++)
        say(g, "mad.lo.s32 %%r%u, %%r%u, %u, %u;\n", i, i - 1, 2 * pick(g, 50) + 1, pick(g, 100));
    for (u32 i = 1; i < N_D; i++)
        say(g, "mul.wide.u32 %%d%u, %%r%u, %u;\n", i, i, 1 + pick(g, 1000));
    for (u32 i = 0; i < N_P; i++)
        say(g, "and.b32 %%t32, %%r0, %u;\nsetp.ne.u32 %%p%u, %%t32, 0;\n", 1u << i, i);
}

static void called_function(struct gen *g)
{
    say(g, ".func (.param .b64 out) callee(.param .b32 a, .param .b64 b)\n{\n");
    declare(g);
    say(g, "ld.param.b32 %%r0, [a];\nld.param.b64 %%d0, [b];\n");
    initialise(g);
    g->in_func = true;
    statements(g, 20 + pick(g, 20));
    g->in_func = false;
    for (u32 i = 0; i < N_R; i++)
        say(g, "cvt.u64.u32 %%tmp, %%r%u;\nadd.s64 %%d0, %%d0, %%tmp;\n", i);
    for (u32 i = 1; i < N_D; i++)
        say(g, "xor.b64 %%d0, %%d0, %%d%u;\n", i);
    say(g, "st.param.b64 [out], %%d0;\nret;\n}\n");
}

static void write_out(struct gen *g)
{
    for (u32 i = 0; i < N_R; i++)
        say(g, "st.global.u32 [%%own+%u], %%r%u;\n", AREA + 4 * i, i);
    for (u32 i = 0; i < N_D; i++)
        say(g, "st.global.u64 [%%own+%u], %%d%u;\n", AREA + 40 + 8 * i, i);
    for (u32 i = 0; i < N_P; i++)
        say(g, "selp.b32 %%t32, 1, 0, %%p%u;\nst.global.u32 [%%own+%u], %%t32;\n", i,
            AREA + 88 + 4 * i);
}

static char *program(u64 seed, u32 n, bool flow, bool calls, bool lanes)
{
    struct gen g = {.r = rng_make(seed),
                    .uniform = true,
                    .with_flow = flow,
                    .with_calls = calls,
                    .with_lanes = lanes,
                    .leaves = lanes && seed % 3 == 0};

    say(&g, ".version 6.0\n.target sm_60\n.address_size 64\n");
    if (lanes)
        say(&g, ".global .align 128 .b8 table[%u];\n", TABLE);
    if (calls)
        called_function(&g);
    say(&g, ".visible .entry k(.param .u64 out)\n{\n");
    declare(&g);
    say(&g, ".reg .b64 %%own; .reg .b64 %%sh; .reg .b64 %%loc;\n");
    say(&g, ".shared .align 16 .b8 all[%u]; .local .align 16 .b8 mine[%u];\n", THREADS * AREA,
        AREA);
    say(&g, "ld.param.u64 %%own, [out];\nmov.u32 %%r0, %%tid.x;\n");
    say(&g, "mad.wide.u32 %%own, %%r0, %u, %%own;\n", RECORD);
    say(&g, "mov.u64 %%sh, all;\nmad.wide.u32 %%sh, %%r0, %u, %%sh;\n", AREA);
    say(&g, "mov.u64 %%loc, mine;\nmov.b64 %%d0, 77;\n");
    if (lanes)
        say(&g, ".reg .b64 %%tab;\nmov.u64 %%tab, table;\n");
    initialise(&g);
    statements(&g, n);
    write_out(&g);
    say(&g, "ret;\n}\n");
    return g.text;
}

/* So many programs of a case, or SMELT_PROPS times as many. */
static inline u32 n_programs(u32 n)
{
    const char *more = getenv("SMELT_PROPS");

    return n * (more ? (u32)strtoul(more, NULL, 10) : 1);
}

#endif
