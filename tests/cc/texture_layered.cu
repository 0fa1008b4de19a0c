// Layered textures and cube maps, as references and as objects; normalized and filtered.
// timing
#include "check.h"
#include <math.h>

enum { W = 8, H = 4, LAYERS = 5, FACE = 8 };

texture<float, cudaTextureType1DLayered, cudaReadModeElementType> lines;
texture<unsigned char, cudaTextureType2DLayered, cudaReadModeNormalizedFloat> planes;
texture<float, cudaTextureTypeCubemap, cudaReadModeElementType> cube;

static cudaArray_t array_of(const void *host, cudaChannelFormatDesc desc, int w, int h, int layers,
                            unsigned int flags)
{
    cudaArray_t a = NULL;
    size_t row = (size_t)w * desc.x / 8;
    CHECK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(w, h, layers), flags) == cudaSuccess);
    cudaMemcpy3DParms copy = cudaMemcpy3DParms();
    copy.srcPtr = make_cudaPitchedPtr((void *)host, row, w, h ? h : 1);
    copy.dstArray = a;
    copy.extent = make_cudaExtent(w, h ? h : 1, layers);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    return a;
}

static cudaTextureObject_t object(cudaArray_t a, bool linear, int normalized)
{
    cudaResourceDesc r = cudaResourceDesc();
    cudaTextureDesc d = cudaTextureDesc();
    cudaTextureObject_t t = 0;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = cudaAddressModeClamp;
    d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.normalizedCoords = normalized;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaSuccess);
    return t;
}

/* --- layers --- */

__global__ void layered(cudaTextureObject_t t1, cudaTextureObject_t t2, float *out)
{
    int x = threadIdx.x, y = threadIdx.y, layer = threadIdx.z, n = W * H * LAYERS;
    int i = (layer * H + y) * W + x;
    out[i] = tex1DLayered(lines, x + 0.5f, layer);
    out[n + i] = tex2DLayered(planes, x + 0.5f, y + 0.5f, layer);
    out[2 * n + i] = tex1DLayered<float>(t1, x + 1.0f, layer - 1); /* layers clamp */
    out[3 * n + i] = tex2DLayered<float>(t2, (x + 1.0f) / W, (y + 0.5f) / H, layer + 2);
}

static int at_most(int v, int n)
{
    return v < n ? v : n - 1;
}

static void layers()
{
    enum { N = W * H * LAYERS };
    float row[LAYERS][W], plane[LAYERS][H][W], *out = shared_array<float>(4 * N);
    unsigned char bytes[LAYERS][H][W];
    for (int l = 0; l < LAYERS; l++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                row[l][x] = 100 * l + x * x;
                plane[l][y][x] = 1000 * l + 10 * y * y + x;
                bytes[l][y][x] = (unsigned char)(l * 40 + y * 9 + x);
            }
    cudaArray_t a1 = array_of(row, cudaCreateChannelDesc<float>(), W, 0, LAYERS, cudaArrayLayered);
    cudaArray_t a2 =
        array_of(plane, cudaCreateChannelDesc<float>(), W, H, LAYERS, cudaArrayLayered);
    cudaArray_t a3 =
        array_of(bytes, cudaCreateChannelDesc<unsigned char>(), W, H, LAYERS, cudaArrayLayered);
    CHECK(cudaBindTextureToArray(lines, a1) == cudaSuccess);
    CHECK(cudaBindTextureToArray(planes, a3) == cudaSuccess);
    cudaTextureObject_t t1 = object(a1, true, 0), t2 = object(a2, true, 1);
    layered<<<1, dim3(W, H, LAYERS)>>>(t1, t2, out);
    finish_kernels();
    for (int l = 0; l < LAYERS; l++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                int i = (l * H + y) * W + x, x1 = at_most(x + 1, W), below = l ? l - 1 : 0;
                int above = at_most(l + 2, LAYERS);
                CHECK(out[i] == row[l][x]);
                CHECK(out[N + i] == bytes[l][y][x] / 255.0f);
                CHECK(out[2 * N + i] == 0.5f * (row[below][x] + row[below][x1]));
                CHECK(out[3 * N + i] == 0.5f * (plane[above][y][x] + plane[above][y][x1]));
            }
    cudaDestroyTextureObject(t1), cudaDestroyTextureObject(t2);
    cudaFreeArray(a1), cudaFreeArray(a2), cudaFreeArray(a3);
}

