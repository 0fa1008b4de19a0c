// Reductions and scans of cooperative_groups/reduce.h and scan.h.
// timing
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

enum { N = 44, FIELDS = 16 }; /* a warp, and one that lacks twenty lanes */

static __host__ __device__ int value(int i)
{
    return (i * 29 + 7) % 53 - 20;
}

template <class Group> __device__ void work(const Group &g, int i, int *o, double *d)
{
    int v = value(i);
    o[0] = cg::reduce(g, v, cg::plus<int>());
    o[1] = cg::reduce(g, v, cg::less<int>());
    o[2] = cg::reduce(g, v, cg::greater<int>());
    o[3] = cg::reduce(g, v, cg::bit_and<int>());
    o[4] = cg::reduce(g, v, cg::bit_or<int>());
    o[5] = cg::reduce(g, v, cg::bit_xor<int>());
    o[6] = cg::reduce(g, v, [](int a, int b) { return a * a < b * b ? b : a; });
    o[7] = cg::inclusive_scan(g, v);
    o[8] = cg::exclusive_scan(g, v);
    o[9] = cg::inclusive_scan(g, v, cg::greater<int>());
    o[10] = cg::exclusive_scan(g, v, cg::less<int>());
    o[11] = cg::exclusive_scan(g, v, cg::bit_and<int>());
    *d = cg::reduce(g, v + 0.5, cg::plus<double>());
}

__global__ void tiles(int *out, double *d)
{
    int i = threadIdx.x;
    auto t = cg::tiled_partition<16>(cg::this_thread_block());
    work(t, i, out + FIELDS * i, d + i);
}

__global__ void some(int *out, double *d)
{
    int i = threadIdx.x;
    if (i % 5 == 2 || i % 5 == 3)
        work(cg::coalesced_threads(), i, out + FIELDS * i, d + i);
}

/* `who` are the threads of i's group, in order. */
static void check(const int *o, double d, const int *who, int n, int i)
{
    int sum = 0, least = 0x7fffffff, most = -0x7fffffff - 1, all = -1, one = 0, odd = 0, far = 0;
    int before = 0, least_before = 0, all_before = 0, upto = 0, most_upto = 0;
    for (int k = 0; k < n; k++) {
        int v = value(who[k]);
        if (who[k] == i)
            before = sum, least_before = least, all_before = all;
        sum += v;
        least = v < least ? v : least;
        most = v > most ? v : most;
        all &= v, one |= v, odd ^= v;
        far = v * v > far * far ? v : far;
        if (who[k] == i)
            upto = sum, most_upto = most;
    }
    CHECK(o[0] == sum && o[1] == least && o[2] == most);
    CHECK(o[3] == all && o[4] == one && o[5] == odd && o[6] * o[6] == far * far);
    CHECK(o[7] == upto && o[8] == before && o[9] == most_upto);
    CHECK(o[10] == least_before && o[11] == all_before);
    CHECK(d == sum + 0.5 * n);
}

int main()
{
    int *out = shared_array<int>(N * FIELDS), who[N], n;
    double *d = shared_array<double>(N);
    tiles<<<1, N>>>(out, d);
    finish_kernels();
    for (int i = 0; i < N; i++) {
        n = 0;
        for (int k = i / 16 * 16; k < i / 16 * 16 + 16 && k < N; k++)
            who[n++] = k;
        check(out + FIELDS * i, d[i], who, n, i);
    }
    some<<<1, N>>>(out, d);
    finish_kernels();
    for (int i = 0; i < N; i++) {
        n = 0;
        for (int k = i / 32 * 32; k < i / 32 * 32 + 32 && k < N; k++)
            if (k % 5 == 2 || k % 5 == 3)
                who[n++] = k;
        if (i % 5 == 2 || i % 5 == 3)
            check(out + FIELDS * i, d[i], who, n, i);
    }
    return finish();
}
