#include "shim.cuh"
/* bitonic network over 512 keys per block in shared memory, 256 threads */
extern "C" __global__ void bitonic(const int *in, int *out) {
  __shared__ int s[512];
  int t = TIDX, base = BIDX * 512;
  s[t] = in[base + t];
  s[t + 256] = in[base + t + 256];
  NOUNROLL
  for (int k = 2; k <= 512; k <<= 1) {
    NOUNROLL
    for (int j = k >> 1; j > 0; j >>= 1) {
      SYNC();
      int i = ((t & ~(j - 1)) << 1) | (t & (j - 1));
      int a = s[i], b = s[i + j];
      int up = (i & k) == 0;
      if ((a > b) == up) { s[i] = b; s[i + j] = a; }
    }
  }
  SYNC();
  out[base + t] = s[t];
  out[base + t + 256] = s[t + 256];
}
