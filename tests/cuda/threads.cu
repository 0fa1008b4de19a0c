// status: 1
// stdout: cudaErrorInvalidConfiguration 9
// stdout: cudaSuccess 0
// stdout: cudaSuccess 0
// stdout: cudaSuccess 0
// stderr: smelt: kernel nothing: block x of 2048 is outside 1..1024
// stderr: smelt: warning: 1 launch or module of the program was refused: its results cannot be right
//
// A launch that is refused is told once and is not sticky: the next one works.
#include "say.h"

extern "C" __global__ void nothing()
{
}

int main(void)
{
    nothing<<<1, 2048>>>();
    say_launch();
    nothing<<<1, 1024>>>();
    say_launch();
    return 0;
}
