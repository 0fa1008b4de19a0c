/*
 * wide.cuh -- matrix multiplication for GPUs that give a thread 255 registers.
 *
 * Built as libraries build it for Maxwell and Pascal: a thread makes 8 x 8 elements of C, a CTA a
 * tile of M x N (128 x 128, 64 x 128, 64 x 64 or 32 x 128; the names of cuBLAS's kernels,
 * maxwell_sgemm_128x64_nn and so on, put the columns first).  A CTA walks along the common
 * dimension k in steps of 8 and is double buffered twice: while a step's pieces of A and B are
 * multiplied, those of the next are on their way from memory into registers, and at the end of the
 * step into the other half of the shared memory; and within a step, while 64 multiply-adds use one
 * column of A and row of B, the next are read into a second set of registers.  The barrier stands
 * before the last 64, so that they cover the first reads of the next step.
 *
 * Pieces are [k][row], without padding: two CTAs of 128 x 128 share 32 KB.  A warp has 4 x 8
 * threads and 32 x 64 elements; a thread's 8 rows are 2 groups of 4, 16 apart, its columns 2
 * groups, 32 apart, so that the 16-byte reads of a warp lie in different banks.
 *
 * Where a piece comes from is up to two "loaders", as in gemm.cuh, which is the same for GPUs with
 * 63 registers:
 *
 *     fetch(more)   starts the loads of the next step, if there is one
 *     store(piece)  puts what they brought into piece[k][row], rows of A or columns of B; if
 *                   SWAPPED, the latter half of k with bit 4 of the row flipped
 *
 * Rows and columns are guarded at the edges of C; the common dimension is a whole number of steps,
 * filled up with 0, and pitches are multiples of 4.
 */
#ifndef COMMON_WIDE_CUH
#define COMMON_WIDE_CUH

#include "common/gemm.cuh"

enum {
    WIDE_STEP = GEMM_STEP,
    WIDE_SIDE = 8, /* rows, and columns, of C of a thread: two groups of four */
    WIDE_ROW_GROUP = 16,
    WIDE_COL_GROUP = 32,
};

template <int M, int N> struct wide_tile {
    enum { THREADS = M * N / (WIDE_SIDE * WIDE_SIDE) };

    static __device__ __forceinline__ int row(void)
    {
        return threadIdx.x / 32 / (N / 64) * 32 + threadIdx.x % 32 / 8 * 4;
    }
    static __device__ __forceinline__ int col(void)
    {
        return threadIdx.x / 32 % (N / 64) * 64 + threadIdx.x % 8 * 4;
    }
};

/* An operand with k as its slow dimension, A as [k][m] or B as [k][n]: copied as it is. */
template <int SIDE, int THREADS> struct wide_straight {
    enum {
        SWAPPED = 0,
        COUNT = SIDE * WIDE_STEP / 4 / THREADS,
        ROWS = THREADS * 4 / SIDE, /* of k that all threads load together */
    };
    const float *from;
    float4 v[COUNT];
    int pitch;
    bool inside;

    /* Rows of A (columns of B) from `row` on, k from `k` on; n_row is a multiple of 4. */
    __device__ __forceinline__ wide_straight(const float *matrix, int pitch, int row, int n_row,
                                             int k)
        : pitch(pitch)
    {
        row += threadIdx.x % (SIDE / 4) * 4;
        k += threadIdx.x / (SIDE / 4);
        inside = row < n_row;
        from = matrix + (size_t)k * pitch + row;
    }
    __device__ __forceinline__ void fetch(bool more)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            v[i] = gemm_load4(from + i * ROWS * pitch, more && inside);
        from += WIDE_STEP * pitch;
    }
    __device__ __forceinline__ void store(float *piece) const
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            *(float4 *)&piece[(threadIdx.x + i * THREADS) * 4] = v[i];
    }
};

