/*
 * nvrtc_compile.c -- has `smelt cc` compile a program (see nvrtc_int.h).
 *
 * The source is written into a folder of its own, with headers below include/.  For every name
 * expression a variable is added whose initial value is the address of what it names: so templates
 * are instantiated, and the PTX says the name that they have there.  Then the variables are taken
 * out of the PTX again.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/place.h"
#include "nvrtc/nvrtc_int.h"

extern char **environ;

#define NAME "__smelt_name_"

/* --- the folder --- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st, (void)kind, (void)ftw;
    return remove(path);
}

static bool write_header(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    bool bad = !f || fputs(text, f) < 0;
    return !((f && fclose(f)) || bad);
}

/* The folders that the name of a header has in it. */
static void make_folders(char *path, size_t from)
{
    for (char *s = path + from; (s = strchr(s, '/')); s++) {
        *s = 0;
        mkdir(path, 0700); /* or it is there already; the file tells otherwise */
        *s = '/';
    }
}

static bool write_headers(const struct _nvrtcProgram *p, const char *folder)
{
    bool ok = true;
    for (u32 i = 0; i < p->header.n && ok; i++) {
        char *path = text_printf("%s/include/%s", folder, p->header.at[i].name);
        make_folders(path, strlen(folder) + 1);
        ok = write_header(path, p->header.at[i].text);
        free(path);
    }
    return ok;
}

/* As a string of C. */
static void put_c_string(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fputc('\\', f);
        fputc(*s == '\n' ? ' ' : *s, f);
    }
    fputc('"', f);
}

static void put_expressions(FILE *f, const struct _nvrtcProgram *p)
{
    for (u32 i = 0; i < p->expression.n; i++) {
        const char *e = p->expression.at[i].text;
        e += strspn(e, " \t&");
        fprintf(f,
                "#line 1 \"name expression\"\n"
                "extern \"C\" __device__ const void *" NAME "%u = (const void *)&(%s);\n",
                i, e);
    }
}

static bool write_source(const struct _nvrtcProgram *p, const struct rtc_options *o,
                         const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    if (o->default_device)
        fputs("#pragma clang force_cuda_host_device begin\n", f);
    fputs("#line 1 ", f);
    put_c_string(f, p->name);
    fprintf(f, "\n%s\n", p->source);
    if (o->default_device)
        fputs("#pragma clang force_cuda_host_device end\n", f);
    put_expressions(f, p);
    bool bad = ferror(f);
    return !(fclose(f) || bad);
}

/* --- the compiler --- */

/* What is preloaded into the program is not meant for the compiler. */
static char **compiler_environ(void)
{
    u32 n = 0, kept = 0;
    while (environ[n])
        n++;
    char **env = xcalloc(n + 1, sizeof(env[0]));
    for (u32 i = 0; i < n; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11))
            env[kept++] = environ[i];
    return env;
}

