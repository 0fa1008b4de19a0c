#include "shim.cuh"
/* one warp; mode 0 = all lanes agree, other modes split the warp 2, 4, ... ways in each iteration */
extern "C" __global__ void branch_div(int *out, int iters, int mask) {
  int x = TIDX, c = TIDX & mask;
  NOUNROLL
  for (int i = 0; i < iters; i++) {
    int k = c;
    NOUNROLL
    while (k > 0) { asm volatile("add.s32 %0, %0, 3;" : "+r"(x)); k--; }
    if (c & 1) { REP8(asm volatile("add.s32 %0, %0, 5;" : "+r"(x));) }
    else { REP8(asm volatile("xor.b32 %0, %0, 9;" : "+r"(x));) }
  }
  out[TIDX] = x;
}
