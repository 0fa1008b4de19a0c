// status: 0
// stdout: cudaErrorInvalidSymbol 13
// stdout: cudaErrorInvalidSymbol 13
// stdout: cudaErrorInvalidValue 1
// stdout: cudaSuccess 0
// stderr: smelt: cudaMemcpyToSymbol: ...
// stderr: smelt: cudaGetSymbolAddress: ...
// stderr: smelt: cudaMemcpyToSymbol: ...
// stderr: smelt: ./symbol_missing launched no kernel: nothing was simulated
//
// A host variable is no symbol; and a symbol has an end.
#include "say.h"

__constant__ float table[8];
float plain[8];

__global__ void use(float *p)
{
    *p = table[threadIdx.x];
}

int main(void)
{
    void *p;
    float from[16] = {0};
    SAY(cudaMemcpyToSymbol(plain, from, sizeof plain));
    SAY(cudaGetSymbolAddress(&p, plain));
    SAY(cudaMemcpyToSymbol(table, from, sizeof from));
    SAY(cudaMemcpyToSymbol(table, from, sizeof table));
    return 0;
}
