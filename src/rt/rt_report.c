/*
 * rt_report.c -- what a run of a CUDA program leaves behind: JSON, a summary, SMELT_STATUS.
 *
 * The file that SMELT_STATUS names is how `smelt run`, which started this process, learns that a
 * kernel failed whatever the program made of it: one word at its beginning, written at once.
 * "unwritten" is the word of a run that went well but for its JSON; "launched", which only `smelt run`
 * is told, that of one in which nothing has failed so far.  Behind the word come the notes about the
 * JSON (report/report_file.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "report/report.h"
#include "rt/rt_queue.h"

static struct report report;
static struct err failure; /* the first */
static bool failed, ended;
static pid_t owner; /* a forked child does not report */
static char program[4096];
static volatile int stop; /* the signal that asked for it */

static const char *status_path(void)
{
    const char *path = getenv("SMELT_STATUS");

    return path && *path ? path : NULL;
}

/* Its reader may be gone, and the number of that process be another's, whose file is not ours. */
static bool is_readers(const char *path)
{
    static const char ours[] = "/memfd:smelt-status";
    char target[sizeof ours] = "";

    return strncmp(path, "/proc/", 6) != 0 ||
           (readlink(path, target, sizeof target - 1) > 0 && strcmp(target, ours) == 0);
}

static int open_status(void)
{
    const char *path = status_path();

    return path && is_readers(path) ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
}

static void write_word(int fd, const char *word)
{
    if (fd < 0)
        return;
    if (pwrite(fd, word, strlen(word) + 1, 0) < 0)
        log_warn("%s: %s", status_path(), strerror(errno));
    close(fd);
}

static void write_status(const char *word)
{
    write_word(open_status(), word);
}

/* Notes are for `smelt run`, whose memory the file is; another's file is for the word alone. */
static int open_notes(void)
{
    const char *path = status_path();

    return path && strncmp(path, "/proc/", 6) == 0 ? open_status() : -1;
}

/* Brings the file up to date; a signal that ends the process waits until it is whole. */
static bool write_report(void)
{
    const struct err *why = failed ? &failure : NULL;
    sigset_t ends, before;
    bool ok = true;

    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    if (ended)
        ok = report_end(&report, why);
    else
        report_update(&report);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

static void finish_report(void)
{
    log_progress_end();
    ended = true;
    if (!write_report() && !failed)
        write_status("unwritten");
    if (status_path() && !rt.settings.quiet) {
        fflush(stdout); /* what the program printed comes first */
        report_summary(rt.dev);
    }
}

/* Of the run there is only what the file has. */
void rt_report_lost(const struct err *e)
{
    failure = *e;
    failed = true;
    write_status("failed");
}

/* If another thread is inside a call, the file stays as that thread's last launch left it. */
static void at_exit(int status, void *arg)
{
    (void)arg;
    if (getpid() != owner || !rt_try_lock())
        return;
    struct rt_guard g;

    if (!rt.lost && RT_GUARD(&g)) {
        rt_queue_finish();
        report.has_exit = true;
        report.exit_status = status & 0xff; /* as the parent will see it */
        finish_report();
        memory_unguard(&g.memory);
    } else if (!rt.lost) {
        rt_out_of_memory(&g, "exit");
    }
    rt_unlock();
}

/* The command line of `smelt run`, or our own if nobody of that name is there. */
static char **command(void)
{
    const char *path = status_path();
    unsigned pid;
    char file[64];
    u32 n;

    if (!path || !is_readers(path) || sscanf(path, "/proc/%u/", &pid) != 1)
        return NULL;
    snprintf(file, sizeof file, "/proc/%u/cmdline", pid);
    return report_words(file, &n);
}

void rt_report_start(void)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    struct err e;
    u32 n_word;

    program[n < 0 ? 0 : n] = 0;
    owner = getpid();
    settings_absolute(&rt.settings);
    rt.dev->opts.stop = &stop;
    if (status_path() && !rt.settings.quiet)
        report_show_progress(rt.dev);
    report = (struct report){.dev = rt.dev, .settings = &rt.settings, .program = program};
    report.kind = "cuda";
    report.args = report_words("/proc/self/cmdline", &n_word);
    report.args += n_word > 0;
    report.command = command();
    report.file.notes = open_notes;
    if (!hash_file("/proc/self/exe", report.hash, &e))
        report.hash[0] = 0;
    if (!report_begin(&report, &e)) {
        err_print(&e, stderr);
        _exit(e.status);
    }
    on_exit(at_exit, NULL);
}

/* For the reader to know that there was something to simulate. */
static void tell_launched(void)
{
    static bool told;

    if (!told && !failed)
        write_word(open_notes(), "launched");
    told = true;
}

/* Destructors of the program may launch kernels after its end. */
void rt_report_launch(void)
{
    tell_launched();
    log_progress_end();
    if (getpid() == owner)
        write_report();
    if (stop) /* it came too late for the kernel: it is the process's, as if we had not caught it */
        raise(stop);
}

static const char *end_word(void)
{
    switch (rt.dev->last.end) {
    case RUN_DEADLOCK:
        return "deadlock";
    case RUN_MAX_INSTS:
        return "max_insts";
    case RUN_MAX_CYCLES:
        return "max_cycles";
    case RUN_STOPPED:
        return "interrupted";
    default:
        return "fault";
    }
}

/* Also of a forked child: some kernel of the program has failed. */
void rt_report_failure(const struct err *e)
{
    if (!failed)
        failure = *e;
    failed = true;
    write_status(end_word());
}

/*
 * A program may go on as if a kernel had run, and print what was in memory as its result; on a GPU
 * that goes unseen.  Here the run has failed, whatever the program does then.
 */
void rt_report_refusal(const struct err *e)
{
    rt.dev->n_refused++;
    if (!failed) {
        failure = *e;
        write_status("refused");
    }
    failed = true;
}

/* The user wanted the simulation to end here, so the program ends here too. */
void rt_report_abandon(const struct err *e)
{
    rt_report_failure(e);
    rt_say(e);
    if (getpid() == owner)
        finish_report();
    fflush(NULL);
    _exit(ERR_PROGRAM);
}

/* --- Ctrl-C --- */

static volatile sig_atomic_t asked[2]; /* how often: others, and the parent */

/*
 * Only the first one asks, the second ends.  Where all processes of a group get a signal, `smelt
 * run` is one of them and passes it on: that is not a second one.
 */
static void on_signal(int number, siginfo_t *info, void *context)
{
    bool passed_on = info->si_code <= 0 && info->si_pid == getppid();

    (void)context;
    stop = number;
    if (asked[passed_on]++) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

/* A program with a handler of its own keeps it. */
static void watch_signal(int number, bool on)
{
    struct sigaction now;
    struct sigaction ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};

    if (sigaction(number, NULL, &now))
        return;
    if (!on && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_signal)
        signal(number, SIG_DFL);
    if (!on || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL)
        return;
    sigemptyset(&ours.sa_mask);
    sigaction(number, &ours, NULL);
}

void rt_watch_signals(bool on)
{
    if (on)
        asked[0] = asked[1] = 0;
    watch_signal(SIGINT, on);
    watch_signal(SIGTERM, on);
}
