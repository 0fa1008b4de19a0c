// cuda::atomic and cuda::atomic_ref: every operation and size, on the device and on the host.
// timing
#include "check.h"
#include <cuda/atomic>
#include <cuda/std/atomic>

enum { N = 96 };

struct sums { /* each from 0, unless said otherwise, N threads */
    cuda::atomic<int, cuda::thread_scope_device> add, sub, least, most;
    cuda::atomic<unsigned, cuda::thread_scope_device> both, any, odd;
    cuda::atomic<unsigned long long> wide;
    cuda::atomic<long long, cuda::thread_scope_block> wide_least;
    cuda::atomic<float> real;
    cuda::atomic<double> twice;
    cuda::atomic<unsigned char> byte[4];
    cuda::atomic<short> half;
    cuda::atomic<int *> pointer;
    cuda::std::atomic<int> plain;
    int there[2];
};

/* The same for a thread of either side. */
__host__ __device__ void work(sums *s, int i)
{
    s->add.fetch_add(i + 1);
    s->sub.fetch_sub(i, cuda::memory_order_relaxed);
    s->least.fetch_min(-i, cuda::memory_order_acq_rel);
    s->most.fetch_max(i, cuda::std::memory_order_release);
    s->both.fetch_and(~(1u << i % 32));
    s->any.fetch_or(1u << i % 32);
    s->odd.fetch_xor(1u << i % 5);
    s->wide += 1ull << 40;
    s->wide_least.fetch_min(-((long long)i << 33));
    s->real.fetch_add(0.5f);
    s->twice += 0.25;
    s->byte[i % 4]++;
    s->half.fetch_sub(3);
    s->pointer += 2;
    int seen = s->plain.load(cuda::memory_order_relaxed);
    while (!s->plain.compare_exchange_weak(seen, seen * 2 % 1009 + 1))
        ;
    cuda::atomic_ref<int, cuda::thread_scope_device> there(s->there[0]);
    ++there;
    cuda::std::atomic_ref<int>(s->there[1]).fetch_add(2);
}

__global__ void kernel(sums *s)
{
    work(s, (int)(blockIdx.x * blockDim.x + threadIdx.x));
}

static void begin(sums *s)
{
    memset((void *)s, 0, sizeof(*s));
    s->both = ~0u;
    s->plain = 1;
}

static void check(sums *s)
{
    int odd = 0, plain = 1, most = N - 1;
    for (int i = 0; i < N; i++) {
        odd ^= 1 << i % 5;
        plain = plain * 2 % 1009 + 1;
    }
    CHECK(s->add == N * (N + 1) / 2 && s->sub.load() == -N * (N - 1) / 2);
    CHECK(s->least == -most && s->most == most && s->both == 0 && s->any == ~0u);
    CHECK(s->odd == (unsigned)odd && s->wide == (unsigned long long)N << 40);
    CHECK(s->wide_least == -((long long)most << 33));
    CHECK(s->real == 48.0f && s->twice == 24.0 && s->half == -3 * N);
    for (int k = 0; k < 4; k++)
        CHECK(s->byte[k] == N / 4);
    CHECK(s->pointer.load() == (int *)0 + 2 * N && s->plain == plain);
    CHECK(s->there[0] == N && s->there[1] == 2 * N);
}

/* A block tells the next one: what it wrote before is seen after. */
__global__ void relay(cuda::atomic<int, cuda::thread_scope_device> *turn, int *data)
{
    if (threadIdx.x)
        return;
    int me = (int)blockIdx.x;
    while (turn->load(cuda::memory_order_acquire) != me)
        ;
    data[me + 1] = data[me] * 2 + 1;
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    turn->store(me + 1, cuda::memory_order_release);
    turn->notify_all();
}

__global__ void values(int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> s;
    s = 5;
    out[0] = s.exchange(7) + 10 * (s.fetch_add(1) + 10 * ++s);
    int seen = 3;
    out[1] = s.compare_exchange_strong(seen, 1) + 10 * seen;
    out[2] = s.compare_exchange_strong(seen, 1, cuda::memory_order_seq_cst,
                                       cuda::memory_order_relaxed) + 10 * s;
    s.wait(4);
    out[3] = s.is_lock_free() + (s -= 3);
}

int main()
{
    sums *s = shared_array<sums>(1);
    begin(s);
    kernel<<<3, N / 3>>>(s);
    finish_kernels();
    check(s);
    begin(s);
    for (int i = 0; i < N; i++)
        work(s, i);
    check(s);

    auto *turn = shared_array<cuda::atomic<int, cuda::thread_scope_device>>(1);
    int *data = shared_array<int>(6);
    relay<<<5, 32>>>(turn, data);
    finish_kernels();
    CHECK(data[5] == 31 && *turn == 5);

    values<<<1, 1>>>(data);
    finish_kernels();
    CHECK(data[0] == 5 + 10 * (7 + 10 * 9)); /* left to right: 5 -> 7 -> 8 -> 9 */
    CHECK(data[1] == 90 && data[2] == 1 + 10 * 1 && data[3] == 1 - 2);
    return finish();
}
