#include "shim.cuh"
/* 256-bin histogram: private counts in shared memory (shared atomics), then one global atomic per bin */
extern "C" __global__ void histogram(const unsigned *in, unsigned *hist, int n) {
  __shared__ int h[256];
  int t = TIDX;
  h[t] = 0;
  SYNC();
  NOUNROLL
  for (int i = BIDX * 256 + t; i < n; i += GDX * 256) {
    unsigned v = in[i];
    v = (v * v) >> 8;   /* skews the bins */
    __nvvm_atom_add_gen_i(&h[v & 255], 1);
  }
  SYNC();
  if (h[t]) atom_add_u32(&hist[t], (unsigned)h[t]);
}
