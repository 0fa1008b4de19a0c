// Texture objects: on linear memory, on pitched memory, on arrays of 1, 2 and 3 dimensions; every
// address mode, point and linear filtering, normalized floats, a border's colour, sRGB, views.
// timing
// Texels are worked out here from the formulas of the programming guide.
#include "check.h"
#include <math.h>

enum { W = 16, H = 8, D = 4, N = 64 };

static cudaTextureDesc how(cudaTextureAddressMode wrap, cudaTextureFilterMode filter,
                           cudaTextureReadMode read, int normalized)
{
    cudaTextureDesc d = cudaTextureDesc();
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = wrap;
    d.filterMode = filter;
    d.readMode = read;
    d.normalizedCoords = normalized;
    return d;
}

static cudaTextureObject_t on(const cudaResourceDesc &r, const cudaTextureDesc &d)
{
    cudaTextureObject_t t = 0;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaSuccess);
    CHECK(t != 0);
    return t;
}

static cudaResourceDesc of(cudaArray_t a)
{
    cudaResourceDesc r = cudaResourceDesc();
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

/* --- what hardware does, once more --- */

static int beyond(int i, int n, int mode) /* -1: the border */
{
    if (mode == cudaAddressModeClamp)
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    if (mode == cudaAddressModeBorder)
        return i < 0 || i >= n ? -1 : i;
    int period = mode == cudaAddressModeMirror ? 2 * n : n, k = ((i % period) + period) % period;
    return k < n ? k : 2 * n - 1 - k;
}

static float texel_2d(const float *p, int x, int y, int mode, float border)
{
    x = beyond(x, W, mode), y = beyond(y, H, mode);
    return x < 0 || y < 0 ? border : p[y * W + x];
}

static float linear_2d(const float *p, float x, float y, int mode)
{
    float bx = x - 0.5f, by = y - 0.5f;
    int i = (int)floorf(bx), j = (int)floorf(by);
    float a = floorf((bx - i) * 256) / 256, b = floorf((by - j) * 256) / 256;
    return (1 - a) * (1 - b) * texel_2d(p, i, j, mode, 0) +
           a * (1 - b) * texel_2d(p, i + 1, j, mode, 0) +
           (1 - a) * b * texel_2d(p, i, j + 1, mode, 0) +
           a * b * texel_2d(p, i + 1, j + 1, mode, 0);
}

/* --- linear memory --- */

__global__ void fetch(cudaTextureObject_t words, cudaTextureObject_t bytes, int *out)
{
    int i = threadIdx.x;
    out[i] = tex1Dfetch<int>(words, i - 2);
    uchar4 v = tex1Dfetch<uchar4>(bytes, i);
    out[N + i] = v.x + 256 * v.w;
    tex1Dfetch(&v, bytes, i);
    out[2 * N + i] = v.y;
}

static void linear_memory()
{
    int *words, host[N], *out = shared_array<int>(3 * N);
    for (int i = 0; i < N; i++)
        host[i] = 1000 + 0x01020304 * i;
    CHECK(cudaMalloc(&words, sizeof(host)) == cudaSuccess);
    CHECK(cudaMemcpy(words, host, sizeof(host), cudaMemcpyHostToDevice) == cudaSuccess);
    cudaResourceDesc r = cudaResourceDesc();
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = words;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = sizeof(host);
    cudaTextureDesc d = how(cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, 0);
    cudaTextureObject_t t = on(r, d);
    r.res.linear.desc = cudaCreateChannelDesc<uchar4>();
    cudaTextureObject_t u = on(r, d);
    fetch<<<1, N>>>(t, u, out);
    finish_kernels();
    for (int i = 0; i < N; i++) {
        const unsigned char *b = (const unsigned char *)&host[i];
        CHECK(out[i] == (i < 2 ? 0 : host[i - 2])); /* nothing before it */
        CHECK(out[N + i] == b[0] + 256 * b[3]);
        CHECK(out[2 * N + i] == b[1]);
    }
    /* what it was made of */
    cudaResourceDesc back;
    CHECK(cudaGetTextureObjectResourceDesc(&back, u) == cudaSuccess);
    CHECK(back.resType == cudaResourceTypeLinear && back.res.linear.devPtr == words);
    CHECK(cudaDestroyTextureObject(t) == cudaSuccess);
    CHECK(cudaDestroyTextureObject(t) == cudaErrorInvalidValue);
    CHECK(cudaDestroyTextureObject(u) == cudaSuccess);
    CHECK(cudaDestroyTextureObject(0) == cudaSuccess);
    cudaFree(words);
}

/* --- pitched memory and arrays --- */

__global__ void plane(cudaTextureObject_t t, float *out, float x0, float y0, float dx, float dy)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[y * W + x] = tex2D<float>(t, x0 + x * dx, y0 + y * dy);
}

