/* math_main.h -- the second half of math_test.h: the rows of MATH_LIST as test cases, and main. */

#define MATH_ARG(T, j) math_arg_##T(arg[j])

static inline f32 math_arg_f32(u64 b)
{
    return math_to_f32(b);
}

static inline f64 math_arg_f64(u64 b)
{
    return math_to_f64(b);
}

static inline s32 math_arg_s32(u64 b)
{
    return (s32)b;
}

static inline u32 math_arg_u32(u64 b)
{
    return (u32)b;
}

static inline s64 math_arg_s64(u64 b)
{
    return (s64)b;
}

static inline u64 math_arg_u64(u64 b)
{
    return b;
}

static inline u16 math_arg_u16(u64 b)
{
    return (u16)b;
}

#define MATH_ROW(fn, R, call, n, types, ...)                                                       \
    static void math_host_##fn(const u64 *arg, u64 *out)                                           \
    {                                                                                              \
        R value = call;                                                                            \
                                                                                                   \
        memcpy(out, &value, sizeof value);                                                         \
    }                                                                                              \
    static void nv_##fn(void **state)                                                              \
    {                                                                                              \
        static const struct math_fn f = {#fn, T_##R, types, n, math_host_##fn, __VA_ARGS__};       \
                                                                                                   \
        (void)state;                                                                               \
        math_check(&f);                                                                            \
    }

#define MATH_TYPES(...)                                                                            \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define MATH1(fn, R, A, ...)                                                                       \
    MATH_ROW(fn, R, __nv_##fn(MATH_ARG(A, 0)), 1, MATH_TYPES(T_##A), __VA_ARGS__)
#define MATH2(fn, R, A, B, ...)                                                                    \
    MATH_ROW(fn, R, __nv_##fn(MATH_ARG(A, 0), MATH_ARG(B, 1)), 2, MATH_TYPES(T_##A, T_##B),        \
             __VA_ARGS__)
#define MATH3(fn, R, A, B, C, ...)                                                                 \
    MATH_ROW(fn, R, __nv_##fn(MATH_ARG(A, 0), MATH_ARG(B, 1), MATH_ARG(C, 2)), 3,                  \
             MATH_TYPES(T_##A, T_##B, T_##C), __VA_ARGS__)
#define MATH4(fn, R, A, B, C, D, ...)                                                              \
    MATH_ROW(fn, R, __nv_##fn(MATH_ARG(A, 0), MATH_ARG(B, 1), MATH_ARG(C, 2), MATH_ARG(D, 3)), 4,  \
             MATH_TYPES(T_##A, T_##B, T_##C, T_##D), __VA_ARGS__)
#include MATH_LIST
#undef MATH1
#undef MATH2
#undef MATH3
#undef MATH4

#define MATH1(fn, ...) cmocka_unit_test(nv_##fn),
#define MATH2 MATH1
#define MATH3 MATH1
#define MATH4 MATH1

static const struct CMUnitTest tests[] = {
#include MATH_LIST
};

TEST_MAIN(tests)
