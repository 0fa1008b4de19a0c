#include "shim.cuh"
/* the same transpose through a padded 32x33 shared tile */
extern "C" __global__ void transpose_tiled(const float *in, float *out, int n) {
  __shared__ float tile[32][33];
  int c = BIDX * 32 + TIDX, r = BIDY * 32 + TIDY;
#pragma unroll
  for (int k = 0; k < 32; k += 8) tile[TIDY + k][TIDX] = in[(r + k) * n + c];
  SYNC();
  int c2 = BIDY * 32 + TIDX, r2 = BIDX * 32 + TIDY;
#pragma unroll
  for (int k = 0; k < 32; k += 8) out[(r2 + k) * n + c2] = tile[TIDX][TIDY + k];
}
