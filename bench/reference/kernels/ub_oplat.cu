#include "shim.cuh"
/* one warp, a chain of 64 dependent operations per iteration, one kernel per operation.
   cycles(2n) - cycles(n) over n*64 gives the dependent issue distance. */
#define CHI(NAME, INS) extern "C" __global__ void lat_##NAME(int *out, int iters, int a, int b) { \
  int x = TIDX + 1; NOUNROLL for (int i = 0; i < iters; i++) { REP64(asm volatile(INS : "+r"(x) : "r"(a), "r"(b));) } out[TIDX] = x; }
#define CHF(NAME, INS) extern "C" __global__ void lat_##NAME(float *out, int iters, float a, float b) { \
  float x = (float)(int)TIDX + 1.f; NOUNROLL for (int i = 0; i < iters; i++) { REP64(asm volatile(INS : "+f"(x) : "f"(a), "f"(b));) } out[TIDX] = x; }
CHI(iadd, "add.s32 %0, %0, %1;")
CHI(imul, "mul.lo.s32 %0, %0, %1;")
CHI(imad, "mad.lo.s32 %0, %0, %1, %2;")
CHI(idiv, "div.s32 %0, %0, %1;")
CHI(imin, "min.s32 %0, %0, %1;")
CHI(shl, "shl.b32 %0, %0, %1;")
CHI(xor, "xor.b32 %0, %0, %1;")
CHI(mov, "mov.u32 %0, %0;")
CHI(setsel, "{.reg .pred q; setp.lt.s32 q, %0, %1; selp.s32 %0, %0, %2, q;}")
CHI(cvt, "{.reg .f32 q; cvt.rn.f32.s32 q, %0; cvt.rzi.s32.f32 %0, q;}")
CHI(mulwide, "{.reg .s64 q; mul.wide.s32 q, %0, %1; cvt.u32.u64 %0, q;}")
CHF(fadd, "add.f32 %0, %0, %1;")
CHF(fmul, "mul.f32 %0, %0, %1;")
CHF(ffma, "fma.rn.f32 %0, %0, %1, %2;")
CHF(fmax, "max.f32 %0, %0, %1;")
CHF(fdiv, "div.rn.f32 %0, %0, %1;")
CHF(rcp, "rcp.approx.f32 %0, %0;")
CHF(rsqrt, "rsqrt.approx.f32 %0, %0;")
CHF(sin, "sin.approx.f32 %0, %0;")
CHF(sqrt, "sqrt.approx.f32 %0, %0;")
#define CHD(NAME, INS) extern "C" __global__ void lat_##NAME(float *out, int iters, float a, float b) { \
  double x = (double)(int)TIDX + 1.0, da = a, db = b; NOUNROLL for (int i = 0; i < iters; i++) { REP64(asm volatile(INS : "+d"(x) : "d"(da), "d"(db));) } out[TIDX] = (float)x; }
CHD(dadd, "add.f64 %0, %0, %1;")
CHD(dfma, "fma.rn.f64 %0, %0, %1, %2;")
