// One sharp picture from many, each of which is sharp somewhere else: for every pixel the layer of
// a layered texture with the greatest contrast around it, then the picture at half the size from
// those layers, filtered.
#include <helper_cuda.h>

#include "verdict.h"

enum { W = 48, H = 32, LAYERS = 6 };

/* How much a pixel differs from its neighbours in a layer. */
__device__ static float contrast(cudaTextureObject_t stack, int x, int y, int layer)
{
    float sum = 0, centre = tex2DLayered<float>(stack, x + 0.5f, y + 0.5f, layer);
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += fabsf(tex2DLayered<float>(stack, x + dx + 0.5f, y + dy + 0.5f, layer) - centre);
    return sum;
}

__global__ void choose(cudaTextureObject_t stack, unsigned char *best)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float most = -1;
    for (int layer = 0; layer < LAYERS; layer++) {
        float c = contrast(stack, x, y, layer);
        if (c > most)
            most = c, best[y * W + x] = (unsigned char)layer;
    }
}

/* A pixel of half the size lies in the middle of four. */
__global__ void shrink(cudaTextureObject_t smooth, const unsigned char *best, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int layer = best[2 * y * W + 2 * x];
    out[y * (W / 2) + x] = tex2DLayered<float>(smooth, 2 * x + 1.0f, 2 * y + 1.0f, layer);
}

static float stack[LAYERS][H][W];

static float at(int layer, int y, int x)
{
    return stack[layer][y < 0 ? 0 : y < H ? y : H - 1][x < 0 ? 0 : x < W ? x : W - 1];
}

static int sharpest(int x, int y)
{
    int best = 0;
    float most = -1;
    for (int layer = 0; layer < LAYERS; layer++) {
        float sum = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                sum += fabsf(at(layer, y + dy, x + dx) - at(layer, y, x));
        if (sum > most)
            most = sum, best = layer;
    }
    return best;
}

/* Columns of a layer are the sharper the nearer they are to the layer's own.  Values are whole, so
 * that sums are exact. */
static void take_pictures(void)
{
    unsigned seed = 5;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int detail = (int)(draw(&seed) % 64);
            for (int layer = 0; layer < LAYERS; layer++) {
                int away = abs(x - (2 * layer + 1) * W / (2 * LAYERS));
                stack[layer][y][x] = (float)(100 + detail * 8 / (8 + away * away));
            }
        }
}

static cudaTextureObject_t texture_on(cudaArray_t a, cudaTextureFilterMode filter)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = a;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = filter;
    cudaTextureObject_t t = 0;
    checkCudaErrors(cudaCreateTextureObject(&t, &resource, &how, NULL));
    return t;
}

static cudaArray_t layers_on_device(void)
{
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    checkCudaErrors(cudaMalloc3DArray(&a, &desc, make_cudaExtent(W, H, LAYERS), cudaArrayLayered));
    for (int layer = 0; layer < LAYERS; layer++) { /* one picture after the other */
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(stack[layer], W * sizeof(float), W, H);
        copy.dstArray = a;
        copy.dstPos = make_cudaPos(0, 0, layer);
        copy.extent = make_cudaExtent(W, H, 1);
        copy.kind = cudaMemcpyHostToDevice;
        checkCudaErrors(cudaMemcpy3D(&copy));
    }
    return a;
}

int main()
{
    static unsigned char chosen[H][W];
    static float small[H / 2][W / 2];
    unsigned char *best;
    float *out;
    int used[LAYERS] = {0};
    take_pictures();
    cudaArray_t a = layers_on_device();
    cudaTextureObject_t point = texture_on(a, cudaFilterModePoint);
    cudaTextureObject_t linear = texture_on(a, cudaFilterModeLinear);
    checkCudaErrors(cudaMalloc(&best, sizeof(chosen)));
    checkCudaErrors(cudaMalloc(&out, sizeof(small)));
    dim3 block(8, 8);
    choose<<<dim3(W / 8, H / 8), block>>>(point, best);
    shrink<<<dim3(W / 16, H / 16), block>>>(linear, best, out);
    getLastCudaError("focus");
    checkCudaErrors(cudaMemcpy(chosen, best, sizeof(chosen), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(small, out, sizeof(small), cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            expect("layer of pixel", y * W + x, chosen[y][x], sharpest(x, y));
            used[chosen[y][x] % LAYERS]++;
        }
    for (int y = 0; y < H; y += 2)
        for (int x = 0; x < W; x += 2) {
            int l = sharpest(x, y);
            float four = at(l, y, x) + at(l, y, x + 1) + at(l, y + 1, x) + at(l, y + 1, x + 1);
            expect("small pixel", y / 2 * (W / 2) + x / 2, small[y / 2][x / 2], four / 4);
        }
    for (int layer = 0; layer < LAYERS; layer++)
        expect("layer is sharp somewhere:", layer, used[layer] > 0, 1);
    checkCudaErrors(cudaDestroyTextureObject(point));
    checkCudaErrors(cudaDestroyTextureObject(linear));
    checkCudaErrors(cudaFreeArray(a));
    checkCudaErrors(cudaFree(best));
    checkCudaErrors(cudaFree(out));
    return verdict();
}
