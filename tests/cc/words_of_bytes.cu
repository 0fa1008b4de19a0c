// Words of two halves or four bytes, added, compared and subtracted part by part: __vadd4 and its like.
#include "check.h"

__global__ void parts(const unsigned *in, unsigned *out)
{
    unsigned a = in[threadIdx.x], b = in[(threadIdx.x + 1) % blockDim.x];
    unsigned *o = out + 8 * threadIdx.x;

    o[0] = __vadd4(a, b);
    o[1] = __vsadu4(a, b);
    o[2] = __vabsdiffu4(a, b);
    o[3] = __vmaxs2(a, b);
    o[4] = __vcmpgtu4(a, b);
    o[5] = __vsubus2(a, b);
    o[6] = __vavgu4(a, b);
    o[7] = __vneg2(a);
}

static unsigned byte_of(unsigned w, int i)
{
    return w >> (8 * i) & 0xff;
}

static unsigned half_of(unsigned w, int i)
{
    return w >> (16 * i) & 0xffff;
}

static void expect(unsigned a, unsigned b, unsigned want[8])
{
    memset(want, 0, 8 * sizeof *want);
    for (int i = 0; i < 4; i++) {
        unsigned x = byte_of(a, i), y = byte_of(b, i), diff = x > y ? x - y : y - x;

        want[0] |= ((x + y) & 0xff) << (8 * i);
        want[1] += diff;
        want[2] |= diff << (8 * i);
        want[4] |= (x > y ? 0xffu : 0) << (8 * i);
        want[6] |= ((x + y + 1) / 2) << (8 * i);
    }
    for (int i = 0; i < 2; i++) {
        unsigned x = half_of(a, i), y = half_of(b, i);

        want[3] |= (unsigned)(unsigned short)max((short)x, (short)y) << (16 * i);
        want[5] |= (x > y ? x - y : 0) << (16 * i);
        want[7] |= (-x & 0xffff) << (16 * i);
    }
}

int main()
{
    const int n = 128;
    unsigned *in = shared_array<unsigned>(n), *out = shared_array<unsigned>(8 * n), want[8];

    for (int i = 0; i < n; i++)
        in[i] = i < 2 ? 0u - i : 2654435761u * i ^ i << 27;
    parts<<<1, n>>>(in, out);
    finish_kernels();
    for (int i = 0; i < n; i++) {
        expect(in[i], in[(i + 1) % n], want);
        for (int k = 0; k < 8; k++)
            CHECK(out[8 * i + k] == want[k]);
    }
    return finish();
}
