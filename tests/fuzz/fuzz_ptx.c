/*
 * fuzz_ptx.c -- any bytes at all as PTX: loaded, lowered or not, and run.
 *
 * The reader answers with a program or a message; a program's first kernel runs for a
 * while with parameters that are all zero, and ends well or with a fault.  Nothing of
 * it touches the simulator's own memory, and nothing is left behind.
 */
#include "base/log.h"
#include "base/text.h"
#include "gpu/device.h"

enum { MAX_INSTS = 2000, MAX_PARAM = 65536, MAX_LOCAL = 65536 };

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static const struct func *first_kernel(const struct program *p)
{
    for (u32 i = 0; i < p->n_func; i++)
        if (p->func[i].is_entry && p->func[i].n_inst)
            return &p->func[i];
    return NULL;
}

/* Kernels that want much memory only cost time. */
static void run_kernel(struct device *d, struct program *p)
{
    static const u8 param[MAX_PARAM];
    const u32 one[3] = {1, 1, 1}, block[3] = {32, 1, 1};
    const struct func *f = first_kernel(p);
    struct err e;

    if (f && f->param_bytes <= MAX_PARAM && f->local <= MAX_LOCAL)
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
    const struct run_opts opts = {.max_insts = MAX_INSTS, .check = true};
    struct err e;
    struct device *d = device_new(tiny(lower), &opts, &e);
    struct program *p = d ? device_load(d, "fuzz.ptx", text, size, &e) : NULL;

    if (p)
        run_kernel(d, p);
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
