// cuda::barrier: phases, dropping out, a completion, arriving without waiting, copies.
// timing
#include "check.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <utility>

typedef cuda::barrier<cuda::thread_scope_block> barrier;

enum { N = 96, ROUNDS = 4 };

/* Each round a thread reads what its neighbour, of another warp, wrote in the round before. */
__global__ void rounds(int *out)
{
    __shared__ barrier bar;
    __shared__ int v[N];
    int i = threadIdx.x, x = i;
    if (i == 0)
        init(&bar, N);
    __syncthreads();
    for (int r = 0; r < ROUNDS; r++) {
        v[i] = x;
        barrier::arrival_token token = bar.arrive();
        int own = 2 * x; /* work that needs nobody */
        bar.wait(std::move(token));
        x = own + v[(i + 32) % N];
        bar.arrive_and_wait();
    }
    out[i] = x;
}

/* A warp leaves after each round: the others must not wait for it. */
__global__ void leaving(int *out)
{
    __shared__ barrier bar;
    __shared__ int there[3];
    int w = threadIdx.x / 32;
    if (threadIdx.x == 0)
        init(&bar, N), there[0] = there[1] = there[2] = 0;
    __syncthreads();
    for (int r = 0; r < 3; r++) {
        atomicAdd(&there[r], 1);
        if (w == r) {
            bar.arrive_and_drop();
            return;
        }
        bar.arrive_and_wait();
        out[threadIdx.x * 3 + r] = there[r];
    }
}

struct count {
    int *at;
    __host__ __device__ void operator()() const
    {
        ++*at;
    }
};

/* Every second warp produces: it arrives, and never waits. */
__global__ void parity(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block, count> bar;
    __shared__ int v[64];
    int i = threadIdx.x;
    if (i == 0)
        init(&bar, 64, count{out + 64});
    __syncthreads();
    if (i < 32) {
        v[i] = 3 * i;
        (void)bar.arrive();
    } else {
        bar.arrive(1);
        bar.wait_parity(false);
        out[i] = v[i - 32] + bar.try_wait_parity(false) + 1000 * bar.try_wait_parity(true);
    }
}

__global__ void copies(const int *from, int *out)
{
    __shared__ barrier bar;
    __shared__ __align__(16) int v[2][N];
    auto b = cooperative_groups::this_thread_block();
    if (b.thread_rank() == 0)
        init(&bar, b.size());
    b.sync();
    cuda::memcpy_async(b, v[0], from, cuda::aligned_size_t<16>(sizeof(v[0])), bar);
    cuda::memcpy_async(&v[1][threadIdx.x], from + threadIdx.x, sizeof(int), bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = v[0][N - 1 - threadIdx.x] + v[1][(threadIdx.x + 40) % N];
}

int main()
{
    int *out = shared_array<int>(3 * N), x[N], y[N];
    rounds<<<2, N>>>(out);
    finish_kernels();
    for (int i = 0; i < N; i++)
        x[i] = i;
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < N; i++)
            y[i] = 2 * x[i] + x[(i + 32) % N];
        memcpy(x, y, sizeof(x));
    }
    for (int i = 0; i < N; i++)
        CHECK(out[i] == x[i]);

    memset(out, 0, 3 * N * sizeof(int));
    leaving<<<1, N>>>(out);
    finish_kernels();
    for (int i = 0; i < N; i++)
        for (int r = 0; r < 3; r++)
            CHECK(out[3 * i + r] == (i / 32 > r ? N - 32 * r : 0));

    memset(out, 0, 3 * N * sizeof(int));
    parity<<<1, 64>>>(out);
    finish_kernels();
    for (int i = 32; i < 64; i++)
        CHECK(out[i] == 3 * (i - 32) + 1);
    CHECK(out[64] == 1);

    int *from = shared_array<int>(N);
    for (int i = 0; i < N; i++)
        from[i] = i * i;
    copies<<<1, N>>>(from, out);
    finish_kernels();
    for (int i = 0; i < N; i++)
        CHECK(out[i] == (N - 1 - i) * (N - 1 - i) + (i + 40) % N * ((i + 40) % N));

    int done = 0;
    cuda::barrier<cuda::thread_scope_system, count> host(2, count{&done}); /* it works there too */
    auto token = host.arrive();
    CHECK(!host.try_wait(token) && done == 0);
    (void)host.arrive();
    CHECK(host.try_wait(token) && done == 1);
    return finish();
}
