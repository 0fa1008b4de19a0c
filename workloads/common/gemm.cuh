/*
 * gemm.cuh -- matrix multiplication for GPUs that give a thread 63 registers.
 *
 * A CTA of 128 threads makes a tile of 64 x 64 elements of C, a thread 8 x 4 of them in registers.
 * The CTA walks along the common dimension k in steps of 8; a step's pieces of A and B lie in
 * shared memory, twice: while one pair is multiplied, the next is on its way from memory into
 * registers, so that a step has one barrier and 256 multiply-adds without a branch.
 *
 * Where a piece comes from is up to two "loaders", which are all that the products of plain
 * matrices (below) and of images (conv.cuh) differ in:
 *
 *     fetch(more)   starts the loads of the next step, if there is one
 *     store(piece)  puts what they brought into piece[k][row], rows of A or columns of B
 *
 * Rows and columns are guarded at the edges of C; the common dimension is a whole number of steps,
 * filled up with 0, and pitches are multiples of 4.  wide.cuh is for GPUs with 255 registers.
 */
#ifndef COMMON_GEMM_CUH
#define COMMON_GEMM_CUH

enum {
    GEMM_TILE = 64, /* rows, and columns, of C of a CTA */
    GEMM_STEP = 8,
    GEMM_ROWS = 8, /* of C of a thread */
    GEMM_COLS = 4,
    GEMM_THREADS = GEMM_TILE * GEMM_TILE / (GEMM_ROWS * GEMM_COLS),
    GEMM_PITCH = GEMM_TILE + 4, /* so that storing a piece turned around has no bank conflicts */
    GEMM_PIECE = GEMM_STEP * GEMM_PITCH,
};

/* What a kernel of plain matrices is asked for: C, [m][c_pitch], in one part or more. */
struct gemm_shape {
    int m, n;
    int a_pitch, b_pitch, c_pitch;
    int n_step, steps; /* of all of k, and of one part: that of blockIdx.z */
};

/* The steps of a CTA: those of the last part may be fewer. */
static __device__ __forceinline__ int gemm_steps(struct gemm_shape s)
{
    int left = s.n_step - (int)blockIdx.z * s.steps;

    return left < s.steps ? left : s.steps;
}

/* A load by the read-only path if `inside`, else 0: by a predicate, so that there is no branch. */
static __device__ __forceinline__ float gemm_load(const float *from, unsigned inside)
{
    float v = 0;

    asm volatile("{ .reg .pred inside;\n"
                 "setp.ne.u32 inside, %2, 0;\n"
                 "@inside ld.global.nc.f32 %0, [%1]; }"
                 : "+f"(v)
                 : "l"(from), "r"(inside));
    return v;
}

static __device__ __forceinline__ float4 gemm_load4(const float *from, unsigned inside)
{
    float4 v = make_float4(0, 0, 0, 0);

    asm volatile("{ .reg .pred inside;\n"
                 "setp.ne.u32 inside, %5, 0;\n"
                 "@inside ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4]; }"
                 : "+f"(v.x), "+f"(v.y), "+f"(v.z), "+f"(v.w)
                 : "l"(from), "r"(inside));
    return v;
}

/*
 * A thread's first row and column in the tile.  A warp has 32 x 32 of them, 4 x 8 threads, so that
 * its 16-byte reads of a piece lie in different banks.
 */
static __device__ __forceinline__ int gemm_row(void)
{
    return threadIdx.x / 64 * 32 + threadIdx.x % 32 / 8 * GEMM_ROWS;
}

static __device__ __forceinline__ int gemm_col(void)
{
    return threadIdx.x / 32 % 2 * 32 + threadIdx.x % 8 * GEMM_COLS;
}

/* An operand with k as its slow dimension, A as [k][m] or B as [k][n]: copied as it is. */
struct gemm_straight {
    const float *from;
    float4 v;
    int pitch;

    /* Rows of A (columns of B) from `row` on, k from `k` on; past `n_row`, any: none is written. */
    __device__ __forceinline__ gemm_straight(const float *matrix, int pitch, int row, int n_row,
                                             int k)
        : pitch(pitch)
    {
        row += threadIdx.x % 16 * 4;
        k += threadIdx.x / 16;
        from = matrix + (size_t)k * pitch + (row < n_row ? row : 0);
    }
    __device__ __forceinline__ void fetch(bool more)
    {
        v = gemm_load4(from, more);
        from += GEMM_STEP * pitch;
    }
    __device__ __forceinline__ void store(float *piece) const
    {
        *(float4 *)&piece[threadIdx.x / 16 * GEMM_PITCH + threadIdx.x % 16 * 4] = v;
    }
};

/* An operand with k as its fast dimension, A as [m][k] or B as [n][k]: turned around. */
struct gemm_turned {
    const float *from;
    float4 v;

