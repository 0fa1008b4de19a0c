#include "shim.cuh"
/* 4096 straight-line operations (32 KB of code) per iteration, four independent chains */
#define I4 asm volatile("add.s32 %0, %0, %1;" : "+r"(x0) : "r"(a)); asm volatile("add.s32 %0, %0, %1;" : "+r"(x1) : "r"(a)); \
           asm volatile("add.s32 %0, %0, %1;" : "+r"(x2) : "r"(a)); asm volatile("add.s32 %0, %0, %1;" : "+r"(x3) : "r"(a));
extern "C" __global__ void icache_long(int *out, int iters, int a) {
  int x0 = TIDX, x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3;
  NOUNROLL
  for (int i = 0; i < iters; i++) { REP256(REP4(I4)) }
  out[BIDX * BDX + TIDX] = x0 + x1 + x2 + x3;
}
/* the same number of operations in a loop that fits in 1 KB */
extern "C" __global__ void icache_short(int *out, int iters, int a) {
  int x0 = TIDX, x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3;
  NOUNROLL
  for (int i = 0; i < iters * 32; i++) { REP32(I4) }
  out[BIDX * BDX + TIDX] = x0 + x1 + x2 + x3;
}
