/* cmd_run.c -- smelt run: its options, and the parts that all kinds of programs share. */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/cli.h"
#include "cli/run.h"
#include "workload/runnable.h"

/* --- options --- */

static bool common_option(struct program_run *r, struct cli_args *a)
{
    const char *value = NULL;
    struct err e;
    for (u32 i = 0; i < n_setting; i++) {
        const struct setting *s = &setting_row[i];
        if (s->has_value ? !cli_option(a, s->option, &value) : !cli_flag(a, s->option))
            continue;
        if (!a->failed && !s->take(&r->settings, value, &e)) {
            err_tell(&e);
            a->failed = true;
        }
        return true;
    }
    return false;
}

static bool ptx_option(struct program_run *r, struct cli_args *a)
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

/* --- what PROGRAM is --- */

static bool check_options(const struct program_run *r, struct err *e)
{
    const char *stray = r->kernel       ? "--kernel"
                        : r->grid_text  ? "--grid"
                        : r->block_text ? "--block"
                        : r->smem_text  ? "--smem"
                        : r->arg.n      ? "--arg"
                        : r->dump.n     ? "--dump"
                                        : NULL;
    if (stray && strcmp(r->report.kind, "ptx") != 0)
        return err_set(e, "%s is for .ptx files; a %s says that itself", stray,
                       r->report.kind[0] == 'j' ? "job file" : "CUDA program");
    return true;
}

/* --- running in this process --- */

static void watch_run(struct program_run *r)
{
    report_catch_signals();
    r->dev->opts.stop = &report_stop_wanted;
    if (!r->settings.quiet)
        report_show_progress(r->dev);
}

/* Tells what went wrong, writes the JSON and the summary; the exit status. */
static int finish_run(struct program_run *r, const struct err *failure)
{
    log_progress_end();
    fflush(stdout); /* before anything on stderr */
    int status = failure ? err_tell(failure) : 0;
    bool written = report_end(&r->report, failure);
    if (!r->settings.quiet && r->dev->n_launch && status != ERR_USER)
        report_summary(r->dev);
    return status || written ? status : ERR_USER;
}

/* What a .ptx file is given instead of arguments, in one order. */
static void describe_ptx(struct program_run *r)
{
    const char *const said[][2] = {{"--kernel", r->kernel},
                                   {"--grid", r->grid_text},
                                   {"--block", r->block_text},
                                   {"--smem", r->smem_text}};
    for (u32 i = 0; i < LEN(said); i++)
        if (said[i][1])
            *VEC_ADD(&r->word) = said[i][0], *VEC_ADD(&r->word) = said[i][1];
    for (u32 i = 0; i < r->arg.n; i++)
        *VEC_ADD(&r->word) = "--arg", *VEC_ADD(&r->word) = r->arg.at[i];
    *VEC_ADD(&r->word) = NULL;
    r->report.args = (char **)(uintptr_t)r->word.at;
}

/* The hash of a .ptx file is that of its one module, since it may come from a pipe. */
static bool describe_program(struct program_run *r, struct err *e)
{
    if (r->report.kind[0] == 'j')
        return hash_file(r->program, r->report.hash, e);
    describe_ptx(r);
    return true;
}

static int run_here(struct program_run *r)
{
    struct err e;
    int status;
    r->dev = r->report.dev = device_of_settings(&r->settings, &e);
    if (!r->dev)
        return err_tell(&e);
    watch_run(r);
    if (!describe_program(r, &e) || !report_begin(&r->report, &e))
        status = err_tell(&e);
    else if (r->report.kind[0] == 'j' ? run_job(r, &e) : run_ptx(r, &e))
        status = finish_run(r, NULL);
    else
        status = finish_run(r, &e);
    report_free(&r->report);
    device_free(r->dev);
    return status;
}

static int check_and_run(struct program_run *r, const struct cli_args *a)
{
    struct err e;
    if (!r->program)
        return cli_misuse(a, "run what? no program was given");
    if (!r->report.kind) {
        runnable_none(r->program, &e);
        return err_tell(&e);
    }
    if (!check_options(r, &e))
        return err_tell(&e);
    return r->report.kind[0] == 'c' ? run_cuda(r) : run_here(r);
}

/* Everything after a CUDA program is the program's; also if it is not there, which is told then. */
static int parse_and_run(struct program_run *r, struct cli_args *a)
{
    while (cli_more(a)) {
        const char *word;
        if (common_option(r, a) || ptx_option(r, a))
            continue;
        if (!cli_word(a, &word))
            return cli_unknown(a);
        if (r->program)
            return cli_misuse(a, "run takes one program, not also '%s'", word);
        r->program = r->report.program = word;
        r->report.kind = runnable_kind(word);
        if (!r->report.kind || r->report.kind[0] == 'c') {
            r->args = a->argv + a->at;
            break;
        }
    }
    return a->failed ? ERR_USER : check_and_run(r, a);
}

int cmd_run(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct program_run r = {0};
    settings_init(&r.settings);
    r.report.settings = &r.settings;
    int status = parse_and_run(&r, &a);
    settings_free(&r.settings);
    VEC_FREE(&r.arg);
    VEC_FREE(&r.dump);
    VEC_FREE(&r.word);
    return status;
}

/* --- for run_ptx and run_job --- */

struct program *run_load(struct program_run *r, const char *path, struct err *e)
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
bool run_launch(struct program_run *r, struct program *p, const char *kernel, const u32 grid[3],
                const u32 block[3], u32 smem, const u8 *param, struct err *e)
{
    if (!device_run(r->dev, p, kernel, grid, block, smem, param, e))
        return false;
    report_update(&r->report);
    return true;
}
