// 2D textures: on an array and on pitched memory; clamp and wrap, point and linear.
#include "check.h"

texture<float, 2, cudaReadModeElementType> plain;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<float, 2, cudaReadModeElementType> wrapped;

enum { W = 16, H = 8 };

__global__ void work(float *out)
{
    int x = threadIdx.x, y = threadIdx.y, i = y * W + x;
    out[i] = tex2D(plain, x - 2 + 0.5f, y + 2 + 0.5f);
    float4 c = tex2D(colours, x + 0.5f, y + 0.5f);
    out[W * H + i] = c.y + c.w;
    out[2 * W * H + i] = tex2D(wrapped, (x + 0.5f) / W + 1.0f, (y + 1.0f) / H);
}

static int clamp(int v, int hi)
{
    return v < 0 ? 0 : v > hi ? hi : v;
}

int main()
{
    float host[H][W], *out = shared_array<float>(3 * W * H);
    uchar4 bytes[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            host[y][x] = 10 * y + x;
            bytes[y][x] = make_uchar4(0, (unsigned char)x, 0, (unsigned char)(255 - x));
        }
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &desc, W, H) == cudaSuccess);
    CHECK(cudaMemcpyToArray(array, 0, 0, host, sizeof(host), cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaBindTextureToArray(plain, array) == cudaSuccess);
    wrapped.normalized = true;
    wrapped.filterMode = cudaFilterModeLinear;
    wrapped.addressMode[0] = wrapped.addressMode[1] = cudaAddressModeWrap;
    CHECK(cudaBindTextureToArray(wrapped, array, desc) == cudaSuccess);

    void *pitched;
    size_t pitch, offset;
    CHECK(cudaMallocPitch(&pitched, &pitch, W * sizeof(uchar4), H) == cudaSuccess);
    CHECK(cudaMemcpy2D(pitched, pitch, bytes, sizeof(bytes[0]), sizeof(bytes[0]), H,
                       cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaBindTexture2D(&offset, colours, pitched, colours.channelDesc, W, H, pitch) ==
          cudaSuccess);
    work<<<1, dim3(W, H)>>>(out);
    finish_kernels();
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            CHECK(out[y * W + x] == host[clamp(y + 2, H - 1)][clamp(x - 2, W - 1)]);
            CHECK(out[W * H + y * W + x] == x / 255.0f + (255 - x) / 255.0f);
            /* half way between two rows, the last and the first being neighbours */
            CHECK(out[2 * W * H + y * W + x] == 0.5f * (host[y][x] + host[(y + 1) % H][x]));
        }
    CHECK(cudaFreeArray(array) == cudaSuccess);
    return finish();
}
