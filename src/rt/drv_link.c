/* drv_link.c -- the driver API's linker: PTX texts into one (see drv.h and ptx/link/link.h) */
#include <stdlib.h>
#include <string.h>

#include "ptx/link/link.h"
#include "rt/drv.h"

struct CUlinkState_st {
    struct ptx_link *link;
    char *image; /* NULL until it is complete */
    u32 n_input;
    unsigned int n_option; /* of cuLinkCreate: the values must live as long as this */
    CUjit_option *option;
    void **value;
};

static struct rt_handles states;

static cudaError_t state_check(CUlinkState s)
{
    return rt_handle_is_live(&states, s)
               ? cudaSuccess
               : rt_fail_handle(cudaErrorInvalidResourceHandle, s, "linker");
}

static cudaError_t create_link(unsigned int n, const CUjit_option *option, void **value,
                               CUlinkState *out)
{
    if (!out || (n && (!option || !value)))
        return cudaErrorInvalidValue;
    struct CUlinkState_st *s = xcalloc(1, sizeof *s);

    s->link = ptx_link_new();
    s->n_option = n;
    s->option = xcalloc(n + 1, sizeof *option);
    if (n)
        memcpy(s->option, option, n * sizeof *option);
    s->value = value;
    rt_handle_add(&states, s);
    *out = s;
    return cudaSuccess;
}

CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues,
                      CUlinkState *stateOut)
{
    DRV_API(create_link(numOptions, options, optionValues, stateOut));
}
DRV_V2(cuLinkCreate);

static cudaError_t fail_link(CUlinkState s, cudaError_t code, const struct err *e)
{
    drv_put_logs(e->msg, s->n_option, s->option, s->value);
    return rt_fail(code, e);
}

/* A text may end with a 0 byte within its size, or without one at its end. */
static cudaError_t add_text(CUlinkState s, const char *text, size_t size, const char *name)
{
    char *number = text_printf("input %u", s->n_input++);
    const char *path = name && name[0] ? name : number;
    char *copy = text_dup_n(text, strnlen(text, size));
    struct err e;
    cudaError_t code = cudaSuccess;

    if (!rt_looks_like_ptx(copy)) {
        err_set(&e, "%s: it is no PTX; there is no machine code to link", path);
        code = fail_link(s, cudaErrorNoKernelImageForDevice, &e);
    } else if (!ptx_link_add(s->link, path, copy, strlen(copy), &e)) {
        code = fail_link(s, cudaErrorInvalidPtx, &e);
    }
    free(copy), free(number);
    return code;
}

/* What an archive without members is: nothing. */
static bool is_empty_library(CUjitInputType type, const char *bytes, size_t size)
{
    return type == CU_JIT_INPUT_LIBRARY && size == 8 && memcmp(bytes, "!<arch>\n", 8) == 0;
}

static cudaError_t add_link_input(CUlinkState s, CUjitInputType type, const char *bytes,
                                  size_t size, const char *name)
{
    struct err e;

    if (is_empty_library(type, bytes, size))
        return cudaSuccess;
    if (type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY) {
        err_set(&e, "%s: objects and libraries are linked by `smelt cc -dlink`; here PTX is",
                name ? name : "the input");
        return fail_link(s, cudaErrorNotSupported, &e);
    }
    return add_text(s, bytes, size, name);
}

static cudaError_t add_data(CUlinkState s, CUjitInputType type, const void *data, size_t size,
                            const char *name)
{
    cudaError_t code = state_check(s);

    if (code != cudaSuccess || !data || (u32)type > CU_JIT_INPUT_LIBRARY || s->image)
        return code != cudaSuccess ? code : cudaErrorInvalidValue;
    const char *text = type == CU_JIT_INPUT_FATBINARY ? drv_image_text(data) : data;

    return add_link_input(s, type, text, text == data ? size : strlen(text), name);
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned int numOptions, CUjit_option *options,
                       void **optionValues)
{
    (void)numOptions, (void)options, (void)optionValues;
    DRV_API(add_data(state, type, data, size, name));
}
DRV_V2(cuLinkAddData);

static cudaError_t add_input_file(CUlinkState s, CUjitInputType type, const char *path)
{
    cudaError_t code = state_check(s);
    struct err e;
    size_t size;

    if (code != cudaSuccess || !path || (u32)type > CU_JIT_INPUT_LIBRARY || s->image)
        return code != cudaSuccess ? code : cudaErrorInvalidValue;
    char *bytes = text_read_file(path, &size, &e);

    if (!bytes)
        return fail_link(s, cudaErrorFileNotFound, &e);
    code = add_link_input(s, type, bytes, size, path);
    free(bytes);
    return code;
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
                       unsigned int numOptions, CUjit_option *options, void **optionValues)
{
    (void)numOptions, (void)options, (void)optionValues;
    DRV_API(add_input_file(state, type, path));
}
DRV_V2(cuLinkAddFile);

static cudaError_t complete_link(CUlinkState s, void **image, size_t *size)
{
    cudaError_t code = state_check(s);
    struct err e;

    if (code != cudaSuccess || !image)
        return code != cudaSuccess ? code : cudaErrorInvalidValue;
    if (!s->image && !(s->image = ptx_link_finish(s->link, &e)))
        return fail_link(s, cudaErrorInvalidPtx, &e);
    drv_put_logs("", s->n_option, s->option, s->value);
    *image = s->image;
    if (size)
        *size = strlen(s->image) + 1;
    return cudaSuccess;
}

CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut)
{
    DRV_API(complete_link(state, cubinOut, sizeOut));
}

static cudaError_t destroy_link(CUlinkState s)
{
    cudaError_t code = state_check(s);

    if (code != cudaSuccess)
        return code;
    rt_handle_remove(&states, s);
    ptx_link_free(s->link);
    free(s->image), free(s->option), free(s);
    return cudaSuccess;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    DRV_API(destroy_link(state));
}
