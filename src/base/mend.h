/*
 * mend.h -- CUDA source that nvcc takes and clang does not, turned into what both take:
 *
 *     k << <1, 32 >> >(p);                        blanks within the marks of a launch
 *     asm("mov.u32 %0, %laneid;" : "=r"(x));      one % before a special register, beside operands
 *     __global__ __device__ void k(int *p);       a kernel with a function's word as well
 *     #pragma unroll 0                            which nvcc ignores
 *
 * Some of it hides in macros, so the text that is mended is preprocessed text; every line stays
 * where it was.  It may have the definitions of macros still in it (-dD), for `#pragma unroll N`,
 * which the preprocessor leaves to the compiler; they are taken out.  Not a parser: what is no C++
 * comes out as it went in.
 */
#ifndef BASE_MEND_H
#define BASE_MEND_H

#include "base/base.h"

/* May a program with this file in it need mending?  The file is as its author wrote it. */
bool mend_needed(const char *source);

/* The mended text, to be freed. */
char *mend_text(const char *preprocessed);

#endif
