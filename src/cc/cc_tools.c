/* cc_tools.c -- where clang, the host's compiler and the toolkit are (see cc.h). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/place.h"
#include "base/text.h"
#include "cc/cc.h"

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* --- the toolkit --- */

static bool is_toolkit(struct cc *c, const char *path)
{
    char real[PATH_MAX], *header = text_printf("%s/include/cuda_runtime.h", path);
    bool is = place_is_file(header) && realpath(path, real);
    free(header);
    if (is)
        c->toolkit = cc_text(c, "%s", real);
    return is;
}

bool cc_find_toolkit(struct cc *c, struct err *e)
{
    const char *env = getenv("SMELT_TOOLKIT");
    char *path = place_toolkit();
    bool found = path && is_toolkit(c, path);
    free(path);
    if (found)
        return true;
    if (env && env[0])
        return err_set(e, "SMELT_TOOLKIT: no include/cuda_runtime.h in '%s'", env);
    path = place_command();
    err_set(e,
            "cc needs its toolkit (headers and libcudart.so): there is none beside '%s'; "
            "SMELT_TOOLKIT names one",
            path);
    free(path);
    return false;
}

bool cc_is_other_toolkit(const struct cc *c, const char *include)
{
    char real[PATH_MAX], *header = text_printf("%s/cuda_runtime.h", include);
    char *ours = text_printf("%s/include/cuda_runtime.h", c->toolkit), real_ours[PATH_MAX];
    bool other = realpath(header, real) && realpath(ours, real_ours) && strcmp(real, real_ours);
    free(header);
    free(ours);
    return other;
}

/* --- programs --- */

static bool is_program(const char *name)
{
    char *path = place_program(name);
    free(path);
    return path != NULL;
}

#define INSTALL "Debian and Ubuntu: apt-get install clang; Fedora: dnf install clang"

static bool find_clang(struct cc *c, struct err *e)
{
    const char *env = getenv("SMELT_CLANG");
    char *path = place_clang();
    if (path)
        c->clang = cc_text(c, "%s", path);
    free(path);
    if (c->clang)
        return true;
    if (env && env[0])
        return err_set(e, "cc needs clang: %s (SMELT_CLANG) was not found", env);
    return err_set(e, "cc needs clang %u or newer: no clang++ was found; " INSTALL, CLANG_OLDEST);
}

/* The folder of clang's own files ends with its version: /usr/lib/llvm-14/lib/clang/14.0.6. */
static bool check_clang(struct cc *c, struct err *e)
{
    char folder[PATH_MAX];
    if (!cc_capture(c->clang, "-print-resource-dir", folder, sizeof(folder)))
        return err_set(e, "cc needs clang: %s does not run", c->clang);
    c->clang_headers = cc_text(c, "%s/include", folder);
    const char *version = strrchr(folder, '/');
    u32 major = version ? (u32)strtoul(version + 1, NULL, 10) : 0;
    return major == 0 || major >= CLANG_OLDEST ||
           err_set(e, "cc needs clang %u or newer, and %s is clang %u; " INSTALL, CLANG_OLDEST,
                   c->clang, major);
}

/* -ccbin is a compiler, or a folder with one.  Without gcc, clang does its work as well. */
static void find_host(struct cc *c)
{
    c->host_cc = is_program("gcc") ? "gcc" : c->clang;
    c->host_cxx = is_program("g++") ? "g++" : c->clang;
    if (c->ccbin && is_folder(c->ccbin)) {
        const char *cc = cc_text(c, "%s/gcc", c->ccbin), *cxx = cc_text(c, "%s/g++", c->ccbin);
        c->host_cc = is_program(cc) ? cc : c->host_cc;
        c->host_cxx = is_program(cxx) ? cxx : c->host_cxx;
    } else if (c->ccbin) {
        c->host_cc = c->host_cxx = c->ccbin;
    }
}

bool cc_find_tools(struct cc *c, struct err *e)
{
    if (!cc_find_toolkit(c, e) || !find_clang(c, e) || !check_clang(c, e))
        return false;
    find_host(c);
    return true;
}
