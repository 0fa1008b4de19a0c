/* slurm_task.c -- see slurm.h: what a task does, on whatever machine Slurm has put it */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cluster/slurm.h"
#include "cluster/slurm_dir.h"

struct slurm_task {
    const char *folder;
    u32 job, number, of;
    struct slurm_plan plan;
};

static bool read_variable(const char *name, u32 *v, struct err *e)
{
    const char *text = getenv(name);
    u64 wide;

    if (!text || !text_parse_u64(text, &wide) || wide > UINT32_MAX)
        return err_set(e, "--slurm-task is for Slurm's tasks: %s is %s%s", name,
                       text ? "no number: " : "not set", text ? text : "");
    *v = (u32)wide;
    return true;
}

/*
 * The key was made when the sweep was submitted.  If smelt or the program has been rebuilt since, the
 * result would be another's.
 */
static bool is_as_submitted(const struct point *p, struct err *e)
{
    struct point q = *p;
    char key[HASH_HEX];

    memcpy(key, p->key, sizeof key);
    if (!point_check(&q, e))
        return false;
    if (strcmp(q.key, key) == 0)
        return true;
    char *text = point_text(p);

    err_set(e, "%s: smelt, the program or its inputs are not what they were when it was submitted",
            text);
    free(text);
    return false;
}

static bool run_point(struct slurm_task *t, const struct point *p, bool *mine, struct err *e)
{
    struct runner_options o = {.jobs = 1, .seconds = t->plan.seconds, .bytes = t->plan.bytes};

    if (!slurm_take(t->folder, p->key, t->job, t->number, mine, e))
        return false;
    if (!*mine)
        return true;
    if (slurm_is_stopped(t->folder)) { /* or what is finished would be run again: slurm_clean */
        slurm_set_free(t->folder, p->key);
        *mine = false;
        return true;
    }
    if (!is_as_submitted(p, e)) {
        slurm_set_free(t->folder, p->key);
        return false;
    }
    return runner_one(t->folder, p, &o, e);
}

/* Tasks begin at different points, so that they seldom want the same one.  *took: how many. */
static bool pass_over_points(struct slurm_task *t, u32 *took, struct err *e)
{
    u32 n = t->plan.point.n, first = t->of ? (u32)((u64)t->number * n / t->of) : 0;

    for (u32 i = 0; i < n && !slurm_is_stopped(t->folder); i++) {
        bool mine = false;

        if (!run_point(t, &t->plan.point.at[(first + i) % n], &mine, e))
            return false;
        *took += mine;
    }
    return true;
}

/* Points are read anew for each pass: the watcher may have more by now, or free again. */
static bool work(struct slurm_task *t, struct err *e)
{
    for (u32 took = 1; took && !slurm_is_stopped(t->folder);) {
        bool there;

        took = 0;
        if (!slurm_plan_read(t->folder, &t->plan, &there, e))
            return false;
        bool ok =
            !there || chdir(t->plan.cwd) == 0 || err_set(e, "%s: %s", t->plan.cwd, strerror(errno));

        ok = ok && pass_over_points(t, &took, e);
        slurm_plan_free(&t->plan);
        if (!ok)
            return false;
    }
    return true;
}

bool slurm_task(const char *dir, struct err *e)
{
    struct slurm_task t = {.folder = dir}; /* from the root: we go to where the sweep was begun */

    if (!read_variable("SLURM_ARRAY_JOB_ID", &t.job, e) ||
        !read_variable("SLURM_ARRAY_TASK_ID", &t.number, e) ||
        !read_variable("SLURM_ARRAY_TASK_COUNT", &t.of, e))
        return false;
    if (access(dir, W_OK) != 0)
        return err_set(e, "%s: %s", dir, strerror(errno));
    if (dir[0] != '/')
        return err_set(e, "--slurm-task: %s is not a path from the root", dir);
    return work(&t, e);
}
