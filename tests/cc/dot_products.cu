// Products of the parts of words, added up: __dp4a, __dp2a_lo and __dp2a_hi, of words and of vectors.
// options: -arch=sm_61
#include "check.h"

enum { N = 96, FIELDS = 12 };

__global__ void dots(const unsigned *in, unsigned *out)
{
    unsigned a = in[threadIdx.x], b = in[N + threadIdx.x], c = in[2 * N + threadIdx.x];
    unsigned *o = out + FIELDS * threadIdx.x;
    uchar4 ua = make_uchar4(a, a >> 8, a >> 16, a >> 24), ub = make_uchar4(b, b >> 8, b >> 16, b >> 24);
    char4 sa = make_char4(a, a >> 8, a >> 16, a >> 24), sb = make_char4(b, b >> 8, b >> 16, b >> 24);

    o[0] = __dp4a(a, b, c);
    o[1] = __dp4a(ua, ub, c);
    o[2] = (unsigned)__dp4a((int)a, (int)b, (int)c);
    o[3] = (unsigned)__dp4a(sa, sb, (int)c);
    o[4] = __dp2a_lo(a, b, c);
    o[5] = __dp2a_lo(make_ushort2(a, a >> 16), ub, c);
    o[6] = (unsigned)__dp2a_lo((int)a, (int)b, (int)c);
    o[7] = (unsigned)__dp2a_lo(make_short2(a, a >> 16), sb, (int)c);
    o[8] = __dp2a_hi(a, b, c);
    o[9] = __dp2a_hi(make_ushort2(a, a >> 16), ub, c);
    o[10] = (unsigned)__dp2a_hi((int)a, (int)b, (int)c);
    o[11] = (unsigned)__dp2a_hi(make_short2(a, a >> 16), sb, (int)c);
}

/* Part i of so many bits, with its sign or without. */
static long long part(unsigned w, int i, int bits, bool has_sign)
{
    long long v = w >> (bits * i) & ((1u << bits) - 1);
    return has_sign && v >> (bits - 1) ? v - (1ll << bits) : v;
}

static void expect(unsigned a, unsigned b, unsigned c, unsigned want[FIELDS])
{
    for (int s = 0; s < 2; s++) {
        long long four = c, low = c, high = c;

        for (int i = 0; i < 4; i++)
            four += part(a, i, 8, s) * part(b, i, 8, s);
        for (int i = 0; i < 2; i++) {
            low += part(a, i, 16, s) * part(b, i, 8, s);
            high += part(a, i, 16, s) * part(b, i + 2, 8, s);
        }
        want[2 * s] = want[2 * s + 1] = (unsigned)four;
        want[4 + 2 * s] = want[5 + 2 * s] = (unsigned)low;
        want[8 + 2 * s] = want[9 + 2 * s] = (unsigned)high;
    }
}

int main()
{
    unsigned *in = shared_array<unsigned>(3 * N), *out = shared_array<unsigned>(FIELDS * N);
    unsigned want[FIELDS];

    for (int i = 0; i < 3 * N; i++)
        in[i] = i % N < 3 ? 0x80ff007fu << 8 * (i % N) : 2654435761u * i ^ i << 27;
    dots<<<1, N>>>(in, out);
    finish_kernels();
    for (int i = 0; i < N; i++) {
        expect(in[i], in[N + i], in[2 * N + i], want);
        for (int k = 0; k < FIELDS; k++)
            CHECK(out[FIELDS * i + k] == want[k]);
    }
    return finish();
}
