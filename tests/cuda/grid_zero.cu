// status: 1
// stdout: cudaErrorInvalidConfiguration 9
// stdout: cudaSuccess 0
// stderr: smelt: ...
// stderr: smelt: warning: 1 launch or module of the program was refused: its results cannot be right
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
