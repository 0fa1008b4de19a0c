/*
 * slurm.c -- see slurm.h: the watcher
 *
 *     begin        what is to be run (the store has the rest), points file
 *     loop         look     results that lie in the folder go into the store
 *                  judge    squeue: points of tasks that are gone are free again (slurm_judge.c)
 *                  submit   as many tasks as there are points to take, up to the limit
 *     end          nothing is left in the folder
 */
#include "cluster/slurm.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/place.h"
#include "cluster/slurm_int.h"
#include "runs/attempt.h"
#include "runs/runner_int.h"

enum {
    TASKS_MAX = 64,     /* unless the user says more */
    LOOK_SECONDS = 1,   /* at the folder */
    SQUEUE_SECONDS = 2, /* Slurm's controller serves many */
    RENEW_SECONDS = 60, /* of our claims */
};

/* ---- points */

static int by_point_key(const void *a, const void *b)
{
    return strcmp(((const struct slurm_item *)a)->p->key, ((const struct slurm_item *)b)->p->key);
}

static struct slurm_item *find_item(struct slurm_watch *w, const char *key)
{
    struct point p = {0};
    struct slurm_item like = {.p = &p};

    memcpy(p.key, key, HASH_HEX);
    return w->item.n ? bsearch(&like, w->item.at, w->item.n, sizeof like, by_point_key) : NULL;
}

static bool item_has_ended(const struct slurm_item *i)
{
    return i->by.hold == SLURM_DONE || i->by.hold == SLURM_FAILED;
}

static void end_item(struct slurm_watch *w, struct slurm_item *i, enum store_state state)
{
    i->by.hold = state == STORE_DONE ? SLURM_DONE : SLURM_FAILED;
    w->r->failed += state == STORE_FAILED;
    w->fruitless = 0;
}

/* Which are not in the store, each once. */
static void choose_points(struct slurm_watch *w, const struct point *p, u32 n)
{
    u32 kept = 0;

    for (u32 i = 0; i < n; i++)
        *VEC_ADD(&w->item) = (struct slurm_item){.p = &p[i]};
    if (n)
        qsort(w->item.at, n, sizeof w->item.at[0], by_point_key);
    for (u32 i = 0; i < n; i++) {
        struct slurm_item *q = &w->item.at[i];

        if (kept && by_point_key(&w->item.at[kept - 1], q) == 0)
            continue;
        enum store_state state = store_state(w->s, q->p->key);
        bool there = state == STORE_DONE || (state == STORE_FAILED && !w->o->run.retry);

        w->r->there += there;
        w->r->failed += there && state == STORE_FAILED;
        if (!there)
            w->item.at[kept++] = *q;
    }
    w->item.n = kept;
}

/* All of them, or those that are ours; to be freed. */
static const struct point **list_points(const struct slurm_watch *w, bool ours, u32 *n)
{
    const struct point **p = xcalloc(w->item.n + 1, sizeof(const struct point *));

    *n = 0;
    for (u32 i = 0; i < w->item.n; i++)
        if (w->item.at[i].ours || !ours)
            p[(*n)++] = w->item.at[i].p;
    return p;
}

static bool prepare_points(const struct slurm_watch *w, struct err *e)
{
    u32 n;
    const struct point **p = list_points(w, false, &n);
    bool ok = runner_prepare(p, n, e);

    free(p);
    return ok;
}

static bool write_plan(const struct slurm_watch *w, struct err *e)
{
    u32 n;
    const struct point **p = list_points(w, true, &n);
    char cwd[PATH_MAX], *store = text_dup(store_path(w->s));

    text_absolute(&store);
    struct slurm_plan plan = {.store = store,
                              .cwd = getcwd(cwd, sizeof cwd),
                              .seconds = w->o->run.seconds,
                              .bytes = w->o->run.bytes};
    bool ok = plan.cwd ? slurm_plan_write(w->folder, &plan, p, n, e)
                       : err_set(e, "the folder that we are in: %s", strerror(errno));

    free(store), free(p);
    return ok;
}

/* What another process with the same store is at is left to it, as long as it lives. */
static bool claim_items(struct slurm_watch *w, struct err *e)
{
    bool more = false;

    for (u32 k = 0; k < w->item.n; k++) {
        struct slurm_item *i = &w->item.at[k];

        if (i->ours || item_has_ended(i))
            continue;
        if (!store_claim(w->s, i->p->key, &i->ours, e))
            return false;
        enum store_state state = store_state(w->s, i->p->key);

        if (state == STORE_DONE || (state == STORE_FAILED && !w->o->run.retry)) {
            if (i->ours)
                store_release(w->s, i->p->key);
            end_item(w, i, state);
            w->r->there++;
        }
        more = more || (i->ours && !item_has_ended(i));
    }
    return !more || write_plan(w, e);
}

