/*
 * verdict.h -- for the programs of tests/programs: numbers to begin with, and what to say at the end.
 *
 *     expect("pixel", i, have[i], want[i]);       exactly, or give a tolerance relative to values above 1
 *     return verdict();                           says PASS, or FAIL after the first that were wrong
 */
#ifndef TESTS_PROGRAMS_VERDICT_H
#define TESTS_PROGRAMS_VERDICT_H

#include <math.h>
#include <stdio.h>

static int n_wrong;

static inline void expect(const char *what, long at, double have, double want, double tolerance = 0)
{
    if (fabs(have - want) <= tolerance * fmax(1, fabs(want))) /* never so for a NaN */
        return;
    if (n_wrong++ < 5)
        printf("%s %ld is %.9g, not %.9g\n", what, at, have, want);
}

static inline int verdict(void)
{
    puts(n_wrong ? "FAIL" : "PASS");
    return n_wrong != 0;
}

/* The next of a row of numbers that look random, 0..65535. */
static inline unsigned draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

#endif
