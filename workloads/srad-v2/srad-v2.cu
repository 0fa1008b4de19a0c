/*
 * srad-v2 -- takes the speckles out of an ultrasound picture, tile by tile
 *
 * suite: Rodinia
 * stresses: stencils over shared tiles, diverging branches, registers, division
 * papers: gates
 * kernels: srad_tile_coefficient, srad_tile_update
 * size: 512 rows and columns
 * large: 2048 rows and columns
 * odd: 80
 * tiny: 32
 * mix: 256
 * time: 5.9 s
 *
 * srad_v2 of the suite (srad is the other): anisotropic diffusion of a square picture, row by row in
 * memory.  A block of 16 x 16 threads has a tile, which it copies to shared memory, and so are the
 * rows and columns next to it and its results.  srad_tile_coefficient finds the differences to each
 * pixel's neighbours and its diffusion coefficient, srad_tile_update lets the pixel flow.  The host
 * computes the mean and variance of a corner without features, and brings the picture to the GPU and
 * back in each of the 2 rounds.
 *
 * Tiles at the picture's border read what is before and behind it in memory first, as the original's
 * do: ours has a row more at both ends.
 */
#include "common/srad.cuh"

enum {
    TILE = 16,
    LAST = TILE - 1,
    ROUNDS = 2,
    CORNER = 128, /* rows and columns */
};

/* Of a pixel: its neighbours' grey levels, or the differences to them. */
struct around {
    float north, south, west, east;
};

static __device__ struct around differences(float here, float north, float south, float west,
                                            float east)
{
    struct around d = {north - here, south - here, west - here, east - here};

    return d;
}

__global__ void srad_tile_coefficient(float *d_east, float *d_west, float *d_north, float *d_south,
                                      const float *picture, float *coefficient, int width,
                                      float speckle)
{
    __shared__ float centre[TILE][TILE], result[TILE][TILE];
    __shared__ float north[TILE][TILE], south[TILE][TILE], west[TILE][TILE], east[TILE][TILE];
    int bx = blockIdx.x, by = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
    int tile = width * TILE * by + TILE * bx; /* its first pixel */
    int i = tile + width * y + x;

    /* The rows and columns around the tile; those around the picture are its own outermost. */
    north[y][x] = picture[tile + x - width];
    south[y][x] = picture[tile + width * TILE + x];
    if (by == 0)
        north[y][x] = picture[TILE * bx + x];
    else if (by == gridDim.y - 1)
        south[y][x] = picture[tile + width * LAST + x];
    __syncthreads();
    west[y][x] = picture[tile + width * y - 1];
    east[y][x] = picture[tile + width * y + TILE];
    if (bx == 0)
        west[y][x] = picture[width * TILE * by + width * y];
    else if (bx == gridDim.x - 1)
        east[y][x] = picture[tile + width * y + LAST];
    __syncthreads();
    centre[y][x] = picture[i];
    __syncthreads();

    float here = centre[y][x];
    struct around d;

    if (y == 0 && x == 0)
        d = differences(here, north[y][x], centre[y + 1][x], west[y][x], centre[y][x + 1]);
    else if (y == 0 && x == LAST)
        d = differences(here, north[y][x], centre[y + 1][x], centre[y][x - 1], east[y][x]);
    else if (y == LAST && x == LAST)
        d = differences(here, centre[y - 1][x], south[y][x], centre[y][x - 1], east[y][x]);
    else if (y == LAST && x == 0)
        d = differences(here, centre[y - 1][x], south[y][x], west[y][x], centre[y][x + 1]);
    else if (y == 0)
        d = differences(here, north[y][x], centre[y + 1][x], centre[y][x - 1], centre[y][x + 1]);
    else if (x == LAST)
        d = differences(here, centre[y - 1][x], centre[y + 1][x], centre[y][x - 1], east[y][x]);
    else if (y == LAST)
        d = differences(here, centre[y - 1][x], south[y][x], centre[y][x - 1], centre[y][x + 1]);
    else if (x == 0)
        d = differences(here, centre[y - 1][x], centre[y + 1][x], west[y][x], centre[y][x + 1]);
    else
        d = differences(here, centre[y - 1][x], centre[y + 1][x], centre[y][x - 1],
                        centre[y][x + 1]);
    result[y][x] = diffusion(here, d.north, d.south, d.west, d.east, speckle);
    __syncthreads();
    coefficient[i] = result[y][x];
    d_east[i] = d.east;
    d_west[i] = d.west;
    d_south[i] = d.south;
    d_north[i] = d.north;
}

