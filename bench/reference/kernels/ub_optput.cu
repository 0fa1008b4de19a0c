#include "shim.cuh"
/* one CTA, many warps, eight independent chains per thread, 64 operations per iteration */
#define T8I(INS) asm volatile(INS : "+r"(x0) : "r"(a), "r"(b)); asm volatile(INS : "+r"(x1) : "r"(a), "r"(b)); asm volatile(INS : "+r"(x2) : "r"(a), "r"(b)); asm volatile(INS : "+r"(x3) : "r"(a), "r"(b)); \
  asm volatile(INS : "+r"(x4) : "r"(a), "r"(b)); asm volatile(INS : "+r"(x5) : "r"(a), "r"(b)); asm volatile(INS : "+r"(x6) : "r"(a), "r"(b)); asm volatile(INS : "+r"(x7) : "r"(a), "r"(b));
#define TPI(NAME, INS) extern "C" __global__ void tp_##NAME(int *out, int iters, int a, int b) { int t = BIDX * BDX + TIDX; \
  int x0 = t, x1 = t + 1, x2 = t + 2, x3 = t + 3, x4 = t + 4, x5 = t + 5, x6 = t + 6, x7 = t + 7; \
  NOUNROLL for (int i = 0; i < iters; i++) { REP8(T8I(INS)) } out[t] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7; }
#define T8F(INS) asm volatile(INS : "+f"(x0) : "f"(a), "f"(b)); asm volatile(INS : "+f"(x1) : "f"(a), "f"(b)); asm volatile(INS : "+f"(x2) : "f"(a), "f"(b)); asm volatile(INS : "+f"(x3) : "f"(a), "f"(b)); \
  asm volatile(INS : "+f"(x4) : "f"(a), "f"(b)); asm volatile(INS : "+f"(x5) : "f"(a), "f"(b)); asm volatile(INS : "+f"(x6) : "f"(a), "f"(b)); asm volatile(INS : "+f"(x7) : "f"(a), "f"(b));
#define TPF(NAME, INS) extern "C" __global__ void tp_##NAME(float *out, int iters, float a, float b) { int t = BIDX * BDX + TIDX; float u = (float)t; \
  float x0 = u, x1 = u + 1.f, x2 = u + 2.f, x3 = u + 3.f, x4 = u + 4.f, x5 = u + 5.f, x6 = u + 6.f, x7 = u + 7.f; \
  NOUNROLL for (int i = 0; i < iters; i++) { REP8(T8F(INS)) } out[t] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7; }
TPI(iadd, "add.s32 %0, %0, %1;")
TPI(imul, "mul.lo.s32 %0, %0, %1;")
TPI(imad, "mad.lo.s32 %0, %0, %1, %2;")
TPI(imin, "min.s32 %0, %0, %1;")
TPF(ffma, "fma.rn.f32 %0, %0, %1, %2;")
TPF(rsqrt, "rsqrt.approx.f32 %0, %0;")
