// __constant__ and __device__ variables: initial values, copies both ways, addresses and sizes.
#include "check.h"

struct pair {
    int key;
    float value;
};

__constant__ float filter[5] = {1, 2, 3, 2, 1};
__constant__ struct pair pairs[100];
__device__ int counter = 40;
__device__ double grid[3][4];

__global__ void work(float *out)
{
    int i = threadIdx.x;
    float s = 0;
    for (int k = 0; k < 5; k++)
        s += filter[k] * pairs[i + k].value * pairs[i + k].key;
    out[i] = s;
    if (i == 0)
        counter += 2;
    if (i < 12)
        grid[i / 4][i % 4] += i;
}

int main()
{
    struct pair host[100];
    float *out = shared_array<float>(96), weights[2] = {7, 8};
    for (int i = 0; i < 100; i++)
        host[i] = {i, 0.5f};
    CHECK(cudaMemcpyToSymbol(pairs, host, sizeof(host)) == cudaSuccess);
    CHECK(cudaMemcpyToSymbol(filter, weights, sizeof(weights), 3 * sizeof(float)) == cudaSuccess);
    work<<<1, 96>>>(out);
    finish_kernels();
    for (int i = 0; i < 96; i++)
        CHECK(out[i] == 0.5f * (i + 2 * (i + 1) + 3 * (i + 2) + 7 * (i + 3) + 8 * (i + 4)));

    int count = 0;
    double g[3][4];
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof(count)) == cudaSuccess && count == 42);
    CHECK(cudaMemcpyFromSymbol(g, grid, sizeof(g)) == cudaSuccess && g[2][3] == 11);
    size_t size = 0;
    void *address = NULL;
    CHECK(cudaGetSymbolSize(&size, grid) == cudaSuccess && size == sizeof(g));
    CHECK(cudaGetSymbolAddress(&address, grid) == cudaSuccess);
    CHECK(cudaMemcpy(g, address, 16, cudaMemcpyDeviceToHost) == cudaSuccess && g[0][1] == 1);
    return finish();
}
