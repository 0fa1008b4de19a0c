/* saxpy.cu -- y = a * x + y: two coalesced loads and a store for one multiply-add. */
#include "device.cuh"

extern "C" __global__ void saxpy(const float *x, float *y, float a, int n)
{
    int i = (int)thread_number();

    if (i < n)
        y[i] = a * x[i] + y[i];
}
