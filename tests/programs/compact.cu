// Keeps what is positive, and counts what falls into which class: threads of a warp that take the
// same branch draw places together, one atomic operation for all of them.
#include <algorithm>
#include <cooperative_groups.h>
#include <helper_cuda.h>
#include <vector>

#include "verdict.h"

namespace cg = cooperative_groups;

enum { N = 5000, CLASSES = 7, BLOCK = 96 };

/* As atomicAdd(counter, 1), by all threads that are here. */
__device__ static int draw_place(int *counter)
{
    cg::coalesced_group here = cg::coalesced_threads();
    int first = 0;
    if (here.thread_rank() == 0)
        first = atomicAdd(counter, (int)here.size());
    return here.shfl(first, 0) + (int)here.thread_rank();
}

__global__ void keep_positive(const int *in, int n, int *out, int *n_out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (in[i] > 0)
            out[draw_place(n_out)] = in[i];
}

/* Lanes of the same class are a group of their own. */
__global__ void classify(const int *in, int n, int *count, int *sum)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int c = abs(in[i]) % CLASSES;
        auto alike = cg::labeled_partition(cg::coalesced_threads(), c);
        int mine = in[i];
        for (unsigned k = 1; k < alike.size(); k++) { /* the first adds up what the others have */
            int v = alike.shfl(in[i], k);
            mine += alike.thread_rank() == 0 ? v : 0;
        }
        if (alike.thread_rank() == 0) {
            atomicAdd(&count[c], (int)alike.size());
            atomicAdd(&sum[c], mine);
        }
    }
}

/* Pairs of the two halves of a warp that differ in sign, counted by each half's first lane. */
__global__ void halves(const int *in, int n, int *pairs)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? in[i] : 0;
    auto side = cg::binary_partition(warp, warp.thread_rank() < 16);
    unsigned negative = side.ballot(v < 0), other = __shfl_xor_sync(~0u, negative, 16);
    if (side.thread_rank() == 0)
        atomicAdd(pairs, __popc(negative ^ other));
}

int main()
{
    std::vector<int> host(N), want, have(N);
    int count[2 * CLASSES + 2] = {0}, *in, *out, *counts, pairs = 0;
    unsigned seed = 23;
    for (int &v : host)
        v = (int)(draw(&seed) % 2001) - 1000;
    checkCudaErrors(cudaMalloc(&in, N * sizeof(int)));
    checkCudaErrors(cudaMalloc(&out, N * sizeof(int)));
    checkCudaErrors(cudaMalloc(&counts, sizeof(count)));
    checkCudaErrors(cudaMemcpy(in, host.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemset(counts, 0, sizeof(count)));
    keep_positive<<<9, BLOCK>>>(in, N, out, counts + 2 * CLASSES);
    classify<<<9, BLOCK>>>(in, N, counts, counts + CLASSES);
    halves<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(in, N, counts + 2 * CLASSES + 1);
    getLastCudaError("compact");
    checkCudaErrors(cudaMemcpy(count, counts, sizeof(count), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(have.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost));

    int n[CLASSES] = {0}, sum[CLASSES] = {0};
    for (int v : host) {
        n[abs(v) % CLASSES]++, sum[abs(v) % CLASSES] += v;
        if (v > 0)
            want.push_back(v);
    }
    for (int i = 0; i < N; i += 32)
        for (int k = i; k < i + 16; k++)
            pairs += (k < N && host[k] < 0) != (k + 16 < N && host[k + 16] < 0);
    expect("positive ones of", N, count[2 * CLASSES], (double)want.size());
    have.resize(want.size()); /* in whatever order */
    std::sort(have.begin(), have.end());
    std::sort(want.begin(), want.end());
    for (size_t i = 0; i < want.size(); i++)
        expect("kept value", (long)i, have[i], want[i]);
    for (int c = 0; c < CLASSES; c++) {
        expect("members of class", c, count[c], n[c]);
        expect("sum of class", c, count[CLASSES + c], sum[c]);
    }
    /* each of the two halves counts what it sees */
    expect("pairs of different sign among", N, count[2 * CLASSES + 1], 2 * pairs);
    checkCudaErrors(cudaFree(in));
    checkCudaErrors(cudaFree(out));
    checkCudaErrors(cudaFree(counts));
    return verdict();
}