static void two_dimensions()
{
    float host[H * W], *out = shared_array<float>(W * H);
    for (int i = 0; i < W * H; i++)
        host[i] = (float)(i * i % 97);
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &desc, W, H) == cudaSuccess);
    CHECK(cudaMemcpyToArray(array, 0, 0, host, sizeof(host), cudaMemcpyHostToDevice) ==
          cudaSuccess);
    void *pitched;
    size_t pitch;
    CHECK(cudaMallocPitch(&pitched, &pitch, W * sizeof(float), H) == cudaSuccess);
    CHECK(cudaMemcpy2D(pitched, pitch, host, W * sizeof(float), W * sizeof(float), H,
                       cudaMemcpyHostToDevice) == cudaSuccess);
    cudaResourceDesc rows = cudaResourceDesc();
    rows.resType = cudaResourceTypePitch2D;
    rows.res.pitch2D.devPtr = pitched;
    rows.res.pitch2D.desc = desc;
    rows.res.pitch2D.width = W, rows.res.pitch2D.height = H;
    rows.res.pitch2D.pitchInBytes = pitch;
    const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp,
                                            cudaAddressModeMirror, cudaAddressModeBorder};
    for (int m = 0; m < 4; m++)
        for (int f = 0; f < 2; f++)
            for (int k = 0; k < 2; k++) { /* normalized coordinates: all modes work */
                cudaTextureDesc d =
                    how(modes[m], f ? cudaFilterModeLinear : cudaFilterModePoint,
                        cudaReadModeElementType, 1);
                d.borderColor[0] = f ? 0 : 7.5f;
                cudaTextureObject_t t = on(k ? rows : of(array), d);
                /* steps that are no powers of two, from outside to outside */
                float x0 = -0.40625f, y0 = -0.71875f, dx = 0.1328125f, dy = 0.3515625f;
                plane<<<1, dim3(W, H)>>>(t, out, x0, y0, dx, dy);
                finish_kernels();
                for (int y = 0; y < H; y++)
                    for (int x = 0; x < W; x++) {
                        float u = (x0 + x * dx) * W, v = (y0 + y * dy) * H;
                        float want = f ? linear_2d(host, u, v, modes[m])
                                       : texel_2d(host, (int)floorf(u), (int)floorf(v), modes[m],
                                                  7.5f);
                        CHECK(fabsf(out[y * W + x] - want) < 1e-4f);
                    }
                CHECK(cudaDestroyTextureObject(t) == cudaSuccess);
            }
    cudaTextureDesc d = how(cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, 0);
    cudaTextureObject_t t = on(of(array), d);
    plane<<<1, dim3(W, H)>>>(t, out, 0.5f, 2.5f, 1, 1);
    finish_kernels();
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            CHECK(out[y * W + x] == texel_2d(host, x, y + 2, cudaAddressModeClamp, 0));
    cudaTextureDesc back;
    CHECK(cudaGetTextureObjectTextureDesc(&back, t) == cudaSuccess);
    CHECK(memcmp(&back, &d, sizeof(d)) == 0);
    cudaResourceViewDesc none;
    CHECK(cudaGetTextureObjectResourceViewDesc(&none, t) == cudaErrorInvalidValue);
    /* integers are not filtered */
    rows.res.pitch2D.desc = cudaCreateChannelDesc<int>();
    d.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t bad = 0;
    CHECK(cudaCreateTextureObject(&bad, &rows, &d, NULL) != cudaSuccess && bad == 0);
    cudaDestroyTextureObject(t);
    cudaFree(pitched);
    CHECK(cudaFreeArray(array) == cudaSuccess);
}

__global__ void line(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex1D<float>(t, threadIdx.x * 0.75f - 3);
}

__global__ void volume(cudaTextureObject_t t, float *out)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    out[(z * H + y) * W + x] = tex3D<float>(t, x + 1.0f, y + 0.5f, z + 0.75f);
}

