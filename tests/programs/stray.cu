// A stencil that reads a cell before its field and a row behind it, and never uses what it gets
// there: the chip returns something, and so does mem.bounds=report.  Also a list whose last block
// writes a few elements too many.  A step reads 1 + 32 cells before the field and as many behind
// it, there are three steps, and the list is 28 short of two blocks.
// run: --set mem.bounds=report
// stderr: smelt: warning: kernel diffuse: global read of 4 bytes at
// stderr: smelt: warning: kernel square: global write of 4 bytes at
// stderr: smelt: warning: 226 reads and 28 writes of threads were out of bounds
#include <helper_cuda.h>

#include "verdict.h"

enum { W = 32, H = 19, STEPS = 3, N = 100, BLOCK = 64 };

/* All five are loaded first; at an edge a cell is used in place of its neighbour. */
extern "C" __global__ void diffuse(const float *in, float *out)
{
    int i = blockIdx.x * W + threadIdx.x, x = threadIdx.x, y = blockIdx.x;
    float centre = in[i], west = ((volatile const float *)in)[i - 1];
    float east = ((volatile const float *)in)[i + 1];
    float north = ((volatile const float *)in)[i - W], south = ((volatile const float *)in)[i + W];
    west = x == 0 ? centre : west;
    east = x == W - 1 ? centre : east;
    north = y == 0 ? centre : north;
    south = y == H - 1 ? centre : south;
    out[i] = 0.5f * centre + 0.125f * (west + east + north + south);
}

/* Nobody asks whether i is below n. */
extern "C" __global__ void square(const int *in, int *out)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int v = in[i];
    out[i] = v * v;
}

static void diffuse_on_host(const float *in, float *out)
{
    for (int i = 0; i < W * H; i++) {
        int x = i % W, y = i / W;
        float west = in[x == 0 ? i : i - 1], east = in[x == W - 1 ? i : i + 1];
        float north = in[y == 0 ? i : i - W], south = in[y == H - 1 ? i : i + W];
        out[i] = 0.5f * in[i] + 0.125f * (west + east + north + south);
    }
}

int main()
{
    static float host[2][W * H], have[W * H];
    int numbers[N], squares[N], *in, *out;
    float *field[2];
    unsigned seed = 53;
    for (int i = 0; i < W * H; i++)
        host[0][i] = (float)(draw(&seed) % 4096); /* so that sums stay exact */
    for (int i = 0; i < N; i++)
        numbers[i] = (int)(draw(&seed) % 1000);
    for (int i = 0; i < 2; i++)
        checkCudaErrors(cudaMalloc(&field[i], sizeof(have)));
    checkCudaErrors(cudaMalloc(&in, sizeof(numbers)));
    checkCudaErrors(cudaMalloc(&out, sizeof(numbers)));
    checkCudaErrors(cudaMemcpy(field[0], host[0], sizeof(have), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(in, numbers, sizeof(numbers), cudaMemcpyHostToDevice));
    for (int i = 0; i < STEPS; i++) {
        diffuse<<<H, W>>>(field[i % 2], field[1 - i % 2]);
        diffuse_on_host(host[i % 2], host[1 - i % 2]);
    }
    square<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(in, out);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(have, field[STEPS % 2], sizeof(have), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(squares, out, sizeof(squares), cudaMemcpyDeviceToHost));
    for (int i = 0; i < W * H; i++)
        expect("cell", i, have[i], host[STEPS % 2][i]);
    for (int i = 0; i < N; i++)
        expect("square of", numbers[i], squares[i], numbers[i] * numbers[i]);
    for (int i = 0; i < 2; i++)
        checkCudaErrors(cudaFree(field[i]));
    checkCudaErrors(cudaFree(in));
    checkCudaErrors(cudaFree(out));
    return verdict();
}
