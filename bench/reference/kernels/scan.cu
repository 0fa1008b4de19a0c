#include "shim.cuh"
/* inclusive integer scan in three launches: per-block scan, scan of the block totals, add */
extern "C" __global__ void scan_block(const int *in, int *out, int *tot) {
  __shared__ int s[256];
  int t = TIDX, i = BIDX * 256 + t;
  int v = in[i];
  s[t] = v;
  SYNC();
  NOUNROLL
  for (int d = 1; d < 256; d <<= 1) {
    int a = t >= d ? s[t - d] : 0;
    SYNC();
    v += a;
    s[t] = v;
    SYNC();
  }
  out[i] = v;
  if (t == 255) tot[BIDX] = v;
}
extern "C" __global__ void scan_add(int *out, const int *tot) {
  if (BIDX == 0) return;
  out[BIDX * 256 + TIDX] += tot[BIDX - 1];
}
