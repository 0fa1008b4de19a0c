// Grids and blocks of three dimensions, the built-in variables, and kernels from everywhere.
#include "check.h"

__global__ void work(int *p)
{
    dim3 block = blockDim, grid = gridDim;
    uint3 at = threadIdx;
    int cta = (blockIdx.z * grid.y + blockIdx.y) * grid.x + blockIdx.x;
    int thread = (at.z * block.y + at.y) * block.x + at.x;
    p[cta * block.x * block.y * block.z + thread] = cta * 1000 + thread + warpSize;
}

struct runner {
    int *p;
    void operator()(dim3 g, dim3 b) const
    {
        work<<<g, b>>>(p);
    }
};

int main()
{
    const int n = 3 * 2 * 4, m = 5 * 3 * 2;
    int *p = shared_array<int>(n * m);
    dim3 grid(3, 2, 4), block(5, 3, 2);
    runner{p}(grid, block);
    finish_kernels();
    for (int i = 0; i < n * m; i++)
        CHECK(p[i] == i / m * 1000 + i % m + 32);

    memset(p, 0, n * m * sizeof(int));
    void *args[] = {&p};
    CHECK(cudaLaunchKernel(work, grid, block, args) == cudaSuccess);
    finish_kernels();
    CHECK(p[n * m - 1] == (n - 1) * 1000 + m - 1 + 32);
    void (*kernel)(int *) = work;
    kernel<<<1, 1>>>(p);
    finish_kernels();
    CHECK(p[0] == 32);
    return finish();
}
