// Atomic functions of later GPUs: 64-bit logic, double, scopes.
// options: -arch=sm_60
#include "check.h"

__global__ void work(unsigned long long *u, long long *s, double *d, int *p)
{
    unsigned long long i = threadIdx.x;
    atomicMin(&u[0], ~0ull - i);
    atomicMax(&u[1], i << 40);
    atomicAnd(&u[2], ~(1ull << i));
    atomicOr(&u[3], 1ull << i);
    atomicXor(&u[4], 3ull << i);
    atomicMin(&s[0], -(long long)i);
    atomicMax(&s[1], (long long)i);
    atomicAdd(d, 0.25);
    atomicAdd_block(&p[0], 1);
    atomicAdd_system(&p[1], 2);
}

int main()
{
    unsigned long long *u = shared_array<unsigned long long>(5);
    long long *s = shared_array<long long>(2);
    double *d = shared_array<double>(1);
    int *p = shared_array<int>(2);
    u[0] = u[2] = ~0ull;
    work<<<1, 64>>>(u, s, d, p);
    finish_kernels();
    CHECK(u[0] == ~0ull - 63 && u[1] == 63ull << 40 && u[2] == 0 && u[3] == ~0ull && u[4] == 1);
    CHECK(s[0] == -63 && s[1] == 63 && *d == 16 && p[0] == 64 && p[1] == 128);
    return finish();
}
