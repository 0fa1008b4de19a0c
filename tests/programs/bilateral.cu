// Smooths a noisy picture and keeps its edges, then enlarges it: a bilateral filter through a
// texture object that clamps and gives bytes as floats, and a second object that filters, with
// coordinates of 0 to 1 and the picture repeated beyond them.
#include <helper_cuda.h>

#include "verdict.h"

enum { W = 48, H = 32, RADIUS = 2, WIDE = 72, HIGH = 48 };

__constant__ float nearness[2 * RADIUS + 1];

__host__ __device__ static float likeness(float4 a, float4 b, float spread)
{
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return expf(-(x * x + y * y + z * z) / (2 * spread * spread));
}

__host__ __device__ static void add(float4 *sum, float weight, float4 v)
{
    sum->x += weight * v.x;
    sum->y += weight * v.y;
    sum->z += weight * v.z;
    sum->w += weight;
}

__global__ void smooth(cudaTextureObject_t picture, float4 *out, size_t pitch, float spread)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    float4 centre = tex2D<float4>(picture, x, y), sum = make_float4(0, 0, 0, 0);
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            float4 v = tex2D<float4>(picture, x + dx, y + dy);
            float weight =
                nearness[dx + RADIUS] * nearness[dy + RADIUS] * likeness(v, centre, spread);
            add(&sum, weight, v);
        }
    float4 *row = (float4 *)((char *)out + y * pitch);
    row[x] = make_float4(sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, 1);
}

__global__ void enlarge(cudaTextureObject_t picture, float4 *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < WIDE && y < HIGH)
        out[y * WIDE + x] = tex2D<float4>(picture, (float)x / WIDE - 0.25f, (float)y / HIGH + 0.5f);
}

/* --- the same on the host --- */

static int clamped(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static int wrapped(int i, int n)
{
    return (i % n + n) % n;
}

static float4 as_floats(uchar4 v)
{
    return make_float4(v.x / 255.0f, v.y / 255.0f, v.z / 255.0f, v.w / 255.0f);
}

static float4 smoothed(const uchar4 *in, int x, int y, const float *near, float spread)
{
    float4 centre = as_floats(in[y * W + x]), sum = make_float4(0, 0, 0, 0);
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
            float4 v = as_floats(in[clamped(y + dy, H) * W + clamped(x + dx, W)]);
            add(&sum, near[dx + RADIUS] * near[dy + RADIUS] * likeness(v, centre, spread), v);
        }
    return make_float4(sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, 1);
}

/* Weights have eight bits behind the point, as the programming guide says. */
static float4 between(const float4 *in, float u, float v)
{
    float x = u * W - 0.5f, y = v * H - 0.5f;
    int i = (int)floorf(x), j = (int)floorf(y);
    float a = floorf((x - i) * 256) / 256, b = floorf((y - j) * 256) / 256;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < 4; k++)
        add(&sum, (k & 1 ? a : 1 - a) * (k & 2 ? b : 1 - b),
            in[wrapped(j + (k >> 1), H) * W + wrapped(i + (k & 1), W)]);
    return sum;
}

static void check(const char *what, const float4 *have, int i, float4 want, double tolerance)
{
    expect(what, i, have[i].x, want.x, tolerance);
    expect(what, i, have[i].y, want.y, tolerance);
    expect(what, i, have[i].z, want.z, tolerance);
}

/* --- */

static cudaTextureObject_t texture_of_array(cudaArray_t array)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t t = 0;
    checkCudaErrors(cudaCreateTextureObject(&t, &resource, &how, NULL));
    return t;
}

static cudaTextureObject_t texture_of_rows(void *rows, size_t pitch)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float4>();
    resource.res.pitch2D.width = W;
    resource.res.pitch2D.height = H;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = 1;
    cudaTextureObject_t t = 0;
    checkCudaErrors(cudaCreateTextureObject(&t, &resource, &how, NULL));
    return t;
}

int main()
{
    static uchar4 picture[W * H];
    static float4 have[W * H], large[WIDE * HIGH];
    float near[2 * RADIUS + 1], spread = 0.2f, *rows, *out;
    unsigned seed = 1;
    size_t pitch;
    for (int i = 0; i < W * H; i++) { /* a bright half and a dark one, with noise */
        unsigned base = i % W < i / W + 10 ? 170 : 60, noise = draw(&seed);
        picture[i] = make_uchar4(base + noise % 32, base + noise / 32 % 32, base / 2, 255);
    }
    for (int i = -RADIUS; i <= RADIUS; i++)
        near[i + RADIUS] = expf(-i * i / 4.0f);
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
    checkCudaErrors(cudaMallocArray(&array, &desc, W, H));
    checkCudaErrors(cudaMemcpy2DToArray(array, 0, 0, picture, W * sizeof(uchar4),
                                        W * sizeof(uchar4), H, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpyToSymbol(nearness, near, sizeof(near)));
    checkCudaErrors(cudaMallocPitch(&rows, &pitch, W * sizeof(float4), H));
    checkCudaErrors(cudaMalloc(&out, sizeof(large)));

    cudaTextureObject_t noisy = texture_of_array(array), quiet = texture_of_rows(rows, pitch);
    dim3 block(16, 8);
    smooth<<<dim3(W / 16, H / 8), block>>>(noisy, (float4 *)rows, pitch, spread);
    getLastCudaError("smooth");
    enlarge<<<dim3((WIDE + 15) / 16, HIGH / 8), block>>>(quiet, (float4 *)out);
    getLastCudaError("enlarge");
    checkCudaErrors(cudaMemcpy2D(have, W * sizeof(float4), rows, pitch, W * sizeof(float4), H,
                                 cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(large, out, sizeof(large), cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++)
        check("smoothed pixel", have, i, smoothed(picture, i % W, i / W, near, spread), 1e-4);
    for (int i = 0; i < WIDE * HIGH; i++) {
        float u = (float)(i % WIDE) / WIDE - 0.25f, v = (float)(i / WIDE) / HIGH + 0.5f;
        check("enlarged pixel", large, i, between(have, u, v), 1e-2);
    }
    checkCudaErrors(cudaDestroyTextureObject(noisy));
    checkCudaErrors(cudaDestroyTextureObject(quiet));
    checkCudaErrors(cudaFreeArray(array));
    checkCudaErrors(cudaFree(rows));
    checkCudaErrors(cudaFree(out));
    return verdict();
}
