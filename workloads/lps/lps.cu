/*
 * lps -- solves Laplace's equation on a 3D grid by Jacobi iterations
 *
 * suite: ISPASS
 * stresses: stencil through shared memory planes, barriers, divergence at halos and ragged edges
 * papers: amoeba
 * kernels: lps_jacobi
 * size: 100 points along each side
 * large: 100 points along each side
 * odd: 37
 * tiny: 9
 * time: 3.8 s
 *
 * Every point inside becomes the mean of its six neighbours; those on the faces are given.  A block
 * of 32 x 4 threads has a column of 32 x 4 points and marches along z through it.  It keeps three
 * planes of the column, each with a halo of one point around it, in shared memory: the plane it
 * computes, the one before and the next, which the threads load, some of them a halo point too.
 * Blocks, their grid of 4 x 25 and the size are those of the suite; there are ROUNDS iterations.
 *
 * The CPU adds up in double.  Values are below 1: an iteration has a few roundings of a sum below
 * 6 and does not amplify those of the iteration before.
 */
#include "workload.h"

enum { BLOCK_X = 32, BLOCK_Y = 4, ROUNDS = 2 };

/* A plane of a block's column: point (x, y) at [y + 1][x + 1]. */
typedef float plane[BLOCK_Y + 2][BLOCK_X + 2];

/* A halo point of the block's planes for one of the first threads. */
struct halo {
    int x, y; /* in the block */
    bool inside;
};

/* Rows above and below for the first two rows of threads; points left and right for those after. */
static __device__ struct halo halo_of(int n)
{
    int t = threadIdx.x + threadIdx.y * BLOCK_X, side = t - 2 * BLOCK_X;
    struct halo h = {(int)threadIdx.x, (int)threadIdx.y * (BLOCK_Y + 1) - 1, false};

    if (side >= 0) {
        h.x = side % 2 * (BLOCK_X + 1) - 1;
        h.y = side / 2;
    }
    int x = blockIdx.x * BLOCK_X + h.x, y = blockIdx.y * BLOCK_Y + h.y;

    h.inside = side < 2 * BLOCK_Y && x >= 0 && x < n && y >= 0 && y < n;
    return h;
}

__global__ void lps_jacobi(const float *from, float *to, int n, int pitch)
{
    __shared__ plane before, here, after;
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    int column = blockIdx.x * BLOCK_X + threadIdx.x, row = blockIdx.y * BLOCK_Y + threadIdx.y;
    bool active = column < n && row < n;
    bool face = column == 0 || column == n - 1 || row == 0 || row == n - 1;
    struct halo h = halo_of(n);
    int at = row * pitch + column; /* in a plane of the grid */
    int halo_at = (blockIdx.y * BLOCK_Y + h.y) * pitch + blockIdx.x * BLOCK_X + h.x;

    if (active) {
        here[y][x] = 0; /* nothing is before the first plane */
        after[y][x] = from[at];
    }
    if (h.inside)
        after[h.y + 1][h.x + 1] = from[halo_at];
    for (int z = 0; z < n; z++) {
        int next = (z + 1) * n * pitch;

        /* A thread shifts only what it has loaded itself: no barrier is needed. */
        if (active) {
            before[y][x] = here[y][x];
            here[y][x] = after[y][x];
            after[y][x] = z < n - 1 ? from[next + at] : 0;
        }
        if (h.inside) {
            here[h.y + 1][h.x + 1] = after[h.y + 1][h.x + 1];
            after[h.y + 1][h.x + 1] = z < n - 1 ? from[next + halo_at] : 0;
        }
        __syncthreads();
        if (active)
            to[z * n * pitch + at] = face || z == 0 || z == n - 1
                                         ? here[y][x]
                                         : (here[y][x - 1] + here[y][x + 1] + here[y - 1][x] +
                                            here[y + 1][x] + before[y][x] + after[y][x]) *
                                               (1 / 6.0f);
        __syncthreads();
    }
}

static void solve_gpu(const float *grid, float *result, int n)
{
    dim3 blocks((n + BLOCK_X - 1) / BLOCK_X, (n + BLOCK_Y - 1) / BLOCK_Y);
    size_t row = n * sizeof *grid, rows = (size_t)n * n, pitch;
    float *d_from, *d_to, *swap;

    CUDA(cudaMallocPitch((void **)&d_from, &pitch, row, rows));
    CUDA(cudaMallocPitch((void **)&d_to, &pitch, row, rows));
    CUDA(cudaMemcpy2D(d_from, pitch, grid, row, row, rows, cudaMemcpyHostToDevice));
    for (int round = 0; round < ROUNDS; round++) {
        lps_jacobi<<<blocks, dim3(BLOCK_X, BLOCK_Y)>>>(d_from, d_to, n,
                                                       (int)(pitch / sizeof *d_from));
        CUDA_LAUNCHED();
        swap = d_from, d_from = d_to, d_to = swap;
    }
    CUDA(cudaMemcpy2D(result, row, d_from, pitch, row, rows, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_from));
    CUDA(cudaFree(d_to));
}

static void solve_cpu(const float *grid, float *result, int n)
{
    size_t points = (size_t)n * n * n;
    float *from = (float *)workload_alloc(points * sizeof *from);

    memcpy(result, grid, points * sizeof *result);
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(from, result, points * sizeof *from);
        for (int z = 1; z < n - 1; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < n - 1; x++) {
                    const float *p = from + ((size_t)z * n + y) * n + x;
                    double sum = (double)p[-1] + p[1] + p[-n] + p[n] + p[-n * n] + p[n * n];

                    result[((size_t)z * n + y) * n + x] = (float)(sum / 6);
                }
    }
    free(from);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "points along each side", .usual = 100, .large = 100, .least = 1, .most = 512});
    int n = (int)w.size;
    size_t points = (size_t)n * n * n;
    float *grid = (float *)workload_alloc(points * sizeof *grid);
    float *got = (float *)workload_alloc(points * sizeof *got);
    float *want = (float *)workload_alloc(points * sizeof *want);

    for (size_t i = 0; i < points; i++)
        grid[i] = workload_float(&w, 0, 1);
    solve_gpu(grid, got, n);
    solve_cpu(grid, want, n);
    workload_compare_f32(&w, "u", got, want, points, 1e-6f);

    free(grid);
    free(got);
    free(want);
    return workload_end(&w);
}
