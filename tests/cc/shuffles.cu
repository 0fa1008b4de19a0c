// Shuffles of every kind and type, with sub-warps, with the names of old and with masks.
#include "check.h"

template <class T> __global__ void work(T *out)
{
    int i = threadIdx.x;
    T v = (T)(i * i) + (T)1;
    out[i] = __shfl(v, 5);
    out[32 + i] = __shfl_up(v, 3);
    out[64 + i] = __shfl_down(v, 2, 8);
    out[96 + i] = __shfl_xor(v, 9);
    out[128 + i] = __shfl_sync(~0u, v, i + 1, 4);
    out[160 + i] = __shfl_up_sync(~0u, v, 1, 16);
    out[192 + i] = __shfl_down_sync(~0u, v, 30);
    out[224 + i] = __shfl_xor_sync(~0u, v, 1, 2);
}

template <class T> static void check(void)
{
    T *out = shared_array<T>(256);
    work<<<1, 32>>>(out);
    finish_kernels();
    for (int i = 0; i < 32; i++) {
        int from[] = {5,
                      i < 3 ? i : i - 3,
                      i % 8 < 6 ? i + 2 : i,
                      i ^ 9,
                      i / 4 * 4 + (i + 1) % 4,
                      i % 16 ? i - 1 : i,
                      i < 2 ? i + 30 : i,
                      i ^ 1};
        for (int k = 0; k < 8; k++)
            CHECK(out[32 * k + i] == (T)(from[k] * from[k]) + (T)1);
    }
}

int main()
{
    check<int>();
    check<unsigned>();
    check<float>();
    check<long>();
    check<unsigned long>();
    check<long long>();
    check<unsigned long long>();
    check<double>();
    return finish();
}
