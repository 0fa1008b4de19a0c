/*
 * gaussian -- solves A x = b by Gaussian elimination, one row after the other
 *
 * suite: Rodinia
 * stresses: very many small launches, blocks of half a warp, CTA slots, uncoalesced accesses
 * papers: gates, share, socgpu
 * kernels: gaussian_multipliers, gaussian_update
 * size: 176 unknowns
 * large: 1024 unknowns
 * odd: 61
 * tiny: 13
 * mix: 64
 * time: 5.9 s
 *
 * For each row but the last, two launches: gaussian_multipliers (the original's Fan1, 512 threads a
 * block) divides what stands below the pivot by it; gaussian_update (Fan2, 4 x 4 threads a block)
 * subtracts multiples of the pivot's row from the rows below.  As in the original, every launch has
 * a grid for the whole matrix, of which less and less has work, and threads of neighbouring x work
 * on neighbouring rows, so that their accesses lie far apart.  The host substitutes backwards.
 *
 * There is no pivoting: the matrix is diagonally dominant, which also keeps rounding errors from
 * being amplified.
 */
#include "workload.h"

enum { BLOCK = 512, TILE = 4 };

/* A x = b, on the host or on the device. */
struct system {
    int n;
    float *a, *b;      /* [n][n], [n]: become the triangle and its right side */
    float *multiplier; /* [n][n], below the diagonal */
};

/* Of the rows below row t. */
__global__ void gaussian_multipliers(float *a, float *multiplier, int n, int t)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;

    if (row >= n - 1 - t)
        return;
    multiplier[n * (row + t + 1) + t] = a[n * (row + t + 1) + t] / a[n * t + t];
}

__global__ void gaussian_update(float *a, float *b, float *multiplier, int n, int t)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;

    if (row >= n - 1 - t)
        return;

    int column = blockIdx.y * blockDim.y + threadIdx.y;

    if (column >= n - t)
        return;
    a[n * (row + 1 + t) + column + t] -= multiplier[n * (row + 1 + t) + t] * a[n * t + column + t];
    if (column == 0)
        b[row + 1 + t] -= multiplier[n * (row + 1 + t) + t] * b[t];
}

/* x from the triangle: its last row has one unknown, each row above one more. */
static void substitute(struct system s, float *x)
{
    for (int i = s.n - 1; i >= 0; i--) {
        float sum = s.b[i];

        for (int j = i + 1; j < s.n; j++)
            sum -= s.a[i * s.n + j] * x[j];
        x[i] = sum / s.a[i * s.n + i];
    }
}

static void solve_gpu(struct system s, float *x)
{
    size_t bytes = (size_t)s.n * s.n * sizeof *s.a, b_bytes = s.n * sizeof *s.b;
    int tiles = (s.n + TILE - 1) / TILE;
    struct system d = {s.n, (float *)workload_upload(s.a, bytes),
                       (float *)workload_upload(s.b, b_bytes),
                       (float *)workload_upload(s.multiplier, bytes)};

    for (int t = 0; t < s.n - 1; t++) {
        gaussian_multipliers<<<(s.n + BLOCK - 1) / BLOCK, BLOCK>>>(d.a, d.multiplier, d.n, t);
        CUDA_LAUNCHED();
        gaussian_update<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(d.a, d.b, d.multiplier, d.n, t);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(s.a, d.a, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(s.b, d.b, b_bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(s.multiplier, d.multiplier, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d.a));
    CUDA(cudaFree(d.b));
    CUDA(cudaFree(d.multiplier));
    substitute(s, x);
}

/* The reference: the same elimination, all in double. */
static void solve_cpu(struct system in, struct system out, float *x)
{
    int n = in.n, width = n + 1; /* b is the last column */
    double *m = (double *)workload_alloc((size_t)n * width * sizeof *m);

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            m[i * width + j] = in.a[i * n + j];
        m[i * width + n] = in.b[i];
    }
    for (int t = 0; t < n; t++)
        for (int i = t + 1; i < n; i++) {
            double factor = m[i * width + t] / m[t * width + t];

            for (int j = t; j < width; j++)
                m[i * width + j] -= factor * m[t * width + j];
            out.multiplier[i * n + t] = (float)factor;
        }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            out.a[i * n + j] = (float)m[i * width + j];
        out.b[i] = (float)m[i * width + n];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            m[i * width + n] -= m[i * width + j] * m[j * width + n];
        m[i * width + n] /= m[i * width + i];
        x[i] = (float)m[i * width + n];
    }
    free(m);
}

static struct system system_make(int n)
{
    size_t bytes = (size_t)n * n * sizeof(float);
    struct system s = {n, (float *)workload_alloc(bytes),
                       (float *)workload_alloc(n * sizeof(float)), (float *)workload_alloc(bytes)};

    return s;
}

static void system_free(struct system s)
{
    free(s.a);
    free(s.b);
    free(s.multiplier);
}

/*
 * The triangle's values stay below 2 beside the diagonal, and each is rounded at most twice in each
 * of n steps.  Multipliers and x are quotients of these and of the pivots, which are about n.
 */
static void compare(struct workload *w, struct system got, struct system want, const float *got_x,
                    const float *want_x)
{
    const float unit = 1.0f / (1 << 24);
    size_t n = got.n;

    workload_compare_f32(w, "multiplier", got.multiplier, want.multiplier, n * n, 8 * unit);
    workload_compare_f32(w, "a", got.a, want.a, n * n, 4 * n * unit);
    workload_compare_f32(w, "b", got.b, want.b, n, 4 * n * unit);
    workload_compare_f32(w, "x", got_x, want_x, n, 8 * unit);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "unknowns", .usual = 176, .large = 1024, .least = 1, .most = 4096});
    int n = (int)w.size;
    struct system got = system_make(n), want = system_make(n);
    float *got_x = (float *)workload_alloc(n * sizeof *got_x);
    float *want_x = (float *)workload_alloc(n * sizeof *want_x);

    for (int i = 0; i < n * n; i++)
        got.a[i] = workload_float(&w, -1, 1) + (i / n == i % n ? n : 0);
    for (int i = 0; i < n; i++)
        got.b[i] = workload_float(&w, -1, 1);
    solve_cpu(got, want, want_x);
    solve_gpu(got, got_x);
    compare(&w, got, want, got_x, want_x);

    system_free(got);
    system_free(want);
    free(got_x);
    free(want_x);
    return workload_end(&w);
}
