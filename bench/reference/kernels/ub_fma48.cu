#include "shim.cuh"
/* 48 warps on every core, eight independent fma chains per thread */
extern "C" __global__ void fma48(float *out, int iters, float a, float b) {
  int t = BIDX * BDX + TIDX;
  float x[8];
#pragma unroll
  for (int k = 0; k < 8; k++) x[k] = (float)(t & 255) + (float)k;
  NOUNROLL
  for (int i = 0; i < iters; i++) {
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
      for (int k = 0; k < 8; k++) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[k]) : "f"(a), "f"(b));
  }
  out[t] = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}
