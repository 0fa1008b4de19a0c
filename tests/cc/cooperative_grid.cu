// Grids that synchronise: cudaLaunchCooperativeKernel, and what it refuses.
// timing
#include "check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

enum { THREADS = 64, ROUNDS = 5 };

/* In each round every block reads what its neighbours wrote in the round before. */
__global__ void relax(int *a, int *b, int *valid)
{
    cg::grid_group g = cg::this_grid();
    int n = (int)g.size(), i = (int)g.thread_rank();
    if (i == 0)
        *valid = g.is_valid() && g.num_blocks() == gridDim.x && g.block_rank() == 0;
    for (int r = 0; r < ROUNDS; r++) {
        int *from = r % 2 ? b : a, *to = r % 2 ? a : b;
        to[i] = from[(i + THREADS) % n] + from[(i + n - THREADS) % n] + 1;
        g.sync();
    }
}

static void expect(int *v, int n, int *a, int *b)
{
    for (int i = 0; i < n; i++)
        v[i] = a[i] = i % 7, b[i] = 0;
    int *next = new int[n];
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < n; i++)
            next[i] = v[(i + THREADS) % n] + v[(i + n - THREADS) % n] + 1;
        memcpy(v, next, n * sizeof(int));
    }
    delete[] next;
}

static void relaxes(int blocks)
{
    int n = blocks * THREADS, *a = shared_array<int>(n), *b = shared_array<int>(n);
    int *valid = shared_array<int>(1), *v = new int[n];
    void *args[] = {&a, &b, &valid};
    for (int launch = 0; launch < 2; launch++) {
        expect(v, n, a, b);
        *valid = 0;
        CHECK(cudaLaunchCooperativeKernel(relax, blocks, THREADS, args) == cudaSuccess);
        finish_kernels();
        CHECK(*valid == 1);
        for (int i = 0; i < n; i++)
            CHECK(b[i] == v[i]); /* an odd number of rounds */
    }
    delete[] v;
    cudaFree(a);
    cudaFree(b);
}

/* A launch that is not cooperative knows it; a grid of three dimensions has ranks too. */
__global__ void ranks(unsigned *out)
{
    auto g = cg::this_grid();
    cg::thread_group any = g;
    out[g.thread_rank()] = (unsigned)(any.thread_rank() + 1000 * g.is_valid() + 10000 * any.size());
}

/* Half a barrier: the next launch must not find it. */
__global__ void arrives(int *out)
{
    auto g = cg::this_grid();
    auto token = g.barrier_arrive();
    if (threadIdx.x == 0)
        atomicAdd(out, 1);
    if (out[1])
        g.barrier_wait(static_cast<cg::grid_group::arrival_token &&>(token));
    if (threadIdx.x == 0 && out[1])
        out[2 + blockIdx.x] = ((volatile int *)out)[0];
}

int main()
{
    int yes = 0, multi = 1, per_sm = 0, sms = 0;
    CHECK(cudaDeviceGetAttribute(&yes, cudaDevAttrCooperativeLaunch, 0) == cudaSuccess && yes == 1);
    CHECK(cudaDeviceGetAttribute(&multi, cudaDevAttrCooperativeMultiDeviceLaunch, 0) ==
              cudaSuccess && multi == 0);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, relax, THREADS, 0) == cudaSuccess);
    relaxes(1);
    relaxes(7);
    relaxes(per_sm * sms); /* all that fit */

    unsigned *r = shared_array<unsigned>(2 * 3 * 4 * 8);
    ranks<<<dim3(2, 3, 4), dim3(4, 2)>>>(r);
    finish_kernels();
    for (unsigned i = 0; i < 192; i++)
        CHECK(r[i] == 1920000 + i);

    int *out = shared_array<int>(2 + 6);
    void *args[] = {&out};
    CHECK(cudaLaunchCooperativeKernel(arrives, 5, 32, args) == cudaSuccess);
    out[0] = 0, out[1] = 1;
    CHECK(cudaLaunchCooperativeKernel(arrives, 6, 32, args) == cudaSuccess);
    for (int i = 0; i < 6; i++)
        CHECK(out[2 + i] >= 1);
    return finish();
}
