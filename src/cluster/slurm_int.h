/*
 * slurm_int.h -- what the watcher's files share: slurm.c runs it, slurm_judge.c says whose task is gone.
 */
#ifndef CLUSTER_SLURM_INT_H
#define CLUSTER_SLURM_INT_H

#include "cluster/slurm.h"
#include "cluster/slurm_dir.h"
#include "cluster/slurm_tool.h"

struct slurm_item {
    const struct point *p;
    struct slurm_holder by;
    u32 gone;  /* times in a row that squeue did not have its task */
    bool ours; /* claimed in the store; else another process is at it */
    bool row;  /* a result lies in the folder */
};

struct slurm_sent {
    u32 job;
    bool fruitful, counted;
};

struct slurm_watch {
    struct store *s;
    const struct slurm_options *o;
    struct runner_result *r;
    const char *out; /* DIR as the user gave it */
    char *folder, *name;
    VEC(struct slurm_item) item; /* to be run, by key */
    struct slurm_queue queue;
    VEC(struct slurm_sent) sent;
    u32 fruitless, shown;
    double renewed;
    bool deaf; /* squeue did not answer, and it was told */
    bool over; /* an earlier command's points, which lie in the folder, are all in the store */
};

u32 slurm_count(const struct slurm_watch *w, enum slurm_hold hold);

/*
 * After a look at the queue and then at the folder: points whose tasks are gone without a result are
 * free again, or given up if that has happened too often.
 */
bool slurm_judge(struct slurm_watch *w, struct err *e);

/* False if jobs end without taking a point: those that follow would not do better. */
bool slurm_check_fruit(struct slurm_watch *w, struct err *e);

#endif
