// Copies and kernels of several streams: an array is worked off in chunks, copied, computed and
// copied back in the stream of its turn; a last kernel waits for all of them by events, and
// callbacks count the chunks that are done.
#include <helper_cuda.h>

#include "verdict.h"

enum { N = 6000, CHUNKS = 5, STREAMS = 3, CHUNK = N / CHUNKS, BLOCK = 128 };

__global__ void compute(const int *in, unsigned *out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned v = (unsigned)in[i];
    for (int k = 0; k < rounds; k++)
        v = v * 69069u + 1u;
    out[i] = v;
}

/* How many end in so many zero bits. */
__global__ void count_zeros(const unsigned *v, int n, int *count)
{
    __shared__ int own[33];
    for (int i = threadIdx.x; i < 33; i += blockDim.x)
        own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[v[i] ? __ffs((int)v[i]) - 1 : 32], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 33; i += blockDim.x)
        atomicAdd(&count[i], own[i]);
}

static void CUDART_CB chunk_done(cudaStream_t, cudaError_t status, void *counter)
{
    if (status == cudaSuccess)
        ++*(int *)counter;
}

static void check_results(const int *host, const unsigned *back, const int *have)
{
    int want[33] = {0};
    for (int i = 0; i < N; i++) {
        unsigned v = (unsigned)host[i];
        int zeros = 0;
        for (int k = 0; k < 10 + i / CHUNK; k++)
            v = v * 69069u + 1u;
        expect("element", i, back[i], v);
        while (zeros < 32 && !(v >> zeros & 1))
            zeros++;
        want[zeros]++;
    }
    for (int i = 0; i < 33; i++)
        expect("numbers that end in zeros, so many:", i, have[i], want[i]);
}

int main()
{
    int *host, *in, *count, have[33], done[STREAMS] = {0}, total = 0;
    unsigned *back, *out, seed = 59;
    cudaStream_t stream[STREAMS], last;
    cudaEvent_t event[STREAMS];
    checkCudaErrors(cudaHostAlloc((void **)&host, N * sizeof(int), cudaHostAllocDefault));
    checkCudaErrors(cudaHostAlloc((void **)&back, N * sizeof(unsigned), cudaHostAllocDefault));
    checkCudaErrors(cudaMalloc(&in, N * sizeof(int)));
    checkCudaErrors(cudaMalloc(&out, N * sizeof(unsigned)));
    checkCudaErrors(cudaMalloc(&count, sizeof(have)));
    for (int i = 0; i < N; i++)
        host[i] = (int)draw(&seed);
    for (int s = 0; s < STREAMS; s++) {
        checkCudaErrors(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
        checkCudaErrors(cudaEventCreateWithFlags(&event[s], cudaEventDisableTiming));
    }
    checkCudaErrors(cudaStreamCreateWithPriority(&last, cudaStreamNonBlocking, 0));
    checkCudaErrors(cudaMemsetAsync(count, 0, sizeof(have), last));
    for (int c = 0; c < CHUNKS; c++) {
        cudaStream_t s = stream[c % STREAMS];
        const int at = c * CHUNK;
        checkCudaErrors(
            cudaMemcpyAsync(in + at, host + at, CHUNK * sizeof(int), cudaMemcpyHostToDevice, s));
        compute<<<(CHUNK + BLOCK - 1) / BLOCK, BLOCK, 0, s>>>(in + at, out + at, CHUNK, 10 + c);
        checkCudaErrors(cudaMemcpyAsync(back + at, out + at, CHUNK * sizeof(unsigned),
                                        cudaMemcpyDeviceToHost, s));
        checkCudaErrors(cudaStreamAddCallback(s, chunk_done, &done[c % STREAMS], 0));
        checkCudaErrors(cudaEventRecord(event[c % STREAMS], s));
    }
    for (int s = 0; s < STREAMS; s++)
        checkCudaErrors(cudaStreamWaitEvent(last, event[s], 0));
    count_zeros<<<4, BLOCK, 0, last>>>(out, N, count);
    checkCudaErrors(cudaMemcpyAsync(have, count, sizeof(have), cudaMemcpyDeviceToHost, last));
    checkCudaErrors(cudaStreamSynchronize(last));
    checkCudaErrors(cudaStreamQuery(last));
    checkCudaErrors(cudaDeviceSynchronize());

    check_results(host, back, have);
    for (int s = 0; s < STREAMS; s++)
        total += done[s];
    expect("chunks done of", CHUNKS, total, CHUNKS);
    for (int s = 0; s < STREAMS; s++) {
        checkCudaErrors(cudaEventDestroy(event[s]));
        checkCudaErrors(cudaStreamDestroy(stream[s]));
    }
    checkCudaErrors(cudaStreamDestroy(last));
    checkCudaErrors(cudaFreeHost(host));
    checkCudaErrors(cudaFreeHost(back));
    checkCudaErrors(cudaFree(in));
    checkCudaErrors(cudaFree(out));
    checkCudaErrors(cudaFree(count));
    return verdict();
}
