/*
 * dwt2d -- 2D discrete wavelet transform of a colour image, as JPEG 2000 does it without loss
 *
 * suite: Rodinia
 * stresses: shared memory, integer arithmetic, barriers, streaming global reads and writes
 * papers: socgpu
 * kernels: dwt2d_components, dwt2d_forward
 * size: 1024 pixels of width and height
 * large: 1024 pixels of width and height
 * odd: 101
 * tiny: 37
 * time: 6.8 s
 *
 * dwt2d_components, through shared memory, takes the pixels apart into planes of red, green and
 * blue.  Then, for each plane, LEVELS times dwt2d_forward: the 5/3 transform of the whole numbers
 * that are left, which makes a plane into four bands of a quarter of its size; the next level takes
 * the band of low frequencies, which is copied back into the input.
 *
 * A block of dwt2d_forward is as wide as a window of the image, 192, 128 or 64 threads by the
 * image's width, and slides down with it, 8 rows at a step.  Each thread transforms its column in
 * shared memory (the first three threads one more each, beside the window), then all transform the
 * rows.  As in the original, a plane has about 15 blocks from top to bottom, and even and odd
 * columns lie apart in shared memory, so that accesses to every second column have no conflicts.
 *
 * Integers: results are compared exactly, with the transform of whole columns and whole rows.
 */
#include "workload.h"

enum {
    BLOCK = 256, /* of dwt2d_components */
    COLOURS = 3,
    LEVELS = 3,
    STEP = 8,   /* rows of a window that are done in one step */
    BEFORE = 2, /* more rows, which their results depend on; columns alike */
    AFTER = 1,
    KEPT = BEFORE + AFTER, /* of which the next step needs the values */
    ROWS = STEP + KEPT,
    SLICES = 15, /* blocks from top to bottom, about */
};

/* Of a plane, or of its band of low frequencies. */
struct extent {
    int width, height;
};

__global__ void dwt2d_components(const unsigned char *pixel, int n_pixel, int *red, int *green,
                                 int *blue)
{
    __shared__ unsigned char colour[BLOCK * COLOURS];
    int t = threadIdx.x, first = blockIdx.x * BLOCK;

    for (int i = t; i < BLOCK * COLOURS; i += BLOCK)
        if (first * COLOURS + i < n_pixel * COLOURS)
            colour[i] = pixel[first * COLOURS + i];
    __syncthreads();
    if (first + t >= n_pixel)
        return;
    red[first + t] = colour[t * COLOURS] - 128;
    green[first + t] = colour[t * COLOURS + 1] - 128;
    blue[first + t] = colour[t * COLOURS + 2] - 128;
}

/* What lies outside of 0..n-1 is mirrored; farther away, nobody cares what it is. */
static __device__ int mirror(int i, int n)
{
    i = abs(i);
    if (i >= n)
        i = 2 * (n - 1) - i;
    return max(i, 0);
}

/*
 * Shared memory of a block as wide as WINDOW: rows of columns, from BEFORE columns left of the
 * window on, the even ones first; the odd ones start 16 banks later.
 */
template <int WINDOW> struct window {
    static const int HALF = WINDOW / 2, ODD = HALF + 16, WORDS = ODD + HALF + 2;

    int row[ROWS][WORDS];
};

/* One column of a window: where it comes from, and its last rows, which the next step needs. */
struct column {
    const int *in;
    int word; /* of a row in shared memory */
    int last[KEPT];
};

/* Column `at` of shared memory; the first step begins with row y. */
template <int WINDOW>
static __device__ void column_begin(struct column *c, const int *in, struct extent e, int at, int y)
{
    c->in = in + mirror(blockIdx.x * WINDOW + at - BEFORE, e.width);
    c->word = (at % 2 ? window<WINDOW>::ODD : 0) + at / 2;
    for (int r = 0; r < KEPT; r++)
        c->last[r] = c->in[mirror(y - BEFORE + r, e.height) * e.width];
}

/* Loads the rest of the rows for a step from row y on and transforms the column. */
template <int WINDOW>
static __device__ void column_step(struct column *c, struct window<WINDOW> *buffer, struct extent e,
                                   int y)
{
    int(*row)[window<WINDOW>::WORDS] = buffer->row, x = c->word;

#pragma unroll
    for (int r = 0; r < KEPT; r++)
        row[r][x] = c->last[r];
#pragma unroll
    for (int r = KEPT; r < ROWS; r++)
        row[r][x] = c->in[mirror(y - BEFORE + r, e.height) * e.width];
#pragma unroll
    for (int r = 0; r < KEPT; r++)
        c->last[r] = row[STEP + r][x];
#pragma unroll
    for (int r = 1; r < ROWS; r += 2)
        row[r][x] -= (row[r - 1][x] + row[r + 1][x]) >> 1;
#pragma unroll
    for (int r = 2; r < ROWS - 1; r += 2)
        row[r][x] += (row[r - 1][x] + row[r + 1][x] + 2) >> 2;
}

