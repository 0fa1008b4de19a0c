/*
 * both.h -- SMELT_BOTH is before every function of a header that host and device have alike.
 *
 * On the device it has no lines of its own: a fault in one names its caller's.
 */
#ifndef SMELT_BOTH_H
#define SMELT_BOTH_H

#include <host_defines.h>

#ifdef __CUDA__
#define SMELT_BOTH static __inline__ __host__ __device__ __attribute__((nodebug, unused))
#else
#define SMELT_BOTH static __inline__ __attribute__((unused))
#endif

#endif
