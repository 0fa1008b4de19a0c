// Memory in the order of streams: several chains of kernels, each with temporaries from
// cudaMallocAsync that are given back before the chain ends; a pool of the program's own that keeps
// what it has.
#include <helper_cuda.h>
#include <vector>

#include "verdict.h"

enum { N = 3000, CHAINS = 3, ROUNDS = 4, BLOCK = 128 };

__global__ void scale(const float *in, float *out, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = by * in[i];
}

__global__ void add(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] + b[i];
}

static size_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which)
{
    unsigned long long v = 0;
    checkCudaErrors(cudaMemPoolGetAttribute(pool, which, &v));
    return (size_t)v;
}

/* x becomes 2x + 3x, by two temporaries of the stream; ahead of all kernels that use them. */
static void five_times(float *x, cudaMemPool_t pool, cudaStream_t s)
{
    float *twice, *thrice;
    const int grid = (N + BLOCK - 1) / BLOCK;
    checkCudaErrors(cudaMallocAsync(&twice, N * sizeof(float), s));
    checkCudaErrors(cudaMallocFromPoolAsync(&thrice, N * sizeof(float), pool, s));
    scale<<<grid, BLOCK, 0, s>>>(x, twice, 2, N);
    scale<<<grid, BLOCK, 0, s>>>(x, thrice, 3, N);
    add<<<grid, BLOCK, 0, s>>>(twice, thrice, x, N);
    checkCudaErrors(cudaFreeAsync(twice, s));
    checkCudaErrors(cudaFreeAsync(thrice, s));
}

static cudaMemPool_t own_pool(void)
{
    cudaMemPoolProps props = {};
    cudaMemPool_t pool;
    unsigned long long keep = ~0ull;
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    checkCudaErrors(cudaMemPoolCreate(&pool, &props));
    checkCudaErrors(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    return pool;
}

/* Nothing is in use, the own pool once had a temporary, and trimming frees what it kept. */
static void check_given_back(cudaMemPool_t usual, cudaMemPool_t own)
{
    size_t most = attribute(own, cudaMemPoolAttrUsedMemHigh);
    expect("bytes used of pool", 0, (double)attribute(usual, cudaMemPoolAttrUsedMemCurrent), 0);
    expect("bytes used of pool", 1, (double)attribute(own, cudaMemPoolAttrUsedMemCurrent), 0);
    expect("a temporary fits into bytes", (long)most, most >= N * sizeof(float), 1);
    checkCudaErrors(cudaMemPoolTrimTo(own, 0));
    expect("bytes kept by pool", 1, (double)attribute(own, cudaMemPoolAttrReservedMemCurrent), 0);
}

int main()
{
    std::vector<float> host(CHAINS * N), have(CHAINS * N), sum(N);
    cudaStream_t stream[CHAINS];
    cudaEvent_t done[CHAINS];
    cudaMemPool_t pool = own_pool(), usual;
    float *x[CHAINS], *total;
    unsigned seed = 37;
    int pools = 0;
    checkCudaErrors(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0));
    expect("pools on device", 0, pools, 1);
    checkCudaErrors(cudaDeviceGetDefaultMemPool(&usual, 0));
    for (float &v : host)
        v = (float)(draw(&seed) % 100);
    for (int c = 0; c < CHAINS; c++) {
        checkCudaErrors(cudaStreamCreateWithFlags(&stream[c], cudaStreamNonBlocking));
        checkCudaErrors(cudaEventCreateWithFlags(&done[c], cudaEventDisableTiming));
        checkCudaErrors(cudaMallocAsync(&x[c], N * sizeof(float), stream[c]));
        checkCudaErrors(cudaMemcpyAsync(x[c], &host[c * N], N * sizeof(float),
                                        cudaMemcpyHostToDevice, stream[c]));
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int c = 0; c < CHAINS; c++)
            five_times(x[c], pool, stream[c]);

    /* The first stream adds up what the others made, once they have. */
    for (int c = 1; c < CHAINS; c++) {
        checkCudaErrors(cudaEventRecord(done[c], stream[c]));
        checkCudaErrors(cudaStreamWaitEvent(stream[0], done[c], 0));
    }
    checkCudaErrors(cudaMallocAsync(&total, N * sizeof(float), stream[0]));
    checkCudaErrors(cudaMemsetAsync(total, 0, N * sizeof(float), stream[0]));
    for (int c = 0; c < CHAINS; c++)
        add<<<(N + BLOCK - 1) / BLOCK, BLOCK, 0, stream[0]>>>(total, x[c], total, N);
    checkCudaErrors(
        cudaMemcpyAsync(sum.data(), total, N * sizeof(float), cudaMemcpyDeviceToHost, stream[0]));
    for (int c = 0; c < CHAINS; c++) {
        checkCudaErrors(cudaMemcpyAsync(&have[c * N], x[c], N * sizeof(float),
                                        cudaMemcpyDeviceToHost, stream[0]));
        checkCudaErrors(cudaFreeAsync(x[c], stream[0]));
    }
    checkCudaErrors(cudaFreeAsync(total, stream[0]));
    for (int c = 0; c < CHAINS; c++)
        checkCudaErrors(cudaStreamSynchronize(stream[c]));
    for (int i = 0; i < CHAINS * N; i++)
        expect("element", i, have[i], 625 * host[i]);
    for (int i = 0; i < N; i++)
        expect("sum", i, sum[i], have[i] + have[N + i] + have[2 * N + i]);

    check_given_back(usual, pool);
    checkCudaErrors(cudaMemPoolDestroy(pool));
    for (int c = 0; c < CHAINS; c++) {
        checkCudaErrors(cudaEventDestroy(done[c]));
        checkCudaErrors(cudaStreamDestroy(stream[c]));
    }
    return verdict();
}
