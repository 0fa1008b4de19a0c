#include "shim.cuh"
/* shared memory: pointer chase by one thread group (no conflict), and strided reads by one warp or eight */
extern "C" __global__ void smem_chase(const int *ring, int *out, int iters) {
  __shared__ volatile int s[1024];
  int t = TIDX;
  for (int i = t; i < 1024; i += 32) s[i] = ring[i];
  SYNC();
  int p = t;
  NOUNROLL
  for (int i = 0; i < iters; i++) { REP16(p = s[p];) }
  out[t] = p;
}
extern "C" __global__ void smem_stride(int *out, int iters, int stride) {
  __shared__ volatile int s[4096];
  int t = TIDX, lane = t & 31, sum = 0;
  for (int i = t; i < 4096; i += BDX) s[i] = i;
  SYNC();
  int base = (lane * stride) & 2047;
  NOUNROLL
  for (int i = 0; i < iters; i++) {
#pragma unroll
    for (int k = 0; k < 16; k++) sum += s[base + k * 64];
  }
  out[t] = sum;
}
