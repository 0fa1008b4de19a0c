/* cc_options.c -- nvcc's options and what each one means (see cc_options.h). */
#include "cc/cc_options.h"

#include <string.h>

#include "base/text.h"

static bool take_common(struct cc *c, const char *name, const char *value, struct err *e)
{
    static const char *const names[][2] = {
        {"include-path", "I"},         {"define-macro", "D"},      {"undefine-macro", "U"},
        {"system-include", "isystem"}, {"pre-include", "include"},
    };
    (void)e;
    for (u32 i = 0; i < LEN(names); i++)
        if (strcmp(name, names[i][0]) == 0)
            name = names[i][1];
    cc_add(&c->common, cc_text(c, "-%s", name), value, NULL);
    return true;
}

static bool take_language(struct cc *c, const char *name, const char *value, struct err *e)
{
    (void)name;
    if (strcmp(value, "cu") && strcmp(value, "c") && strcmp(value, "c++"))
        return err_set(e, "option '-x %s': the languages are cu, c and c++", value);
    c->language = value;
    return true;
}

static bool take_mode(struct cc *c, const char *name, const char *value, struct err *e)
{
    static const struct {
        const char *name;
        enum cc_mode mode;
    } modes[] = {
        {"c", CC_OBJECT},
        {"compile", CC_OBJECT},
        {"dc", CC_OBJECT},
        {"device-c", CC_OBJECT},
        {"dw", CC_OBJECT},
        {"device-w", CC_OBJECT},
        {"ptx", CC_PTX},
        {"cubin", CC_PTX},
        {"fatbin", CC_PTX},
        {"cuda", CC_HOST_SOURCE},
        {"E", CC_PREPROCESS},
        {"preprocess", CC_PREPROCESS},
        {"lib", CC_ARCHIVE},
        {"link", CC_LINK},
        {"dlink", CC_DEVICE_LINK},
        {"device-link", CC_DEVICE_LINK},
        {"h", CC_HELP},
        {"help", CC_HELP},
        {"V", CC_VERSION},
        {"version", CC_VERSION},
        {"print-toolkit", CC_PRINT_TOOLKIT},
        {"list-gpu-arch", CC_LIST_ARCH},
        {"arch-ls", CC_LIST_ARCH},
        {"list-gpu-code", CC_LIST_CODE},
        {"code-ls", CC_LIST_CODE},
    };
    (void)value, (void)e;
    for (u32 i = 0; i < LEN(modes); i++)
        if (strcmp(modes[i].name, name) == 0)
            c->mode = modes[i].mode;
    c->rdc |= strcmp(name, "dc") == 0 || strcmp(name, "device-c") == 0;
    return true;
}

static bool take_rdc(struct cc *c, const char *name, const char *value, struct err *e)
{
    (void)name, (void)e;
    c->rdc = !value || strcmp(value, "true") == 0;
    return true;
}

/* -M and -MM print a rule instead of compiling; the others ask for one besides. */
static bool take_depend(struct cc *c, const char *name, const char *value, struct err *e)
{
    static const char *const names[][2] = {
        {"generate-dependencies", "M"},
        {"generate-nonsystem-dependencies", "MM"},
        {"generate-dependencies-with-compile", "MD"},
        {"generate-nonsystem-dependencies-with-compile", "MMD"},
        {"dependency-output", "MF"},
        {"dependency-target-name", "MT"},
        {"generate-dependency-targets", "MP"},
    };
    (void)e;
    for (u32 i = 0; i < LEN(names); i++)
        if (strcmp(name, names[i][0]) == 0)
            name = names[i][1];
    if (strcmp(name, "M") == 0 || strcmp(name, "MM") == 0)
        c->mode = CC_DEPEND;
    cc_add(&c->depend, cc_text(c, "-%s", name), value, NULL);
    return true;
}

static bool take_optimize(struct cc *c, const char *name, const char *value, struct err *e)
{
    (void)name, (void)e;
    c->optimize = cc_text(c, "-O%s", value);
    return true;
}

/* -m64 and -m32 are nvcc's; the host compiler's -march= and its like are let through. */
static bool take_machine(struct cc *c, const char *name, const char *value, struct err *e)
{
    static const char *const known[] = {
        "arch=", "tune=", "cpu=", "cmodel=", "fpmath=", "sse",    "ssse",
        "avx",   "fma",   "bmi",  "popcnt",  "no-",     "prefer-"};
    (void)name;
    if (strcmp(value, "64") == 0)
        return true;
    if (strcmp(value, "32") == 0)
        return err_set(e, "option '-m32': only 64-bit programs can be built");
    const char *arg = cc_text(c, "-m%s", value);
    for (u32 i = 0; i < LEN(known); i++)
        if (text_begins(value, known[i])) {
            cc_add(&c->host, arg, NULL);
            return true;
        }
    return cc_unknown(arg, e);
}

