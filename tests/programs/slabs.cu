// Counts words in a table whose buckets are slabs of 32 places: a warp inserts its lanes' words one
// after the other, its first lane has the bucket's lock, a cuda::atomic that warps of all blocks
// want, and all lanes look at a place each.
// options: -arch=sm_70
// run: -g v100 --set gpu.n_sm=4
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <helper_cuda.h>
#include <vector>

#include "verdict.h"

namespace cg = cooperative_groups;

enum { KEYS = 1500, DISTINCT = 200, BUCKETS = 11, BLOCK = 128 };

typedef cuda::atomic<int, cuda::thread_scope_device> word;
typedef cg::thread_block_tile<32> warp;

struct slab {
    word locked;
    unsigned key[32]; /* 0: free */
    int times[32];
};

struct table {
    word n_keys, n_lost;
    slab slabs[BUCKETS];
};

__device__ static void take(const warp &w, word *lock)
{
    if (w.thread_rank() == 0) {
        int open = 0;
        while (!lock->compare_exchange_weak(open, 1, cuda::memory_order_acquire))
            open = 0;
    }
    w.sync();
}

/* The lane whose place has the key, or else the first free one, counts it. */
__device__ static void count_key(const warp &w, table *t, unsigned key)
{
    slab *s = &t->slabs[key % BUCKETS];
    const int lane = (int)w.thread_rank();
    take(w, &s->locked);
    unsigned here = ((volatile unsigned *)s->key)[lane];
    unsigned found = w.ballot(here == key), room = w.ballot(here == 0);
    int by = __ffs((int)(found ? found : room)) - 1;
    if (lane == by) {
        s->key[lane] = key;
        *(volatile int *)&s->times[lane] = s->times[lane] + 1;
        if (!found)
            t->n_keys.fetch_add(1, cuda::memory_order_relaxed);
    } else if (by < 0 && lane == 0) {
        t->n_lost++;
    }
    __threadfence();
    w.sync();
    if (lane == 0)
        s->locked.store(0, cuda::memory_order_release);
    w.sync();
}

__global__ void insert(const unsigned *keys, int n, table *t)
{
    warp w = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mine = i < n ? keys[i] : 0;
    for (unsigned todo = w.ballot(mine != 0); todo; todo &= todo - 1)
        count_key(w, t, w.shfl(mine, __ffs((int)todo) - 1));
}

int main()
{
    std::vector<unsigned> keys(KEYS);
    int want[DISTINCT + 1] = {0}, have[DISTINCT + 1] = {0}, distinct = 0;
    unsigned *device, seed = 61;
    table *t;
    for (unsigned &k : keys)
        want[k = 1 + draw(&seed) % DISTINCT]++;
    checkCudaErrors(cudaMalloc(&device, KEYS * sizeof(unsigned)));
    checkCudaErrors(
        cudaMemcpy(device, keys.data(), KEYS * sizeof(unsigned), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMallocManaged(&t, sizeof(*t)));
    memset((void *)t, 0, sizeof(*t));
    insert<<<(KEYS + BLOCK - 1) / BLOCK, BLOCK>>>(device, KEYS, t);
    checkCudaErrors(cudaDeviceSynchronize());

    for (int b = 0; b < BUCKETS; b++) {
        expect("lock of bucket", b, t->slabs[b].locked.load(), 0);
        for (int i = 0; i < 32; i++) {
            unsigned k = t->slabs[b].key[i];
            if (k == 0 || k > DISTINCT)
                continue;
            expect("bucket of key", k, k % BUCKETS, b);
            expect("key is new:", k, have[k], 0);
            have[k] += t->slabs[b].times[i];
        }
    }
    for (int k = 1; k <= DISTINCT; k++) {
        expect("times of key", k, have[k], want[k]);
        distinct += want[k] > 0;
    }
    expect("keys in the table of", DISTINCT, t->n_keys.load(), distinct);
    expect("keys without a place of", KEYS, t->n_lost.load(), 0);
    checkCudaErrors(cudaFree(device));
    checkCudaErrors(cudaFree(t));
    return verdict();
}