static void one_and_three_dimensions()
{
    float host[D * H * W], *out = shared_array<float>(D * H * W);
    for (int i = 0; i < D * H * W; i++)
        host[i] = (float)(i * 7 % 101);
    cudaArray_t a1, a3;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&a1, &desc, W) == cudaSuccess);
    CHECK(cudaMemcpyToArray(a1, 0, 0, host, W * sizeof(float), cudaMemcpyHostToDevice) ==
          cudaSuccess);
    cudaTextureDesc d = how(cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, 0);
    cudaTextureObject_t t = on(of(a1), d);
    line<<<1, 32>>>(t, out);
    finish_kernels();
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == host[beyond((int)floorf(i * 0.75f - 3), W, cudaAddressModeClamp)]);
    CHECK(cudaMalloc3DArray(&a3, &desc, make_cudaExtent(W, H, D)) == cudaSuccess);
    cudaMemcpy3DParms copy = cudaMemcpy3DParms();
    copy.srcPtr = make_cudaPitchedPtr(host, W * sizeof(float), W, H);
    copy.dstArray = a3;
    copy.extent = make_cudaExtent(W, H, D);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
    d.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t v = on(of(a3), d);
    volume<<<1, dim3(W, H, D)>>>(v, out);
    finish_kernels();
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) { /* half way to the next in x, a quarter in z */
                int x1 = x + 1 < W ? x + 1 : x, z1 = z + 1 < D ? z + 1 : z;
                const float *p = host + y * W;
                float near = 0.5f * (p[z * H * W + x] + p[z * H * W + x1]);
                float far = 0.5f * (p[z1 * H * W + x] + p[z1 * H * W + x1]);
                CHECK(fabsf(out[(z * H + y) * W + x] - (0.75f * near + 0.25f * far)) < 1e-4f);
            }
    cudaDestroyTextureObject(t), cudaDestroyTextureObject(v);
    cudaFreeArray(a1), cudaFreeArray(a3);
}

/* --- formats --- */

__global__ void colours(cudaTextureObject_t plain, cudaTextureObject_t srgb, cudaTextureObject_t view,
                        float4 *out, int *word)
{
    int i = threadIdx.x;
    out[i] = tex2D<float4>(plain, i + 0.5f, 0.5f);
    out[W + i] = tex2D<float4>(srgb, i + 0.5f, 0.5f);
    word[i] = tex2D<int>(view, i + 0.5f, 0.5f);
}

static void formats()
{
    uchar4 host[W];
    float4 *out = shared_array<float4>(2 * W);
    int *word = shared_array<int>(W);
    for (int i = 0; i < W; i++)
        host[i] = make_uchar4((unsigned char)(17 * i), (unsigned char)i, 255, (unsigned char)(128 + i));
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
    CHECK(cudaMallocArray(&array, &desc, W, 1) == cudaSuccess);
    CHECK(cudaMemcpyToArray(array, 0, 0, host, sizeof(host), cudaMemcpyHostToDevice) ==
          cudaSuccess);
    cudaTextureDesc d =
        how(cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat, 0);
    cudaTextureObject_t plain = on(of(array), d), view = 0;
    d.sRGB = 1;
    cudaTextureObject_t srgb = on(of(array), d);
    d = how(cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, 0);
    cudaResourceViewDesc as_word = cudaResourceViewDesc();
    as_word.format = cudaResViewFormatSignedInt1;
    as_word.width = W, as_word.height = 1;
    cudaResourceDesc r = of(array);
    CHECK(cudaCreateTextureObject(&view, &r, &d, &as_word) == cudaSuccess);
    cudaResourceViewDesc back;
    CHECK(cudaGetTextureObjectResourceViewDesc(&back, view) == cudaSuccess);
    CHECK(back.format == cudaResViewFormatSignedInt1 && back.width == W);
    colours<<<1, W>>>(plain, srgb, view, out, word);
    finish_kernels();
    for (int i = 0; i < W; i++) {
        int same;
        memcpy(&same, &host[i], sizeof(same));
        CHECK(word[i] == same);
        CHECK(out[i].x == host[i].x / 255.0f && out[i].w == host[i].w / 255.0f);
        double c = host[i].x / 255.0;
        double lin = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
        CHECK(fabs(out[W + i].x - lin) < 1e-6 && out[W + i].w == host[i].w / 255.0f);
    }
    CHECK(cudaDestroyTextureObject(plain) == cudaSuccess);
    CHECK(cudaDestroyTextureObject(srgb) == cudaSuccess);
    CHECK(cudaDestroyTextureObject(view) == cudaSuccess);
    cudaFreeArray(array);
}

int main()
{
    linear_memory();
    two_dimensions();
    one_and_three_dimensions();
    formats();
    return finish();
}
