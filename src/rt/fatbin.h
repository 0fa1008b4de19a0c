/*
 * fatbin.h -- what the compiler's start-up code hands over before main: device code and its names.
 *
 * `smelt cc` puts the PTX text itself where a real CUDA program has a container of machine code.
 * The functions are known by name to clang and to nvcc; no CUDA header declares them.
 */
#ifndef RT_FATBIN_H
#define RT_FATBIN_H

#include <cuda_runtime_api.h>

#define FATBIN_MAGIC 0x466243b1u

struct fatbin {
    unsigned int magic, version;
    const char *text; /* PTX, zero-terminated */
    void *unused;
};

#pragma GCC visibility push(default)

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
char __cudaInitModule(void **handle);
int __cudaRegisterFunction(void **handle, const char *stub, char *device_name, const char *name,
                           int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid,
                           int *warp_size);
void __cudaRegisterVar(void **handle, char *shadow, char *device_name, const char *name,
                       int is_extern, size_t size, int is_constant, int is_global);
void __cudaRegisterManagedVar(void **handle, void **shadow, char *device_name, const char *name,
                              int is_extern, size_t size, int is_constant, int is_global);
void __cudaRegisterTexture(void **handle, const struct textureReference *ref,
                           const void **device_name, const char *name, int dims, int to_float,
                           int is_extern);
void __cudaRegisterSurface(void **handle, const struct surfaceReference *ref,
                           const void **device_name, const char *name, int dims, int is_extern);

#pragma GCC visibility pop

#endif
