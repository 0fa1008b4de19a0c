/*
 * sobolqrng -- quasirandom vectors of Sobol in 100 dimensions
 *
 * suite: SDK
 * stresses: streaming global stores, integer logic, few warps, shared memory
 * papers: buddy
 * kernels: sobol_qrng
 * size: 100000 vectors
 * large: 100000 vectors
 * odd: 3001
 * tiny: 301
 * time: 4.3 s
 *
 * A block of 64 threads makes one dimension of all vectors, with its 32 direction numbers in shared
 * memory; the grid is 1 x 100 blocks, as in the paper.  Vectors come in the order of the Gray code
 * (Antonov and Saleev 1979), in which a number differs from the last in one direction: a thread
 * makes its first number from the code itself and then strides of 64 with two exclusive-ors each.
 *
 * Direction numbers follow from primitive polynomials, found by trying all, and from first numbers
 * that are free but for being odd; they are random here.  The result is exact.
 */
#include "workload.h"

enum {
    DIMENSIONS = 100,
    BITS = 32, /* direction numbers of a dimension */
    BLOCK = 64,
};

/* `directions` is [DIMENSIONS][BITS], `out` is [DIMENSIONS][n]. */
__global__ void sobol_qrng(const unsigned *directions, float *out, int n)
{
    __shared__ unsigned v[BITS];
    const float scale = 1.0f / 4294967296.0f;
    int stride = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    int log_stride = __ffs(stride) - 1; /* it is a power of two */
    unsigned x = 0;

    if (threadIdx.x < BITS)
        v[threadIdx.x] = directions[blockIdx.y * BITS + threadIdx.x];
    __syncthreads();
    out += (size_t)blockIdx.y * n;
    for (int gray = i ^ i >> 1, bit = 0; bit < log_stride; bit++, gray >>= 1)
        x ^= -(gray & 1) & v[bit];
    if (i < n)
        out[i] = (float)x * scale;

    /* From i to i + stride, bit log_stride - 1 of the code flips, and the one that an increment of
       i / stride would flip. */
    unsigned v_stride = v[log_stride - 1];

    for (; i + stride < n; i += stride) {
        x ^= v_stride ^ v[__ffs(~(i | (stride - 1))) - 1];
        out[i + stride] = (float)x * scale;
    }
}

static void generate_gpu(const unsigned *directions, float *out, int n)
{
    size_t bytes = (size_t)DIMENSIONS * n * sizeof *out;
    unsigned *d_directions =
        (unsigned *)workload_upload(directions, DIMENSIONS * BITS * sizeof *directions);
    float *d_out;

    CUDA(cudaMalloc((void **)&d_out, bytes));
    sobol_qrng<<<dim3(1, DIMENSIONS), BLOCK>>>(d_directions, d_out, n);
    CUDA_LAUNCHED();
    CUDA(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_directions));
    CUDA(cudaFree(d_out));
}

/* The reference: every number from its own Gray code. */
static void generate_cpu(const unsigned *v, float *out, int n)
{
    for (int i = 0; i < n; i++) {
        unsigned x = 0, gray = (unsigned)i ^ (unsigned)i >> 1;

        for (int bit = 0; gray >> bit; bit++)
            x ^= gray >> bit & 1 ? v[bit] : 0;
        out[i] = (float)x / 4294967296.0f;
    }
}

/* Is this polynomial over GF(2) primitive: do the powers of x run through all 2^degree - 1? */
static bool is_primitive(unsigned polynomial, int degree)
{
    unsigned power = 1;
    int order = 0;

    do {
        power <<= 1;
        power ^= power >> degree & 1 ? polynomial : 0;
        order++;
    } while (power > 1 && order < 1 << degree);
    return power == 1 && order == (1 << degree) - 1;
}

static unsigned next_primitive(unsigned polynomial, int *degree)
{
    do {
        polynomial++;
        *degree += (int)(polynomial >> (*degree + 1));
    } while (!is_primitive(polynomial, *degree));
    return polynomial;
}

/* Direction numbers of one dimension by the recurrence of its polynomial (Sobol 1967). */
static void dimension_make(struct workload *w, unsigned polynomial, int degree, unsigned *v)
{
    for (int i = 0; i < degree; i++) /* i + 1 leading bits, the last of which is set */
        v[i] = (2 * workload_below(w, 1u << i) + 1) << (BITS - 1 - i);
    for (int i = degree; i < BITS; i++) {
        v[i] = v[i - degree] >> degree;
        for (int j = 1; j <= degree; j++)
            v[i] ^= polynomial >> (degree - j) & 1 ? v[i - j] : 0;
    }
}

/* The first dimension is the sequence of van der Corput; the others have a polynomial each. */
static void directions_make(struct workload *w, unsigned *v)
{
    unsigned polynomial = 2;
    int degree = 1;

    for (int i = 0; i < BITS; i++)
        v[i] = 1u << (BITS - 1 - i);
    for (int d = 1; d < DIMENSIONS; d++) {
        polynomial = next_primitive(polynomial, &degree);
        dimension_make(w, polynomial, degree, v + d * BITS);
    }
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "vectors", .usual = 100000, .large = 100000, .least = 1, .most = 1 << 22});
    int n = (int)w.size;
    size_t n_number = (size_t)DIMENSIONS * n;
    unsigned directions[DIMENSIONS * BITS];
    float *got = (float *)workload_alloc(n_number * sizeof *got);
    float *want = (float *)workload_alloc(n_number * sizeof *want);

    directions_make(&w, directions);
    generate_gpu(directions, got, n);
    for (int d = 0; d < DIMENSIONS; d++)
        generate_cpu(directions + d * BITS, want + (size_t)d * n, n);
    workload_compare_f32(&w, "out", got, want, n_number, 0);

    free(got);
    free(want);
    return workload_end(&w);
}
