/* rt_symbol.c -- variables of kernels as the host names them: by the address of their shadow */
#include <inttypes.h>

#include "rt/rt.h"

static cudaError_t check_part(const void *shadow, size_t n, size_t offset, void **at)
{
    struct rt_symbol *s;
    cudaError_t code = rt_symbol_find(shadow, &s);

    if (code != cudaSuccess)
        return code;
    if (offset > s->var->size || n > s->var->size - offset)
        return rt_fail_text(cudaErrorInvalidValue,
                            "%zu bytes at offset %zu of variable '%s', which has %" PRIu64, n,
                            offset, s->name, s->var->size);
    *at = (void *)(uintptr_t)(s->var->addr + offset);
    return cudaSuccess;
}

/* `back`: the kind that says the opposite of what is done. */
static cudaError_t find_symbol_part(const void *symbol, size_t n, size_t offset,
                                    enum cudaMemcpyKind kind, enum cudaMemcpyKind back,
                                    cudaStream_t stream, void **at)
{
    cudaError_t code = rt_stream_check(stream);

    if (code == cudaSuccess)
        code = check_part(symbol, n, offset, at);
    if (code == cudaSuccess && (kind == cudaMemcpyHostToHost || kind == back))
        return rt_fail_text(cudaErrorInvalidMemcpyDirection, "a variable is on the device");
    return code;
}

static cudaError_t to_symbol(const void *symbol, const void *src, size_t n, size_t offset,
                             enum cudaMemcpyKind kind, cudaStream_t stream)
{
    void *at = NULL;
    cudaError_t code =
        find_symbol_part(symbol, n, offset, kind, cudaMemcpyDeviceToHost, stream, &at);

    return code == cudaSuccess ? rt_copy(at, src, n, kind, stream) : code;
}

static cudaError_t from_symbol(void *dst, const void *symbol, size_t n, size_t offset,
                               enum cudaMemcpyKind kind, cudaStream_t stream)
{
    void *at = NULL;
    cudaError_t code =
        find_symbol_part(symbol, n, offset, kind, cudaMemcpyHostToDevice, stream, &at);

    return code == cudaSuccess ? rt_copy(dst, at, n, kind, stream) : code;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    RT_API(rt_waited(to_symbol(symbol, src, count, offset, kind, NULL)));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    RT_ASYNC(to_symbol(symbol, src, count, offset, kind, stream));
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    RT_API(rt_waited(from_symbol(dst, symbol, count, offset, kind, NULL)));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    RT_ASYNC(from_symbol(dst, symbol, count, offset, kind, stream));
}

static cudaError_t symbol_address(void **at, const void *symbol)
{
    return at ? check_part(symbol, 0, 0, at) : cudaErrorInvalidValue;
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
    RT_API(symbol_address(devPtr, symbol));
}

static cudaError_t symbol_size(size_t *size, const void *symbol)
{
    struct rt_symbol *s;
    cudaError_t code = size ? rt_symbol_find(symbol, &s) : cudaErrorInvalidValue;

    if (code == cudaSuccess)
        *size = s->var->size;
    return code;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    RT_API(symbol_size(size, symbol));
}
