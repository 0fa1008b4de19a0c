/*
 * report.h -- what a run leaves behind: its JSON file and the summary on stderr.
 *
 * The file is written when the run begins, brought up to date after each kernel, and once more at
 * the end, so that whatever ends the process, a valid file with the results so far is there.
 *
 *     struct report r = {.dev = d, .settings = &s, .program = "bfs", .kind = "cuda"};
 *     report_begin(&r, &e);        also checks that the file can be written
 *     report_update(&r, &e);       after each launch
 *     report_end(&r, NULL, &e);
 */
#ifndef GPU_REPORT_H
#define GPU_REPORT_H

#include "base/err.h"
#include "base/json.h"
#include "gpu/device.h"
#include "gpu/settings.h"

struct report {
    struct device *dev;
    const struct settings *settings;
    const char *program; /* path, or "-" */
    const char *kind;    /* "ptx", "job" or "cuda" */
    bool has_exit;       /* cuda: the program's own exit status is known */
    int exit_status;

    /* where the file can be continued: its state and length after so many launches */
    struct json grown;
    long grown_at;
    u64 inode;
    u32 n_launch, n_prog;
};

bool report_begin(struct report *r, struct err *e);
bool report_update(struct report *r, struct err *e);

/* failure: NULL, or why the run ended early or went wrong. */
bool report_end(struct report *r, const struct err *failure, struct err *e);

/* A few lines on stderr: kernels, cycles and where they went, speed. */
void report_summary(const struct device *d);

/*
 * For the parent of a CUDA program that died or called _exit: turns the file's state from
 * "running" into `status`, with the exit status if it is >= 0.  A finished file is left alone.
 */
bool report_finish_file(const char *path, const char *status, int exit_status, struct err *e);

/* On a terminal, a line that tells how far the running kernel is. */
void report_show_progress(struct device *d);

/* Ctrl-C ends a launch at the next convenient place instead of the process: for d->opts.stop. */
extern volatile int report_stop_wanted;
void report_catch_signals(void);

#endif
