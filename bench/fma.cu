/* fma.cu -- nothing but independent fused multiply-adds: the interpreter's best case. */
#include "device.cuh"

extern "C" __global__ void fma_loop(float *out, float a, float b, int steps)
{
    unsigned t = thread_number();
    float x[8];

#pragma unroll
    for (int i = 0; i < 8; i++)
        x[i] = (float)(t & 31) + (float)i;
#pragma unroll 1
    for (int s = 0; s < steps; s++) {
#pragma unroll
        for (int i = 0; i < 16; i++)
            x[i & 7] = __builtin_fmaf(x[i & 7], a, b);
    }
    out[t] = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}
