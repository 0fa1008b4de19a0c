/*
 * mma.h -- products of matrices by a warp: nvcuda::wmma.
 *
 *     using namespace nvcuda;
 *     wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
 *     wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
 *     wmma::fragment<wmma::accumulator, 16, 16, 16, float> d;
 *     wmma::fill_fragment(d, 0.0f);
 *     wmma::load_matrix_sync(a, p, lda);              lda elements from line to line
 *     wmma::load_matrix_sync(b, q, ldb);
 *     wmma::mma_sync(d, a, b, d);                     d = a * b + d
 *     wmma::store_matrix_sync(r, d, ldd, wmma::mem_row_major);
 *
 * All lanes of a warp call each function together.  A fragment is what one lane has of a matrix: its
 * elements x[0] .. x[num_elements - 1] may be computed with, but which ones they are is the machine's
 * affair.  Of two fragments of one type they are the same ones.
 *
 *     M, N, K                            a, b              accumulators      from
 *     16,16,16   32,8,16   8,32,16       __half            __half, float     sm_70
 *     16,16,16   32,8,16   8,32,16       signed char,      int               sm_72
 *                                        unsigned char
 *     16,16,16   32,8,16   8,32,16       __nv_bfloat16     float             sm_80
 *     16,16,8                            precision::tf32   float             sm_80
 *     8,8,4                              double            double            sm_80
 *
 * Elements of precision::tf32 are floats that __float_to_tf32 has rounded.  mma_sync of __half and of
 * integers has a last parameter satf: sums that are too large become the largest ones (and NaN 0).
 * Other fragments are incomplete types; those of 4 bits and 1 bit (wmma::experimental) are not there.
 *
 * Each function is one instruction of PTX.  Its registers are copied from and to x[], which costs
 * nothing, as a fragment is in registers anyway.
 */
#ifndef MMA_H
#define MMA_H

#if defined(__cplusplus) && defined(__CUDACC__)

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <smelt/lanes.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700

