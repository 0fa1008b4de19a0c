#include "shim.cuh"
#define B 64
/* softened gravity, all pairs, tiles of B bodies staged in shared memory; positions and masses in four arrays */
extern "C" __global__ void nbody(const float *px, const float *py, const float *pz, const float *m,
                                 float *ax, float *ay, float *az, int n, float eps) {
  __shared__ float sx[B], sy[B], sz[B], sm[B];
  int t = TIDX, i = BIDX * B + t;
  float x = px[i], y = py[i], z = pz[i], fx = 0.f, fy = 0.f, fz = 0.f;
  for (int j0 = 0; j0 < n; j0 += B) {
    sx[t] = px[j0 + t]; sy[t] = py[j0 + t]; sz[t] = pz[j0 + t]; sm[t] = m[j0 + t];
    SYNC();
#pragma unroll 4
    for (int j = 0; j < B; j++) {
      float dx = sx[j] - x, dy = sy[j] - y, dz = sz[j] - z;
      float q = rsqf(dx * dx + dy * dy + dz * dz + eps);
      float w = sm[j] * q * q * q;
      fx += w * dx; fy += w * dy; fz += w * dz;
    }
    SYNC();
  }
  ax[i] = fx; ay[i] = fy; az[i] = fz;
}
