#include "shim.cuh"
/* CSR y = A x, one thread per row */
extern "C" __global__ void spmv_scalar(const int *rp, const int *ci, const float *av, const float *x, float *y, int n) {
  int r = BIDX * BDX + TIDX;
  if (r >= n) return;
  float s = 0.f;
  int e = rp[r + 1];
  NOUNROLL
  for (int k = rp[r]; k < e; k++) s = __builtin_fmaf(av[k], x[ci[k]], s);
  y[r] = s;
}
