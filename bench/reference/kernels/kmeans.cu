#include "shim.cuh"
#define D 8
/* nearest of k centres for each point (points stored as n rows of 8), with an early way out after 4 dimensions */
extern "C" __global__ void kmeans(const float *pt, const float *ctr, int *who, float *dist, int n, int k) {
  int i = BIDX * BDX + TIDX;
  if (i >= n) return;
  float p[D];
#pragma unroll
  for (int d = 0; d < D; d++) p[d] = pt[i * D + d];
  float best = 3.0e38f;
  int bi = -1;
  NOUNROLL
  for (int c = 0; c < k; c++) {
    const float *q = ctr + c * D;
    float s = 0.f;
#pragma unroll
    for (int d = 0; d < 4; d++) { float e = p[d] - q[d]; s += e * e; }
    if (s >= best) continue;
#pragma unroll
    for (int d = 4; d < D; d++) { float e = p[d] - q[d]; s += e * e; }
    if (s < best) { best = s; bi = c; }
  }
  who[i] = bi;
  dist[i] = best;
}
