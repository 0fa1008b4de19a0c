// Mipmapped arrays: a level by its number, something between two, by gradients, through a view; and
// the four texels of a gather.
// timing
#include "check.h"
#include <math.h>

enum { W = 16, H = 8, LEVELS = 5 };

texture<float, 2, cudaReadModeElementType> ref;

/* Each level has one value, so that it is seen which one is read. */
static float value(int level)
{
    return (float)(10 + 7 * level * level);
}

static cudaMipmappedArray_t pyramid()
{
    cudaMipmappedArray_t m = NULL;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    static float host[W * H];
    CHECK(cudaMallocMipmappedArray(&m, &desc, make_cudaExtent(W, H, 0), LEVELS) == cudaSuccess);
    for (int l = 0; l < LEVELS; l++) {
        cudaArray_t a;
        cudaExtent e;
        int w = W >> l ? W >> l : 1, h = H >> l ? H >> l : 1;
        CHECK(cudaGetMipmappedArrayLevel(&a, m, l) == cudaSuccess);
        CHECK(cudaArrayGetInfo(NULL, &e, NULL, a) == cudaSuccess);
        CHECK(e.width == (size_t)w && e.height == (size_t)h);
        for (int i = 0; i < w * h; i++)
            host[i] = value(l);
        CHECK(cudaMemcpy2DToArray(a, 0, 0, host, w * sizeof(float), w * sizeof(float), h,
                                  cudaMemcpyHostToDevice) == cudaSuccess);
    }
    cudaArray_t none;
    CHECK(cudaGetMipmappedArrayLevel(&none, m, LEVELS) == cudaErrorInvalidValue);
    return m;
}

static cudaTextureDesc how(bool between)
{
    cudaTextureDesc d = cudaTextureDesc();
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeWrap;
    d.filterMode = cudaFilterModeLinear;
    d.mipmapFilterMode = between ? cudaFilterModeLinear : cudaFilterModePoint;
    d.normalizedCoords = 1;
    d.maxMipmapLevelClamp = LEVELS - 1;
    return d;
}

static cudaTextureObject_t object(cudaMipmappedArray_t m, const cudaTextureDesc &d,
                                  const cudaResourceViewDesc *v)
{
    cudaResourceDesc r = cudaResourceDesc();
    cudaTextureObject_t t = 0;
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    CHECK(cudaCreateTextureObject(&t, &r, &d, v) == cudaSuccess);
    return t;
}

__global__ void by_number(cudaTextureObject_t t, float *out)
{
    int i = threadIdx.x;
    out[i] = tex2DLod<float>(t, 0.3f, 0.6f, (i - 4) * 0.25f);
    out[32 + i] = tex2D<float>(t, 0.3f, 0.6f);
    /* a step of 2^i / 16 of the width is 2^i texels */
    float step = (float)(1 << i % 6) / W;
    out[64 + i] = tex2DGrad<float>(t, 0.3f, 0.6f, make_float2(step, 0), make_float2(0, step / 4));
    out[96 + i] = tex2DLod(ref, 0.3f, 0.6f, (float)(i % 5));
}

static float between(float lod)
{
    lod = lod < 0 ? 0 : lod > LEVELS - 1 ? LEVELS - 1 : lod;
    int l = (int)lod;
    float w = lod - l;
    return w == 0 ? value(l) : (1 - w) * value(l) + w * value(l + 1);
}

static float nearest(float lod)
{
    int l = (int)floorf(lod + 0.5f);
    return value(l < 0 ? 0 : l > LEVELS - 1 ? LEVELS - 1 : l);
}

