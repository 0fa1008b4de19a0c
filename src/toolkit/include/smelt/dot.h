/*
 * dot.h -- __dp4a and __dp2a: products of the parts of two words, added up.  From sm_61 on.
 *
 * __dp4a multiplies four bytes by four bytes; __dp2a two halves of a by the lower or the upper two
 * bytes of b.
 */
#ifndef SMELT_DOT_H
#define SMELT_DOT_H

#define CUDA_DOT(name, op, type, of_a, of_b)                                                       \
    static __device__ __forceinline__ type name(type a, type b, type c)                            \
    {                                                                                              \
        type d;                                                                                    \
        __asm__(op " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                         \
        return d;                                                                                  \
    }                                                                                              \
    static __device__ __forceinline__ type name(of_a a, of_b b, type c)                            \
    {                                                                                              \
        type word_a, word_b;                                                                       \
        __builtin_memcpy(&word_a, &a, sizeof(word_a));                                             \
        __builtin_memcpy(&word_b, &b, sizeof(word_b));                                             \
        return name(word_a, word_b, c);                                                            \
    }

CUDA_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
CUDA_DOT(__dp4a, "dp4a.u32.u32", unsigned int, uchar4, uchar4)
CUDA_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
CUDA_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, ushort2, uchar4)
CUDA_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
CUDA_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, ushort2, uchar4)
#undef CUDA_DOT

#endif
