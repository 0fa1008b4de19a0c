// clock and clock64 go on; host code has its own clock.
#include "check.h"

#include <time.h>

__global__ void work(long long *out)
{
    clock_t a = clock();
    long long b = clock64();
    for (volatile int i = 0; i < 100; i++)
        ;
    out[0] = clock() - a;
    out[1] = clock64() - b;
}

int main()
{
    long long *out = shared_array<long long>(2);
    clock_t start = clock();
    work<<<1, 1>>>(out);
    finish_kernels();
    CHECK(out[0] > 100 && out[1] > 100 && out[1] < 100000);
    CHECK(clock() >= start);
    return finish();
}
