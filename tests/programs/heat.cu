// Heat in a plate, step by step between two surfaces whose edges clamp, and at the end a picture of
// it: a kernel that reads the same array as a texture writes bytes to a third surface.
#include <helper_cuda.h>

#include "verdict.h"

enum { W = 64, H = 40, STEPS = 12 };

__global__ void step(cudaSurfaceObject_t from, cudaSurfaceObject_t to, float rate)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    const int size = sizeof(float);
    float centre, west, east, north, south;
    surf2Dread(&centre, from, x * size, y);
    surf2Dread(&west, from, (x - 1) * size, y, cudaBoundaryModeClamp);
    surf2Dread(&east, from, (x + 1) * size, y, cudaBoundaryModeClamp);
    north = surf2Dread<float>(from, x * size, y - 1, cudaBoundaryModeClamp);
    south = surf2Dread<float>(from, x * size, y + 1, cudaBoundaryModeClamp);
    surf2Dwrite(centre + rate * (west + east + north + south - 4 * centre), to, x * size, y);
}

/* Threads to the right of the picture write, too: what is outside is dropped. */
__global__ void paint(cudaTextureObject_t heat, cudaSurfaceObject_t picture)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float t = tex2D<float>(heat, x + 0.5f, y + 0.5f);
    unsigned char red = (unsigned char)fminf(t, 255.0f);
    uchar4 colour = make_uchar4(red, 0, 255 - red, 255);
    if (y < H)
        surf2Dwrite(colour, picture, x * (int)sizeof(colour), y, cudaBoundaryModeZero);
}

static cudaArray_t plate(cudaChannelFormatDesc desc)
{
    cudaArray_t a;
    checkCudaErrors(cudaMallocArray(&a, &desc, W, H, cudaArraySurfaceLoadStore));
    return a;
}

static cudaResourceDesc resource(cudaArray_t a)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

static cudaSurfaceObject_t surface_on(cudaArray_t a)
{
    cudaResourceDesc r = resource(a);
    cudaSurfaceObject_t s = 0;
    checkCudaErrors(cudaCreateSurfaceObject(&s, &r));
    return s;
}

static int clamped(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static void host_step(const float *from, float *to, float rate)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            float c = from[y * W + x];
            float west = from[y * W + clamped(x - 1, W)], east = from[y * W + clamped(x + 1, W)];
            float north = from[clamped(y - 1, H) * W + x], south = from[clamped(y + 1, H) * W + x];
            to[y * W + x] = c + rate * (west + east + north + south - 4 * c);
        }
}

int main()
{
    static float host[2][W * H], have[W * H];
    static uchar4 picture[W * H];
    cudaArray_t plates[2], canvas = plate(cudaCreateChannelDesc<uchar4>());
    cudaSurfaceObject_t surfaces[2], out = surface_on(canvas);
    unsigned seed = 7;
    for (int i = 0; i < W * H; i++)
        host[0][i] = draw(&seed) % 8 ? 20.0f : 250.0f;
    for (int i = 0; i < 2; i++) {
        plates[i] = plate(cudaCreateChannelDesc<float>());
        surfaces[i] = surface_on(plates[i]);
    }
    const size_t row = W * sizeof(float);
    checkCudaErrors(
        cudaMemcpy2DToArray(plates[0], 0, 0, host[0], row, row, H, cudaMemcpyHostToDevice));

    dim3 block(16, 16), grid((W + 15) / 16, (H + 15) / 16);
    for (int i = 0; i < STEPS; i++) {
        step<<<grid, block>>>(surfaces[i % 2], surfaces[1 - i % 2], 0.2f);
        host_step(host[i % 2], host[1 - i % 2], 0.2f);
    }
    getLastCudaError("step");
    cudaResourceDesc r = resource(plates[STEPS % 2]);
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t heat = 0;
    checkCudaErrors(cudaCreateTextureObject(&heat, &r, &how, NULL));
    paint<<<dim3(grid.x + 1, grid.y), block>>>(heat, out);
    getLastCudaError("paint");

    checkCudaErrors(
        cudaMemcpy2DFromArray(have, row, plates[STEPS % 2], 0, 0, row, H, cudaMemcpyDeviceToHost));
    checkCudaErrors(
        cudaMemcpy2DFromArray(picture, row, canvas, 0, 0, row, H, cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++) {
        expect("heat at", i, have[i], host[STEPS % 2][i], 1e-5);
        unsigned char red = (unsigned char)fminf(have[i], 255.0f);
        expect("red of pixel", i, picture[i].x, red);
        expect("blue of pixel", i, picture[i].z, 255 - red);
    }
    checkCudaErrors(cudaDestroyTextureObject(heat));
    for (int i = 0; i < 2; i++) {
        checkCudaErrors(cudaDestroySurfaceObject(surfaces[i]));
        checkCudaErrors(cudaFreeArray(plates[i]));
    }
    checkCudaErrors(cudaDestroySurfaceObject(out));
    checkCudaErrors(cudaFreeArray(canvas));
    return verdict();
}
