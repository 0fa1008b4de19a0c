// Surfaces: objects and references of every geometry, elements of every size, and what happens at
// the edge; what is written is read by a texture afterwards.
// timing
#include "check.h"

enum { W = 16, H = 4, D = 3, N = W * H * D };

surface<void, cudaSurfaceType2D> sheet;

static cudaArray_t array_of(cudaChannelFormatDesc desc, int w, int h, int d, unsigned int flags)
{
    cudaArray_t a = NULL;
    CHECK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(w, h, d),
                            flags | cudaArraySurfaceLoadStore) == cudaSuccess);
    return a;
}

static cudaSurfaceObject_t object(cudaArray_t a)
{
    cudaResourceDesc r = cudaResourceDesc(), back;
    cudaSurfaceObject_t s = 0;
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    CHECK(cudaCreateSurfaceObject(&s, &r) == cudaSuccess);
    CHECK(cudaGetSurfaceObjectResourceDesc(&back, s) == cudaSuccess && back.res.array.array == a);
    return s;
}

/* What the array holds, rows without a gap. */
static void read_back(cudaArray_t a, void *to, int w_bytes, int element, int h, int d)
{
    cudaMemcpy3DParms copy = cudaMemcpy3DParms();
    copy.srcArray = a;
    copy.dstPtr = make_cudaPitchedPtr(to, w_bytes, w_bytes / element, h);
    copy.extent = make_cudaExtent(w_bytes / element, h, d);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
}

/* --- geometries: each element becomes its own number, plus 1000 from an element further on --- */

__global__ void fill(cudaSurfaceObject_t s1, cudaSurfaceObject_t s2, cudaSurfaceObject_t s3,
                     cudaSurfaceObject_t l1, cudaSurfaceObject_t l2)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = (z * H + y) * W + x;
    if (i < W)
        surf1Dwrite(i, s1, 4 * x);
    if (z == 0)
        surf2Dwrite(i, s2, 4 * x, y);
    surf3Dwrite(i, s3, 4 * x, y, z);
    if (y == 0)
        surf1DLayeredwrite(100 * z + x, l1, 4 * x, z);
    surf2DLayeredwrite(i, l2, 4 * x, y, z);
}

__global__ void look(cudaSurfaceObject_t s1, cudaSurfaceObject_t s2, cudaSurfaceObject_t s3,
                     cudaSurfaceObject_t l1, cudaSurfaceObject_t l2, int *out)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = (z * H + y) * W + x;
    out[i] = surf1Dread<int>(s1, 4 * x);
    out[N + i] = surf2Dread<int>(s2, 4 * x, y);
    out[2 * N + i] = surf3Dread<int>(s3, 4 * x, y, z);
    out[3 * N + i] = surf1DLayeredread<int>(l1, 4 * x, z);
    surf2DLayeredread(&out[4 * N + i], l2, 4 * x, y, z);
}

static void geometries()
{
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    cudaArray_t a[5] = {array_of(desc, W, 0, 0, 0), array_of(desc, W, H, 0, 0),
                        array_of(desc, W, H, D, 0), array_of(desc, W, 0, D, cudaArrayLayered),
                        array_of(desc, W, H, D, cudaArrayLayered)};
    cudaSurfaceObject_t s[5];
    int *out = shared_array<int>(5 * N);
    static int host[N];
    for (int i = 0; i < 5; i++)
        s[i] = object(a[i]);
    fill<<<1, dim3(W, H, D)>>>(s[0], s[1], s[2], s[3], s[4]);
    look<<<1, dim3(W, H, D)>>>(s[0], s[1], s[2], s[3], s[4], out);
    finish_kernels();
    for (int i = 0; i < N; i++) {
        int x = i % W, z = i / (W * H);
        CHECK(out[i] == x && out[N + i] == i % (W * H) && out[2 * N + i] == i);
        CHECK(out[3 * N + i] == 100 * z + x && out[4 * N + i] == i);
    }
    read_back(a[2], host, W * 4, 4, H, D);
    for (int i = 0; i < N; i++)
        CHECK(host[i] == i);
    for (int i = 0; i < 5; i++) {
        CHECK(cudaDestroySurfaceObject(s[i]) == cudaSuccess);
        CHECK(cudaFreeArray(a[i]) == cudaSuccess);
    }
}

/* --- elements --- */

__global__ void elements(cudaSurfaceObject_t s)
{
    int x = threadIdx.x;
    unsigned char b = surf2Dread<unsigned char>(s, x, 0);
    surf2Dwrite((unsigned char)(b + 1), s, x, 1);
    if (x < 32)
        surf2Dwrite((short)(surf2Dread<short>(s, 2 * x, 0) - 1), s, 2 * x, 2);
    if (x < 8) {
        uint2 two = surf2Dread<uint2>(s, 8 * x, 0);
        surf2Dwrite(make_uint2(two.y, two.x), s, 8 * x, 3);
    }
    if (x < 4) {
        float4 four = surf2Dread<float4>(s, 16 * x, 0);
        surf2Dwrite(make_float4(four.w, four.z, four.y, four.x), s, 16 * x, 4);
    }
}

