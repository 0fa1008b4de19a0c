# 1 "all.cu"
#define FOUR 4
#pragma unroll FOUR * (2)
__attribute__((global)) __attribute__((device)) __attribute__((device))void k(int *p);
template <class T> S &o;
asm volatile("mov.u32  0%,%laneid;" "%%r %tid.x" : "=r"(x) : "r"(f(":")%); asm("%laneid"); }
