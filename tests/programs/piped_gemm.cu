// Products of matrices whose tiles come to shared memory by copies that run ahead: a pipeline of
// several stages for a block, one of a thread alone, and a warp that only fetches for the others.
// options: -std=c++17
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <helper_cuda.h>

#include "verdict.h"

namespace cg = cooperative_groups;

enum { SIDE = 32, DEPTH = 64, TILE = 16, STEPS = DEPTH / TILE, STAGES = 3 };

typedef float tiles[2][TILE][TILE];

__device__ static float multiplied(const tiles &t, float sum)
{
    for (int k = 0; k < TILE; k++)
        sum += t[0][threadIdx.y][k] * t[1][k][threadIdx.x];
    return sum;
}

__device__ static float *place(float *c)
{
    return c + (blockIdx.y * TILE + threadIdx.y) * SIDE + blockIdx.x * TILE + threadIdx.x;
}

/* All threads of the block copy and all compute: rows of tiles, 16 bytes at a time. */
__global__ void by_block(const float *a, const float *b, float *c)
{
    __shared__ __align__(16) tiles t[STAGES];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const auto row = cuda::aligned_size_t<16>(TILE * sizeof(float));
    float sum = 0;
    for (int step = 0, begun = 0; step < STEPS; step++) {
        for (; begun < STEPS && begun < step + STAGES; begun++) {
            float(*to)[TILE][TILE] = t[begun % STAGES];
            pipe.producer_acquire();
            for (int y = 0; y < TILE; y++) {
                cuda::memcpy_async(block, to[0][y],
                                   a + (blockIdx.y * TILE + y) * DEPTH + begun * TILE, row, pipe);
                cuda::memcpy_async(block, to[1][y],
                                   b + (begun * TILE + y) * SIDE + blockIdx.x * TILE, row, pipe);
            }
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum = multiplied(t[step % STAGES], sum);
        pipe.consumer_release();
    }
    *place(c) = sum;
}

/* Each thread copies its own element of each tile, one step ahead. */
__global__ void by_thread(const float *a, const float *b, float *c)
{
    __shared__ tiles t[2];
    auto pipe = cuda::make_pipeline();
    const int x = threadIdx.x, y = threadIdx.y;
    const float *from_a = a + (blockIdx.y * TILE + y) * DEPTH + x;
    const float *from_b = b + y * SIDE + blockIdx.x * TILE + x;
    float sum = 0;
    for (int step = -1; step < STEPS; step++) {
        pipe.producer_acquire();
        if (step + 1 < STEPS) {
            float(*to)[TILE][TILE] = t[(step + 1) % 2];
            cuda::memcpy_async(&to[0][y][x], from_a + (step + 1) * TILE, sizeof(float), pipe);
            cuda::memcpy_async(&to[1][y][x], from_b + (step + 1) * TILE * SIDE, sizeof(float),
                               pipe);
        }
        pipe.producer_commit();
        if (step < 0)
            continue;
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        __syncthreads();
        sum = multiplied(t[step % 2], sum);
        pipe.consumer_release();
        __syncthreads();
    }
    *place(c) = sum;
}

/* Two more rows of threads, a warp, fetch; the other eight warps never touch global memory. */
__global__ void by_warp(const float *a, const float *b, float *c)
{
    __shared__ tiles t[STAGES];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    const bool fetches = threadIdx.y >= TILE;
    auto pipe = cuda::make_pipeline(
        block, &state, fetches ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    const int x = threadIdx.x, first = (int)threadIdx.y - TILE;
    float sum = 0;
    for (int step = 0; step < STEPS; step++) {
        float(*at)[TILE][TILE] = t[step % STAGES];
        if (fetches) {
            pipe.producer_acquire();
            for (int y = first; y < TILE; y += 2) {
                at[0][y][x] = a[(blockIdx.y * TILE + y) * DEPTH + step * TILE + x];
                at[1][y][x] = b[(step * TILE + y) * SIDE + blockIdx.x * TILE + x];
            }
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum = multiplied(t[step % STAGES], sum);
            pipe.consumer_release();
        }
    }
    if (!fetches)
        *place(c) = sum;
}

typedef void kernel(const float *, const float *, float *);

static void check(const char *name, kernel *k, int rows, const float *a, const float *b, float *c,
                  const float *want)
{
    static float have[SIDE * SIDE];
    checkCudaErrors(cudaMemset(c, 0xff, sizeof(have)));
    k<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, rows)>>>(a, b, c);
    getLastCudaError(name);
    checkCudaErrors(cudaMemcpy(have, c, sizeof(have), cudaMemcpyDeviceToHost));
    for (int i = 0; i < SIDE * SIDE; i++)
        expect(name, i, have[i], want[i]);
}

int main()
{
    static float a[SIDE * DEPTH], b[DEPTH * SIDE], want[SIDE * SIDE];
    float *da, *db, *dc;
    unsigned seed = 29;
    for (int i = 0; i < SIDE * DEPTH; i++) { /* small whole numbers, so that sums are exact */
        a[i] = (float)(draw(&seed) % 17) - 8;
        b[i] = (float)(draw(&seed) % 17) - 8;
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int k = 0; k < DEPTH; k++)
            want[i] += a[i / SIDE * DEPTH + k] * b[k * SIDE + i % SIDE];
    checkCudaErrors(cudaMalloc(&da, sizeof(a)));
    checkCudaErrors(cudaMalloc(&db, sizeof(b)));
    checkCudaErrors(cudaMalloc(&dc, sizeof(want)));
    checkCudaErrors(cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(db, b, sizeof(b), cudaMemcpyHostToDevice));
    check("by_block, element", by_block, TILE, da, db, dc, want);
    check("by_thread, element", by_thread, TILE, da, db, dc, want);
    check("by_warp, element", by_warp, TILE + 2, da, db, dc, want);
    checkCudaErrors(cudaFree(da));
    checkCudaErrors(cudaFree(db));
    checkCudaErrors(cudaFree(dc));
    return verdict();
}
