// status: 0
// options: --set mem.size=1M --set mem.heap=64K
// stdout: cudaErrorMemoryAllocation 2
// stdout: cudaErrorMemoryAllocation 2
// stdout: cudaSuccess 0
// stdout: cudaSuccess 0
// stderr: smelt: cudaMalloc: out of device memory: 2097152 bytes asked, 0 of 1048576 in use (mem.size)
// stderr: smelt: ./memory_exhausted launched no kernel: nothing was simulated
#include "say.h"

int main(void)
{
    void *p;
    SAY(cudaMalloc(&p, 2 << 20));
    SAY(cudaGetLastError());
    SAY(cudaGetLastError());
    SAY(cudaMalloc(&p, 1 << 19));
    cudaFree(p);
    return 0;
}