static bool take_host_flag(struct cc *c, const char *name, const char *value, struct err *e)
{
    (void)value, (void)e;
    static const char *const pairs[][2] = {
        {"debug", "-g"},
        {"g", "-g"},
        {"profile", "-pg"},
        {"pg", "-pg"},
        {"disable-warnings", "-w"},
        {"w", "-w"},
        {"no-exceptions", "-fno-exceptions"},
        {"noeh", "-fno-exceptions"},
    };
    for (u32 i = 0; i < LEN(pairs); i++)
        if (strcmp(pairs[i][0], name) == 0)
            cc_add(&c->host, pairs[i][1], NULL);
    if (strcmp(name, "pg") == 0 || strcmp(name, "profile") == 0)
        cc_add(&c->link, "-pg", NULL);
    return true;
}

static bool take_template_limit(struct cc *c, const char *name, const char *value, struct err *e)
{
    (void)e;
    const char *word = cc_text(c, "-%s=%s", name, value);
    cc_add(&c->host, word, NULL);
    cc_add(&c->device, word, NULL);
    return true;
}

/* Libraries that libcudart.so takes the place of. */
static bool is_cuda_library(const char *lib)
{
    static const char *const names[] = {"cudart", "cudart_static", "cuda", "cudadevrt", "culibos"};
    for (u32 i = 0; i < LEN(names); i++)
        if (strcmp(lib, names[i]) == 0)
            return true;
    return false;
}

static bool take_library(struct cc *c, const char *name, const char *value, struct err *e)
{
    (void)name, (void)e;
    if (!is_cuda_library(value))
        *VEC_ADD(&c->input) = (struct cc_input){cc_text(c, "-l%s", value), CC_OTHER, NULL};
    return true;
}

static bool take_library_path(struct cc *c, const char *name, const char *value, struct err *e)
{
    (void)name, (void)e;
    cc_add(&c->link, "-L", value, NULL);
    return true;
}

/* What the host's compiler is told about macros and headers, device code must see as well. */
static bool is_preprocessing(const char *word)
{
    return text_begins(word, "-D") || text_begins(word, "-U") || text_begins(word, "-I");
}

static bool take_xcompiler(struct cc *c, const char *name, const char *value, struct err *e)
{
    (void)name, (void)e;
    struct cc_words list = {0};
    cc_split_list(c, value, &list);
    for (u32 i = 0; i < list.n; i++) {
        const char *w = list.at[i];
        bool pair = strcmp(w, "-include") == 0 || strcmp(w, "-isystem") == 0 ||
                    (is_preprocessing(w) && !w[2]);
        if (strcmp(w, "-fopenmp") == 0 || strcmp(w, "-openmp") == 0)
            c->openmp = true;
        else if (pair && i + 1 < list.n)
            cc_add(&c->common, w, list.at[++i], NULL);
        else if (is_preprocessing(w))
            cc_add(&c->common, w, NULL);
        else if (text_begins(w, "-Wl,") || text_begins(w, "-L") || text_begins(w, "-l"))
            cc_add(&c->link, w, NULL);
        else if (text_begins(w, "-std="))
            c->std = w + 5;
        else if (text_begins(w, "-O"))
            c->optimize = w;
        else
            cc_add(&c->host, w, NULL);
    }
    VEC_FREE(&list);
    return true;
}

static bool take_xlinker(struct cc *c, const char *name, const char *value, struct err *e)
{
    (void)name, (void)e;
    struct cc_words list = {0};
    cc_split_list(c, value, &list);
    for (u32 i = 0; i < list.n; i++)
        cc_add(&c->link, "-Xlinker", list.at[i], NULL);
    VEC_FREE(&list);
    return true;
}

static bool take_max_regs(struct cc *c, const char *name, const char *value, struct err *e)
{
    u64 n;
    if (!text_parse_u64(value, &n) || n > 65535)
        return err_set(e, "option '%s': '%s' is no number of registers", name, value);
    c->max_regs = n ? value : NULL;
    return true;
}

