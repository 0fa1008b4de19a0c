// How blocks of a picture moved since the last one: sums of absolute differences of bytes, four at
// a time; then how alike the matches are, by products of bytes, and the picture halfway between
// both.
// options: -arch=sm_61
// run: -g gtx1080
#include <helper_cuda.h>
#include <stdlib.h>

#include "verdict.h"

enum { W = 48, H = 32, BLOCK = 8, REACH = 4, ACROSS = W / BLOCK, DOWN = H / BLOCK, WIDTH = W / 4 };

struct match {
    int dx, dy;
    unsigned sad, product, least;
};

/* Four bytes that begin anywhere. */
__device__ static unsigned four_at(const unsigned *picture, int x, int y)
{
    const unsigned *p = picture + y * WIDTH + x / 4;
    return __byte_perm(p[0], x % 4 ? p[1] : 0, 0x3210 + 0x1111 * (x % 4));
}

/* A thread per displacement; the best goes through shared memory, the first one of equals. */
__global__ void search(const unsigned *now, const unsigned *last, match *out)
{
    __shared__ unsigned best;
    const int side = 2 * REACH + 1, i = threadIdx.x, dx = i % side - REACH, dy = i / side - REACH;
    const int x0 = blockIdx.x * BLOCK, y0 = blockIdx.y * BLOCK;
    unsigned sad = 0, product = 0, least = ~0u, key = ~0u;
    if (i == 0)
        best = ~0u;
    __syncthreads();
    bool inside = i < side * side && x0 + dx >= 0 && x0 + dx + BLOCK <= W && y0 + dy >= 0 &&
                  y0 + dy + BLOCK <= H;
    for (int k = 0; inside && k < BLOCK * 2; k++) {
        int x = x0 + k % 2 * 4, y = y0 + k / 2;
        unsigned a = now[y * WIDTH + x / 4], b = four_at(last, x + dx, y + dy);
        sad += __vsadu4(a, b);
        product = __dp4a(a, b, product);
        least = __vminu4(least, __vabsdiffu4(a, b));
    }
    if (inside) {
        key = sad << 8 | (unsigned)i;
        atomicMin(&best, key);
    }
    __syncthreads();
    if (key == best && inside) {
        match m = {dx, dy, sad, product, least};
        out[blockIdx.y * ACROSS + blockIdx.x] = m;
    }
}

/* Halfway between, rounded up; and where both differ by more than a little. */
__global__ void halfway(const unsigned *a, const unsigned *b, unsigned *mean, unsigned *changed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= WIDTH * H)
        return;
    mean[i] = __vavgu4(a[i], b[i]);
    changed[i] = __vcmpgtu4(__vabsdiffu4(a[i], b[i]), 0x10101010) & __vsetgeu4(a[i], b[i]);
}

/* --- on the host, byte by byte --- */

static unsigned char now[H][W], last[H][W];

static match measured(int x0, int y0, int dx, int dy)
{
    match m = {dx, dy, 0, 0, 0};
    unsigned char least[4] = {255, 255, 255, 255};
    for (int y = y0; y < y0 + BLOCK; y++)
        for (int x = x0; x < x0 + BLOCK; x++) {
            int a = now[y][x], b = last[y + dy][x + dx];
            m.sad += (unsigned)abs(a - b);
            m.product += (unsigned)(a * b);
            least[x % 4] = (unsigned char)min((int)least[x % 4], abs(a - b));
        }
    for (int i = 0; i < 4; i++)
        m.least |= (unsigned)least[i] << 8 * i;
    return m;
}

static match best_of(int x0, int y0)
{
    match best = {0, 0, ~0u, 0, 0};
    for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++) {
            if (x0 + dx < 0 || x0 + dx + BLOCK > W || y0 + dy < 0 || y0 + dy + BLOCK > H)
                continue;
            match m = measured(x0, y0, dx, dy);
            if (m.sad < best.sad)
                best = m;
        }
    return best;
}

static void check_matches(const match *have)
{
    for (int i = 0; i < ACROSS * DOWN; i++) {
        match want = best_of(i % ACROSS * BLOCK, i / ACROSS * BLOCK);
        expect("dx of block", i, have[i].dx, want.dx);
        expect("dy of block", i, have[i].dy, want.dy);
        expect("difference of block", i, have[i].sad, want.sad);
        expect("product of block", i, have[i].product, want.product);
        expect("least difference of block", i, have[i].least, want.least);
    }
}

static void check_halfway(const unsigned char *mean, const unsigned char *changed)
{
    for (int i = 0; i < W * H; i++) {
        int a = now[i / W][i % W], b = last[i / W][i % W];
        expect("mean of pixel", i, mean[i], (a + b + 1) / 2);
        expect("change of pixel", i, changed[i], abs(a - b) > 16 && a >= b ? 1 : 0);
    }
}

int main()
{
    static unsigned char mean[W * H], changed[W * H];
    match have[ACROSS * DOWN], *out;
    unsigned *device[4], seed = 47;
    for (int i = 0; i < W * H; i++)
        last[i / W][i % W] = (unsigned char)draw(&seed);
    for (int y = 0; y < H; y++) /* everything moved by (-3, 2), and a little noise */
        for (int x = 0; x < W; x++)
            now[y][x] = (unsigned char)(last[(y + 2) % H][(x + W - 3) % W] ^ draw(&seed) % 4);
    for (int i = 0; i < 4; i++)
        checkCudaErrors(cudaMalloc(&device[i], W * H));
    checkCudaErrors(cudaMalloc(&out, sizeof(have)));
    checkCudaErrors(cudaMemcpy(device[0], now, W * H, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(device[1], last, W * H, cudaMemcpyHostToDevice));
    search<<<dim3(ACROSS, DOWN), 96>>>(device[0], device[1], out);
    halfway<<<(WIDTH * H + 63) / 64, 64>>>(device[0], device[1], device[2], device[3]);
    getLastCudaError("motion");
    checkCudaErrors(cudaMemcpy(have, out, sizeof(have), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(mean, device[2], W * H, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(changed, device[3], W * H, cudaMemcpyDeviceToHost));
    check_matches(have);
    check_halfway(mean, changed);
    for (unsigned *p : device)
        checkCudaErrors(cudaFree(p));
    checkCudaErrors(cudaFree(out));
    return verdict();
}
