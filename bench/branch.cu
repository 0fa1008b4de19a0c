/* branch.cu -- steps of the Collatz sequence to 1: every lane leaves its loop at another time. */
#include "device.cuh"

extern "C" __global__ void collatz(unsigned *out, unsigned first)
{
    unsigned t = thread_number(), x = first + t, steps = 0;

    while (x != 1) {
        if (x & 1)
            x = 3 * x + 1;
        else
            x >>= 1;
        steps++;
    }
    out[t] = steps;
}