static void levels()
{
    cudaMipmappedArray_t m = pyramid();
    float *out = shared_array<float>(128);
    ref.normalized = 1;
    ref.addressMode[0] = ref.addressMode[1] = cudaAddressModeClamp;
    CHECK(cudaBindTextureToMipmappedArray(ref, m) == cudaSuccess);
    for (int linear = 0; linear < 2; linear++) {
        cudaTextureObject_t t = object(m, how(linear), NULL);
        by_number<<<1, 32>>>(t, out);
        finish_kernels();
        for (int i = 0; i < 32; i++) {
            float lod = (i - 4) * 0.25f;
            CHECK(out[i] == (linear ? between(lod) : nearest(lod)));
            CHECK(out[32 + i] == value(0));
            CHECK(fabsf(out[64 + i] - value(i % 6 < LEVELS ? i % 6 : LEVELS - 1)) < 0.5f);
            CHECK(out[96 + i] == value(i % 5));
        }
        CHECK(cudaDestroyTextureObject(t) == cudaSuccess);
    }
    /* a bias, and no finer than level 2 */
    cudaTextureDesc d = how(false);
    d.mipmapLevelBias = 1, d.minMipmapLevelClamp = 2;
    cudaTextureObject_t t = object(m, d, NULL);
    by_number<<<1, 32>>>(t, out);
    finish_kernels();
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == nearest(fmaxf((i - 4) * 0.25f + 1, 2)));
    CHECK(cudaDestroyTextureObject(t) == cudaSuccess);
    /* levels 1 to 3 alone */
    cudaResourceViewDesc v = cudaResourceViewDesc();
    v.format = cudaResViewFormatFloat1;
    v.width = W / 2, v.height = H / 2;
    v.firstMipmapLevel = 1, v.lastMipmapLevel = 3;
    t = object(m, how(false), &v);
    by_number<<<1, 32>>>(t, out);
    finish_kernels();
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == nearest(fminf(fmaxf((i - 4) * 0.25f, 0), 2) + 1));
    CHECK(cudaDestroyTextureObject(t) == cudaSuccess);
    CHECK(cudaFreeMipmappedArray(m) == cudaSuccess);
    CHECK(cudaFreeMipmappedArray(m) != cudaSuccess);
}

/* --- levels of other geometries: each layer and slice of each level has a value --- */

static cudaTextureObject_t filled(cudaExtent e, unsigned int flags, cudaMipmappedArray_t *m)
{
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    bool layered = flags != 0;
    CHECK(cudaMallocMipmappedArray(m, &desc, e, 2, flags) == cudaSuccess);
    for (int l = 0; l < 2; l++) {
        static float host[8 * 8 * 12];
        cudaArray_t a;
        int w = (int)e.width >> l, h = (int)e.height >> l, d = (int)e.depth >> (layered ? 0 : l);
        CHECK(cudaGetMipmappedArrayLevel(&a, *m, l) == cudaSuccess);
        for (int i = 0; i < w * (h ? h : 1) * (d ? d : 1); i++)
            host[i] = (float)(100 * l + i / (w * (h ? h : 1)));
        cudaMemcpy3DParms copy = cudaMemcpy3DParms();
        copy.srcPtr = make_cudaPitchedPtr(host, w * sizeof(float), w, h ? h : 1);
        copy.dstArray = a;
        copy.extent = make_cudaExtent(w, h ? h : 1, d ? d : 1);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    }
    cudaTextureDesc d = how(false);
    d.filterMode = cudaFilterModePoint;
    return object(*m, d, NULL);
}

__global__ void others(cudaTextureObject_t t1, cudaTextureObject_t t3, cudaTextureObject_t l1,
                       cudaTextureObject_t l2, cudaTextureObject_t c, cudaTextureObject_t lc,
                       float *out)
{
    int i = threadIdx.x, level = i & 1, layer = i >> 1 & 1;
    float lod = (float)level;
    out[i] = tex1DLod<float>(t1, 0.4f, lod);
    out[4 + i] = tex3DLod<float>(t3, 0.4f, 0.6f, 0.9f, lod); /* the last slice */
    out[8 + i] = tex1DLayeredLod<float>(l1, 0.4f, layer, lod);
    out[12 + i] = tex2DLayeredLod<float>(l2, 0.4f, 0.6f, layer, lod);
    out[16 + i] = texCubemapLod<float>(c, 0.1f, 0.2f, -0.9f, lod); /* face 5 */
    out[20 + i] = texCubemapLayeredLod<float>(lc, 0.1f, -0.9f, 0.3f, layer, lod); /* face 3 */
    out[24 + i] = tex3DGrad<float>(t3, 0.4f, 0.6f, 0.9f, make_float4(0.25f * (1 + level), 0, 0, 0),
                                   make_float4(0, 0, 0, 0));
    out[28 + i] = tex1DGrad<float>(t1, 0.4f, 0.0f, 0.125f * (1 + level));
}

