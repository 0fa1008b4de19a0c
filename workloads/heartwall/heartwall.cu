/*
 * heartwall -- follows points of a heart's wall through the frames of an ultrasound film
 *
 * suite: Rodinia
 * stresses: one long kernel of many phases, barriers, shared memory, divergent loops, few blocks
 * papers: gates, share, amoeba
 * kernels: heartwall_track
 * size: 6 pixels from a template's middle to its border
 * large: 25 pixels from a template's middle to its border
 * odd: 3
 * tiny: 2
 * time: 8 s
 *
 * 20 points of the inner and 31 of the outer wall; a launch per frame, a block of 256 threads per
 * point.  The first launch cuts a template around each point.  Each further one looks for it in an
 * area of the frame around the point: it convolves the area with the template (turned around, in
 * shared memory), gets sums and sums of squares under the template from cumulative sums down and
 * across, and from these the normalised cross-correlation, which is masked with where the point may
 * have moved to; the maximum is its new place.  Every tenth frame the area follows the point and
 * the template is mixed with what it found.  Sizes and addresses are in constant memory; a point's
 * matrices are in global memory.
 *
 * Grid, block and shared memory are the original's.  The size scales the template (51 x 51 pixels
 * in the original), the area (81 x 81), the move (10 pixels a frame), the frame (656 x 744) and the
 * number of frames (20), unless --frames says how many; below 5 there are fewer points, too, for
 * short tests.  The original mixes templates in its tenth frame, here it is the first, the eleventh
 * and so on.
 *
 * The film is a speckled picture that moves as a whole, with noise, in whole numbers: the sums are
 * exact until templates are mixed, and a place off by one correlates far less than the right one.
 * So places are compared exactly, with those from sums term by term in double.
 */
#include "workload.h"

enum {
    BLOCK = 256,
    INNER = 20, /* points at most */
    OUTER = 31,
    LEAST = 2,
    LARGE = 25,
    LARGE_SIDE = 2 * LARGE + 1,                      /* of a template */
    LARGE_RESULT = 2 * (LARGE * 8 / 5) + LARGE_SIDE, /* of a correlation */
    BATCH = 10,                                      /* frames until the template is mixed again */
};

#define KEEP 0.87f /* of the old template, when it is mixed */

/* Sizes; matrices are square. */
struct sizes {
    int rows, columns;         /* of a frame */
    int radius, reach, move;   /* of the template, of the area, of the mask */
    int template_side;         /* 2 radius + 1 */
    int area_side;             /* 2 reach + 1 */
    int result_side;           /* of all ways to lay the template over the area */
    int padded_side;           /* the area with a template's width of zeros around */
    int frames, inner, points; /* the first points are those of the inner wall */
};

/* A point's place, as it was when the area was set and as it is, and matrices; on the device. */
struct point {
    int *place;    /* row and column of the area's middle */
    int *track;    /* [frames][2]: rows and columns */
    float *sample; /* the template */
    float *area;
    float *padded; /* cumulative sums of the area or of its squares */
    float *strip;  /* [result_side][padded_side]: sums of the template's height, then cumulative */
    float *sum, *sum2;
    float *result, *mask;
};

static __constant__ struct sizes sizes;
static __constant__ struct point points[INNER + OUTER];
static __constant__ const float *frame;
static __constant__ int frame_number;

/* What a block has in shared memory. */
struct scratch {
    float turned[LARGE_SIDE * LARGE_SIDE];                 /* the template by 180 degrees */
    float column_sum[LARGE_SIDE], column_sum2[LARGE_SIDE]; /* of the template */
    float best[LARGE_RESULT];                              /* of each row of the result */
    int best_column[LARGE_RESULT];
    float sum, deviation; /* of the template; the latter times the root of its size */
};

/* ---- the phases */

/* The pixel (row, column) of a square around a place. */
static __device__ float pixel(const int *place, int radius, int row, int column)
{
    return frame[(place[0] - radius + row) * sizes.columns + place[1] - radius + column];
}

static __device__ void cut(const int *place, int radius, float *out)
{
    int side = 2 * radius + 1;

    for (int e = threadIdx.x; e < side * side; e += BLOCK)
        out[e] = pixel(place, radius, e / side, e % side);
}

static __device__ void turn(const float *sample, float *turned)
{
    int side = sizes.template_side;

    for (int e = threadIdx.x; e < side * side; e += BLOCK)
        turned[e] = sample[side * side - 1 - e];
}

