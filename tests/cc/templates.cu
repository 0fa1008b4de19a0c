// Templates: kernels, device functions, non-type parameters, specialisation, functors.
#include "check.h"

template <class T> struct square {
    __host__ __device__ T operator()(T x) const
    {
        return x * x;
    }
};

template <class T> __device__ T twice(T x)
{
    return x + x;
}

template <> __device__ double twice(double x)
{
    return 2.5 * x; /* so that one can tell */
}

template <class T, int n, class F> __global__ void apply(T *p, F f)
{
#pragma unroll
    for (int i = 0; i < n; i++)
        p[threadIdx.x * n + i] = twice(f(p[threadIdx.x * n + i]));
}

template <class T> static T run(T value)
{
    T *p = shared_array<T>(64);
    for (int i = 0; i < 64; i++)
        p[i] = value + i;
    apply<T, 4><<<1, 16>>>(p, square<T>());
    finish_kernels();
    for (int i = 0; i < 64; i++)
        CHECK(i == 7 || p[i] == p[7] / square<T>()(value + 7) * square<T>()(value + i));
    return p[7];
}

int main()
{
    CHECK(run<int>(1) == 128);
    CHECK(run<float>(1) == 128);
    CHECK(run<double>(1) == 160);
    return finish();
}
