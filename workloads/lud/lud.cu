/*
 * lud -- LU decomposition of a matrix, block by block
 *
 * suite: Rodinia
 * stresses: shared memory, little parallelism at the end, divergence inside a warp
 * papers: share, socgpu
 * kernels: lud_diagonal, lud_perimeter, lud_internal
 * size: 512 rows and columns
 * large: 2048 rows and columns
 * odd: 90
 * tiny: 43
 * time: 10.2 s
 *
 * A = L U in place, L with ones on its diagonal, no pivoting (the input is diagonally dominant).
 * For each tile of the diagonal: lud_diagonal factors it (one block of 16 threads); lud_perimeter
 * solves for the tiles right of it and below it (a warp each: its lower half works on a tile of the
 * row, its upper half on one of the column); lud_internal subtracts the product of these from what
 * is left.  The parallelism shrinks from step to step.  The matrix is filled up to whole tiles with
 * an identity, which the decomposition keeps apart.
 *
 * Tiles of 16 x 16 and the shapes of all launches are Rodinia's; its inputs have 256 to 2048 rows.
 * Loops are unrolled by no more than 4: wholly unrolled, lud_diagonal and lud_internal would be
 * bound by registers instead of by shared memory and threads.
 */
#include "workload.h"

enum { TILE = 16 };

/* `at`: the first row and column of the tile. */
__global__ void lud_diagonal(float *a, int n, int at)
{
    __shared__ float tile[TILE][TILE];
    float *origin = a + at * n + at;
    int t = threadIdx.x;

#pragma unroll 4
    for (int i = 0; i < TILE; i++)
        tile[i][t] = origin[i * n + t];
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < TILE - 1; i++) {
        if (t > i) { /* column i of L, a row a thread */
#pragma unroll 4
            for (int j = 0; j < i; j++)
                tile[t][i] -= tile[t][j] * tile[j][i];
            tile[t][i] /= tile[i][i];
        }
        __syncthreads();
        if (t > i) /* row i + 1 of U, a column a thread */
#pragma unroll 4
            for (int j = 0; j <= i; j++)
                tile[i + 1][t] -= tile[i + 1][j] * tile[j][t];
        __syncthreads();
    }
#pragma unroll 4
    for (int i = 0; i < TILE; i++)
        origin[i * n + t] = tile[i][t];
}

/* L X = tile, where L is the lower part of the diagonal tile; a thread has a column. */
static __device__ void solve_row(float tile[TILE][TILE], float diagonal[TILE][TILE], int t)
{
    for (int i = 1; i < TILE; i++)
        for (int j = 0; j < i; j++)
            tile[i][t] -= diagonal[i][j] * tile[j][t];
}

/* X U = tile, where U is the upper part of the diagonal tile; a thread has a row. */
static __device__ void solve_column(float tile[TILE][TILE], float diagonal[TILE][TILE], int t)
{
    for (int j = 0; j < TILE; j++) {
        for (int i = 0; i < j; i++)
            tile[t][j] -= tile[t][i] * diagonal[i][j];
        tile[t][j] /= diagonal[j][j];
    }
}

__global__ void lud_perimeter(float *a, int n, int at)
{
    __shared__ float diagonal[TILE][TILE], row[TILE][TILE], column[TILE][TILE];
    int other = at + TILE * (blockIdx.x + 1);
    float *origin = a + at * n + at;
    float *row_origin = a + at * n + other, *column_origin = a + other * n + at;
    bool upper = threadIdx.x >= TILE;
    int t = threadIdx.x % TILE;

    for (int i = upper ? TILE / 2 : 0; i < (upper ? TILE : TILE / 2); i++) {
        diagonal[i][t] = origin[i * n + t];
        row[i][t] = row_origin[i * n + t];
        column[i][t] = column_origin[i * n + t];
    }
    __syncthreads();
    if (upper)
        solve_column(column, diagonal, t);
    else
        solve_row(row, diagonal, t);
    __syncthreads();
    for (int i = upper ? TILE / 2 : 0; i < (upper ? TILE : TILE / 2); i++) {
        row_origin[i * n + t] = row[i][t];
        column_origin[i * n + t] = column[i][t];
    }
}

__global__ void lud_internal(float *a, int n, int at)
{
    __shared__ float left[TILE][TILE], top[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int i = at + TILE * (blockIdx.y + 1) + y, j = at + TILE * (blockIdx.x + 1) + x;
    float sum = 0;

    left[y][x] = a[i * n + at + x];
    top[y][x] = a[(at + y) * n + j];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < TILE; k++)
        sum += left[y][k] * top[k][x];
    a[i * n + j] -= sum;
}

static void decompose_gpu(float *a, int n)
{
    size_t bytes = (size_t)n * n * sizeof *a;
    float *d = (float *)workload_upload(a, bytes);

    for (int at = 0; at < n; at += TILE) {
        int rest = (n - at) / TILE - 1;

        lud_diagonal<<<1, TILE>>>(d, n, at);
        CUDA_LAUNCHED();
        if (rest == 0)
            break;
        lud_perimeter<<<rest, 2 * TILE>>>(d, n, at);
        CUDA_LAUNCHED();
        lud_internal<<<dim3(rest, rest), dim3(TILE, TILE)>>>(d, n, at);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(a, d, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d));
}

/* The reference: row by row, not blocked, in double. */
static void decompose_cpu(double *a, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double l = a[(size_t)i * n + k] /= a[(size_t)k * n + k];

            for (int j = k + 1; j < n; j++)
                a[(size_t)i * n + j] -= l * a[(size_t)k * n + j];
        }
}

/*
 * A value is rounded once per tile step and at most TILE times in its own, a few times more in the
 * divisions.  Dominance keeps the factors' product near the matrix, so that errors are not
 * amplified: twice as many half ulps bound them.  L is about 1/n of U: it is scaled to the same
 * size.
 */
static void compare(struct workload *w, float *got, const double *want, int n)
{
    size_t n_value = (size_t)n * n;
    float *f_want = (float *)workload_alloc(n_value * sizeof *f_want);
    float tolerance = 2 * (n / TILE + 2 * TILE) * (1.0f / (1 << 24));

    for (size_t i = 0; i < n_value; i++) {
        bool in_l = i % n < i / n;

        got[i] *= in_l ? n : 1;
        f_want[i] = (float)(want[i] * (in_l ? n : 1));
    }
    workload_compare_f32(w, "lu", got, f_want, n_value, tolerance);
    free(f_want);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows and columns", .usual = 512, .large = 2048, .least = 1, .most = 4096});
    int n = (int)(w.size + TILE - 1) / TILE * TILE;
    float *got = (float *)workload_alloc((size_t)n * n * sizeof *got);
    double *want = (double *)workload_alloc((size_t)n * n * sizeof *want);

    for (size_t i = 0; i < (size_t)n * n; i++) {
        bool inside = (long)(i / n) < w.size && (long)(i % n) < w.size;

        got[i] = inside ? workload_float(&w, -1, 1) : 0;
        got[i] += i / n != i % n ? 0 : inside ? w.size : 1;
        want[i] = got[i];
    }
    decompose_gpu(got, n);
    decompose_cpu(want, n);
    compare(&w, got, want, n);

    free(got);
    free(want);
    return workload_end(&w);
}
