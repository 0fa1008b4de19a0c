/*
 * report.h -- what a run leaves behind: its JSON file and the summary on stderr.
 *
 * The file is there from the beginning of the run, grows after each kernel and is whole after each
 * (report_file.h), so that whatever ends the process, a valid file with the results so far is
 * there.
 *
 *     struct report r = {.dev = d, .settings = &s, .program = "bfs", .kind = "cuda"};
 *     report_begin(&r, &e);        also checks that the file can be written
 *     report_update(&r);           after each launch
 *     report_end(&r, NULL);
 *     report_free(&r);
 *
 * --json-launches N keeps the first N launches of each kernel (timed ones and others apart) as
 * entries of their own; those that follow are one entry, their sum, which comes after them.
 * Neither the file nor memory grows with the number of launches then.
 *
 * A file that cannot be written, as on a full disk, stays as it was after the last launch that went
 * in.  That is told once, and the run goes on; each launch tries again with all that is missing, as
 * long as that is not too much.  If it cannot be written to the end, its status is "unwritten", and
 * report_end is false.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <time.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/json.h"
#include "gpu/device.h"
#include "report/report_file.h"
#include "conf/settings.h"

struct folded_launches {      /* launches of one kernel, with timing or without */
    u64 kept;                 /* that have entries of their own */
    u32 n;                    /* that do not */
    struct launch_result sum; /* of these; what is no sum is as in the first of them */
    bool varies;              /* they differ in grid, block or dynamic shared memory */
    char *text;               /* their entry */
};

struct report {
    struct device *dev;
    const struct settings *settings;
    const char *program; /* path, or "-" */
    const char *kind;    /* "ptx", "job" or "cuda" */
    char **args;         /* the program's own, up to a NULL; NULL: none */
    char hash[HASH_HEX]; /* of the program's file; "": that of its first module */
    char **command;      /* the command line that began it all; NULL: this process's */
    time_t began;
    bool has_exit; /* cuda: the program's own exit status is known */
    int exit_status;

    struct report_file file;
    struct json grown; /* the state behind the last entry */
    u32 n_launch;      /* that have been taken in */
    u32 n_written;     /* and are in the file */
    char *pending;     /* entries that are not */
    enum run_end end;  /* of the first launch that did not end well */
    VEC(struct folded_launches) fold;
    bool failed, told; /* the last write; that one did */
    bool lost;         /* entries: it is never whole again */
};

bool report_begin(struct report *r, struct err *e);
void report_update(struct report *r);

/* failure: NULL, or why the run ended early or went wrong.  False: the file is not whole, told. */
bool report_end(struct report *r, const struct err *failure);
void report_free(struct report *r);

/* A few lines on stderr: kernels, cycles and where they went, speed. */
void report_summary(const struct device *d);

/*
 * For the parent of a CUDA program that died or called _exit: turns the file's state from
 * "running" into `status`, with the exit status if it is >= 0, and completes a write that was cut
 * short.  A finished file is left alone.  r began it; notes: what the program left (report_file.h).
 */
bool report_finish_file(struct report *r, int notes, const char *status, int exit_status,
                        struct err *e);

/* The words of a /proc/PID/cmdline, up to a NULL; both levels are freed by text_split_free. */
char **report_words(const char *path, u32 *n);

/* On a terminal, a line that tells how far the running kernel is. */
void report_show_progress(struct device *d);

/* Ctrl-C ends a launch at the next convenient place instead of the process: for d->opts.stop. */
extern volatile int report_stop_wanted;
void report_catch_signals(void);

#endif
