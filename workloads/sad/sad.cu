/*
 * sad -- sums of absolute differences of a full motion search, as video encoders do it
 *
 * stresses: texture fetches with 2D locality, integer arithmetic, scattered 16-bit stores
 * papers: buddy
 * kernels: sad_4x4, sad_8x8, sad_16x16
 * size: 176 pixels of width
 * time: 0.8 s
 *
 * For every block of the current frame and every displacement of up to 16 pixels: the sum of
 * |current - reference| over the block's pixels.  sad_4x4, a block of threads per 4 x 4 pixels,
 * reads the reference frame through a texture, whose clamping also answers for pixels outside of
 * the frame.  sad_8x8 and sad_16x16 add four sums of the next smaller size.  The frame has 11 : 9
 * format (QCIF by default) and is filled up to whole macroblocks of 16 x 16 pixels with its last
 * ones.
 */
#include "workload.h"

enum {
    RANGE = 16, /* pixels, each way */
    SIDE = 2 * RANGE + 1,
    POSITIONS = SIDE * SIDE, /* displacements */
    MACRO = 16,              /* side of a macroblock */
    BLOCK = 64,
};

static texture<unsigned char, 2, cudaReadModeElementType> reference_texture;

/* Frames in whole macroblocks. */
struct frame {
    int width, height;
    unsigned char *pixel; /* [height][width] */
};

/* Sums of all positions for blocks of 4, 8 and 16 pixels, blocks row by row. */
struct sums {
    unsigned short *of[3];
};

__global__ void sad_4x4(const unsigned char *current, int width, unsigned short *sad)
{
    __shared__ int block[4][4];
    int x0 = blockIdx.x * 4, y0 = blockIdx.y * 4, t = threadIdx.x;

    if (t < 16)
        block[t / 4][t % 4] = current[(y0 + t / 4) * width + x0 + t % 4];
    __syncthreads();
    sad += (blockIdx.y * gridDim.x + blockIdx.x) * POSITIONS;
    for (int p = t; p < POSITIONS; p += BLOCK) {
        int x = x0 + p % SIDE - RANGE, y = y0 + p / SIDE - RANGE, sum = 0;

        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 4; i++)
                sum += abs(block[j][i] - (int)tex2D(reference_texture, x + i, y + j));
        sad[p] = sum;
    }
}

/* The sum of the four blocks that make up the block (x, y) of twice the side; `across` of those. */
static __device__ int sum_of_four(const unsigned short *part, int across, int x, int y, int p)
{
    const unsigned short *top = part + (2 * y * across * 2 + 2 * x) * POSITIONS + p;
    const unsigned short *bottom = top + 2 * across * POSITIONS;

    return top[0] + top[POSITIONS] + bottom[0] + bottom[POSITIONS];
}

/* A block of threads per macroblock, a warp for each of its quarters. */
__global__ void sad_8x8(const unsigned short *sad4, unsigned short *sad8)
{
    int across = 2 * gridDim.x;
    int x = 2 * blockIdx.x + threadIdx.y % 2, y = 2 * blockIdx.y + threadIdx.y / 2;

    for (int p = threadIdx.x; p < POSITIONS; p += 32)
        sad8[(y * across + x) * POSITIONS + p] = sum_of_four(sad4, across, x, y, p);
}

__global__ void sad_16x16(const unsigned short *sad8, unsigned short *sad16)
{
    int x = blockIdx.x, y = blockIdx.y;

    for (int p = threadIdx.x; p < POSITIONS; p += 32)
        sad16[(y * gridDim.x + x) * POSITIONS + p] = sum_of_four(sad8, gridDim.x, x, y, p);
}

static size_t n_sum(struct frame f, int size)
{
    int side = 4 << size;

    return (size_t)(f.width / side) * (f.height / side) * POSITIONS;
}

static void search_gpu(struct frame current, struct frame reference, struct sums sums)
{
    size_t bytes = (size_t)current.width * current.height;
    unsigned char *d_current = (unsigned char *)workload_upload(current.pixel, bytes);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    dim3 macroblocks(current.width / MACRO, current.height / MACRO);
    unsigned short *d[3];
    cudaArray_t array;

    for (int s = 0; s < 3; s++)
        CUDA(cudaMalloc((void **)&d[s], n_sum(current, s) * sizeof *d[s]));
    CUDA(cudaMallocArray(&array, &format, reference.width, reference.height));
    CUDA(cudaMemcpy2DToArray(array, 0, 0, reference.pixel, reference.width, reference.width,
                             reference.height, cudaMemcpyHostToDevice));
    CUDA(cudaBindTextureToArray(reference_texture, array, format));

    sad_4x4<<<dim3(current.width / 4, current.height / 4), BLOCK>>>(d_current, current.width, d[0]);
    CUDA_LAUNCHED();
    sad_8x8<<<macroblocks, dim3(32, 4)>>>(d[0], d[1]);
    CUDA_LAUNCHED();
    sad_16x16<<<macroblocks, 32>>>(d[1], d[2]);
    CUDA_LAUNCHED();

    for (int s = 0; s < 3; s++) {
        CUDA(
            cudaMemcpy(sums.of[s], d[s], n_sum(current, s) * sizeof *d[s], cudaMemcpyDeviceToHost));
        CUDA(cudaFree(d[s]));
    }
    CUDA(cudaUnbindTexture(reference_texture));
    CUDA(cudaFreeArray(array));
    CUDA(cudaFree(d_current));
}

