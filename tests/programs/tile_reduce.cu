// Sums, least and greatest of an array by groups of threads: tiles of 32, 16 and 8 with cg::reduce,
// the same by shuffles, and a whole block by its tiles; then the offsets of rows by a scan.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <helper_cuda.h>
#include <limits.h>

#include "verdict.h"

namespace cg = cooperative_groups;

enum { N = 3000, BLOCK = 128, GRID = 5, ROWS = 96 };

struct result {
    long long sum;
    int least, most;
    float positive; /* how many are above 0, by shuffles */
};

template <class Group> __device__ float sum_by_shuffles(const Group &g, float v)
{
    for (int i = (int)g.size() / 2; i > 0; i /= 2)
        v += g.shfl_down(v, i);
    return v; /* right in rank 0 */
}

/* One partial result per tile in shared memory, which the first tile takes together. */
template <int SIZE> __global__ void reduce(const int *in, int n, result *out)
{
    __shared__ long long sums[BLOCK / SIZE];
    __shared__ int least[BLOCK / SIZE], most[BLOCK / SIZE];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<SIZE>(block);
    long long sum = 0;
    int low = INT_MAX, high = INT_MIN;
    float positive = 0;
    for (int i = blockIdx.x * BLOCK + (int)block.thread_rank(); i < n; i += GRID * BLOCK) {
        sum += in[i];
        low = min(low, in[i]), high = max(high, in[i]);
        positive += in[i] > 0;
    }
    unsigned me = tile.meta_group_rank();
    sum = cg::reduce(tile, sum, cg::plus<long long>());
    low = cg::reduce(tile, low, cg::less<int>());
    high = cg::reduce(tile, high, cg::greater<int>());
    positive = sum_by_shuffles(tile, positive);
    if (tile.thread_rank() == 0) {
        sums[me] = sum, least[me] = low, most[me] = high;
        atomicAdd(&out->positive, positive);
    }
    block.sync();
    if (me != 0)
        return;
    sum = 0, low = INT_MAX, high = INT_MIN;
    for (unsigned i = tile.thread_rank(); i < tile.meta_group_size(); i += tile.size())
        sum += sums[i], low = min(low, least[i]), high = max(high, most[i]);
    sum = cg::reduce(tile, sum, cg::plus<long long>());
    low = cg::reduce(tile, low, cg::less<int>());
    high = cg::reduce(tile, high, cg::greater<int>());
    if (tile.thread_rank() == 0) {
        atomicAdd((unsigned long long *)&out->sum, (unsigned long long)sum);
        atomicMin(&out->least, low);
        atomicMax(&out->most, high);
    }
}

/* Where each row begins, given how long each is: a tile scans 32, the last end is carried on. */
__global__ void offsets(const int *length, int *begin)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int carried = 0;
    for (int i = (int)tile.thread_rank(); i < ROWS; i += 32) {
        int to = cg::inclusive_scan(tile, length[i]);
        begin[i] = carried + to - length[i];
        carried += tile.shfl(to, 31);
    }
}

template <int SIZE> static void check(const int *device, const int *host)
{
    result none = {0, INT_MAX, INT_MIN, 0}, have, want = none, *out;
    for (int i = 0; i < N; i++) {
        want.sum += host[i];
        want.least = min(want.least, host[i]), want.most = max(want.most, host[i]);
        want.positive += host[i] > 0;
    }
    checkCudaErrors(cudaMalloc(&out, sizeof(have)));
    checkCudaErrors(cudaMemcpy(out, &none, sizeof(none), cudaMemcpyHostToDevice));
    reduce<SIZE><<<GRID, BLOCK>>>(device, N, out);
    getLastCudaError("reduce");
    checkCudaErrors(cudaMemcpy(&have, out, sizeof(have), cudaMemcpyDeviceToHost));
    expect("sum of tiles of", SIZE, (double)have.sum, (double)want.sum);
    expect("least of tiles of", SIZE, have.least, want.least);
    expect("greatest of tiles of", SIZE, have.most, want.most);
    expect("positive ones of tiles of", SIZE, have.positive, want.positive);
    checkCudaErrors(cudaFree(out));
}

int main()
{
    static int host[N], begin[ROWS];
    int *device, *out;
    unsigned seed = 11;
    for (int i = 0; i < N; i++)
        host[i] = (int)draw(&seed) - 30000;
    checkCudaErrors(cudaMalloc(&device, sizeof(host)));
    checkCudaErrors(cudaMalloc(&out, sizeof(begin)));
    checkCudaErrors(cudaMemcpy(device, host, sizeof(host), cudaMemcpyHostToDevice));
    check<32>(device, host);
    check<16>(device, host);
    check<8>(device, host);
    offsets<<<1, 32>>>(device, out);
    getLastCudaError("offsets");
    checkCudaErrors(cudaMemcpy(begin, out, sizeof(begin), cudaMemcpyDeviceToHost));
    for (int i = 0, at = 0; i < ROWS; at += host[i++])
        expect("begin of row", i, begin[i], at);
    checkCudaErrors(cudaFree(device));
    checkCudaErrors(cudaFree(out));
    return verdict();
}
