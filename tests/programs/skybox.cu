// A mirror ball in a sky: rays that miss the ball look into a cube map, those that meet it are
// reflected first and look into the second of two skies in a layered cube map.
#include <helper_cuda.h>
#include <helper_math.h>

#include "verdict.h"

enum { FACE = 16, W = 64, H = 48, SKY = 6 * FACE * FACE };

/* From the eye at (0, 0, -3) through a pixel. */
__host__ __device__ static float3 ray(int x, int y)
{
    return make_float3((x + 0.5f - W / 2) / H, (y + 0.5f - H / 2) / H, 0.75f);
}

/* Whether the ray meets the ball of radius 1 in the origin, and where it then goes. */
__host__ __device__ static bool reflected(float3 *dir)
{
    const float3 eye = make_float3(0, 0, -3);
    float a = dot(*dir, *dir), b = dot(eye, *dir), c = dot(eye, eye) - 1, d = b * b - a * c;
    if (d < 0)
        return false;
    float3 at = eye + *dir * ((-b - sqrtf(d)) / a);
    *dir = *dir - at * (2 * dot(*dir, at));
    return true;
}

__global__ void look(cudaTextureObject_t sky, cudaTextureObject_t skies, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float3 dir = ray(x, y);
    out[y * W + x] = reflected(&dir) ? texCubemapLayered<float>(skies, dir.x, dir.y, dir.z, 1)
                                     : texCubemap<float>(sky, dir.x, dir.y, dir.z);
}

/* --- on the host: which face, and where on it, by the programming guide's table --- */

struct place {
    int face;
    float s, t; /* 0 .. FACE */
};

static place place_of(float3 d)
{
    float ax = fabsf(d.x), ay = fabsf(d.y), az = fabsf(d.z), m, s, t;
    int face;
    if (ax >= ay && ax >= az)
        face = d.x >= 0 ? 0 : 1, m = ax, s = d.x >= 0 ? -d.z : d.z, t = -d.y;
    else if (ay >= az)
        face = d.y >= 0 ? 2 : 3, m = ay, s = d.x, t = d.y >= 0 ? d.z : -d.z;
    else
        face = d.z >= 0 ? 4 : 5, m = az, s = d.z >= 0 ? d.x : -d.x, t = -d.y;
    place p = {face, (s / m + 1) / 2 * FACE, (t / m + 1) / 2 * FACE};
    return p;
}

/* Right but for rounding: a ray next to the border of two texels may see either. */
static bool sees(const float *sky, float3 dir, float have)
{
    for (int k = 0; k < 4; k++) {
        place p = place_of(dir);
        int x = (int)(p.s + (k & 1 ? 1e-3f : -1e-3f)), y = (int)(p.t + (k & 2 ? 1e-3f : -1e-3f));
        x = clamp(x, 0, FACE - 1), y = clamp(y, 0, FACE - 1);
        if (sky[(p.face * FACE + y) * FACE + x] == have)
            return true;
    }
    float ax = fabsf(dir.x), ay = fabsf(dir.y), az = fabsf(dir.z), m = fmaxf(ax, fmaxf(ay, az));
    return (ax > m * 0.9999f) + (ay > m * 0.9999f) + (az > m * 0.9999f) >
           1; /* an edge of the cube */
}

/* --- */

static cudaArray_t cube(const float *host, int n, unsigned flags)
{
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaExtent extent = make_cudaExtent(FACE, FACE, 6 * n);
    cudaArray_t a;
    checkCudaErrors(cudaMalloc3DArray(&a, &desc, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void *)host, FACE * sizeof(float), FACE, FACE);
    copy.dstArray = a;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    checkCudaErrors(cudaMemcpy3D(&copy));
    return a;
}

static cudaTextureObject_t texture_on(cudaArray_t a)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = a;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    how.normalizedCoords = 1;
    cudaTextureObject_t t = 0;
    checkCudaErrors(cudaCreateTextureObject(&t, &resource, &how, NULL));
    return t;
}

int main()
{
    static float skies[2 * SKY], have[W * H];
    float *out;
    int hits = 0;
    unsigned seed = 3;
    for (int i = 0; i < 2 * SKY; i++)
        skies[i] = (float)draw(&seed);
    cudaArray_t one = cube(skies, 1, cudaArrayCubemap);
    cudaArray_t two = cube(skies, 2, cudaArrayCubemap | cudaArrayLayered);
    cudaTextureObject_t sky = texture_on(one), both = texture_on(two);
    checkCudaErrors(cudaMalloc(&out, sizeof(have)));
    look<<<dim3(W / 16, H / 8), dim3(16, 8)>>>(sky, both, out);
    getLastCudaError("look");
    checkCudaErrors(cudaMemcpy(have, out, sizeof(have), cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++) {
        float3 dir = ray(i % W, i / W);
        bool hit = reflected(&dir);
        hits += hit;
        expect("pixel seen rightly:", i, sees(hit ? skies + SKY : skies, dir, have[i]), 1);
    }
    expect("ball of a reasonable size:", hits, hits > W * H / 8 && hits < W * H / 2, 1);
    checkCudaErrors(cudaDestroyTextureObject(sky));
    checkCudaErrors(cudaDestroyTextureObject(both));
    checkCudaErrors(cudaFreeArray(one));
    checkCudaErrors(cudaFreeArray(two));
    checkCudaErrors(cudaFree(out));
    return verdict();
}
