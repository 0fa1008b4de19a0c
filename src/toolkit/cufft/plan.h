/*
 * plan.h -- what a cuFFT handle stands for.
 *
 * A transform has three dimensions; those that the caller has not come first and are 1.  Within the
 * library elements lie without gaps, [batch][n0][n1][n2], all of them complex.  Where the caller's
 * lie in the same way the plan is_plain, and they are transformed from `in` to `out`; others are
 * gathered into work[0], transformed there, and scattered.
 */
#ifndef SMELT_CUFFT_PLAN_H
#define SMELT_CUFFT_PLAN_H

#include <cufft.h>

#pragma GCC visibility push(hidden)

/* MOST_SHARED: bytes of a line that is transformed in shared memory, where it is twice. */
enum { DIMS = 3, MOST_FACTORS = 32, MOST_SHARED = 16384 };

/* Where elements are in the caller's memory; embed[0] is not used, but for the default of dist. */
struct layout {
    long embed[DIMS], stride, dist;
};

/* The factors of a length, in the order of the passes. */
struct factors {
    int n, at[MOST_FACTORS];
};

/* One dimension; `roots` are exp(-2 pi i m / n) for m < n, on the device, NULL if n is 1. */
struct dimension {
    int n;
    factors f;
    void *roots;
};

struct plan {
    bool is_made;
    cufftType type;
    cudaStream_t stream;
    int batch, n_all; /* n_all: elements, all transforms of the batch together */
    dimension dim[DIMS];
    bool is_basic; /* no layouts were given: real data in place is padded */
    bool is_plain;
    layout in, out;
    void *work[2]; /* the second is for lines too long for shared memory; NULL if not needed */
    size_t work_size;
};

static inline bool is_double(cufftType type)
{
    return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}

static inline int complex_size(cufftType type)
{
    return is_double(type) ? 16 : 8;
}

/* Of the short transforms: eight numbers of 16 bytes are too many for 63 registers. */
static constexpr int largest_factor(size_t complex_size)
{
    return complex_size == 8 ? 8 : 4;
}

static inline int longest_shared(cufftType type)
{
    return MOST_SHARED / complex_size(type);
}

/* The plan of a handle, or NULL. */
plan *plan_find(cufftHandle handle);

#pragma GCC visibility pop

#define API extern "C" __attribute__((visibility("default")))

#endif
