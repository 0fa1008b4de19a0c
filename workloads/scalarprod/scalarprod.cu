/*
 * scalarprod -- dot products of many pairs of vectors
 *
 * suite: SDK
 * stresses: streaming global loads, shared memory reduction, barriers, warps that run out of work
 * papers: buddy
 * kernels: scalar_prod
 * size: 256 pairs of vectors in each of 4 batches
 * large: 256 pairs of vectors in each of 4 batches
 * odd: 33
 * tiny: 3
 * time: 3.6 s
 *
 * scalar_prod, launched once per batch: 128 blocks of 256 threads share the pairs of 4096 elements.
 * A block spreads the products of a pair over 1024 accumulators, four per thread, puts them into
 * shared memory and adds them up in a tree.  The launches are those of the paper.
 *
 * All elements are positive, so that an element's product, its addition to an accumulator of four
 * products and the ten levels of the tree cannot be further off than 14 roundings of 2^-24.
 */
#include "workload.h"

enum {
    BATCHES = 4,
    ELEMENTS = 4096, /* of a vector */
    ACCUMULATORS = 1024,
    GRID = 128,
    BLOCK = 256,
};

__global__ void scalar_prod(const float *a, const float *b, float *product, int n_pair)
{
    __shared__ float accumulator[ACCUMULATORS];

    for (int pair = blockIdx.x; pair < n_pair; pair += gridDim.x) {
        int first = pair * ELEMENTS;

        for (int i = threadIdx.x; i < ACCUMULATORS; i += blockDim.x) {
            float sum = 0;

            for (int at = i; at < ELEMENTS; at += ACCUMULATORS)
                sum += a[first + at] * b[first + at];
            accumulator[i] = sum;
        }
        for (int half = ACCUMULATORS / 2; half > 0; half /= 2) {
            __syncthreads();
            for (int i = threadIdx.x; i < half; i += blockDim.x)
                accumulator[i] += accumulator[i + half];
        }
        if (threadIdx.x == 0) /* which alone writes accumulator[0], now and for the next pair */
            product[pair] = accumulator[0];
        __syncthreads();
    }
}

static void multiply_gpu(const float *a, const float *b, float *product, int n_pair)
{
    size_t n = (size_t)n_pair * ELEMENTS, bytes = BATCHES * n * sizeof *a;
    size_t product_bytes = (size_t)BATCHES * n_pair * sizeof *product;
    float *d_a = (float *)workload_upload(a, bytes), *d_b = (float *)workload_upload(b, bytes);
    float *d_product;

    CUDA(cudaMalloc((void **)&d_product, product_bytes));
    for (int i = 0; i < BATCHES; i++) {
        scalar_prod<<<GRID, BLOCK>>>(d_a + i * n, d_b + i * n, d_product + i * n_pair, n_pair);
        CUDA_LAUNCHED();
    }
    CUDA(cudaMemcpy(product, d_product, product_bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_product));
}

static float dot_cpu(const float *a, const float *b)
{
    double sum = 0;

    for (int i = 0; i < ELEMENTS; i++)
        sum += (double)a[i] * b[i];
    return (float)sum;
}

int main(int argc, char **argv)
{
    struct workload w =
        workload_begin(argc, argv,
                       (struct workload_size){.unit = "pairs of vectors in each of 4 batches",
                                              .usual = 256,
                                              .large = 256,
                                              .least = 1,
                                              .most = 1 << 14});
    int n_pair = (int)w.size, n = BATCHES * n_pair;
    float *a = (float *)workload_alloc((size_t)n * ELEMENTS * sizeof *a);
    float *b = (float *)workload_alloc((size_t)n * ELEMENTS * sizeof *b);
    float *got = (float *)workload_alloc(n * sizeof *got);
    float *want = (float *)workload_alloc(n * sizeof *want);

    for (size_t i = 0; i < (size_t)n * ELEMENTS; i++) {
        a[i] = workload_float(&w, 0, 1);
        b[i] = workload_float(&w, 0, 1);
    }
    multiply_gpu(a, b, got, n_pair);
    for (int i = 0; i < n; i++)
        want[i] = dot_cpu(a + (size_t)i * ELEMENTS, b + (size_t)i * ELEMENTS);
    workload_compare_f32(&w, "product", got, want, n, 1e-6f);

    free(a);
    free(b);
    free(got);
    free(want);
    return workload_end(&w);
}