static void sizes()
{
    cudaArray_t a = array_of(cudaCreateChannelDesc<uint4>(), 4, 5, 0, 0);
    cudaSurfaceObject_t s = object(a);
    unsigned char host[5][64];
    for (int i = 0; i < 64; i++)
        host[0][i] = (unsigned char)(i * 5 + 1);
    CHECK(cudaMemcpyToArray(a, 0, 0, host, 64, cudaMemcpyHostToDevice) == cudaSuccess);
    elements<<<1, 64>>>(s);
    finish_kernels();
    read_back(a, host, 64, 16, 5, 1);
    for (int i = 0; i < 64; i++) {
        CHECK(host[1][i] == (unsigned char)(host[0][i] + 1));
        CHECK(host[3][i] == host[0][i ^ 4]);  /* words of 8 bytes the other way round */
        CHECK(host[4][i] == host[0][i ^ 12]); /* of 16 */
    }
    for (int i = 0; i < 32; i++) {
        short before, after;
        memcpy(&before, &host[0][2 * i], 2);
        memcpy(&after, &host[2][2 * i], 2);
        CHECK(after == (short)(before - 1));
    }
    cudaDestroySurfaceObject(s);
    cudaFreeArray(a);
}

/* --- the edge, and references --- */

__global__ void edges(cudaSurfaceObject_t s, int *out)
{
    int x = threadIdx.x - 8; /* 8 to the left of it, 8 to the right */
    out[threadIdx.x] = surf2Dread<int>(s, 4 * x, 1, cudaBoundaryModeZero);
    out[32 + threadIdx.x] = surf2Dread<int>(s, 4 * x, 9, cudaBoundaryModeClamp);
    out[64 + threadIdx.x] = surf2Dread<int>(sheet, 4 * (x & 15), 2);
    surf2Dwrite(-x, sheet, 4 * x, 0, cudaBoundaryModeZero); /* others are dropped */
}

__global__ void fetched(cudaTextureObject_t t, int *out)
{
    out[threadIdx.x] = tex2D<int>(t, threadIdx.x + 0.5f, 0.5f);
}

static void edge()
{
    cudaArray_t a = array_of(cudaCreateChannelDesc<int>(), W, H, 0, 0), plain;
    cudaSurfaceObject_t s = object(a);
    int host[H][W], *out = shared_array<int>(96);
    for (int i = 0; i < W * H; i++)
        host[i / W][i % W] = 3 * i + 1;
    CHECK(cudaMemcpyToArray(a, 0, 0, host, sizeof(host), cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaBindSurfaceToArray(sheet, a) == cudaSuccess);
    edges<<<1, 32>>>(s, out);
    finish_kernels();
    for (int i = 0; i < 32; i++) {
        int x = i - 8, near = x < 0 ? 0 : x >= W ? W - 1 : x;
        CHECK(out[i] == (x == near ? host[1][x] : 0));
        CHECK(out[32 + i] == host[H - 1][near]);
        CHECK(out[64 + i] == host[2][x & 15]);
    }
    cudaResourceDesc r = cudaResourceDesc();
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaTextureDesc d = cudaTextureDesc();
    cudaTextureObject_t t = 0;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaSuccess);
    fetched<<<1, W>>>(t, out);
    finish_kernels();
    for (int i = 0; i < W; i++)
        CHECK(out[i] == -i);
    /* an array that was not made for it */
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    CHECK(cudaMallocArray(&plain, &desc, W, H) == cudaSuccess);
    r.res.array.array = plain;
    cudaSurfaceObject_t bad = 0;
    CHECK(cudaCreateSurfaceObject(&bad, &r) == cudaErrorInvalidValue && bad == 0);
    CHECK(cudaDestroySurfaceObject(t) == cudaErrorInvalidValue); /* a texture */
    cudaDestroyTextureObject(t), cudaDestroySurfaceObject(s);
    cudaFreeArray(a), cudaFreeArray(plain);
}

/* --- faces are layers --- */

__global__ void paint(cudaSurfaceObject_t s)
{
    int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
    surfCubemapwrite((float)(face * 100 + y * 8 + x), s, 4 * x, y, face);
    float back = surfCubemapread<float>(s, 4 * x, y, face);
    surfCubemapwrite(back + 0.5f, s, 4 * x, y, face);
}

static void cube()
{
    cudaArray_t a = array_of(cudaCreateChannelDesc<float>(), 8, 8, 6, cudaArrayCubemap);
    cudaSurfaceObject_t s = object(a);
    static float host[6][8][8];
    paint<<<6, dim3(8, 8)>>>(s);
    finish_kernels();
    read_back(a, host, 32, 4, 8, 6);
    for (int f = 0; f < 6; f++)
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++)
                CHECK(host[f][y][x] == f * 100 + y * 8 + x + 0.5f);
    cudaDestroySurfaceObject(s);
    cudaFreeArray(a);
}

int main()
{
    geometries();
    sizes();
    edge();
    cube();
    return finish();
}
