#include "shim.cuh"
/* one step of heat diffusion with a source term; 16x16 block, 18x18 shared tile, edges clamped */
extern "C" __global__ void stencil2d(const float *t, const float *src, float *o, int n, float k, float h) {
  __shared__ float s[18][18];
  int tx = TIDX, ty = TIDY, x = BIDX * 16 + tx, y = BIDY * 16 + ty;
  float c = t[y * n + x];
  s[ty + 1][tx + 1] = c;
  if (tx == 0) s[ty + 1][0] = t[y * n + imax_(x - 1, 0)];
  if (tx == 15) s[ty + 1][17] = t[y * n + imin_(x + 1, n - 1)];
  if (ty == 0) s[0][tx + 1] = t[imax_(y - 1, 0) * n + x];
  if (ty == 15) s[17][tx + 1] = t[imin_(y + 1, n - 1) * n + x];
  SYNC();
  float l = s[ty + 1][tx], r = s[ty + 1][tx + 2], u = s[ty][tx + 1], d = s[ty + 2][tx + 1];
  float lap = (l + r) + (u + d) - 4.f * c;
  o[y * n + x] = c + k * lap + h * src[y * n + x];
}
