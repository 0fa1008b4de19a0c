/*
 * kit.h -- running PTX from a test: text in, buffers in and out.
 *
 *     struct kit k;
 *     kit_open(&k, text, KIT_LOWER, "avx2");            fails the test if the text does not load
 *     u64 a = kit_buf(&k, data, sizeof data);
 *     kit_run(&k, "kernel", 1, 32, KIT_ARGS(a, b, 5u)); fails the test if the kernel does
 *     kit_get(&k, a, out, sizeof out);
 *     kit_close(&k);
 *
 * Parameters are 64-bit values laid out as the kernel declares them (a u32 takes the low half).
 */
#ifndef TESTS_KIT_H
#define TESTS_KIT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/device.h"
#include "tests/test_main.h"

enum kit_mode { KIT_LOWER, KIT_OFF };

struct kit {
    struct conf conf;
    struct device *d;
    struct program *p;
    struct err e;
};

#define KIT_ARGS(...) (const u64[]){__VA_ARGS__}, sizeof((const u64[]){__VA_ARGS__}) / sizeof(u64)

/* False and k->e instead of a failed test. */
static inline bool kit_try_open(struct kit *k, const char *text, enum kit_mode mode,
                                const char *isa, const char *gpu)
{
    const char *set[] = {mode == KIT_OFF ? "front.lower=off" : "front.lower=on"};
    struct run_opts opts = {.isa = isa, .functional = true};

    memset(k, 0, sizeof *k);
    if (!conf_make(&k->conf, gpu, set, 1, &k->e))
        return false;
    k->d = device_new(&k->conf, &opts, &k->e);
    if (k->d)
        k->p = device_load(k->d, "test.ptx", text, strlen(text), &k->e);
    return k->p != NULL;
}

static inline void kit_open(struct kit *k, const char *text, enum kit_mode mode, const char *isa)
{
    if (!kit_try_open(k, text, mode, isa, "gtx480")) {
        err_print(&k->e, stdout);
        fail_msg("the PTX does not load");
    }
}

static inline void kit_close(struct kit *k)
{
    device_free(k->d);
    conf_free(&k->conf);
}

static inline u64 kit_buf(struct kit *k, const void *data, u64 bytes)
{
    u64 a = device_alloc(k->d, bytes, &k->e);

    assert_true(a != 0);
    if (data)
        assert_true(device_write(k->d, a, data, bytes, &k->e));
    return a;
}

static inline void kit_get(struct kit *k, u64 addr, void *to, u64 bytes)
{
    assert_true(device_read(k->d, addr, to, bytes, &k->e));
}

/* Packs the values as the kernel's parameters and runs it; false and k->e if it fails. */
static inline bool kit_try(struct kit *k, const char *kernel, u32 grid, u32 block, const u64 *arg,
                           size_t n)
{
    const u32 g[3] = {grid, 1, 1}, b[3] = {block, 1, 1};
    struct func *f = program_kernel(k->p, kernel, &k->e);
    u8 param[4096] = {0};

    if (!f)
        return false;
    assert_int_equal(f->n_param, n);
    for (u32 i = 0; i < n; i++)
        memcpy(param + f->param[i].off, &arg[i], f->param[i].size > 8 ? 8 : f->param[i].size);
    return device_run(k->d, k->p, kernel, g, b, 0, param, &k->e);
}

static inline void kit_run(struct kit *k, const char *kernel, u32 grid, u32 block, const u64 *arg,
                           size_t n)
{
    if (!kit_try(k, kernel, grid, block, arg, n)) {
        err_print(&k->e, stdout);
        fail_msg("the kernel fails");
    }
}

#endif
