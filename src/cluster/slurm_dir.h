/*
 * slurm_dir.h -- the folder in which a watcher and its tasks on other machines meet: DIR/slurm.
 *
 *     points       what is to be run, by whom it is asked for (slurm_plan)
 *     job          numbers of the jobs that were submitted, one a line
 *     lock         held by the one process that watches
 *     stop         if it is there, tasks take no more points
 *     KEY.taken    somebody has it: "JOB TASK" or, when its result is in the store, "done", "failed"
 *     KEY.lost     tasks that died with it: "JOB TASK STATE", one a line
 *     KEY.row ..   results on their way (runner.h)
 *
 * Everything here works on a network's disk: files that only one can make (O_EXCL), or that appear
 * whole (rename).
 */
#ifndef CLUSTER_SLURM_DIR_H
#define CLUSTER_SLURM_DIR_H

#include "runs/runner.h"

enum slurm_hold { SLURM_FREE, SLURM_TAKEN, SLURM_DONE, SLURM_FAILED };

struct slurm_holder {
    enum slurm_hold hold;
    u32 job, task; /* TAKEN; job 0: it did not come to say who */
};

struct slurm_plan {
    char *cwd;   /* that relative paths of points begin at */
    char *store; /* where results go */
    u64 seconds, bytes;
    VEC(struct point) point; /* with their keys */
};

/* DIR/slurm from the root, to be freed; `make`: if it is not there.  NULL and a message. */
char *slurm_folder(const char *dir, bool make, struct err *e);

/* The name of the folder's jobs; to be freed. */
char *slurm_name(const char *folder);

/* A descriptor to be closed; -1 and a message if another process watches. */
int slurm_lock(const char *folder, struct err *e);

/* The writer's point are those of `point`, n of them; the plan's own are not looked at. */
bool slurm_plan_write(const char *folder, const struct slurm_plan *p,
                      const struct point *const *point, u32 n, struct err *e);
/* *there is false, and the result true, if there is none. */
bool slurm_plan_read(const char *folder, struct slurm_plan *p, bool *there, struct err *e);
void slurm_plan_free(struct slurm_plan *p);

/* *mine: nobody had it. */
bool slurm_take(const char *folder, const char *key, u32 job, u32 task, bool *mine, struct err *e);
struct slurm_holder slurm_holder(const char *folder, const char *key);
void slurm_set_ended(const char *folder, const char *key, bool failed);
void slurm_set_free(const char *folder, const char *key);

/* Notes that a task died with it; how many have, without those that `counts` left out. */
u32 slurm_lose(const char *folder, const char *key, const struct slurm_holder *by,
               const char *state, bool counts);
char *slurm_losses(const char *folder,
                   const char *key); /* "7_0 FAILED, 8_2 TIMEOUT"; to be freed */

/* Removes what a dead task left of a run; the last lines that this printed, to be freed. */
char *slurm_clear_attempt(const char *folder, const char *key);

bool slurm_stop(const char *folder, struct err *e);
bool slurm_is_stopped(const char *folder);
void slurm_go(const char *folder);

void slurm_note_job(const char *folder, u32 id);
void slurm_forget(const char *folder); /* jobs of an earlier sweep, which is over, and their logs */
char *slurm_jobs(const char *folder);  /* "7, 8"; to be freed, NULL if there were none */

/*
 * After the end: tasks take no more, and what they and the watcher left is removed, but for the
 * numbers of jobs and for logs in which something stands.
 */
bool slurm_clean(const char *folder, struct err *e);

/* Calls f for each file KEY.EXT, with its key. */
typedef void slurm_visit(const char *key, const char *ext, void *user);
bool slurm_each(const char *folder, slurm_visit *f, void *user, struct err *e);

#endif
