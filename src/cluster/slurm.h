/*
 * slurm.h -- runs points on a cluster: one array of jobs, whose tasks take points until none is left.
 *
 *     smelt sweep .. -o DIR --slurm "-p long --time 2:00:00"
 *
 * DIR lies on a disk that all nodes see, and so does smelt.  slurm_run writes DIR/slurm/points, submits
 * an array of tasks (`smelt sweep --slurm-task DIR/slurm`), and watches: a task takes a point by making
 * KEY.taken, which only one can, runs it (runner_one) and leaves its result in DIR/slurm; the watcher
 * brings results home into the store, since a database on a network's disk is not safe with many
 * writers.  Ctrl-C ends the watching, not the jobs; the same command again watches on, submits anew
 * what tasks that are gone have not finished, and ends when all is there.
 */
#ifndef CLUSTER_SLURM_H
#define CLUSTER_SLURM_H

#include "runs/runner.h"

struct slurm_options {
    const char *sbatch; /* options for sbatch, "" if none */
    u32 tasks;          /* at once, at most; 0: as many as points, at most 64 */
    struct runner_options run;
};

bool slurm_run(struct store *s, const char *dir, const struct point *p, u32 n,
               const struct slurm_options *o, struct runner_result *r, struct err *e);
bool slurm_task(const char *dir, struct err *e); /* what a task does */
bool slurm_status(const char *dir, FILE *out, struct err *e);
bool slurm_cancel(const char *dir, struct err *e);

#endif
