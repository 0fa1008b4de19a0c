/*
 * nw -- global alignment of two sequences by dynamic programming (Needleman and Wunsch)
 *
 * suite: Rodinia
 * stresses: half-empty warps, shared memory, barriers, little parallelism, many short launches
 * papers: gates
 * kernels: nw_upper_left, nw_lower_right
 * size: 1024 letters
 * large: 2048 letters
 * odd: 176
 * tiny: 48
 * mix: 160
 * time: 4.3 s
 *
 * score[i][j] is the best score of the first i letters of one sequence against the first j of the
 * other: the largest of score[i-1][j-1] + similarity[i][j] and, for a gap, score[i-1][j] - GAP and
 * score[i][j-1] - GAP.  The matrix is cut into tiles of 16 x 16; the tiles of a diagonal do not
 * depend on each other and are one launch, a block of 16 threads per tile.  A block sweeps over the
 * diagonals of its tile in shared memory.  nw_upper_left does the diagonals of tiles that grow,
 * nw_lower_right those that shrink.  As in the original, the similarity of every pair of letters is
 * spread out into a matrix of its own first, and blocks, grids and launches are the original's.
 *
 * Scores are integers and are compared one by one.
 */
#include "workload.h"

enum {
    TILE = 16,
    LETTERS = 24, /* of the alphabet: amino acids and what stands for several of them */
    GAP = 10,
};

/* One cell of a tile from its three neighbours; `pair` has no border. */
static __device__ void cell_score(int s[TILE + 1][TILE + 1], int pair[TILE][TILE], int x, int y,
                                  int gap)
{
    int match = s[y - 1][x - 1] + pair[y - 1][x - 1];

    s[y][x] = max(max(match, s[y][x - 1] - gap), s[y - 1][x] - gap);
}

/* The tile (tile_x, tile_y).  Row and column 0 of both matrices are borders. */
static __device__ __forceinline__ void tile_score(const int *similarity, int *score, int width,
                                                  int gap, int tile_x, int tile_y)
{
    __shared__ int s[TILE + 1][TILE + 1], pair[TILE][TILE];
    int t = threadIdx.x;
    int corner = width * TILE * tile_y + TILE * tile_x; /* above and left of the tile */
    int inside = corner + t + width + 1, above = corner + t + 1, left = corner + width;

    if (t == 0)
        s[0][0] = score[corner];
    for (int y = 0; y < TILE; y++)
        pair[y][t] = similarity[inside + width * y];
    __syncthreads();
    s[t + 1][0] = score[left + width * t];
    __syncthreads();
    s[0][t + 1] = score[above];
    __syncthreads();

    /* Always the first threads work: a diagonal's cells from its lower left end to the right. */
    for (int last = 0; last < TILE; last++) {
        if (t <= last)
            cell_score(s, pair, t + 1, last - t + 1, gap);
        __syncthreads();
    }
    for (int last = TILE - 2; last >= 0; last--) {
        if (t <= last)
            cell_score(s, pair, TILE - last + t, TILE - t, gap);
        __syncthreads();
    }
    for (int y = 0; y < TILE; y++)
        score[inside + width * y] = s[y + 1][t + 1];
}

/* A diagonal of gridDim.x tiles, of those from the first tile to the longest diagonal. */
__global__ void nw_upper_left(const int *similarity, int *score, int width, int gap)
{
    tile_score(similarity, score, width, gap, blockIdx.x, gridDim.x - 1 - blockIdx.x);
}

/* A diagonal after the longest; `side` tiles are in a row of the matrix. */
__global__ void nw_lower_right(const int *similarity, int *score, int width, int gap, int side)
{
    tile_score(similarity, score, width, gap, side - gridDim.x + blockIdx.x, side - 1 - blockIdx.x);
}

static void align_gpu(const int *similarity, int *score, int n)
{
    int width = n + 1, side = n / TILE;
    size_t bytes = (size_t)width * width * sizeof *score;
    int *d_similarity = (int *)workload_upload(similarity, bytes);
    int *d_score = (int *)workload_upload(score, bytes);

    for (int tiles = 1; tiles <= side; tiles++) {
        nw_upper_left<<<tiles, TILE>>>(d_similarity, d_score, width, GAP);
        CUDA_LAUNCHED();
    }
    for (int tiles = side - 1; tiles > 0; tiles--) {
        nw_lower_right<<<tiles, TILE>>>(d_similarity, d_score, width, GAP, side);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(score, d_score, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_similarity));
    CUDA(cudaFree(d_score));
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void align_cpu(const int *similarity, int *score, int n)
{
    int width = n + 1;

    for (int y = 1; y <= n; y++)
        for (int x = 1; x <= n; x++) {
            int at = y * width + x;

            score[at] = larger(score[at - width - 1] + similarity[at],
                               larger(score[at - 1], score[at - width]) - GAP);
        }
}

/* How well letters go together: equal ones well, some others a little, most of them badly. */
static void substitution_make(struct workload *w, int substitution[LETTERS][LETTERS])
{
    for (int a = 0; a < LETTERS; a++)
        for (int b = 0; b <= a; b++)
            substitution[a][b] = substitution[b][a] =
                a == b ? 4 + (int)workload_below(w, 8) : (int)workload_below(w, 8) - 4;
}

/* Two sequences, of which the second is the first one with errors; what every pair of letters is
 * worth, and the borders of the scores: gaps only. */
static void input_make(struct workload *w, int *similarity, int *score, int n)
{
    int substitution[LETTERS][LETTERS], width = n + 1;
    int *a = (int *)workload_alloc(n * sizeof *a), *b = (int *)workload_alloc(n * sizeof *b);

    substitution_make(w, substitution);
    for (int i = 0; i < n; i++)
        a[i] = workload_below(w, LETTERS);
    for (int i = 0, from = 0; i < n; i++, from++) {
        from += workload_below(w, 32) == 0; /* a letter left out */
        b[i] = workload_below(w, 4) ? a[from % n] : (int)workload_below(w, LETTERS);
    }
    for (int i = 0; i <= n; i++) {
        score[i * width] = score[i] = -i * GAP;
        for (int j = 1; i > 0 && j <= n; j++)
            similarity[i * width + j] = substitution[a[i - 1]][b[j - 1]];
    }
    free(a);
    free(b);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(argc, argv,
                                       (struct workload_size){.unit = "letters",
                                                              .usual = 1024,
                                                              .large = 2048,
                                                              .least = TILE,
                                                              .most = 16384,
                                                              .multiple = TILE});
    int n = (int)w.size;
    size_t n_score = (size_t)(n + 1) * (n + 1);
    int *similarity = (int *)workload_alloc(n_score * sizeof *similarity);
    int *got = (int *)workload_alloc(n_score * sizeof *got);
    int *want = (int *)workload_alloc(n_score * sizeof *want);

    input_make(&w, similarity, got, n);
    memcpy(want, got, n_score * sizeof *want);
    align_gpu(similarity, got, n);
    align_cpu(similarity, want, n);
    workload_compare_i32(&w, "score", got, want, n_score);

    free(similarity);
    free(got);
    free(want);
    return workload_end(&w);
}
