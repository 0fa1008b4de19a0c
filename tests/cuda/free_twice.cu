// status: 0
// stdout: cudaSuccess 0
// stdout: cudaErrorInvalidValue 1
// stdout: cudaErrorInvalidValue 1
// stdout: cudaSuccess 0
// stderr: smelt: cudaFree: ...
// stderr: smelt: cudaFree: ...
// stderr: smelt: ./free_twice launched no kernel: nothing was simulated
#include "say.h"

int main(void)
{
    char *p;
    cudaMalloc((void **)&p, 64);
    SAY(cudaFree(p));
    SAY(cudaFree(p));
    SAY(cudaFree((void *)&p));
    SAY(cudaFree(NULL));
    return 0;
}
