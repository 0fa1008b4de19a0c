/* place.c -- see place.h */
#define _GNU_SOURCE /* dladdr */
#include "base/place.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

char *place_command(void)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
    return text_dup_n(path, n > 0 ? (size_t)n : 0);
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return text_dup_n(path, slash ? (size_t)(slash - path) : 0);
}

/*
 * The folder that the command is in, or stands for it: the library is in toolkit/lib64 of the
 * build folder, or in lib/smelt/lib64 beside bin.  "" if that cannot be known.
 */
static char *own_folder(void)
{
    Dl_info info;
    char *command = place_command(), *folder;
    if (dladdr((void *)(uintptr_t)place_command, &info) && info.dli_fname &&
        strstr(info.dli_fname, ".so")) {
        char *lib = folder_of(info.dli_fname);
        folder = text_printf("%s/../..", lib);
        free(lib);
    } else {
        folder = folder_of(command);
    }
    free(command);
    return folder;
}

u32 place_candidates(const char *what, char *path[PLACE_MAX])
{
    u32 n = 0;
    char *own = own_folder();
    if (own[0]) {
        path[n++] = text_printf("%s/../../%s", own, what);
        path[n++] = text_printf("%s/../share/smelt/%s", own, what);
    }
    free(own);
    path[n++] = text_printf("%s/%s", SMELT_SOURCE_DIR, what);
    path[n++] = text_printf("%s/%s", SMELT_DATA_DIR, what);
    return n;
}

/* The first of n paths that exists; the others, or all, are freed. */
static char *first_there(char **path, u32 n)
{
    char *found = NULL;
    for (u32 i = 0; i < n; i++) {
        if (!found && access(path[i], F_OK) == 0)
            found = path[i];
        else
            free(path[i]);
    }
    return found;
}

char *place_find(const char *what)
{
    char *path[PLACE_MAX];
    u32 n = place_candidates(what, path);
    return first_there(path, n);
}

char *place_toolkit(void)
{
    const char *env = getenv("SMELT_TOOLKIT");
    if (env && env[0])
        return text_dup(env);
    char *own = own_folder();
    char *path[] = {text_printf("%s/toolkit", own), text_printf("%s/../lib/smelt", own)};
    free(own);
    return first_there(path, LEN(path));
}

bool place_is_build(void)
{
    char *own = own_folder(), *toolkit = text_printf("%s/toolkit", own);
    bool there = access(toolkit, F_OK) == 0;
    free(own);
    free(toolkit);
    return there;
}
