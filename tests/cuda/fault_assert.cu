// status: 1
// stdout: cudaErrorAssert 710
// stdout: cudaErrorAssert 710
// stderr: fault_assert.cu:11: void check(int): block: [0,0,0], thread: [31,0,0] Assertion `threadIdx.x < n` failed.
// stderr: smelt: kernel check: ...
#include "say.h"
#include <assert.h>

extern "C" __global__ void check(int n)
{
    assert(threadIdx.x < n);
}

int main(void)
{
    check<<<1, 32>>>(31);
    say_launch();
    return 0;
}
