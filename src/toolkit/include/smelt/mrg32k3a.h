/*
 * mrg32k3a.h -- L'Ecuyer's generator MRG32k3a, on the state's words: two recurrences of order three,
 *
 *     x(n) = 1403580 x(n-2) -  810728 x(n-3)   modulo m1 = 2^32 - 209
 *     y(n) =  527612 y(n-1) - 1370589 y(n-3)   modulo m2 = 2^32 - 22853
 *
 * of which a number is the difference modulo m1 ("Good parameters and implementations for combined
 * multiple recursive random number generators", Operations Research 47(1), 1999, figure I).  n steps
 * are the n-th power of a matrix; by its characteristic polynomial that is a combination of its
 * powers 0 to 2, so a jump is three coefficients, the power of a polynomial, and applied to what five
 * steps see.
 */
#ifndef SMELT_MRG32K3A_H
#define SMELT_MRG32K3A_H

#include <smelt/both.h>

namespace __smelt
{

/* A recurrence: s(n) = newest s(n-1) + middle s(n-2) - oldest s(n-3) modulo m. */
struct mrg_first {
    static const unsigned int m = 4294967087u, newest = 0, middle = 1403580, oldest = 810728;
};

struct mrg_second {
    static const unsigned int m = 4294944443u, newest = 527612, middle = 0, oldest = 1370589;
};

/* Modulo m, of three numbers below it.  No product of 54 bits and no sum of three overflows. */
template <class R>
SMELT_BOTH unsigned int mrg_recur(unsigned int oldest, unsigned int middle, unsigned int newest)
{
    unsigned long long minus = (unsigned long long)R::oldest * (R::m - oldest);
    unsigned long long plus = (unsigned long long)R::middle * middle;
    plus += (unsigned long long)R::newest * newest;
    return (unsigned int)((plus + minus) % R::m);
}

template <class R> SMELT_BOTH unsigned int mrg_step(unsigned int *s)
{
    unsigned int next = mrg_recur<R>(s[0], s[1], s[2]);
    s[0] = s[1], s[1] = s[2], s[2] = next;
    return next;
}

/* sum + a * b modulo m */
template <class R> SMELT_BOTH unsigned int mrg_add(unsigned int sum, unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a * b % R::m + sum) % R::m);
}

/* A jump by n steps: the coefficients of x^n modulo the characteristic polynomial. */
struct mrg_jump {
    unsigned int c0, c1, c2;
};

template <class R>
SMELT_BOTH unsigned int mrg_apply(mrg_jump j, unsigned int a, unsigned int b, unsigned int c)
{
    return mrg_add<R>(mrg_add<R>(mrg_add<R>(0, j.c0, a), j.c1, b), j.c2, c);
}

/* x^3 is as much as the recurrence says, and x^4 goes first. */
template <class R> SMELT_BOTH mrg_jump mrg_product(mrg_jump p, mrg_jump q)
{
    const unsigned int minus = R::m - R::oldest;
    unsigned int x4 = mrg_add<R>(0, p.c2, q.c2);
    unsigned int x3 = mrg_add<R>(mrg_add<R>(0, p.c2, q.c1), p.c1, q.c2);
    x3 = mrg_add<R>(x3, R::newest, x4);
    unsigned int x2 = mrg_add<R>(mrg_apply<R>(p, q.c2, q.c1, q.c0), R::middle, x4);
    unsigned int x1 = mrg_add<R>(mrg_add<R>(mrg_add<R>(0, p.c0, q.c1), p.c1, q.c0), minus, x4);
    unsigned int x0 = mrg_add<R>(0, p.c0, q.c0);
    mrg_jump product = {mrg_add<R>(x0, minus, x3), mrg_add<R>(x1, R::middle, x3),
                        mrg_add<R>(x2, R::newest, x3)};
    return product;
}

/* n jumps. */
template <class R> SMELT_BOTH void mrg_skip(unsigned int *s, unsigned long long n, mrg_jump jump)
{
    mrg_jump all = {1, 0, 0};
    for (; n; n >>= 1) {
        if (n & 1)
            all = mrg_product<R>(all, jump);
        if (n > 1)
            jump = mrg_product<R>(jump, jump);
    }
    unsigned int s3 = mrg_recur<R>(s[0], s[1], s[2]), s4 = mrg_recur<R>(s[1], s[2], s3);
    s[0] = mrg_apply<R>(all, s[0], s[1], s[2]);
    s[1] = mrg_apply<R>(all, s[1], s[2], s3);
    s[2] = mrg_apply<R>(all, s[2], s3, s4);
}

/* n, n * 2^76 and n * 2^127 steps.  The coefficients are first rows of the matrices A1p76, .. of
 * L'Ecuyer's RngStreams. */
SMELT_BOTH void mrg_skip(unsigned int *s1, unsigned int *s2, unsigned long long n)
{
    mrg_skip<mrg_first>(s1, n, mrg_jump{0, 1, 0});
    mrg_skip<mrg_second>(s2, n, mrg_jump{0, 1, 0});
}

SMELT_BOTH void mrg_skip_76(unsigned int *s1, unsigned int *s2, unsigned long long n)
{
    mrg_skip<mrg_first>(s1, n, mrg_jump{82758667u, 1871391091u, 4127413238u});
    mrg_skip<mrg_second>(s2, n, mrg_jump{1511326704u, 3759209742u, 1610795712u});
}

SMELT_BOTH void mrg_skip_127(unsigned int *s1, unsigned int *s2, unsigned long long n)
{
    mrg_skip<mrg_first>(s1, n, mrg_jump{2427906178u, 3580155704u, 949770784u});
    mrg_skip<mrg_second>(s2, n, mrg_jump{1464411153u, 277697599u, 1610723613u});
}

/* Steele, Lea and Flood's mixing of 64 bits ("Fast splittable pseudorandom number generators",
 * OOPSLA 2014); 0 stays 0. */
SMELT_BOTH unsigned long long mrg_mixed(unsigned long long z)
{
    z *= 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* A word of the state, never 0. */
SMELT_BOTH unsigned int mrg_seeded(unsigned long long z, unsigned int m)
{
    return (unsigned int)((z % (m - 1) + 12344) % (m - 1)) + 1;
}

/* Seed 0 is the state that L'Ecuyer's programs begin with: 12345 six times. */
SMELT_BOTH void mrg_seed(unsigned int *s1, unsigned int *s2, unsigned long long seed)
{
    for (int i = 0; i < 3; i++) {
        s1[i] = mrg_seeded(seed = mrg_mixed(seed), mrg_first::m);
        s2[i] = mrg_seeded(seed = mrg_mixed(seed), mrg_second::m);
    }
}

/* The next number, 1 to m1. */
SMELT_BOTH unsigned int mrg_next(unsigned int *s1, unsigned int *s2)
{
    unsigned int x = mrg_step<mrg_first>(s1), y = mrg_step<mrg_second>(s2);
    return x > y ? x - y : x - y + mrg_first::m;
}

/* As 32 bits, of which all are used. */
SMELT_BOTH unsigned int mrg_bits(unsigned int z)
{
    return (unsigned int)(((unsigned long long)(z - 1) << 32) / mrg_first::m);
}

SMELT_BOTH double mrg_uniform(unsigned int z)
{
    return z * (1.0 / (mrg_first::m + 1.0));
}

} // namespace __smelt

#endif
