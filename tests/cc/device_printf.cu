// printf in kernels.
// stdout: thread 0: 3 -1 2.50 a text 100% ff
// stdout: thread 1: 4 -2 1.25 b text 100% fe
// stdout: -9223372036854775808 18446744073709551615
#include "check.h"

__global__ void say(void)
{
    int i = threadIdx.x;
    printf("thread %d: %d %i %.2f %c %s 100%% %x\n", i, 3 + i, -1 - i, 2.5 / (1 + i), 'a' + i, "text",
           0xffu - i);
    if (i == 0)
        printf("%lld %llu\n", (long long)(1ull << 63), ~0ull);
}

int main()
{
    say<<<1, 2>>>();
    return finish();
}
