/*
 * particlefilter-float -- follows a moving object through a noisy video with a particle filter
 *
 * suite: Rodinia
 * stresses: double arithmetic, scattered global loads, divergent search, phases of a single thread
 * papers: socgpu
 * kernels: particle_likelihood, particle_sum, particle_normalize, particle_find_index
 * size: 1000 particles
 * large: 10000 particles
 * odd: 133
 * tiny: 33
 * time: 3.1 s
 *
 * A particle is a guess where the object, a disc, is.  For every frame of a video of 128 x 128
 * pixels and 10 frames: particle_likelihood moves each particle as the object moves, with a random
 * error, weighs it by how much the pixels around it look like the object, and adds up the weights
 * of a block; particle_sum (one thread) adds up those sums; particle_normalize divides all weights
 * by the result, while one thread of the grid cumulates them; particle_find_index draws the next
 * particles from the old ones by their weights: each thread walks through the cumulated weights
 * until they reach its number.
 *
 * Launches, the serial phases, the list of pixels in global memory and the arithmetic in double are
 * the original's ("float" is as opposed to its naive version), and the default is the input of the
 * suite's script.  Blocks have 128 threads: 512, as in version 3.1, need more registers than an SM
 * of the older GPUs has.  In place of two races between the original's blocks, particle_normalize
 * does not overwrite the weights it reads, and every block draws the first number for itself.
 *
 * Pixels are whole numbers, so that likelihoods are exact.  Other than that, CPU and GPU may differ
 * in the last bits of a double: they take the same particle unless a random number is within some
 * 1e-15 of a cumulated weight, or a place as close to the middle between two pixels.
 */
#include "workload.h"

enum {
    BLOCK = 128,
    WIDTH = 128, /* and height of the video */
    FRAMES = 10,
    RADIUS = 5,
    DIAMETER = 2 * RADIUS - 1,
    BACKGROUND = 100,
    OBJECT = 228,
    MOVE_X = 1, /* of the object, from frame to frame */
    MOVE_Y = -2,
};

/* On the device: the particles and what belongs to each of them, [n]. */
struct particles {
    int n;
    double *x, *y;           /* guesses for this frame */
    double *next_x, *next_y; /* drawn from them, to be moved on */
    double *weight, *normal_weight;
    double *cumulated; /* normal weights up to and with this one */
    double *draw;      /* random numbers, rising */
    unsigned *seed;
    int *pixel; /* [n][n_offset]: those looked at */
};

/* ---- random numbers, a generator per particle */

static __host__ __device__ double random_uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed + 0.5) / 4294967296.0;
}

static __host__ __device__ double random_normal(unsigned *seed)
{
    double u = random_uniform(seed), v = random_uniform(seed);

    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

/* ---- GPU */

/* How much the pixels of the particle look like the object rather than the background. */
static __device__ double likelihood(const unsigned char *video, const int *pixel, int n_offset)
{
    double sum = 0;

    for (int i = 0; i < n_offset; i++) {
        double p = video[pixel[i]];

        sum += (p - BACKGROUND) * (p - BACKGROUND) - (p - OBJECT) * (p - OBJECT);
    }
    return sum / 50 / n_offset;
}

/* offset[2 * i] and offset[2 * i + 1]: y and x of the object's pixel i. */
__global__ void particle_likelihood(struct particles p, const int *offset, int n_offset,
                                    const unsigned char *video, int frame, double *block_sum)
{
    __shared__ double sum[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;

    sum[t] = 0;
    if (i < p.n) {
        int *pixel = p.pixel + i * n_offset;

        p.x[i] = p.next_x[i] + MOVE_X + 5 * random_normal(&p.seed[i]);
        p.y[i] = p.next_y[i] + MOVE_Y + 2 * random_normal(&p.seed[i]);
        for (int k = 0; k < n_offset; k++) {
            int x = (int)round(p.x[i]) + offset[2 * k + 1], y = (int)round(p.y[i]) + offset[2 * k];
            int at = abs((x * WIDTH + y) * FRAMES + frame);

            pixel[k] = at < WIDTH * WIDTH * FRAMES ? at : 0;
        }
        p.weight[i] = exp(likelihood(video, pixel, n_offset)) / p.n;
        sum[t] = p.weight[i];
    }
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            sum[t] += sum[t + half];
    }
    if (t == 0)
        block_sum[blockIdx.x] = sum[0];
}

__global__ void particle_sum(double *block_sum)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        double sum = 0;

        for (unsigned b = 0; b < gridDim.x; b++)
            sum += block_sum[b];
        block_sum[0] = sum;
    }
}

