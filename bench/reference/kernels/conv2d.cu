#include "shim.cuh"
__constant__ float wgt[9] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.03125f};
/* 3x3 filter, weights in constant memory, border pixels copied; block 32x8 */
extern "C" __global__ void conv2d(const float *in, float *out, int n) {
  int x = BIDX * 32 + TIDX, y = BIDY * 8 + TIDY;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) { out[y * n + x] = in[y * n + x]; return; }
  float s = 0.f;
#pragma unroll
  for (int j = 0; j < 3; j++)
#pragma unroll
    for (int i = 0; i < 3; i++) s = __builtin_fmaf(wgt[j * 3 + i], in[(y + j - 1) * n + x + i - 1], s);
  out[y * n + x] = s;
}
