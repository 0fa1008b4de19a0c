/*
 * similarity -- how similar documents are to each other: the cosines between their vectors
 *
 * suite: Mars
 * stresses: shared memory, fused multiply-add, loads that do not coalesce, square roots
 * papers: none
 * kernels: similarity_norm, similarity_score
 * size: 1024 documents
 * large: 2048 documents
 * odd: 129
 * tiny: 33
 * time: 8.6 s
 *
 * Map in two steps.  similarity_norm, a thread per document, computes the length of its vector of
 * 128 features, reading along it while neighbours read a vector apart.  similarity_score, a thread
 * per pair and a block per 16 x 16 pairs, multiplies the vectors tile by tile through shared memory
 * and divides by both lengths.  Scores are symmetric: blocks below the diagonal end at once.  A
 * task emits exactly one score, so that nothing is counted before, and nothing is reduced.
 *
 * Features are whole numbers below 16, so products are exact; roots and quotient round four times.
 */
#include "workload.h"

enum {
    FEATURES = 128,
    TILE = 16,
    BLOCK = 256, /* of similarity_norm */
};

__global__ void similarity_norm(const float *vector, float *norm, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    if (i >= n)
        return;
    for (int f = 0; f < FEATURES; f++)
        sum += vector[i * FEATURES + f] * vector[i * FEATURES + f];
    norm[i] = sqrtf(sum);
}

/* score[row][column] of all tiles on the diagonal and above it. */
__global__ void similarity_score(const float *vector, const float *norm, float *score, int n)
{
    __shared__ float of_row[TILE][TILE], of_column[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    int column_loaded = blockIdx.x * TILE + y;
    float sum = 0;

    if (blockIdx.x < blockIdx.y)
        return;
    for (int f = 0; f < FEATURES; f += TILE) {
        of_row[y][x] = row < n ? vector[row * FEATURES + f + x] : 0;
        of_column[y][x] = column_loaded < n ? vector[column_loaded * FEATURES + f + x] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += of_row[y][k] * of_column[x][k];
        __syncthreads();
    }
    if (row < n && column < n)
        score[(size_t)row * n + column] = sum / (norm[row] * norm[column]);
}

static void score_gpu(const float *vector, float *score, int n)
{
    size_t bytes = (size_t)n * n * sizeof *score;
    float *d_vector = (float *)workload_upload(vector, (size_t)n * FEATURES * sizeof *vector);
    float *d_norm, *d_score;
    int tiles = (n + TILE - 1) / TILE;

    CUDA(cudaMalloc((void **)&d_norm, n * sizeof *d_norm));
    CUDA(cudaMalloc((void **)&d_score, bytes));
    CUDA(cudaMemset(d_score, 0, bytes));
    similarity_norm<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_vector, d_norm, n);
    CUDA_LAUNCHED();
    similarity_score<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(d_vector, d_norm, d_score, n);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(score, d_score, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_vector));
    CUDA(cudaFree(d_norm));
    CUDA(cudaFree(d_score));
}

static int dot_cpu(const float *a, const float *b)
{
    int sum = 0;

    for (int f = 0; f < FEATURES; f++)
        sum += (int)a[f] * (int)b[f];
    return sum;
}

/* The reference: pair by pair, in integers but for the cosine. */
static void score_cpu(const float *vector, float *score, int n)
{
    double *norm = (double *)workload_alloc(n * sizeof *norm);

    for (int i = 0; i < n; i++)
        norm[i] = sqrt(dot_cpu(vector + (size_t)i * FEATURES, vector + (size_t)i * FEATURES));
    for (int i = 0; i < n; i++)
        for (int j = i / TILE * TILE; j < n; j++) {
            const float *a = vector + (size_t)i * FEATURES, *b = vector + (size_t)j * FEATURES;

            score[(size_t)i * n + j] = (float)(dot_cpu(a, b) / (norm[i] * norm[j]));
        }
    free(norm);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "documents", .usual = 1024, .large = 2048, .least = 1, .most = 1 << 13});
    int n = (int)w.size;
    size_t n_score = (size_t)n * n;
    float *vector = (float *)workload_alloc((size_t)n * FEATURES * sizeof *vector);
    float *got = (float *)workload_alloc(n_score * sizeof *got);
    float *want = (float *)workload_alloc(n_score * sizeof *want);

    for (int i = 0; i < n * FEATURES; i++) /* one is 1 at least, as there is no cosine with 0 */
        vector[i] = (float)(i % FEATURES ? workload_below(&w, 16) : 1 + workload_below(&w, 15));
    score_gpu(vector, got, n);
    score_cpu(vector, want, n);
    workload_compare_f32(&w, "score", got, want, n_score, 1e-6f);

    free(vector);
    free(got);
    free(want);
    return workload_end(&w);
}
