/*
 * sad -- sums of absolute differences of a full motion search, as video encoders do it
 *
 * suite: Parboil
 * stresses: texture fetches with 2D locality, integer arithmetic, 16-bit loads and stores
 * papers: buddy
 * kernels: sad_4x4, sad_8, sad_16
 * size: 176 pixels of width
 * large: 176 pixels of width
 * odd: 24
 * tiny: 16
 * time: 8 s
 *
 * For every block of the current frame and every displacement of up to 16 pixels: the sum of
 * |current - reference| over the block's pixels, for the seven shapes of blocks that H.264 knows.
 * sad_4x4, 61 threads per 4 x 4 pixels with 18 displacements each, reads the reference frame
 * through a texture, whose clamping also answers for pixels outside of the frame.  sad_8, a block
 * of threads per macroblock and a warp for each of its quarters, adds these up to 8 x 4, 4 x 8 and
 * 8 x 8 pixels; sad_16, a warp per macroblock, goes on to 16 x 8, 8 x 16 and 16 x 16.
 *
 * The frame has 11 : 9 format and is filled up to whole macroblocks of 16 x 16 pixels with its last
 * ones.  The default is QCIF, with the launches of Table II of the Buddy SM paper: 44 x 36 blocks
 * of 61 threads, 11 x 9 of 32 x 4 and 11 x 9 of 32.  In Parboil a thread's displacements are
 * neighbours; here they are 61 apart, so that a warp fetches from one or two rows, not from 17:
 * our textures lie row by row in memory.  All in whole numbers: the comparison is exact.
 */
#include "workload.h"

enum {
    RANGE = 16, /* pixels, each way */
    SIDE = 2 * RANGE + 1,
    POSITIONS = SIDE * SIDE, /* displacements */
    PER_THREAD = 18,         /* of them, in sad_4x4 */
    THREADS = (POSITIONS + PER_THREAD - 1) / PER_THREAD,
    MACRO = 16, /* side of a macroblock */
};

static texture<unsigned char, 2, cudaReadModeElementType> reference_texture;

/* Frames in whole macroblocks. */
struct frame {
    int width, height;
    unsigned char *pixel; /* [height][width] */
};

/* The shapes of blocks, width by height. */
enum shape { S4X4, S8X4, S4X8, S8X8, S16X8, S8X16, S16X16, N_SHAPE };

static const struct {
    const char *name;
    int width, height;
} shapes[N_SHAPE] = {{"sad4x4", 4, 4},   {"sad8x4", 8, 4},   {"sad4x8", 4, 8},    {"sad8x8", 8, 8},
                     {"sad16x8", 16, 8}, {"sad8x16", 8, 16}, {"sad16x16", 16, 16}};

/* Sums of all positions for each block of a shape, blocks row by row. */
struct sums {
    unsigned short *of[N_SHAPE];
};

__global__ void sad_4x4(const unsigned char *current, int width, struct sums sums)
{
    __shared__ int block[4][4];
    int x0 = blockIdx.x * 4, y0 = blockIdx.y * 4, t = threadIdx.x;
    unsigned short *sad = sums.of[S4X4] + (blockIdx.y * gridDim.x + blockIdx.x) * POSITIONS;

    if (t < 16)
        block[t / 4][t % 4] = current[(y0 + t / 4) * width + x0 + t % 4];
    __syncthreads();
    for (int p = t; p < POSITIONS; p += THREADS) {
        int x = x0 + p % SIDE - RANGE, y = y0 + p / SIDE - RANGE, sum = 0;

        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 4; i++)
                sum += abs(block[j][i] - (int)tex2D(reference_texture, x + i, y + j));
        sad[p] = sum;
    }
}

/* The four blocks that a block (x, y) of twice the side consists of; `across` of those in a row. */
struct quarters {
    const unsigned short *top, *bottom; /* the left ones; the right ones are POSITIONS further */
};

static __device__ struct quarters quarters_of(const unsigned short *part, int across, int x, int y)
{
    struct quarters q;

    q.top = part + (2 * y * 2 * across + 2 * x) * POSITIONS;
    q.bottom = q.top + 2 * across * POSITIONS;
    return q;
}

/*
 * From a block's quarters to its two wide and two tall halves and to itself, for all positions;
 * block (x, y) of `across` in a row.
 */
static __device__ void add_up(struct quarters q, unsigned short *wide, unsigned short *tall,
                              unsigned short *whole, int across, int x, int y)
{
    wide += (2 * y * across + x) * POSITIONS;
    tall += (y * across + x) * 2 * POSITIONS;
    whole += (y * across + x) * POSITIONS;
    for (int p = threadIdx.x; p < POSITIONS; p += 32) {
        int nw = q.top[p], ne = q.top[p + POSITIONS];
        int sw = q.bottom[p], se = q.bottom[p + POSITIONS];

        wide[p] = nw + ne;
        wide[p + across * POSITIONS] = sw + se;
        tall[p] = nw + sw;
        tall[p + POSITIONS] = ne + se;
        whole[p] = nw + ne + sw + se;
    }
}

