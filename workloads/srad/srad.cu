/*
 * srad -- takes the speckles out of an ultrasound picture by anisotropic diffusion
 *
 * suite: Rodinia
 * stresses: stencils over global memory or shared tiles, registers, tree reduction, division
 * papers: gates, share, socgpu
 * kernels: srad_extract, srad_prepare, srad_reduce, srad_coefficient, srad_update, srad_compress
 * size: 256 rows
 * large: 502 rows
 * odd: 67
 * tiny: 19
 * time: 2.7 s
 *
 * A round computes, from mean and variance of the picture, how much a pixel may differ from its
 * neighbours because of speckles alone; then for each pixel the differences to its four neighbours
 * and a diffusion coefficient that is small where they are larger (an edge); then lets every pixel
 * flow towards its neighbours.
 *
 * Version 1 is srad_v1 of the suite, a thread per pixel, pixels column by column: srad_extract
 * (exponential of the picture), then each round srad_prepare (copies and squares to add up),
 * srad_reduce (sums of a block's pixels; launched again until one is left), srad_coefficient and
 * srad_update, which find the neighbours through index arrays in global memory; in the end
 * srad_compress (logarithm).  The picture has 502 : 458 format and the suite's size does its 100
 * rounds, smaller ones SHORT_ROUNDS.  Blocks have 256 threads (the suite's have 512, of which only
 * one would fit into the SMs of `share` whatever its registers).
 *
 * Version 2 is srad_v2, srad_tile_coefficient and srad_tile_update: blocks of 16 x 16 threads and
 * tiles, their results and the neighbours in shared memory; the host computes the mean and variance
 * of a corner.  The square picture has 2048 rows where version 1 has 502, and there are 2 rounds.
 *
 * The CPU does the same in double.  Diffusion damps errors, coefficients are continuous in all they
 * depend on, and the sums' relative error is some 1e-6: grey levels are equal to 1e-4 of theirs.
 */
#include "workload.h"

enum {
    BLOCK = 256,
    SUITE_ROWS = 502,
    SUITE_COLUMNS = 458,
    SUITE_ROUNDS = 100,
    SHORT_ROUNDS = 8,
    TILE = 16, /* all of version 2 from here */
    TILED_ROWS = 2048,
    TILED_ROUNDS = 2,
    CORNER = 128, /* rows and columns without features, whose speckles are measured */
};

#define LAMBDA 0.5f

/* Pixel (row, column) of the picture is at row + column * n_row. */
struct shape {
    int n_row, n_column, n_pixel;
};

/* Where a pixel's neighbours are: rows above and below, columns left and right, clamped. */
struct neighbours {
    int *north, *south; /* [n_row] */
    int *west, *east;   /* [n_column] */
};

/* What a round leaves for its second half. */
struct flow {
    float *north, *south, *west, *east; /* differences to the neighbours, [n_pixel] */
    float *coefficient;
};

/* From the differences to the four neighbours; `speckle` is variance / mean^2 of the picture. */
static __device__ float diffusion(float centre, float north, float south, float west, float east,
                                  float speckle)
{
    float gradient =
        (north * north + south * south + west * west + east * east) / (centre * centre);
    float laplacian = (north + south + west + east) / centre;
    float scale = 1 + 0.25f * laplacian;
    float q = (0.5f * gradient - laplacian * laplacian / 16) / (scale * scale);
    float c = 1 / (1 + (q - speckle) / (speckle * (1 + speckle)));

    return c < 0 ? 0 : c > 1 ? 1 : c;
}

/* ---- version 1 */

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
                            float *picture)
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

    picture[i] += 0.25f * LAMBDA * divergence;
}

__global__ void srad_compress(float *picture, int n_pixel)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;

    if (i < n_pixel)
        picture[i] = logf(picture[i]) * 255;
}

/* ---- version 2: the picture is row by row */

