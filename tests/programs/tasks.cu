// Tasks of many sizes, matrices times vectors, in memory that host and device share: small ones are
// done by the host, others by the device, each by a worker with a stream of its own that has its
// task's memory attached; afterwards the host puts the results together where they are.
#include <helper_cuda.h>
#include <vector>

#include "verdict.h"

enum { TASKS = 10, WORKERS = 3, LEAST = 24, BLOCK = 64 };

struct task {
    int n;
    bool on_device;
    float *matrix, *vector, *result;
};

static __device__ float largest_of[4]; /* of the device alone, copied from at the end */

__global__ void multiply(const float *matrix, const float *vector, float *result, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; i < n && k < n; k++)
        sum += matrix[k * n + i] * vector[k];
    if (i < n)
        result[i] = sum;
}

/* The vector's largest; values are not negative, so that their bits compare alike. */
__global__ void find_largest(const float *v, int n, int slot)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax((int *)&largest_of[slot], __float_as_int(v[i]));
}

static float *shared(size_t n)
{
    float *p;
    checkCudaErrors(cudaMallocManaged(&p, n * sizeof(float)));
    return p;
}

static task make_task(int n, unsigned *seed)
{
    task t = {n, n >= LEAST, shared((size_t)n * n), shared(n), shared(n)};
    for (int i = 0; i < n * n; i++)
        t.matrix[i] = (float)(draw(seed) % 16);
    for (int i = 0; i < n; i++)
        t.vector[i] = (float)(draw(seed) % 16), t.result[i] = -1;
    return t;
}

static void by_host(const task &t, float *result)
{
    for (int i = 0; i < t.n; i++) {
        float sum = 0;
        for (int k = 0; k < t.n; k++)
            sum += t.matrix[k * t.n + i] * t.vector[k];
        result[i] = sum;
    }
}

static void by_device(const task &t, cudaStream_t s)
{
    checkCudaErrors(cudaStreamAttachMemAsync(s, t.matrix, 0, cudaMemAttachSingle));
    checkCudaErrors(cudaStreamAttachMemAsync(s, t.vector, 0, cudaMemAttachSingle));
    checkCudaErrors(cudaStreamAttachMemAsync(s, t.result, 0, cudaMemAttachSingle));
    multiply<<<(t.n + BLOCK - 1) / BLOCK, BLOCK, 0, s>>>(t.matrix, t.vector, t.result, t.n);
    getLastCudaError("multiply");
}

int main()
{
    std::vector<task> tasks;
    cudaStream_t stream[WORKERS];
    cudaEvent_t begin, end;
    unsigned seed = 43;
    int devices = 0, total = 0;
    float *all, want[128], ms = -1, largest = 0, have[4];
    for (int i = 0; i < TASKS; i++)
        tasks.push_back(make_task(4 + (int)(draw(&seed) % 90), &seed));
    for (cudaStream_t &s : stream)
        checkCudaErrors(cudaStreamCreate(&s));
    checkCudaErrors(cudaEventCreate(&begin));
    checkCudaErrors(cudaEventCreate(&end));
    checkCudaErrors(cudaEventRecord(begin, 0));
    for (int i = 0; i < TASKS; i++) {
        if (tasks[i].on_device)
            by_device(tasks[i], stream[devices++ % WORKERS]);
        else
            by_host(tasks[i], tasks[i].result);
        total += tasks[i].n;
    }
    checkCudaErrors(cudaEventRecord(end, 0));
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaEventElapsedTime(&ms, begin, end));
    expect("tasks of both kinds:", devices, devices > 1 && devices < TASKS, 1);
    expect("time does not go back:", 0, ms >= 0, 1);

    all = shared(total);
    for (int i = 0, at = 0; i < TASKS; at += tasks[i++].n) {
        by_host(tasks[i], want);
        for (int k = 0; k < tasks[i].n; k++) {
            expect("result", 1000 * i + k, tasks[i].result[k], want[k]);
            all[at + k] = tasks[i].result[k];
            largest = fmaxf(largest, want[k]);
        }
    }
    checkCudaErrors(cudaMemPrefetchAsync(all, total * sizeof(float), 0, 0));
    find_largest<<<(total + BLOCK - 1) / BLOCK, BLOCK>>>(all, total, 2);
    checkCudaErrors(cudaMemcpyFromSymbol(have, largest_of, sizeof(have)));
    expect("largest of all results", 2, have[2], largest);
    expect("largest of none", 1, have[1], 0);
    for (const task &t : tasks) {
        checkCudaErrors(cudaFree(t.matrix));
        checkCudaErrors(cudaFree(t.vector));
        checkCudaErrors(cudaFree(t.result));
    }
    checkCudaErrors(cudaFree(all));
    for (cudaStream_t s : stream)
        checkCudaErrors(cudaStreamDestroy(s));
    checkCudaErrors(cudaEventDestroy(begin));
    checkCudaErrors(cudaEventDestroy(end));
    return verdict();
}
