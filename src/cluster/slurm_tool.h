/*
 * slurm_tool.h -- Slurm's commands as functions: sbatch, squeue and scancel, found in $PATH.
 *
 *     struct slurm_job j = {.name = "smelt-0123", .options = "-p long", ..};
 *     u32 id;
 *     if (!slurm_submit(&j, &id, &e)) ..                   with sbatch's own words
 *     struct slurm_queue q = {0};
 *     slurm_look(&q, "smelt-0123", &e);                    its tasks, also those that have ended
 *     const struct slurm_seen *t = slurm_find(&q, id, 3);  NULL: Slurm does not know it (any more)
 *     VEC_FREE(&q);
 *
 * Jobs are found by name, not by number: a process that is killed between sbatch's answer and its
 * own note of it loses nothing.
 */
#ifndef CLUSTER_SLURM_TOOL_H
#define CLUSTER_SLURM_TOOL_H

#include "runs/point.h"

struct slurm_job {
    const char *name;
    const char *options; /* of the user, as one text */
    const char *folder;  /* where tasks write JOB_TASK.log */
    const char *command; /* for /bin/sh */
    u32 tasks;
};

struct slurm_seen {
    u32 job, task;
    bool alive, pending; /* alive: not ended; pending: not begun */
    char state[24];      /* Slurm's word: "RUNNING", "NODE_FAIL" */
};

struct slurm_queue {
    struct slurm_seen *at;
    u32 n, cap;
};

bool slurm_submit(const struct slurm_job *j, u32 *id, struct err *e);

/* Takes the place of what q was; false, and q as it was, if squeue has no answer. */
bool slurm_look(struct slurm_queue *q, const char *name, struct err *e);
const struct slurm_seen *slurm_find(const struct slurm_queue *q, u32 job, u32 task);
u32 slurm_alive(const struct slurm_queue *q, u32 *pending); /* how many; pending may be NULL */

/* Ends the jobs of q that are alive; those of their tasks that have not begun, if so asked. */
bool slurm_end(const struct slurm_queue *q, bool pending_only, struct err *e);

/* Words as a shell would split them: blanks, '..', "..", backslash; nothing is expanded. */
bool slurm_words(const char *text, struct words *w, struct err *e);

/* '..' around it, for a shell; to be freed. */
char *slurm_quote(const char *text);

#endif
