/*
 * t_op_warp.c -- instructions among the lanes of a warp: vote, shfl, match, redux,
 * activemask
 *
 * 12 warps, the last of 20 threads, run each form with all lanes, under a guard, and in a
 * diverged branch.  The member mask of .sync forms names the lanes that take part.  In a
 * form's text: $d result, $q predicate result, $a $A operand of 32 or 64 bits, $b $c further
 * operands, $p predicate operand, $m member mask.
 */
#include "tests/props/op_job.h"

enum { WARPS = 12, N = 32 * (WARPS - 1) + 20, VARIANTS = 3, JOBS = 32 };

struct lane {
    u64 a;
    u32 b, c, p, guard, d, q; /* d, q: what the results hold before */
    u32 everyone, guarded;    /* member masks of its warp */
    u64 unused;
};

struct out {
    u32 d, q;
};

typedef void ref_fn(const struct lane *l, u32 active, struct out *r);

struct form {
    const char *form;
    ref_fn *ref;
    const char *text;
};

/* ---- references.  l: the warp's lanes; r: results of the active ones, to be written */

static bool on(u32 mask, u32 lane)
{
    return mask >> lane & 1;
}

static u32 ballot(const struct lane *l, u32 active, u32 want)
{
    u32 r = 0;

    for (u32 i = 0; i < 32; i++)
        if (on(active, i))
            r |= (u32)(l[i].p == want) << i;
    return r;
}

#define VOTE_REF(name, field, expr)                                                                \
    static void ref_##name(const struct lane *l, u32 active, struct out *r)                        \
    {                                                                                              \
        u32 yes = ballot(l, active, 1);                                                            \
        for (u32 i = 0; i < 32; i++)                                                               \
            if (on(active, i))                                                                     \
                r[i].field = expr;                                                                 \
    }                                                                                              \
    static void ref_##name##_not(const struct lane *l, u32 active, struct out *r)                  \
    {                                                                                              \
        u32 yes = ballot(l, active, 0);                                                            \
        for (u32 i = 0; i < 32; i++)                                                               \
            if (on(active, i))                                                                     \
                r[i].field = expr;                                                                 \
    }

VOTE_REF(all, q, yes == active)
VOTE_REF(any, q, yes != 0)
VOTE_REF(uni, q, yes == 0 || yes == active)
VOTE_REF(ballot, d, yes)

static void ref_activemask(const struct lane *l, u32 active, struct out *r)
{
    (void)l;
    for (u32 i = 0; i < 32; i++)
        if (on(active, i)) {
            r[i].d = active;
        }
}

enum mode { UP, DOWN, BFLY, IDX };

/* PTX ISA, shfl: the lane that lane i reads from, or -1 if that is out of its segment. */
static int source_lane(enum mode mode, int i, u32 b, u32 c)
{
    int step = b & 31, clamp = c & 31, segment = c >> 8 & 31;
    int max = (i & segment) | (clamp & ~segment), min = i & segment;
    int j = mode == UP     ? i - step
            : mode == DOWN ? i + step
            : mode == BFLY ? i ^ step
                           : min | (step & ~segment);

    return mode == UP ? (j >= max ? j : -1) : (j <= max ? j : -1);
}

/* A lane that is off has no value to give; the reader then keeps its own. */
static void shuffle(const struct lane *l, u32 active, struct out *r, enum mode mode, bool imm,
                    bool with_q)
{
    for (u32 i = 0; i < 32; i++)
        if (on(active, i)) {
            int j = source_lane(mode, (int)i, imm ? 3 : l[i].b, imm ? 0x181f : l[i].c);
            bool there = j >= 0 && active >> j & 1;

            r[i].d = (u32)l[there ? (u32)j : i].a;
            if (with_q)
                r[i].q = j >= 0;
        }
}

#define SHFL_REF(name, mode)                                                                       \
    static void ref_##name(const struct lane *l, u32 active, struct out *r)                        \
    {                                                                                              \
        shuffle(l, active, r, mode, false, true);                                                  \
    }                                                                                              \
    static void ref_##name##_only(const struct lane *l, u32 active, struct out *r)                 \
    {                                                                                              \
        shuffle(l, active, r, mode, false, false);                                                 \
    }                                                                                              \
    static void ref_##name##_imm(const struct lane *l, u32 active, struct out *r)                  \
    {                                                                                              \
        shuffle(l, active, r, mode, true, true);                                                   \
    }

SHFL_REF(up, UP)
SHFL_REF(down, DOWN)
SHFL_REF(bfly, BFLY)
SHFL_REF(idx, IDX)

