// status: 0
// stdout: cudaErrorInvalidConfiguration 9
// stdout: cudaSuccess 0
// stderr: smelt: ...
#include "say.h"

extern "C" __global__ void nothing()
{
}

int main(void)
{
    nothing<<<0, 32>>>();
    say_launch();
    return 0;
}
