/*
 * cuda_pipeline_primitives.h -- copies of a thread to shared memory, as functions of C.
 *
 * A copy has been made when it returns (smelt/copy.h), so that committing and waiting say nothing.
 */
#ifndef CUDA_PIPELINE_PRIMITIVES_H
#define CUDA_PIPELINE_PRIMITIVES_H

#if defined(__cplusplus) && defined(__CUDACC__)

#include <smelt/copy.h>

/* size is 4, 8 or 16; the last `zfill` bytes are not read, but zero. */
SMELT_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zfill = 0)
{
    if (!zfill) {
        __smelt::copy(to, from, size, 0, 1);
        return;
    }
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = i < size - zfill ? ((const char *)from)[i] : 0;
}

SMELT_DEVICE void __pipeline_commit(void)
{
}

SMELT_DEVICE void __pipeline_wait_prior(size_t prior)
{
    (void)prior;
    __smelt_memory();
}

#endif

#endif
