// racy.cu -- what it prints depends on who comes first: flags, plain stores and atomics between CTAs.
#include <stdio.h>

__global__ void race(int *word, int *order, int *flag, int rounds)
{
    int me = blockIdx.x * blockDim.x + threadIdx.x;

    for (int i = 0; i < rounds; i++) {
        word[(me * 7 + i) % 64] = me; // the last one stays
        order[atomicAdd(&order[0], 1) % 1000 + 1] = me ^ word[(me + i) % 64];
        if (threadIdx.x == 0)
            ((volatile int *)flag)[blockIdx.x] = i;
        int seen = ((volatile int *)flag)[(blockIdx.x + 1) % gridDim.x];
        atomicExch(&word[64 + (me + seen) % 64], seen * 1000 + me);
        if (me % 3 == i % 3)
            atomicMax(&word[128], word[(me + 13) % 64]);
    }
}

int main(void)
{
    static int word[192], order[1001];
    int *w, *o, *f;

    cudaMalloc((void **)&w, sizeof word);
    cudaMalloc((void **)&o, sizeof order);
    cudaMalloc((void **)&f, 64 * sizeof(int));
    cudaMemset(w, 0, sizeof word);
    cudaMemset(o, 0, sizeof order);
    cudaMemset(f, 0, 64 * sizeof(int));
    race<<<40, 96>>>(w, o, f, 6);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaMemcpy(word, w, sizeof word, cudaMemcpyDeviceToHost);
    cudaMemcpy(order, o, sizeof order, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 192; i++)
        printf("%d ", word[i]);
    for (int i = 0; i < 1001; i++)
        printf("%d ", order[i]);
    printf("\n");
    return 0;
}
