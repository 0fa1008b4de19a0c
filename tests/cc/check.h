/*
 * check.h -- for the programs of tests/cc: memory that both sides see, and checks that count.
 *
 *     int *p = shared_array<int>(64);      all zero
 *     kernel<<<1, 64>>>(p);
 *     finish_kernels();
 *     CHECK(p[3] == 9);
 *     return finish();                     prints PASS or what was wrong
 */
#ifndef TESTS_CC_CHECK_H
#define TESTS_CC_CHECK_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

static int n_wrong;

#define CHECK(ok)                                                                                  \
    do {                                                                                           \
        if (!(ok) && n_wrong++ < 5)                                                                \
            printf("line %d: not so: %s\n", __LINE__, #ok);                                        \
    } while (0)

template <class T> static T *shared_array(int n)
{
    T *p = NULL;
    CHECK(cudaMallocManaged(&p, n * sizeof(T)) == cudaSuccess);
    memset((void *)p, 0, n * sizeof(T));
    return p;
}

static inline void finish_kernels(void)
{
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess && n_wrong++ < 5)
        printf("CUDA error: %s\n", cudaGetErrorString(e));
}

static inline int finish(void)
{
    finish_kernels();
    puts(n_wrong ? "FAIL" : "PASS");
    return n_wrong != 0;
}

#endif