/* Odd column x of a row less the mean of the even ones beside it. */
template <int WINDOW> static __device__ void predict(int *row, int x)
{
    row[window<WINDOW>::ODD + x] -= (row[x] + row[x + 1]) >> 1;
}

/* The rows of the window, after its columns: half of the threads has the upper rows. */
template <int WINDOW> static __device__ void rows_step(struct window<WINDOW> *buffer)
{
    const int half = window<WINDOW>::HALF, odd = window<WINDOW>::ODD;
    int t = threadIdx.x, lower = t >= half, x = 1 + t - lower * half;
    int(*row)[window<WINDOW>::WORDS] = buffer->row + BEFORE + lower * STEP / 2;

    if (t < STEP) /* the odd column left of the window */
        predict<WINDOW>(buffer->row[BEFORE + t], 0);
#pragma unroll
    for (int r = 0; r < STEP / 2; r++)
        predict<WINDOW>(row[r], x);
    __syncthreads();
#pragma unroll
    for (int r = 0; r < STEP / 2; r++)
        row[r][x] += (row[r][odd + x - 1] + row[r][odd + x] + 2) >> 2;
}

/* Where a thread writes: its column of a band of low and of one of high frequency in y. */
struct bands {
    int *low, *high;
    int width, low_height, high_height;
};

/* The first half of the threads writes columns of low frequency, the others of high frequency. */
static __device__ struct bands bands_begin(int *out, struct extent e, int half)
{
    int low_width = (e.width + 1) / 2, low_height = (e.height + 1) / 2, t = threadIdx.x;
    int is_high = t >= half, x = blockIdx.x * half + t - is_high * half;
    struct bands b = {out + x, out + low_height * e.width + x, low_width, low_height,
                      e.height - low_height};

    if (is_high) {
        b.low += low_width * low_height;
        b.high += low_width * b.high_height;
        b.width = e.width - low_width;
    }
    if (x >= b.width)
        b.low_height = b.high_height = 0;
    return b;
}

template <int WINDOW>
static __device__ void bands_write(struct bands b, const struct window<WINDOW> *buffer, int y)
{
    const int half = window<WINDOW>::HALF;
    int t = threadIdx.x, x = 1 + (t < half ? t : window<WINDOW>::ODD + t - half);

#pragma unroll
    for (int r = 0; r < STEP / 2; r++) {
        if (y / 2 + r < b.low_height)
            b.low[(y / 2 + r) * b.width] = buffer->row[BEFORE + 2 * r][x];
        if (y / 2 + r < b.high_height)
            b.high[(y / 2 + r) * b.width] = buffer->row[BEFORE + 2 * r + 1][x];
    }
}

/* Bands one after the other: low, high in x; the same two for high in y. */
template <int WINDOW>
__global__ void dwt2d_forward(const int *in, int *out, struct extent e, int steps)
{
    __shared__ struct window<WINDOW> buffer;
    int t = threadIdx.x, y = blockIdx.y * steps * STEP;
    struct bands bands = bands_begin(out, e, window<WINDOW>::HALF);
    struct column column, border;

    column_begin<WINDOW>(&column, in, e, BEFORE + t, y);
    if (t < KEPT)
        column_begin<WINDOW>(&border, in, e, t < BEFORE ? t : WINDOW + t, y);
    for (int s = 0; s < steps; s++, y += STEP) {
        column_step<WINDOW>(&column, &buffer, e, y);
        if (t < KEPT)
            column_step<WINDOW>(&border, &buffer, e, y);
        __syncthreads();
        rows_step<WINDOW>(&buffer);
        __syncthreads();
        bands_write<WINDOW>(bands, &buffer, y);
        __syncthreads();
    }
}

static int divide_up(int a, int b)
{
    return (a + b - 1) / b;
}

static struct extent low_band(struct extent e)
{
    return (struct extent){(e.width + 1) / 2, (e.height + 1) / 2};
}

template <int WINDOW> static void level_gpu(const int *in, int *out, struct extent e)
{
    int steps = divide_up(e.height, SLICES * STEP);
    dim3 grid(divide_up(e.width, WINDOW), divide_up(e.height, steps * STEP));

    dwt2d_forward<WINDOW><<<grid, WINDOW>>>(in, out, e, steps);
    CUDA_LAUNCHED();
}

/* One plane; `in` is overwritten by bands of low frequency. */
static void transform_gpu(int *in, int *out, struct extent e)
{
    for (int level = 0; level < LEVELS; level++, e = low_band(e)) {
        size_t bytes = (size_t)e.width * e.height * sizeof *in;

        if (level > 0)
            CUDA(cudaMemcpy(in, out, bytes, cudaMemcpyDeviceToDevice));
        if (e.width >= 960)
            level_gpu<192>(in, out, e);
        else if (e.width >= 480)
            level_gpu<128>(in, out, e);
        else
            level_gpu<64>(in, out, e);
    }
}

