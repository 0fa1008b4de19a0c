// Votes of a warp, with the names of old and with masks.
#include "check.h"

__global__ void work(unsigned *out)
{
    int i = threadIdx.x;
    unsigned b = __ballot(i & 1), s = __ballot_sync(~0u, i < 4);
    int any = __any(i == 3), all = __all(i < 32), any_s = __any_sync(~0u, i > 31),
        all_s = __all_sync(~0u, i != 7);
    if (i < 8) {
        unsigned active = __activemask();
        __syncwarp(0xff);
        if (i == 0)
            out[6] = active;
    }
    if (i == 0)
        out[0] = b, out[1] = s, out[2] = any, out[3] = all, out[4] = any_s, out[5] = all_s;
    out[8 + i] = __popc(b) + __ffs(i) + __clz(i) + __brev(i) % 7;
}

int main()
{
    unsigned *out = shared_array<unsigned>(40);
    work<<<1, 32>>>(out);
    finish_kernels();
    CHECK(out[0] == 0xaaaaaaaau && out[1] == 0xf && out[2] == 1 && out[3] == 1);
    CHECK(out[4] == 0 && out[5] == 0 && out[6] == 0xff);
    for (unsigned i = 0; i < 32; i++) {
        unsigned clz = i ? (unsigned)__builtin_clz(i) : 32, reversed = 0;
        for (int k = 0; k < 32; k++)
            reversed |= (i >> k & 1) << (31 - k);
        CHECK(out[8 + i] == 16 + (unsigned)__builtin_ffs((int)i) + clz + reversed % 7);
    }
    return finish();
}
