// Makes the smaller levels of a picture on the device, each from the one above: a texture on a
// level of a mipmapped array is read, a surface on the next is written; then a floor that gets
// finer and finer with the distance is drawn from all levels, with a level by number and by
// gradients.
#include <helper_cuda.h>

#include "verdict.h"

enum { SIDE = 32, LEVELS = 6, W = 32, H = 24 };

static cudaTextureDesc how(bool levels)
{
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = levels ? cudaAddressModeWrap : cudaAddressModeClamp;
    d.filterMode = levels ? cudaFilterModePoint : cudaFilterModeLinear;
    d.mipmapFilterMode = cudaFilterModePoint;
    d.maxMipmapLevelClamp = LEVELS - 1;
    d.normalizedCoords = 1;
    return d;
}

/* The middle of four texels: the mean of them. */
__global__ void halve(cudaTextureObject_t from, cudaSurfaceObject_t to, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < side && y < side)
        surf2Dwrite(tex2D<float>(from, (x + 0.5f) / side, (y + 0.5f) / side), to,
                    x * (int)sizeof(float), y);
}

/* Where a pixel lies on the floor; a row further up is further away and steps are wider. */
__host__ __device__ static float width_of_step(int y)
{
    return exp2f(y / 4 - 5.0f);
}

__host__ __device__ static float2 on_floor(int x, int y)
{
    float s = width_of_step(y);
    return make_float2((x + 0.3f) * s, (y + 0.7f) / H);
}

__global__ void draw_floor(cudaTextureObject_t t, float *by_number, float *by_steps)
{
    int x = threadIdx.x, y = blockIdx.x;
    float2 p = on_floor(x, y);
    float s = width_of_step(y);
    by_number[y * W + x] = tex2DLod<float>(t, p.x, p.y, y / 4);
    by_steps[y * W + x] = tex2DGrad<float>(t, p.x, p.y, make_float2(s, 0), make_float2(0, s / 4));
}

/* --- */

static float pyramid[LEVELS][SIDE * SIDE];

static void host_levels(void)
{
    for (int l = 1; l < LEVELS; l++) {
        const int side = SIDE >> l, above = 2 * side;
        for (int i = 0; i < side * side; i++) {
            const float *p = &pyramid[l - 1][i / side * 2 * above + i % side * 2];
            pyramid[l][i] = (p[0] + p[1] + p[above] + p[above + 1]) / 4;
        }
    }
}

static float texel(int level, float2 p)
{
    const int side = SIDE >> level;
    int x = (int)floorf((p.x - floorf(p.x)) * side), y = (int)floorf((p.y - floorf(p.y)) * side);
    return pyramid[level][min(y, side - 1) * side + min(x, side - 1)];
}

static cudaArray_t level_of(cudaMipmappedArray_t m, int l)
{
    cudaArray_t a;
    checkCudaErrors(cudaGetMipmappedArrayLevel(&a, m, l));
    return a;
}

static void make_level(cudaMipmappedArray_t m, int l)
{
    cudaResourceDesc above = {}, here = {};
    above.resType = here.resType = cudaResourceTypeArray;
    above.res.array.array = level_of(m, l - 1);
    here.res.array.array = level_of(m, l);
    cudaTextureObject_t from = 0;
    cudaSurfaceObject_t to = 0;
    cudaTextureDesc d = how(false);
    checkCudaErrors(cudaCreateTextureObject(&from, &above, &d, NULL));
    checkCudaErrors(cudaCreateSurfaceObject(&to, &here));
    int side = SIDE >> l, blocks = (side + 7) / 8;
    halve<<<dim3(blocks, blocks), dim3(8, 8)>>>(from, to, side);
    getLastCudaError("halve");
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaDestroyTextureObject(from));
    checkCudaErrors(cudaDestroySurfaceObject(to));
}

static void check_levels(cudaMipmappedArray_t m)
{
    static float have[SIDE * SIDE];
    for (int l = 0; l < LEVELS; l++) {
        const int side = SIDE >> l;
        const size_t row = side * sizeof(float);
        checkCudaErrors(cudaMemcpy2DFromArray(have, row, level_of(m, l), 0, 0, row, side,
                                              cudaMemcpyDeviceToHost));
        for (int i = 0; i < side * side; i++)
            expect("texel of a level", 10000 * l + i, have[i], pyramid[l][i]);
    }
}

int main()
{
    static float have[2][W * H];
    float *out[2];
    unsigned seed = 41;
    cudaMipmappedArray_t m;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    checkCudaErrors(cudaMallocMipmappedArray(&m, &desc, make_cudaExtent(SIDE, SIDE, 0), LEVELS,
                                             cudaArraySurfaceLoadStore));
    for (int i = 0; i < SIDE * SIDE; i++)
        pyramid[0][i] = (float)(draw(&seed) % 1024); /* means of whole numbers are exact */
    const size_t row = SIDE * sizeof(float);
    checkCudaErrors(cudaMemcpy2DToArray(level_of(m, 0), 0, 0, pyramid[0], row, row, SIDE,
                                        cudaMemcpyHostToDevice));
    for (int l = 1; l < LEVELS; l++)
        make_level(m, l);
    host_levels();
    check_levels(m);

    cudaResourceDesc all = {};
    all.resType = cudaResourceTypeMipmappedArray;
    all.res.mipmap.mipmap = m;
    cudaTextureDesc d = how(true);
    cudaTextureObject_t t = 0;
    checkCudaErrors(cudaCreateTextureObject(&t, &all, &d, NULL));
    for (int i = 0; i < 2; i++)
        checkCudaErrors(cudaMalloc(&out[i], sizeof(have[i])));
    draw_floor<<<H, W>>>(t, out[0], out[1]);
    getLastCudaError("draw_floor");
    for (int i = 0; i < 2; i++)
        checkCudaErrors(cudaMemcpy(have[i], out[i], sizeof(have[i]), cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++) { /* a step of 2^(l - 5) of the picture is 2^l texels */
        float want = texel(i / W / 4, on_floor(i % W, i / W));
        expect("pixel by number", i, have[0][i], want);
        expect("pixel by gradients", i, have[1][i], want);
    }
    checkCudaErrors(cudaDestroyTextureObject(t));
    checkCudaErrors(cudaFreeMipmappedArray(m));
    for (int i = 0; i < 2; i++)
        checkCudaErrors(cudaFree(out[i]));
    return verdict();
}
