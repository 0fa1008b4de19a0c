/*
 * srad -- takes the speckles out of an ultrasound picture by anisotropic diffusion
 *
 * suite: Rodinia
 * stresses: stencils over global memory, registers, tree reduction, division
 * papers: share, socgpu
 * kernels: srad_extract, srad_prepare, srad_reduce, srad_coefficient, srad_update, srad_compress
 * size: 256 rows
 * large: 502 rows
 * odd: 67
 * tiny: 19
 * time: 5.7 s
 *
 * srad_v1 of the suite (srad-v2 is the other): a thread per pixel, pixels column by column.
 * srad_extract (exponential of the picture), then each round srad_prepare (copies and squares to add
 * up), srad_reduce (sums of a block's pixels; launched again until one is left), srad_coefficient
 * and srad_update, which find the neighbours through index arrays in global memory; in the end
 * srad_compress (logarithm).  The picture has 502 : 458 format and the suite's size does its 100
 * rounds, smaller ones SHORT_ROUNDS.  Blocks have 256 threads (the suite's have 512, of which only
 * one would fit into the SMs of `share` whatever its registers).
 */
#include "common/srad.cuh"

enum {
    BLOCK = 256,
    SUITE_ROWS = 502,
    SUITE_COLUMNS = 458,
    SUITE_ROUNDS = 100,
    SHORT_ROUNDS = 8,
};

/* Pixel (row, column) of the picture is at row + column * n_row. */
struct shape {
    int n_row, n_column, n_pixel;
};

/* Where a pixel's neighbours are: rows above and below, columns left and right, clamped. */
struct neighbours {
    int *north, *south; /* [n_row] */
    int *west, *east;   /* [n_column] */
};

__global__ void srad_extract(float *picture, int n_pixel)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;

    if (i < n_pixel)
        picture[i] = expf(picture[i] / 255);
}

__global__ void srad_prepare(const float *picture, float *sum, float *sum_squares, int n_pixel)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;

    if (i < n_pixel) {
        sum[i] = picture[i];
        sum_squares[i] = picture[i] * picture[i];
    }
}

/* n_sum sums, `stride` apart, become one per block, BLOCK * stride apart. */
__global__ void srad_reduce(float *sum, float *sum_squares, int n_sum, int stride)
{
    __shared__ float s[BLOCK], s_squares[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;

    s[t] = i < n_sum ? sum[i * stride] : 0;
    s_squares[t] = i < n_sum ? sum_squares[i * stride] : 0;
    for (int step = 1; step < BLOCK; step *= 2) {
        __syncthreads();
        if ((t + 1) % (2 * step) == 0) {
            s[t] += s[t - step];
            s_squares[t] += s_squares[t - step];
        }
    }
    if (t == BLOCK - 1) {
        sum[blockIdx.x * BLOCK * stride] = s[t];
        sum_squares[blockIdx.x * BLOCK * stride] = s_squares[t];
    }
}

__global__ void srad_coefficient(struct shape shape, struct neighbours at, struct flow flow,
                                 const float *picture, float speckle)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int row = i % shape.n_row, column = i / shape.n_row;

    if (i >= shape.n_pixel)
        return;
    float centre = picture[i];
    float north = picture[at.north[row] + shape.n_row * column] - centre;
    float south = picture[at.south[row] + shape.n_row * column] - centre;
    float west = picture[row + shape.n_row * at.west[column]] - centre;
    float east = picture[row + shape.n_row * at.east[column]] - centre;

    flow.coefficient[i] = diffusion(centre, north, south, west, east, speckle);
    flow.north[i] = north;
    flow.south[i] = south;
    flow.west[i] = west;
    flow.east[i] = east;
}

__global__ void srad_update(struct shape shape, struct neighbours at, struct flow flow,
                            float lambda, float *picture)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int row = i % shape.n_row, column = i / shape.n_row;

    if (i >= shape.n_pixel)
        return;
    float here = flow.coefficient[i];
    float south = flow.coefficient[at.south[row] + shape.n_row * column];
    float east = flow.coefficient[row + shape.n_row * at.east[column]];
    float divergence =
        here * flow.north[i] + south * flow.south[i] + here * flow.west[i] + east * flow.east[i];

    picture[i] = diffused(picture[i], lambda, divergence);
}