__global__ void sad_8(struct sums sums)
{
    int across = 2 * gridDim.x;
    int x = 2 * blockIdx.x + threadIdx.y % 2, y = 2 * blockIdx.y + threadIdx.y / 2;

    add_up(quarters_of(sums.of[S4X4], across, x, y), sums.of[S8X4], sums.of[S4X8], sums.of[S8X8],
           across, x, y);
}

__global__ void sad_16(struct sums sums)
{
    int across = gridDim.x, x = blockIdx.x, y = blockIdx.y;

    add_up(quarters_of(sums.of[S8X8], across, x, y), sums.of[S16X8], sums.of[S8X16],
           sums.of[S16X16], across, x, y);
}

static size_t n_sum(struct frame f, int shape)
{
    return (size_t)(f.width / shapes[shape].width) * (f.height / shapes[shape].height) * POSITIONS;
}

static void search_gpu(struct frame current, struct frame reference, struct sums sums)
{
    size_t bytes = (size_t)current.width * current.height;
    unsigned char *d_current = (unsigned char *)workload_upload(current.pixel, bytes);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    dim3 macroblocks(current.width / MACRO, current.height / MACRO);
    struct sums d;
    cudaArray_t array;

    for (int s = 0; s < N_SHAPE; s++)
        CUDA(cudaMalloc((void **)&d.of[s], n_sum(current, s) * sizeof *d.of[s]));
    CUDA(cudaMallocArray(&array, &format, reference.width, reference.height));
    CUDA(cudaMemcpy2DToArray(array, 0, 0, reference.pixel, reference.width, reference.width,
                             reference.height, cudaMemcpyHostToDevice));
    CUDA(cudaBindTextureToArray(reference_texture, array, format));

    sad_4x4<<<dim3(current.width / 4, current.height / 4), THREADS>>>(d_current, current.width, d);
    CUDA_LAUNCHED();
    sad_8<<<macroblocks, dim3(32, 4)>>>(d);
    CUDA_LAUNCHED();
    sad_16<<<macroblocks, 32>>>(d);
    CUDA_LAUNCHED();

    for (int s = 0; s < N_SHAPE; s++) {
        CUDA(cudaMemcpy(sums.of[s], d.of[s], n_sum(current, s) * sizeof *d.of[s],
                        cudaMemcpyDeviceToHost));
        CUDA(cudaFree(d.of[s]));
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
                   int reference_width, int shape)
{
    int sum = 0;

    for (int y = 0; y < shapes[shape].height; y++)
        for (int x = 0; x < shapes[shape].width; x++)
            sum += abs(current[y * width + x] - reference[y * reference_width + x]);
    return sum;
}

static void search_cpu(struct frame current, struct frame reference, struct sums sums)
{
    struct frame border = with_border(reference);

    for (int s = 0; s < N_SHAPE; s++) {
        int across = current.width / shapes[s].width;

        for (size_t i = 0; i < n_sum(current, s); i++) {
            int block = (int)(i / POSITIONS), p = (int)(i % POSITIONS);
            int x = block % across * shapes[s].width, y = block / across * shapes[s].height;

            sums.of[s][i] = sad_cpu(current.pixel + y * current.width + x, current.width,
                                    border.pixel + (y + p / SIDE) * border.width + x + p % SIDE,
                                    border.width, s);
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
        (struct workload_size){
            .unit = "pixels of width", .usual = 176, .large = 176, .least = 1, .most = 2048});
    int width = (int)w.size, height = (width * 9 + 10) / 11;
    struct frame current = frame_make(width, height), reference = frame_make(width, height);
    struct sums got, want;

    frames_fill(&w, current, reference, width, height);
    for (int s = 0; s < N_SHAPE; s++) {
        got.of[s] = (unsigned short *)workload_alloc(n_sum(current, s) * sizeof *got.of[s]);
        want.of[s] = (unsigned short *)workload_alloc(n_sum(current, s) * sizeof *want.of[s]);
    }
    search_gpu(current, reference, got);
    search_cpu(current, reference, want);
    for (int s = 0; s < N_SHAPE; s++) {
        compare(&w, shapes[s].name, got.of[s], want.of[s], n_sum(current, s));
        free(got.of[s]);
        free(want.of[s]);
    }
    free(current.pixel);
    free(reference.pixel);
    return workload_end(&w);
}
