// cuRAND's arrays, in the manner of the SDK's Monte Carlo samples: an area and the price of an option
// by simulation; generators of the host give the same numbers as those of the device.
// options: -lcurand
// timing
#include "check.h"
#include <curand.h>
#include <math.h>
#include <vector>

#define OK(call) CHECK((call) == CURAND_STATUS_SUCCESS)

enum { N = 6000 };

/* Points in the quarter of the circle, counted. */
__global__ void inside(const float *x, const float *y, int n, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool in = i < n && x[i] * x[i] + y[i] * y[i] <= 1;
    int all = __syncthreads_count(in);
    if (threadIdx.x == 0)
        atomicAdd(count, all);
}

/* What a call option pays at the end of a path, of which `z` is the chance. */
__global__ void payoffs(const double *z, int n, float *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double s = i < n ? 100 * exp((0.05 - 0.02) * 1 + 0.2 * z[i]) : 0;
    if (s > 100)
        atomicAdd(sum, (float)(s - 100));
}

static void area(void)
{
    curandGenerator_t g;
    float *xy = shared_array<float>(2 * N);
    int *count = shared_array<int>(1);
    OK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT));
    OK(curandSetPseudoRandomGeneratorSeed(g, 1234));
    OK(curandGenerateUniform(g, xy, 2 * N));
    inside<<<(N + 255) / 256, 256>>>(xy, xy + N, N, count);
    finish_kernels();
    CHECK(fabs(4.0 * *count / N - 3.14159265) < 0.08);
    for (int i = 0; i < 2 * N; i++)
        CHECK(xy[i] > 0 && xy[i] <= 1);
    OK(curandDestroyGenerator(g));
}

static void option(void)
{
    curandGenerator_t g;
    double *z = shared_array<double>(N);
    float *sum = shared_array<float>(1);
    OK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    OK(curandGenerateNormalDouble(g, z, N, 0, 1));
    payoffs<<<(N + 255) / 256, 256>>>(z, N, sum);
    finish_kernels();
    CHECK(fabs(*sum / N * exp(-0.05) - 10.4506) < 0.7); /* Black and Scholes */
    OK(curandDestroyGenerator(g));
}

/* Numbers of the device and of the host, in one call or in two, from the beginning or from later. */
static void sequences(curandRngType_t type)
{
    curandGenerator_t g, h;
    unsigned *d = shared_array<unsigned>(N);
    std::vector<unsigned> all(N), part(N);
    OK(curandCreateGenerator(&g, type));
    OK(curandCreateGeneratorHost(&h, type));
    OK(curandSetPseudoRandomGeneratorSeed(g, 42));
    OK(curandSetPseudoRandomGeneratorSeed(h, 42));
    OK(curandGenerate(g, d, 100));
    OK(curandGenerate(g, d + 100, N - 100));
    OK(curandGenerate(h, all.data(), N));
    finish_kernels();
    for (int i = 0; i < N; i++)
        CHECK(d[i] == all[i]);
    OK(curandSetGeneratorOffset(h, 5000));
    OK(curandGenerate(h, part.data(), N - 5000));
    for (int i = 5000; i < N; i++)
        CHECK(part[i - 5000] == all[i]);
    double same = 0;
    for (int i = 1; i < N; i++)
        same += all[i] == all[i - 1];
    CHECK(same < 2);
    OK(curandDestroyGenerator(g));
    OK(curandDestroyGenerator(h));
}

static void normals(void)
{
    curandGenerator_t h;
    std::vector<float> v(N);
    double mean = 0, squares = 0, logs = 0;
    OK(curandCreateGeneratorHost(&h, CURAND_RNG_PSEUDO_XORWOW));
    OK(curandGenerateNormal(h, v.data(), N, 5, 2));
    for (float x : v)
        mean += x / N, squares += (x - 5) * (x - 5) / N;
    CHECK(fabs(mean - 5) < 0.1 && fabs(squares - 4) < 0.3);
    OK(curandGenerateLogNormal(h, v.data(), N, 1, 0.5f));
    for (float x : v)
        logs += log(x) / N;
    CHECK(fabs(logs - 1) < 0.03);
    CHECK(curandGenerateNormal(h, v.data(), 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    OK(curandDestroyGenerator(h));
    CHECK(curandCreateGenerator(&h, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR);
    CHECK(curandGenerate(NULL, NULL, 0) == CURAND_STATUS_NOT_INITIALIZED);
}

int main()
{
    area();
    option();
    sequences(CURAND_RNG_PSEUDO_XORWOW);
    sequences(CURAND_RNG_PSEUDO_PHILOX4_32_10);
    sequences(CURAND_RNG_PSEUDO_MRG32K3A);
    normals();
    return finish();
}
