/* cmd_run.c -- smelt run: its options, and the parts that all kinds of programs share. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/run.h"

static bool parse_number(const char *option, const char *text, u64 min, u64 max, u64 *v,
                         struct err *e)
{
    if (!text_parse_u64(text, v))
        return err_set(e, "%s: '%s' is not a whole number", option, text);
    if (*v < min || *v > max)
        return err_set(e, "%s: %" PRIu64 " is outside %" PRIu64 "..%" PRIu64, option, *v, min, max);
    return true;
}

struct raw { /* options whose values are numbers, until all are read */
    const char *threads, *max_insts;
};

static bool common_option(struct run *r, struct cli_args *a, struct raw *raw)
{
    const char *value;
    if (cli_option(a, "--set", &value)) {
        *VEC_ADD(&r->set) = value;
        return true;
    }
    if (cli_flag(a, "--functional"))
        return r->functional = true;
    if (cli_flag(a, "--no-skip"))
        return r->no_skip = true;
    if (cli_flag(a, "--check"))
        return r->opts.check = true;
    return cli_option(a, "-g|--gpu", &r->gpu) || cli_option(a, "--json", &r->json) ||
           cli_option(a, "--threads", &raw->threads) ||
           cli_option(a, "--max-insts", &raw->max_insts) || cli_option(a, "--isa", &r->opts.isa);
}

static bool ptx_option(struct run *r, struct cli_args *a)
{
    const char *value;
    if (cli_option(a, "--arg", &value)) {
        *VEC_ADD(&r->arg) = value;
        return true;
    }
    if (cli_option(a, "--dump", &value)) {
        *VEC_ADD(&r->dump) = value;
        return true;
    }
    return cli_option(a, "--kernel", &r->kernel) || cli_option(a, "--grid", &r->grid_text) ||
           cli_option(a, "--block", &r->block_text) || cli_option(a, "--smem", &r->smem_text);
}

static bool parse_numbers(struct run *r, const struct raw *raw, struct err *e)
{
    u64 threads = 1;
    if (raw->threads && !parse_number("--threads", raw->threads, 1, 1024, &threads, e))
        return false;
    r->threads = (u32)threads;
    return !raw->max_insts ||
           parse_number("--max-insts", raw->max_insts, 1, UINT64_MAX, &r->opts.max_insts, e);
}

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

/* Standard input can only be PTX: a job's paths would be relative to nothing. */
static bool find_kind(struct run *r, struct err *e)
{
    if (strcmp(r->program, "-") == 0 || ends_with(r->program, ".ptx"))
        r->kind = "ptx";
    else if (ends_with(r->program, ".job"))
        r->kind = "job";
    else
        return err_set(e, "%s: a program is a file x.ptx or x.job", r->program);
    const char *stray = r->kernel       ? "--kernel"
                        : r->grid_text  ? "--grid"
                        : r->block_text ? "--block"
                        : r->smem_text  ? "--smem"
                        : r->arg.n      ? "--arg"
                        : r->dump.n     ? "--dump"
                                        : NULL;
    if (stray && r->kind[0] == 'j')
        return err_set(e, "%s is for .ptx files; a job file says that itself", stray);
    return true;
}

static bool start(struct run *r, struct err *e)
{
    struct conf c;
    if (!conf_make(&c, r->gpu, r->set.at, r->set.n, e))
        return false;
    r->dev = device_new(&c, &r->opts, e);
    conf_free(&c);
    return r->dev != NULL;
}

static int run_program(struct run *r)
{
    struct err e;
    if (!start(r, &e))
        return cli_fail(&e);
    int status;
    if (!report_begin(r, &e))
        status = cli_fail(&e);
    else if (r->kind[0] == 'j' ? run_job(r, &e) : run_ptx(r, &e))
        status = report_end(r, NULL);
    else
        status = report_end(r, &e);
    device_free(r->dev);
    return status;
}

static int check_and_run(struct run *r, const struct raw *raw, const struct cli_args *a)
{
    struct err e;
    if (!r->program)
        return cli_misuse(a, "run what? no program was given");
    if (!find_kind(r, &e) || !parse_numbers(r, raw, &e))
        return cli_fail(&e);
    if (!r->functional) {
        err_set(&e, "run: the timing model is not there yet; add --functional");
        return cli_fail(&e);
    }
    return run_program(r);
}

static int parse_and_run(struct run *r, struct cli_args *a)
{
    struct raw raw = {0};
    while (cli_more(a)) {
        const char *word;
        if (common_option(r, a, &raw) || ptx_option(r, a))
            continue;
        if (!cli_word(a, &word))
            return cli_unknown(a);
        if (r->program)
            return cli_misuse(a, "run takes one program, not also '%s'", word);
        r->program = word;
    }
    return a->failed ? ERR_USER : check_and_run(r, &raw, a);
}

int cmd_run(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct run r = {.gpu = CLI_GPU};
    int status = parse_and_run(&r, &a);
    VEC_FREE(&r.set);
    VEC_FREE(&r.arg);
    VEC_FREE(&r.dump);
    return status;
}

/* --- for run_ptx and run_job --- */

struct program *run_load(struct run *r, const char *path, struct err *e)
{
    size_t len;
    char *text = text_read_file(path, &len, e);
    if (!text)
        return NULL;
    struct program *p = device_load(r->dev, path, text, len, e);
    free(text);
    return p;
}

u32 run_pointer_bytes(const struct program *p)
{
    return p->ptx->address_size / 8;
}

/* The result is reported whether it is good or bad; the kernel's own failure is told first. */
bool run_launch(struct run *r, struct program *p, const char *kernel, const u32 grid[3],
                const u32 block[3], u32 smem, const u8 *param, struct err *e)
{
    if (!device_run(r->dev, p, kernel, grid, block, smem, param, e))
        return false;
    return report_update(r, e);
}
