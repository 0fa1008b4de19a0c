/*
 * math_wrap.h -- the functions with more than one result, one result at a time.
 *
 * For the host and the device alike; DEVICE is what stands before a function there.
 */
#ifndef TESTS_PROPS_MATH_WRAP_H
#define TESTS_PROPS_MATH_WRAP_H

#define WRAP_SPLIT(fn, sfx, T)                                                                     \
    DEVICE T __nv_##fn##sfx##_first(T x)                                                           \
    {                                                                                              \
        T a, b;                                                                                    \
                                                                                                   \
        __nv_##fn##sfx(x, &a, &b);                                                                 \
        return a;                                                                                  \
    }                                                                                              \
    DEVICE T __nv_##fn##sfx##_second(T x)                                                          \
    {                                                                                              \
        T a, b;                                                                                    \
                                                                                                   \
        __nv_##fn##sfx(x, &a, &b);                                                                 \
        return b;                                                                                  \
    }

/* The value returned, and the one stored. */
#define WRAP_STORE1(fn, T, P)                                                                      \
    DEVICE T __nv_##fn##_first(T x)                                                                \
    {                                                                                              \
        P p;                                                                                       \
                                                                                                   \
        return __nv_##fn(x, &p);                                                                   \
    }                                                                                              \
    DEVICE P __nv_##fn##_second(T x)                                                               \
    {                                                                                              \
        P p;                                                                                       \
                                                                                                   \
        (void)__nv_##fn(x, &p);                                                                    \
        return p;                                                                                  \
    }

#define WRAP_STORE2(fn, T, P)                                                                      \
    DEVICE T __nv_##fn##_first(T x, T y)                                                           \
    {                                                                                              \
        P p;                                                                                       \
                                                                                                   \
        return __nv_##fn(x, y, &p);                                                                \
    }                                                                                              \
    DEVICE P __nv_##fn##_second(T x, T y)                                                          \
    {                                                                                              \
        P p;                                                                                       \
                                                                                                   \
        (void)__nv_##fn(x, y, &p);                                                                 \
        return p;                                                                                  \
    }

/* Of a vector given as its four components. */
#define WRAP_NORM(fn, T)                                                                           \
    DEVICE T __nv_##fn##_of_4(T a, T b, T c, T d)                                                  \
    {                                                                                              \
        T v[4] = {a, b, c, d};                                                                     \
                                                                                                   \
        return __nv_##fn(4, v);                                                                    \
    }

/* Of up to eight characters. */
#define WRAP_NAN(fn, T)                                                                            \
    DEVICE T __nv_##fn##_of(u64 text)                                                              \
    {                                                                                              \
        u64 v[2] = {text, 0};                                                                      \
                                                                                                   \
        return __nv_##fn((const signed char *)v);                                                  \
    }

#ifdef MATH_WRAP_F32
WRAP_SPLIT(sincos, f, f32)
WRAP_SPLIT(sincospi, f, f32)
WRAP_SPLIT(fast_sincos, f, f32)
WRAP_STORE1(frexpf, f32, s32)
WRAP_STORE1(modff, f32, f32)
WRAP_STORE2(remquof, f32, s32)
WRAP_NORM(normf, f32)
WRAP_NORM(rnormf, f32)
WRAP_NAN(nanf, f32)
#endif

#ifdef MATH_WRAP_F64
WRAP_SPLIT(sincos, , f64)
WRAP_SPLIT(sincospi, , f64)
WRAP_STORE1(frexp, f64, s32)
WRAP_STORE1(modf, f64, f64)
WRAP_STORE2(remquo, f64, s32)
WRAP_NORM(norm, f64)
WRAP_NORM(rnorm, f64)
WRAP_NAN(nan, f64)
#endif

#endif
