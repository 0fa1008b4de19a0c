#include "shim.cuh"
/* C[M][N] = A[M][K] * B[K][N]; 64x64 tile per 16x16 block, 4x4 results per thread, k step 16 fully unrolled */
extern "C" __global__ void sgemm_reg(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float as[16][65];   /* as[k][row] */
  __shared__ float bs[16][64];   /* bs[k][col] */
  int tx = TIDX, ty = TIDY, t = ty * 16 + tx, r0 = BIDY * 64, c0 = BIDX * 64;
  float acc[4][4];
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) acc[i][j] = 0.f;
  NOUNROLL
  for (int k0 = 0; k0 < K; k0 += 16) {
#pragma unroll
    for (int q = 0; q < 4; q++) {
      as[t & 15][(t >> 4) + 16 * q] = A[(r0 + (t >> 4) + 16 * q) * K + k0 + (t & 15)];
      bs[(t >> 6) + 4 * q][t & 63] = B[(k0 + (t >> 6) + 4 * q) * N + c0 + (t & 63)];
    }
    SYNC();
#pragma unroll
    for (int k = 0; k < 16; k++) {
      float a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; i++) { a[i] = as[k][ty + 16 * i]; b[i] = bs[k][tx + 16 * i]; }
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) acc[i][j] = __builtin_fmaf(a[i], b[j], acc[i][j]);
    }
    SYNC();
  }
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) C[(r0 + ty + 16 * i) * N + c0 + tx + 16 * j] = acc[i][j];
}
