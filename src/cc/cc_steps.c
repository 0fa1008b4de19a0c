/* cc_steps.c -- the commands that make PTX, objects and executables (see cc.h). */
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "cc/cc.h"

/* --- architecture --- */

/*
 * What clang 14 knows, and the least version of PTX in which it is.  Not below 6.3, for the
 * instructions with a mask of lanes (__shfl_sync and its like, and __activemask in the headers of
 * newer clangs), which this simulator has on all.
 */
static const struct {
    u32 sm, ptx;
} known_sm[] = {
    {20, 63}, {21, 63}, {30, 63}, {32, 63}, {35, 63}, {37, 63}, {50, 63}, {52, 63}, {53, 63},
    {60, 63}, {61, 63}, {62, 63}, {70, 63}, {72, 63}, {75, 63}, {80, 70}, {86, 71},
};

enum { DEFAULT_SM = 35 };

/* The newest known one that is not newer than asked for; sm_1x are long gone: sm_20. */
static u32 pick_sm(u32 asked)
{
    u32 best = 0;
    for (u32 i = 0; i < LEN(known_sm); i++)
        if (known_sm[i].sm <= asked)
            best = i;
    return best;
}

void cc_list_sm(const char *prefix)
{
    for (u32 i = 0; i < LEN(known_sm); i++)
        printf("%s%u\n", prefix, known_sm[i].sm);
}

static void note_sm(const struct cc *c)
{
    u32 newest = known_sm[LEN(known_sm) - 1].sm;
    if (c->sm > newest)
        log_note("cc: sm_%u is newer than what clang knows; sm_%u is taken", c->sm, newest);
}

void cc_show_settings(struct cc *c)
{
    u32 sm = known_sm[pick_sm(c->sm ? c->sm : DEFAULT_SM)].sm;
    cc_show_setting(c, "TOP", c->toolkit);
    cc_show_setting(c, "NVVMIR_LIBRARY_DIR", cc_text(c, "%s/nvvm/libdevice", c->toolkit));
    cc_show_setting(c, "INCLUDES", cc_text(c, "-I%s/include", c->toolkit));
    cc_show_setting(c, "LIBRARIES", cc_text(c, "-L%s/lib64", c->toolkit));
    cc_show_setting(c, "CICC_FLAGS", cc_text(c, "-arch compute_%u", sm));
}

/* --- .cu files --- */

/*
 * The language is strict C++: in GNU mode libstdc++ has functions on __float128, which a GPU has
 * not.  The headers that come with clang need C++11 at least.
 */
static const char *cuda_std(struct cc *c)
{
    const char *std = c->std ? c->std : "c++14";
    if (strncmp(std, "gnu", 3) == 0)
        std += 3;
    if (strcmp(std, "++98") == 0 || strcmp(std, "++03") == 0 || strcmp(std, "++0x") == 0 ||
        strcmp(std, "c++98") == 0 || strcmp(std, "c++03") == 0 || strcmp(std, "c++0x") == 0)
        return "-std=c++11";
    return cc_text(c, "-std=%s%s", std[0] == '+' ? "c" : "", std);
}

/*
 * Makefiles name /usr/local/cuda/include even if nvcc comes from here.  The headers there must not
 * come before ours, but may have libraries that we have not: they come last.
 */
static void add_common(struct cc *c, struct cc_words *w)
{
    for (u32 i = 0; i < c->common.n; i++) {
        const char *word = c->common.at[i], *folder = NULL;
        bool system = strcmp(word, "-isystem") == 0;
        if (text_begins(word, "-I") && word[2])
            folder = word + 2;
        else if ((system || strcmp(word, "-I") == 0) && i + 1 < c->common.n)
            folder = c->common.at[++i];
        if (!folder)
            cc_add(w, word, NULL);
        else if (cc_is_other_toolkit(c, folder))
            cc_add(w, "-idirafter", folder, NULL);
        else
            cc_add(w, system ? "-isystem" : "-I", folder, NULL);
    }
}

/*
 * nvcc's host part is gcc's work, which without -W is content with much that clang remarks on:
 * values that are not used (-Wunused-value), `register` (an error in C++17), cases that a switch has
 * not, = and & without parentheses, empty bodies, memset of classes, kernels that are `inline`
 * (-Wcuda-compat), narrowing and "x"SUFFIX (errors, in the code of the time), char * of a literal.
 * So all is off but what gcc 12 by itself or nvcc's front end says as well; -Wall and any -W of the
 * user's come later and have their way.
 */