__global__ void particle_normalize(struct particles p, const double *block_sum)
{
    __shared__ double first_draw, sum;
    int i = blockIdx.x * BLOCK + threadIdx.x;

    if (threadIdx.x == 0) {
        unsigned seed = p.seed[0];

        sum = block_sum[0];
        first_draw = random_uniform(&seed) / p.n;
    }
    __syncthreads();
    if (i < p.n) {
        p.normal_weight[i] = p.weight[i] / sum;
        p.draw[i] = first_draw + i / (double)p.n;
    }
    if (i == 0) {
        p.cumulated[0] = p.weight[0] / sum;
        for (int k = 1; k < p.n; k++)
            p.cumulated[k] = p.weight[k] / sum + p.cumulated[k - 1];
    }
}

__global__ void particle_find_index(struct particles p)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, index = 0;

    if (i >= p.n)
        return;
    while (index < p.n - 1 && p.cumulated[index] < p.draw[i])
        index++;
    p.next_x[i] = p.x[index];
    p.next_y[i] = p.y[index];
}

/* All at the middle of the video. */
static struct particles particles_make(int n, int n_offset, const unsigned *seed)
{
    enum { ARRAYS = 8 };
    double *middle = (double *)workload_alloc((size_t)ARRAYS * n * sizeof *middle);

    for (int i = 0; i < ARRAYS * n; i++)
        middle[i] = WIDTH / 2;

    double *d = (double *)workload_upload(middle, (size_t)ARRAYS * n * sizeof *middle);
    struct particles p = {n,         d,         d + n,     d + 2 * n, d + 3 * n, d + 4 * n,
                          d + 5 * n, d + 6 * n, d + 7 * n, NULL,      NULL};

    p.seed = (unsigned *)workload_upload(seed, n * sizeof *seed);
    CUDA(cudaMalloc((void **)&p.pixel, (size_t)n * n_offset * sizeof *p.pixel));
    free(middle);
    return p;
}

static void particles_free(struct particles p)
{
    CUDA(cudaFree(p.x)); /* with all doubles */
    CUDA(cudaFree(p.seed));
    CUDA(cudaFree(p.pixel));
}

/* The particles of the last frame, on the host. */
struct result {
    double *x, *y, *weight, *next_x, *next_y;
};

