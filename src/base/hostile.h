/*
 * hostile.h -- a build for tests (-DSMELT_HOSTILE) in which things that can be refused are refused
 * at random, one time in four.  Results must be right all the same; in other builds it is nothing.
 */
#ifndef BASE_HOSTILE_H
#define BASE_HOSTILE_H

#include "base/base.h"

#ifndef SMELT_HOSTILE
#define SMELT_HOSTILE 0
#endif

static inline bool hostile(u32 *state)
{
    if (!SMELT_HOSTILE)
        return false;
    *state = *state * 1664525u + 1013904223u;
    return *state >> 30 == 0;
}

#endif
