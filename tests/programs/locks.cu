// Orders of customers are put into lists of a hash table, each under a lock of its own that lanes of a
// warp contend for; then accounts are paid from one to the other under two locks.  Each thread waits
// for others of its warp, as GPUs can since Volta.
// run: -g v100 --set gpu.n_sm=4
#include <helper_cuda.h>
#include <vector>

#include "verdict.h"

enum { BLOCKS = 3, BLOCK = 96, ORDERS = BLOCKS * BLOCK, BUCKETS = 7, ACCOUNTS = 10 };

struct order {
    int customer, value, next;
};

__device__ int bucket_lock[BUCKETS], bucket_head[BUCKETS];
__device__ int account_lock[ACCOUNTS], balance[ACCOUNTS];
__device__ int warp_sums[ORDERS / 32];

__device__ void acquire(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
}

__device__ void release(int *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

/* The lock is left behind the loop: who holds it goes on while the others of its warp spin. */
__global__ void insert(order *orders)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, b = orders[i].customer % BUCKETS;

    acquire(&bucket_lock[b]);
    orders[i].next = *(volatile int *)&bucket_head[b];
    *(volatile int *)&bucket_head[b] = i + 1;
    release(&bucket_lock[b]);
    __syncwarp();

    int sum = orders[i].value;
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0)
        warp_sums[i / 32] = sum;
}

/* The lock is left within the loop; threads that have nothing to pay have ended before. */
__global__ void pay(const order *orders)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, from = orders[i].customer % ACCOUNTS;
    int to = (from + orders[i].value) % ACCOUNTS;
    bool done = false;

    if (from == to)
        return;
    int first = min(from, to), second = max(from, to);
    while (!done) {
        if (atomicCAS(&account_lock[first], 0, 1) == 0) {
            acquire(&account_lock[second]);
            *(volatile int *)&balance[from] -= orders[i].value;
            *(volatile int *)&balance[to] += orders[i].value;
            release(&account_lock[second]);
            release(&account_lock[first]);
            done = true;
        }
    }
}

/* Lanes hand a value on, from the last to the first and back: each waits for a flag of its neighbour. */
__global__ void relay(int *out)
{
    __shared__ volatile int baton[BLOCK];
    int t = threadIdx.x, lane = t % 32;

    baton[t] = 0;
    __syncthreads();
    if (lane == 31) {
        baton[t] = 1;
    } else {
        while (baton[t + 1] == 0)
            ;
        baton[t] = baton[t + 1] + 1;
    }
    __syncthreads();
    out[blockIdx.x * BLOCK + t] = baton[t];
}

static void check_lists(const std::vector<order> &orders)
{
    std::vector<int> head(BUCKETS), seen(ORDERS), sums(ORDERS / 32);

    checkCudaErrors(cudaMemcpyFromSymbol(head.data(), bucket_head, sizeof(int) * BUCKETS));
    checkCudaErrors(cudaMemcpyFromSymbol(sums.data(), warp_sums, sizeof(int) * sums.size()));
    for (int b = 0; b < BUCKETS; b++)
        for (int i = head[b], n = 0; i && n < ORDERS; i = orders[i - 1].next, n++) {
            expect("bucket of order", i - 1, orders[i - 1].customer % BUCKETS, b);
            seen[i - 1]++;
        }
    for (int i = 0; i < ORDERS; i++) {
        expect("times of order", i, seen[i], 1);
        sums[i / 32] -= orders[i].value;
    }
    for (size_t w = 0; w < sums.size(); w++)
        expect("rest of warp", (long)w, sums[w], 0);
}

static void check_accounts(const std::vector<order> &orders)
{
    int have[ACCOUNTS], want[ACCOUNTS] = {0};

    checkCudaErrors(cudaMemcpyFromSymbol(have, balance, sizeof have));
    for (const order &o : orders)
        want[o.customer % ACCOUNTS] -= o.value, want[(o.customer + o.value) % ACCOUNTS] += o.value;
    for (int a = 0; a < ACCOUNTS; a++)
        expect("account", a, have[a], want[a]);
}

int main()
{
    std::vector<order> orders(ORDERS);
    std::vector<int> batons(ORDERS);
    unsigned seed = 7;
    order *d;
    int *out;

    for (order &o : orders)
        o = {(int)(draw(&seed) % 1000), (int)(draw(&seed) % 50), 0};
    checkCudaErrors(cudaMalloc(&d, sizeof(order) * ORDERS));
    checkCudaErrors(cudaMalloc(&out, sizeof(int) * ORDERS));
    checkCudaErrors(cudaMemcpy(d, orders.data(), sizeof(order) * ORDERS, cudaMemcpyHostToDevice));
    insert<<<BLOCKS, BLOCK>>>(d);
    pay<<<BLOCKS, BLOCK>>>(d);
    relay<<<BLOCKS, BLOCK>>>(out);
    checkCudaErrors(cudaMemcpy(orders.data(), d, sizeof(order) * ORDERS, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(batons.data(), out, sizeof(int) * ORDERS, cudaMemcpyDeviceToHost));
    check_lists(orders);
    check_accounts(orders);
    for (int i = 0; i < ORDERS; i++)
        expect("baton", i, batons[i], 32 - i % 32);
    return verdict();
}
