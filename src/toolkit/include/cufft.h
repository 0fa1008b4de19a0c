/*
 * cufft.h -- cuFFT: discrete Fourier transforms of one to three dimensions, alone or in batches, in
 * single (C2C, R2C, C2R) and double precision (Z2Z, D2Z, Z2D).
 *
 * They are kernels of src/toolkit/cufft.  Lengths may be any; one with a large prime factor takes
 * time in proportion to it.  A plan has fewer than 2^31 elements, its batch among them, or is refused
 * as CUFFT_INVALID_SIZE.  Results are not scaled: there and back multiplies by the number of elements
 * of a transform.  Real data that is transformed in place has, in the last dimension, the room of
 * n/2+1 complex numbers.  Only transforms in place change what is given to them.
 *
 * CUFFT_INVALID_PLAN: no plan has this handle, or it has not been made, or it has been made already.
 * CUFFT_INVALID_TYPE: there is no such type, or the plan was made for another.
 */
#ifndef _CUFFT_H_
#define _CUFFT_H_

#include <stddef.h>

#include <cuComplex.h>
#include <cuda_runtime_api.h>
#include <library_types.h>

#define CUFFT_VER_MAJOR 10
#define CUFFT_VER_MINOR 1
#define CUFFT_VER_PATCH 105
#define CUFFT_VERSION (CUFFT_VER_MAJOR * 1000 + CUFFT_VER_MINOR * 100)

#define CUFFT_FORWARD -1 /* the sign of the exponent */
#define CUFFT_INVERSE 1

typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0x0,
    CUFFT_INVALID_PLAN = 0x1,
    CUFFT_ALLOC_FAILED = 0x2,
    CUFFT_INVALID_TYPE = 0x3,
    CUFFT_INVALID_VALUE = 0x4,
    CUFFT_INTERNAL_ERROR = 0x5,
    CUFFT_EXEC_FAILED = 0x6,
    CUFFT_SETUP_FAILED = 0x7,
    CUFFT_INVALID_SIZE = 0x8,
    CUFFT_UNALIGNED_DATA = 0x9,
    CUFFT_INCOMPLETE_PARAMETER_LIST = 0xa,
    CUFFT_INVALID_DEVICE = 0xb,
    CUFFT_PARSE_ERROR = 0xc,
    CUFFT_NO_WORKSPACE = 0xd,
    CUFFT_NOT_IMPLEMENTED = 0xe,
    CUFFT_LICENSE_ERROR = 0xf,
    CUFFT_NOT_SUPPORTED = 0x10
} cufftResult;

typedef enum cufftType_t {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
} cufftType;

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#ifdef __cplusplus
extern "C" {
#endif

cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch);
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type);
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type);
/* Element (b, i, j, k) is at b * dist + ((i * embed[1] + j) * embed[2] + k) * stride. */
cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
                          int *onembed, int ostride, int odist, cufftType type, int batch);

/* The same in two steps. */
cufftResult cufftCreate(cufftHandle *plan);
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *work);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *work);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *work);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *work);

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out);

cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftGetSize(cufftHandle plan, size_t *work);
cufftResult cufftGetVersion(int *version);
cufftResult cufftGetProperty(libraryPropertyType type, int *value);

#ifdef __cplusplus
}
#endif

#endif
