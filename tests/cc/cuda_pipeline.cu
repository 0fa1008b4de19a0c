// cuda::pipeline: of a thread, of a block in which all produce and consume, of producers and
// consumers in warps of their own; and the functions of cuda_pipeline.h.
// timing
#include "check.h"
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

enum { THREADS = 64, BATCHES = 7, STAGES = 3, N = THREADS * BATCHES };

__global__ void alone(const int *from, int *out)
{
    __shared__ int v[2][THREADS];
    cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();
    int i = threadIdx.x;
    p.producer_acquire();
    cuda::memcpy_async(&v[0][i], from + i, sizeof(int), p);
    p.producer_commit();
    for (int b = 0; b < BATCHES; b++) {
        if (b + 1 < BATCHES) {
            p.producer_acquire();
            cuda::memcpy_async(&v[(b + 1) % 2][i], from + (b + 1) * THREADS + i, sizeof(int), p);
            p.producer_commit();
        }
        cuda::pipeline_consumer_wait_prior<1>(p);
        out[b * THREADS + i] = v[b % 2][i] + 1;
        p.consumer_release();
    }
}

__global__ void together(const int *from, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    __shared__ __align__(16) int v[STAGES][THREADS];
    auto g = cg::this_thread_block();
    auto p = cuda::make_pipeline(g, &state);
    for (int b = 0, begun = 0; b < BATCHES; b++) {
        for (; begun < BATCHES && begun < b + STAGES; begun++) {
            p.producer_acquire();
            cuda::memcpy_async(g, v[begun % STAGES], from + begun * THREADS,
                               cuda::aligned_size_t<16>(sizeof(v[0])), p);
            p.producer_commit();
        }
        p.consumer_wait();
        out[b * THREADS + threadIdx.x] = v[b % STAGES][THREADS - 1 - threadIdx.x];
        p.consumer_release();
    }
}

/* The second warp fills, the first uses. */
template <class How> __global__ void apart(const int *from, int *out, How how)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    __shared__ int v[STAGES][32];
    auto g = cg::this_thread_block();
    auto p = how(g, &state);
    int lane = threadIdx.x % 32;
    if (how.produces((int)threadIdx.x)) {
        for (int b = 0; b < BATCHES; b++) {
            p.producer_acquire();
            v[b % STAGES][lane] = from[b * 32 + lane];
            p.producer_commit();
        }
    } else {
        for (int b = 0; b < BATCHES; b++) {
            p.consumer_wait();
            out[b * 32 + lane] = 5 * v[b % STAGES][31 - lane];
            p.consumer_release();
        }
    }
}

struct by_role {
    __device__ static bool produces(int i)
    {
        return i >= 32;
    }
    template <class S> __device__ auto operator()(cg::thread_block g, S *s) const
    {
        return cuda::make_pipeline(g, s, produces((int)g.thread_rank())
                                             ? cuda::pipeline_role::producer
                                             : cuda::pipeline_role::consumer);
    }
};

struct by_number {
    __device__ static bool produces(int i)
    {
        return i < 32;
    }
    template <class S> __device__ auto operator()(cg::thread_block g, S *s) const
    {
        return cuda::make_pipeline(g, s, (size_t)32);
    }
};

template <class How> static void check_apart(const int *from, int *out)
{
    memset(out, 0, N * sizeof(int));
    apart<<<1, 64>>>(from, out, How());
    finish_kernels();
    for (int i = 0; i < 32 * BATCHES; i++)
        CHECK(out[i] == 5 * from[i / 32 * 32 + 31 - i % 32]);
}

__global__ void primitives(const int *from, int *out)
{
    __shared__ __align__(16) int v[32][4];
    int i = threadIdx.x;
    __pipeline_memcpy_async(v[i], from + 4 * i, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[i] = v[31 - i][1];
    __syncthreads();
    __pipeline_memcpy_async(v[i], from + 4 * i, 8, 4); /* four bytes, then zeros */
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[32 + i] = v[i][0] + 1000 * v[i][1];
}

int main()
{
    int *from = shared_array<int>(N), *out = shared_array<int>(N);
    for (int i = 0; i < N; i++)
        from[i] = i * 3 % 101;
    alone<<<1, THREADS>>>(from, out);
    finish_kernels();
    for (int i = 0; i < N; i++)
        CHECK(out[i] == from[i] + 1);
    together<<<2, THREADS>>>(from, out);
    finish_kernels();
    for (int i = 0; i < N; i++)
        CHECK(out[i] == from[i / THREADS * THREADS + THREADS - 1 - i % THREADS]);
    check_apart<by_role>(from, out);
    check_apart<by_number>(from, out);
    primitives<<<1, 32>>>(from, out);
    finish_kernels();
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == from[4 * (31 - i) + 1] && out[32 + i] == from[4 * i]);
    return finish();
}