static __device__ void convolve(const struct point *p, const float *turned)
{
    int side = sizes.result_side, width = sizes.template_side, area = sizes.area_side;

    for (int e = threadIdx.x; e < side * side; e += BLOCK) {
        int row = e / side, column = e % side;
        int first = max(0, column - width + 1), last = min(column, area - 1);
        float sum = 0;

        for (int r = max(0, row - width + 1); r <= min(row, area - 1); r++)
            for (int c = first; c <= last; c++)
                sum += p->area[r * area + c] * turned[(row - r) * width + column - c];
        p->result[e] = sum;
    }
}

static __device__ void pad(const struct point *p, bool squares)
{
    int side = sizes.padded_side, border = sizes.template_side, area = sizes.area_side;

    for (int e = threadIdx.x; e < side * side; e += BLOCK) {
        int row = e / side - border, column = e % side - border;
        bool inside = row >= 0 && row < area && column >= 0 && column < area;
        float v = inside ? p->area[row * area + column] : 0;

        p->padded[e] = squares ? v * v : v;
    }
}

/* Sums from the first on, of n numbers `stride` apart. */
static __device__ void cumulate(float *v, int n, int stride)
{
    float sum = 0;

    for (int i = 0; i < n; i++) {
        sum += v[i * stride];
        v[i * stride] = sum;
    }
}

/* Differences of cumulative sums: sums over the height of the template, then over its width. */
static __device__ void subtract_rows(const struct point *p)
{
    int side = sizes.padded_side, apart = sizes.template_side * side;

    for (int e = threadIdx.x; e < sizes.result_side * side; e += BLOCK)
        p->strip[e] = p->padded[e + apart] - p->padded[e];
}

static __device__ void subtract_columns(const struct point *p, float *sum)
{
    int side = sizes.result_side;

    for (int e = threadIdx.x; e < side * side; e += BLOCK) {
        const float *v = p->strip + e / side * sizes.padded_side + e % side;

        sum[e] = v[sizes.template_side] - v[0];
    }
}

/* The sums of what lies under the template, or of its squares, for each way to lay it. */
static __device__ void sum_areas(const struct point *p, bool squares, float *sum)
{
    int side = sizes.padded_side;

    pad(p, squares);
    __syncthreads();
    for (int column = threadIdx.x; column < side; column += BLOCK)
        cumulate(p->padded + column, side, side);
    __syncthreads();
    subtract_rows(p);
    __syncthreads();
    for (int row = threadIdx.x; row < sizes.result_side; row += BLOCK)
        cumulate(p->strip + row * side, side, 1);
    __syncthreads();
    subtract_columns(p, sum);
    __syncthreads();
}

static __device__ void sum_template(const struct point *p, struct scratch *s)
{
    int side = sizes.template_side, column = threadIdx.x;

    if (column < side) {
        float sum = 0, sum2 = 0;

        for (int row = 0; row < side; row++) {
            float v = p->sample[row * side + column];

            sum += v;
            sum2 += v * v;
        }
        s->column_sum[column] = sum;
        s->column_sum2[column] = sum2;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0, sum2 = 0;

        for (int c = 0; c < side; c++) {
            sum += s->column_sum[c];
            sum2 += s->column_sum2[c];
        }
        s->sum = sum;
        s->deviation = sqrtf(sum2 - sum * sum / (float)(side * side));
    }
}

static __device__ void correlate(const struct point *p, const struct scratch *s)
{
    int side = sizes.result_side;
    float n = (float)(sizes.template_side * sizes.template_side);

    for (int e = threadIdx.x; e < side * side; e += BLOCK) {
        float sum = p->sum[e], covariance = p->result[e] - sum * s->sum / n;
        float deviation = sqrtf(fmaxf(p->sum2[e] - sum * sum / n, 0)) * s->deviation;

        p->result[e] = deviation > 0 ? covariance / deviation : 0;
    }
}

/* Where the point was last, in the result: the only one that is not zero. */
static __device__ void mark(const struct point *p)
{
    int side = sizes.result_side, middle = sizes.radius + sizes.reach;
    const int *last = p->track + 2 * (frame_number - 1);
    int row = last[0] - p->place[0] + middle, column = last[1] - p->place[1] + middle;

    for (int e = threadIdx.x; e < side * side; e += BLOCK)
        p->mask[e] = e / side == row && e % side == column;
}

/* The result times the mask, which is widened by the move on its way. */
static __device__ void widen_and_mask(const struct point *p)
{
    int side = sizes.result_side, move = sizes.move;

    for (int e = threadIdx.x; e < side * side; e += BLOCK) {
        int row = e / side, column = e % side;
        int first = max(0, column - move), last = min(column + move, side - 1);
        float sum = 0;

        for (int r = max(0, row - move); r <= min(row + move, side - 1); r++)
            for (int c = first; c <= last; c++)
                sum += p->mask[r * side + c];
        p->result[e] *= sum;
    }
}

