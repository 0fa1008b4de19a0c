/*
 * math_test.h -- the device math library against a reference, on the host and in the simulator.
 *
 * A list (math_X.inc) has a row for every function; a test program and a PTX file come from it:
 *
 *     MATH1(expf, f32, f32, .ref = ref_expf, .ulp = 2, .gen = gen_exp)
 *     MATH2(umulhi, u32, u32, u32, .want = want_umulhi)
 *
 * MATHn has n arguments: the name without __nv_, the type of the result, those of the arguments
 * (f32 f64 s32 u32 s64 u64 u16), then fields of struct math_fn.  t_math_X.c is
 *
 *     #define MATH_WRAP_F32                         if math_wrap.h is needed
 *     #include "toolkit/math/f32.h"                      the prototypes
 *     #include "tests/props/math_test.h"
 *     ... ref_expf, want_umulhi, gen_exp
 *     #define MATH_LIST "tests/props/math_X.inc"
 *     #include "tests/props/math_main.h"            a case nv_FN for every row, and main
 *
 * and math.cmake compiles math_kernels.cu with that list.  A case computes MATH_N sets of arguments
 * with the host's build of the library, compares with the reference, then has the simulator run the
 * kernel on the same arguments and wants the same bits (any NaN is as good as another).
 *
 * The arguments: every combination of special values first (up to two arguments; beyond, random
 * ones of them), then in turn random bits and what the row's gen makes.
 */
#ifndef TESTS_PROPS_MATH_TEST_H
#define TESTS_PROPS_MATH_TEST_H

#include <math.h>

#include "base/text.h"
#include "tests/kit.h"

#define DEVICE static inline __attribute__((unused))
#include "tests/props/math_wrap.h"

enum math_type { T_f32, T_f64, T_s32, T_u32, T_s64, T_u64, T_u16 };

/* Values travel as 64 bits: those of the type, zeros above. */
struct math_fn {
    const char *name;
    enum math_type ret, arg[4];
    u32 n_arg;
    void (*host)(const u64 *arg, u64 *out); /* calls the library */

    /* One of the two.  The result to compare bit by bit, or the true value. */
    u64 (*want)(const u64 *arg);
    long double (*ref)(const long double *arg);

    /*
     * With ref: what is allowed between the result and the true value rounded to the type, in units
     * of the last place (CUDA's definition); or else absolutely, as a difference; skip drops sets
     * of arguments for which nothing is promised (the simulator must agree with the host even so).
     */
    u32 ulp;
    f64 absolute;
    bool (*loose)(const long double *arg); /* where the difference counts; NULL: everywhere */
    u32 (*ulp_at)(const long double *arg); /* in place of ulp, where it depends */
    bool (*skip)(const long double *arg);

    /* Argument j of a set, as bits; the earlier ones of the set are there.  NULL: random bits. */
    u64 (*gen)(u64 *rng, const u64 *arg, u32 j);
    bool tame; /* gen makes all of them: others might keep the function busy for years */
};

#ifdef __SANITIZE_ADDRESS__
enum { MATH_N = 1 << 16 };
#else
enum { MATH_N = 1 << 20 };
#endif
enum { MATH_CHUNK = 1 << 16 };

/* --- values ---------------------------------------------------------------------------------- */