/* -dlcm=cg: which caches loads of global memory use that do not say so. */
static bool take_load_cache(struct cc *c, const char *value, struct err *e)
{
    static const char *const known[] = {"ca", "cg", "cs", "cv"};
    for (u32 i = 0; i < LEN(known); i++)
        if (strcmp(value, known[i]) == 0) {
            c->load_cache = known[i];
            return true;
        }
    return err_set(e, "option '-Xptxas -dlcm=%s': the cache operators are ca, cg, cs and cv",
                   value);
}

/* The value of an option of ptxas at list[*i], "name=value" or in the next word; NULL: another. */
static const char *ptxas_value(const struct cc_words *list, u32 *i, const char *name)
{
    const char *w = list->at[*i] + strspn(list->at[*i], "-");
    size_t n = strlen(name);
    if (strncmp(w, name, n))
        return NULL;
    if (w[n] == '=')
        return w + n + 1;
    return w[n] == 0 && *i + 1 < list->n ? list->at[++*i] : NULL;
}

/* Kept until all are there: `-Xptxas -dlcm -Xptxas cg` is one option of ptxas. */
static bool take_xptxas(struct cc *c, const char *name, const char *value, struct err *e)
{
    (void)name, (void)e;
    cc_split_list(c, value, &c->ptxas);
    return true;
}

bool cc_take_ptxas(struct cc *c, struct err *e)
{
    const struct cc_words *list = &c->ptxas;
    bool ok = true;
    for (u32 i = 0; i < list->n && ok; i++) {
        const char *w = list->at[i] + strspn(list->at[i], "-"), *value;
        if (strcmp(w, "v") == 0 || strcmp(w, "verbose") == 0)
            c->resource_usage = true;
        else if ((value = ptxas_value(list, &i, "maxrregcount")))
            ok = take_max_regs(c, "-Xptxas -maxrregcount", value, e);
        else if ((value = ptxas_value(list, &i, "dlcm")) ||
                 (value = ptxas_value(list, &i, "def-load-cache")))
            ok = take_load_cache(c, value, e);
    }
    return ok;
}

static bool take_fp(struct cc *c, const char *name, const char *value, struct err *e)
{
    const char **where = strcmp(name, "ftz") == 0         ? &c->ftz
                         : strcmp(name, "prec-div") == 0  ? &c->prec_div
                         : strcmp(name, "prec-sqrt") == 0 ? &c->prec_sqrt
                                                          : &c->fmad;
    if (strcmp(value, "true") && strcmp(value, "false"))
        return err_set(e, "option '-%s=%s': it is true or false", name, value);
    *where = value;
    return true;
}

/* --- GPU architectures --- */

/*
 * One text of PTX serves every simulated GPU, so of several architectures the highest is taken, as
 * a driver takes the best it can run: what a program does under #if __CUDA_ARCH__ is at its fullest.
 */
static void take_sm(struct cc *c, u32 sm)
{
    if (sm > c->sm)
        c->sm = sm;
}

/*
 * Every sm_NN and compute_NN in value, but for those of code=, which are the machine code to make
 * of the PTX.  Words without a number (native, all) say nothing.
 */
static bool take_arch(struct cc *c, const char *name, const char *value, struct err *e)
{
    bool known = text_begins(value, "native") || text_begins(value, "all");
    for (const char *s = value; *s && !text_begins(s, "code="); s += *s != 0) {
        size_t skip = text_begins(s, "sm_") ? 3 : text_begins(s, "compute_") ? 8 : 0;
        if (skip && s[skip] >= '1' && s[skip] <= '9') {
            take_sm(c, (u32)strtoul(s + skip, NULL, 10));
            known = true;
        }
        s += strcspn(s, ",=\"'[ ]");
    }
    return known ||
           err_set(e, "option '-%s': no architecture in '%s' (sm_35, for example)", name, value);
}

/* nvcc's `-Werror KIND,..`; clang's -Werror and -Werror=NAME do not get here. */
static bool take_werror(struct cc *c, const char *name, const char *value, struct err *e)
{
    (void)name, (void)e;
    if (strstr(value, "all-warnings"))
        cc_add(&c->host, "-Werror", NULL);
    return true;
}

/* --- the table --- */

#define FIELD(field) offsetof(struct cc, field)

