// With -use_fast_math results are near; NaN and infinity keep their meaning.
// options: -use_fast_math
#include "check.h"

__global__ void work(float *out, float x, float zero)
{
    out[0] = sinf(x) + cosf(x) + expf(x) + logf(x) + powf(x, 2.5f) + x / 3.0f + sqrtf(x) + tanf(x);
    out[1] = isnan(zero / zero);
    out[2] = isinf(1.0f / zero);
    out[3] = 1e-40f * x; /* subnormal: flushed */
    out[4] = log10f(x) + exp10f(x) + log2f(x) + exp2f(x);
}

int main()
{
    float *out = shared_array<float>(5), x = 1.25f;
    work<<<1, 1>>>(out, x, 0.0f);
    finish_kernels();
    float want = sinf(x) + cosf(x) + expf(x) + logf(x) + powf(x, 2.5f) + x / 3 + sqrtf(x) + tanf(x);
    CHECK(fabsf(out[0] - want) < 1e-4f && out[1] == 1 && out[2] == 1 && out[3] == 0);
    CHECK(fabsf(out[4] - (log10f(x) + exp10f(x) + log2f(x) + exp2f(x))) < 1e-4f);
    return finish();
}