/* An operand with k as its fast dimension, A as [m][k] or B as [n][k]: turned around. */
template <int SIDE, int THREADS> struct wide_turned {
    enum {
        SWAPPED = 1, /* the two halves of k that neighbouring threads bring are in other banks */
        COUNT = SIDE * WIDE_STEP / 4 / THREADS,
        ROWS = THREADS / 2,
    };
    const float *from;
    float4 v[COUNT];
    int pitch;
    int left; /* rows from the thread's first on */

    __device__ __forceinline__ wide_turned(const float *matrix, int pitch, int row, int n_row,
                                           int k)
        : pitch(pitch)
    {
        row += threadIdx.x / 2;
        left = n_row - row;
        from = matrix + (size_t)row * pitch + k + threadIdx.x % 2 * 4;
    }
    __device__ __forceinline__ void fetch(bool more)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            v[i] = gemm_load4(from + i * ROWS * pitch, more && i * ROWS < left);
        from += WIDE_STEP;
    }
    __device__ __forceinline__ void store(float *piece) const
    {
        unsigned half = threadIdx.x % 2;
        float *at = &piece[half * (4 * SIDE) + (threadIdx.x / 2 ^ half * 16)];

#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            at[0 * SIDE + i * ROWS] = v[i].x;
            at[1 * SIDE + i * ROWS] = v[i].y;
            at[2 * SIDE + i * ROWS] = v[i].z;
            at[3 * SIDE + i * ROWS] = v[i].w;
        }
    }
};

/* What a thread needs of a piece for one k: two groups of four. */
struct wide_part {
    float v[WIDE_SIDE];

    __device__ __forceinline__ void read(const float *first, const float *second)
    {
        float4 low = *(const float4 *)first, high = *(const float4 *)second;

        v[0] = low.x, v[1] = low.y, v[2] = low.z, v[3] = low.w;
        v[4] = high.x, v[5] = high.y, v[6] = high.z, v[7] = high.w;
    }
};

static __device__ __forceinline__ void wide_multiply_add(const struct wide_part &a,
                                                         const struct wide_part &b,
                                                         float sum[WIDE_SIDE][WIDE_SIDE])
{
#pragma unroll
    for (int i = 0; i < WIDE_SIDE; i++)
#pragma unroll
        for (int j = 0; j < WIDE_SIDE; j++)
            sum[i][j] += a.v[i] * b.v[j];
}

/* A thread's rows of A's piece, [k][M]; a flipped bit 4 exchanges its two groups. */
template <int M, int SWAPPED>
static __device__ __forceinline__ void wide_read_a(struct wide_part &to, const float *piece, int k)
{
    int flip = SWAPPED && k >= WIDE_STEP / 2 ? WIDE_ROW_GROUP : 0;

    to.read(piece + k * M + flip, piece + k * M + (WIDE_ROW_GROUP - flip));
}

/* And its columns of B's piece, [k][N], whose latter half it may find at `late`. */
template <int N, int SWAPPED>
static __device__ __forceinline__ void wide_read_b(struct wide_part &to, const float *piece,
                                                   const float *late, int k)
{
    const float *at = (SWAPPED && k >= WIDE_STEP / 2 ? late : piece) + k * N;

    to.read(at, at + WIDE_COL_GROUP);
}

