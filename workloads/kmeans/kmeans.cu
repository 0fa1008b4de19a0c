/*
 * kmeans -- groups points around the nearest of a few centres (Lloyd's algorithm)
 *
 * suite: Rodinia
 * stresses: texture fetches, constant memory, float arithmetic in long loops
 * papers: gates, share, socgpu, amoeba
 * kernels: kmeans_transpose, kmeans_assign
 * size: 32768 points
 * large: 494020 points
 * odd: 701
 * tiny: 301
 * mix: 2048
 * time: 11 s
 *
 * kmeans_transpose turns the points' features around, so that neighbouring threads read
 * neighbouring words.  Then, until no point changes its group or for ROUNDS rounds: kmeans_assign,
 * one thread per point, finds the nearest centre (features through a texture, centres from constant
 * memory), and the host moves each centre to the middle of its points.
 *
 * 34 features, 5 centres (the kernels learn both at run time), blocks of 256 threads and as many as
 * make a square, all as in Rodinia, whose kdd_cup input is `large`; it goes on until the centres
 * rest.
 *
 * Features are whole numbers below 64 and centres are kept to an eighth.  So every square distance
 * is a multiple of 1/64 below 2^18, exact in a float whatever the order of the sum, and a point
 * between two centres goes to the same one on every machine.
 */
#include "workload.h"
#include <float.h>

enum {
    FEATURES = 34,
    CENTRES = 5,
    BLOBS = 12, /* more than centres: points lie between them, and it takes a few rounds */
    ROUNDS = 3,
    BLOCK = 256,
};

static texture<float, 1, cudaReadModeElementType> feature_texture; /* [FEATURES][n_point] */
static __constant__ float constant_centre[CENTRES * FEATURES];

__global__ void kmeans_transpose(const float *in, float *out, int n_point, int n_feature)
{
    int point = blockIdx.x * blockDim.x + threadIdx.x;

    if (point >= n_point)
        return;
    for (int f = 0; f < n_feature; f++)
        out[f * n_point + point] = in[point * n_feature + f];
}

/* The square of the distance to the centre whose features begin at `base`. */
static __device__ float distance(unsigned point, int n_point, int n_feature, int base)
{
    float sum = 0;

    for (int f = 0; f < n_feature; f++) {
        float d = tex1Dfetch(feature_texture, point + f * n_point) - constant_centre[base + f];

        sum += d * d;
    }
    return sum;
}

__global__ void kmeans_assign(int *group, int n_point, int n_feature, int n_centre)
{
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    unsigned point = block * blockDim.x * blockDim.y + threadIdx.x;
    float best = FLT_MAX;
    int nearest = -1;

    if (point >= n_point)
        return;
    for (int c = 0; c < n_centre; c++) {
        float d = distance(point, n_point, n_feature, c * n_feature);

        if (d < best) {
            best = d;
            nearest = c;
        }
    }
    group[point] = nearest;
}

/* Blocks along each side of a square that has one for all points. */
static int grid_side(int n_point)
{
    int n_block = (n_point + BLOCK - 1) / BLOCK, side = 1;

    while (side * side < n_block)
        side++;
    return side;
}

/* Each centre to the mean of its points, rounded to an eighth; one without points stays. */
static void centres_move(const float *points, const int *group, int n_point, float *centre)
{
    long sum[CENTRES][FEATURES] = {{0}}, count[CENTRES] = {0};

    for (int i = 0; i < n_point; i++) {
        count[group[i]]++;
        for (int f = 0; f < FEATURES; f++)
            sum[group[i]][f] += (long)points[(size_t)i * FEATURES + f];
    }
    for (int c = 0; c < CENTRES; c++)
        for (int f = 0; f < FEATURES && count[c]; f++)
            centre[c * FEATURES + f] = (float)((sum[c][f] * 8 + count[c] / 2) / count[c]) / 8;
}

/* The first points are the first centres; if there are too few of them, some centres coincide. */
static void centres_begin(const float *points, int n_point, float *centre)
{
    for (int c = 0; c < CENTRES; c++)
        memcpy(centre + c * FEATURES, points + (size_t)(c % n_point) * FEATURES,
               FEATURES * sizeof *centre);
}

