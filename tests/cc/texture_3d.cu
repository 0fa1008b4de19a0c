// A 3D texture on an array, and a 1D texture with float coordinates.
#include "check.h"

texture<int, 3, cudaReadModeElementType> volume;
texture<float, 1, cudaReadModeElementType> line;

enum { N = 4 };

__global__ void work(float *out)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    out[(z * N + y) * N + x] =
        tex3D(volume, x + 0.5f, y + 0.5f, z + 0.5f) + tex1D(line, x + 0.25f);
}

int main()
{
    int host[N][N][N];
    float points[N], *out = shared_array<float>(N * N * N);
    for (int i = 0; i < N * N * N; i++)
        host[0][0][i] = 7 * i;
    for (int i = 0; i < N; i++)
        points[i] = 0.125f * i;
    cudaArray_t array, flat;
    cudaExtent extent = make_cudaExtent(N, N, N);
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>(), real = cudaCreateChannelDesc<float>();
    CHECK(cudaMalloc3DArray(&array, &desc, extent) == cudaSuccess);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, N * sizeof(int), N, N);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    CHECK(cudaMallocArray(&flat, &real, N) == cudaSuccess);
    CHECK(cudaMemcpyToArray(flat, 0, 0, points, sizeof(points), cudaMemcpyHostToDevice) ==
          cudaSuccess);
    CHECK(cudaBindTextureToArray(volume, array) == cudaSuccess);
    CHECK(cudaBindTextureToArray(line, flat) == cudaSuccess);
    work<<<1, dim3(N, N, N)>>>(out);
    finish_kernels();
    for (int i = 0; i < N * N * N; i++)
        CHECK(out[i] == 7 * i + 0.125f * (i % N));
    return finish();
}
