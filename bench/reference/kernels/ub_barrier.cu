#include "shim.cuh"
/* barrier in a loop; one CTA of 8 warps */
extern "C" __global__ void barrier_loop(int *out, int iters) {
  int x = TIDX;
  NOUNROLL
  for (int i = 0; i < iters; i++) { REP8(SYNC(); asm volatile("add.s32 %0, %0, 1;" : "+r"(x));) }
  out[TIDX] = x;
}
