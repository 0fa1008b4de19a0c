// __ldg and const __restrict__ pointers.
#include "check.h"

struct big {
    float4 v[2];
};

__global__ void work(const float *__restrict__ f, const int4 *q, const double2 *d,
                     const unsigned char *c, float *__restrict__ out)
{
    int i = threadIdx.x;
    int4 v = __ldg(q + i);
    double2 e = __ldg(&d[i]);
    out[i] = __ldg(f + i) + f[63 - i] + v.w + (float)e.y + __ldg(c + i);
}

int main()
{
    float *f = shared_array<float>(64), *out = shared_array<float>(64);
    int4 *q = shared_array<int4>(64);
    double2 *d = shared_array<double2>(64);
    unsigned char *c = shared_array<unsigned char>(64);
    for (int i = 0; i < 64; i++) {
        f[i] = i;
        q[i] = make_int4(0, 0, 0, 2 * i);
        d[i] = make_double2(0, 0.5 * i);
        c[i] = (unsigned char)i;
    }
    work<<<1, 64>>>(f, q, d, c, out);
    finish_kernels();
    for (int i = 0; i < 64; i++)
        CHECK(out[i] == 63 + 3.5f * i);
    return finish();
}
