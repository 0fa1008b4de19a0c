// Barriers of cuda/barrier: a wave along a string, where a thread arrives, computes what needs
// nobody, and waits only then; and a dot product of many blocks in which one warp fetches and the
// others add.
// options: -arch=sm_60
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <helper_cuda.h>
#include <utility>

#include "verdict.h"

typedef cuda::barrier<cuda::thread_scope_block> barrier;

enum { POINTS = 128, STEPS = 20, N = 4096, PART = 64, GRID = 4 };

__host__ __device__ static float next(float now, float before, float left, float right)
{
    return 2 * now - before + 0.25f * (left - 2 * now + right);
}

/* One point a thread; its ends are tied. */
__global__ void wave(float *height)
{
    __shared__ barrier bar;
    __shared__ float at[2][POINTS];
    const int i = threadIdx.x;
    const bool tied = i == 0 || i == POINTS - 1;
    if (i == 0)
        init(&bar, POINTS);
    __syncthreads();
    float now = height[i], before = now;
    for (int step = 0; step < STEPS; step++) {
        at[step % 2][i] = now;
        barrier::arrival_token token = bar.arrive();
        float own = next(now, before, 0, 0); /* what needs no neighbour */
        bar.wait(std::move(token));
        if (tied)
            continue;
        before = now;
        now = own + 0.25f * (at[step % 2][i - 1] + at[step % 2][i + 1]);
    }
    height[i] = now;
}

/* Two buffers; `full` says that one can be read, `empty` that it can be written again.  The last
 * warp fetches. */
__global__ void dot(const float *a, const float *b, double *out)
{
    __shared__ barrier full[2], empty[2];
    __shared__ float part[2][2][PART];
    const int i = threadIdx.x, parts = N / PART / GRID;
    if (i == 0)
        for (int k = 0; k < 2; k++)
            init(&full[k], PART + 32), init(&empty[k], PART + 32);
    __syncthreads();
    if (i >= PART) {
        for (int p = 0; p < parts; p++) {
            const int from = (p * GRID + (int)blockIdx.x) * PART;
            if (p >= 2)
                empty[p % 2].arrive_and_wait();
            for (int k = i - PART; k < PART; k += 32) {
                cuda::memcpy_async(&part[p % 2][0][k], a + from + k, sizeof(float), full[p % 2]);
                cuda::memcpy_async(&part[p % 2][1][k], b + from + k, sizeof(float), full[p % 2]);
            }
            (void)full[p % 2].arrive();
        }
        return;
    }
    double sum = 0;
    for (int p = 0; p < parts; p++) {
        full[p % 2].arrive_and_wait();
        sum += (double)part[p % 2][0][i] * part[p % 2][1][i];
        if (p + 2 < parts)
            (void)empty[p % 2].arrive();
    }
    atomicAdd(out, sum);
}

static void host_wave(float *height)
{
    static float now[POINTS], before[POINTS], then[POINTS];
    for (int i = 0; i < POINTS; i++)
        now[i] = before[i] = height[i];
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < POINTS; i++)
            then[i] = i == 0 || i == POINTS - 1 ? now[i]
                                                : next(now[i], before[i], now[i - 1], now[i + 1]);
        for (int i = 0; i < POINTS; i++)
            before[i] = now[i], now[i] = then[i];
    }
    for (int i = 0; i < POINTS; i++)
        height[i] = now[i];
}

int main()
{
    static float want[POINTS], have[POINTS], a[N], b[N];
    float *height, *da, *db;
    double *sum, product = 0, exact = 0;
    unsigned seed = 31;
    for (int i = 0; i < POINTS; i++)
        want[i] = expf(-(i - 40) * (i - 40) / 50.0f);
    for (int i = 0; i < N; i++) {
        a[i] = (float)(draw(&seed) % 100), b[i] = (float)(draw(&seed) % 100) - 50;
        exact += (double)a[i] * b[i];
    }
    checkCudaErrors(cudaMalloc(&height, sizeof(want)));
    checkCudaErrors(cudaMalloc(&da, sizeof(a)));
    checkCudaErrors(cudaMalloc(&db, sizeof(b)));
    checkCudaErrors(cudaMalloc(&sum, sizeof(*sum)));
    checkCudaErrors(cudaMemcpy(height, want, sizeof(want), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(db, b, sizeof(b), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemset(sum, 0, sizeof(*sum)));
    wave<<<1, POINTS>>>(height);
    dot<<<GRID, PART + 32>>>(da, db, sum);
    getLastCudaError("phases");
    checkCudaErrors(cudaMemcpy(have, height, sizeof(have), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(&product, sum, sizeof(product), cudaMemcpyDeviceToHost));
    host_wave(want);
    for (int i = 0; i < POINTS; i++)
        expect("height at", i, have[i], want[i], 1e-4);
    expect("dot product of", N, product, exact);
    checkCudaErrors(cudaFree(height));
    checkCudaErrors(cudaFree(da));
    checkCudaErrors(cudaFree(db));
    checkCudaErrors(cudaFree(sum));
    return verdict();
}
