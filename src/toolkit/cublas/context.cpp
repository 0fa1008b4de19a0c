/* context.cpp -- handles, settings, copies, names of errors. */
#include "context.h"

API cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasContext *h = new cublasContext();
    if (cudaMalloc(&h->scratch, (MOST_PARTS + 1) * 16) != cudaSuccess) {
        delete h;
        return CUBLAS_STATUS_ALLOC_FAILED;
    }
    *handle = h;
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cudaFree(handle->scratch);
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    (void)handle; /* may be none */
    if (!version)
        return CUBLAS_STATUS_INVALID_VALUE;
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
    static const int version[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = version[type];
    return CUBLAS_STATUS_SUCCESS;
}

/* --- settings --- */

#define SETTING(set, get, type, field)                                                             \
    API cublasStatus_t set(cublasHandle_t handle, type v)                                          \
    {                                                                                              \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        handle->field = v;                                                                         \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    API cublasStatus_t get(cublasHandle_t handle, type *v)                                         \
    {                                                                                              \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        if (!v)                                                                                    \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        *v = handle->field;                                                                        \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
SETTING(cublasSetStream_v2, cublasGetStream_v2, cudaStream_t, stream)
SETTING(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t, pointer_mode)
SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics_mode)
SETTING(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math_mode)

/* --- copies --- */

/* `rows` elements of each of `cols` columns; a vector is a matrix of one row. */
static cublasStatus_t copy(int rows, int cols, int size, const void *a, int lda, void *b, int ldb,
                           cudaMemcpyKind kind, const cudaStream_t *stream)
{
    if (rows < 0 || cols < 0 || size <= 0 || lda <= 0 || ldb <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || cols == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (lda < rows || ldb < rows || !a || !b)
        return CUBLAS_STATUS_INVALID_VALUE;
    size_t element = (size_t)size, from = (size_t)lda * element, to = (size_t)ldb * element;
    cudaError_t error =
        stream ? cudaMemcpy2DAsync(b, to, a, from, (size_t)rows * element, (size_t)cols, kind, *stream)
               : cudaMemcpy2D(b, to, a, from, (size_t)rows * element, (size_t)cols, kind);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

#define COPIES(name, kind)                                                                         \
    API cublasStatus_t cublas##name##Vector(int n, int size, const void *x, int incx, void *y,     \
                                            int incy)                                              \
    {                                                                                              \
        return copy(1, n, size, x, incx, y, incy, kind, NULL);                                     \
    }                                                                                              \
    API cublasStatus_t cublas##name##VectorAsync(int n, int size, const void *x, int incx,         \
                                                 void *y, int incy, cudaStream_t stream)           \
    {                                                                                              \
        return copy(1, n, size, x, incx, y, incy, kind, &stream);                                  \
    }                                                                                              \
    API cublasStatus_t cublas##name##Matrix(int rows, int cols, int size, const void *a, int lda,  \
                                            void *b, int ldb)                                      \
    {                                                                                              \
        return copy(rows, cols, size, a, lda, b, ldb, kind, NULL);                                 \
    }                                                                                              \
    API cublasStatus_t cublas##name##MatrixAsync(int rows, int cols, int size, const void *a,      \
                                                 int lda, void *b, int ldb, cudaStream_t stream)   \
    {                                                                                              \
        return copy(rows, cols, size, a, lda, b, ldb, kind, &stream);                              \
    }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)

/* --- names of errors --- */

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} statuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
     "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires a feature that the device has not"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR",
     "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the GPU program failed to execute"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the functionality requested is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "the license is missing"},
};

API const char *cublasGetStatusName(cublasStatus_t status)
{
    for (const auto &s : statuses)
        if (s.status == status)
            return s.name;
    return "an unknown status";
}

API const char *cublasGetStatusString(cublasStatus_t status)
{
    for (const auto &s : statuses)
        if (s.status == status)
            return s.text;
    return "an unknown status";
}
