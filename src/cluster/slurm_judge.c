/* slurm_judge.c -- see slurm_int.h */
#include <string.h>

#include "base/log.h"
#include "cluster/slurm_int.h"
#include "runs/attempt.h"
#include "runs/row.h"

enum {
    LOSSES_MAX = 3,    /* tasks that die with a point before it is given up */
    FRUITLESS_MAX = 3, /* jobs in a row that end without taking a point */
    GONE_POLLS = 2,    /* squeue must miss a task as often: a disk may be behind */
};

u32 slurm_count(const struct slurm_watch *w, enum slurm_hold hold)
{
    u32 n = 0;

    for (u32 i = 0; i < w->item.n; i++)
        n += w->item.at[i].by.hold == hold;
    return n;
}

/* Recorded like any run that failed: the next look brings it home. */
static bool give_up_item(struct slurm_watch *w, const struct slurm_item *i, const char *lines,
                         struct err *e)
{
    char *row = text_printf("%s/%s.row", w->folder, i->p->key);
    char *losses = slurm_losses(w->folder, i->p->key);
    struct store_row r;

    row_of_point(&r, i->p);
    r.state = STORE_FAILED;
    r.message = text_printf("its task on the cluster died %u times: %s%s%s", LOSSES_MAX, losses,
                            lines[0] ? "\n" : "", lines);
    bool ok = row_write(&r, row, e);

    store_row_free(&r);
    free(row), free(losses);
    return ok;
}

/* Who makes room for others has not failed, so that is not held against the point. */
static bool lose(struct slurm_watch *w, struct slurm_item *i, const char *state, struct err *e)
{
    bool counts = strcmp(state, "PREEMPTED") != 0;
    u32 losses = slurm_lose(w->folder, i->p->key, &i->by, state, counts);
    char *lines = slurm_clear_attempt(w->folder, i->p->key), *text = point_text(i->p);
    bool ok = true;

    if (losses >= LOSSES_MAX) {
        log_note("task %u_%u is gone (%s), the third with %s", i->by.job, i->by.task, state, text);
        ok = give_up_item(w, i, lines, e);
    } else {
        log_note("task %u_%u is gone (%s): %s goes to another", i->by.job, i->by.task, state, text);
        slurm_set_free(w->folder, i->p->key);
        i->by = (struct slurm_holder){.hold = SLURM_FREE};
    }
    i->gone = 0;
    free(lines), free(text);
    return ok;
}

/* A task that died before it could say who it was: as long as any lives, it may be that one. */
static bool task_is_alive(const struct slurm_watch *w, const struct slurm_item *i,
                          const char **state)
{
    const struct slurm_seen *t = slurm_find(&w->queue, i->by.job, i->by.task);

    *state = t ? t->state : "not known to Slurm";
    return i->by.job ? t && t->alive : slurm_alive(&w->queue, NULL) > 0;
}

bool slurm_judge(struct slurm_watch *w, struct err *e)
{
    for (u32 k = 0; k < w->item.n; k++) {
        struct slurm_item *i = &w->item.at[k];
        const char *state;

        if (i->by.hold != SLURM_TAKEN || i->row)
            continue;
        i->gone = task_is_alive(w, i, &state) ? 0 : i->gone + 1;
        if (i->gone >= GONE_POLLS && !lose(w, i, state, e))
            return false;
    }
    return true;
}

static bool job_lives(const struct slurm_watch *w, u32 job, const struct slurm_seen **last)
{
    *last = NULL;
    for (u32 i = 0; i < w->queue.n && !(*last && (*last)->alive); i++)
        if (w->queue.at[i].job == job)
            *last = &w->queue.at[i];
    return *last && (*last)->alive;
}

/* Jobs whose tasks cannot even begin would be submitted for ever. */
bool slurm_check_fruit(struct slurm_watch *w, struct err *e)
{
    const struct slurm_seen *last;

    for (u32 i = 0; i < w->sent.n; i++) {
        struct slurm_sent *s = &w->sent.at[i];

        if (s->fruitful || s->counted || job_lives(w, s->job, &last))
            continue;
        s->counted = true;
        if (++w->fruitless < FRUITLESS_MAX || !slurm_count(w, SLURM_FREE))
            continue;
        char *log = text_printf("%s/%u_%u.log", w->folder, s->job, last ? last->task : 0);
        char *lines = attempt_last_lines(log), *line = strrchr(lines, '\n');

        err_set(e,
                "%u jobs in a row have ended without taking a point, the last, %u, as %s; %s: %s",
                w->fruitless, s->job, last ? last->state : "not known to Slurm", log,
                line ? line + 1 : (lines[0] ? lines : "empty"));
        free(log), free(lines);
        return false;
    }
    return true;
}
