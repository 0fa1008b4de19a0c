// A program in the manner of the SDK's simpleCUBLAS and of conjugate gradients: a product held
// against loops, and a system of equations solved by gemv, dot, axpy and scal.
// options: -lcublas
// timing
#include "check.h"
#include <cublas_v2.h>
#include <math.h>
#include <stdlib.h>

enum { N = 48, LIMIT = 60 };

#define OK(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)

static float *on_device(const float *host, int n)
{
    float *d = NULL;
    CHECK(cudaMalloc(&d, n * sizeof(float)) == cudaSuccess);
    OK(cublasSetVector(n, sizeof(float), host, 1, d, 1));
    return d;
}

static void product(cublasHandle_t h)
{
    static float a[N * N], b[N * N], c[N * N], want[N * N];
    float alpha = 1, beta = 0, error = 0, size = 0;
    for (int i = 0; i < N * N; i++)
        a[i] = (float)(i * 7 % 31) / 31, b[i] = (float)(i * 5 % 29) / 29;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++)
                want[j * N + i] += a[k * N + i] * b[j * N + k];
    float *da = on_device(a, N * N), *db = on_device(b, N * N), *dc = on_device(c, N * N);
    OK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &alpha, da, N, db, N, &beta, dc, N));
    OK(cublasGetVector(N * N, sizeof(float), dc, 1, c, 1));
    for (int i = 0; i < N * N; i++) {
        error += (want[i] - c[i]) * (want[i] - c[i]);
        size += want[i] * want[i];
    }
    CHECK(size > 0 && sqrtf(error) / sqrtf(size) < 1e-6f);
    cudaFree(da), cudaFree(db), cudaFree(dc);
}

/* A x = b, A with 4 on its diagonal and -1 beside it, so that it is positive definite. */
static void equations(cublasHandle_t h)
{
    static float a[N * N], b[N], x[N];
    float one = 1, minus = -1, zero = 0, rr, pap, next;
    for (int i = 0; i < N; i++) {
        a[i * N + i] = 4, b[i] = (float)(i % 7) - 3;
        if (i)
            a[i * N + i - 1] = a[(i - 1) * N + i] = -1;
    }
    float *da = on_device(a, N * N), *dx = on_device(x, N), *r = on_device(b, N);
    float *p = on_device(b, N), *ap = on_device(x, N);
    OK(cublasSgemv(h, CUBLAS_OP_N, N, N, &minus, da, N, dx, 1, &one, r, 1));
    OK(cublasScopy(h, N, r, 1, p, 1));
    OK(cublasSdot(h, N, r, 1, r, 1, &rr));
    int steps = 0;
    for (; steps < LIMIT && rr > 1e-12f; steps++, rr = next) {
        OK(cublasSgemv(h, CUBLAS_OP_N, N, N, &one, da, N, p, 1, &zero, ap, 1));
        OK(cublasSdot(h, N, p, 1, ap, 1, &pap));
        float along = rr / pap, back = -along;
        OK(cublasSaxpy(h, N, &along, p, 1, dx, 1));
        OK(cublasSaxpy(h, N, &back, ap, 1, r, 1));
        OK(cublasSdot(h, N, r, 1, r, 1, &next));
        float turn = next / rr;
        OK(cublasSscal(h, N, &turn, p, 1));
        OK(cublasSaxpy(h, N, &one, r, 1, p, 1));
    }
    OK(cublasGetVector(N, sizeof(float), dx, 1, x, 1));
    CHECK(steps < LIMIT);
    for (int i = 0; i < N; i++) {
        float left = 4 * x[i] - (i ? x[i - 1] : 0) - (i + 1 < N ? x[i + 1] : 0);
        CHECK(fabsf(left - b[i]) < 1e-5f);
    }
    cudaFree(da), cudaFree(dx), cudaFree(r), cudaFree(p), cudaFree(ap);
}

int main()
{
    cublasHandle_t handle;
    OK(cublasCreate(&handle));
    product(handle);
    equations(handle);
    OK(cublasDestroy(handle));
    return finish();
}
