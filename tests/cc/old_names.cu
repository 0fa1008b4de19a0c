// Names of CUDA's first versions, and a program that has functions of those names itself.
#include <device_functions.h>
#include <sm_11_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <texture_fetch_functions.h>
#include <vector_functions.h>

#include "check.h"

__device__ float saturate(float x)
{
    return x + 40; /* its own: not CUDA's old one */
}

__device__ int global_int;
__constant__ int constant_int = 5;

__global__ void work(int *p)
{
    __shared__ int shared_int;
    int local_int[4] = {(int)threadIdx.x, 1, 2, 3};
    shared_int = 1;
    p[0] = mul24(6, 7) + umul24(2u, 3u) + mulhi(1 << 30, 8);
    p[1] = (int)saturate(2.0f);
    p[2] = float_as_int(int_as_float(77));
    p[3] = __isGlobal(&global_int) + 2 * __isShared(&shared_int) +
           4 * __isLocal(&local_int[p[0] & 3]) + 8 * __isGlobal(&shared_int);
    unsigned int at = (unsigned int)__cvta_generic_to_shared(&shared_int);
    asm("ld.shared.u32 %0, [%1];" : "=r"(p[4]) : "r"(at));
    asm("ld.const.u32 %0, [%1];" : "=r"(p[5]) : "l"(__cvta_generic_to_constant(&constant_int)));
    p[6] = __cvta_shared_to_generic(__cvta_generic_to_shared(&shared_int)) == &shared_int &&
           __cvta_global_to_generic(__cvta_generic_to_global(p)) == p &&
           __cvta_local_to_generic(__cvta_generic_to_local(local_int)) == local_int;
}

int main()
{
    int *p = shared_array<int>(7);
    work<<<1, 1>>>(p);
    finish_kernels();
    CHECK(p[0] == 50 && p[1] == 42 && p[2] == 77 && p[3] == 7);
    CHECK(p[4] == 1 && p[5] == 5 && p[6] == 1);
    return finish();
}