/* --- cube maps --- */

__global__ void directions(cudaTextureObject_t one, cudaTextureObject_t many, const float3 *dir,
                           float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float3 d = dir[i];
    out[i] = texCubemap(cube, d.x, d.y, d.z);
    out[n + i] = texCubemap<float>(one, d.x, d.y, d.z);
    out[2 * n + i] = texCubemapLayered<float>(many, d.x, d.y, d.z, i % 2);
}

/* The table of the programming guide. */
static float looked_up(const float *p, float3 d)
{
    float ax = fabsf(d.x), ay = fabsf(d.y), az = fabsf(d.z), m, s, t;
    int face;
    if (ax >= ay && ax >= az)
        face = d.x >= 0 ? 0 : 1, m = ax, s = d.x >= 0 ? -d.z : d.z, t = -d.y;
    else if (ay >= az)
        face = d.y >= 0 ? 2 : 3, m = ay, s = d.x, t = d.y >= 0 ? d.z : -d.z;
    else
        face = d.z >= 0 ? 4 : 5, m = az, s = d.z >= 0 ? d.x : -d.x, t = -d.y;
    int u = (int)floorf((s / m + 1) / 2 * FACE), v = (int)floorf((t / m + 1) / 2 * FACE);
    return p[(face * FACE + at_most(v, FACE)) * FACE + at_most(u, FACE)];
}

static void cubes()
{
    enum { N = 6 * FACE * FACE, DIRS = 500 };
    static float host[2 * N];
    for (int i = 0; i < 2 * N; i++)
        host[i] = (float)(i * 11 % 1009);
    cudaArray_t one =
        array_of(host, cudaCreateChannelDesc<float>(), FACE, FACE, 6, cudaArrayCubemap);
    cudaArray_t two = array_of(host, cudaCreateChannelDesc<float>(), FACE, FACE, 12,
                               cudaArrayCubemap | cudaArrayLayered);
    CHECK(cudaBindTextureToArray(cube, one) == cudaSuccess);
    cudaTextureObject_t t1 = object(one, false, 1), t2 = object(two, false, 1);
    float3 *dir = shared_array<float3>(DIRS);
    float *out = shared_array<float>(3 * DIRS);
    unsigned int seed = 12345;
    for (int i = 0; i < 3 * DIRS; i++) {
        seed = seed * 1664525 + 1013904223;
        ((float *)dir)[i] = (float)((int)(seed >> 16) % 2001 - 1000) / 7 + 0.013f;
    }
    directions<<<4, 128>>>(t1, t2, dir, out, DIRS);
    finish_kernels();
    for (int i = 0; i < DIRS; i++) {
        CHECK(out[i] == looked_up(host, dir[i]));
        CHECK(out[DIRS + i] == looked_up(host, dir[i]));
        CHECK(out[2 * DIRS + i] == looked_up(host + i % 2 * N, dir[i]));
    }
    /* faces are square and six */
    cudaArray_t bad = NULL;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    CHECK(cudaMalloc3DArray(&bad, &desc, make_cudaExtent(8, 4, 6), cudaArrayCubemap) ==
          cudaErrorInvalidValue);
    CHECK(cudaMalloc3DArray(&bad, &desc, make_cudaExtent(8, 8, 5), cudaArrayCubemap) ==
          cudaErrorInvalidValue);
    cudaDestroyTextureObject(t1), cudaDestroyTextureObject(t2);
    cudaFreeArray(one), cudaFreeArray(two);
}

int main()
{
    layers();
    cubes();
    return finish();
}