static void cluster_gpu(const float *points, int n_point, int *group, float *centre)
{
    const int side = grid_side(n_point);
    size_t bytes = (size_t)n_point * FEATURES * sizeof *points,
           group_bytes = n_point * sizeof *group;
    int *last = (int *)workload_alloc(group_bytes), *d_group;
    float *d_points = (float *)workload_upload(points, bytes), *d_features;

    CUDA(cudaMalloc((void **)&d_features, bytes));
    CUDA(cudaMalloc((void **)&d_group, group_bytes));
    kmeans_transpose<<<side * side, BLOCK>>>(d_points, d_features, n_point, FEATURES);
    CUDA_LAUNCHED();
    CUDA(cudaBindTexture(NULL, feature_texture, d_features, bytes));
    centres_begin(points, n_point, centre);
    memset(group, 0xff, group_bytes);
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(last, group, group_bytes);
        CUDA(cudaMemcpyToSymbol(constant_centre, centre, sizeof constant_centre));
        kmeans_assign<<<dim3(side, side), BLOCK>>>(d_group, n_point, FEATURES, CENTRES);
        CUDA_LAUNCHED();
        CUDA(cudaMemcpy(group, d_group, group_bytes, cudaMemcpyDeviceToHost));
        if (memcmp(last, group, group_bytes) == 0)
            break;
        centres_move(points, group, n_point, centre);
    }
    CUDA(cudaUnbindTexture(feature_texture));
    CUDA(cudaFree(d_points));
    CUDA(cudaFree(d_features));
    CUDA(cudaFree(d_group));
    free(last);
}

static int nearest_cpu(const float *point, const float *centre)
{
    double best = 0;
    int nearest = -1;

    for (int c = 0; c < CENTRES; c++) {
        double distance = 0;

        for (int f = 0; f < FEATURES; f++) {
            double d = (double)point[f] - centre[c * FEATURES + f];

            distance += d * d;
        }
        if (nearest < 0 || distance < best) {
            best = distance;
            nearest = c;
        }
    }
    return nearest;
}

static void cluster_cpu(const float *points, int n_point, int *group, float *centre)
{
    bool changed = true;

    centres_begin(points, n_point, centre);
    memset(group, 0xff, n_point * sizeof *group);
    for (int round = 0; round < ROUNDS; round++) {
        changed = false;
        for (int i = 0; i < n_point; i++) {
            int nearest = nearest_cpu(points + (size_t)i * FEATURES, centre);

            changed |= nearest != group[i];
            group[i] = nearest;
        }
        if (!changed)
            break;
        centres_move(points, group, n_point, centre);
    }
}

static void points_make(struct workload *w, float *points, int n_point)
{
    int middle[BLOBS][FEATURES];

    for (int i = 0; i < BLOBS * FEATURES; i++)
        middle[i / FEATURES][i % FEATURES] = workload_below(w, 32);
    for (int i = 0; i < n_point; i++) {
        const int *blob = middle[workload_below(w, BLOBS)];

        for (int f = 0; f < FEATURES; f++)
            points[(size_t)i * FEATURES + f] = (float)(blob[f] + (int)workload_below(w, 32));
    }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "points", .usual = 32768, .large = 494020, .least = 1, .most = 1 << 20});
    int n_point = (int)w.size;
    float *points = (float *)workload_alloc((size_t)n_point * FEATURES * sizeof *points);
    int *got = (int *)workload_alloc(n_point * sizeof *got);
    int *want = (int *)workload_alloc(n_point * sizeof *want);
    float got_centre[CENTRES * FEATURES], want_centre[CENTRES * FEATURES];

    points_make(&w, points, n_point);
    cluster_gpu(points, n_point, got, got_centre);
    cluster_cpu(points, n_point, want, want_centre);
    workload_compare_i32(&w, "group", got, want, n_point);
    workload_compare_f32(&w, "centre", got_centre, want_centre, CENTRES * FEATURES, 0);

    free(points);
    free(got);
    free(want);
    return workload_end(&w);
}
