// PTX in the source: operands of all kinds, several instructions, scopes, special registers.
#include "check.h"

__device__ unsigned lane_id(void)
{
    unsigned r;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}

__global__ void work(unsigned *u, unsigned long long *l, float *f, double *d)
{
    unsigned i = threadIdx.x, x = i * 0x01010101u, hi;
    asm("{\n\t.reg .u32 t;\n\tmul.hi.u32 t, %1, %2;\n\tadd.u32 %0, t, 1;\n\t}"
        : "=r"(hi)
        : "r"(x), "r"(0x10000u));
    u[i] = hi + lane_id();
    asm("mad.wide.u32 %0, %1, %2, %0;" : "+l"(l[i]) : "r"(i), "n"(3));
    asm("fma.rn.f32 %0, %1, %1, %2;" : "=f"(f[i]) : "f"((float)i), "f"(0.5f));
    asm("add.f64 %0, %1, 0d3FF0000000000000;" : "=d"(d[i]) : "d"((double)i));
    asm volatile("st.global.u32 [%0], %1;" ::"l"(u + 64 + i), "r"(i) : "memory");
}

int main()
{
    unsigned *u = shared_array<unsigned>(128);
    unsigned long long *l = shared_array<unsigned long long>(64);
    float *f = shared_array<float>(64);
    double *d = shared_array<double>(64);
    for (int i = 0; i < 64; i++)
        l[i] = 1000;
    work<<<1, 64>>>(u, l, f, d);
    finish_kernels();
    for (unsigned i = 0; i < 64; i++) {
        CHECK(u[i] == (i * 0x01010101u >> 16) + 1 + i % 32 && u[64 + i] == i);
        CHECK(l[i] == 1000 + 3 * i && f[i] == (float)(i * i) + 0.5f && d[i] == i + 1.0);
    }
    return finish();
}
