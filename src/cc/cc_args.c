/* cc_args.c -- reads the command line of smelt cc (see cc.h). */
#include <string.h>

#include "base/text.h"
#include "cc/cc_options.h"

static enum cc_kind kind_of_input(const struct cc *c, const char *path)
{
    static const char *const cxx[] = {".cpp", ".cc", ".cxx", ".C", ".c++", ".ii"};
    if (c->language)
        return strcmp(c->language, "cu") == 0  ? CC_CUDA
               : strcmp(c->language, "c") == 0 ? CC_C
                                               : CC_CXX;
    if (cc_ends(path, ".cu"))
        return CC_CUDA;
    if (cc_ends(path, ".c") || cc_ends(path, ".i") || cc_ends(path, ".s") || cc_ends(path, ".S"))
        return CC_C;
    for (u32 i = 0; i < LEN(cxx); i++)
        if (cc_ends(path, cxx[i]))
            return CC_CXX;
    return CC_OTHER;
}

/* -x is said once, before or after the files, but never meant for objects and libraries. */
static void add_input(struct cc *c, const char *path)
{
    *VEC_ADD(&c->input) = (struct cc_input){path, CC_OTHER, path};
}

static void name_kinds(struct cc *c)
{
    for (u32 i = 0; i < c->input.n; i++) {
        struct cc_input *in = &c->input.at[i];
        bool object = in->path[0] == '-' || cc_ends(in->path, ".o") || cc_ends(in->path, ".a") ||
                      cc_ends(in->path, ".so") || strstr(in->path, ".so.");
        in->kind = object ? CC_OTHER : kind_of_input(c, in->path);
    }
}

/* Options of clang itself: -f.. for host and device, -W.. for the host. */
static bool take_clang_option(struct cc *c, const char *arg)
{
    if (strcmp(arg, "-fopenmp") == 0)
        c->openmp = true;
    else if (text_begins(arg, "-Wl,") || strcmp(arg, "-pthread") == 0 ||
             strcmp(arg, "-rdynamic") == 0)
        cc_add(&c->link, arg, NULL);
    else if (text_begins(arg, "-W") || strcmp(arg, "-fPIC") == 0 || strcmp(arg, "-fpic") == 0 ||
             strcmp(arg, "-pipe") == 0 || text_begins(arg, "-g"))
        cc_add(&c->host, arg, NULL);
    else if (text_begins(arg, "-f"))
        cc_add(&c->host, arg, NULL), cc_add(&c->device, arg, NULL);
    else
        return false;
    return true;
}

static bool parse_words(struct cc *c, const struct cc_words *w, u32 depth, struct err *e);

static bool parse_file(struct cc *c, const char *path, u32 depth, struct err *e)
{
    if (depth > 8)
        return err_set(e, "@%s: a response file that names itself", path);
    char *text = text_read_file(path, NULL, e);
    if (!text)
        return false;
    struct cc_words list = {0};
    cc_split_text(c, text, &list);
    free(text);
    bool ok = parse_words(c, &list, depth + 1, e);
    VEC_FREE(&list);
    return ok;
}

static bool needs_value(const char *arg, struct err *e)
{
    return err_set(e, "option '%s' of cc needs a value; see smelt cc --help", arg);
}

/* --options-file X, --options-file=X: *apart says that X is the next argument. */
static bool parse_options_file(struct cc *c, const char *arg, const char *next, u32 depth,
                               bool *apart, struct err *e)
{
    const char *is = strchr(arg, '=');
    *apart = !is;
    if (!is && !next)
        return needs_value(arg, e);
    return parse_file(c, is ? is + 1 : next, depth, e);
}

static bool parse_option(struct cc *c, const char *arg, const char *next, bool *apart,
                         struct err *e)
{
    struct cc_found f;
    if (!cc_find_option(c, arg, next, &f))
        return take_clang_option(c, arg) || cc_unknown(arg, e);
    const struct cc_option *o = f.option;
    *apart = o->takes != NOTHING && !f.value;
    if (*apart && !next)
        return needs_value(arg, e);
    const char *value = *apart ? next : f.value;
    if (o->flag)
        *(bool *)((char *)c + o->flag) = true;
    if (o->text)
        *(const char **)(void *)((char *)c + o->text) = value;
    return !o->take || o->take(c, f.name, value, e);
}

static bool parse_words(struct cc *c, const struct cc_words *w, u32 depth, struct err *e)
{
    for (u32 i = 0; i < w->n; i++) {
        const char *arg = w->at[i], *next = i + 1 < w->n ? w->at[i + 1] : NULL;
        bool ok = true, apart = false;
        if (arg[0] == '@')
            ok = parse_file(c, arg + 1, depth, e);
        else if (text_begins(arg, "--options-file") || text_begins(arg, "-optf"))
            ok = parse_options_file(c, arg, next, depth, &apart, e);
        else if (arg[0] != '-')
            add_input(c, arg);
        else
            ok = parse_option(c, arg, next, &apart, e);
        if (!ok)
            return false;
        i += apart;
    }
    return true;
}

bool cc_parse(struct cc *c, int argc, char **argv, struct err *e)
{
    struct cc_words w = {0};
    for (int i = 1; i < argc; i++)
        cc_add(&w, argv[i], NULL);
    bool ok = parse_words(c, &w, 0, e) && cc_take_ptxas(c, e);
    VEC_FREE(&w);
    name_kinds(c);
    return ok;
}