namespace nvcuda
{

namespace wmma
{

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

namespace precision
{
struct tf32;
}

enum layout_t { mem_row_major, mem_col_major };

template <class Use, int m, int n, int k, class Element, class Layout = void> class fragment;

/* --- what all fragments have --- */

template <class Element> struct __smelt_storage {
    typedef Element type;
};
template <> struct __smelt_storage<precision::tf32> {
    typedef float type;
};

template <class Element, unsigned int bytes> struct __smelt_fragment {
    typedef Element element_type;
    typedef typename __smelt_storage<Element>::type storage_element_type;
    enum {
        num_elements = bytes / sizeof(storage_element_type),
        num_storage_elements = num_elements
    };
    storage_element_type x[num_elements];

    template <class Register> SMELT_DEVICE void put(const Register *from)
    {
        __builtin_memcpy((void *)x, from, bytes);
    }
    template <class Register> SMELT_DEVICE void get(Register *to) const
    {
        __builtin_memcpy(to, (const void *)x, bytes);
    }
};

template <class Use, int m, int n, int k, class Element, class Layout>
SMELT_DEVICE void fill_fragment(fragment<Use, m, n, k, Element, Layout> &f,
                                const typename __smelt_storage<Element>::type &v)
{
    for (unsigned int i = 0; i < f.num_elements; i++)
        f.x[i] = v;
}

SMELT_DEVICE float __float_to_tf32(float v)
{
    unsigned int bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
    return __uint_as_float(bits);
}

/* What satf makes of an element, whose type has this largest number. */
SMELT_DEVICE float __smelt_finite(float v, float most)
{
    return v != v ? 0 : fminf(fmaxf(v, -most), most);
}

SMELT_DEVICE void __smelt_saturate(float &v)
{
    v = __smelt_finite(v, 3.402823466e38f);
}

SMELT_DEVICE void __smelt_saturate(__half &v)
{
    v = __float2half_rn(__smelt_finite(__half2float(v), 65504));
}

/*
 * --- registers as operands: n of them are the array R; c is the letter of their kind ---
 *
 * SMELT_LIST_n(R) is "{%[R0], ..}", SMELT_REGS_n(R, "=r") names them for it.
 */
#define SMELT_KIND_r unsigned int
#define SMELT_KIND_f float
#define SMELT_KIND_d double

#define SMELT_NAMED_2(R, i, j) "%[" #R #i "], %[" #R #j "]"
#define SMELT_NAMED_4(R, i, j, k, l) SMELT_NAMED_2(R, i, j) ", " SMELT_NAMED_2(R, k, l)
#define SMELT_LIST_1(R) "{%[" #R "0]}"
#define SMELT_LIST_2(R) "{" SMELT_NAMED_2(R, 0, 1) "}"
#define SMELT_LIST_4(R) "{" SMELT_NAMED_4(R, 0, 1, 2, 3) "}"
#define SMELT_LIST_8(R) "{" SMELT_NAMED_4(R, 0, 1, 2, 3) ", " SMELT_NAMED_4(R, 4, 5, 6, 7) "}"
#define SMELT_REG(R, i, c) [R##i] c(R[i])
#define SMELT_REGS_1(R, c) SMELT_REG(R, 0, c)
#define SMELT_REGS_2(R, c) SMELT_REGS_1(R, c), SMELT_REG(R, 1, c)
#define SMELT_REGS_4(R, c) SMELT_REGS_2(R, c), SMELT_REG(R, 2, c), SMELT_REG(R, 3, c)
#define SMELT_REGS_8(R, c)                                                                         \
    SMELT_REGS_4(R, c), SMELT_REG(R, 4, c), SMELT_REG(R, 5, c), SMELT_REG(R, 6, c),                \
        SMELT_REG(R, 7, c)

#define SMELT_SHAPE(M, N, K) "m" #M "n" #N "k" #K

/* --- load and store --- */

#define SMELT_LOAD(letter, layout, shape, ptx, c, n)                                               \
    asm volatile("wmma.load." letter ".sync.aligned." layout "." shape "." ptx                     \
                 " " SMELT_LIST_##n(regs) ", [%[p]], %[stride];"                                   \
                 : SMELT_REGS_##n(regs, "=" #c)                                                    \
                 : [p] "l"(p), [stride] "r"(stride)                                                \
                 : "memory")
#define SMELT_STORE(layout, shape, ptx, c, n)                                                      \
    asm volatile("wmma.store.d.sync.aligned." layout "." shape "." ptx                             \
                 " [%[p]], " SMELT_LIST_##n(regs) ", %[stride];"                                   \
                 :                                                                                 \
                 : [p] "l"(p), [stride] "r"(stride), SMELT_REGS_##n(regs, #c)                      \
                 : "memory")

#define SMELT_FACTOR(letter, layout, n, M, N, K, T, ptx, c)                                        \
    template <>                                                                                    \
    class fragment<matrix_##letter, M, N, K, T, layout##_major>                                    \
        : public __smelt_fragment<T, n * sizeof(SMELT_KIND_##c)>                                   \
    {                                                                                              \
    };                                                                                             \
    SMELT_DEVICE void load_matrix_sync(fragment<matrix_##letter, M, N, K, T, layout##_major> &f,   \
                                       const __smelt_storage<T>::type *p, unsigned int stride)     \
    {                                                                                              \
        SMELT_KIND_##c regs[n];                                                                    \
        SMELT_LOAD(#letter, #layout, SMELT_SHAPE(M, N, K), ptx, c, n);                             \
        f.put(regs);                                                                               \
    }
/* Those of one type, whose A and B have so many registers. */
#define SMELT_FACTORS(na, nb, ...)                                                                 \
    SMELT_FACTOR(a, row, na, __VA_ARGS__)                                                          \
    SMELT_FACTOR(a, col, na, __VA_ARGS__)                                                          \
    SMELT_FACTOR(b, row, nb, __VA_ARGS__)                                                          \
    SMELT_FACTOR(b, col, nb, __VA_ARGS__)

#define SMELT_SUMS(n, M, N, K, T, ptx, c)                                                          \
    template <>                                                                                    \
    class fragment<accumulator, M, N, K, T>                                                        \
        : public __smelt_fragment<T, n * sizeof(SMELT_KIND_##c)>                                   \
    {                                                                                              \
    };                                                                                             \
    SMELT_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p,           \
                                       unsigned int stride, layout_t layout)                       \
    {                                                                                              \
        SMELT_KIND_##c regs[n];                                                                    \
        if (layout == mem_row_major)                                                               \
            SMELT_LOAD("c", "row", SMELT_SHAPE(M, N, K), ptx, c, n);                               \
        else                                                                                       \
            SMELT_LOAD("c", "col", SMELT_SHAPE(M, N, K), ptx, c, n);                               \
        f.put(regs);                                                                               \
    }                                                                                              \
    SMELT_DEVICE void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f,          \
                                        unsigned int stride, layout_t layout)                      \
    {                                                                                              \
        SMELT_KIND_##c regs[n];                                                                    \
        f.get(regs);                                                                               \
        if (layout == mem_row_major)                                                               \
            SMELT_STORE("row", SMELT_SHAPE(M, N, K), ptx, c, n);                                   \
        else                                                                                       \
            SMELT_STORE("col", SMELT_SHAPE(M, N, K), ptx, c, n);                                   \
    }

/* --- mma: registers ra and rb of kind c, rd and rc of kinds cd and cc --- */

#define SMELT_MMA_LISTS(nd, na, nb, nc)                                                            \
    SMELT_LIST_##nd(rd) "," SMELT_LIST_##na(ra) "," SMELT_LIST_##nb(rb) "," SMELT_LIST_##nc(rc) ";"
#define SMELT_MMA(al, bl, shape, types, na, nb, c, nd, cd, nc, cc)                                 \
    asm("wmma.mma.sync.aligned." al "." bl "." shape "." types " " SMELT_MMA_LISTS(nd, na, nb, nc) \
        : SMELT_REGS_##nd(rd, "=" #cd)                                                             \
        : SMELT_REGS_##na(ra, #c), SMELT_REGS_##nb(rb, #c), SMELT_REGS_##nc(rc, #cc))

#define SMELT_PRODUCT_HEAD(al, bl, M, N, K, T, TD, TC)                                             \
    SMELT_DEVICE void mma_sync(fragment<accumulator, M, N, K, TD> &d,                              \
                               const fragment<matrix_a, M, N, K, T, al##_major> &a,                \
                               const fragment<matrix_b, M, N, K, T, bl##_major> &b,                \
                               const fragment<accumulator, M, N, K, TC> &sum
#define SMELT_PRODUCT_REGISTERS(na, nb, c, nd, cd, nc, cc)                                         \
    SMELT_KIND_##c ra[na], rb[nb];                                                                 \
    SMELT_KIND_##cc rc[nc];                                                                        \
    SMELT_KIND_##cd rd[nd];                                                                        \
    a.get(ra), b.get(rb), sum.get(rc);

#define SMELT_PRODUCT(al, bl, M, N, K, T, TD, TC, types, ...)                                      \
    SMELT_PRODUCT_HEAD(al, bl, M, N, K, T, TD, TC))                                                \
    {                                                                                              \
        SMELT_PRODUCT_REGISTERS(__VA_ARGS__)                                                       \
        SMELT_MMA_OF(#al, #bl, SMELT_SHAPE(M, N, K), types, __VA_ARGS__);                          \
        d.put(rd);                                                                                 \
    }
/* satf by computing, since PTX has it no more. */
#define SMELT_PRODUCT_HALF(al, bl, M, N, K, T, TD, TC, types, ...)                                 \
    SMELT_PRODUCT_HEAD(al, bl, M, N, K, T, TD, TC), bool satf = false)                             \
    {                                                                                              \
        SMELT_PRODUCT_REGISTERS(__VA_ARGS__)                                                       \
        SMELT_MMA_OF(#al, #bl, SMELT_SHAPE(M, N, K), types, __VA_ARGS__);                          \
        d.put(rd);                                                                                 \
        for (unsigned int i = 0; satf && i < d.num_elements; i++)                                  \
            __smelt_saturate(d.x[i]);                                                              \
    }
#define SMELT_PRODUCT_INT(al, bl, M, N, K, T, TD, TC, types, ...)                                  \
    SMELT_PRODUCT_HEAD(al, bl, M, N, K, T, TD, TC), bool satf = false)                             \
    {                                                                                              \
        SMELT_PRODUCT_REGISTERS(__VA_ARGS__)                                                       \
        if (satf)                                                                                  \
            SMELT_MMA_OF(#al, #bl, SMELT_SHAPE(M, N, K), types ".satfinite", __VA_ARGS__);         \
        else                                                                                       \
            SMELT_MMA_OF(#al, #bl, SMELT_SHAPE(M, N, K), types, __VA_ARGS__);                      \
        d.put(rd);                                                                                 \
    }
#define SMELT_MMA_OF(...) SMELT_MMA(__VA_ARGS__)
#define SMELT_LAYOUTS(F, ...)                                                                      \
    F(row, row, __VA_ARGS__)                                                                       \
    F(row, col, __VA_ARGS__) F(col, row, __VA_ARGS__) F(col, col, __VA_ARGS__)

/* --- __half --- */

#define SMELT_WMMA(M, N, K)                                                                        \
    SMELT_FACTORS(8, 8, M, N, K, __half, "f16", r)                                                 \
    SMELT_SUMS(4, M, N, K, __half, "f16", r)                                                       \
    SMELT_SUMS(8, M, N, K, float, "f32", f)                                                        \
    SMELT_LAYOUTS(SMELT_PRODUCT_HALF, M, N, K, __half, __half, __half, "f16.f16", 8, 8, r, 4, r,   \
                  4, r)                                                                            \
    SMELT_LAYOUTS(SMELT_PRODUCT_HALF, M, N, K, __half, __half, float, "f16.f32", 8, 8, r, 4, r, 8, \
                  f)                                                                               \
    SMELT_LAYOUTS(SMELT_PRODUCT_HALF, M, N, K, __half, float, __half, "f32.f16", 8, 8, r, 8, f, 4, \
                  r)                                                                               \
    SMELT_LAYOUTS(SMELT_PRODUCT_HALF, M, N, K, __half, float, float, "f32.f32", 8, 8, r, 8, f, 8, f)
SMELT_WMMA(16, 16, 16)
SMELT_WMMA(32, 8, 16)
SMELT_WMMA(8, 32, 16)
#undef SMELT_WMMA

/* --- bytes --- */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
#define SMELT_WMMA(M, N, K, na, nb)                                                                \
    SMELT_FACTORS(na, nb, M, N, K, signed char, "s8", r)                                           \
    SMELT_FACTORS(na, nb, M, N, K, unsigned char, "u8", r)                                         \
    SMELT_SUMS(8, M, N, K, int, "s32", r)                                                          \
    SMELT_LAYOUTS(SMELT_PRODUCT_INT, M, N, K, signed char, int, int, "s32.s8.s8.s32", na, nb, r,   \
                  8, r, 8, r)                                                                      \
    SMELT_LAYOUTS(SMELT_PRODUCT_INT, M, N, K, unsigned char, int, int, "s32.u8.u8.s32", na, nb, r, \
                  8, r, 8, r)
SMELT_WMMA(16, 16, 16, 2, 2)
SMELT_WMMA(32, 8, 16, 4, 1)
SMELT_WMMA(8, 32, 16, 1, 4)
#undef SMELT_WMMA
#endif

/* --- __nv_bfloat16, tf32, double --- */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define SMELT_WMMA(M, N, K, na, nb)                                                                \
    SMELT_FACTORS(na, nb, M, N, K, __nv_bfloat16, "bf16", r)                                       \
    SMELT_LAYOUTS(SMELT_PRODUCT, M, N, K, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", na,    \
                  nb, r, 8, f, 8, f)
SMELT_WMMA(16, 16, 16, 4, 4)
SMELT_WMMA(32, 8, 16, 8, 2)
SMELT_WMMA(8, 32, 16, 2, 8)
#undef SMELT_WMMA

SMELT_FACTORS(4, 4, 16, 16, 8, precision::tf32, "tf32", r)
SMELT_SUMS(8, 16, 16, 8, float, "f32", f)
SMELT_LAYOUTS(SMELT_PRODUCT, 16, 16, 8, precision::tf32, float, float, "f32.tf32.tf32.f32", 4, 4, r,
              8, f, 8, f)

SMELT_FACTORS(1, 1, 8, 8, 4, double, "f64", d)
SMELT_SUMS(2, 8, 8, 4, double, "f64", d)
SMELT_LAYOUTS(SMELT_PRODUCT, 8, 8, 4, double, double, double, "f64.f64.f64.f64", 1, 1, d, 2, d, 2,
              d)
#endif

#undef SMELT_KIND_r
#undef SMELT_KIND_f
#undef SMELT_KIND_d
#undef SMELT_NAMED_2
#undef SMELT_NAMED_4
#undef SMELT_LIST_1
#undef SMELT_LIST_2
#undef SMELT_LIST_4
#undef SMELT_LIST_8
#undef SMELT_REG
#undef SMELT_REGS_1
#undef SMELT_REGS_2
#undef SMELT_REGS_4
#undef SMELT_REGS_8
#undef SMELT_SHAPE
#undef SMELT_LOAD
#undef SMELT_STORE
#undef SMELT_FACTOR
#undef SMELT_FACTORS
#undef SMELT_SUMS
#undef SMELT_MMA_LISTS
#undef SMELT_MMA
#undef SMELT_MMA_OF
#undef SMELT_PRODUCT_HEAD
#undef SMELT_PRODUCT_REGISTERS
#undef SMELT_PRODUCT
#undef SMELT_PRODUCT_HALF
#undef SMELT_PRODUCT_INT
#undef SMELT_LAYOUTS

} // namespace wmma

} // namespace nvcuda

#endif

#endif

#endif
