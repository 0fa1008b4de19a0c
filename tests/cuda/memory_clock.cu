// status: 0
// stdout: 877000 kHz, 898.0 GB/s
// stderr: smelt: ./memory_clock launched no kernel: nothing was simulated
// options: -g v100
//
// The clock of HBM2, which moves two beats a command clock where GDDR5 moves four, and the peak
// bandwidth as programs compute it: that of the data sheet.
#include "say.h"

int main(void)
{
    cudaDeviceProp p;

    cudaGetDeviceProperties(&p, 0);
    printf("%d kHz, %.1f GB/s\n", p.memoryClockRate, 2.0 * p.memoryClockRate * (p.memoryBusWidth / 8) / 1e6);
    return 0;
}