/* ---- look */

static void see_file(const char *key, const char *ext, void *user)
{
    struct slurm_watch *w = user;
    struct slurm_item *i = find_item(w, key);

    if (!i || item_has_ended(i))
        return;
    if (strcmp(ext, "taken") == 0 && i->by.hold == SLURM_FREE)
        i->by = slurm_holder(w->folder, key);
    if (strcmp(ext, "row") == 0)
        i->row = true;
}

static void note_fruit(struct slurm_watch *w, u32 job)
{
    for (u32 i = 0; i < w->sent.n; i++)
        if (w->sent.at[i].job == job)
            w->sent.at[i].fruitful = true;
}

static bool bring_item_home(struct slurm_watch *w, struct slurm_item *i, struct err *e)
{
    bool took = false;

    if (!runner_take_key(w->s, w->folder, i->p->key, &took, e))
        return false;
    i->row = false;
    if (!took)
        return true;
    enum store_state state = store_state(w->s, i->p->key);

    slurm_set_ended(w->folder, i->p->key, state == STORE_FAILED);
    end_item(w, i, state);
    w->r->done++;
    if (state == STORE_FAILED)
        runner_tell_failure(w->s, i->p);
    return true;
}

static bool look_for_rows(struct slurm_watch *w, struct err *e)
{
    if (!slurm_each(w->folder, see_file, w, e))
        return false;
    for (u32 k = 0; k < w->item.n; k++) {
        struct slurm_item *i = &w->item.at[k];

        if (i->by.hold == SLURM_TAKEN)
            note_fruit(w, i->by.job);
        if (i->row && !bring_item_home(w, i, e))
            return false;
    }
    return true;
}

/* ---- submit */

static bool submit(struct slurm_watch *w, u32 tasks, struct err *e)
{
    char *smelt = place_command(), *quoted = slurm_quote(smelt), *folder = slurm_quote(w->folder);
    char *command = text_printf("exec %s sweep --slurm-task %s", quoted, folder);
    struct slurm_job j = {.name = w->name,
                          .options = w->o->sbatch ? w->o->sbatch : "",
                          .folder = w->folder,
                          .command = command,
                          .tasks = tasks};
    u32 id = 0;
    bool ok = slurm_submit(&j, &id, e);

    if (ok) {
        slurm_note_job(w->folder, id);
        *VEC_ADD(&w->sent) = (struct slurm_sent){.job = id};
        log_note("submitted job %u with %u task%s", id, tasks, tasks == 1 ? "" : "s");
    }
    free(command), free(folder), free(quoted), free(smelt);
    return ok;
}

static u32 free_points(const struct slurm_watch *w)
{
    u32 n = 0;

    for (u32 i = 0; i < w->item.n; i++)
        n += w->item.at[i].ours && w->item.at[i].by.hold == SLURM_FREE;
    return n;
}

/* A task that lives counts for a point: it has one, or will take one. */
static bool top_up(struct slurm_watch *w, struct err *e)
{
    u32 idle = free_points(w), limit = w->o->tasks ? w->o->tasks : TASKS_MAX;
    u32 wanted = idle + slurm_count(w, SLURM_TAKEN), alive = slurm_alive(&w->queue, NULL);

    wanted = wanted < limit ? wanted : limit;
    if (!idle || alive >= wanted)
        return true;
    struct err none; /* a look that shows them is not needed */

    return submit(w, wanted - alive, e) && (slurm_look(&w->queue, w->name, &none) || true);
}

/* The controller may be away for a while; results come home meanwhile. */
static bool ask_slurm(struct slurm_watch *w, bool first, struct err *e)
{
    struct err told;

    if (!slurm_look(&w->queue, w->name, &told)) {
        if (first)
            *e = told;
        else if (!w->deaf)
            log_warn("%s; results still come home, and it is asked again", told.msg);
        w->deaf = true;
        return !first;
    }
    w->deaf = false;
    if (attempt_now() - w->renewed >= RENEW_SECONDS) {
        store_renew(w->s);
        w->renewed = attempt_now();
    }
    return look_for_rows(w, e) && slurm_judge(w, e) && slurm_check_fruit(w, e) &&
           claim_items(w, e) && top_up(w, e);
}

/* ---- the whole */

static void show_state(struct slurm_watch *w, bool always)
{
    u32 pending, alive = slurm_alive(&w->queue, &pending), failed = slurm_count(w, SLURM_FAILED);
    u32 done = slurm_count(w, SLURM_DONE), n = w->item.n, ended = done + failed;

    if (log_is_terminal())
        log_progress((double)ended / n,
                     "%u done, %u failed, %u to go; tasks: %u running, %u pending", done, failed,
                     n - ended, alive - pending, pending);
    else if (always || ended * 10 / n > w->shown)
        log_note("%u done, %u failed, %u to go; tasks: %u running, %u pending", done, failed,
                 n - ended, alive - pending, pending);
    w->shown = ended * 10 / n;
}

