// Variables and textures by their names in quotes, as programs before CUDA 5 have it.
#include "check.h"

__constant__ float table[4];
__device__ int offset;
texture<float, 1> image;

__global__ void use(float *out)
{
    out[threadIdx.x] = table[threadIdx.x] + offset + tex1Dfetch(image, threadIdx.x);
}

int main()
{
    const float values[4] = {1, 2, 3, 4};
    const int five = 5;
    float *out = shared_array<float>(4), *in = shared_array<float>(4);
    const textureReference *ref = NULL;
    void *where = NULL;

    CHECK(cudaMemcpyToSymbol("table", values, sizeof values) == cudaSuccess);
    CHECK(cudaMemcpyToSymbol("offset", &five, sizeof five) == cudaSuccess);
    CHECK(cudaGetSymbolAddress(&where, "offset") == cudaSuccess && where);
    CHECK(cudaGetTextureReference(&ref, "image") == cudaSuccess && ref == &image);
    CHECK(cudaMemcpyToSymbol("none", &five, sizeof five) == cudaErrorInvalidSymbol);
    in[3] = 0.5f;
    CHECK(cudaBindTexture(NULL, image, in, 4 * sizeof(float)) == cudaSuccess);
    use<<<1, 4>>>(out);
    finish_kernels();
    CHECK(out[0] == 1 + 5 && out[3] == 4 + 5 + 0.5f);
    return finish();
}