static u32 same_as(const struct lane *l, u32 active, u32 i, u64 mask)
{
    u32 r = 0;

    for (u32 j = 0; j < 32; j++)
        if (on(active, j))
            r |= (u32)((l[j].a & mask) == (l[i].a & mask)) << j;
    return r;
}

static void match(const struct lane *l, u32 active, struct out *r, u64 mask, bool all)
{
    for (u32 i = 0; i < 32; i++)
        if (on(active, i)) {
            u32 same = same_as(l, active, i, mask);

            r[i].d = !all || same == active ? same : 0;
            if (all)
                r[i].q = same == active;
        }
}

#define MATCH(name, mask, all)                                                                     \
    static void ref_##name(const struct lane *l, u32 active, struct out *r)                        \
    {                                                                                              \
        match(l, active, r, mask, all);                                                            \
    }

MATCH(match_any, 0xffffffff, false)
MATCH(match_any_64, ~0ull, false)
MATCH(match_all, 0xffffffff, true)
MATCH(match_all_64, ~0ull, true)

/* All operands of the active lanes, one after the other, into `all`. */
#define REDUX_REF(name, first, expr)                                                               \
    static void ref_redux_##name(const struct lane *l, u32 active, struct out *r)                  \
    {                                                                                              \
        u32 all = first;                                                                           \
        for (u32 i = 0; i < 32; i++)                                                               \
            if (on(active, i)) {                                                                   \
                u32 a = (u32)l[i].a;                                                               \
                all = expr;                                                                        \
            }                                                                                      \
        for (u32 i = 0; i < 32; i++)                                                               \
            if (on(active, i))                                                                     \
                r[i].d = all;                                                                      \
    }

REDUX_REF(add, 0, all + a)
REDUX_REF(min_u32, ~0u, all < a ? all : a)
REDUX_REF(max_u32, 0, all > a ? all : a)
REDUX_REF(min_s32, 0x7fffffff, (s32)all < (s32)a ? all : a)
REDUX_REF(max_s32, 0x80000000, (s32)all > (s32)a ? all : a)
REDUX_REF(and, ~0u, all &a)
REDUX_REF(or, 0, all | a)
REDUX_REF(xor, 0, all ^ a)

static const struct form forms[] = {
#define WARP(form, ref, text) {form, ref, text},
#include "tests/props/forms_warp.inc"
#undef WARP
};

/* ---- operands: few values in some warps, so that they match; one in others */

static struct lane input[32 * WARPS];

static void fill_warp(struct lane *l, u32 w, u64 *seed)
{
    for (u32 i = 0; i < 32; i++) {
        u64 r = op_random(seed);

        l[i].a = w % 3 == 0 ? r : w % 3 == 1 ? (r & 0x300000003) : 0x1122334455667788;
        l[i].b = w & 1 ? (u32)(r >> 32) % 34 : 1u << (w / 2 % 6);
        l[i].c = w & 2 ? (u32)(r >> 20) & 0x1f1f : w & 1 ? 0x1c1f : 0x1f;
        l[i].p = w % 4 == 0 ? 1 : w % 4 == 1 ? 0 : r >> 17 & 1;
        l[i].guard = w % 5 == 4 ? 0 : w % 5 == 3 ? i == 13 : r >> 25 & 1;
        l[i].d = (u32)(r >> 7), l[i].q = r >> 9 & 1;
    }
    for (u32 i = 0; i < 32; i++) {
        l[i].everyone = w == WARPS - 1 ? 0xfffff : ~0u;
        l[i].guarded = 0;
        for (u32 j = 0; j < 32; j++)
            l[i].guarded |= l[j].guard << j & l[i].everyone;
    }
}

static void expect(const struct form *f, struct out *want)
{
    for (u32 w = 0; w < WARPS; w++)
        for (u32 v = 0; v < VARIANTS; v++) {
            struct lane *l = &input[32 * w];
            struct out r[32];

            for (u32 i = 0; i < 32; i++)
                r[i] = (struct out){l[i].d, l[i].q};
            f->ref(l, v ? l->guarded : l->everyone, r);
            for (u32 i = 0; i < 32 && 32 * w + i < N; i++)
                want[(32 * w + i) * VARIANTS + v] = r[i];
        }
}

/* ---- the kernel */

