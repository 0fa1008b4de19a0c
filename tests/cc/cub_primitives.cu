// CUB as Debian packages it: what works on a device, on a block, on a warp.
// timing
#include "check.h"
#include <algorithm>
#include <cub/cub.cuh>
#include <vector>

static const int N = 700;
enum { BLOCK = 64, ITEMS = 4 };

static std::vector<unsigned> values(void)
{
    std::vector<unsigned> v(N);
    for (int i = 0; i < N; i++)
        v[i] = (unsigned)i * 2654435761u >> 14;
    return v;
}

/* Calls twice, as CUB wants it: once for the size of the memory it needs. */
template <class Call> static void in_two_steps(Call call)
{
    size_t size = 0;
    void *memory = NULL;
    CHECK(call(memory, size) == cudaSuccess);
    CHECK(cudaMalloc(&memory, size) == cudaSuccess);
    CHECK(call(memory, size) == cudaSuccess);
    finish_kernels();
    cudaFree(memory);
}

static void devices(void)
{
    std::vector<unsigned> h = values();
    unsigned *in = shared_array<unsigned>(N), *out = shared_array<unsigned>(N), sum = 0;
    int *at = shared_array<int>(N), *order = shared_array<int>(N);
    std::copy(h.begin(), h.end(), in);
    for (int i = 0; i < N; i++)
        at[i] = i, sum += h[i];
    in_two_steps([&](void *m, size_t &s) { return cub::DeviceReduce::Sum(m, s, in, out, N); });
    CHECK(out[0] == sum);
    in_two_steps([&](void *m, size_t &s) { return cub::DeviceReduce::Max(m, s, in, out, N); });
    CHECK(out[0] == *std::max_element(h.begin(), h.end()));
    in_two_steps([&](void *m, size_t &s) { return cub::DeviceScan::InclusiveSum(m, s, in, out, N); });
    for (unsigned i = 0, upto = 0; i < N; i++)
        CHECK(out[i] == (upto += h[i]));
    in_two_steps([&](void *m, size_t &s) {
        return cub::DeviceRadixSort::SortPairs(m, s, in, out, at, order, N);
    });
    std::vector<int> want(at, at + N);
    std::stable_sort(want.begin(), want.end(), [&](int a, int b) { return h[a] < h[b]; });
    CHECK(std::equal(want.begin(), want.end(), order) && std::is_sorted(out, out + N));
    int bins[9] = {0}, *histogram = shared_array<int>(8);
    in_two_steps([&](void *m, size_t &s) {
        return cub::DeviceHistogram::HistogramEven(m, s, in, histogram, 9, 0u, 1u << 18, N);
    });
    for (int i = 0; i < N; i++)
        bins[h[i] >> 15]++;
    CHECK(std::equal(bins, bins + 8, histogram));
}

__global__ void blocks(const int *in, int *sums, int *scans, int *sorted)
{
    typedef cub::BlockReduce<int, BLOCK> reduce;
    typedef cub::BlockScan<int, BLOCK> scan;
    typedef cub::BlockRadixSort<int, BLOCK, ITEMS> sort;
    __shared__ union {
        reduce::TempStorage reduce;
        scan::TempStorage scan;
        sort::TempStorage sort;
    } memory;
    int item[ITEMS], first = (blockIdx.x * BLOCK + threadIdx.x) * ITEMS, sum;
    cub::LoadDirectBlocked(threadIdx.x, in + blockIdx.x * BLOCK * ITEMS, item);
    sum = reduce(memory.reduce).Sum(item);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
    __syncthreads();
    int upto[ITEMS];
    scan(memory.scan).InclusiveSum(item, upto);
    __syncthreads();
    sort(memory.sort).Sort(item);
    for (int i = 0; i < ITEMS; i++)
        scans[first + i] = upto[i], sorted[first + i] = item[i];
}

__global__ void warps(int *sums, int *before)
{
    typedef cub::WarpScan<int> scan;
    typedef cub::WarpReduce<int> reduce;
    __shared__ scan::TempStorage scans[BLOCK / 32];
    __shared__ reduce::TempStorage reduces[BLOCK / 32];
    int i = threadIdx.x, total = reduce(reduces[i / 32]).Sum(i * i), upto;
    scan(scans[i / 32]).ExclusiveSum(i, upto);
    before[i] = upto;
    if (i % 32 == 0)
        sums[i / 32] = total;
}

int main()
{
    enum { TILE = BLOCK * ITEMS };
    std::vector<unsigned> h = values();
    int *in = shared_array<int>(2 * TILE), *sums = shared_array<int>(4);
    int *scans = shared_array<int>(2 * TILE), *sorted = shared_array<int>(2 * TILE);
    devices();
    std::copy(h.begin(), h.begin() + 2 * TILE, in);
    blocks<<<2, BLOCK>>>(in, sums, scans, sorted);
    finish_kernels();
    for (int b = 0; b < 2; b++) {
        int upto = 0;
        for (int i = b * TILE; i < (b + 1) * TILE; i++)
            CHECK(scans[i] == (upto += in[i]));
        CHECK(sums[b] == upto);
        std::sort(in + b * TILE, in + (b + 1) * TILE);
        CHECK(std::equal(in + b * TILE, in + (b + 1) * TILE, sorted + b * TILE));
    }
    warps<<<1, BLOCK>>>(sums, scans);
    finish_kernels();
    for (int i = 0; i < BLOCK; i++)
        CHECK(scans[i] == (i - i / 32 * 32) * (i / 32 * 32 + i - 1) / 2);
    for (int w = 0; w < BLOCK / 32; w++) {
        int squares = 0;
        for (int i = w * 32; i < w * 32 + 32; i++)
            squares += i * i;
        CHECK(sums[w] == squares);
    }
    return finish();
}
