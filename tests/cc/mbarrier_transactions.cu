// mbarrier's transactions: threads fill a buffer and complete as many bytes as they wrote, and all
// wait for those that one of them has expected, round after round.
// timing
#include "check.h"

enum { BLOCK = 128, ROUNDS = 5 };

static __device__ unsigned in_shared(const void *p)
{
    unsigned at;
    asm("{ .reg .b64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }"
        : "=r"(at)
        : "l"(p));
    return at;
}

static __device__ void init(unsigned barrier, unsigned count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

static __device__ void arrive_and_expect(unsigned barrier, unsigned bytes)
{
    asm volatile(
        "{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(
            barrier),
        "r"(bytes)
        : "memory");
}

static __device__ void expect(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier),
                 "r"(bytes)
                 : "memory");
}

static __device__ void complete(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier),
                 "r"(bytes)
                 : "memory");
}

static __device__ void wait(unsigned barrier, unsigned parity)
{
    int over = 0;
    while (!over)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
                     "selp.s32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "r"(barrier), "r"(parity)
                     : "memory");
}

/* The first thread alone arrives.  Half of what is to come it expects after it may have come. */
__global__ void rounds(int *out)
{
    __shared__ unsigned long long barrier;
    __shared__ int buffer[2][BLOCK];
    unsigned b = in_shared(&barrier), i = threadIdx.x;
    if (i == 0)
        init(b, 1);
    __syncthreads();
    for (int r = 0; r < ROUNDS; r++) {
        buffer[r % 2][i] = (int)i * (r + 1);
        __threadfence_block();
        complete(b, 4);
        if (i == 0) {
            expect(b, 4 * BLOCK / 2);
            arrive_and_expect(b, 4 * BLOCK / 2);
        }
        wait(b, r % 2);
        out[r * BLOCK + i] = buffer[r % 2][BLOCK - 1 - i];
    }
}

int main()
{
    int *out = shared_array<int>(ROUNDS * BLOCK);
    rounds<<<1, BLOCK>>>(out);
    finish_kernels();
    for (int i = 0; i < ROUNDS * BLOCK; i++)
        CHECK(out[i] == (BLOCK - 1 - i % BLOCK) * (i / BLOCK + 1));
    return finish();
}
