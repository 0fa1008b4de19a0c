// cuComplex.h: the same numbers from a kernel and from the host.
#include <cuComplex.h>

#include "check.h"

struct results {
    cuFloatComplex f[6];
    cuDoubleComplex d[6];
    float abs_f;
    double abs_d;
};

__host__ __device__ void compute(struct results *r, cuFloatComplex a, cuDoubleComplex b)
{
    cuFloatComplex i = make_cuComplex(0, 1);
    cuDoubleComplex j = make_cuDoubleComplex(0, 1);
    r->f[0] = cuCaddf(a, i), r->d[0] = cuCadd(b, j);
    r->f[1] = cuCsubf(a, i), r->d[1] = cuCsub(b, j);
    r->f[2] = cuCmulf(a, i), r->d[2] = cuCmul(b, j);
    r->f[3] = cuCdivf(a, cuConjf(i)), r->d[3] = cuCdiv(b, cuConj(j));
    r->f[4] = cuCfmaf(a, i, a), r->d[4] = cuCfma(b, j, b);
    r->f[5] = cuComplexDoubleToFloat(b), r->d[5] = cuComplexFloatToDouble(a);
    r->abs_f = cuCabsf(a), r->abs_d = cuCabs(b);
}

__global__ void kernel(struct results *r, cuFloatComplex a, cuDoubleComplex b)
{
    compute(r, a, b);
}

static bool are(const struct results *r)
{
    static const int want[6][2] = {{3, 5}, {3, 3}, {-4, 3}, {-4, 3}, {-1, 7}, {3, 4}};
    bool ok = r->abs_f == 5 && r->abs_d == 5;
    for (int k = 0; k < 6; k++)
        ok = ok && cuCrealf(r->f[k]) == want[k][0] && cuCimagf(r->f[k]) == want[k][1] &&
             cuCreal(r->d[k]) == want[k][0] && cuCimag(r->d[k]) == want[k][1];
    return ok;
}

int main()
{
    struct results r, *d;
    cuFloatComplex a = make_cuFloatComplex(3, 4);
    cuDoubleComplex b = make_cuDoubleComplex(3, 4), tiny = make_cuDoubleComplex(1e-200, 1e-200);
    compute(&r, a, b);
    CHECK(are(&r));
    CHECK(cudaMalloc(&d, sizeof(r)) == cudaSuccess);
    kernel<<<1, 1>>>(d, a, b);
    CHECK(cudaMemcpy(&r, d, sizeof(r), cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(are(&r));
    CHECK(cuCreal(cuCdiv(tiny, tiny)) == 1 && cuCimag(cuCdiv(tiny, tiny)) == 0);
    return finish();
}
