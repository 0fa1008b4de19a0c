/*
 * gemm-inference -- products of matrices of DeepBench's inference list
 *
 * suite: DeepBench
 * stresses: fused multiply-add in straight code, registers, shared memory
 * papers: socgpu
 * kernels: gemm_inference_nn, gemm_sum
 * size: 3460 outputs
 * large: 5124 outputs
 * odd: 257
 * tiny: 9
 * time: 12.7 s
 *
 * DeepBench's 5124 x 700 x 2048 and 5124 x 1500 x 2048 (code/kernels/gemm_problems.h), m outputs
 * for n columns of k inputs, plain (NN).  Fewer outputs have 64 columns: 3460 x 64 x 2048 makes one
 * tile of 128x64 for each of 28 SMs, the last of them, as in the list, with four outputs.  Fewer
 * than 1024 have as many inputs, so that tests are short.
 *
 * Which kernel runs is chosen by GPU and size (common/product.cuh): where a thread may have 255
 * registers one with a tile in its name, as gemm_inference_nn_128x64 (common/wide.cuh), and where
 * it may have 63, the plain one (common/gemm.cuh).
 *
 * Values are multiples of 1/32 in -1..1.  A product is a multiple of 2^-10 and a sum of up to 2^14
 * of them fits a float: nothing is rounded, and the comparison is exact.  Of many rows of the
 * result 256 are compared.
 */
#include "common/product.cuh"

enum { LARGE = 5124, INPUTS = 2048, COLUMNS = 64, WHOLE = 1024 };

__global__ void __launch_bounds__(THREADS_128X128, 2)
    gemm_inference_nn_128x128(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nn<128, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_128X64)
    gemm_inference_nn_128x64(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nn<64, 128>(a, b, c, s);
}

__global__ void __launch_bounds__(THREADS_64X64)
    gemm_inference_nn_64x64(const float *a, const float *b, float *c, struct gemm_shape s)
{
    wide_nn<64, 64>(a, b, c, s);
}

__global__ void __launch_bounds__(GEMM_THREADS)
    gemm_inference_nn(const float *a, const float *b, float *c, struct gemm_shape s)
{
    gemm_product<gemm_turned, gemm_straight>(a, b, c, s);
}

static const product_kernel nn[4] = {
    {gemm_inference_nn_128x128, 128, 128, THREADS_128X128},
    {gemm_inference_nn_128x64, 64, 128, THREADS_128X64},
    {gemm_inference_nn_64x64, 64, 64, THREADS_64X64},
    {gemm_inference_nn, GEMM_TILE, GEMM_TILE, GEMM_THREADS},
};

static void infer(struct workload *w, const char *what, int n)
{
    int m = (int)w->size, k = m < WHOLE ? m : INPUTS;
    struct product_matrix x = product_random(w, n, k), weight = product_random(w, k, m);
    struct product_matrix y = product_empty(n, m);
    float *d_x = product_upload(x), *d_weight = product_upload(weight), *d_y = product_upload(y);
    struct gemm_shape s = {n, m, x.pitch, weight.pitch, y.pitch, product_parts(k, GEMM_STEP), 0};

    product_gpu(nn, d_x, d_weight, d_y, s);
    product_download(y, d_y);
    product_compare(w, what, y, x, weight);
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_weight));
    CUDA(cudaFree(d_y));
    free(x.v);
    free(weight.v);
    free(y.v);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "outputs", .usual = 3460, .large = LARGE, .least = 1, .most = 8192});

    if (w.size < LARGE) {
        infer(&w, "y", COLUMNS);
    } else {
        infer(&w, "y of 700 columns", 700);
        infer(&w, "y of 1500 columns", 1500);
    }
    return workload_end(&w);
}