static __device__ void find_best_columns(const struct point *p, struct scratch *s)
{
    int side = sizes.result_side, row = threadIdx.x, best = 0;

    if (row >= side)
        return;
    for (int c = 1; c < side; c++)
        if (p->result[row * side + c] > p->result[row * side + best])
            best = c;
    s->best[row] = p->result[row * side + best];
    s->best_column[row] = best;
}

static __device__ void go_to_best(const struct point *p, const struct scratch *s)
{
    int best = 0, middle = sizes.radius + sizes.reach;

    for (int row = 1; row < sizes.result_side; row++)
        if (s->best[row] > s->best[best])
            best = row;
    p->track[2 * frame_number] = p->place[0] + best - middle;
    p->track[2 * frame_number + 1] = p->place[1] + s->best_column[best] - middle;
}

static __device__ void mix_template(const struct point *p)
{
    int side = sizes.template_side;

    for (int e = threadIdx.x; e < side * side; e += BLOCK) {
        float found = pixel(p->track + 2 * frame_number, sizes.radius, e / side, e % side);

        p->sample[e] = KEEP * p->sample[e] + (1 - KEEP) * found;
    }
}

__global__ void heartwall_track(void)
{
    __shared__ struct scratch s;
    const struct point *p = &points[blockIdx.x];

    if (frame_number == 0) {
        cut(p->place, sizes.radius, p->sample);
        if (threadIdx.x < 2)
            p->track[threadIdx.x] = p->place[threadIdx.x];
        return;
    }
    cut(p->place, sizes.reach, p->area);
    turn(p->sample, s.turned);
    __syncthreads();
    convolve(p, s.turned);
    sum_areas(p, false, p->sum);
    sum_areas(p, true, p->sum2);
    sum_template(p, &s);
    __syncthreads();
    correlate(p, &s);
    mark(p);
    __syncthreads();
    widen_and_mask(p);
    __syncthreads();
    find_best_columns(p, &s);
    __syncthreads();
    if (threadIdx.x == 0)
        go_to_best(p, &s);
    if (frame_number % BATCH != 1)
        return;
    __syncthreads();
    mix_template(p);
    if (threadIdx.x < 2)
        p->place[threadIdx.x] = p->track[2 * frame_number + threadIdx.x];
}

/* ---- the host's side */

/* What the program gives. */
struct outcome {
    int *track;    /* [points][frames][2] */
    float *sample; /* [points][template_side][template_side], after the last frame */
    float *result; /* [points][result_side][result_side], of the last frame */
};

static size_t square(int n)
{
    return (size_t)n * n;
}

/* Floats of one point. */
static size_t n_float(struct sizes s)
{
    return square(s.template_side) + square(s.area_side) + square(s.padded_side) +
           (size_t)s.result_side * s.padded_side + 4 * square(s.result_side);
}

static float *take(float **from, size_t n)
{
    float *p = *from;

    *from += n;
    return p;
}

/* Addresses of a point's matrices, which start at `floats`. */
static struct point point_of(struct sizes s, int *place, int *track, float *floats)
{
    struct point p;

    p.place = place;
    p.track = track;
    p.sample = take(&floats, square(s.template_side));
    p.area = take(&floats, square(s.area_side));
    p.padded = take(&floats, square(s.padded_side));
    p.strip = take(&floats, (size_t)s.result_side * s.padded_side);
    p.sum = take(&floats, square(s.result_side));
    p.sum2 = take(&floats, square(s.result_side));
    p.result = take(&floats, square(s.result_side));
    p.mask = take(&floats, square(s.result_side));
    return p;
}

static void film_gpu(struct sizes s, const float *film)
{
    size_t bytes = (size_t)s.rows * s.columns * sizeof *film;
    float *d_frame;

    CUDA(cudaMalloc((void **)&d_frame, bytes));
    CUDA(cudaMemcpyToSymbol(frame, &d_frame, sizeof d_frame));
    for (int f = 0; f < s.frames; f++) {
        CUDA(cudaMemcpy(d_frame, film + (size_t)f * s.rows * s.columns, bytes,
                        cudaMemcpyHostToDevice));
        CUDA(cudaMemcpyToSymbol(frame_number, &f, sizeof f));
        heartwall_track<<<s.points, BLOCK>>>();
        CUDA_LAUNCHED();
    }
    CUDA(cudaFree(d_frame));
}