__global__ void srad_tile_update(const float *d_east, const float *d_west, const float *d_north,
                                 const float *d_south, float *picture, const float *coefficient,
                                 int width, float lambda)
{
    __shared__ float south[TILE][TILE], east[TILE][TILE], centre_c[TILE][TILE];
    __shared__ float centre[TILE][TILE], result[TILE][TILE];
    int bx = blockIdx.x, by = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
    int tile = width * TILE * by + TILE * bx;
    int i = tile + width * y + x, i_south = tile + width * TILE + x,
        i_east = tile + width * y + TILE;

    centre[y][x] = picture[i];
    __syncthreads();
    south[y][x] = coefficient[i_south];
    if (by == gridDim.y - 1)
        south[y][x] = coefficient[width * TILE * (gridDim.y - 1) + TILE * bx + width * LAST + x];
    __syncthreads();
    east[y][x] = coefficient[i_east];
    if (bx == gridDim.x - 1)
        east[y][x] = coefficient[width * TILE * by + TILE * (gridDim.x - 1) + width * y + LAST];
    __syncthreads();
    centre_c[y][x] = coefficient[i];
    __syncthreads();

    float here = centre_c[y][x], c_south, c_east;

    if (y == LAST && x == LAST) {
        c_south = south[y][x];
        c_east = east[y][x];
    } else if (x == LAST) {
        c_south = centre_c[y + 1][x];
        c_east = east[y][x];
    } else if (y == LAST) {
        c_south = south[y][x];
        c_east = centre_c[y][x + 1];
    } else {
        c_south = centre_c[y + 1][x];
        c_east = centre_c[y][x + 1];
    }

    float divergence =
        here * d_north[i] + c_south * d_south[i] + here * d_west[i] + c_east * d_east[i];

    result[y][x] = diffused(centre[y][x], lambda, divergence);
    __syncthreads();
    picture[i] = result[y][x];
}

/* On the device: a square of pixels with a row more at both ends; the address of its first. */
static float *square_make(int width)
{
    size_t bytes = (size_t)(width + 2) * width * sizeof(float);
    float *square;

    CUDA(cudaMalloc((void **)&square, bytes));
    CUDA(cudaMemset(square, 0, bytes));
    return square + width;
}

static void square_free(float *square, int width)
{
    CUDA(cudaFree(square - width));
}

static void diffuse_gpu(float *picture, int width, int corner)
{
    size_t bytes = (size_t)width * width * sizeof *picture;
    dim3 grid(width / TILE, width / TILE), block(TILE, TILE);
    float *d_picture = square_make(width), *coefficient = square_make(width);
    struct flow flow = flow_make(bytes, coefficient);

    for (int i = 0; i < width * width; i++)
        picture[i] = expf(picture[i] / 255);
    for (int round = 0; round < ROUNDS; round++) {
        float speckle = speckle_cpu(picture, width, corner, corner);

        CUDA(cudaMemcpy(d_picture, picture, bytes, cudaMemcpyHostToDevice));
        srad_tile_coefficient<<<grid, block>>>(flow.east, flow.west, flow.north, flow.south,
                                               d_picture, coefficient, width, speckle);
        CUDA_LAUNCHED();
        srad_tile_update<<<grid, block>>>(flow.east, flow.west, flow.north, flow.south, d_picture,
                                          coefficient, width, LAMBDA);
        CUDA_LAUNCHED();
        CUDA(cudaMemcpy(picture, d_picture, bytes, cudaMemcpyDeviceToHost));
    }
    for (int i = 0; i < width * width; i++)
        picture[i] = logf(picture[i]) * 255;
    square_free(d_picture, width);
    square_free(coefficient, width);
    flow_free(flow);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv,
                                       (struct workload_size){.unit = "rows and columns",
                                                              .usual = 512,
                                                              .large = 2048,
                                                              .least = 2 * TILE,
                                                              .most = 8192,
                                                              .multiple = TILE});
    int width = (int)w.size, corner = width < CORNER ? width : CORNER;
    size_t n = (size_t)width * width;
    float *got = (float *)workload_alloc(n * sizeof *got);
    float *want = (float *)workload_alloc(n * sizeof *want);

    picture_make(&w, got, width, width);
    diffuse_cpu(got, want, width, width, ROUNDS, corner, corner);
    diffuse_gpu(got, width, corner);
    workload_compare_f32(&w, "picture", got, want, n, 1e-4f);

    free(got);
    free(want);
    return workload_end(&w);
}