static void put_text(FILE *o, const char *text, bool guarded)
{
    for (; *text; text++) {
        if (*text != '$') {
            fputc(*text, o);
            continue;
        }
        switch (*++text) {
        case 'd':
            fputs("%w0", o);
            break;
        case 'q':
            fputs("%p0", o);
            break;
        case 'a':
            fputs("%w1", o);
            break;
        case 'A':
            fputs("%d1", o);
            break;
        case 'b':
            fputs("%w2", o);
            break;
        case 'c':
            fputs("%w3", o);
            break;
        case 'p':
            fputs("%p1", o);
            break;
        default:
            fputs(guarded ? "%w5" : "%w4", o);
        }
    }
    fputs(";\n", o);
}

static void put_kernel(FILE *o, const struct form *f, u32 id)
{
    fprintf(o, ".visible .entry k%u(.param .u64 in, .param .u64 out)\n{\n", id);
    fprintf(o,
            ".reg .b32 %%w<12>; .reg .b64 %%d<8>; .reg .pred %%p<4>;\n"
            "ld.param.u64 %%d2, [in]; ld.param.u64 %%d3, [out]; mov.u32 %%w8, %%tid.x;\n"
            "mad.wide.u32 %%d2, %%w8, %zu, %%d2; mad.wide.u32 %%d3, %%w8, %zu, %%d3;\n"
            "ld.global.u32 %%w1, [%%d2]; ld.global.u64 %%d1, [%%d2]; ld.global.v2.u32 {%%w2, "
            "%%w3}, [%%d2+8];\n"
            "ld.global.v2.u32 {%%w6, %%w7}, [%%d2+16]; setp.ne.u32 %%p1, %%w6, 0; setp.ne.u32 "
            "%%p2, %%w7, 0;\n"
            "ld.global.v2.u32 {%%w4, %%w5}, [%%d2+32];\n",
            sizeof(struct lane), VARIANTS * sizeof(struct out));
    for (u32 v = 0; v < VARIANTS; v++) {
        fputs("ld.global.v2.u32 {%w0, %w6}, [%d2+24]; setp.ne.u32 %p0, %w6, 0;\n", o);
        fputs(v == 1 ? "@%p2 " : v == 2 ? "@!%p2 bra OVER;\n" : "", o);
        put_text(o, f->text, v != 0);
        fputs(v == 2 ? "OVER:\n" : "", o);
        fprintf(o, "selp.u32 %%w6, 1, 0, %%p0; st.global.v2.u32 [%%d3+%zu], {%%w0, %%w6};\n",
                v * sizeof(struct out));
    }
    fputs("ret;\n}\n", o);
}

static void check(const char *family)
{
    static struct out want[JOBS][N * VARIANTS];
    struct op_job job[JOBS];
    u32 n = 0;
    u64 seed = 99;
    char *text = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&text, &size);

    for (u32 w = 0; w < WARPS; w++)
        fill_warp(&input[32 * w], w, &seed);
    fputs(OP_HEAD, o);
    for (u32 i = 0; i < LEN(forms); i++) {
        if (!op_among(forms[i].form, strcspn(forms[i].form, "."), family))
            continue;
        put_kernel(o, &forms[i], n);
        expect(&forms[i], want[n]);
        job[n] = (struct op_job){.what = forms[i].text,
                                 .in = input,
                                 .n_in = sizeof input,
                                 .want = want[n],
                                 .n_want = sizeof want[n]};
        snprintf(job[n].kernel, sizeof job[n].kernel, "k%u", n);
        job[n].grid = 1, job[n].block = N;
        n++;
    }
    fclose(o);
    u32 bad = op_jobs_bad(&(struct op_jobs){text, job, n, NULL, NULL});

    free(text);
    if (bad)
        fail_msg("%u runs differ from the reference", bad);
}

#define FAMILY(name, words)                                                                        \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        check(words);                                                                              \
    }

FAMILY(vote_all_any_uni_ballot_plain_and_sync, "vote")
FAMILY(activemask_names_the_active_lanes, "activemask")
FAMILY(shfl_up_down_bfly_idx_plain_and_sync, "shfl")
FAMILY(match_any_and_all_of_32_and_64_bits, "match")

FAMILY(redux_joins_the_operands_of_all_members, "redux")

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(vote_all_any_uni_ballot_plain_and_sync),
    cmocka_unit_test(activemask_names_the_active_lanes),
    cmocka_unit_test(shfl_up_down_bfly_idx_plain_and_sync),
    cmocka_unit_test(match_any_and_all_of_32_and_64_bits),
    cmocka_unit_test(redux_joins_the_operands_of_all_members),
};

TEST_MAIN(tests)
