// Texture references to linear memory: tex1Dfetch of scalars and vectors, offsets, unbinding.
#include "check.h"

texture<float, 1, cudaReadModeElementType> floats;
texture<int4> vectors;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> bytes;
texture<short2, cudaTextureType1D, cudaReadModeElementType> pairs;

__global__ void work(float *out)
{
    int i = threadIdx.x;
    int4 v = tex1Dfetch(vectors, i);
    short2 p = tex1Dfetch(pairs, i);
    out[i] = tex1Dfetch(floats, 63 - i) + v.x + v.w + p.y;
    out[64 + i] = tex1Dfetch(bytes, i);
}

int main()
{
    float *f = shared_array<float>(64), *out = shared_array<float>(128);
    int4 *v = shared_array<int4>(64);
    unsigned char *b = shared_array<unsigned char>(64);
    short2 *p = shared_array<short2>(64);
    for (int i = 0; i < 64; i++) {
        f[i] = 0.5f * i;
        v[i] = make_int4(i, 0, 0, -3 * i);
        b[i] = (unsigned char)(4 * i);
        p[i] = make_short2(0, (short)(-100 + i));
    }
    size_t offset = 1;
    CHECK(cudaBindTexture(&offset, floats, f, 64 * sizeof(float)) == cudaSuccess && offset == 0);
    CHECK(cudaBindTexture(NULL, vectors, v, vectors.channelDesc, 64 * sizeof(int4)) == cudaSuccess);
    CHECK(cudaBindTexture(NULL, bytes, b, 64) == cudaSuccess);
    CHECK(cudaBindTexture(NULL, pairs, p, 64 * sizeof(short2)) == cudaSuccess);
    work<<<1, 64>>>(out);
    finish_kernels();
    for (int i = 0; i < 64; i++) {
        CHECK(out[i] == 0.5f * (63 - i) - 2 * i - 100 + i);
        CHECK(out[64 + i] == (float)(4 * i) / 255.0f);
    }
    CHECK(cudaUnbindTexture(floats) == cudaSuccess);
    return finish();
}
