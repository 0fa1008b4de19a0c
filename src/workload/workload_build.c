/* workload_build.c -- executables of workloads: made once, found again by hash (see workload.h). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/place.h"
#include "base/text.h"
#include "workload/cache.h"
#include "workload/recipe.h"
#include "workload/workload.h"

extern char **environ;

enum { KEPT_SECONDS = 24 * 3600 }; /* executables that were superseded */

/* --- what one is made of --- */

static void add_below(struct recipe *r, const char *dir, const char *name,
                      void (*add)(struct recipe *, const char *))
{
    char *path = text_printf("%s/%s", dir, name);
    add(r, path);
    free(path);
}

/*
 * The executable has none of libcudart.so but its name and where it is, so that one is not hashed:
 * a new build of the simulator runs the same executables.
 */
static void add_toolkit(struct recipe *r)
{
    char *toolkit = place_toolkit(), real[PATH_MAX];
    const char *dir = toolkit && realpath(toolkit, real) ? real : "";
    recipe_text(r, dir); /* the program's rpath */
    add_below(r, dir, "include", recipe_tree);
    add_below(r, dir, "lib64/math.bc", recipe_file);
    free(toolkit);
}

/*
 * A compiler is a small program over large libraries, which come and go with it: its time is
 * theirs.
 */
static void add_compiler(struct recipe *r, char *path)
{
    struct stat st;
    char real[PATH_MAX], when[64] = "absent";
    if (path && realpath(path, real) && stat(real, &st) == 0) {
        snprintf(when, sizeof(when), "%lld.%09ld", (long long)st.st_mtim.tv_sec,
                 st.st_mtim.tv_nsec);
        recipe_text(r, real);
        recipe_file(r, real);
    }
    recipe_text(r, when);
    free(path);
}

void workload_made_of(const char *name, char hex[HASH_HEX])
{
    struct recipe r = {0};
    char *source = workload_source(name), *dir = text_folder(source);
    recipe_text(&r, name);
    recipe_tree(&r, dir);
    add_below(&r, dir, "../workload.h", recipe_file);
    add_below(&r, dir, "../common", recipe_tree);
    add_toolkit(&r);
    add_compiler(&r, place_clang());
    add_compiler(&r, place_program("g++"));
    recipe_text(&r, SMELT_CC_ID);
    recipe_hash(&r, hex);
    free(source), free(dir);
}

/* --- making it --- */

static bool compile_workload(const char *name, const char *source, const char *to, struct err *e)
{
    char *smelt = place_command(), *dir = text_folder(source),
         *include = text_printf("-I%s/..", dir);
    const char *argv[] = {smelt, "cc", "-O3", include, source, "-o", to, NULL};
    pid_t pid;
    int status = 0;
    log_note("compiling workload %s (once)", name);
    bool ok = posix_spawn(&pid, smelt, NULL, NULL, (char **)(uintptr_t)argv, environ) == 0 &&
              waitpid(pid, &status, 0) == pid && status == 0;
    free(smelt), free(dir), free(include);
    return ok || err_set(e, "workload %s does not compile", name);
}

/* Those that no run has asked for lately; another installation may share the folder. */
static void remove_old(const char *dir, const char *name)
{
    DIR *d = opendir(dir);
    for (const struct dirent *ent; d && (ent = readdir(d));) {
        struct stat st;
        char *folder = text_printf("%s/%s", dir, ent->d_name);
        char *program = text_printf("%s/%s", folder, name);
        if (strlen(ent->d_name) == HASH_HEX - 1 && stat(program, &st) == 0 &&
            st.st_mtime < time(NULL) - KEPT_SECONDS && unlink(program) == 0)
            rmdir(folder);
        free(folder), free(program);
    }
    if (d)
        closedir(d);
}

/* In a folder of its own, so that programs which print their name have the right one. */
static bool move_program(const char *part, const char *program, struct err *e)
{
    char *folder = text_folder(program);
    bool ok = (mkdir(folder, 0700) == 0 || errno == EEXIST) && rename(part, program) == 0;
    free(folder);
    return ok || err_set(e, "%s: %s", program, strerror(errno));
}

/* The lock is ours, so the part of a process that was killed may be overwritten. */
static bool make_program(const char *name, const char *dir, const char *program, struct err *e)
{
    char *source = workload_source(name), *part = text_printf("%s/%s.part", dir, name);
    bool ok = compile_workload(name, source, part, e) && move_program(part, program, e);
    if (ok)
        remove_old(dir, name);
    else
        unlink(part);
    free(source), free(part);
    return ok;
}

/* Two runs may want the same workload at once: the second waits for the first. */
static bool make_if_absent(const char *name, const char *dir, const char *program, struct err *e)
{
    if (!cache_writable(dir, e))
        return false;
    char *lock = text_printf("%s/%s.lock", dir, name);
    int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    bool ok = (fd >= 0 && flock(fd, LOCK_EX) == 0) || err_set(e, "%s: %s", lock, strerror(errno));
    ok = ok && (access(program, X_OK) == 0 || make_program(name, dir, program, e));
    if (fd >= 0)
        close(fd);
    free(lock);
    return ok;
}

/* The time of an executable is when it was last asked for. */
char *workload_build(const char *name, struct err *e)
{
    char hex[HASH_HEX], *dir = cache_folder(e);
    if (!dir)
        return NULL;
    workload_made_of(name, hex);
    char *program = text_printf("%s/%s/%s", dir, hex, name);
    if (utimensat(AT_FDCWD, program, NULL, 0) != 0 && access(program, X_OK) != 0 &&
        !make_if_absent(name, dir, program, e)) {
        free(program);
        program = NULL;
    }
    free(dir);
    return program;
}