static const struct cc_option options[] = {
    {"o|output-file", VALUE, .text = FIELD(output)},
    {"odir|output-directory", VALUE, .text = FIELD(output_dir)},
    {"x", VALUE, .take = take_language},
    {"c|compile|dc|device-c|dw|device-w", NOTHING, .take = take_mode},
    {"ptx|cubin|fatbin|cuda|E|preprocess|lib|link|dlink|device-link", NOTHING, .take = take_mode},
    {"h|help|V|version|print-toolkit", NOTHING, .take = take_mode},
    {"list-gpu-arch|arch-ls|list-gpu-code|code-ls", NOTHING, .take = take_mode},
    {"M|MM|MD|MMD|MP|generate-dependencies|generate-nonsystem-dependencies", NOTHING,
     .take = take_depend},
    {"generate-dependencies-with-compile|generate-nonsystem-dependencies-with-compile", NOTHING,
     .take = take_depend},
    {"generate-dependency-targets", NOTHING, .take = take_depend},
    {"MF|MT|MQ|dependency-output|dependency-target-name", VALUE, .take = take_depend},

    {"I|include-path", JOINED, .take = take_common},
    {"D|define-macro", JOINED, .take = take_common},
    {"U|undefine-macro", JOINED, .take = take_common},
    {"isystem|system-include", VALUE, .take = take_common},
    {"include|pre-include", VALUE, .take = take_common},
    {"l|library", JOINED, .take = take_library},
    {"L|library-path", JOINED, .take = take_library_path},
    {"std", VALUE, .text = FIELD(std)},
    {"O|optimize", JOINED, .take = take_optimize},
    {"g|debug|pg|profile|w|disable-warnings|noeh|no-exceptions", NOTHING, .take = take_host_flag},
    {"ftemplate-depth|ftemplate-backtrace-limit", VALUE, .take = take_template_limit},
    {"m|machine", JOINED, .take = take_machine},
    {"shared", NOTHING, .flag = FIELD(shared)},
    {"nodlink|no-device-link", NOTHING, .flag = FIELD(no_device_link)},
    {"ccbin|compiler-bindir", VALUE, .text = FIELD(ccbin)},
    {"Xcompiler|compiler-options", VALUE, .take = take_xcompiler},
    {"Xlinker|linker-options", VALUE, .take = take_xlinker},
    {"Xptxas|ptxas-options", VALUE, .take = take_xptxas},

    {"arch|gpu-architecture|gencode|generate-code", VALUE, .take = take_arch},
    {"code|gpu-code", .takes = VALUE}, /* for which of them machine code is made: PTX needs none */
    {"maxrregcount", VALUE, .take = take_max_regs},
    {"res-usage|resource-usage", NOTHING, .flag = FIELD(resource_usage)},
    {"G|device-debug", NOTHING, .flag = FIELD(device_debug)},
    {"use_fast_math", NOTHING, .flag = FIELD(fast_math)},
    {"ftz|prec-div|prec-sqrt|fmad", VALUE, .take = take_fp},

    {"dryrun", NOTHING, .flag = FIELD(dryrun)},
    {"v|verbose", NOTHING, .flag = FIELD(verbose)},
    {"keep|save-temps", NOTHING, .flag = FIELD(keep)},
    {"keep-dir", VALUE, .text = FIELD(keep_dir)},

    /* Without effect here: what they steer is not there, or is always so. */
    {"lineinfo|generate-line-info|src-in-ptx|source-in-ptx|restrict", .takes = NOTHING},
    {"expt-relaxed-constexpr|expt-extended-lambda|extended-lambda", .takes = NOTHING},
    {"no-host-device-initializer-list|no-host-device-move-forward", .takes = NOTHING},
    {"noprof|dont-use-profile|no-align-double", .takes = NOTHING},
    {"Wno-deprecated-gpu-targets|Wreorder|Wext-lambda-captures-this", .takes = NOTHING},
    {"err-no|display-error-number|no-display-error-number|use-local-env", .takes = NOTHING},
    {"keep-device-functions|extra-device-vectorization|objtemp|allow-unsupported-compiler",
     .takes = NOTHING},
    {"forward-unknown-to-host-compiler|forward-unknown-to-host-linker|forward-unknown-opts",
     .takes = NOTHING},
    {"dlink-time-opt|dlto|lto|gen-opt-lto|no-compress|jobserver|m64", .takes = NOTHING},
    {"nohdinitlist|nohdmoveforward|no-err-no|objdir-as-tempdir|Wmissing-launch-bounds",
     .takes = NOTHING},
    {"Wdefault-stream-launch|aug-hls|augment-host-linker-script", .takes = NOTHING},
    {"ewp|extensible-whole-program", NOTHING, .take = take_rdc},
    {"rdc|relocatable-device-code", VALUE, .take = take_rdc},
    {"Xfatbin|fatbin-options", .takes = VALUE},
    {"Xarchive|archive-options|Xnvlink|nvlink-options|Xcudafe|cudafe-options", .takes = VALUE},
    {"Xopencc|opencc-options|host-compilation|e|entries|default-stream", .takes = VALUE},
    {"cudart|cudadevrt|ldir|libdevice-directory|t|threads|split-compile|split-compile-extended",
     .takes = VALUE},
    {"dopt|Ofast-compile|opt-info|optimization-info|jtd|jump-table-density|compress-mode",
     .takes = VALUE},
    {"target-dir|target-directory|arbin|archiver-binary|hls|host-linker-script|time",
     .takes = VALUE},
    {"static-global-template-stub|device-entity-has-hidden-visibility|fdevice-time-trace",
     .takes = VALUE},
    {"brief-diag|brief-diagnostics|frandom-seed|idp|ddp", .takes = VALUE},
    {"diag-suppress|diag-warn|diag-error|diag_suppress|diag_warn|diag_error", .takes = VALUE},
    {"drive-prefix|dp|input-drive-prefix|dependency-drive-prefix", .takes = VALUE},
    {"Werror", VALUE, .take = take_werror},
};

