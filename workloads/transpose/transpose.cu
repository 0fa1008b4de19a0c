/*
 * transpose -- copies and transposes a matrix in eight ways
 *
 * suite: SDK
 * stresses: coalescing, memory partitions, shared-memory banks
 * papers: buddy
 * kernels: transpose_copy, transpose_copy_shared, transpose_naive, transpose_coalesced, transpose_no_conflicts, transpose_coarse, transpose_fine, transpose_diagonal
 * size: 1024 rows and columns
 * large: 1024 rows and columns
 * odd: 176
 * tiny: 48
 * time: 18.3 s
 *
 * One step at a time towards a fast transposition, each to be compared with the one before.  Two
 * copies set the mark, directly and through a tile in shared memory.  The naive transposition
 * writes columns: each lane of a store has a line of its own.  The coalesced one reads a tile row
 * by row and writes it row by row, turned, for which it reads columns of the tile, all of a bank;
 * the next pads the tile against these conflicts.  Two more do one half of the work each: coarse,
 * whole tiles are exchanged but not turned; fine, each tile is turned but stays where it is.  In
 * the last one, blocks that run together lie on a diagonal, so that neither their reads nor their
 * writes crowd on one memory partition.
 *
 * As in the SDK, each kernel is launched to warm up and then once more; with blocks of 16 x 16
 * threads this makes the 16 launches of 64 x 64 blocks in Table II of the Buddy SM paper.  Values
 * are only moved, so the comparison is exact.
 */
#include "workload.h"

enum { TILE = 16 };

__global__ void transpose_copy(const float *in, float *out, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    out[y * n + x] = in[y * n + x];
}

__global__ void transpose_copy_shared(const float *in, float *out, int n)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[y * n + x] = tile[threadIdx.y][threadIdx.x];
}

__global__ void transpose_naive(const float *in, float *out, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    out[x * n + y] = in[y * n + x];
}

/* Turns a tile and moves it to its mirror image's place; its rows in `tile` are `pitch` apart. */
static __device__ void move_turned(const float *in, float *out, int n, int block_x, int block_y,
                                   float *tile, int pitch)
{
    int x = threadIdx.x, y = threadIdx.y;

    tile[y * pitch + x] = in[(block_y * TILE + y) * n + block_x * TILE + x];
    __syncthreads();
    out[(block_x * TILE + y) * n + block_y * TILE + x] = tile[x * pitch + y];
}

__global__ void transpose_coalesced(const float *in, float *out, int n)
{
    __shared__ float tile[TILE * TILE];

    move_turned(in, out, n, blockIdx.x, blockIdx.y, tile, TILE);
}

__global__ void transpose_no_conflicts(const float *in, float *out, int n)
{
    __shared__ float tile[TILE * (TILE + 1)];

    move_turned(in, out, n, blockIdx.x, blockIdx.y, tile, TILE + 1);
}

__global__ void transpose_coarse(const float *in, float *out, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;

    tile[y][x] = in[(blockIdx.y * TILE + y) * n + blockIdx.x * TILE + x];
    __syncthreads();
    out[(blockIdx.x * TILE + y) * n + blockIdx.y * TILE + x] = tile[y][x];
}

__global__ void transpose_fine(const float *in, float *out, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int at = (blockIdx.y * TILE + y) * n + blockIdx.x * TILE + x;

    tile[y][x] = in[at];
    __syncthreads();
    out[at] = tile[x][y];
}

/* A row of the grid becomes a diagonal of the matrix. */
__global__ void transpose_diagonal(const float *in, float *out, int n)
{
    __shared__ float tile[TILE * (TILE + 1)];

    move_turned(in, out, n, (blockIdx.x + blockIdx.y) % gridDim.x, blockIdx.x, tile, TILE + 1);
}

/* A kernel, and what it is to do: turn each tile, move it to its mirror image's place, or both. */
static const struct variant {
    const char *name;
    void (*kernel)(const float *in, float *out, int n);
    bool turns, moves;
} variants[] = {
    {"copy", transpose_copy, false, false},
    {"copy_shared", transpose_copy_shared, false, false},
    {"naive", transpose_naive, true, true},
    {"coalesced", transpose_coalesced, true, true},
    {"no_conflicts", transpose_no_conflicts, true, true},
    {"coarse", transpose_coarse, false, true},
    {"fine", transpose_fine, true, false},
    {"diagonal", transpose_diagonal, true, true},
};

static void run_on_gpu(const struct variant *v, const float *in, float *out, float *got, int n)
{
    size_t bytes = (size_t)n * n * sizeof(float);

    CUDA(cudaMemset(out, 0, bytes)); /* must not pass on the work of the one before */
    for (int i = 0; i < 2; i++) {
        v->kernel<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(in, out, n);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(got, out, bytes, cudaMemcpyDeviceToHost));
}

/* The reference: where each element comes from, by its tile and its place there. */
static void run_on_cpu(const struct variant *v, const float *in, float *out, int n)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int tile_x = x / TILE, tile_y = y / TILE, in_x = x % TILE, in_y = y % TILE;
            int from_y = (v->moves ? tile_x : tile_y) * TILE + (v->turns ? in_x : in_y);
            int from_x = (v->moves ? tile_y : tile_x) * TILE + (v->turns ? in_y : in_x);

            out[y * n + x] = in[from_y * n + from_x];
        }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv,
                                       (struct workload_size){.unit = "rows and columns",
                                                              .usual = 1024,
                                                              .large = 1024,
                                                              .least = TILE,
                                                              .most = 8192,
                                                              .multiple = TILE});
    int n = (int)w.size;
    size_t n_value = (size_t)n * n, bytes = n_value * sizeof(float);
    float *in = (float *)workload_alloc(bytes), *d_in, *d_out;
    float *got = (float *)workload_alloc(bytes);
    float *want = (float *)workload_alloc(bytes);

    for (size_t i = 0; i < n_value; i++)
        in[i] = workload_float(&w, -1, 1);
    d_in = (float *)workload_upload(in, bytes);
    CUDA(cudaMalloc((void **)&d_out, bytes));
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        run_on_gpu(&variants[v], d_in, d_out, got, n);
        run_on_cpu(&variants[v], in, want, n);
        workload_compare_f32(&w, variants[v].name, got, want, n_value, 0);
    }
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_out));
    free(in);
    free(got);
    free(want);
    return workload_end(&w);
}