static inline u64 math_rand(u64 *rng)
{
    u64 x = *rng += 0x9e3779b97f4a7c15; /* splitmix64 */

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Uniform in [lo, hi), with all bits of a double. */
static inline f64 math_uniform(u64 *rng, f64 lo, f64 hi)
{
    return lo + (hi - lo) * ((f64)(math_rand(rng) >> 11) * 0x1p-53);
}

/* Of random sign, the logarithm of the magnitude uniform in [2^lo, 2^hi). */
static inline f64 math_log_uniform(u64 *rng, f64 lo, f64 hi)
{
    f64 x = exp2(math_uniform(rng, lo, hi));

    return math_rand(rng) & 1 ? x : -x;
}

static inline bool math_is_float(enum math_type t)
{
    return t == T_f32 || t == T_f64;
}

static inline u64 math_from_f32(f32 x)
{
    return bits32(x);
}

static inline u64 math_from_f64(f64 x)
{
    return bits64(x);
}

static inline f32 math_to_f32(u64 b)
{
    return flt32((u32)b);
}

static inline f64 math_to_f64(u64 b)
{
    return flt64(b);
}

/* A value of any type as a number. */
static inline long double math_number(enum math_type t, u64 b)
{
    switch (t) {
    case T_f32:
        return math_to_f32(b);
    case T_f64:
        return math_to_f64(b);
    case T_s32:
        return (s32)b;
    case T_u32:
        return (u32)b;
    case T_s64:
        return (s64)b;
    case T_u64:
        return b;
    case T_u16:
        return (u16)b;
    }
    return 0;
}

static inline u64 math_mask(enum math_type t)
{
    switch (t) {
    case T_u16:
        return 0xffff;
    case T_f32:
    case T_s32:
    case T_u32:
        return 0xffffffff;
    default:
        return ~0ull;
    }
}

static inline bool math_is_nan(enum math_type t, u64 b)
{
    if (t == T_f32)
        return (b & 0x7fffffff) > 0x7f800000;
    return t == T_f64 && (b & ~0ull >> 1) > 0x7ff0000000000000;
}

static inline bool math_same(enum math_type t, u64 a, u64 b)
{
    return a == b || (math_is_nan(t, a) && math_is_nan(t, b));
}

/* --- arguments ------------------------------------------------------------------------------- */

/* Both signs of each are taken. */
static const u32 math_special32[] = {
    0,          1,          0x7fffff,   0x800000,   0x800001,   0x00ffffff, 0x7f7fffff, 0x7f800000,
    0x7fc00000, 0x7f7ffffe, 0x3f800000, 0x3f7fffff, 0x3f800001, 0x3f000000, 0x3effffff, 0x3f000001,
    0x3fc00000, 0x40000000, 0x40200000, 0x40400000, 0x4b000000, 0x4affffff, 0x4b000001, 0x4b7fffff,
    0x4b800000, 0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0x5f7fffff,
    0x5f800000, 0x3fc90fdb, 0x40490fdb, 0x42b17217, 0x42b17218, 0x42cff1b4, 0x42cff1b5, 0x43000000,
    0x43150000, 0x47800000, 0x477fe000, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x38800000,
};

static const u64 math_special64[] = {
    0,
    1,
    0x000fffffffffffff,
    0x0010000000000000,
    0x0010000000000001,
    0x7fefffffffffffff,
    0x7ff0000000000000,
    0x7ff8000000000000,
    0x3ff0000000000000,
    0x3fefffffffffffff,
    0x3ff0000000000001,
    0x3fe0000000000000,
    0x3fdfffffffffffff,
    0x3fe0000000000001,
    0x3ff8000000000000,
    0x4000000000000000,
    0x4004000000000000,
    0x4008000000000000,
    0x4330000000000000,
    0x432fffffffffffff,
    0x4330000000000001,
    0x4340000000000000,
    0x41dfffffffc00000,
    0x41dfffffffe00000,
    0x41e0000000000000,
    0x41efffffffe00000,
    0x41effffffff00000,
    0x41f0000000000000,
    0x43dfffffffffffff,
    0x43e0000000000000,
    0x43efffffffffffff,
    0x43f0000000000000,
    0x3ff921fb54442d18,
    0x400921fb54442d18,
    0x40862e42fefa39ef,
    0x40862e42fefa39f0,
    0x40874910d52d3051,
    0x4090000000000000,
    0x4090cc0000000000,
    0x47efffffe0000000,
    0x47effffff0000000,
    0x3810000000000000,
    0x380fffffffffffff,
    0x3690000000000000,
    0x3680000000000001,
};

static const u64 math_special_int[] = {
    0,
    1,
    2,
    3,
    31,
    32,
    33,
    63,
    64,
    127,
    128,
    255,
    0x7f80,
    0x8000,
    0xffff,
    0x10000,
    0x00ffffff,
    0x01000000,
    0x01000001,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x100000000,
    0x80808080,
    0x7f7f7f7f,
    0x80008000,
    0x7fff7fff,
    0x001fffffffffffff,
    0x0020000000000001,
    0x7fffffffffffffff,
    0x8000000000000000,
};

static inline u32 math_n_special(enum math_type t)
{
    return 2 * (u32)(t == T_f32   ? LEN(math_special32)
                     : t == T_f64 ? LEN(math_special64)
                                  : LEN(math_special_int));
}

static inline u64 math_special(enum math_type t, u32 i)
{
    if (t == T_f32)
        return math_special32[i / 2] | (u64)(i & 1) << 31;
    if (t == T_f64)
        return math_special64[i / 2] | (u64)(i & 1) << 63;
    return (i & 1 ? 0 - math_special_int[i / 2] : math_special_int[i / 2]) & math_mask(t);
}

/* Random bits; of integers one in two is short, of either sign. */
static inline u64 math_bits(u64 *rng, enum math_type t)
{
    u64 x = math_rand(rng);

    if (!math_is_float(t) && math_rand(rng) & 1)
        x = (u64)((s64)x >> (math_rand(rng) & 63));
    return x & math_mask(t);
}

/* The index-th set of arguments. */
static inline void math_make(const struct math_fn *f, u32 index, u64 *rng, u64 *arg)
{
    u32 n0 = math_n_special(f->arg[0]), n1 = f->n_arg > 1 ? math_n_special(f->arg[1]) : 1;
    bool special = !f->tame && index < n0 * n1;

    for (u32 j = 0; j < f->n_arg; j++) {
        enum math_type t = f->arg[j];

        if (special && j < 2)
            arg[j] = math_special(t, j == 0 ? index % n0 : index / n0);
        else if (special || (!f->tame && j > 0 && index % 16 == 7))
            arg[j] = math_special(t, (u32)(math_rand(rng) % math_n_special(t)));
        else if (f->gen && (f->tame || index % 4))
            arg[j] = f->gen(rng, arg, j);
        else
            arg[j] = math_bits(rng, t);
    }
}

/* --- comparing ------------------------------------------------------------------------------- */

/* Neighbouring floats are neighbouring integers; both zeros are 0. */
static inline s64 math_rank(enum math_type t, u64 b)
{
    u64 sign = t == T_f32 ? 0x80000000 : 1ull << 63;

    return b & sign ? -(s64)(b & ~sign) : (s64)b;
}

static inline u64 math_round(enum math_type t, long double x)
{
    return t == T_f32 ? math_from_f32((f32)x) : math_from_f64((f64)x);
}

struct math_score {
    u64 ulp;     /* the largest distance seen */
    f64 real;    /* the largest true error in ulps of the result */
    u64 arg[4];  /* where the largest distance was */
    f64 miss;    /* the largest difference seen where ulps do not count */
    u64 n_wrong; /* results outside the bounds */
};

static inline void math_print_set(const struct math_fn *f, const u64 *arg)
{
    printf("%s(", f->name);
    for (u32 j = 0; j < f->n_arg; j++)
        printf("%s%#llx", j ? ", " : "", (unsigned long long)arg[j]);
    printf(")");
    for (u32 j = 0; j < f->n_arg; j++)
        printf(" %.17Lg", math_number(f->arg[j], arg[j]));
}

static inline void math_wrong(const struct math_fn *f, struct math_score *s, const u64 *arg,
                              u64 got, u64 want)
{
    if (s->n_wrong++ >= 10)
        return;
    math_print_set(f, arg);
    printf(" is %#llx %.17Lg, want %#llx %.17Lg\n", (unsigned long long)got,
           math_number(f->ret, got), (unsigned long long)want, math_number(f->ret, want));
}

/* The true error in ulps of the rounded true value. */
static inline f64 math_real_error(enum math_type t, u64 got, long double true_value)
{
    int bits = t == T_f32 ? 24 : 53, least = t == T_f32 ? -149 : -1074, e;

    frexpl(true_value, &e);
    e -= bits;
    return (f64)ldexpl(fabsl(math_number(t, got) - true_value), -(e < least ? least : e));
}

static inline void math_numbers(const struct math_fn *f, const u64 *arg, long double *x)
{
    for (u32 j = 0; j < f->n_arg; j++)
        x[j] = math_number(f->arg[j], arg[j]);
}

static inline u32 math_bound(const struct math_fn *f, const u64 *arg)
{
    long double x[4] = {0};

    math_numbers(f, arg, x);
    return f->ulp_at ? f->ulp_at(x) : f->ulp;
}

static inline void math_judge(const struct math_fn *f, struct math_score *s, const u64 *arg,
                              u64 got)
{
    long double x[4] = {0};

    math_numbers(f, arg, x);
    if (f->skip && (f->skip)(x))
        return;
    long double true_value = f->ref(x);
    u64 want = math_round(f->ret, true_value);
    if (math_same(f->ret, got, want))
        return;
    s64 far = math_rank(f->ret, got) - math_rank(f->ret, want);
    u64 ulp = far < 0 ? 0 - (u64)far : (u64)far;
    bool nan = math_is_nan(f->ret, got) || math_is_nan(f->ret, want);
    f64 miss = (f64)fabsl(math_number(f->ret, got) - true_value);

    u32 bound = math_bound(f, arg);
    bool near = f->absolute > 0 && miss <= f->absolute && (!f->loose || f->loose(x));

    if (nan || ulp == 0 || !(ulp <= bound || near)) /* ulp 0: the wrong zero */
        math_wrong(f, s, arg, got, want);
    near = near && (f->loose || ulp > bound);
    if (near && miss > s->miss)
        s->miss = miss;
    if (nan || near)
        return;
    if (ulp > s->ulp) {
        s->ulp = ulp;
        memcpy(s->arg, arg, sizeof s->arg);
    }
    f64 real = isinf(miss) ? 0 : math_real_error(f->ret, got, true_value);
    s->real = real > s->real ? real : s->real;
}

/* --- a case ---------------------------------------------------------------------------------- */

/* v: four columns of arguments and one of results, MATH_CHUNK each. */
static inline void math_host_chunk(const struct math_fn *f, u32 first, u64 *rng, u64 *v,
                                   struct math_score *s)
{
    for (u32 i = 0; i < MATH_CHUNK; i++) {
        u64 arg[4] = {0}, got = 0;

        math_make(f, first + i, rng, arg);
        f->host(arg, &got);
        for (u32 j = 0; j < 4; j++)
            v[j * MATH_CHUNK + i] = arg[j];
        v[4 * MATH_CHUNK + i] = got;
        if (f->ref)
            math_judge(f, s, arg, got);
        else if (!math_same(f->ret, got, f->want(arg)))
            math_wrong(f, s, arg, got, f->want(arg));
    }
}

static inline void math_device_chunk(const struct math_fn *f, struct kit *k, u64 buf, const u64 *v,
                                     u64 *out, struct math_score *s)
{
    const u64 column = MATH_CHUNK * sizeof(u64);
    char *kernel = text_printf("k_%s", f->name);

    assert_true(device_write(k->d, buf, v, 4 * column, &k->e));
    kit_run(k, kernel, MATH_CHUNK / 256, 256, KIT_ARGS(buf, MATH_CHUNK));
    kit_get(k, buf + 4 * column, out, column);
    for (u32 i = 0; i < MATH_CHUNK; i++) {
        const u64 arg[4] = {v[i], v[MATH_CHUNK + i], v[2 * MATH_CHUNK + i], v[3 * MATH_CHUNK + i]};

        if (!math_same(f->ret, out[i], v[4 * MATH_CHUNK + i])) {
            if (s->n_wrong == 0)
                printf("the simulator does not agree with the host:\n");
            math_wrong(f, s, arg, out[i], v[4 * MATH_CHUNK + i]);
        }
    }
    free(kernel);
}

static inline void math_open(struct kit *k)
{
    struct err e;
    size_t len;
    char *text = text_read_file(MATH_PTX, &len, &e);

    if (!text)
        fail_msg("%s", e.msg);
    kit_open(k, text, KIT_LOWER, NULL);
    free(text);
}

static inline void math_check(const struct math_fn *f)
{
    struct math_score host = {0}, device = {0};
    u64 rng = 1, *v = malloc(5 * MATH_CHUNK * sizeof *v), *out = malloc(MATH_CHUNK * sizeof *out);
    struct kit k;

    assert_true(v && out);
    math_open(&k);
    u64 buf = kit_buf(&k, NULL, 5 * MATH_CHUNK * sizeof *v);
    for (u32 first = 0; first < MATH_N; first += MATH_CHUNK) {
        math_host_chunk(f, first, &rng, v, &host);
        math_device_chunk(f, &k, buf, v, out, &device);
    }
    if (f->ref) {
        printf("%s: %llu ulp from the rounded value, of %u allowed; error %.3f ulp; worst ",
               f->name, (unsigned long long)host.ulp, math_bound(f, host.arg),
               host.real < 0.5 ? 0.5 : host.real);
        math_print_set(f, host.arg);
        if (f->absolute > 0)
            printf("; else %.2g of %.2g", host.miss, f->absolute);
        printf("\n");
    }
    if (host.n_wrong || device.n_wrong)
        fail_msg("%s: %llu results out of bounds, %llu differ in the simulator", f->name,
                 (unsigned long long)host.n_wrong, (unsigned long long)device.n_wrong);
    kit_close(&k);
    free(v);
    free(out);
}

#endif