/* --- finding --- */

/* A copy of name[0..n), with the lifetime of c, if it is one of names; else NULL. */
static const char *copy_if_named(struct cc *c, const char *names, const char *name, size_t n)
{
    for (;;) {
        size_t len = strcspn(names, "|");
        if (len == n && strncmp(names, name, n) == 0)
            return cc_text(c, "%.*s", (int)n, name);
        if (!names[len])
            return NULL;
        names += len + 1;
    }
}

/* -Werror needs a look at the next argument: nvcc's takes a kind, clang's nothing. */
static bool is_clang_werror(const char *arg, const char *next)
{
    return text_begins(arg, "-Werror") &&
           (arg[7] == '=' || !next ||
            !(text_begins(next, "all-") || text_begins(next, "cross-") ||
              text_begins(next, "reorder") || text_begins(next, "default-") ||
              text_begins(next, "deprecated-")));
}

bool cc_find_option(struct cc *c, const char *arg, const char *next, struct cc_found *f)
{
    const char *name = arg + strspn(arg, "-");
    size_t n = strcspn(name, "="), dashes = (size_t)(name - arg);
    if (dashes > 2 || is_clang_werror(arg, next))
        return false;
    for (u32 i = 0; i < LEN(options); i++) {
        const struct cc_option *o = &options[i];
        bool whole = (n > 1 || dashes == 1) && (f->name = copy_if_named(c, o->names, name, n));
        if (whole && (o->takes != NOTHING || !name[n])) {
            *f = (struct cc_found){o, f->name, name[n] ? name + n + 1 : NULL};
            if (strcmp(arg, "-O") == 0 && !(next && next[0] >= '0' && next[0] <= '9'))
                f->value = "1"; /* nvcc's `-O 3` and gcc's plain -O */
            return true;
        }
    }
    for (u32 i = 0; i < LEN(options) && dashes == 1; i++) { /* -Ifolder, -O3, -lm */
        const struct cc_option *o = &options[i];
        if (o->takes == JOINED && (f->name = copy_if_named(c, o->names, name, 1)) && name[1]) {
            *f = (struct cc_found){o, f->name, name + 1};
            return true;
        }
    }
    return false;
}

bool cc_unknown(const char *arg, struct err *e)
{
    VEC(const char *) names = {0};
    for (u32 i = 0; i < LEN(options); i++)
        for (const char *s = options[i].names; *s; s += strcspn(s, "|"), s += *s != 0)
            *VEC_ADD(&names) = text_printf("--%.*s", (int)strcspn(s, "|"), s);
    char *whole = text_printf("%s%s", arg[1] == '-' ? "" : "-", arg);
    whole[strcspn(whole, "=")] = 0;
    struct err_hint h = {""};
    if (strlen(whole) > 4)
        err_hint(&h, whole, names.at, names.n, " (did you mean ", "?)");
    err_set(e, "unknown option '%s' of cc%s; see smelt cc --help", arg, h.text);
    free(whole);
    for (u32 i = 0; i < names.n; i++)
        free((char *)(uintptr_t)names.at[i]);
    VEC_FREE(&names);
    return false;
}
