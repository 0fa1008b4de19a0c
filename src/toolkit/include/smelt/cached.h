/*
 * cached.h -- loads and stores of global memory that say which caches they use: __ldca, __ldcg,
 * __ldcs, __ldlu, __ldcv; __stwb, __stcg, __stcs, __stwt.
 *
 * For every type of 1, 2, 4, 8 or 16 bytes, each in one access.
 */
#ifndef SMELT_CACHED_H
#define SMELT_CACHED_H

namespace __smelt
{

template <unsigned long Size> struct cached; /* there are no others */

/* A size: its type in PTX, the registers it is in, a type of theirs. */
#define CUDA_CACHED_LD(name, ptx, reg)                                                             \
    static __device__ __forceinline__ word name(const void *p)                                     \
    {                                                                                              \
        word v;                                                                                    \
        asm volatile("ld.global." #name "." ptx " %0, [%1];" : "=" reg(v) : "l"(p) : "memory");    \
        return v;                                                                                  \
    }
#define CUDA_CACHED_ST(name, ptx, reg)                                                             \
    static __device__ __forceinline__ void st_##name(void *p, word v)                              \
    {                                                                                              \
        asm volatile("st.global." #name "." ptx " [%0], %1;" : : "l"(p), reg(v) : "memory");       \
    }
#define CUDA_CACHED(size, ptx, reg, type)                                                          \
    template <> struct cached<size> {                                                              \
        typedef type word;                                                                         \
        CUDA_CACHED_ALL(CUDA_CACHED_LD, CUDA_CACHED_ST, ptx, reg)                                  \
    };
#define CUDA_CACHED_ALL(ld, st, ptx, reg)                                                          \
    ld(ca, ptx, reg) ld(cg, ptx, reg) ld(cs, ptx, reg) ld(lu, ptx, reg) ld(cv, ptx, reg)           \
        st(wb, ptx, reg) st(cg, ptx, reg) st(cs, ptx, reg) st(wt, ptx, reg)

CUDA_CACHED(1, "u8", "h", unsigned short)
CUDA_CACHED(2, "u16", "h", unsigned short)
CUDA_CACHED(4, "u32", "r", unsigned int)
CUDA_CACHED(8, "u64", "l", unsigned long long)

/* 16 bytes are two words of 8. */
#define CUDA_CACHED_LD2(name, ptx, reg)                                                            \
    static __device__ __forceinline__ word name(const void *p)                                     \
    {                                                                                              \
        word v;                                                                                    \
        asm volatile("ld.global." #name ".v2.u64 {%0, %1}, [%2];"                                  \
                     : "=l"(v.x), "=l"(v.y)                                                        \
                     : "l"(p)                                                                      \
                     : "memory");                                                                  \
        return v;                                                                                  \
    }
#define CUDA_CACHED_ST2(name, ptx, reg)                                                            \
    static __device__ __forceinline__ void st_##name(void *p, word v)                              \
    {                                                                                              \
        asm volatile("st.global." #name ".v2.u64 [%0], {%1, %2};"                                  \
                     :                                                                             \
                     : "l"(p), "l"(v.x), "l"(v.y)                                                  \
                     : "memory");                                                                  \
    }
template <> struct cached<16> {
    typedef ulonglong2 word;
    CUDA_CACHED_ALL(CUDA_CACHED_LD2, CUDA_CACHED_ST2, , )
};

#undef CUDA_CACHED_ST2
#undef CUDA_CACHED_LD2
#undef CUDA_CACHED
#undef CUDA_CACHED_ALL
#undef CUDA_CACHED_ST
#undef CUDA_CACHED_LD

} // namespace __smelt

#define CUDA_CACHED_LD(name)                                                                       \
    template <class Type> static __device__ __forceinline__ Type __ld##name(const Type *p)         \
    {                                                                                              \
        typename __smelt::cached<sizeof(Type)>::word bits;                                         \
        Type v;                                                                                    \
        bits = __smelt::cached<sizeof(Type)>::name(p);                                             \
        memcpy((void *)&v, &bits, sizeof(v));                                                      \
        return v;                                                                                  \
    }
#define CUDA_CACHED_ST(name)                                                                       \
    template <class Type> static __device__ __forceinline__ void __st##name(Type *p, Type v)       \
    {                                                                                              \
        typename __smelt::cached<sizeof(Type)>::word bits = {};                                    \
        memcpy(&bits, (const void *)&v, sizeof(v));                                                \
        __smelt::cached<sizeof(Type)>::st_##name(p, bits);                                         \
    }
CUDA_CACHED_LD(ca)
CUDA_CACHED_LD(cg)
CUDA_CACHED_LD(cs)
CUDA_CACHED_LD(lu)
CUDA_CACHED_LD(cv)
CUDA_CACHED_ST(wb)
CUDA_CACHED_ST(cg)
CUDA_CACHED_ST(cs)
CUDA_CACHED_ST(wt)
#undef CUDA_CACHED_ST
#undef CUDA_CACHED_LD

#endif
