// Operators on float4, own and those of the helpers.
#include "check.h"

struct quad {
    float4 v;
};

static inline __host__ __device__ float4 operator+(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

static inline __host__ __device__ float4 operator*(float a, const float4 &b)
{
    return make_float4(a * b.x, a * b.y, a * b.z, a * b.w);
}

static inline __host__ __device__ float4 &operator+=(float4 &a, const float4 &b)
{
    return a = a + b;
}

__global__ void axpy(float a, const float4 *x, float4 *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] += a * x[i] + make_float4(0, 0, 0, 1);
}

int main()
{
    float4 *x = shared_array<float4>(64), *y = shared_array<float4>(64);
    for (int i = 0; i < 64; i++)
        x[i] = make_float4(i, 2 * i, 3 * i, 4 * i);
    axpy<<<2, 32>>>(0.5f, x, y);
    axpy<<<2, 32>>>(0.5f, x, y);
    finish_kernels();
    for (int i = 0; i < 64; i++)
        CHECK(y[i].x == i && y[i].y == 2 * i && y[i].z == 3 * i && y[i].w == 4 * i + 2);
    CHECK(sizeof(quad) == 16 && alignof(quad) == 16);
    return finish();
}
