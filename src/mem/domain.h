/*
 * domain.h -- a clock domain seen from the core clock, in exact integers.
 *
 * Tick n of a domain of f MHz happens n / f after the start, core cycle k of g MHz k / g after it.
 * A tick belongs to the first core cycle that is not before it: by the end of core cycle k,
 * floor(k f / g) + 1 ticks are over, the one at the start included.  So a domain of another
 * frequency never drifts, and a jump over many cycles costs one multiplication.
 *
 * Ticks are numbered on and on: domain_restart moves the start to another core cycle and keeps
 * counting.  Exact while core cycles since the start times the square of the reduced frequency
 * are below 2^64: for 700 and 924 MHz (25 and 33) for 2^53 cycles, at worst, 20 GHz, for 2^35.
 */
#ifndef MEM_DOMAIN_H
#define MEM_DOMAIN_H

#include "base/base.h"

__extension__ typedef unsigned __int128 domain_wide;

struct domain {
    u64 start;            /* core cycle of tick `base` */
    u64 base;             /* number of the first tick after the start */
    u64 num, den;         /* ticks per core cycle, in lowest terms */
    u64 num_inv, den_inv; /* 2^64 / num and / den, rounded up; 0 for a divisor of 1 */
};

static inline u64 domain_divide(u64 x, u64 inverse)
{
    return inverse ? (u64)((domain_wide)x * inverse >> 64) : x;
}

static inline u64 domain_inverse(u64 d)
{
    return d == 1 ? 0 : UINT64_MAX / d + 1;
}

static inline void domain_init(struct domain *d, u64 core_mhz, u64 mhz)
{
    u64 a = core_mhz, b = mhz;

    while (b) {
        u64 t = a % b;

        a = b, b = t;
    }
    *d = (struct domain){.num = mhz / a, .den = core_mhz / a};
    d->num_inv = domain_inverse(d->num);
    d->den_inv = domain_inverse(d->den);
}

/* Ticks that are over when core cycle c is: also the number of the next one. */
static inline u64 domain_ticks(const struct domain *d, u64 c)
{
    if (c < d->start)
        return d->base;
    return d->base + domain_divide((c - d->start) * d->num, d->den_inv) + 1;
}

/* The core cycle of tick t, which is not before the start. */
static inline u64 domain_cycle(const struct domain *d, u64 t)
{
    return d->start + domain_divide((t - d->base) * d->den + d->num - 1, d->num_inv);
}

/* The first core cycle from c on that has a tick. */
static inline u64 domain_from(const struct domain *d, u64 c)
{
    if (c <= d->start)
        return d->start;
    return d->num >= d->den ? c : domain_cycle(d, domain_ticks(d, c - 1));
}

static inline void domain_restart(struct domain *d, u64 cycle)
{
    d->base = cycle ? domain_ticks(d, cycle - 1) : d->base;
    d->start = cycle;
}

#endif
