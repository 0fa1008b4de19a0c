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

/*
 * Device code of several objects, joined by `smelt cc -dlink` (cc/cc_dlink.h).  Each object still
 * has its own text, by whose hash it is found among the parts: its number there is the one that
 * names of this object alone have in the joined text (ptx/link/link.h).
 */
struct linked {
    const char *text, *const *part;
    unsigned int n;
    void *module; /* NULL until the first of them is registered */
};

#pragma GCC visibility push(default)

/* Calls names(handle), which registers what the object whose fat binary is `wrapper` has. */
void __smeltRegisterLinked(struct linked *l, void (*names)(void **), void *wrapper);

/* Variables in begin..end are __managed__: called before those of the same object are registered. */
void __smeltRegisterManaged(void *begin, void *end);

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
char __cudaInitModule(void **handle);
int __cudaRegisterFunction(void **handle, const char *stub, char *device_name, const char *name,
                           int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid,
                           int *warp_size);
void __cudaRegisterVar(void **handle, char *shadow, char *device_name, const char *name,
                       int is_extern, size_t size, int is_constant, int is_global);
void __cudaRegisterTexture(void **handle, const struct textureReference *ref,
                           const void **device_name, const char *name, int dims, int to_float,
                           int is_extern);
void __cudaRegisterSurface(void **handle, const struct surfaceReference *ref,
                           const void **device_name, const char *name, int dims, int is_extern);

#pragma GCC visibility pop

#endif
