/*
 * tool.c -- the runner (runs/runner.h) as a command, for the scripts of this folder.
 *
 *     tool sweep STORE PROGRAM FROM TO [-j N] [--seconds N] [--bytes N] [--retry]
 *     tool one DIR PROGRAM MHZ [..]       tool take STORE DIR       tool key PROGRAM MHZ
 *
 * Points are PROGRAM on the GPU `tiny` with core clocks FROM..TO.  The runner starts its own command
 * as `tool run ..` (and `tool cc`), which hands over to smelt and, if RUN_LOG is set, writes a line there when a run
 * begins and another when it has ended well: so runs are counted by who makes them.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "runs/runner.h"

static int told(const struct err *e)
{
    err_print(e, stderr);
    return e->status;
}

/* ---- tool run */

/* One write to the end of the file: lines of several processes do not mix. */
static void count(const char *what, char **argv)
{
    const char *log = getenv("RUN_LOG"), *mhz = "?";
    int fd = log ? open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;

    for (u32 i = 0; argv[i]; i++)
        if (strncmp(argv[i], "gpu.core_mhz=", 13) == 0)
            mhz = argv[i] + 13;
    if (fd >= 0) {
        dprintf(fd, "%s %s\n", what, mhz);
        close(fd);
    }
}

static int run(char **argv)
{
    struct err e;
    char *smelt = getenv("SMELT");
    int status = 0;

    argv[0] = smelt;
    if (!getenv("RUN_LOG") || strcmp(argv[1], "run") != 0) {
        execv(smelt, argv);
        return 127;
    }
    count("begin", argv);
    pid_t pid = child_start(smelt, argv, -1, &e);

    if (pid < 0)
        return told(&e);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (status == 0)
        count("end", argv);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* ---- the others */

static bool make_point(struct point *p, const char *program, u64 mhz, struct err *e)
{
    char *set = text_printf("gpu.core_mhz=%" PRIu64, mhz);

    *p = (struct point){.program = text_dup(program), .gpu = text_dup("tiny")};
    point_add(&p->set, set);
    free(set);
    return point_check(p, e);
}

static void options(struct runner_options *o, char **argv)
{
    *o = (struct runner_options){.jobs = 2};
    for (; *argv; argv++) {
        if (strcmp(*argv, "--retry") == 0)
            o->retry = true;
        else if (strcmp(*argv, "-j") == 0)
            o->jobs = (u32)strtoul(*++argv, NULL, 10);
        else if (strcmp(*argv, "--seconds") == 0)
            o->seconds = strtoull(*++argv, NULL, 10);
        else if (strcmp(*argv, "--bytes") == 0)
            o->bytes = strtoull(*++argv, NULL, 10);
    }
}

static int run_points(const char *path, struct point *p, u32 n, const struct runner_options *o)
{
    struct runner_result r;
    struct err e;
    struct store *s = store_open(path, STORE_WRITE, &e);
    bool ok = s && runner_run(s, p, n, o, &r, &e);

    store_close(s);
    if (!ok)
        return told(&e);
    printf("there %u done %u failed %u%s\n", r.there, r.done, r.failed,
           r.stopped ? " stopped" : "");
    return r.stopped ? 3 : 0;
}

static int sweep(char **argv)
{
    u64 from = strtoull(argv[2], NULL, 10), to = strtoull(argv[3], NULL, 10);
    struct point *p = xcalloc(to - from + 1, sizeof *p);
    struct runner_options o;
    struct err e;
    u32 n = 0;
    bool ok = true;

    options(&o, argv + 4);
    for (u64 mhz = from; ok && mhz <= to; mhz++)
        ok = make_point(&p[n++], argv[1], mhz, &e);
    int status = ok ? run_points(argv[0], p, n, &o) : told(&e);

    for (u32 i = 0; i < n; i++)
        point_free(&p[i]);
    free(p);
    return status;
}

static int one(char **argv)
{
    struct runner_options o;
    struct point p;
    struct err e;

    options(&o, argv + 3);
    bool ok =
        make_point(&p, argv[1], strtoull(argv[2], NULL, 10), &e) && runner_one(argv[0], &p, &o, &e);

    point_free(&p);
    return ok ? 0 : told(&e);
}

static int take(char **argv)
{
    struct err e;
    struct store *s = store_open(argv[0], STORE_WRITE, &e);
    u32 n;
    bool ok = s && runner_take_in(s, argv[1], &n, &e);

    store_close(s);
    if (!ok)
        return told(&e);
    printf("took %u\n", n);
    return 0;
}

static int key(char **argv)
{
    struct point p;
    struct err e;
    bool ok = make_point(&p, argv[0], strtoull(argv[1], NULL, 10), &e);

    puts(p.key);
    point_free(&p);
    return ok ? 0 : told(&e);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "run") == 0 || strcmp(what, "cc") == 0)
        return run(argv);
    if (strcmp(what, "sweep") == 0 && argc >= 6)
        return sweep(argv + 2);
    if (strcmp(what, "one") == 0 && argc >= 5)
        return one(argv + 2);
    if (strcmp(what, "take") == 0 && argc == 4)
        return take(argv + 2);
    if (strcmp(what, "key") == 0 && argc == 4)
        return key(argv + 2);
    return 2;
}
