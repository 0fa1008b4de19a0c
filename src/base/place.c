/* place.c -- see place.h */
#define _GNU_SOURCE /* dladdr */
#include "base/place.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

/* CMake leaves it in its build folder; it says where the sources are (CMakeLists.txt). */
#define BUILD_MARK ".smelt-build-tree"

char *place_command(void)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
    return text_dup_n(path, n > 0 ? (size_t)n : 0);
}

/*
 * The folder that the command is in, or stands for it: the library is in toolkit/lib64 of the
 * build folder, or in lib/smelt/lib64 beside bin; programs may load it through a link to it.  ""
 * if that cannot be known.
 */
static char *own_folder(void)
{
    Dl_info info;
    char *command = place_command(), *folder, real[PATH_MAX];
    if (dladdr((void *)(uintptr_t)place_command, &info) && info.dli_fname &&
        strstr(info.dli_fname, ".so")) {
        char *lib = text_folder(realpath(info.dli_fname, real) ? real : info.dli_fname);
        folder = text_printf("%s/../..", lib);
        free(lib);
    } else {
        folder = text_folder(command);
    }
    free(command);
    return folder;
}

static bool is_build_folder(const char *path)
{
    char *mark = text_printf("%s/" BUILD_MARK, path);
    bool is = access(mark, F_OK) == 0;
    free(mark);
    return is;
}

/* Only CMake's mark tells: what else lies beside an installed command is somebody else's. */
char *place_build(void)
{
    char *own = own_folder(), *build = NULL;
    char *above = text_printf("%s/..", own); /* of a test's program */
    if (own[0] && is_build_folder(own))
        build = text_dup(own);
    else if (own[0] && is_build_folder(above))
        build = text_dup(above);
    free(own), free(above);
    return build;
}

/* `what` in the tree of the sources of this build folder. */
static char *in_source(const char *build, const char *what)
{
    struct err e;
    char *mark = text_printf("%s/" BUILD_MARK, build);
    char *source = text_read_file(mark, NULL, &e);
    char *path = text_printf("%s/%s/%s", build, source ? text_trim(source) : "", what);
    free(mark), free(source);
    return path;
}

/* `what` in PREFIX, which is above bin, or above lib for the library. */
static char *in_prefix(const char *what)
{
    char *own = own_folder(), *path = text_printf("%s/../%s", own, what);
    free(own);
    return path;
}

static char *if_there(char *path)
{
    if (access(path, F_OK) == 0)
        return path;
    free(path);
    return NULL;
}

char *place_find(const char *what)
{
    char *build = place_build(), *shared = text_printf("share/smelt/%s", what);
    char *path = build ? in_source(build, what) : in_prefix(shared);
    free(build), free(shared);
    return if_there(path);
}

char *place_toolkit(void)
{
    const char *env = getenv("SMELT_TOOLKIT");
    if (env && env[0])
        return text_dup(env);
    char *build = place_build();
    char *path = build ? text_printf("%s/toolkit", build) : in_prefix("lib/smelt");
    free(build);
    return if_there(path);
}

bool place_is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool place_can_run(const char *path)
{
    return place_is_file(path) && access(path, X_OK) == 0;
}

char *place_program(const char *name)
{
    if (strchr(name, '/'))
        return place_can_run(name) ? text_dup(name) : NULL;
    const char *path = getenv("PATH");
    for (const char *s = path ? path : "/usr/bin:/bin"; *s;) {
        size_t n = strcspn(s, ":");
        char *full = text_printf("%.*s/%s", (int)n, s, name);
        if (place_can_run(full))
            return full;
        free(full);
        s += n + (s[n] == ':');
    }
    return NULL;
}

char *place_clang(void)
{
    static const char *const names[] = {"clang++-14", "clang++-15", "clang++-16", "clang++"};
    const char *env = getenv("SMELT_CLANG");
    if (env && env[0])
        return place_program(env);
    char *path = NULL;
    for (u32 i = 0; i < LEN(names) && !path; i++)
        path = place_program(names[i]);
    return path;
}

static int by_place_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

u32 place_names(const char *what, const char *ending, char ***name)
{
    VEC(char *) all = {0};
    char *dir = place_find(what);
    DIR *d = dir ? opendir(dir) : NULL;
    size_t tail = strlen(ending);

    for (const struct dirent *ent; d && (ent = readdir(d));) {
        size_t n = strlen(ent->d_name);

        if (ent->d_name[0] != '.' && n > tail && strcmp(ent->d_name + n - tail, ending) == 0)
            *VEC_ADD(&all) = text_dup_n(ent->d_name, n - tail);
    }
    if (d)
        closedir(d);
    free(dir);
    if (all.n)
        qsort(all.at, all.n, sizeof(all.at[0]), by_place_name);
    *name = all.at;
    return all.n;
}