__global__ void srad_tile_coefficient(struct flow flow, const float *picture, int width,
                                      float speckle)
{
    __shared__ float centre[TILE][TILE], result[TILE][TILE];
    __shared__ float north[TILE][TILE], south[TILE][TILE], west[TILE][TILE], east[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * TILE, row = blockIdx.y * TILE; /* of the tile */
    int i = (row + y) * width + column + x;

    /* The rows and columns around the tile; those around the picture are its own outermost. */
    north[y][x] = picture[max(row - 1, 0) * width + column + x];
    south[y][x] = picture[min(row + TILE, width - 1) * width + column + x];
    west[y][x] = picture[(row + y) * width + max(column - 1, 0)];
    east[y][x] = picture[(row + y) * width + min(column + TILE, width - 1)];
    centre[y][x] = picture[i];
    __syncthreads();

    float here = centre[y][x];
    float n = (y > 0 ? centre[y - 1][x] : north[y][x]) - here;
    float s = (y < TILE - 1 ? centre[y + 1][x] : south[y][x]) - here;
    float w = (x > 0 ? centre[y][x - 1] : west[y][x]) - here;
    float e = (x < TILE - 1 ? centre[y][x + 1] : east[y][x]) - here;

    result[y][x] = diffusion(here, n, s, w, e, speckle);
    __syncthreads();
    flow.coefficient[i] = result[y][x];
    flow.north[i] = n;
    flow.south[i] = s;
    flow.west[i] = w;
    flow.east[i] = e;
}

__global__ void srad_tile_update(struct flow flow, float *picture, int width)
{
    __shared__ float south[TILE][TILE], east[TILE][TILE], here[TILE][TILE];
    __shared__ float centre[TILE][TILE], result[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int column = blockIdx.x * TILE, row = blockIdx.y * TILE;
    int i = (row + y) * width + column + x;

    centre[y][x] = picture[i];
    south[y][x] = flow.coefficient[min(row + TILE, width - 1) * width + column + x];
    east[y][x] = flow.coefficient[(row + y) * width + min(column + TILE, width - 1)];
    here[y][x] = flow.coefficient[i];
    __syncthreads();

    float c = here[y][x];
    float c_south = y < TILE - 1 ? here[y + 1][x] : south[y][x];
    float c_east = x < TILE - 1 ? here[y][x + 1] : east[y][x];
    float divergence =
        c * flow.north[i] + c_south * flow.south[i] + c * flow.west[i] + c_east * flow.east[i];

    result[y][x] = centre[y][x] + 0.25f * LAMBDA * divergence;
    __syncthreads();
    picture[i] = result[y][x];
}

/* ---- host, GPU */

static float speckle_of(double sum, double sum_squares, double n)
{
    double mean = sum / n, variance = sum_squares / n - mean * mean;

    return (float)(variance / (mean * mean));
}

static struct flow flow_make(size_t bytes)
{
    struct flow f;

    CUDA(cudaMalloc((void **)&f.north, bytes));
    CUDA(cudaMalloc((void **)&f.south, bytes));
    CUDA(cudaMalloc((void **)&f.west, bytes));
    CUDA(cudaMalloc((void **)&f.east, bytes));
    CUDA(cudaMalloc((void **)&f.coefficient, bytes));
    return f;
}

static void flow_free(struct flow f)
{
    CUDA(cudaFree(f.north));
    CUDA(cudaFree(f.south));
    CUDA(cudaFree(f.west));
    CUDA(cudaFree(f.east));
    CUDA(cudaFree(f.coefficient));
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
    struct flow flow = flow_make(bytes);
    float *d_picture = (float *)workload_upload(picture, bytes), *d_sum, *d_squares;

    CUDA(cudaMalloc((void **)&d_sum, bytes));
    CUDA(cudaMalloc((void **)&d_squares, bytes));
    srad_extract<<<grid, BLOCK>>>(d_picture, shape.n_pixel);
    CUDA_LAUNCHED();
    for (int round = 0; round < rounds; round++) {
        float speckle = speckle_gpu(d_picture, d_sum, d_squares, shape.n_pixel);

        srad_coefficient<<<grid, BLOCK>>>(shape, at, flow, d_picture, speckle);
        CUDA_LAUNCHED();
        srad_update<<<grid, BLOCK>>>(shape, at, flow, d_picture);
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
    flow_free(flow);
}

/* Of a picture's first lines, `along` pixels of each. */
template <typename pixel>
static float speckle_cpu(const pixel *picture, int pitch, int lines, int along)
{
    double sum = 0, squares = 0;

    for (int x = 0; x < lines; x++)
        for (int y = 0; y < along; y++) {
            double v = picture[x * pitch + y];

            sum += v;
            squares += v * v;
        }
    return speckle_of(sum, squares, (double)lines * along);
}

static void diffuse_tiled_gpu(float *picture, int width)
{
    size_t bytes = (size_t)width * width * sizeof *picture;
    dim3 grid(width / TILE, width / TILE), block(TILE, TILE);
    int corner = width < CORNER ? width : CORNER;
    struct flow flow = flow_make(bytes);
    float *d_picture;

    CUDA(cudaMalloc((void **)&d_picture, bytes));
    for (int i = 0; i < width * width; i++)
        picture[i] = expf(picture[i] / 255);
    for (int round = 0; round < TILED_ROUNDS; round++) {
        float speckle = speckle_cpu(picture, width, corner, corner);

        CUDA(cudaMemcpy(d_picture, picture, bytes, cudaMemcpyHostToDevice));
        srad_tile_coefficient<<<grid, block>>>(flow, d_picture, width, speckle);
        CUDA_LAUNCHED();
        srad_tile_update<<<grid, block>>>(flow, d_picture, width);
        CUDA_LAUNCHED();
        CUDA(cudaMemcpy(picture, d_picture, bytes, cudaMemcpyDeviceToHost));
    }
    for (int i = 0; i < width * width; i++)
        picture[i] = logf(picture[i]) * 255;
    CUDA(cudaFree(d_picture));
    flow_free(flow);
}

/* ---- host, the reference */

/* The picture with a border: padded[x + 1][y + 1] is column x, row y (or the other way round). */
static void pad(const double *picture, double *padded, int n_line, int n_along)
{
    for (int line = -1; line <= n_line; line++) {
        int from = line < 0 ? 0 : line < n_line ? line : n_line - 1;
        double *to = padded + (size_t)(line + 1) * (n_along + 2);

        memcpy(to + 1, picture + (size_t)from * n_along, n_along * sizeof *to);
        to[0] = to[1];
        to[n_along + 1] = to[n_along];
    }
}

static double coefficient_cpu(const double *p, int pitch, double speckle)
{
    double n = p[-1] - *p, s = p[1] - *p, w = p[-pitch] - *p, e = p[pitch] - *p;
    double g2 = (n * n + s * s + w * w + e * e) / (*p * *p), l = (n + s + w + e) / *p;
    double q2 = (g2 / 2 - l * l / 16) / ((1 + l / 4) * (1 + l / 4));
    double c = 1 / (1 + (q2 - speckle) / (speckle * (1 + speckle)));

    return c < 0 ? 0 : c > 1 ? 1 : c;
}

/* A round in place; `south` lies along a line of pixels, `east` across (transposed: the same). */
static void round_cpu(double *picture, double *padded, double *c, int n_line, int n_along,
                      double speckle)
{
    int pitch = n_along + 2;

    pad(picture, padded, n_line, n_along);
    for (int x = 0; x < n_line; x++)
        for (int y = 0; y < n_along; y++)
            c[x * n_along + y] = coefficient_cpu(padded + (x + 1) * pitch + y + 1, pitch, speckle);
    for (int x = 0; x < n_line; x++)
        for (int y = 0; y < n_along; y++) {
            const double *p = padded + (x + 1) * pitch + y + 1;
            int i = x * n_along + y;
            double south = y + 1 < n_along ? c[i + 1] : c[i];
            double east = x + 1 < n_line ? c[i + n_along] : c[i];

            picture[i] += 0.25 * LAMBDA *
                          (c[i] * (p[-1] + p[-pitch] - 2 * *p) + south * (p[1] - *p) +
                           east * (p[pitch] - *p));
        }
}

/* Version 2 has a square picture and measures its corner only: `tiled`. */
static void diffuse_cpu(const float *from, float *to, int n_line, int n_along, int rounds,
                        bool tiled)
{
    int n = n_line * n_along;
    int lines = tiled && n_line > CORNER ? CORNER : n_line;
    int along = tiled && n_along > CORNER ? CORNER : n_along;
    double *picture = (double *)workload_alloc(n * sizeof *picture);
    double *c = (double *)workload_alloc(n * sizeof *c);
    double *padded =
        (double *)workload_alloc((size_t)(n_line + 2) * (n_along + 2) * sizeof *padded);

    for (int i = 0; i < n; i++)
        picture[i] = exp(from[i] / 255.0);
    for (int round = 0; round < rounds; round++) {
        float speckle = speckle_cpu(picture, n_along, lines, along);

        round_cpu(picture, padded, c, n_line, n_along, speckle);
    }
    for (int i = 0; i < n; i++)
        to[i] = (float)(log(picture[i]) * 255);
    free(picture);
    free(c);
    free(padded);
}

/* Bright discs on dark ground, each pixel multiplied by noise: speckles.  Grey levels 0..255. */
static void picture_make(struct workload *w, float *picture, int n_line, int n_along)
{
    enum { DISCS = 6 };
    float disc[DISCS][3]; /* middle, radius, as parts of the picture */

    for (int d = 0; d < DISCS; d++)
        for (int k = 0; k < 3; k++)
            disc[d][k] = k < 2 ? workload_float(w, 0.3f, 1) : workload_float(w, 0.05f, 0.2f);
    for (int x = 0; x < n_line; x++)
        for (int y = 0; y < n_along; y++) {
            float level = 60;

            for (int d = 0; d < DISCS; d++) {
                float dx = (float)x / n_line - disc[d][0], dy = (float)y / n_along - disc[d][1];

                if (dx * dx + dy * dy < disc[d][2] * disc[d][2])
                    level = 150;
            }
            picture[x * n_along + y] = level * workload_float(w, 0.4f, 1.6f);
        }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){.unit = "rows",
                               .usual = 256,
                               .large = SUITE_ROWS,
                               .least = 4,
                               .most = 2048,
                               .extra = {"--version", "srad_v1 or srad_v2 of the suite", 1, 1, 2}});
    bool tiled = w.extra == 2;
    int rows = (int)w.size;
    int rounds = tiled ? TILED_ROUNDS : rows < SUITE_ROWS ? SHORT_ROUNDS : SUITE_ROUNDS;
    struct shape shape = {rows, rows * SUITE_COLUMNS / SUITE_ROWS, 0};

    if (tiled)
        shape.n_row = shape.n_column = rows * TILED_ROWS / SUITE_ROWS / TILE * TILE;
    shape.n_pixel = shape.n_row * shape.n_column;
    float *got = (float *)workload_alloc(shape.n_pixel * sizeof *got);
    float *want = (float *)workload_alloc(shape.n_pixel * sizeof *want);

    picture_make(&w, got, shape.n_column, shape.n_row);
    diffuse_cpu(got, want, shape.n_column, shape.n_row, rounds, tiled);
    if (tiled)
        diffuse_tiled_gpu(got, shape.n_row);
    else
        diffuse_gpu(got, shape, rounds);
    workload_compare_f32(&w, "picture", got, want, shape.n_pixel, 1e-4f);

    free(got);
    free(want);
    return workload_end(&w);
}
