/* slurm_ctl.c -- see slurm.h: how jobs stand, and their end */
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cluster/slurm.h"
#include "cluster/slurm_dir.h"
#include "cluster/slurm_tool.h"
#include "runs/attempt.h"
#include "runs/runner_int.h"

enum { END_SECONDS = 120, LOCK_SECONDS = 20 }; /* for tasks to end, for a watcher to go */

struct ctl {
    char *folder, *name, *jobs;
    bool there; /* points are left */
    struct slurm_plan plan;
    struct slurm_queue queue;
};

static void close_ctl(struct ctl *c)
{
    slurm_plan_free(&c->plan);
    VEC_FREE(&c->queue);
    free(c->folder), free(c->name), free(c->jobs);
}

static bool open_ctl(struct ctl *c, const char *dir, struct err *e)
{
    memset(c, 0, sizeof *c);
    c->folder = slurm_folder(dir, false, e);
    if (!c->folder)
        return err_set(e, "%s: no jobs were submitted from here (smelt sweep --slurm)", dir);
    c->name = slurm_name(c->folder);
    c->jobs = slurm_jobs(c->folder);
    if (!c->jobs)
        err_set(e, "%s: no jobs were submitted from here (smelt sweep --slurm)", dir);
    if (c->jobs && slurm_plan_read(c->folder, &c->plan, &c->there, e) &&
        slurm_look(&c->queue, c->name, e))
        return true;
    close_ctl(c);
    return false;
}

/* ---- how it stands */

static bool has_row_file(const struct ctl *c, const char *key)
{
    char *path = text_printf("%s/%s.row", c->folder, key);
    bool has = access(path, F_OK) == 0;

    free(path);
    return has;
}

/* Of the command that was last given: what was in the store before it is not counted. */
static void show_points(const struct ctl *c, FILE *out)
{
    u32 n[SLURM_FAILED + 1] = {0}, rows = 0;

    for (u32 i = 0; i < c->plan.point.n; i++) {
        const char *key = c->plan.point.at[i].key;
        enum slurm_hold hold = slurm_holder(c->folder, key).hold;
        bool row = hold == SLURM_TAKEN && has_row_file(c, key);

        rows += row;
        n[hold] += !row;
    }
    fprintf(out, "points: %u done, %u failed, %u to be brought home, %u taken, %u to go\n",
            n[SLURM_DONE], n[SLURM_FAILED], rows, n[SLURM_TAKEN], n[SLURM_FREE]);
}

bool slurm_status(const char *dir, FILE *out, struct err *e)
{
    struct ctl c;
    u32 pending;

    if (!open_ctl(&c, dir, e))
        return false;
    u32 alive = slurm_alive(&c.queue, &pending);

    fprintf(out, "jobs: %s (%s)\n", c.jobs, c.name);
    fprintf(out, "tasks: %u running, %u pending\n", alive - pending, pending);
    if (c.there)
        show_points(&c, out);
    else
        fprintf(out, "points: nothing to be run or brought home\n");
    close_ctl(&c);
    return true;
}

/* ---- ending it */

static bool wait_for_tasks(struct ctl *c, struct err *e)
{
    for (double began = attempt_now(); slurm_alive(&c->queue, NULL);) {
        if (attempt_now() - began > END_SECONDS)
            return err_set(e, "%u tasks of job %s have not ended after %d s; see squeue",
                           slurm_alive(&c->queue, NULL), c->jobs, END_SECONDS);
        sleep(1);
        if (!slurm_look(&c->queue, c->name, e))
            return false;
    }
    return true;
}

/* Whoever watches sees that the jobs are stopped, and goes. */
static int wait_for_lock(const char *folder, struct err *e)
{
    for (double began = attempt_now();;) {
        int lock = slurm_lock(folder, e);

        if (lock >= 0 || attempt_now() - began > LOCK_SECONDS)
            return lock;
        sleep(1);
    }
}

static u32 in_store(struct store *s, const struct slurm_plan *p)
{
    u32 n = 0;

    for (u32 i = 0; i < p->point.n; i++)
        n += store_state(s, p->point.at[i].key) != STORE_NONE;
    return n;
}

static bool bring_all_home(struct ctl *c, struct err *e)
{
    struct store *s = store_open(c->plan.store, STORE_WRITE, e);
    u32 took;
    bool ok = s && runner_take_in(s, c->folder, &took, e) && slurm_clean(c->folder, e);

    if (ok)
        log_note("cancelled: job %s; %u of its %u points are in %s", c->jobs, in_store(s, &c->plan),
                 c->plan.point.n, c->plan.store);
    store_close(s);
    return ok;
}

static bool cancel(struct ctl *c, struct err *e)
{
    if (!c->there)
        return err_set(e, "%s: nothing to cancel, job %s has ended", c->folder, c->jobs);
    if (!slurm_stop(c->folder, e) || !slurm_end(&c->queue, false, e) || !wait_for_tasks(c, e))
        return false;
    int lock = wait_for_lock(c->folder, e);

    if (lock < 0)
        return false;
    bool ok = bring_all_home(c, e);

    close(lock);
    return ok;
}

bool slurm_cancel(const char *dir, struct err *e)
{
    struct ctl c;

    if (!open_ctl(&c, dir, e))
        return false;
    bool ok = cancel(&c, e);

    close_ctl(&c);
    return ok;
}
