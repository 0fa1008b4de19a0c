/*
 * rng.h -- a random number generator whose sequence is the same everywhere.
 *
 * SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", OOPSLA 2014): 64 bits of state, period 2^64, every seed is good.
 * Not for secrets.  One generator per user of randomness, never a global one:
 * results must not depend on who else draws.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include "base/base.h"

struct rng {
    u64 state;
};

static inline struct rng rng_make(u64 seed)
{
    return (struct rng){seed};
}

static inline u64 rng_u64(struct rng *r)
{
    u64 z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline u32 rng_u32(struct rng *r)
{
    return (u32)(rng_u64(r) >> 32);
}

/* 0..n-1 (n > 0); the bias is below n / 2^32, which no test of ours can see. */
static inline u32 rng_below(struct rng *r, u32 n)
{
    return (u32)((u64)rng_u32(r) * n >> 32);
}

/* 0 <= x < 1, in steps of 2^-53. */
static inline double rng_real(struct rng *r)
{
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

#endif
