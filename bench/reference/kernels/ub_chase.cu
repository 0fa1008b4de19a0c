#include "shim.cuh"
/* pointer chase through global memory, all lanes of one warp on the same address; buffer holds element indices */
extern "C" __global__ void chase_cg(const int *a, int *out, int hops, int start) {
  int p = start;
  NOUNROLL
  for (int i = 0; i < hops; i++) { REP4(asm volatile("{.reg .u64 q; mad.wide.s32 q, %0, 4, %1; ld.global.cg.s32 %0, [q];}" : "+r"(p) : "l"(a) : "memory");) }
  out[TIDX] = p;
}
/* chase_cg skips the L1 (cache operator .cg); chase_ld is an ordinary load */
extern "C" __global__ void chase_ld(const int *a, int *out, int hops, int start) {
  int p = start;
  NOUNROLL
  for (int i = 0; i < hops; i++) { REP4(asm volatile("{.reg .u64 q; mad.wide.s32 q, %0, 4, %1; ld.global.s32 %0, [q];}" : "+r"(p) : "l"(a) : "memory");) }
  out[TIDX] = p;
}
