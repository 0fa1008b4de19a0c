#include "shim.cuh"
/* bandwidth: coalesced read, 32-line strided read, coalesced write, copy */
extern "C" __global__ void bw_read(const float *a, float *out, int per, int total) {
  int t = BIDX * BDX + TIDX;
  float s = 0.f;
  NOUNROLL
  for (int i = 0; i < per; i++) {
    const float *p = a + t + i * 4 * total;
    float v0 = p[0], v1 = p[total], v2 = p[2 * total], v3 = p[3 * total];
    s += (v0 + v1) + (v2 + v3);
  }
  out[t] = s;
}
extern "C" __global__ void bw_stride(const float *a, float *out, int per, int mask) {
  int t = BIDX * BDX + TIDX, n = GDX * BDX;
  float s = 0.f;
  NOUNROLL
  for (int i = 0; i < per; i++) s += a[((t + i * n) * 32) & mask];
  out[t] = s;
}
extern "C" __global__ void bw_write(float *a, int per, int total) {
  int t = BIDX * BDX + TIDX;
  float v = (float)(t & 1023);
  NOUNROLL
  for (int i = 0; i < per; i++) a[t + i * total] = v;
}
