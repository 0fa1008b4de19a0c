/* say.h -- for the programs here: SAY(call) prints the CUDA error that a call gives. */
#ifndef TESTS_CUDA_SAY_H
#define TESTS_CUDA_SAY_H

#include <cuda_runtime.h>
#include <stdio.h>

#define SAY(call) say(call)

static inline void say(cudaError_t e)
{
    printf("%s %d\n", cudaGetErrorName(e), (int)e);
}

/* The error of the launch just made, and that of everything it did. */
static inline void say_launch(void)
{
    say(cudaGetLastError());
    say(cudaDeviceSynchronize());
}

#endif
