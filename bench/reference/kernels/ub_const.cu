#include "shim.cuh"
__constant__ int ctab[1024] = {5, 3, 8, 1};
/* constant memory: same word for all lanes (small and large footprint), and a different word per lane */
extern "C" __global__ void const_bcast(int *out, int iters, int mask) {
  int s = TIDX, j = 0;
  NOUNROLL
  for (int i = 0; i < iters; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) { s += ctab[j]; j = (j + 17) & mask; }
  }
  out[TIDX] = s;
}
extern "C" __global__ void const_lane(int *out, int iters, int mask) {
  int s = TIDX, j = TIDX;
  NOUNROLL
  for (int i = 0; i < iters; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) { s += ctab[j & mask]; j += 5; }
  }
  out[TIDX] = s;
}
