/*
 * fastwalsh -- dyadic convolution by fast Walsh-Hadamard transforms
 *
 * suite: SDK
 * stresses: streaming global loads and stores, shared memory, barriers, float additions
 * papers: amoeba
 * kernels: fwt_global, fwt_shared, fwt_modulate
 * size: 524288 elements
 * large: 8388608 elements
 * odd: 9001
 * tiny: 301
 * time: 5.6 s
 *
 * out[i] = sum over j of data[i ^ j] * kernel[j]: data and kernel (128 values, then zeros) are
 * transformed, multiplied by fwt_modulate (128 blocks of 256 threads) and transformed back, which
 * is the same transform.  While parts are longer than 2048 elements, fwt_global does two levels of
 * the transform on all of them at once, a thread per four elements (radix 4); then fwt_shared does
 * the rest, a block per part.  Lengths are filled up to a power of two with zeros.
 *
 * All values are small whole numbers, and what a level adds up are multiples of the same power of
 * two.  As sums of random numbers grow, they need about 22 bits for `large`; floats have 24, so the
 * result is exact.
 */
#include "workload.h"

enum {
    TAPS = 128,       /* values of the kernel */
    SHARED_LOG2 = 11, /* elements that a block transforms in shared memory, at most */
    GLOBAL_BLOCK = 256,
    MODULATE_GRID = 128,
};

/* Two levels of a transform on four elements. */
static __device__ void butterfly4(float *x0, float *x1, float *x2, float *x3)
{
    float sum02 = *x0 + *x2, difference02 = *x0 - *x2;
    float sum13 = *x1 + *x3, difference13 = *x1 - *x3;

    *x0 = sum02 + sum13;
    *x1 = sum02 - sum13;
    *x2 = difference02 + difference13;
    *x3 = difference02 - difference13;
}

/* The first two levels of gridDim.y transforms, in place; each has four elements per thread. */
__global__ void fwt_global(float *x)
{
    int stride = gridDim.x * blockDim.x;
    float *p = x + 4 * (size_t)stride * blockIdx.y + blockIdx.x * blockDim.x + threadIdx.x;
    float x0 = p[0], x1 = p[stride], x2 = p[2 * stride], x3 = p[3 * stride];

    butterfly4(&x0, &x1, &x2, &x3);
    p[0] = x0;
    p[stride] = x1;
    p[2 * stride] = x2;
    p[3 * stride] = x3;
}

/* A whole transform per block, in place, of 2^log2 elements, four per thread. */
__global__ void fwt_shared(float *x, int log2)
{
    extern __shared__ float s[];
    int n = 1 << log2, t = threadIdx.x, stride = n / 4;

    x += (size_t)blockIdx.x * n;
    for (int i = t; i < n; i += blockDim.x)
        s[i] = x[i];
    for (; stride > 0; stride /= 4) {
        int low = t & (stride - 1);
        float *p = s + 4 * (t - low) + low;

        __syncthreads();
        butterfly4(p, p + stride, p + 2 * stride, p + 3 * stride);
    }
    __syncthreads();
    if (log2 % 2) { /* a level is left */
        for (int i = t; i < n / 2; i += blockDim.x) {
            float even = s[2 * i], odd = s[2 * i + 1];

            s[2 * i] = even + odd;
            s[2 * i + 1] = even - odd;
        }
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x)
        x[i] = s[i];
}

/* data *= kernel / n */
__global__ void fwt_modulate(float *data, const float *kernel, int n)
{
    float scale = 1.0f / n;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] *= kernel[i] * scale;
}

static void transform(float *d_x, int log2)
{
    int parts = 1;

    for (; log2 > SHARED_LOG2; log2 -= 2, parts *= 4) {
        fwt_global<<<dim3((1 << log2) / 4 / GLOBAL_BLOCK, parts), GLOBAL_BLOCK>>>(d_x);
        CUDA_LAUNCHED();
    }
    fwt_shared<<<parts, (1 << log2) / 4, sizeof(float) << log2>>>(d_x, log2);
    CUDA_LAUNCHED();
}

static void convolve_gpu(const float *data, const float *kernel, float *out, int log2)
{
    int n = 1 << log2;
    size_t bytes = n * sizeof *data;
    float *d_data = (float *)workload_upload(data, bytes), *d_kernel;

    CUDA(cudaMalloc((void **)&d_kernel, bytes));
    CUDA(cudaMemset(d_kernel, 0, bytes));
    CUDA(cudaMemcpy(d_kernel, kernel, TAPS * sizeof *kernel, cudaMemcpyHostToDevice));
    transform(d_data, log2);
    transform(d_kernel, log2);
    fwt_modulate<<<MODULATE_GRID, GLOBAL_BLOCK>>>(d_data, d_kernel, n);
    CUDA_LAUNCHED();
    transform(d_data, log2);
    CUDA(cudaMemcpy(out, d_data, bytes, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(d_data));
    CUDA(cudaFree(d_kernel));
}

/* The reference: by definition, in integers. */
static void convolve_cpu(const float *data, const float *kernel, float *out, int n)
{
    for (int i = 0; i < n; i++) {
        int sum = 0;

        for (int j = 0; j < TAPS; j++)
            sum += (int)data[i ^ j] * (int)kernel[j];
        out[i] = (float)sum;
    }
}

static float small_integer(struct workload *w)
{
    return (float)((int)workload_below(w, 9) - 4);
}

int main(int argc, char **argv)
{
    struct workload w = workload_begin(
        argc, argv,
        (struct workload_size){
            .unit = "elements", .usual = 1 << 19, .large = 1 << 23, .least = 1, .most = 1 << 23});
    int log2 = 0;

    while (1 << log2 < TAPS || 1 << log2 < w.size)
        log2++;

    int n = 1 << log2;
    float *data = (float *)workload_alloc(n * sizeof *data), kernel[TAPS];
    float *got = (float *)workload_alloc(n * sizeof *got);
    float *want = (float *)workload_alloc(n * sizeof *want);

    for (long i = 0; i < w.size; i++)
        data[i] = small_integer(&w);
    for (int i = 0; i < TAPS; i++)
        kernel[i] = small_integer(&w);
    convolve_gpu(data, kernel, got, log2);
    convolve_cpu(data, kernel, want, n);
    workload_compare_f32(&w, "out", got, want, n, 0);

    free(data);
    free(got);
    free(want);
    return workload_end(&w);
}