static void add_warnings(struct cc_words *w)
{
    cc_add(w, "-Wno-everything", NULL);
    /* gcc: deprecated-declarations, return-type, unused-result, div-by-zero, shift-count-overflow and
     * -negative, overflow, conversion-null, delete-incomplete, int-to-pointer-cast, endif-labels,
     * varargs of classes (an error), macros defined anew, and #warning. */
    cc_add(w, "-Wdeprecated-declarations", "-Wreturn-type", "-Wunused-result", NULL);
    cc_add(w, "-Wdivision-by-zero", "-Wshift-count-overflow", "-Wshift-count-negative", NULL);
    cc_add(w, "-Wconstant-conversion", "-Wnull-conversion", "-Wdelete-incomplete", NULL);
    cc_add(w, "-Wint-to-pointer-cast", "-Wextra-tokens", "-Werror=non-pod-varargs", NULL);
    cc_add(w, "-Wmacro-redefined", "-W#warnings", "-W#pragma-messages", NULL);
    cc_add(w, "-Wformat", "-Wno-format-security", NULL); /* nvcc: #181, of literals only */
}

/* Both compilations of a .cu file must see the same program, so they get the same words. */
static void add_cuda(struct cc *c, struct cc_words *w)
{
    u32 sm = known_sm[pick_sm(c->sm ? c->sm : DEFAULT_SM)].sm;
    cc_add(w, c->clang, "--driver-mode=g++", "-x", "cuda", "-nocudainc", "-nocudalib", NULL);
    cc_add(w, "--cuda-path=/nonexistent", cc_text(c, "--cuda-gpu-arch=sm_%u", sm), NULL);
    cc_add(w, cuda_std(c), NULL);
    cc_add(w, "-isystem", cc_text(c, "%s/cuda_wrappers", c->clang_headers), NULL);
    cc_add(w, "-include", "cuda_runtime.h", NULL);
    add_common(c, w);
    cc_add(w, "-isystem", cc_text(c, "%s/include", c->toolkit), NULL);
    if (c->openmp) /* its functions are there (link), its pragmas are not (cc.h) */
        cc_add(w, "-isystem", cc_text(c, "%s/include/smelt/openmp", c->toolkit), NULL);
    if (c->rdc) /* names of static things stay as they are: ptx/link/link.h tells them apart */
        cc_add(w, "-fgpu-rdc", "-fuse-cuid=none", NULL);
    add_warnings(w);
}

static bool is_false(const char *value, bool otherwise)
{
    return value ? strcmp(value, "false") == 0 : otherwise;
}

/*
 * -use_fast_math is nvcc's: short functions and instructions that are not exact, but no algebra
 * that presumes there are no NaNs, as clang's -ffast-math does.
 */
static void add_float(const struct cc *c, struct cc_words *w)
{
    if (c->fast_math)
        cc_add(w, "-fcuda-approx-transcendentals", NULL);
    if (!is_false(c->ftz, !c->fast_math))
        cc_add(w, "-fcuda-flush-denormals-to-zero", "-D__CUDA_FTZ=1", NULL);
    if (is_false(c->prec_div, c->fast_math)) /* div.full, or with fast math div.approx */
        cc_add(w, "-mllvm", c->fast_math ? "-nvptx-prec-divf32=0" : "-nvptx-prec-divf32=1", NULL);
    if (is_false(c->prec_sqrt, c->fast_math))
        cc_add(w, "-D__CUDA_PREC_SQRT=0", NULL); /* smelt/math.h */
    cc_add(w, is_false(c->fmad, false) ? "-ffp-contract=off" : "-ffp-contract=fast", NULL);
}

/* The word "-MF" or its like among what is asked for besides the object. */
static bool has_depend(const struct cc *c, const char *word)
{
    for (u32 i = 0; i < c->depend.n; i++)
        if (strcmp(c->depend.at[i], word) == 0)
            return true;
    return false;
}

/* The rule for make, said in full: the compiler does not write `to` itself. */
static void add_depend(struct cc *c, const char *to, struct cc_words *w)
{
    const char *dot = strrchr(to, '.');
    if (!c->depend.n)
        return;
    cc_add_all(w, &c->depend);
    if (!has_depend(c, "-MF"))
        cc_add(w, "-MF", cc_text(c, "%.*s.d", (int)(dot ? dot - to : (ptrdiff_t)strlen(to)), to),
               NULL);
    if (!has_depend(c, "-MT") && !has_depend(c, "-MQ"))
        cc_add(w, "-MT", to, NULL);
}

/* What preprocessed text has behind it; a second time, -include and -D would do harm. */
static void drop_preprocessing(struct cc_words *w)
{
    u32 n = 0;
    for (u32 i = 0; i < w->n; i++) {
        const char *word = w->at[i];
        bool macro = text_begins(word, "-D") || text_begins(word, "-U");
        if (strcmp(word, "-include") == 0 || (macro && !word[2]))
            i++; /* and its value */
        else if (!macro)
            w->at[n++] = word;
    }
    w->n = n;
}

/*
 * The source of a compilation whose other words are in w: the file, or, if clang would not take it,
 * its preprocessed text, mended, under a name that ends in `suffix`.  Words about dependences,
 * which only preprocessing heeds, are `depend`.
 */
