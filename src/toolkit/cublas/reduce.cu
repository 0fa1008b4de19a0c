/*
 * reduce.cu -- operations whose result is one number: dot, nrm2, asum, amax, amin.
 *
 * Two kernels: the first leaves a part per CTA in the handle's scratch memory, the second joins
 * them.  The order of additions depends on n alone, so results are the same each time.
 */
#include "context.h"

enum { BLOCK = 128, PER_THREAD = 8 };

/*
 * A kind of reduction has
 *
 *     part                        what is kept of a set of elements; part() is that of none
 *     one(x, y, i)                the part of one element; i counts from 0
 *     join(a, b)                  of two sets
 *     end(a)                      the result
 */
template <class T> struct dot {
    typedef T part;
    typedef T result;
    static __device__ part one(T x, T y, int)
    {
        return x * y;
    }
    static __device__ part join(part a, part b)
    {
        return a + b;
    }
    static __device__ result end(part a)
    {
        return a;
    }
};

template <class T> struct asum : dot<T> {
    static __device__ T one(T x, T, int)
    {
        return x < 0 ? -x : x;
    }
};

/* scale^2 * squares: no square overflows, or is lost, unless the norm itself is. */
template <class T> struct nrm2 {
    struct part {
        T scale, squares;
    };
    typedef T result;
    static __device__ part one(T x, T, int)
    {
        part p = {x < 0 ? -x : x, 1};
        return p;
    }
    static __device__ part join(part a, part b)
    {
        part more = a.scale < b.scale ? b : a, less = a.scale < b.scale ? a : b;
        if (less.scale == 0)
            return more;
        T ratio = less.scale == more.scale ? T(1) : less.scale / more.scale; /* infinities, too */
        more.squares += less.squares * ratio * ratio;
        return more;
    }
    static __device__ result end(part a)
    {
        return a.scale * (T)sqrt((double)a.squares);
    }
};

/* The first of the largest (or smallest); places count from 1, and 0 is none. */
template <class T, bool Most> struct extreme {
    struct part {
        T size;
        int place;
    };
    typedef int result;
    static __device__ part one(T x, T, int i)
    {
        part p = {x < 0 ? -x : x, i + 1};
        return p;
    }
    static __device__ part join(part a, part b)
    {
        if (!a.place || !b.place)
            return a.place ? a : b;
        if (a.size == b.size)
            return a.place < b.place ? a : b;
        return (a.size > b.size) == Most ? a : b;
    }
    static __device__ result end(part a)
    {
        return a.place;
    }
};

/* The CTA's part, in thread 0. */
template <class Kind> static __device__ typename Kind::part join_cta(typename Kind::part p)
{
    __shared__ typename Kind::part parts[BLOCK];
    parts[threadIdx.x] = p;
    for (int half = BLOCK / 2; half; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half)
            parts[threadIdx.x] = Kind::join(parts[threadIdx.x], parts[threadIdx.x + half]);
    }
    return parts[0];
}

template <class Kind, class T>
static __global__ void reduce_parts(int n, const T *x, long incx, const T *y, long incy,
                                    typename Kind::part *parts)
{
    typename Kind::part p = {};
    long step = (long)gridDim.x * BLOCK;
    for (long i = blockIdx.x * (long)BLOCK + threadIdx.x; i < n; i += step)
        p = Kind::join(p, Kind::one(x[i * incx], y ? y[i * incy] : T(), (int)i));
    p = join_cta<Kind>(p);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = p;
}

template <class Kind>
static __global__ void reduce_end(int n, const typename Kind::part *parts,
                                  typename Kind::result *result)
{
    typename Kind::part p = {};
    for (int i = threadIdx.x; i < n; i += BLOCK)
        p = Kind::join(p, parts[i]);
    p = join_cta<Kind>(p);
    if (threadIdx.x == 0)
        *result = Kind::end(p);
}

/* The result without elements, where the caller wants it. */
template <class R> static cublasStatus_t give_zero(cublasHandle_t h, R *result)
{
    if (h->pointer_mode == CUBLAS_POINTER_MODE_HOST)
        *result = 0;
    else if (cudaMemsetAsync(result, 0, sizeof(R), h->stream) != cudaSuccess)
        return CUBLAS_STATUS_MAPPING_ERROR;
    return CUBLAS_STATUS_SUCCESS;
}

template <class Kind, class T>
static cublasStatus_t reduce(cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy,
                             typename Kind::result *result)
{
    typedef typename Kind::part part;
    typedef typename Kind::result number;
    static_assert(sizeof(part) <= 16, "the scratch memory has 16 bytes a part");
    part *parts = (part *)h->scratch;
    bool on_host = h->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    number *to = on_host ? (number *)(void *)(parts + MOST_PARTS) : result;
    int ctas = (int)ceil_div(n, BLOCK * PER_THREAD);
    ctas = ctas < MOST_PARTS ? ctas : MOST_PARTS;

    reduce_parts<Kind, T><<<ctas, BLOCK, 0, h->stream>>>(n, x, incx, y, incy, parts);
    reduce_end<Kind><<<1, BLOCK, 0, h->stream>>>(ctas, parts, to);
    if (launched() != CUBLAS_STATUS_SUCCESS)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (!on_host)
        return CUBLAS_STATUS_SUCCESS;
    cudaError_t e = cudaMemcpyAsync(result, to, sizeof(number), cudaMemcpyDeviceToHost, h->stream);
    if (e == cudaSuccess)
        e = cudaStreamSynchronize(h->stream);
    return e == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/* Of one vector; a step that is not positive is a vector without elements. */
template <class Kind, class T>
static cublasStatus_t reduce_one(cublasHandle_t h, int n, const T *x, int incx,
                                 typename Kind::result *result)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!result || (n > 0 && !x))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n <= 0 || incx <= 0)
        return give_zero(h, result);
    return reduce<Kind, T>(h, n, x, incx, (const T *)NULL, 0, result);
}

#define FUNCTIONS(S, s, T)                                                                         \
    API cublasStatus_t cublas##S##dot_v2(cublasHandle_t h, int n, const T *x, int incx,            \
                                         const T *y, int incy, T *result)                          \
    {                                                                                              \
        if (!h)                                                                                    \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        if (!result || (n > 0 && (!x || !y)))                                                      \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        if (n <= 0)                                                                                \
            return give_zero(h, result);                                                           \
        return reduce<dot<T>, T>(h, n, first(x, n, incx), incx, first(y, n, incy), incy, result);  \
    }                                                                                              \
    API cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t h, int n, const T *x, int incx,           \
                                          T *result)                                               \
    {                                                                                              \
        return reduce_one<nrm2<T>, T>(h, n, x, incx, result);                                      \
    }                                                                                              \
    API cublasStatus_t cublas##S##asum_v2(cublasHandle_t h, int n, const T *x, int incx,           \
                                          T *result)                                               \
    {                                                                                              \
        return reduce_one<asum<T>, T>(h, n, x, incx, result);                                      \
    }                                                                                              \
    API cublasStatus_t cublasI##s##amax_v2(cublasHandle_t h, int n, const T *x, int incx,          \
                                           int *result)                                            \
    {                                                                                              \
        return reduce_one<extreme<T, true>, T>(h, n, x, incx, result);                             \
    }                                                                                              \
    API cublasStatus_t cublasI##s##amin_v2(cublasHandle_t h, int n, const T *x, int incx,          \
                                           int *result)                                            \
    {                                                                                              \
        return reduce_one<extreme<T, false>, T>(h, n, x, incx, result);                            \
    }
FUNCTIONS(S, s, float)
FUNCTIONS(D, d, double)