static void track_gpu(struct sizes s, const float *film, const int *place, struct outcome o)
{
    size_t n_track = 2 * s.frames, n_sample = square(s.template_side),
           n_result = square(s.result_side);
    int *d_place = (int *)workload_upload(place, 2 * s.points * sizeof *place), *d_track;
    struct point d[INNER + OUTER];
    float *d_floats;

    CUDA(cudaMalloc((void **)&d_track, s.points * n_track * sizeof *d_track));
    CUDA(cudaMalloc((void **)&d_floats, s.points * n_float(s) * sizeof *d_floats));
    for (int p = 0; p < s.points; p++)
        d[p] = point_of(s, d_place + 2 * p, d_track + p * n_track, d_floats + p * n_float(s));
    CUDA(cudaMemcpyToSymbol(sizes, &s, sizeof s));
    CUDA(cudaMemcpyToSymbol(points, d, s.points * sizeof *d));
    film_gpu(s, film);
    CUDA(
        cudaMemcpy(o.track, d_track, s.points * n_track * sizeof *d_track, cudaMemcpyDeviceToHost));
    for (int p = 0; p < s.points; p++) {
        CUDA(cudaMemcpy(o.sample + p * n_sample, d[p].sample, n_sample * sizeof(float),
                        cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(o.result + p * n_result, d[p].result, n_result * sizeof(float),
                        cudaMemcpyDeviceToHost));
    }
    CUDA(cudaFree(d_place));
    CUDA(cudaFree(d_track));
    CUDA(cudaFree(d_floats));
}

/* The correlation of a template with what lies under it at a place; outside of the area is zero. */
static double correlation_cpu(struct sizes s, const float *image, const int *area,
                              const double *sample, int row, int column)
{
    double t = 0, t2 = 0, x = 0, x2 = 0, tx = 0, n = (double)square(s.template_side);

    for (int i = -s.radius; i <= s.radius; i++)
        for (int j = -s.radius; j <= s.radius; j++) {
            bool inside = abs(row + i - area[0]) <= s.reach && abs(column + j - area[1]) <= s.reach;
            double v = inside ? image[(row + i) * s.columns + column + j] : 0;
            double u = sample[(i + s.radius) * s.template_side + j + s.radius];

            t += u;
            t2 += u * u;
            x += v;
            x2 += v * v;
            tx += u * v;
        }
    return (tx - t * x / n) / sqrt((t2 - t * t / n) * (x2 - x * x / n));
}

/* The next place of a point, near the last one; only there is the result not zero. */
static void frame_cpu(struct sizes s, const float *image, const int *area, const double *sample,
                      const int *last, int *next, float *result)
{
    int middle = s.radius + s.reach;
    double best = 0;

    memset(result, 0, square(s.result_side) * sizeof *result);
    for (int row = last[0] - s.move; row <= last[0] + s.move; row++)
        for (int column = last[1] - s.move; column <= last[1] + s.move; column++) {
            int i = row - area[0] + middle, j = column - area[1] + middle;
            double c = correlation_cpu(s, image, area, sample, row, column);

            result[i * s.result_side + j] = (float)c;
            if (c > best) {
                best = c;
                next[0] = row;
                next[1] = column;
            }
        }
}

/* Adds a part of the picture at a place to a part of the template. */
static void mix_cpu(struct sizes s, const float *image, const int *place, double keep,
                    double *sample)
{
    for (int e = 0; e < (int)square(s.template_side); e++) {
        int row = place[0] - s.radius + e / s.template_side;
        int column = place[1] - s.radius + e % s.template_side;

        sample[e] = keep * sample[e] + (1 - keep) * image[row * s.columns + column];
    }
}

/* The reference: point by point. */
static void point_cpu(struct sizes s, const float *film, const int *place, int *track,
                      double *sample, float *result)
{
    int area[2] = {place[0], place[1]};

    mix_cpu(s, film, place, 0, sample);
    memcpy(track, place, sizeof area);
    for (int f = 1; f < s.frames; f++) {
        const float *image = film + (size_t)f * s.rows * s.columns;
        int *next = track + 2 * f;

        frame_cpu(s, image, area, sample, next - 2, next, result);
        if (f % BATCH == 1) {
            mix_cpu(s, image, next, (double)KEEP, sample);
            memcpy(area, next, sizeof area);
        }
    }
}

static void track_cpu(struct sizes s, const float *film, const int *place, struct outcome o)
{
    size_t n_sample = square(s.template_side);
    double *sample = (double *)workload_alloc(n_sample * sizeof *sample);

    for (int p = 0; p < s.points; p++) {
        point_cpu(s, film, place + 2 * p, o.track + 2 * s.frames * p, sample,
                  o.result + p * square(s.result_side));
        for (size_t e = 0; e < n_sample; e++)
            o.sample[p * n_sample + e] = (float)sample[e];
    }
    free(sample);
}

/* ---- the film */

/* Speckles of 2 x 2 pixels, seen through a window that jumps a little, with noise. */
static float *film_make(struct workload *w, struct sizes s)
{
    int jump = s.move / 2, rows = s.rows + 2 * jump, columns = s.columns + 2 * jump;
    float *speckle = (float *)workload_alloc((size_t)rows * columns * sizeof *speckle);
    float *film = (float *)workload_alloc((size_t)s.frames * s.rows * s.columns * sizeof *film);
    float *to = film;

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            speckle[i * columns + j] = i % 2   ? speckle[(i - 1) * columns + j]
                                       : j % 2 ? speckle[i * columns + j - 1]
                                               : (float)workload_below(w, 56);
    for (int f = 0; f < s.frames; f++) {
        int down = (int)workload_below(w, 2 * jump + 1),
            right = (int)workload_below(w, 2 * jump + 1);

        for (int i = 0; i < s.rows; i++)
            for (int j = 0; j < s.columns; j++)
                *to++ = speckle[(i + down) * columns + j + right] + (float)workload_below(w, 8);
    }
    free(speckle);
    return film;
}

/* The points are on two ellipses. */
static void places_make(struct sizes s, int *place)
{
    for (int p = 0; p < s.points; p++) {
        bool inner = p < s.inner;
        double angle = 6.283185307 *
                       (inner ? (double)p / s.inner : (double)(p - s.inner) / (s.points - s.inner));
        double part = inner ? 0.25 : 0.36;

        place[2 * p] = (int)(s.rows * (0.5 + part * sin(angle)));
        place[2 * p + 1] = (int)(s.columns * (0.5 + part * cos(angle)));
    }
}

static struct sizes sizes_of(int radius, int frames)
{
    struct sizes s;

    s.rows = radius * 656 / LARGE;
    s.columns = radius * 744 / LARGE;
    s.radius = radius;
    s.move = radius * 2 / 5 > 2 ? radius * 2 / 5 : 2;
    s.reach = radius * 8 / 5 > radius + s.move ? radius * 8 / 5 : radius + s.move;
    s.template_side = 2 * radius + 1;
    s.area_side = 2 * s.reach + 1;
    s.result_side = s.area_side + s.template_side - 1;
    s.padded_side = s.area_side + 2 * s.template_side;
    s.frames = frames >= 2 ? frames : radius * 4 / 5 > 2 ? radius * 4 / 5 : 2;
    s.inner = radius < 5 ? radius * INNER / 5 : INNER;
    s.points = s.inner + (radius < 5 ? radius * OUTER / 5 : OUTER);
    return s;
}

static struct outcome outcome_make(struct sizes s)
{
    struct outcome o = {(int *)workload_alloc(s.points * 2 * s.frames * sizeof(int)),
                        (float *)workload_alloc(s.points * square(s.template_side) * sizeof(float)),
                        (float *)workload_alloc(s.points * square(s.result_side) * sizeof(float))};

    return o;
}

static void outcome_free(struct outcome o)
{
    free(o.track);
    free(o.sample);
    free(o.result);
}

/*
 * A mixed template's sums are rounded once per term, and are several times as large as what is left
 * of them in the correlation.
 */
static void compare(struct workload *w, struct sizes s, struct outcome got, struct outcome want)
{
    const float unit = 1.0f / (1 << 24);
    size_t n = square(s.template_side);

    workload_compare_i32(w, "track", got.track, want.track, (size_t)s.points * s.frames * 2);
    workload_compare_f32(w, "template", got.sample, want.sample, s.points * n, 1e-6f);
    workload_compare_f32(w, "correlation", got.result, want.result,
                         s.points * square(s.result_side), 8 * unit * (float)n);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){.unit = "pixels from a template's middle to its border",
                               .usual = 6,
                               .large = LARGE,
                               .least = LEAST,
                               .most = LARGE,
                               .extra = {"--frames", "frames; 0: as many as go with the size", 0, 0, 20}});
    struct sizes s = sizes_of((int)w.size, (int)w.extra);
    float *film = film_make(&w, s);
    struct outcome got = outcome_make(s), want = outcome_make(s);
    int place[2 * (INNER + OUTER)];

    places_make(s, place);
    track_gpu(s, film, place, got);
    track_cpu(s, film, place, want);
    compare(&w, s, got, want);

    free(film);
    outcome_free(got);
    outcome_free(want);
    return workload_end(&w);
}
