// Products of matrices by warps, as programs for tensor cores have them: D = alpha A B + beta C of
// half and float, first with tiles in shared memory, then from global memory in all layouts.
// options: -arch=sm_70
// run: -g v100 --set gpu.n_sm=4
// timing
#include "check.h"
#include <mma.h>

using namespace nvcuda;

enum {
    N = 64,      /* of rows and columns of all matrices */
    T = 16,      /* .. of a warp's tile */
    WARPS = 2,   /* along each side of a CTA */
    SIDE = WARPS * T,
    DEPTH = 32,  /* of the tiles of A and B in shared memory */
    LINE = DEPTH + 8, /* their lines are longer, for the banks */
    THREADS = WARPS * WARPS * 32
};

typedef wmma::fragment<wmma::accumulator, T, T, T, float> sums;

/* Rows of C or D between global and shared memory, by all threads of a CTA, 16 bytes each. */
__device__ void copy_square(float *to, int to_line, const float *from, int from_line)
{
    for (int i = threadIdx.x; i < SIDE * SIDE / 4; i += THREADS) {
        int row = i / (SIDE / 4), at = i % (SIDE / 4) * 4;
        *(float4 *)(to + row * to_line + at) = *(const float4 *)(from + row * from_line + at);
    }
}

/* Eight elements of each of SIDE lines of A or B. */
__device__ void copy_lines(half to[SIDE][LINE], const half *from)
{
    for (int i = threadIdx.x; i < SIDE * DEPTH / 8; i += THREADS) {
        int line = i / (DEPTH / 8), at = i % (DEPTH / 8) * 8;
        *(int4 *)&to[line][at] = *(const int4 *)(from + line * N + at);
    }
}

/* A by rows, B by columns, C and D by rows. */
__global__ void tiled(const half *a, const half *b, const float *c, float *d, float alpha, float beta)
{
    __shared__ __align__(32) half as[SIDE][LINE], bs[SIDE][LINE];
    __shared__ __align__(32) float cs[SIDE][SIDE];
    int warp = threadIdx.x / 32, row = warp / WARPS * T, col = warp % WARPS * T;
    size_t corner = (size_t)blockIdx.y * SIDE * N + blockIdx.x * SIDE;
    sums sum;

    copy_square(&cs[0][0], SIDE, c + corner, N);
    __syncthreads();
    wmma::load_matrix_sync(sum, &cs[row][col], SIDE, wmma::mem_row_major);
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] *= beta / alpha;
    for (int k = 0; k < N; k += DEPTH) {
        __syncthreads();
        copy_lines(as, a + (size_t)blockIdx.y * SIDE * N + k);
        copy_lines(bs, b + (size_t)blockIdx.x * SIDE * N + k);
        __syncthreads();
#pragma unroll
        for (int step = 0; step < DEPTH; step += T) {
            wmma::fragment<wmma::matrix_a, T, T, T, half, wmma::row_major> fa;
            wmma::fragment<wmma::matrix_b, T, T, T, half, wmma::col_major> fb;
            wmma::load_matrix_sync(fa, &as[row][step], LINE);
            wmma::load_matrix_sync(fb, &bs[col][step], LINE);
            wmma::mma_sync(sum, fa, fb, sum);
        }
    }
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] *= alpha;
    wmma::store_matrix_sync(&cs[row][col], sum, SIDE, wmma::mem_row_major);
    __syncthreads();
    copy_square(d + corner, N, &cs[0][0], SIDE);
}

template <class Layout> __device__ const half *at(const half *p, int row, int col);
template <> __device__ const half *at<wmma::row_major>(const half *p, int row, int col)
{
    return p + row * N + col;
}
template <> __device__ const half *at<wmma::col_major>(const half *p, int row, int col)
{
    return p + col * N + row;
}

/* A warp's tile from beginning to end. */
template <class LA, class LB>
__global__ void simple(const half *a, const half *b, const float *c, float *d, float alpha, float beta,
                       wmma::layout_t layout)
{
    int col = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * T;
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * T;
    wmma::fragment<wmma::matrix_a, T, T, T, half, LA> fa;
    wmma::fragment<wmma::matrix_b, T, T, T, half, LB> fb;
    sums ab, old;

    wmma::fill_fragment(ab, 0.0f);
    for (int k = 0; k < N; k += T) {
        wmma::load_matrix_sync(fa, at<LA>(a, row, k), N);
        wmma::load_matrix_sync(fb, at<LB>(b, k, col), N);
        wmma::mma_sync(ab, fa, fb, ab);
    }
    int place = layout == wmma::mem_row_major ? row * N + col : col * N + row;
    wmma::load_matrix_sync(old, c + place, N, layout);
    for (int i = 0; i < old.num_elements; i++)
        old.x[i] = alpha * ab.x[i] + beta * old.x[i];
    wmma::store_matrix_sync(d + place, old, N, layout);
}

static half *a, *b;
static float *c, *d;
static const float alpha = 2, beta = 0.5f;

static float get(const half *p, int row, int col, bool by_columns)
{
    return __half2float(by_columns ? p[col * N + row] : p[row * N + col]);
}

/* Small numbers: all sums are exact.  D is cleared for the next. */
static void check(bool a_by_columns, bool b_by_columns, bool d_by_columns)
{
    finish_kernels();
    for (int row = 0; row < N; row++)
        for (int col = 0; col < N; col++) {
            int i = d_by_columns ? col * N + row : row * N + col;
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += get(a, row, k, a_by_columns) * get(b, k, col, b_by_columns);
            CHECK(d[i] == alpha * sum + beta * c[i]);
        }
    memset(d, 0, N * N * sizeof *d);
}

template <class LA, class LB> static void check_simple(bool a_by_columns, bool b_by_columns)
{
    dim3 block(64, 2), grid(N / (T * 2), N / (T * 2));
    simple<LA, LB><<<grid, block>>>(a, b, c, d, alpha, beta, wmma::mem_row_major);
    check(a_by_columns, b_by_columns, false);
    simple<LA, LB><<<grid, block>>>(a, b, c, d, alpha, beta, wmma::mem_col_major);
    check(a_by_columns, b_by_columns, true);
}

int main()
{
    a = shared_array<half>(N * N), b = shared_array<half>(N * N);
    c = shared_array<float>(N * N), d = shared_array<float>(N * N);
    for (int i = 0; i < N * N; i++) {
        a[i] = __float2half((i * 7 % 13 - 6) * 0.5f);
        b[i] = __float2half((float)(i * 5 % 11 - 5));
        c[i] = (float)(i * 3 % 101);
    }
    tiled<<<dim3(N / SIDE, N / SIDE), THREADS>>>(a, b, c, d, alpha, beta);
    check(false, true, false);
    check_simple<wmma::row_major, wmma::row_major>(false, false);
    check_simple<wmma::row_major, wmma::col_major>(false, true);
    check_simple<wmma::col_major, wmma::row_major>(true, false);
    check_simple<wmma::col_major, wmma::col_major>(true, true);
    return finish();
}
