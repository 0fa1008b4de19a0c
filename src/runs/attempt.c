/* attempt.c -- see attempt.h */
#define _GNU_SOURCE /* wait4 */
#include "runs/attempt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/proc.h"
#include "conf/settings.h"
#include "runs/row.h"

double attempt_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void attempt_clean_environment(void)
{
    for (u32 i = 0; i < n_setting; i++)
        unsetenv(setting_row[i].variable);
    unsetenv("SMELT_ARGS");
}

/* ---- beginning */

static bool spawn_run(struct attempt *a, struct err *e)
{
    char **argv = point_argv(a->point, a->part);
    int log = open(a->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    if (log < 0)
        err_set(e, "%s: %s", a->log, strerror(errno));
    else
        a->pid = child_start(argv[0], argv, log, e);
    if (log >= 0)
        close(log);
    point_argv_free(argv);
    if (a->pid > 0)
        return true;
    unlink(a->log);
    a->pid = 0;
    return false;
}

/* Names with host and process: two that have the same point never write to one file. */
bool attempt_start(struct attempt *a, const char *dir, const struct point *p, struct err *e)
{
    char *host = proc_host();

    *a = (struct attempt){.point = p, .dir = text_dup(dir), .began = attempt_now()};
    a->part = text_printf("%s/%s.%s.%d.part", dir, p->key, host, (int)getpid());
    a->log = text_printf("%s/%s.%s.%d.log", dir, p->key, host, (int)getpid());
    free(host);
    text_absolute(&a->part);
    if (spawn_run(a, e))
        return true;
    attempt_free(a);
    return false;
}

void attempt_free(struct attempt *a)
{
    free(a->dir), free(a->part), free(a->log);
    memset(a, 0, sizeof *a);
}

/* ---- meanwhile */

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

bool attempt_ended(struct attempt *a)
{
    struct rusage use;

    if (!a->pid)
        return true;
    pid_t got = wait4(a->pid, &a->status, WNOHANG, &use);

    if (got == 0 || (got < 0 && errno == EINTR))
        return false;
    a->pid = 0;
    a->seconds = attempt_now() - a->began;
    if (got < 0) { /* somebody else has taken its status: never, if SIGCHLD is as it should be */
        a->status = SIGKILL;
        return true;
    }
    if (!a->status) /* it was over before it heard us */
        a->why = ATTEMPT_ITSELF;
    a->cpu_seconds = seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
    if (!a->peak) /* it was too short to be seen; the kernel's number may be ours, from the fork */
        a->peak = (u64)use.ru_maxrss * 1024;
    return true;
}

static void ask_to_end(struct attempt *a, enum attempt_why why, u64 limit)
{
    if (!a->pid || a->asked > 0)
        return;
    a->why = why, a->limit = limit;
    a->asked = attempt_now();
    kill(a->pid, SIGTERM);
}

void attempt_stop(struct attempt *a)
{
    ask_to_end(a, ATTEMPT_STOPPED, 0);
    a->why = ATTEMPT_STOPPED;
}

void attempt_kill(struct attempt *a)
{
    attempt_stop(a);
    if (a->pid)
        proc_tree_kill(a->pid, SIGKILL);
}

void attempt_watch(struct attempt *a, const struct runner_options *o)
{
    if (!a->pid)
        return;
    u64 held = proc_tree_bytes(a->pid);
    double now = attempt_now();

    a->peak = held > a->peak ? held : a->peak;
    if (o->bytes && held > o->bytes)
        ask_to_end(a, ATTEMPT_MEMORY, o->bytes);
    if (o->seconds && now - a->began > (double)o->seconds)
        ask_to_end(a, ATTEMPT_TIME, o->seconds);
    /* what grows while it is asked is not waited for */
    bool grows = a->why == ATTEMPT_MEMORY && held > 2 * o->bytes;

    if (a->asked > 0 && (grows || now - a->asked > ATTEMPT_GRACE))
        proc_tree_kill(a->pid, SIGKILL);
}

/* ---- the end */

char *attempt_last_lines(const char *path)
{
    char text[ATTEMPT_BYTES + 1] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
    off_t from = size > ATTEMPT_BYTES ? size - ATTEMPT_BYTES : 0;
    ssize_t n = fd >= 0 ? pread(fd, text, ATTEMPT_BYTES, from) : 0;

    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    char *first = text, *end = text + strlen(text), *at;

    if (from && (at = strchr(text, '\n'))) /* part of a line */
        first = at + 1;
    while (end > first && end[-1] == '\n')
        *--end = 0;
    at = end;
    for (u32 lines = 0; at > first; at--)
        if (at[-1] == '\n' && ++lines == ATTEMPT_LINES)
            break;
    return text_dup(at);
}

/* Why there is no result, "" if it ended well. */
static char *reason_of_end(const struct attempt *a)
{
    char size[TEXT_NUMBER];

    if (a->why == ATTEMPT_TIME)
        return text_printf("ended by us: it took more than %" PRIu64 " s", a->limit);
    if (a->why == ATTEMPT_MEMORY)
        return text_printf("ended by us: it held more than %s bytes of memory",
                           text_show_size(a->limit, size, sizeof size));
    if (WIFSIGNALED(a->status))
        return text_printf("ended by signal %d (%s)", WTERMSIG(a->status),
                           strsignal(WTERMSIG(a->status)));
    if (WEXITSTATUS(a->status))
        return text_printf("ended with status %d", WEXITSTATUS(a->status));
    return text_dup("");
}

/* A user's mistake about the very file that we asked for is the disk's, not the point's. */
static bool is_disk(const struct attempt *a, const char *lines, struct err *e)
{
    const char *at =
        WIFEXITED(a->status) && WEXITSTATUS(a->status) == ERR_USER ? strstr(lines, a->part) : NULL;

    if (at)
        err_set(e, "%.*s", (int)strcspn(at, "\n"), at);
    return at != NULL;
}

/* The last thing that it said, but for how it ended: that we know; to be freed. */
static char *last_word(const char *lines)
{
    const char *end = lines + strlen(lines), *from = end;

    while (end > lines) {
        for (from = end; from > lines && from[-1] != '\n'; from--)
            ;
        char *line = text_dup_n(from, (size_t)(end - from));

        if (!strstr(line, ": ended with status ") && !strstr(line, ": ended by signal "))
            return line;
        free(line);
        end = from > lines ? from - 1 : lines;
    }
    return text_dup("");
}

/* The first line says all that most people want to know: the reason, and the last word. */
static void fail_row(struct store_row *r, const char *why, const char *lines)
{
    char *word = last_word(lines);
    const char *last = strncmp(word, "smelt: ", 7) == 0 ? word + 7 : word;

    r->state = STORE_FAILED;
    r->message =
        text_printf("%s%s%s%s%s", why, last[0] ? ": " : "", last, lines[0] ? "\n" : "", lines);
    free(word);
}

/* Fills in how it ended; false if that is nothing about the point. */
static bool judge_end(const struct attempt *a, struct store_row *r, struct err *e)
{
    struct err told;
    size_t len = 0;
    char *why = reason_of_end(a), *lines = attempt_last_lines(a->log);
    bool disk = is_disk(a, lines, e);
    char *text = why[0] ? NULL : text_read_file(a->part, &len, &told);

    if (why[0])
        fail_row(r, why, lines);
    else if (!text || !row_take_result(r, a->part, text, len, &told))
        fail_row(r, told.msg, lines);
    free(text), free(why), free(lines);
    return !disk;
}

static bool leave_result(const struct attempt *a, const struct store_row *r, struct err *e)
{
    char *json = text_printf("%s/%s.json", a->dir, r->key);
    char *row = text_printf("%s/%s.row", a->dir, r->key);
    bool ok = r->state != STORE_DONE || rename(a->part, json) == 0 ||
              err_set(e, "%s: %s", json, strerror(errno));

    ok = ok && row_write(r, row, e);
    free(json), free(row);
    return ok;
}

/* Its log and its part; killed while it wrote, it has left a draft of that (base/draft.h). */
static void clear_leftovers(const struct attempt *a)
{
    const char *name = text_base_name(a->part);
    size_t n = strlen(name) - strlen("part");
    DIR *d = opendir(a->dir);

    for (const struct dirent *ent; d && (ent = readdir(d));)
        if (strncmp(ent->d_name, name, n) == 0)
            unlinkat(dirfd(d), ent->d_name, 0);
    if (d)
        closedir(d);
}

bool attempt_finish(struct attempt *a, struct err *e)
{
    struct store_row r;
    bool ok = true;

    if (a->why != ATTEMPT_STOPPED) {
        row_of_point(&r, a->point);
        r.seconds = a->seconds, r.cpu_seconds = a->cpu_seconds, r.peak_bytes = a->peak;
        ok = judge_end(a, &r, e) && leave_result(a, &r, e);
        store_row_free(&r);
    }
    clear_leftovers(a);
    return ok;
}
