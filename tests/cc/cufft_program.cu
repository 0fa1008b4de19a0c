// Programs in the manner of the SDK's simpleCUFFT and convolutionFFT2D: a padded signal and an image
// are filtered by way of their transforms, on a stream, and held against the sums themselves.
// options: -lcufft
// timing
#include "check.h"
#include <cufft.h>
#include <math.h>
#include <vector>

enum { SIGNAL = 50, FILTER = 11, PADDED = SIGNAL + FILTER - 1, SIDE = 24, KERNEL = 5 };

#define OK(call) CHECK((call) == CUFFT_SUCCESS)

/* a = a b / n: transforms are not scaled. */
__global__ void multiply(cufftComplex *a, const cufftComplex *b, int size, float n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += blockDim.x * gridDim.x) {
        cufftComplex c = cuCmulf(a[i], b[i]);
        a[i] = make_cuComplex(c.x / n, c.y / n);
    }
}

static float value(int i)
{
    return (float)(i * 37 % 101) / 101 - 0.5f;
}

template <class T> static T *on_device(const std::vector<T> &host)
{
    T *d = NULL;
    CHECK(cudaMalloc(&d, host.size() * sizeof(T)) == cudaSuccess);
    CHECK(cudaMemcpy(d, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
    return d;
}

/* Complex numbers, in place; padded so far that nothing comes around. */
static void signal(cudaStream_t stream)
{
    std::vector<cufftComplex> x(PADDED), h(PADDED), y(PADDED);
    for (int i = 0; i < SIGNAL; i++)
        x[i] = make_cuComplex(value(i), value(i + 500));
    for (int i = 0; i < FILTER; i++)
        h[i] = make_cuComplex(value(i + 900), 0);
    cufftComplex *dx = on_device(x), *dh = on_device(h);
    cufftHandle plan;
    OK(cufftPlan1d(&plan, PADDED, CUFFT_C2C, 1));
    OK(cufftSetStream(plan, stream));
    OK(cufftExecC2C(plan, dx, dx, CUFFT_FORWARD));
    OK(cufftExecC2C(plan, dh, dh, CUFFT_FORWARD));
    multiply<<<2, 32, 0, stream>>>(dx, dh, PADDED, PADDED);
    OK(cufftExecC2C(plan, dx, dx, CUFFT_INVERSE));
    OK(cufftDestroy(plan));
    cudaMemcpy(y.data(), dx, PADDED * sizeof(cufftComplex), cudaMemcpyDeviceToHost);
    for (int i = 0; i < PADDED; i++) {
        cufftComplex sum = make_cuComplex(0, 0);
        for (int k = 0; k < FILTER; k++)
            if (i >= k && i - k < SIGNAL)
                sum = cuCaddf(sum, cuCmulf(x[i - k], h[k]));
        CHECK(cuCabsf(cuCsubf(sum, y[i])) < 2e-6f);
    }
    cudaFree(dx), cudaFree(dh);
}

/* Real numbers to half of their transform and back; what leaves the image comes in opposite. */
static void image(cudaStream_t stream)
{
    const int half = SIDE * (SIDE / 2 + 1);
    std::vector<float> x(SIDE * SIDE), h(SIDE * SIDE), y(SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) {
        x[i] = value(i);
        h[i] = i / SIDE < KERNEL && i % SIDE < KERNEL ? value(i + 300) : 0;
    }
    float *dx = on_device(x), *dh = on_device(h);
    cufftComplex *fx = on_device(std::vector<cufftComplex>(half));
    cufftComplex *fh = on_device(std::vector<cufftComplex>(half));
    cufftHandle there, back;
    OK(cufftPlan2d(&there, SIDE, SIDE, CUFFT_R2C));
    OK(cufftPlan2d(&back, SIDE, SIDE, CUFFT_C2R));
    OK(cufftSetStream(there, stream));
    OK(cufftSetStream(back, stream));
    OK(cufftExecR2C(there, dx, fx));
    OK(cufftExecR2C(there, dh, fh));
    multiply<<<4, 64, 0, stream>>>(fx, fh, half, SIDE * SIDE);
    OK(cufftExecC2R(back, fx, dx));
    cudaMemcpyAsync(y.data(), dx, y.size() * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < SIDE * SIDE; i++) {
        float sum = 0;
        for (int k = 0; k < KERNEL * KERNEL; k++) {
            int row = (i / SIDE - k / KERNEL + SIDE) % SIDE, column = (i - k % KERNEL + SIDE) % SIDE;
            sum += x[row * SIDE + column] * h[k / KERNEL * SIDE + k % KERNEL];
        }
        CHECK(fabsf(sum - y[i]) < 4e-6f);
    }
    OK(cufftDestroy(there));
    OK(cufftDestroy(back));
    cudaFree(dx), cudaFree(dh), cudaFree(fx), cudaFree(fh);
}

int main()
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    signal(stream);
    image(stream);
    cudaStreamDestroy(stream);
    return finish();
}