/* A thread's elements of the tile: `n_step` steps of what the loaders bring. */
template <int M, int N, class A, class B>
static __device__ __forceinline__ void wide_multiply(A a, B b, int n_step,
                                                     float sum[WIDE_SIDE][WIDE_SIDE])
{
    enum { A_PIECE = WIDE_STEP * M, B_PIECE = WIDE_STEP * N };
    __shared__ __align__(16) float a_tile[2 * A_PIECE], b_tile[2 * B_PIECE];
    unsigned a_at = wide_tile<M, N>::row(), b_at = wide_tile<M, N>::col();
    unsigned a_next = A_PIECE, b_next = B_PIECE;
    struct wide_part x[2], y[2];

#pragma unroll
    for (int i = 0; i < WIDE_SIDE * WIDE_SIDE; i++)
        sum[i / WIDE_SIDE][i % WIDE_SIDE] = 0;
    a.fetch(true);
    b.fetch(true);
    a.store(a_tile);
    b.store(b_tile);
    __syncthreads();
    wide_read_a<M, A::SWAPPED>(x[0], a_tile + a_at, 0);
    wide_read_b<N, B::SWAPPED>(y[0], b_tile + b_at, b_tile + (b_at ^ 16), 0);
#pragma unroll 1
    do {
        n_step--;
        a.fetch(n_step > 0);
        b.fetch(n_step > 0);
#pragma unroll
        for (int k = 0; k < WIDE_STEP; k++) {
            if (k == WIDE_STEP - 1) {
                a.store(a_tile + a_next);
                b.store(b_tile + b_next);
                __syncthreads();
                a_at ^= A_PIECE, a_next ^= A_PIECE;
                b_at ^= B_PIECE, b_next ^= B_PIECE;
            }
            wide_read_a<M, A::SWAPPED>(x[(k + 1) % 2], a_tile + a_at, (k + 1) % WIDE_STEP);
            wide_read_b<N, B::SWAPPED>(y[(k + 1) % 2], b_tile + b_at, b_tile + (b_at ^ 16),
                                       (k + 1) % WIDE_STEP);
            wide_multiply_add(x[k % 2], y[k % 2], sum);
        }
    } while (n_step > 0);
}

/* Writes a thread's elements of C, whose rows are [pitch]; `c` is at the tile's first element. */
template <int M, int N>
static __device__ __forceinline__ void wide_write(float *c, int pitch, int m, int n,
                                                  const float sum[WIDE_SIDE][WIDE_SIDE])
{
    int row = wide_tile<M, N>::row(), col = wide_tile<M, N>::col();

#pragma unroll
    for (int i = 0; i < WIDE_SIDE; i++) {
        int r = row + i / 4 * WIDE_ROW_GROUP + i % 4;
        float *to = c + (size_t)r * pitch + col;

        if (r < m && col < n)
            *(float4 *)to = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
        if (r < m && col + WIDE_COL_GROUP < n)
            *(float4 *)(to + WIDE_COL_GROUP) =
                make_float4(sum[i][4], sum[i][5], sum[i][6], sum[i][7]);
    }
}

/* C = A B, for the operands' loaders; a CTA's tile and its part of the sum. */
template <int M, int N, class A, class B>
static __device__ __forceinline__ void wide_product(const float *a, const float *b, float *c,
                                                    struct gemm_shape s)
{
    int row = blockIdx.y * M, col = blockIdx.x * N, first = blockIdx.z * s.steps;
    float sum[WIDE_SIDE][WIDE_SIDE];

    wide_multiply<M, N>(A(a, s.a_pitch, row, s.m, first * WIDE_STEP),
                        B(b, s.b_pitch, col, s.n, first * WIDE_STEP), gemm_steps(s), sum);
    c += ((size_t)blockIdx.z * s.m + row) * s.c_pitch + col;
    wide_write<M, N>(c, s.c_pitch, s.m - row, s.n - col, sum);
}

/*
 * In the names of the BLAS, whose matrices are column by column and A the wide one: as rows, A of
 * NN and TN is [m][k], B of NN and NT [k][n], and A of NT is [k][m], B of TN [n][k].
 */
template <int M, int N>
static __device__ __forceinline__ void wide_nn(const float *a, const float *b, float *c,
                                               struct gemm_shape s)
{
    enum { THREADS = wide_tile<M, N>::THREADS };

    wide_product<M, N, wide_turned<M, THREADS>, wide_straight<N, THREADS>>(a, b, c, s);
}

template <int M, int N>
static __device__ __forceinline__ void wide_tn(const float *a, const float *b, float *c,
                                               struct gemm_shape s)
{
    enum { THREADS = wide_tile<M, N>::THREADS };

    wide_product<M, N, wide_turned<M, THREADS>, wide_turned<N, THREADS>>(a, b, c, s);
}

template <int M, int N>
static __device__ __forceinline__ void wide_nt(const float *a, const float *b, float *c,
                                               struct gemm_shape s)
{
    enum { THREADS = wide_tile<M, N>::THREADS };

    wide_product<M, N, wide_straight<M, THREADS>, wide_straight<N, THREADS>>(a, b, c, s);
}

#endif
