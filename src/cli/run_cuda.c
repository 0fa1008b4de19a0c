/*
 * run_cuda.c -- smelt run PROGRAM: a CUDA executable or a bundled workload (see run.h).
 *
 * The simulator lives in libcudart.so, in the program's own process.  This side checks the
 * settings, hands them over in SMELT_ARGS, waits, and makes the exit status.  The library
 * tells of a fault by a word in the file SMELT_STATUS (memory of this process, reached through
 * /proc, so that nothing is left behind), since the program may go on and exit with 0.
 */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/place.h"
#include "cli/cli.h"
#include "cli/run.h"
#include "cli/workload.h"

extern char **environ;

/* --- before --- */

/* The program may change its folder before it uses the GPU. */
static void make_absolute(char **path)
{
    char here[PATH_MAX];
    if (!*path || (*path)[0] == '/' || strcmp(*path, "-") == 0 || !getcwd(here, sizeof(here)))
        return;
    char *full = text_printf("%s/%s", here, *path);
    free(*path);
    *path = full;
}

/* Are the settings right?  And from now on there is a JSON file, whatever the program does. */
static bool check_settings(struct run *r, struct err *e)
{
    r->report.dev = settings_device(&r->settings, e);
    bool ok = r->report.dev && report_begin(&r->report, e);
    device_free(r->report.dev);
    r->report.dev = NULL;
    return ok;
}

static void prepend_to_path(const char *variable, const char *dir)
{
    const char *old = getenv(variable);
    char *path = text_printf("%s%s%s", dir, old && *old ? ":" : "", old ? old : "");
    setenv(variable, path, 1);
    free(path);
}

/* Programs find our library whatever they were linked for. */
static bool set_environment(const struct run *r, int status_file, struct err *e)
{
    char *toolkit = place_toolkit(), *args = settings_text(&r->settings);
    char *status = text_printf("/proc/%d/fd/%d", (int)getpid(), status_file);
    if (toolkit) {
        char *lib = text_printf("%s/lib64", toolkit);
        prepend_to_path("LD_LIBRARY_PATH", lib);
        free(lib);
    }
#ifdef SMELT_ASAN_LIBRARY /* must come first in a process that loads an instrumented library */
    prepend_to_path("LD_PRELOAD", SMELT_ASAN_LIBRARY);
#endif
    setenv("SMELT_ARGS", args, 1);
    setenv("SMELT_STATUS", status, 1);
    bool ok = toolkit || err_set(e, "the toolkit (libcudart.so) is nowhere near this command");
    free(toolkit), free(args), free(status);
    return ok;
}

/* --- the process --- */

static volatile pid_t child;

static void pass_on(int number)
{
    if (child > 0)
        kill(child, number);
}

/* Ctrl-C reaches the program too, which ends its kernel and its report; we wait for that. */
static bool spawn(const char *path, char **argv, struct err *e)
{
    posix_spawnattr_t attr;
    sigset_t defaults;
    pid_t pid;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGTERM);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigdefault(&attr, &defaults);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
    struct sigaction act = {.sa_handler = SIG_IGN};
    sigaction(SIGINT, &act, NULL);
    act.sa_handler = pass_on;
    sigaction(SIGTERM, &act, NULL);
    int error = posix_spawn(&pid, path, NULL, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    child = error ? 0 : pid;
    return !error || err_set(e, "%s: %s", path, strerror(error));
}

static int wait_for_child(void)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    child = 0;
    return status;
}

/* --- after --- */

/* How it ended, for the JSON: the library's word, or what the process's end says. */
static void ending(int status_file, int status, char word[32])
{
    ssize_t n = pread(status_file, word, 31, 0);
    word[n > 0 ? n : 0] = 0;
    if (word[0])
        return;
    const char *end =
        WIFSIGNALED(status)
            ? WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM ? "interrupted" : "crashed"
        : WEXITSTATUS(status) ? "failed"
                              : "done";
    snprintf(word, 32, "%s", end);
}

static void tell(const struct run *r, int status)
{
    struct err e;
    if (WIFSIGNALED(status))
        err_program(&e, "%s: ended by signal %d (%s)", r->program, WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status))
        err_program(&e, "%s: ended with status %d", r->program, WEXITSTATUS(status));
    else
        return;
    cli_fail(&e);
}

static int finish(struct run *r, int status_file, int status)
{
    char word[32];
    struct err e;
    ending(status_file, status, word);
    tell(r, status);
    if (r->settings.json && !report_finish_file(r->settings.json, word,
                                                WIFEXITED(status) ? WEXITSTATUS(status) : -1, &e))
        return cli_fail(&e);
    return strcmp(word, "done") == 0 ? 0 : ERR_PROGRAM;
}

static char **arguments(const struct run *r, char *path)
{
    u32 n = 0;
    while (r->args[n])
        n++;
    char **argv = xcalloc(n + 2, sizeof(argv[0]));
    argv[0] = path;
    memcpy(argv + 1, r->args, n * sizeof(argv[0]));
    return argv;
}

static char *executable(const struct run *r, struct err *e)
{
    if (workload_exists(r->program))
        return workload_build(r->program, e);
    return strchr(r->program, '/') ? text_dup(r->program) : text_printf("./%s", r->program);
}

int run_cuda(struct run *r)
{
    struct err e;
    int status_file = memfd_create("smelt-status", 0);
    make_absolute(&r->settings.json);
    if (strchr(r->settings.gpu, '/'))
        make_absolute(&r->settings.gpu);
    if (!check_settings(r, &e))
        return cli_fail(&e);
    char *path = executable(r, &e), **argv = path ? arguments(r, path) : NULL;
    int status = ERR_USER;
    if (path && set_environment(r, status_file, &e) && spawn(path, argv, &e))
        status = finish(r, status_file, wait_for_child());
    else
        cli_fail(&e);
    close(status_file);
    free(path);
    free(argv);
    return status;
}
