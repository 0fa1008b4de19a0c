#include "shim.cuh"
/* out[c][r] = in[r][c] for an n x n matrix; block 32x8, four rows per thread, no staging */
extern "C" __global__ void transpose_naive(const float *in, float *out, int n) {
  int c = BIDX * 32 + TIDX, r = BIDY * 32 + TIDY;
#pragma unroll
  for (int k = 0; k < 32; k += 8) out[c * n + r + k] = in[(r + k) * n + c];
}
