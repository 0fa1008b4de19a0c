/*
 * run_cuda.c -- smelt run PROGRAM: a CUDA executable or a bundled workload (see run.h).
 *
 * The simulator lives in libcudart.so, in the program's own process.  This side checks the
 * settings, hands them over in SMELT_ARGS, waits, and makes the exit status.  The library
 * tells of a fault by a word in the file SMELT_STATUS (memory of this process, reached through
 * /proc, so that nothing is left behind), since the program may go on and exit with 0.
 * A request to stop is passed on, and a program does not outlive its `smelt run` (base/child.h).
 */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/log.h"
#include "base/place.h"
#include "cli/cli.h"
#include "cli/run.h"
#include "mech/mech.h"
#include "workload/runnable.h"

/* --- before --- */

static void prepend_to_path(const char *variable, const char *dir)
{
    const char *old = getenv(variable);
    char *path = text_printf("%s%s%s", dir, old && *old ? ":" : "", old ? old : "");
    setenv(variable, path, 1);
    free(path);
}

/* Programs find our library whatever they were linked for. */
static bool set_environment(const struct program_run *r, int status_file, struct err *e)
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
static volatile sig_atomic_t early; /* a signal that came before there was a child */

/* A terminal tells all of its processes; what somebody sent to this one is passed on. */
static void pass_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code > 0)
        return;
    if (child > 0)
        kill(child, number);
    else
        early = number;
}

/* The program ends its kernel and its report, and we wait for that. */
static bool spawn_program(const char *path, char **argv, struct err *e)
{
    struct sigaction act = {.sa_sigaction = pass_signal, .sa_flags = SA_SIGINFO};
    signal(SIGCHLD, SIG_DFL); /* where it is ignored, the status of a child is lost */
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    pid_t pid = child_start(path, argv, -1, e);
    child = pid > 0 ? pid : 0;
    if (child && early)
        kill(child, early);
    return child;
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

/* What the library had to say, "" if nothing. */
static void read_word(int status_file, char word[32])
{
    ssize_t n = pread(status_file, word, 31, 0);
    word[n > 0 ? n : 0] = 0;
}

static const char *end_of(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM ? "interrupted"
                                                                         : "crashed";
    return WEXITSTATUS(status) ? "failed" : "done";
}

static void tell_end(const struct program_run *r, int status)
{
    struct err e;
    if (WIFSIGNALED(status))
        err_program(&e, "%s: ended by signal %d (%s)", r->program, WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status))
        err_program(&e, "%s: ended with status %d", r->program, WEXITSTATUS(status));
    else
        return;
    err_tell(&e);
}

static int finish_program(struct program_run *r, int status_file, int status)
{
    char word[32];
    struct err e;
    read_word(status_file, word);
    bool launched = word[0];
    if (strcmp(word, "launched") == 0)
        word[0] = 0;
    bool unwritten = strcmp(word, "unwritten") == 0; /* the JSON: the library has said why */
    const char *end = word[0] && !unwritten ? word : end_of(status);
    tell_end(r, status);
    if (!launched && status == 0 && !r->settings.quiet)
        log_note("%s launched no kernel: nothing was simulated", r->program);
    bool finished = report_finish_file(&r->report, status_file, unwritten ? word : end,
                                       WIFEXITED(status) ? WEXITSTATUS(status) : -1, &e);
    if (!finished)
        err_tell(&e);
    if (strcmp(end, "done") != 0)
        return ERR_PROGRAM;
    return unwritten || !finished ? ERR_USER : 0;
}

static char **arguments(const struct program_run *r, char *path)
{
    u32 n = 0;
    while (r->args[n])
        n++;
    char **argv = xcalloc(n + 2, sizeof(argv[0]));
    argv[0] = path;
    memcpy(argv + 1, r->args, n * sizeof(argv[0]));
    return argv;
}

/* Which program it is stands in the JSON also if that never comes to use the GPU. */
static void describe_executable(struct program_run *r, const char *path)
{
    struct err e;
    if (!hash_file(path, r->report.hash, &e))
        r->report.hash[0] = 0;
    report_update(&r->report);
}

static int run_path(struct program_run *r, char *path)
{
    struct err e;
    int status, status_file = memfd_create("smelt-status", MFD_CLOEXEC);
    char **argv = arguments(r, path);
    describe_executable(r, path);
    if (set_environment(r, status_file, &e) && spawn_program(path, argv, &e))
        status = finish_program(r, status_file, wait_for_child());
    else
        status = err_tell(&e);
    close(status_file);
    free(argv);
    return status;
}

/* From its beginning on there is a JSON file, whatever the program does. */
static int build_and_run(struct program_run *r)
{
    struct err e;
    r->report.args = r->args;
    if (!report_begin(&r->report, &e))
        return err_tell(&e);
    char *path = runnable_executable(r->program, &e);
    if (!path)
        report_end(&r->report, &e);
    int status = path ? run_path(r, path) : err_tell(&e);
    free(path);
    return status;
}

int run_cuda(struct program_run *r)
{
    struct err e;
    settings_absolute(&r->settings);
    for (u32 i = 0; i < r->settings.mech.n; i++)
        mech_absolute(&r->settings.mech.at[i]);
    r->report.dev = device_of_settings(&r->settings, &e); /* are they right? */
    int status = r->report.dev ? build_and_run(r) : err_tell(&e);
    report_free(&r->report);
    device_free(r->report.dev);
    return status;
}
