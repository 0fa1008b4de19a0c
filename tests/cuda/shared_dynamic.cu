// status: 1
// stdout: cudaErrorInvalidConfiguration 9
// stdout: cudaSuccess 0
// stderr: smelt: kernel nothing: a block needs 1048576 bytes of shared memory; an SM has 49152 (sm.shared)
// stderr: smelt: warning: 1 launch or module of the program was refused: its results cannot be right
#include "say.h"

extern "C" __global__ void nothing()
{
}

int main(void)
{
    nothing<<<1, 32, 1 << 20>>>();
    say_launch();
    return 0;
}