__global__ void srad_compress(float *picture, int n_pixel)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;

    if (i < n_pixel)
        picture[i] = logf(picture[i]) * 255;
}

/* On the device: i + step for each of n places, clamped. */
static int *next_make(int n, int step)
{
    int *next = (int *)workload_alloc(n * sizeof *next);

    for (int i = 0; i < n; i++)
        next[i] = i + step < 0 ? 0 : i + step < n ? i + step : n - 1;

    int *d = (int *)workload_upload(next, n * sizeof *next);

    free(next);
    return d;
}

static int n_block(int n)
{
    return (n + BLOCK - 1) / BLOCK;
}

/* The picture's speckle; the kernels add up in place, d_sum and d_squares have n_pixel elements. */
static float speckle_gpu(const float *d_picture, float *d_sum, float *d_squares, int n_pixel)
{
    float sum, squares;

    srad_prepare<<<n_block(n_pixel), BLOCK>>>(d_picture, d_sum, d_squares, n_pixel);
    CUDA_LAUNCHED();
    for (int n = n_pixel, stride = 1; n > 1; n = n_block(n), stride *= BLOCK) {
        srad_reduce<<<n_block(n), BLOCK>>>(d_sum, d_squares, n, stride);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(&squares, d_squares, sizeof squares, cudaMemcpyDeviceToHost));
    return speckle_of(sum, squares, n_pixel);
}

static void diffuse_gpu(float *picture, struct shape shape, int rounds)
{
    size_t bytes = shape.n_pixel * sizeof *picture;
    int grid = n_block(shape.n_pixel);
    struct neighbours at = {next_make(shape.n_row, -1), next_make(shape.n_row, 1),
                            next_make(shape.n_column, -1), next_make(shape.n_column, 1)};
    float *d_picture = (float *)workload_upload(picture, bytes), *d_sum, *d_squares, *coefficient;

    CUDA(cudaMalloc((void **)&coefficient, bytes));
    CUDA(cudaMalloc((void **)&d_sum, bytes));
    CUDA(cudaMalloc((void **)&d_squares, bytes));

    struct flow flow = flow_make(bytes, coefficient);

    srad_extract<<<grid, BLOCK>>>(d_picture, shape.n_pixel);
    CUDA_LAUNCHED();
    for (int round = 0; round < rounds; round++) {
        float speckle = speckle_gpu(d_picture, d_sum, d_squares, shape.n_pixel);

        srad_coefficient<<<grid, BLOCK>>>(shape, at, flow, d_picture, speckle);
        CUDA_LAUNCHED();
        srad_update<<<grid, BLOCK>>>(shape, at, flow, LAMBDA, d_picture);
        CUDA_LAUNCHED();
    }
    srad_compress<<<grid, BLOCK>>>(d_picture, shape.n_pixel);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(picture, d_picture, bytes, cudaMemcpyDeviceToHost));

    CUDA(cudaFree(at.north));
    CUDA(cudaFree(at.south));
    CUDA(cudaFree(at.west));
    CUDA(cudaFree(at.east));
    CUDA(cudaFree(d_picture));
    CUDA(cudaFree(d_sum));
    CUDA(cudaFree(d_squares));
    CUDA(cudaFree(coefficient));
    flow_free(flow);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "rows", .usual = 256, .large = SUITE_ROWS, .least = 4, .most = 2048});
    int rows = (int)w.size, columns = rows * SUITE_COLUMNS / SUITE_ROWS;
    int rounds = rows < SUITE_ROWS ? SHORT_ROUNDS : SUITE_ROUNDS;
    struct shape shape = {rows, columns, rows * columns};
    float *got = (float *)workload_alloc(shape.n_pixel * sizeof *got);
    float *want = (float *)workload_alloc(shape.n_pixel * sizeof *want);

    picture_make(&w, got, columns, rows);
    diffuse_cpu(got, want, columns, rows, rounds, columns, rows);
    diffuse_gpu(got, shape, rounds);
    workload_compare_f32(&w, "picture", got, want, shape.n_pixel, 1e-4f);

    free(got);
    free(want);
    return workload_end(&w);
}