static void geometries()
{
    float *out = shared_array<float>(32);
    cudaMipmappedArray_t m[6];
    cudaTextureObject_t t[6] = {
        filled(make_cudaExtent(8, 0, 0), 0, &m[0]),
        filled(make_cudaExtent(4, 4, 4), 0, &m[1]),
        filled(make_cudaExtent(8, 0, 2), cudaArrayLayered, &m[2]),
        filled(make_cudaExtent(8, 4, 2), cudaArrayLayered, &m[3]),
        filled(make_cudaExtent(8, 8, 6), cudaArrayCubemap, &m[4]),
        filled(make_cudaExtent(8, 8, 12), cudaArrayCubemap | cudaArrayLayered, &m[5])};
    others<<<1, 4>>>(t[0], t[1], t[2], t[3], t[4], t[5], out);
    finish_kernels();
    for (int i = 0; i < 4; i++) {
        int level = i & 1, layer = i >> 1 & 1;
        CHECK(out[i] == 100 * level);
        CHECK(out[4 + i] == 100 * level + (level ? 1 : 3));
        CHECK(out[8 + i] == 100 * level + layer && out[12 + i] == 100 * level + layer);
        CHECK(out[16 + i] == 100 * level + 5);
        CHECK(out[20 + i] == 100 * level + 6 * layer + 3);
        CHECK(out[24 + i] == 100 * level + (level ? 1 : 3));
        CHECK(out[28 + i] == 100 * level);
    }
    for (int i = 0; i < 6; i++) {
        CHECK(cudaDestroyTextureObject(t[i]) == cudaSuccess);
        CHECK(cudaFreeMipmappedArray(m[i]) == cudaSuccess);
    }
}

/* --- gather --- */

__global__ void four(cudaTextureObject_t t, uchar4 *out)
{
    int i = threadIdx.x;
    for (int c = 0; c < 4; c++)
        out[4 * i + c] = tex2Dgather<uchar4>(t, (float)i, 2.0f, c);
}

static void gather()
{
    uchar4 host[H][W], *out = shared_array<uchar4>(4 * W);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            host[y][x] = make_uchar4(x, y, x + y, 10 * y + x);
    cudaArray_t a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
    CHECK(cudaMallocArray(&a, &desc, W, H, cudaArrayTextureGather) == cudaSuccess);
    CHECK(cudaMemcpyToArray(a, 0, 0, host, sizeof(host), cudaMemcpyHostToDevice) == cudaSuccess);
    cudaResourceDesc r = cudaResourceDesc();
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaTextureDesc d = cudaTextureDesc();
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t t = 0;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaSuccess);
    four<<<1, W>>>(t, out);
    finish_kernels();
    for (int i = 0; i < W; i++) { /* between columns i - 1 and i, rows 1 and 2 */
        int left = i ? i - 1 : 0;
        const uchar4 want[4] = {host[2][left], host[2][i], host[1][i], host[1][left]};
        for (int c = 0; c < 4; c++) {
            const unsigned char *have = &out[4 * i + c].x;
            for (int k = 0; k < 4; k++)
                CHECK(have[k] == (&want[k].x)[c]);
        }
    }
    cudaDestroyTextureObject(t);
    cudaFreeArray(a);
}

int main()
{
    levels();
    geometries();
    gather();
    return finish();
}
