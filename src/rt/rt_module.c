/*
 * rt_module.c -- PTX texts of the program, and the kernels, variables and textures in them.
 *
 * A compiled CUDA program registers its texts and names before main; nothing is parsed until one
 * of a text's names is used.  Names are found by the address of the host's stand-in for them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mangle.h"
#include "ptx/link/link.h"
#include "rt/fatbin.h"
#include "rt/rt_queue.h"

static VEC(struct rt_module *) modules;
static VEC(struct rt_kernel *) kernels;
static VEC(struct rt_symbol *) symbols;
static VEC(struct rt_texture *) textures;
static VEC(struct rt_surface *) surfaces;

/* --- texts --- */

struct rt_module *rt_module_new(const char *text, size_t len, const char *name, bool copy)
{
    struct rt_module *m = xcalloc(1, sizeof *m);

    m->whole.module = m;
    m->text = copy ? text_dup_n(text, len) : text;
    m->len = len;
    m->name = text_dup(name);
    m->owned = copy;
    m->live = true;
    *VEC_ADD(&modules) = m;
    return m;
}

/*
 * PTX begins with a directive or a comment; machine code of a real GPU with an ELF or own header.
 */
bool rt_looks_like_ptx(const char *text)
{
    text += strspn(text, " \t\r\n");
    return *text == '.' || *text == '/';
}

u64 rt_const_bytes(const struct program *p)
{
    u64 sum = 0;

    for (u32 i = 0; i < p->n_var; i++)
        if (p->var[i].space == PS_CONST)
            sum += p->var[i].size;
    return sum;
}

static bool const_fits(const struct program *p, struct err *e)
{
    u64 limit = rt.dev->conf.mem.const_size, sum = rt_const_bytes(p);

    return sum <= limit || err_set(e,
                                   "%s: %" PRIu64 " bytes of constant memory; there are %" PRIu64
                                   " (mem.const_size)",
                                   p->path, sum, limit);
}

static cudaError_t break_module(struct rt_module *m, cudaError_t code, const struct err *e)
{
    m->broken = code;
    m->why = text_dup(e->msg);
    rt_say(e);
    rt_report_refusal(e);
    return code;
}

cudaError_t rt_module_load(struct rt_module *m)
{
    struct err e;

    if (m->prog || m->broken != cudaSuccess)
        return m->broken;
    if (!rt_looks_like_ptx(m->text)) {
        err_set(&e, "%s: its device code is no PTX; build the program with `smelt cc`", m->name);
        return break_module(m, cudaErrorNoKernelImageForDevice, &e);
    }
    rt_queue_finish(); /* variables are new allocations: no kernel is to be in flight */
    u32 n_pin;
    struct var_pin *pin = rt_managed_pins(m, &n_pin);
    struct program *p = device_load_pinned(rt.dev, m->name, m->text, m->len, pin, n_pin, &e);

    free(pin);
    if (!p || !const_fits(p, &e))
        return break_module(m, cudaErrorInvalidPtx, &e);
    m->prog = p;
    if (!rt_managed_map(m, false, &e))
        return break_module(m, cudaErrorMapBufferObjectFailed, &e);
    m->grid = program_var(p, "__smelt_grid");
    return cudaSuccess;
}

bool rt_modules_reset(struct err *e)
{
    for (u32 i = 0; i < modules.n; i++)
        if (modules.at[i]->prog && !rt_managed_map(modules.at[i], true, e))
            return false;
    return true;
}

static struct rt_module *dropped_twin(const char *text, size_t len)
{
    for (u32 i = 0; i < modules.n; i++) {
        struct rt_module *m = modules.at[i];

        if (!m->live && m->owned && m->prog && m->len == len && !memcmp(m->text, text, len))
            return m;
    }
    return NULL;
}

cudaError_t rt_module_from_text(struct rt_module **m, const char *text, size_t len,
                                const char *name)
{
    struct rt_module *twin = dropped_twin(text, len);
    struct err e;

    if (twin) {
        twin->live = true;
        *m = twin;
        return device_reset_vars(rt.dev, twin->prog, &e) ? cudaSuccess
                                                         : rt_fail(cudaErrorUnknown, &e);
    }
    *m = rt_module_new(text, len, name, true);
    return rt_module_load(*m);
}

#define DROP_OF(list, m)                                                                           \
    do {                                                                                           \
        u32 kept = 0;                                                                              \
        for (u32 i = 0; i < (list)->n; i++) {                                                      \
            if ((list)->at[i]->module == (m))                                                      \
                free((list)->at[i]);                                                               \
            else                                                                                   \
                (list)->at[kept++] = (list)->at[i];                                                \
        }                                                                                          \
        (list)->n = kept;                                                                          \
    } while (0)