static int add_source(struct cc *c, const struct cc_input *in, const char *suffix,
                      const struct cc_words *depend, struct cc_words *w)
{
    struct cc_words pre = {0};
    struct err e;
    if (!cc_needs_mending(c, in->path)) {
        cc_add_all(w, depend);
        cc_add(w, in->path, NULL);
        return 0;
    }
    const char *text = cc_temp(c, in->path, suffix);
    cc_add_all(&pre, w);
    cc_add_all(&pre, depend);
    cc_add(&pre, "-E", "-dD", in->path, "-o", text, NULL);
    int status = cc_run(c, &pre);
    VEC_FREE(&pre);
    if (status == 0 && !c->dryrun && !cc_mend_file(text, &e))
        status = err_tell(&e);
    drop_preprocessing(w); /* and not -x cuda-cpp-output: that is host code to clang's driver */
    cc_add(w, text, NULL);
    return status;
}

int cc_make_ptx(struct cc *c, const struct cc_input *in, const char *to)
{
    struct cc_words w = {0};
    u32 ptx = known_sm[pick_sm(c->sm ? c->sm : DEFAULT_SM)].ptx;
    note_sm(c);
    add_cuda(c, &w);
    cc_add(&w, "--cuda-device-only", "-w", "-S", NULL); /* warnings: once, from the host's turn */
    cc_add(&w, "-Xclang", "-target-feature", "-Xclang", cc_text(c, "+ptx%u", ptx), NULL);
    cc_add(&w, "-Xclang", "-mlink-builtin-bitcode", "-Xclang",
           cc_text(c, "%s/lib64/math.bc", c->toolkit), NULL);
    /* Lines of the source change no instruction, and a fault can name them. */
    cc_add(&w, "-gline-directives-only", c->device_debug ? "-O1" : "-O3", NULL);
    add_float(c, &w);
    cc_add_all(&w, &c->device);
    int status = add_source(c, in, ".cpp1.ii", &(struct cc_words){0}, &w);
    cc_add(&w, "-o", to, NULL);
    status = status ? status : cc_run(c, &w);
    VEC_FREE(&w);
    return status;
}

/* --- host compilations --- */

static void add_host_flags(struct cc *c, struct cc_words *w)
{
    cc_add(w, c->optimize ? c->optimize : "-O2", NULL);
    if (c->shared)
        cc_add(w, "-fPIC", NULL);
    cc_add_all(w, &c->host);
}

static void add_cuda_host(struct cc *c, struct cc_words *w)
{
    add_cuda(c, w);
    cc_add(w, "--cuda-host-only", NULL);
    add_host_flags(c, w);
}

static void add_plain(struct cc *c, const struct cc_input *in, struct cc_words *w)
{
    cc_add(w, in->kind == CC_C ? c->host_cc : c->host_cxx, NULL);
    if (c->language || c->ccbin)
        cc_add(w, "-x", in->kind == CC_C ? "c" : "c++", NULL);
    if (c->std && in->kind == CC_CXX)
        cc_add(w, cc_text(c, "-std=%s", c->std), NULL);
    add_common(c, w);
    cc_add(w, "-isystem", cc_text(c, "%s/include", c->toolkit), NULL);
    add_host_flags(c, w);
    if (c->openmp)
        cc_add(w, "-fopenmp", NULL);
}

/* The host's part of a .cu file, with the device's inside. */
static void add_cuda_whole(struct cc *c, const char *ptx, struct cc_words *w)
{
    add_cuda_host(c, w);
    /* From version 9.2 on, kernels are launched by cudaLaunchKernel. */
    cc_add(w, "-Xclang", "-target-sdk-version=10.1", NULL);
    cc_add(w, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx, NULL);
}

/* Compiles the host's part of a .cu file by the words in w, which are freed. */
static int make_whole(struct cc *c, const struct cc_input *in, const char *for_make, const char *to,
                      struct cc_words *w)
{
    struct cc_words depend = {0};
    add_depend(c, for_make, &depend);
    int status = add_source(c, in, ".cpp4.ii", &depend, w);
    cc_add(w, "-o", to, NULL);
    status = status ? status : cc_run(c, w);
    VEC_FREE(&depend);
    VEC_FREE(w);
    return status;
}

int cc_make_object(struct cc *c, const struct cc_input *in, const char *ptx, const char *to)
{
    struct cc_words w = {0};
    if (in->kind == CC_CUDA) {
        add_cuda_whole(c, ptx, &w);
        cc_add(&w, "-c", NULL);
        return make_whole(c, in, to, to, &w);
    }
    add_plain(c, in, &w);
    cc_add_all(&w, &c->depend);
    cc_add(&w, "-c", in->path, "-o", to, NULL);
    int status = cc_run(c, &w);
    VEC_FREE(&w);
    return status;
}

