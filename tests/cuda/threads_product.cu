// status: 1
// stdout: cudaErrorInvalidConfiguration 9
// stdout: cudaSuccess 0
// stderr: smelt: kernel nothing: a block of 1056 threads ...
// stderr: smelt: warning: 1 launch or module of the program was refused: its results cannot be right
//
// Each dimension is possible, their product is not.
#include "say.h"

extern "C" __global__ void nothing()
{
}

int main(void)
{
    nothing<<<1, dim3(32, 33)>>>();
    say_launch();
    return 0;
}
