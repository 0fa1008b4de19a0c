/* cmd_cc.c -- smelt cc: which steps, in which order (see cc.h). */
#include <string.h>

#include "base/text.h"
#include "cc/cc.h"
#include "cli/cli.h"
#include "version.h"

/* FILE.suffix for folder/FILE.cu, in the current folder or -odir's. */
static const char *default_name(struct cc *c, const char *path, const char *suffix)
{
    const char *base = text_base_name(path), *dot = strrchr(base, '.');
    int n = (int)(dot ? dot - base : (ptrdiff_t)strlen(base));
    return cc_text(c, "%s%s%.*s%s", c->output_dir ? c->output_dir : "", c->output_dir ? "/" : "", n,
                   base, suffix);
}

static int make_ptx(struct cc *c, const struct cc_input *in, const char *to, bool terminate)
{
    struct err e;
    int status = cc_make_ptx(c, in, to);
    if (status == 0 && !cc_finish_ptx(c, in, to, terminate, &e))
        status = err_tell(&e);
    return status;
}

/* Device code of this file alone, unless told that there are others. */
static int check_own_names(struct cc *c, const struct cc_input *in, const char *ptx)
{
    struct err e;
    return c->dryrun || c->rdc || cc_check_names(in, ptx, &e) ? 0 : err_tell(&e);
}

/* PTX as the host's part has it in itself. */
static int make_inner_ptx(struct cc *c, const struct cc_input *in, const char *ptx)
{
    int status = make_ptx(c, in, ptx, true);
    return status ? status : check_own_names(c, in, ptx);
}

static int make_object(struct cc *c, struct cc_input *in, const char *to)
{
    const char *ptx = NULL;
    int status = 0;
    if (in->kind == CC_CUDA) {
        ptx = cc_temp(c, in->path, ".ptx");
        status = make_inner_ptx(c, in, ptx);
    }
    in->object = to;
    return status ? status : cc_make_object(c, in, ptx, to);
}

static int make_host_source(struct cc *c, const struct cc_input *in, const char *to)
{
    const char *ptx = cc_temp(c, in->path, ".ptx");
    int status = make_inner_ptx(c, in, ptx);
    return status ? status : cc_make_host_source(c, in, ptx, to);
}

static int compile_one(struct cc *c, struct cc_input *in)
{
    const char *to = c->output;
    switch (c->mode) {
    case CC_OBJECT:
        return make_object(c, in, to ? to : default_name(c, in->path, ".o"));
    case CC_PTX:
        return make_ptx(c, in, to ? to : default_name(c, in->path, ".ptx"), false);
    case CC_HOST_SOURCE:
        return make_host_source(c, in, to ? to : default_name(c, in->path, ".cu.cpp.ii"));
    case CC_PREPROCESS:
    case CC_DEPEND:
        return cc_preprocess(c, in, to);
    default:
        return make_object(c, in, cc_temp(c, in->path, ".o"));
    }
}

static int compile(struct cc *c)
{
    for (u32 i = 0; i < c->input.n; i++) {
        struct cc_input *in = &c->input.at[i];
        bool cuda_only = c->mode == CC_PTX || c->mode == CC_HOST_SOURCE;
        if (in->kind == CC_OTHER || (cuda_only && in->kind != CC_CUDA))
            continue;
        int status = compile_one(c, in);
        if (status)
            return status;
    }
    if (c->mode == CC_LINK)
        return cc_link(c, c->output ? c->output
                                    : default_name(c, c->shared ? "a.so" : "a.out",
                                                   c->shared ? ".so" : ".out"));
    if (c->mode == CC_DEVICE_LINK)
        return cc_device_link(c, c->output ? c->output : default_name(c, "a", "_dlink.o"));
    return c->mode == CC_ARCHIVE ? cc_archive(c, c->output ? c->output : "a.a") : 0;
}

static bool check_inputs(const struct cc *c, struct err *e)
{
    u32 n_source = 0, n_file = 0;
    for (u32 i = 0; i < c->input.n; i++) {
        n_source += c->input.at[i].kind != CC_OTHER;
        n_file += c->input.at[i].path[0] != '-';
    }
    if (!n_file)
        return err_set(e, "cc what? no file was given; see smelt cc --help");
    if (c->mode == CC_LINK || c->mode == CC_ARCHIVE || c->mode == CC_DEVICE_LINK)
        return true;
    if (!n_source)
        return err_set(e, "'%s' is no source file, so there is nothing to compile",
                       c->input.at[0].path);
    if (c->output && n_source > 1)
        return err_set(e, "one output (-o %s) for %u files that are compiled one by one", c->output,
                       n_source);
    return true;
}

/*
 * Build systems look for "release X.Y", some in the last line, and for the name of the compiler we
 * stand in for, some at the beginning of the first.
 */
static int print_nvcc_version(void)
{
    puts("nvcc: NVIDIA (R) Cuda compiler driver\n"
         "smelt cc " SMELT_VERSION ", on clang, in its place\n"
         "Cuda compilation tools, release 10.1, V10.1.105");
    return 0;
}

static int run_mode(struct cc *c, struct err *e)
{
    switch (c->mode) {
    case CC_HELP:
        return cli_help("cc");
    case CC_VERSION:
        return print_nvcc_version();
    case CC_LIST_ARCH:
    case CC_LIST_CODE:
        cc_list_sm(c->mode == CC_LIST_ARCH ? "compute_" : "sm_");
        return 0;
    case CC_PRINT_TOOLKIT:
        if (!cc_find_toolkit(c, e))
            return err_tell(e);
        puts(c->toolkit);
        return 0;
    default:
        if (!check_inputs(c, e) || !cc_find_tools(c, e))
            return err_tell(e);
        cc_show_settings(c);
        return compile(c);
    }
}

static void free_cc(struct cc *c)
{
    cc_clean(c);
    for (u32 i = 0; i < c->own.n; i++)
        free((char *)(uintptr_t)c->own.at[i]);
    struct cc_words *all[] = {&c->own,  &c->common, &c->host, &c->device,
                              &c->link, &c->depend, &c->ptxas};
    for (u32 i = 0; i < LEN(all); i++)
        VEC_FREE(all[i]);
    VEC_FREE(&c->input);
}

int cmd_cc(int argc, char **argv)
{
    struct cc c = {0};
    struct err e;
    cc_catch_signals();
    int status = cc_parse(&c, argc, argv, &e) ? run_mode(&c, &e) : err_tell(&e);
    free_cc(&c);
    cc_end_if_signalled();
    return status;
}
