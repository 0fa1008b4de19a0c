/* gather.cu -- loads from random places of a large buffer: no two lanes hit the same line. */
#include "device.cuh"

extern "C" __global__ void gather(const unsigned *from, unsigned *out, unsigned mask, int steps)
{
    unsigned t = thread_number(), x = t, sum = 0;

#pragma unroll 4
    for (int s = 0; s < steps; s++) {
        x = x * 1664525u + 1013904223u;
        sum += from[x >> 8 & mask];
    }
    out[t] = sum;
}