void rt_module_drop(struct rt_module *m)
{
    for (u32 i = 0; i < textures.n; i++)
        if (textures.at[i]->module == m && textures.at[i]->bound)
            rt_unbind(textures.at[i]);
    DROP_OF(&kernels, m);
    DROP_OF(&symbols, m);
    DROP_OF(&textures, m);
    DROP_OF(&surfaces, m);
    m->live = false;
}

/* --- names --- */

cudaError_t rt_kernel_resolve(struct rt_kernel *k)
{
    cudaError_t code = rt_module_load(k->module);
    struct err e;

    if (code != cudaSuccess || k->func)
        return code;
    k->func = program_kernel(k->module->prog, k->name, &e);
    return k->func ? cudaSuccess : rt_fail(cudaErrorInvalidDeviceFunction, &e);
}

cudaError_t rt_kernel_find(const void *stub, struct rt_kernel **k)
{
    for (u32 i = kernels.n; i-- > 0;)
        if (kernels.at[i]->stub == stub) {
            *k = kernels.at[i];
            return rt_kernel_resolve(*k);
        }
    return rt_fail_handle(cudaErrorInvalidDeviceFunction, stub, "kernel of this program");
}

static cudaError_t symbol_resolve(struct rt_symbol *s)
{
    cudaError_t code = rt_module_load(s->module);

    if (code != cudaSuccess || s->var)
        return code;
    struct var *v = program_var(s->module->prog, s->name);

    if (!v || v->is_texture)
        return rt_fail_text(cudaErrorInvalidSymbol, "%s has no variable '%s'", s->module->name,
                            s->name);
    s->var = v;
    return cudaSuccess;
}

/* Before CUDA 5 a variable could also be given by its name, "table". */
static bool is_written_name(const void *given, const char *name)
{
    char written[256];
    const char *text = mangle_show(name, written, sizeof written);
    u64 at = (u64)(uintptr_t)given;

    return rt_is_host(at) && rt_is_host(at + strlen(text)) && strcmp(given, text) == 0;
}

const struct rt_symbol *rt_symbol_at(u32 i)
{
    return i < symbols.n ? symbols.at[i] : NULL;
}

cudaError_t rt_symbol_find(const void *shadow, struct rt_symbol **s)
{
    *s = NULL;
    for (u32 i = symbols.n; i-- > 0 && !*s;)
        if (symbols.at[i]->shadow == shadow)
            *s = symbols.at[i];
    for (u32 i = symbols.n; i-- > 0 && !*s;)
        if (is_written_name(shadow, symbols.at[i]->name))
            *s = symbols.at[i];
    if (*s)
        return symbol_resolve(*s);
    return rt_fail_handle(cudaErrorInvalidSymbol, shadow, "__device__ or __constant__ variable");
}

cudaError_t rt_texture_find(const struct textureReference *ref, struct rt_texture **t)
{
    for (u32 i = textures.n; ref && i-- > 0;)
        if (textures.at[i]->ref == ref || is_written_name(ref, textures.at[i]->name)) {
            *t = textures.at[i];
            return rt_module_load((*t)->module);
        }
    return rt_fail_handle(cudaErrorInvalidTexture, ref, "texture reference of this program");
}

cudaError_t rt_surface_find(const struct surfaceReference *ref, struct rt_surface **s)
{
    for (u32 i = surfaces.n; ref && i-- > 0;)
        if (surfaces.at[i]->ref == ref || is_written_name(ref, surfaces.at[i]->name)) {
            *s = surfaces.at[i];
            return rt_module_load((*s)->module);
        }
    return rt_fail_handle(cudaErrorInvalidSurface, ref, "surface reference of this program");
}

struct rt_texture *rt_texture_by_name(struct rt_module *m, const char *name)
{
    const struct var *v = program_var(m->prog, name);

    for (u32 i = 0; i < textures.n; i++)
        if (textures.at[i]->module == m && !strcmp(textures.at[i]->name, name))
            return textures.at[i];
    if (!v || !v->is_texture)
        return NULL;
    struct rt_texture *t = xcalloc(1, sizeof *t);

    t->module = m;
    t->name = v->name;
    return *VEC_ADD(&textures) = t;
}

void rt_textures_forget(void)
{
    for (u32 i = 0; i < textures.n; i++)
        if (textures.at[i]->bound)
            rt_unbind(textures.at[i]);
}

/* --- registration, as a compiler's start-up code calls it --- */

static const char *program_name(void)
{
    static char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

    if (n <= 0)
        return "program";
    path[n] = 0;
    return text_base_name(path);
}

