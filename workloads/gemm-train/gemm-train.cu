/*
 * gemm-train -- products of matrices of DeepBench's training list
 *
 * suite: DeepBench
 * stresses: fused multiply-add in straight code, registers, shared memory
 * papers: socgpu
 * kernels: gemm_train_nn, gemm_train_tn, gemm_train_nt, gemm_sum
 * size: 128 columns
 * large: 7000 columns
 * odd: 97
 * tiny: 17
 * time: 11.1 s
 *
 * DeepBench's 1760 x n x 1760 (code/kernels/gemm_problems.h), n columns of inputs by weights: plain
 * (NN), with the weights transposed (TN) and with the inputs transposed (NT).  The default, of 128
 * columns, is in the list, and is NN alone; 7000 columns is what the list goes up to.  Fewer than
 * 128 have as many units, so that tests are short.
 *
 * Which kernel runs is chosen by GPU and size (common/product.cuh): where a thread may have 255
 * registers one with a tile in its name, as gemm_train_nn_128x64 (common/wide.cuh), and where it
 * may have 63, the plain one (common/gemm.cuh).
 *
 * Values are multiples of 1/32 in -1..1.  A product is a multiple of 2^-10 and a sum of up to 2^14
 * of them fits a float: nothing is rounded, and the comparison is exact.  Of many rows of the
 * result 256 are compared.
 */
#include "common/product.cuh"

enum { UNITS = 1760, USUAL = 128 };

__global__ void __launch_bounds__(THREADS_128X128, 2)
    gemm_train_nn_128x128(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nn<128, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_128X64)
    gemm_train_nn_128x64(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nn<64, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_64X64)
    gemm_train_nn_64x64(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nn<64, 64>(a, b, c, s);
}

__global__ void __launch_bounds__(GEMM_THREADS)
    gemm_train_nn(const float *a, const float *b, float *c, struct gemm_shape s)
{
    gemm_product<gemm_turned, gemm_straight>(a, b, c, s);
}

static const product_kernel nn[4] = {
    {gemm_train_nn_128x128, 128, 128, THREADS_128X128},
    {gemm_train_nn_128x64, 64, 128, THREADS_128X64},
    {gemm_train_nn_64x64, 64, 64, THREADS_64X64},
    {gemm_train_nn, GEMM_TILE, GEMM_TILE, GEMM_THREADS},
};

__global__ void __launch_bounds__(THREADS_128X128, 2)
    gemm_train_tn_128x128(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_tn<128, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_128X64)
    gemm_train_tn_128x64(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_tn<64, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_64X64)
    gemm_train_tn_64x64(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_tn<64, 64>(a, b, c, s);
}

__global__ void __launch_bounds__(GEMM_THREADS)
    gemm_train_tn(const float *a, const float *b, float *c, struct gemm_shape s)
{
    gemm_product<gemm_turned, gemm_turned>(a, b, c, s);
}

static const product_kernel tn[4] = {
    {gemm_train_tn_128x128, 128, 128, THREADS_128X128},
    {gemm_train_tn_128x64, 64, 128, THREADS_128X64},
    {gemm_train_tn_64x64, 64, 64, THREADS_64X64},
    {gemm_train_tn, GEMM_TILE, GEMM_TILE, GEMM_THREADS},
};

__global__ void __launch_bounds__(THREADS_128X128, 2)
    gemm_train_nt_128x128(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nt<128, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_128X64)
    gemm_train_nt_128x64(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nt<64, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_64X64)
    gemm_train_nt_64x64(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nt<64, 64>(a, b, c, s);
}

__global__ void __launch_bounds__(GEMM_THREADS)
    gemm_train_nt(const float *a, const float *b, float *c, struct gemm_shape s)
{
    gemm_product<gemm_straight, gemm_straight>(a, b, c, s);
}

static const product_kernel nt[4] = {
    {gemm_train_nt_128x128, 128, 128, THREADS_128X128},
    {gemm_train_nt_128x64, 64, 128, THREADS_128X64},
    {gemm_train_nt_64x64, 64, 64, THREADS_64X64},
    {gemm_train_nt, GEMM_TILE, GEMM_TILE, GEMM_THREADS},
};

/* Products of the same two matrices, as they are stored or transposed. */
struct factors {
    struct product_matrix x, weight;
};

/* In the table's kernel's form: C [n][units]. */
static void check(struct workload *w, const char *what, const product_kernel (&table)[4],
                  struct factors f, struct product_matrix a, struct product_matrix b)
{
    struct product_matrix got = product_empty(f.x.rows, f.weight.cols);
    float *d_a = product_upload(a), *d_b = product_upload(b), *d_c = product_upload(got);
    struct gemm_shape s = {f.x.rows, f.weight.cols, a.pitch,
                           b.pitch,  got.pitch,     product_parts(f.weight.rows, GEMM_STEP),
                           0};

    product_gpu(table, d_a, d_b, d_c, s);
    product_download(got, d_c);
    product_compare(w, what, got, f.x, f.weight);
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_c));
    free(got.v);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "columns", .usual = USUAL, .large = 7000, .least = 1, .most = 8192});
    int n = (int)w.size, units = n < USUAL ? n : UNITS;
    struct factors f = {product_random(&w, n, units), product_random(&w, units, units)};

    check(&w, "nn", nn, f, f.x, f.weight);
    if (n != USUAL) {
        struct product_matrix x = product_transposed(f.x), weight = product_transposed(f.weight);

        check(&w, "tn", tn, f, f.x, weight);
        check(&w, "nt", nt, f, x, f.weight);
        free(x.v);
        free(weight.v);
    }
    free(f.x.v);
    free(f.weight.v);
    return workload_end(&w);
}
