/*
 * fuzz_ptx.c -- any bytes at all as PTX: loaded, lowered or not, and run.
 *
 * The reader answers with a program or a message; a program's first kernel runs for a
 * while with parameters that are all zero, and ends well or with a fault.  Its textures are
 * bound, each with other properties, to a buffer that some of them are too large for.
 * Nothing of it touches the simulator's own memory, and nothing is left behind.
 */
#include "base/log.h"
#include "base/text.h"
#include "gpu/device.h"

enum { MAX_INSTS = 2000, MAX_PARAM = 65536, MAX_KEPT = 65536 };

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static const struct func *first_kernel(const struct program *p)
{
    for (u32 i = 0; i < p->n_func; i++)
        if (p->func[i].is_entry && p->func[i].n_inst)
            return &p->func[i];
    return NULL;
}

/* Properties by the bits of the texture's number. */
static struct texture texture_number(u32 i, u64 addr)
{
    static const u32 bits[] = {32, 8, 16, 32}, channels[] = {1, 2, 4, 4};
    struct texture t = {.addr = addr, .width = 7, .height = 5, .pitch = 128};

    t.bits = bits[i % 4];
    t.channels = channels[i / 2 % 4];
    t.is_float = t.bits == 32 && i % 4 == 0;
    t.is_signed = i & 2;
    t.to_float = t.bits != 32 && i & 1;
    t.linear = (t.is_float || t.to_float) && i & 4;
    t.normalized = i & 4;
    t.depth = i & 8 ? 3 : 0;
    for (u32 d = 0; d < 3; d++)
        t.wrap[d] = (u8)((i + d) % (WRAP_MIRROR + 1));
    return t;
}

static void bind_textures(struct device *d, struct program *p)
{
    struct err e;
    u64 addr = device_alloc(d, 1024, &e);

    for (u32 i = 0, n = 0; addr && i < p->n_var; i++)
        if (p->var[i].is_texture) {
            const struct texture t = texture_number(n++, addr);

            device_bind_texture(d, p, p->var[i].name, &t, &e);
        }
}

/* What kernels print is made and thrown away. */
static void drop(void *arg, const char *text, size_t n)
{
    (void)arg, (void)text, (void)n;
}

/* Kernels that want much memory only cost time. */
static void run_kernel(struct device *d, struct program *p)
{
    static const u8 param[MAX_PARAM];
    const u32 one[3] = {1, 1, 1}, block[3] = {32, 1, 1};
    const struct func *f = first_kernel(p);
    struct err e;

    if (f && f->param_bytes <= MAX_PARAM && f->local <= MAX_KEPT)
        device_run(d, p, f->name, one, block, 256, param, &e);
}

/* Read once: a GPU is a file. */
static const struct conf *tiny(bool lower)
{
    static struct conf conf[2];
    static bool ready;
    const char *set[] = {"front.lower=off", "front.lower=on"};
    struct err e;

    for (u32 i = 0; i < 2 && !ready; i++)
        if (!conf_make(&conf[i], "tiny", &set[i], 1, &e))
            abort();
    ready = true;
    return &conf[lower];
}

static void load_and_run(const char *text, size_t size, bool lower)
{
    const struct run_opts opts = {
        .functional = true, .max_insts = MAX_INSTS, .check = true, .print = drop};
    struct err e;
    struct device *d = device_new(tiny(lower), &opts, &e);
    struct program *p = d ? device_load(d, "fuzz.ptx", text, size, &e) : NULL;

    if (p) {
        bind_textures(d, p);
        run_kernel(d, p);
    }
    device_free(d);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    char *text = text_dup_n((const char *)data, size);

    log_set_level(LOG_QUIET);
    load_and_run(text, size, true);
    load_and_run(text, size, false);
    free(text);
    return 0;
}
