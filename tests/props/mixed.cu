/* mixed.cu -- see mixed_body.h.  clang++-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -O0 or -O2 -S */
#define DEVICE __device__
#define CONSTANT __constant__
#define NOINLINE __noinline__
#include "mixed_body.h"

extern "C" __global__ void mixed(const unsigned *in, unsigned *out, int n, struct mixed p)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;

    if (t < n)
        out[t] = mixed_value(in[t], p);
}
