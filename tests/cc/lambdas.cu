// Lambdas and auto in device code, variadic templates, constexpr, static_assert.
// options: -std=c++17 --expt-extended-lambda --expt-relaxed-constexpr
#include "check.h"

template <class... T> __device__ auto sum(T... v)
{
    return (v + ...);
}

constexpr __host__ __device__ int power(int base, int n)
{
    return n ? base * power(base, n - 1) : 1;
}

template <class F> __global__ void each(int *p, F f)
{
    p[threadIdx.x] = f(threadIdx.x);
}

int main()
{
    static_assert(power(3, 4) == 81, "at compile time");
    int *p = shared_array<int>(32), factor = 7;
    each<<<1, 32>>>(p, [=] __device__(int i) {
        auto square = [](int x) { return x * x; };
        if constexpr (sizeof(int) == 4)
            return sum(square(i), factor, 1, power(2, 3));
        else
            return 0;
    });
    finish_kernels();
    for (int i = 0; i < 32; i++)
        CHECK(p[i] == i * i + 16);
    return finish();
}