static void image_gpu(const unsigned char *pixel, struct extent e, int *out[COLOURS])
{
    int n = e.width * e.height, *d_plane[COLOURS], *d_out;
    unsigned char *d_pixel = (unsigned char *)workload_upload(pixel, (size_t)n * COLOURS);

    for (int c = 0; c < COLOURS; c++)
        CUDA(cudaMalloc((void **)&d_plane[c], n * sizeof *d_plane[c]));
    CUDA(cudaMalloc((void **)&d_out, n * sizeof *d_out));
    dwt2d_components<<<divide_up(n, BLOCK), BLOCK>>>(d_pixel, n, d_plane[0], d_plane[1],
                                                     d_plane[2]);
    CUDA_LAUNCHED();
    for (int c = 0; c < COLOURS; c++) {
        transform_gpu(d_plane[c], d_out, e);
        CUDA(cudaMemcpy(out[c], d_out, n * sizeof *d_out, cudaMemcpyDeviceToHost));
        CUDA(cudaFree(d_plane[c]));
    }
    CUDA(cudaFree(d_out));
    CUDA(cudaFree(d_pixel));
}

/*
 * The reference: transforms all columns of n rows in place (with a width of 1 this is one row of
 * the plane, seen as a column); low and high frequencies stay interleaved.
 */
static void lift_cpu(int *v, int n, int width)
{
    for (int i = 1; i < n; i += 2) {
        const int *before = v + (i - 1) * width, *after = i + 1 < n ? v + (i + 1) * width : before;

        for (int x = 0; x < width; x++)
            v[i * width + x] -= (before[x] + after[x]) >> 1;
    }
    for (int i = 0; i < n && n > 1; i += 2) {
        const int *before = v + (i > 0 ? i - 1 : 1) * width;
        const int *after = v + (i + 1 < n ? i + 1 : i - 1) * width;

        for (int x = 0; x < width; x++)
            v[i * width + x] += (before[x] + after[x] + 2) >> 2;
    }
}

static void level_cpu(int *plane, int *out, struct extent e)
{
    struct extent low = low_band(e);
    int first_high = low.height * e.width;

    lift_cpu(plane, e.height, e.width);
    for (int y = 0; y < e.height; y++) {
        int height = y % 2 ? e.height - low.height : low.height;
        int *band = out + (y % 2 ? first_high : 0);

        lift_cpu(plane + y * e.width, e.width, 1);
        for (int x = 0; x < e.width; x++) {
            int *to = x % 2 ? band + height * low.width + y / 2 * (e.width - low.width)
                            : band + y / 2 * low.width;

            to[x / 2] = plane[y * e.width + x];
        }
    }
}

static void image_cpu(const unsigned char *pixel, struct extent image, int *out[COLOURS])
{
    int n = image.width * image.height, *plane = (int *)workload_alloc(n * sizeof *plane);

    for (int c = 0; c < COLOURS; c++) {
        struct extent e = image;

        for (int i = 0; i < n; i++)
            plane[i] = pixel[i * COLOURS + c] - 128;
        for (int level = 0; level < LEVELS; level++, e = low_band(e)) {
            level_cpu(plane, out[c], e);
            memcpy(plane, out[c], (size_t)n * sizeof *plane);
        }
    }
    free(plane);
}

/* Slopes of different steepness in each colour, with noise. */
static void image_make(struct workload *w, unsigned char *pixel, struct extent e)
{
    for (int i = 0; i < e.width * e.height; i++)
        for (int c = 0; c < COLOURS; c++) {
            int slope = (i % e.width * (c + 1) + i / e.width * (COLOURS - c)) / 2;

            pixel[i * COLOURS + c] = (unsigned char)(slope + workload_below(w, 16));
        }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv,
                                       (struct workload_size){.unit = "pixels of width and height",
                                                              .usual = 1024,
                                                              .large = 1024,
                                                              .least = 1,
                                                              .most = 8192});
    static const char *const what[COLOURS] = {"red", "green", "blue"};
    struct extent e = {(int)w.size, (int)w.size};
    size_t n = (size_t)e.width * e.height;
    unsigned char *pixel = (unsigned char *)workload_alloc(n * COLOURS);
    int *got[COLOURS], *want[COLOURS];

    for (int c = 0; c < COLOURS; c++) {
        got[c] = (int *)workload_alloc(n * sizeof *got[c]);
        want[c] = (int *)workload_alloc(n * sizeof *want[c]);
    }
    image_make(&w, pixel, e);
    image_gpu(pixel, e, got);
    image_cpu(pixel, e, want);
    for (int c = 0; c < COLOURS; c++) {
        workload_compare_i32(&w, what[c], got[c], want[c], n);
        free(got[c]);
        free(want[c]);
    }
    free(pixel);
    return workload_end(&w);
}