static void result_download(struct result r, struct particles p)
{
    size_t bytes = p.n * sizeof(double);

    CUDA(cudaMemcpy(r.x, p.x, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(r.y, p.y, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(r.weight, p.normal_weight, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(r.next_x, p.next_x, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(r.next_y, p.next_y, bytes, cudaMemcpyDeviceToHost));
}

static void follow_gpu(const unsigned char *video, const int *offset, int n_offset,
                       const unsigned *seed, int n, struct result r)
{
    int grid = (n + BLOCK - 1) / BLOCK;
    struct particles p = particles_make(n, n_offset, seed);
    unsigned char *d_video = (unsigned char *)workload_upload(video, WIDTH * WIDTH * FRAMES);
    int *d_offset = (int *)workload_upload(offset, 2 * n_offset * sizeof *offset);
    double *d_sum;

    CUDA(cudaMalloc((void **)&d_sum, grid * sizeof *d_sum));
    for (int frame = 1; frame < FRAMES; frame++) {
        particle_likelihood<<<grid, BLOCK>>>(p, d_offset, n_offset, d_video, frame, d_sum);
        CUDA_LAUNCHED();
        particle_sum<<<grid, BLOCK>>>(d_sum);
        CUDA_LAUNCHED();
        particle_normalize<<<grid, BLOCK>>>(p, d_sum);
        CUDA_LAUNCHED();
        particle_find_index<<<grid, BLOCK>>>(p);
        CUDA_LAUNCHED();
    }
    result_download(r, p);
    particles_free(p);
    CUDA(cudaFree(d_video));
    CUDA(cudaFree(d_offset));
    CUDA(cudaFree(d_sum));
}

/* ---- the reference */

static double weight_cpu(const unsigned char *video, const int *offset, int n_offset, int x, int y,
                         int frame)
{
    long sum = 0;

    for (int k = 0; k < n_offset; k++) {
        int at = abs(((x + offset[2 * k + 1]) * WIDTH + y + offset[2 * k]) * FRAMES + frame);
        int p = video[at < WIDTH * WIDTH * FRAMES ? at : 0];

        sum += (p - BACKGROUND) * (p - BACKGROUND) - (p - OBJECT) * (p - OBJECT);
    }
    return exp(sum / 50.0 / n_offset);
}

/* Numbers rise with the particle: one walk through the weights serves all of them. */
static void draw_cpu(struct result r, int n, double first)
{
    double cumulated = r.weight[0];

    for (int i = 0, index = 0; i < n; i++) {
        while (index < n - 1 && cumulated < first + i / (double)n)
            cumulated += r.weight[++index];
        r.next_x[i] = r.x[index];
        r.next_y[i] = r.y[index];
    }
}

static void follow_cpu(const unsigned char *video, const int *offset, int n_offset, unsigned *seed,
                       int n, struct result r)
{
    for (int i = 0; i < n; i++)
        r.next_x[i] = r.next_y[i] = WIDTH / 2;
    for (int frame = 1; frame < FRAMES; frame++) {
        double sum = 0;

        for (int i = 0; i < n; i++) {
            r.x[i] = r.next_x[i] + MOVE_X + 5 * random_normal(&seed[i]);
            r.y[i] = r.next_y[i] + MOVE_Y + 2 * random_normal(&seed[i]);
            r.weight[i] =
                weight_cpu(video, offset, n_offset, (int)round(r.x[i]), (int)round(r.y[i]), frame);
            sum += r.weight[i];
        }
        for (int i = 0; i < n; i++)
            r.weight[i] /= sum;

        unsigned first = seed[0];

        draw_cpu(r, n, random_uniform(&first) / n);
    }
}

/* As floats, times `scale`. */
static void compare(struct workload *w, const char *what, const double *got, const double *want,
                    int n, double scale)
{
    float *f_got = (float *)workload_alloc(n * sizeof *f_got);
    float *f_want = (float *)workload_alloc(n * sizeof *f_want);

    for (int i = 0; i < n; i++) {
        f_got[i] = (float)(scale * got[i]);
        f_want[i] = (float)(scale * want[i]);
    }
    workload_compare_f32(w, what, f_got, f_want, n, 1e-6f);
    free(f_got);
    free(f_want);
}

/* y and x, relative to the middle, of the pixels in a disc. */
static int disc_make(int *offset)
{
    int n = 0;

    for (int y = 1 - RADIUS; y < RADIUS; y++)
        for (int x = 1 - RADIUS; x < RADIUS; x++)
            if (x * x + y * y < RADIUS * RADIUS) {
                offset[2 * n] = y;
                offset[2 * n + 1] = x;
                n++;
            }
    return n;
}

/* The object crosses the video from its middle; pixels are noisy. */
static void video_make(struct workload *w, unsigned char *video, const int *offset, int n_offset)
{
    memset(video, BACKGROUND, WIDTH * WIDTH * FRAMES);
    for (int frame = 0; frame < FRAMES; frame++) {
        int x = WIDTH / 2 + frame * MOVE_X, y = WIDTH / 2 + frame * MOVE_Y;

        for (int k = 0; k < n_offset; k++)
            video[((x + offset[2 * k + 1]) * WIDTH + y + offset[2 * k]) * FRAMES + frame] = OBJECT;
    }
    for (int i = 0; i < WIDTH * WIDTH * FRAMES; i++)
        video[i] += (int)workload_below(w, 21) - 10;
}

static struct result result_make(int n)
{
    double *d = (double *)workload_alloc(5 * (size_t)n * sizeof *d);

    return (struct result){d, d + n, d + 2 * n, d + 3 * n, d + 4 * n};
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "particles", .usual = 1000, .large = 10000, .least = 1, .most = 1 << 20});
    int n = (int)w.size, offset[2 * DIAMETER * DIAMETER], n_offset = disc_make(offset);
    unsigned char *video = (unsigned char *)workload_alloc(WIDTH * WIDTH * FRAMES);
    unsigned *seed = (unsigned *)workload_alloc(n * sizeof *seed);
    struct result got = result_make(n), want = result_make(n);

    video_make(&w, video, offset, n_offset);
    for (int i = 0; i < n; i++)
        seed[i] = workload_u32(&w);
    follow_gpu(video, offset, n_offset, seed, n, got);
    follow_cpu(video, offset, n_offset, seed, n, want);
    compare(&w, "x", got.x, want.x, n, 1);
    compare(&w, "y", got.y, want.y, n, 1);
    compare(&w, "weight", got.weight, want.weight, n, n); /* 1 is the mean */
    compare(&w, "next_x", got.next_x, want.next_x, n, 1);
    compare(&w, "next_y", got.next_y, want.next_y, n, 1);

    free(video);
    free(seed);
    free(got.x); /* with all of it */
    free(want.x);
    return workload_end(&w);
}
