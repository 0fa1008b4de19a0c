// Pointers to device functions: in a table in memory, in constant memory, as a template argument.
#include "check.h"

typedef int (*op)(int, int);

__device__ int add(int a, int b)
{
    return a + b;
}

__device__ int sub(int a, int b)
{
    return a - b;
}

__device__ int mul(int a, int b)
{
    return a * b;
}

__device__ op table[] = {add, sub, mul};
__constant__ op fixed_table[] = {mul, add};

template <op f> __global__ void by_template(int *p)
{
    p[threadIdx.x] = f(threadIdx.x, 10);
}

__global__ void by_table(int *p)
{
    int i = threadIdx.x;
    p[i] = table[i % 3](i, 5) + fixed_table[i / 16 % 2](i, 2);
}

int main()
{
    int *p = shared_array<int>(64);
    by_table<<<1, 64>>>(p);
    finish_kernels();
    for (int i = 0; i < 64; i++) {
        int first = i % 3 == 0 ? i + 5 : i % 3 == 1 ? i - 5 : i * 5;
        CHECK(p[i] == first + (i / 16 % 2 ? i + 2 : 2 * i));
    }
    by_template<sub><<<1, 64>>>(p);
    finish_kernels();
    CHECK(p[3] == -7 && p[63] == 53);
    return finish();
}