static bool all_have_ended(const struct slurm_watch *w)
{
    return slurm_count(w, SLURM_DONE) + slurm_count(w, SLURM_FAILED) == w->item.n;
}

/* Until all is there, somebody stops us, or the jobs are cancelled. */
static bool watch_all(struct slurm_watch *w, struct err *e)
{
    double asked = attempt_now();

    if (!claim_items(w, e) || !ask_slurm(w, true, e))
        return false;
    show_state(w, true);
    while (!all_have_ended(w)) {
        int number = runner_sleep(LOOK_SECONDS);

        if (runner_is_stop(number) || slurm_is_stopped(w->folder)) {
            w->r->stopped = true;
            return look_for_rows(w, e);
        }
        if (!look_for_rows(w, e))
            return false;
        if (attempt_now() - asked >= SQUEUE_SECONDS && !all_have_ended(w)) {
            if (!ask_slurm(w, false, e))
                return false;
            asked = attempt_now();
        }
        show_state(w, false);
    }
    return true;
}

/* Tasks that have not begun would find nothing to do. */
static bool tidy_queue(struct slurm_watch *w, struct err *e)
{
    struct err told;

    if (!slurm_clean(w->folder, e))
        return false;
    if (!slurm_look(&w->queue, w->name, &told) || !slurm_end(&w->queue, true, &told))
        log_warn("%s", told.msg);
    return true;
}

static void say_goodbye(const struct slurm_watch *w)
{
    if (slurm_is_stopped(w->folder))
        log_note("the jobs were cancelled; the same command again runs what is missing");
    else
        log_note("the jobs go on: the same command again watches on, 'smelt sweep --status -o %s' "
                 "says how they stand, 'smelt sweep --cancel -o %s' ends them",
                 w->out, w->out);
}

static bool all_in_store(struct store *s, const struct slurm_plan *p)
{
    for (u32 i = 0; i < p->point.n; i++)
        if (store_state(s, p->point.at[i].key) == STORE_NONE)
            return false;
    return true;
}

/* What tasks have left since somebody last watched goes into the store. */
static bool begin_watch(struct slurm_watch *w, const struct point *p, u32 n, struct err *e)
{
    struct slurm_plan old;
    bool there;
    u32 took;

    if (!runner_take_in(w->s, w->folder, &took, e) || !slurm_plan_read(w->folder, &old, &there, e))
        return false;
    w->over = there && all_in_store(w->s, &old);
    slurm_plan_free(&old);
    choose_points(w, p, n);
    if (w->item.n)
        slurm_go(w->folder);
    if (w->item.n && !there)
        slurm_forget(w->folder);
    for (u32 i = 0; i < w->item.n; i++) {
        const struct point *q = w->item.at[i].p;
        struct slurm_holder h = slurm_holder(w->folder, q->key);

        if (h.hold == SLURM_DONE || h.hold == SLURM_FAILED)
            slurm_set_free(w->folder, q->key);
    }
    if (w->item.n)
        log_note("%u points: %u in %s, %u to run on the cluster", w->r->there + w->item.n,
                 w->r->there, store_path(w->s), w->item.n);
    else
        log_note("all %u points are in %s", w->r->there, store_path(w->s));
    return prepare_points(w, e);
}

static bool run_watch(struct slurm_watch *w, const struct point *p, u32 n, struct err *e)
{
    struct runner_signals old;

    if (!begin_watch(w, p, n, e))
        return false;
    runner_block_signals(&old);
    bool ok = !w->item.n || watch_all(w, e);

    log_progress_end();
    for (u32 i = 0; i < w->item.n; i++)
        if (w->item.at[i].ours && !item_has_ended(&w->item.at[i]))
            store_release(w->s, w->item.at[i].p->key);
    if (ok && w->r->stopped)
        say_goodbye(w);
    else if (ok && (w->item.n || w->over))
        ok = tidy_queue(w, e);
    runner_restore_signals(&old);
    return ok;
}

bool slurm_run(struct store *s, const char *dir, const struct point *p, u32 n,
               const struct slurm_options *o, struct runner_result *r, struct err *e)
{
    struct slurm_watch w = {.s = s, .o = o, .r = r, .out = dir};

    memset(r, 0, sizeof *r);
    w.folder = slurm_folder(dir, true, e);
    int lock = w.folder ? slurm_lock(w.folder, e) : -1;
    bool ok = lock >= 0;

    if (ok) {
        w.name = slurm_name(w.folder);
        ok = run_watch(&w, p, n, e);
        close(lock);
    }
    VEC_FREE(&w.item), VEC_FREE(&w.queue), VEC_FREE(&w.sent);
    free(w.folder), free(w.name);
    return ok;
}