static struct rt_module *module_of(void **handle)
{
    return ((const struct rt_part *)handle)->module;
}

/* The name in the module's text. */
static const char *name_in(void **handle, const char *name)
{
    const struct rt_part *p = (const struct rt_part *)handle;

    return p->linked && mangle_is_local(name) ? ptx_link_name(name, p->number) : name;
}

static const char *fatbin_text(const struct fatbin *f)
{
    return f && f->magic == FATBIN_MAGIC && f->text ? f->text : "";
}

void **__cudaRegisterFatBinary(void *wrapper)
{
    const char *text = fatbin_text(wrapper);

    struct rt_module *volatile m = NULL;

    RT_VOID(m = rt_module_new(text, strlen(text), program_name(), false));
    return m ? (void **)&m->whole : NULL;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    RT_VOID(rt_managed_begin(module_of(handle)));
}

void __cudaUnregisterFatBinary(void **handle)
{
    RT_VOID(rt_module_drop(module_of(handle)));
}

static u32 part_number(const struct linked *l, const char *text)
{
    char hex[HASH_HEX];
    u32 i = 0;

    hash_bytes(text, strlen(text), hex);
    while (i < l->n && strcmp(l->part[i], hex))
        i++;
    return i;
}

static void make_linked(struct linked *l, void *wrapper, struct rt_part *p)
{
    if (!l->module)
        l->module = rt_module_new(l->text, strlen(l->text), program_name(), false);
    *p = (struct rt_part){l->module, true, part_number(l, fatbin_text(wrapper))};
}

static void register_part(struct linked *l, void *wrapper, struct rt_part *p)
{
    RT_VOID(make_linked(l, wrapper, p));
}

static void begin_managed(struct rt_module *m)
{
    RT_VOID(rt_managed_begin(m));
}

void __smeltRegisterLinked(struct linked *l, void (*names)(void **), void *wrapper)
{
    struct rt_part p = {0};

    register_part(l, wrapper, &p);
    names((void **)&p);
    begin_managed(p.module);
}

char __cudaInitModule(void **handle)
{
    (void)handle;
    return 1;
}

static void new_kernel(void **handle, const char *stub, const char *name)
{
    struct rt_kernel *k = xcalloc(1, sizeof *k);

    k->stub = stub;
    k->module = module_of(handle);
    k->name = name_in(handle, name);
    *VEC_ADD(&kernels) = k;
}

static void add_kernel(void **handle, const char *stub, const char *name)
{
    RT_VOID(new_kernel(handle, stub, name));
}

int __cudaRegisterFunction(void **handle, const char *stub, char *device_name, const char *name,
                           int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid,
                           int *warp_size)
{
    (void)device_name, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid;
    (void)warp_size;
    add_kernel(handle, stub, name);
    return 0;
}

static void new_symbol(void **handle, const char *shadow, const char *name)
{
    struct rt_symbol *s = xcalloc(1, sizeof *s);

    s->shadow = shadow;
    s->module = module_of(handle);
    s->name = name_in(handle, name);
    s->managed = rt_is_managed(shadow);
    *VEC_ADD(&symbols) = s;
}

/* The size is the PTX's: compilers disagree on the type of this parameter. */
void __cudaRegisterVar(void **handle, char *shadow, char *device_name, const char *name,
                       int is_extern, size_t size, int is_constant, int is_global)
{
    (void)device_name, (void)is_extern, (void)size, (void)is_constant, (void)is_global;
    RT_VOID(new_symbol(handle, shadow, name));
}

static void new_texture(void **handle, const struct textureReference *ref, const char *name,
                        bool to_float)
{
    struct rt_texture *t = xcalloc(1, sizeof *t);

    t->ref = ref;
    t->module = module_of(handle);
    t->name = name_in(handle, name);
    t->to_float = to_float;
    *VEC_ADD(&textures) = t;
}

void __cudaRegisterTexture(void **handle, const struct textureReference *ref,
                           const void **device_name, const char *name, int dims, int to_float,
                           int is_extern)
{
    (void)device_name, (void)dims, (void)is_extern;
    RT_VOID(new_texture(handle, ref, name, to_float != 0));
}

static void new_surface(void **handle, const struct surfaceReference *ref, const char *name)
{
    struct rt_surface *s = xcalloc(1, sizeof *s);

    s->ref = ref;
    s->module = module_of(handle);
    s->name = name_in(handle, name);
    *VEC_ADD(&surfaces) = s;
}

void __cudaRegisterSurface(void **handle, const struct surfaceReference *ref,
                           const void **device_name, const char *name, int dims, int is_extern)
{
    (void)device_name, (void)dims, (void)is_extern;
    RT_VOID(new_surface(handle, ref, name));
}
