/*
 * pathfinder -- cheapest path through a grid, from its first row to its last
 *
 * suite: Rodinia
 * stresses: shared memory, barriers, idle lanes at the rim of a block
 * papers: buddy, share, socgpu
 * kernels: pathfinder_rows
 * size: 100000 columns
 * large: 100000 columns
 * odd: 1031
 * tiny: 259
 * time: 8.4 s
 *
 * Dynamic programming: the path to a cell costs the cell plus the cheapest of the three paths that
 * end above it (left, straight, right).  A launch advances STEPS rows without talking to memory in
 * between: a block loads the row for its columns and for STEPS more on either side (the ghost
 * zone), and after each step one column less on either side is still right.  What is left after
 * STEPS steps are the block's own columns.  Neighbouring blocks compute the ghost zones twice; that
 * is the price for STEPS times fewer launches.
 *
 * Rodinia's input and that of Table II of the Buddy SM paper: 100 rows, a pyramid of 20 rows, hence
 * 5 launches of 463 blocks of 256 threads.  All in whole numbers: the comparison is exact.
 */
#include "workload.h"

enum {
    ROWS = 100,
    BLOCK = 256,
    STEPS = 20,
    OWN = BLOCK - 2 * STEPS, /* columns that a block finishes */
};

/*
 * `from`: cheapest paths to the row before cells[0]; `to`: to row cells[n_step - 1].
 * Thread t works at column OWN * block - STEPS + t, which may lie outside of the grid.
 */
__global__ void pathfinder_rows(const int *cells, const int *from, int *to, int n_col, int n_step)
{
    __shared__ int above[BLOCK], here[BLOCK];
    int t = threadIdx.x;
    int col = (int)blockIdx.x * OWN - STEPS + t;
    bool inside = col >= 0 && col < n_col;
    /* At the border of the grid the missing neighbour is the cell above itself. */
    int left = col > 0 ? t - 1 : t;
    int right = col < n_col - 1 ? t + 1 : t;

    if (inside)
        above[t] = from[col];
    __syncthreads();
    for (int step = 0; step < n_step; step++) {
        bool known = inside && t > step && t < BLOCK - 1 - step;

        if (known)
            here[t] = cells[step * n_col + col] + min(above[t], min(above[left], above[right]));
        __syncthreads();
        if (known)
            above[t] = here[t];
        __syncthreads();
    }
    if (inside && t >= STEPS && t < BLOCK - STEPS)
        to[col] = above[t];
}

/* The reference: row by row over the whole grid. */
static void path_cpu(const int *cells, int *cost, int n_col)
{
    int *above = (int *)workload_alloc(n_col * sizeof *above);

    memcpy(cost, cells, n_col * sizeof *cost);
    for (int row = 1; row < ROWS; row++) {
        memcpy(above, cost, n_col * sizeof *above);
        for (int col = 0; col < n_col; col++) {
            int best = above[col];

            if (col > 0 && above[col - 1] < best)
                best = above[col - 1];
            if (col < n_col - 1 && above[col + 1] < best)
                best = above[col + 1];
            cost[col] = cells[(size_t)row * n_col + col] + best;
        }
    }
    free(above);
}

static void path_gpu(const int *cells, int *cost, int n_col)
{
    size_t row_bytes = n_col * sizeof *cells;
    int *d_cells = (int *)workload_upload(cells, ROWS * row_bytes);
    int *d_from = (int *)workload_upload(cells, row_bytes); /* the first row costs itself */
    int *d_to = (int *)workload_upload(cells, row_bytes);

    for (int row = 1; row < ROWS; row += STEPS) {
        int n_step = ROWS - row < STEPS ? ROWS - row : STEPS;
        int *swap = d_from;

        pathfinder_rows<<<(n_col + OWN - 1) / OWN, BLOCK>>>(d_cells + (size_t)row * n_col, d_from,
                                                            d_to, n_col, n_step);
        CUDA_LAUNCHED();
        d_from = d_to;
        d_to = swap;
    }
    CUDA(cudaMemcpy(cost, d_from, row_bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_cells));
    CUDA(cudaFree(d_from));
    CUDA(cudaFree(d_to));
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "columns", .usual = 100000, .large = 100000, .least = 1, .most = 1 << 20});
    int n_col = (int)w.size;
    int *cells = (int *)workload_alloc((size_t)ROWS * n_col * sizeof *cells);
    int *got = (int *)workload_alloc(n_col * sizeof *got);
    int *want = (int *)workload_alloc(n_col * sizeof *want);

    for (size_t i = 0; i < (size_t)ROWS * n_col; i++)
        cells[i] = workload_below(&w, 10);
    path_gpu(cells, got, n_col);
    path_cpu(cells, want, n_col);
    workload_compare_i32(&w, "cost", got, want, n_col);

    free(cells);
    free(got);
    free(want);
    return workload_end(&w);
}