static int clamp(int v, int n)
{
    return v < 0 ? 0 : v < n ? v : n - 1;
}

/* The reference frame with RANGE pixels more on every side, copies of the nearest ones. */
static struct frame with_border(struct frame f)
{
    struct frame b = {f.width + 2 * RANGE, f.height + 2 * RANGE, NULL};

    b.pixel = (unsigned char *)workload_alloc((size_t)b.width * b.height);
    for (int y = 0; y < b.height; y++)
        for (int x = 0; x < b.width; x++)
            b.pixel[y * b.width + x] =
                f.pixel[clamp(y - RANGE, f.height) * f.width + clamp(x - RANGE, f.width)];
    return b;
}

/* The sum over one block, pixel by pixel; `reference` starts at the displaced block. */
static int sad_cpu(const unsigned char *current, int width, const unsigned char *reference,
                   int reference_width, int side)
{
    int sum = 0;

    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            sum += abs(current[y * width + x] - reference[y * reference_width + x]);
    return sum;
}

static void search_cpu(struct frame current, struct frame reference, struct sums sums)
{
    struct frame border = with_border(reference);

    for (int s = 0; s < 3; s++) {
        int side = 4 << s, across = current.width / side;

        for (size_t i = 0; i < n_sum(current, s); i++) {
            int block = (int)(i / POSITIONS), p = (int)(i % POSITIONS);
            int x = block % across * side, y = block / across * side;

            sums.of[s][i] = sad_cpu(current.pixel + y * current.width + x, current.width,
                                    border.pixel + (y + p / SIDE) * border.width + x + p % SIDE,
                                    border.width, side);
        }
    }
    free(border.pixel);
}

static void compare(struct workload *w, const char *what, const unsigned short *got,
                    const unsigned short *want, size_t n)
{
    int *i_got = (int *)workload_alloc(n * sizeof *i_got);
    int *i_want = (int *)workload_alloc(n * sizeof *i_want);

    for (size_t i = 0; i < n; i++) {
        i_got[i] = got[i];
        i_want[i] = want[i];
    }
    workload_compare_i32(w, what, i_got, i_want, n);
    free(i_got);
    free(i_want);
}

static struct frame frame_make(int width, int height)
{
    struct frame f = {(width + MACRO - 1) / MACRO * MACRO, (height + MACRO - 1) / MACRO * MACRO,
                      NULL};

    f.pixel = (unsigned char *)workload_alloc((size_t)f.width * f.height);
    return f;
}

/* A noisy picture and the same picture moved by a few pixels, with other noise. */
static void frames_fill(struct workload *w, struct frame current, struct frame reference, int width,
                        int height)
{
    int dx = (int)workload_below(w, 17) - 8, dy = (int)workload_below(w, 17) - 8;

    for (int i = 0; i < reference.width * reference.height; i++) {
        int x = clamp(i % reference.width, width), y = clamp(i / reference.width, height);
        bool copy = x != i % reference.width || y != i / reference.width;

        reference.pixel[i] = copy ? reference.pixel[y * reference.width + x] : workload_u32(w);
    }
    for (int i = 0; i < current.width * current.height; i++) {
        int x = clamp(i % current.width, width), y = clamp(i / current.width, height);
        int from = clamp(y + dy, height) * reference.width + clamp(x + dx, width);

        current.pixel[i] = clamp(reference.pixel[from] + (int)workload_below(w, 9) - 4, 256);
    }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){.unit = "pixels of width", .usual = 176, .least = 1, .most = 2048});
    int width = (int)w.size, height = (width * 9 + 10) / 11;
    struct frame current = frame_make(width, height), reference = frame_make(width, height);
    static const char *const what[3] = {"sad4", "sad8", "sad16"};
    struct sums got, want;

    frames_fill(&w, current, reference, width, height);
    for (int s = 0; s < 3; s++) {
        got.of[s] = (unsigned short *)workload_alloc(n_sum(current, s) * sizeof *got.of[s]);
        want.of[s] = (unsigned short *)workload_alloc(n_sum(current, s) * sizeof *want.of[s]);
    }
    search_gpu(current, reference, got);
    search_cpu(current, reference, want);
    for (int s = 0; s < 3; s++) {
        compare(&w, what[s], got.of[s], want.of[s], n_sum(current, s));
        free(got.of[s]);
        free(want.of[s]);
    }
    free(current.pixel);
    free(reference.pixel);
    return workload_end(&w);
}
