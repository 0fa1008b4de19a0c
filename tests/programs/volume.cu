// Looks through a volume from the side: rays step through a 3D texture that filters, colours come
// from a 1D texture by density, and a ray ends when little would shine through.
#include <helper_cuda.h>

#include "verdict.h"

enum { SIDE = 16, COLOURS = 8, W = 32, H = 24, STEPS = 40 };

struct ray_state {
    float3 at, by;
    float4 sum; /* colour, and how opaque it is so far */
};

__host__ __device__ static ray_state begin(int x, int y)
{
    ray_state r;
    r.at = make_float3((x + 0.5f) / W * 0.9f, (y + 0.5f) / H, -0.05f);
    r.by = make_float3(0.1f / STEPS, 0, 1.1f / STEPS);
    r.sum = make_float4(0, 0, 0, 0);
    return r;
}

/* Front to back; false when nothing more is to be seen. */
__host__ __device__ static bool blend(ray_state *r, float4 colour)
{
    float through = (1 - r->sum.w) * colour.w * 0.25f;
    r->sum.x += through * colour.x;
    r->sum.y += through * colour.y;
    r->sum.z += through * colour.z;
    r->sum.w += through;
    r->at.x += r->by.x, r->at.y += r->by.y, r->at.z += r->by.z;
    return r->sum.w < 0.9f;
}

__global__ void render(cudaTextureObject_t volume, cudaTextureObject_t palette, float4 *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    ray_state r = begin(x, y);
    for (int i = 0; i < STEPS; i++) {
        float density = tex3D<float>(volume, r.at.x, r.at.y, r.at.z);
        if (!blend(&r, tex1D<float4>(palette, density)))
            break;
    }
    out[y * W + x] = r.sum;
}

/* --- on the host; weights have eight bits behind the point --- */

static unsigned char density[SIDE][SIDE][SIDE];
static float4 colour[COLOURS];

static float voxel(int x, int y, int z) /* nothing beyond the border */
{
    if ((unsigned)x >= SIDE || (unsigned)y >= SIDE || (unsigned)z >= SIDE)
        return 0;
    return density[z][y][x] / 255.0f;
}

struct where {
    int i;
    float w;
};

static where split(float at, int n)
{
    float x = at * n - 0.5f, i = floorf(x);
    where s = {(int)i, floorf((x - i) * 256) / 256};
    return s;
}

static float density_at(float3 p)
{
    where x = split(p.x, SIDE), y = split(p.y, SIDE), z = split(p.z, SIDE);
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += (k & 1 ? x.w : 1 - x.w) * (k & 2 ? y.w : 1 - y.w) * (k & 4 ? z.w : 1 - z.w) *
               voxel(x.i + (k & 1), y.i + (k >> 1 & 1), z.i + (k >> 2));
    return sum;
}

static float4 colour_at(float d)
{
    where s = split(d, COLOURS);
    const float4 &a = colour[s.i < 0 ? 0 : s.i], &b = colour[min(s.i + 1, COLOURS - 1)];
    return make_float4(a.x + s.w * (b.x - a.x), a.y + s.w * (b.y - a.y), a.z + s.w * (b.z - a.z),
                       a.w + s.w * (b.w - a.w));
}

/* --- */

static cudaTextureObject_t texture_on(cudaArray_t a, cudaTextureAddressMode beyond,
                                      cudaTextureReadMode read)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = a;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = beyond;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = read;
    how.normalizedCoords = 1;
    cudaTextureObject_t t = 0;
    checkCudaErrors(cudaCreateTextureObject(&t, &resource, &how, NULL));
    return t;
}

static void fill(void)
{
    for (int z = 0; z < SIDE; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) { /* a ball that is dense within, and a wall */
                float dx = x - 7.5f, dy = y - 7.5f, dz = z - 7.5f,
                      r = sqrtf(dx * dx + dy * dy + dz * dz);
                density[z][y][x] = (unsigned char)(x > 13 ? 200 : fmaxf(0, 255 - 32 * r));
            }
    for (int i = 0; i < COLOURS; i++)
        colour[i] = make_float4(i / 7.0f, 1 - i / 7.0f, 0.5f, i / 7.0f);
}

int main()
{
    static float4 have[W * H];
    float4 *out;
    cudaArray_t voxels, colours;
    cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
    cudaChannelFormatDesc fours = cudaCreateChannelDesc<float4>();
    fill();
    checkCudaErrors(cudaMalloc3DArray(&voxels, &bytes, make_cudaExtent(SIDE, SIDE, SIDE)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(density, SIDE, SIDE, SIDE);
    copy.dstArray = voxels;
    copy.extent = make_cudaExtent(SIDE, SIDE, SIDE);
    copy.kind = cudaMemcpyHostToDevice;
    checkCudaErrors(cudaMemcpy3D(&copy));
    checkCudaErrors(cudaMallocArray(&colours, &fours, COLOURS));
    checkCudaErrors(cudaMemcpy2DToArray(colours, 0, 0, colour, sizeof(colour), sizeof(colour), 1,
                                        cudaMemcpyHostToDevice));
    cudaTextureObject_t volume =
        texture_on(voxels, cudaAddressModeBorder, cudaReadModeNormalizedFloat);
    cudaTextureObject_t palette =
        texture_on(colours, cudaAddressModeClamp, cudaReadModeElementType);
    checkCudaErrors(cudaMalloc(&out, sizeof(have)));
    render<<<dim3(W / 8, H / 8), dim3(8, 8)>>>(volume, palette, out);
    getLastCudaError("render");
    checkCudaErrors(cudaMemcpy(have, out, sizeof(have), cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++) {
        ray_state r = begin(i % W, i / W);
        for (int k = 0; k < STEPS && blend(&r, colour_at(density_at(r.at))); k++)
            ;
        expect("red of pixel", i, have[i].x, r.sum.x, 0.02);
        expect("green of pixel", i, have[i].y, r.sum.y, 0.02);
        expect("opacity of pixel", i, have[i].w, r.sum.w, 0.02);
    }
    checkCudaErrors(cudaDestroyTextureObject(volume));
    checkCudaErrors(cudaDestroyTextureObject(palette));
    checkCudaErrors(cudaFreeArray(voxels));
    checkCudaErrors(cudaFreeArray(colours));
    checkCudaErrors(cudaFree(out));
    return verdict();
}
