#include "shim.cuh"
/* y = A^T (A x): first pass one thread per row (stride-n reads), second pass one thread per column */
extern "C" __global__ void mv_row(const float *A, const float *x, float *t, int m, int n) {
  int i = BIDX * BDX + TIDX;
  if (i >= m) return;
  float s = 0.f;
  NOUNROLL
  for (int j = 0; j < n; j++) s = __builtin_fmaf(A[i * n + j], x[j], s);
  t[i] = s;
}
extern "C" __global__ void mv_col(const float *A, const float *t, float *y, int m, int n) {
  int j = BIDX * BDX + TIDX;
  if (j >= n) return;
  float s = 0.f;
  NOUNROLL
  for (int i = 0; i < m; i++) s = __builtin_fmaf(A[i * n + j], t[i], s);
  y[j] = s;
}