/*
 * Position independent and without lines, whatever the two steps are told: the second compiler may
 * make a library of it, and numbers its own source files.
 */
int cc_make_host_source(struct cc *c, const struct cc_input *in, const char *ptx, const char *to)
{
    struct cc_words w = {0};
    struct err e;
    const char *assembly = cc_temp(c, in->path, ".s");
    add_cuda_whole(c, ptx, &w);
    cc_add(&w, "-fPIC", "-g0", "-fno-integrated-as", "-fno-addrsig", NULL); /* for GNU as, too */
    cc_add(&w, "-S", NULL);
    int status = make_whole(c, in, to, assembly, &w);
    if (status == 0 && !c->dryrun && !cc_wrap_assembly(in, assembly, to, &e))
        status = err_tell(&e);
    return status;
}

int cc_preprocess(struct cc *c, const struct cc_input *in, const char *to)
{
    struct cc_words w = {0};
    if (in->kind == CC_CUDA)
        add_cuda_host(c, &w);
    else
        add_plain(c, in, &w);
    cc_add(&w, "-E", NULL);
    if (c->mode == CC_DEPEND)
        cc_add_all(&w, &c->depend);
    cc_add(&w, in->path, NULL);
    if (to)
        cc_add(&w, "-o", to, NULL);
    int status = cc_run(c, &w);
    VEC_FREE(&w);
    return status;
}

/* --- many into one --- */

/* -fsanitize= is for the linker too, and then the linker must be clang's: each has its library. */
static void add_linker(struct cc *c, struct cc_words *w)
{
    const struct cc_words *from[] = {&c->common, &c->host};
    struct cc_words sanitize = {0};
    for (u32 i = 0; i < LEN(from); i++)
        for (u32 k = 0; k < from[i]->n; k++)
            if (strncmp(from[i]->at[k], "-fsanitize", 10) == 0)
                cc_add(&sanitize, from[i]->at[k], NULL);
    const char *linker = sanitize.n ? c->clang : c->host_cxx;
    cc_add(w, linker, NULL);
    if (linker == c->clang)
        cc_add(w, "--driver-mode=g++", NULL);
    cc_add_all(w, &sanitize);
    VEC_FREE(&sanitize);
}

/*
 * The utility libraries of the SDK are in our folder too, which comes first; but a program may have
 * its own ones, and those are the ones it means.
 */
static const char *find_sdk_library(struct cc *c, const char *word)
{
    static const char *const endings[] = {"so", "a"};
    if (!text_begins(word, "-lcutil") && !text_begins(word, "-lshrutil"))
        return word;
    for (u32 i = 0; i + 1 < c->link.n; i++)
        for (u32 k = 0; k < LEN(endings) && strcmp(c->link.at[i], "-L") == 0; k++) {
            const char *path = cc_text(c, "%s/lib%s.%s", c->link.at[i + 1], word + 2, endings[k]);
            if (access(path, R_OK) == 0)
                return path;
        }
    return word;
}

/* Libraries behind what needs them, wherever the command line has them, as nvcc does it. */
static void add_inputs(struct cc *c, bool libraries, struct cc_words *w)
{
    for (u32 i = 0; i < c->input.n; i++) {
        const struct cc_input *in = &c->input.at[i];
        if ((!in->object && text_begins(in->path, "-l")) == libraries)
            cc_add(w, in->object ? in->object : find_sdk_library(c, in->path), NULL);
    }
}

int cc_link(struct cc *c, const char *to)
{
    struct cc_words w = {0};
    const char *lib = cc_text(c, "%s/lib64", c->toolkit);
    int status = cc_implicit_device_link(c);
    if (status)
        return status;
    add_linker(c, &w);
    if (c->shared)
        cc_add(&w, "-shared", NULL);
    if (c->openmp)
        cc_add(&w, "-fopenmp", NULL);
    cc_add(&w, cc_text(c, "-L%s", lib), NULL); /* before -L of a Makefile: another CUDA's */
    cc_add_all(&w, &c->link);
    add_inputs(c, false, &w);
    add_inputs(c, true, &w);
    cc_add(&w, "-Xlinker", "-rpath", "-Xlinker", lib, NULL);
    cc_add(&w, "-lcudart", "-lm", "-lstdc++", "-o", to, NULL);
    status = cc_run(c, &w);
    VEC_FREE(&w);
    return status;
}

int cc_archive(struct cc *c, const char *to)
{
    struct cc_words w = {0};
    cc_add(&w, "ar", "rcs", to, NULL);
    for (u32 i = 0; i < c->input.n; i++)
        if (c->input.at[i].object)
            cc_add(&w, c->input.at[i].object, NULL);
    int status = cc_run(c, &w);
    VEC_FREE(&w);
    return status;
}
