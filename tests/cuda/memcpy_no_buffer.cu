// status: 0
// stdout: cudaErrorInvalidValue 1
// stdout: cudaErrorInvalidValue 1
// stdout: cudaErrorInvalidValue 1
// stdout: cudaSuccess 0
// stderr: smelt: cudaMemcpy: ...
// stderr: smelt: cudaMemcpy: ...
// stderr: smelt: cudaMemcpy: ...
// stderr: smelt: ./memcpy_no_buffer launched no kernel: nothing was simulated
//
// Addresses that are no buffer, a freed one, and one that the copy runs over the end of.
#include "say.h"

int main(void)
{
    int host[16] = {0};
    char *gone, *small;
    cudaMalloc((void **)&gone, 64);
    cudaFree(gone);
    SAY(cudaMemcpy((void *)0x1234, host, 64, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(host, gone, 64, cudaMemcpyDeviceToHost));
    cudaMalloc((void **)&small, 32);
    SAY(cudaMemcpy(small, host, 64, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(small, host, 32, cudaMemcpyHostToDevice));
    cudaFree(small);
    cudaGetLastError();
    return 0;
}
