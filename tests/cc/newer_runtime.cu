// Functions of the runtime that came after CUDA 10, as C++ programs call them.
// timing
#include "check.h"
#include <cooperative_groups.h>

__global__ void fill(float *p, int n, double by, bool *grid)
{
    extern __shared__ float v[];
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    v[threadIdx.x] = (float)(i * by);
    if (i == 0)
        *grid = cooperative_groups::this_grid().is_valid();
    if (i < n)
        p[i] = v[threadIdx.x];
}

int main()
{
    cudaStream_t s;
    cudaMemPool_t pool;
    float *p, *q, *r, h[100];
    bool *grid = shared_array<bool>(1);
    CHECK(cudaStreamCreate(&s) == cudaSuccess);
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
    CHECK(cudaMallocAsync(&p, sizeof(h), s) == cudaSuccess);
    CHECK(cudaMallocAsync(&q, sizeof(h), pool, s) == cudaSuccess);
    CHECK(cudaMallocFromPoolAsync(&r, sizeof(h), pool, s) == cudaSuccess);

    cudaLaunchConfig_t c = {};
    c.gridDim = 4, c.blockDim = 32, c.dynamicSmemBytes = 32 * sizeof(float), c.stream = s;
    CHECK(cudaLaunchKernelEx(&c, fill, p, 100, 3, grid) == cudaSuccess); /* 3 becomes 3.0 */
    CHECK(cudaMemcpyAsync(h, p, sizeof(h), cudaMemcpyDeviceToHost, s) == cudaSuccess);
    cudaStreamSynchronize(s);
    for (int i = 0; i < 100; i++)
        CHECK(h[i] == 3 * i);
    CHECK(!*grid);

    cudaLaunchAttribute a[2] = {};
    a[0].id = cudaLaunchAttributeCooperative, a[0].val.cooperative = 1;
    a[1].id = cudaLaunchAttributePriority;
    c.attrs = a, c.numAttrs = 2;
    int n = 100;
    double by = 0.5;
    void *args[] = {&q, &n, &by, &grid};
    CHECK(cudaLaunchKernelExC(&c, fill, args) == cudaSuccess);
    cudaMemcpy(h, q, sizeof(h), cudaMemcpyDeviceToHost);
    CHECK(h[99] == 49.5f && *grid);
    a[1].id = cudaLaunchAttributeClusterDimension;
    a[1].val.clusterDim.x = a[1].val.clusterDim.y = a[1].val.clusterDim.z = 1;
    CHECK(cudaLaunchKernelExC(&c, fill, args) == cudaSuccess);
    a[1].val.clusterDim.x = 2;
    CHECK(cudaLaunchKernelExC(&c, fill, args) == cudaErrorNotSupported);
    cudaGetLastError();
    CHECK(cudaFreeAsync(p, s) == cudaSuccess && cudaFreeAsync(q, s) == cudaSuccess);
    CHECK(cudaFreeAsync(r, s) == cudaSuccess && cudaStreamDestroy(s) == cudaSuccess);
    return finish();
}
