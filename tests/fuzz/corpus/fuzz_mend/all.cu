# 1 "all.cu"
#define FOUR 4
#pragma unroll FOUR * (2)
__attribute__((global)) __attribute__((device)) void k(int *p);
template <class T> S &operator<< <T>(S &s, const char *t = "a \" << < %tid");
int main() { unsigned x = 1'000; k<A<B<int>>> << <(x >> 1), 2 >> >(0); k < < <1, '"'> >>(R"x(")x");
asm volatile("mov.u32 %0, %laneid;" "%%r %tid.x" : "=r"(x) : "r"(f(":"))); asm("%laneid"); }