    __device__ __forceinline__ gemm_turned(const float *matrix, int pitch, int row, int n_row,
                                           int k)
    {
        row += threadIdx.x / 2;
        k += threadIdx.x % 2 * 4;
        from = matrix + (size_t)(row < n_row ? row : 0) * pitch + k;
    }
    __device__ __forceinline__ void fetch(bool more)
    {
        v = gemm_load4(from, more);
        from += GEMM_STEP;
    }
    __device__ __forceinline__ void store(float *piece) const
    {
        float *at = &piece[threadIdx.x % 2 * 4 * GEMM_PITCH + threadIdx.x / 2];

        at[0 * GEMM_PITCH] = v.x;
        at[1 * GEMM_PITCH] = v.y;
        at[2 * GEMM_PITCH] = v.z;
        at[3 * GEMM_PITCH] = v.w;
    }
};

/* One step, from a thread's rows of A's piece and columns of B's: nothing but reads and FMAs. */
static __device__ __forceinline__ void gemm_step(const float *a, const float *b,
                                                 float sum[GEMM_ROWS][GEMM_COLS])
{
#pragma unroll
    for (int k = 0; k < GEMM_STEP; k++) {
        float4 low = *(const float4 *)&a[k * GEMM_PITCH];
        float4 high = *(const float4 *)&a[k * GEMM_PITCH + 4];
        float4 right = *(const float4 *)&b[k * GEMM_PITCH];
        float x[GEMM_ROWS] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
        float y[GEMM_COLS] = {right.x, right.y, right.z, right.w};

#pragma unroll
        for (int i = 0; i < GEMM_ROWS; i++)
#pragma unroll
            for (int j = 0; j < GEMM_COLS; j++)
                sum[i][j] += x[i] * y[j];
    }
}

/* Steps use the halves of the shared memory in turn; this one has `left` to go. */
static __device__ __forceinline__ unsigned gemm_half(int left)
{
    return (left & 1) * (2u * GEMM_PIECE);
}

/* A thread's elements of the tile: `n_step` steps of what the loaders bring. */
template <class A, class B>
static __device__ __forceinline__ void gemm_multiply(A a, B b, int n_step,
                                                     float sum[GEMM_ROWS][GEMM_COLS])
{
    __shared__ __align__(16) float tile[4 * GEMM_PIECE]; /* A's and B's, twice */

#pragma unroll
    for (int i = 0; i < GEMM_ROWS * GEMM_COLS; i++)
        sum[i / GEMM_COLS][i % GEMM_COLS] = 0;
    a.fetch(true);
    b.fetch(true);
    a.store(tile + gemm_half(n_step));
    b.store(tile + gemm_half(n_step) + GEMM_PIECE);
    __syncthreads();
    do {
        const float *now = tile + gemm_half(n_step);
        float *next = tile + gemm_half(--n_step);

        a.fetch(n_step > 0);
        b.fetch(n_step > 0);
        gemm_step(now + gemm_row(), now + GEMM_PIECE + gemm_col(), sum);
        a.store(next);
        b.store(next + GEMM_PIECE);
        __syncthreads();
    } while (n_step > 0);
}

/* Writes a thread's elements of C, whose rows are [pitch]; `c` is at its first column. */
static __device__ __forceinline__ void gemm_write_rows(float *c, int pitch, int row, int m,
                                                       const float sum[GEMM_ROWS][GEMM_COLS])
{
    row += gemm_row();
#pragma unroll
    for (int i = 0; i < GEMM_ROWS; i++)
        if (row + i < m)
            *(float4 *)&c[(size_t)(row + i) * pitch] =
                make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

/* The same for a tile at `row` and `col`; the pitch is a multiple of 4. */
static __device__ __forceinline__ void gemm_write(float *c, int pitch, int row, int col, int m,
                                                  int n, const float sum[GEMM_ROWS][GEMM_COLS])
{
    col += gemm_col();
    if (col < n)
        gemm_write_rows(c + col, pitch, row, m, sum);
}

/* C = A B, for the operands' loaders; a CTA's tile and its part of the sum. */
template <class A, class B>
static __device__ __forceinline__ void gemm_product(const float *a, const float *b, float *c,
                                                    struct gemm_shape s)
{
    int row = blockIdx.y * GEMM_TILE, col = blockIdx.x * GEMM_TILE;
    int k = blockIdx.z * s.steps * GEMM_STEP;
    float sum[GEMM_ROWS][GEMM_COLS];

    gemm_multiply(A(a, s.a_pitch, row, s.m, k), B(b, s.b_pitch, col, s.n, k), gemm_steps(s), sum);
    gemm_write(c + (size_t)blockIdx.z * s.m * s.c_pitch, s.c_pitch, row, col, s.m, s.n, sum);
}

#endif