/* The status, or -1: it could not be run. */
static int run_compiler(char *const *argv, const char *log)
{
    posix_spawn_file_actions_t act;
    int status = -1;
    pid_t pid;
    char **env = compiler_environ();
    posix_spawn_file_actions_init(&act);
    posix_spawn_file_actions_addopen(&act, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&act, STDOUT_FILENO, STDERR_FILENO);
    bool started = posix_spawn(&pid, argv[0], &act, NULL, argv, env) == 0;
    posix_spawn_file_actions_destroy(&act);
    free(env);
    while (started && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return started && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int compile_to_ptx(const struct rtc_options *o, const char *nvcc, const char *folder)
{
    VEC(const char *) word = {0};
    char *source = text_printf("%s/source.cu", folder), *ptx = text_printf("%s/out.ptx", folder);
    char *include = text_printf("-I%s/include", folder), *log = text_printf("%s/log", folder);
    const char *first[] = {nvcc, "-ptx", source, "-o", ptx, include, "-D__CUDACC_RTC__=1"};
    for (u32 i = 0; i < LEN(first); i++)
        *VEC_ADD(&word) = first[i];
    for (u32 i = 0; i < o->word.n; i++)
        *VEC_ADD(&word) = o->word.at[i];
    *VEC_ADD(&word) = NULL;
    int status = run_compiler((char *const *)(uintptr_t)word.at, log);
    VEC_FREE(&word);
    free(source), free(ptx), free(include), free(log);
    return status;
}

/* --- what comes out --- */

/* Without the names of the folder, which is gone when somebody reads it. */
static char *without(const char *text, const char *folder)
{
    char *out = text_dup(text), *prefix = text_printf("%s/include/", folder);
    size_t n = strlen(prefix);
    for (char *s = out; (s = strstr(s, prefix));)
        memmove(s, s + n, strlen(s + n) + 1);
    free(prefix);
    return out;
}

static char *read_log(const char *folder)
{
    struct err e;
    char *path = text_printf("%s/log", folder), *text = text_read_file(path, NULL, &e);
    char *log = text ? without(text, folder) : text_dup("");
    free(path), free(text);
    return log;
}

/* "generic(NAME)" or "NAME", up to the semicolon. */
static char *lowered_name(const char *value)
{
    value += strspn(value, " =");
    if (strncmp(value, "generic(", 8) == 0)
        value += 8;
    return text_dup_n(value, strcspn(value, "); \n"));
}

/* Takes the variable of the i-th expression out of the text. */
static char *take_lowered_name(char *ptx, u32 i)
{
    char *mark = text_printf(" " NAME "%u =", i), *at = strstr(ptx, mark), *name = NULL;
    if (at) {
        char *line = at, *end = at + strcspn(at, "\n");
        while (line > ptx && line[-1] != '\n')
            line--;
        name = lowered_name(at + strlen(mark));
        memmove(line, end, strlen(end) + 1);
    }
    free(mark);
    return name;
}

static nvrtcResult read_ptx(struct _nvrtcProgram *p, const char *folder)
{
    struct err e;
    char *path = text_printf("%s/out.ptx", folder);
    p->ptx = text_read_file(path, NULL, &e);
    free(path);
    for (u32 i = 0; p->ptx && i < p->expression.n; i++) {
        free(p->expression.at[i].lowered);
        p->expression.at[i].lowered = take_lowered_name(p->ptx, i);
    }
    return p->ptx ? NVRTC_SUCCESS : NVRTC_ERROR_INTERNAL_ERROR;
}

static nvrtcResult compile_in(struct _nvrtcProgram *p, const struct rtc_options *o,
                              const char *nvcc, const char *folder)
{
    char *source = text_printf("%s/source.cu", folder);
    bool written = write_headers(p, folder) && write_source(p, o, source);
    int status = written ? compile_to_ptx(o, nvcc, folder) : -1;
    free(source);
    p->log = read_log(folder);
    if (status == 0)
        return read_ptx(p, folder);
    return status > 0 ? NVRTC_ERROR_COMPILATION : NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
}

nvrtcResult rtc_compile(struct _nvrtcProgram *p, const struct rtc_options *o)
{
    const char *temp = getenv("TMPDIR");
    char *folder = text_printf("%s/smelt-nvrtc-XXXXXX", temp && temp[0] ? temp : "/tmp");
    char *toolkit = place_toolkit(), *nvcc = text_printf("%s/bin/nvcc", toolkit ? toolkit : "");
    nvrtcResult result = NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    if (access(nvcc, X_OK)) {
        p->log =
            text_printf("nvrtc: error: no compiler at '%s'; SMELT_TOOLKIT names a toolkit\n", nvcc);
    } else if (!mkdtemp(folder)) {
        p->log = text_printf("nvrtc: error: %s: %s\n", folder, strerror(errno));
    } else {
        result = compile_in(p, o, nvcc, folder);
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    }
    free(folder), free(toolkit), free(nvcc);
    return result;
}
