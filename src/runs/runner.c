/*
 * runner.c -- see runner.h: which points are run, when and by whom.
 *
 *     WAITING --claim--> RUNNING --> OVER          another process has the claim: ELSEWHERE, which
 *         \--> ELSEWHERE ---^-------/              is over when its row is there, or ours when that
 *                                                  process has vanished
 */
#include "runs/runner.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "runs/attempt.h"
#include "runs/runner_int.h"

#define LOOK 1.0   /* s between looks at what other processes have done */
#define RENEW 60.0 /* s between renewals of our claims */

enum task_state { WAITING, ELSEWHERE, RUNNING, OVER };

struct task {
    const struct point *point;
    enum task_state state;
};

struct runner {
    struct store *s;
    const struct runner_options *o;
    struct runner_result *r;
    char *dir;
    struct task *task; /* those to run, each key once */
    u32 n_task, next;  /* none before `next` is WAITING */
    struct slot {
        struct attempt a;
        struct task *task;
    } * slot; /* of those that run */
    u32 n_slot;
    u32 n_over, n_failed; /* of the tasks */
    double began, watched, looked, renewed, said, pause;
};

/* ---- which */

struct by_key {
    const char *key;
    u32 i;
};

static int compare_keys(const void *a, const void *b)
{
    const struct by_key *x = a, *y = b;
    int order = strcmp(x->key, y->key);

    return order ? order : (x->i > y->i) - (x->i < y->i);
}

/* is_first[i]: no earlier point has the same key. */
static bool *find_first(const struct point *p, u32 n)
{
    struct by_key *sorted = xcalloc(n + 1, sizeof *sorted);
    bool *is_first = xcalloc(n + 1, sizeof *is_first);

    for (u32 i = 0; i < n; i++) {
        assert(p[i].key[0]); /* point_check */
        sorted[i] = (struct by_key){p[i].key, i};
    }
    qsort(sorted, n, sizeof *sorted, compare_keys);
    for (u32 i = 0; i < n; i++)
        is_first[sorted[i].i] = i == 0 || strcmp(sorted[i].key, sorted[i - 1].key) != 0;
    free(sorted);
    return is_first;
}

static void plan_tasks(struct runner *w, const struct point *p, u32 n)
{
    bool *is_first = find_first(p, n);

    w->task = xcalloc(n + 1, sizeof *w->task);
    for (u32 i = 0; i < n; i++) {
        if (!is_first[i])
            continue;
        enum store_state state = store_state(w->s, p[i].key);

        if (state == STORE_NONE || (state == STORE_FAILED && w->o->retry)) {
            w->task[w->n_task++].point = &p[i];
        } else {
            w->r->there++;
            w->r->failed += state == STORE_FAILED;
        }
    }
    free(is_first);
}

bool runner_prepare(const struct point *const *p, u32 n, struct err *e)
{
    for (u32 i = 0; i < n; i++) {
        u32 k = 0;

        while (strcmp(p[k]->program, p[i]->program) != 0)
            k++;
        if (k == i && !point_prepare(p[i], e))
            return false;
    }
    return true;
}

static bool prepare_programs(const struct runner *w, struct err *e)
{
    const struct point **p = xcalloc(w->n_task + 1, sizeof(const struct point *));

    for (u32 i = 0; i < w->n_task; i++)
        p[i] = w->task[i].point;
    bool ok = runner_prepare(p, w->n_task, e);

    free(p);
    return ok;
}

/* ---- progress */

static const char *show_duration(double seconds, char *buf, size_t size)
{
    u64 s = (u64)(seconds + 0.5);

    if (s < 100)
        snprintf(buf, size, "%u s", (u32)s);
    else if (s < 100 * 60)
        snprintf(buf, size, "%u min", (u32)((s + 30) / 60));
    else
        snprintf(buf, size, "%u h %02u min", (u32)(s / 3600), (u32)(s / 60 % 60));
    return buf;
}

static char *describe_progress(struct runner *w, double now)
{
    char left[64] = "?";
    u32 to_go = w->n_task - w->n_over, elsewhere = 0;
    char *who = NULL;

    for (u32 i = 0; i < w->n_task; i++) {
        elsewhere += w->task[i].state == ELSEWHERE;
        if (w->task[i].state == ELSEWHERE && !who)
            who = store_claimed_by(w->s, w->task[i].point->key);
    }
    if (w->n_over)
        show_duration((now - w->began) / w->n_over * to_go, left, sizeof left);
    char *others = who ? text_printf("; %u at %s", elsewhere, who) : text_dup("");
    char *text = text_printf("%u done, %u failed, %u to go, about %s left%s",
                             w->n_over - w->n_failed, w->n_failed, to_go, left, others);

    free(who), free(others);
    return text;
}

/* Lines come ever more seldom: a night's log is not a book. */
static void say_progress(struct runner *w)
{
    double now = attempt_now(), every = log_is_terminal() ? RUNNER_TICK : w->pause;

    if (now - w->said < every)
        return;
    char *text = describe_progress(w, now);

    if (log_is_terminal())
        log_progress((double)w->n_over / w->n_task, "%s", text);
    else
        log_note("%s", text);
    w->said = now;
    w->pause = w->pause < 60 ? w->pause * 1.5 : 60;
    free(text);
}

static void announce(struct runner *w)
{
    u32 all = w->r->there + w->n_task;

    const char *points = all == 1 ? "point" : "points";

    if (!w->n_task)
        log_note("%u %s: all in %s", all, points, store_path(w->s));
    else
        log_note("%u %s: %u in %s, %u to run, %u at a time", all, points, w->r->there,
                 store_path(w->s), w->n_task, w->o->jobs ? w->o->jobs : 1);
    w->said = attempt_now();
    w->pause = 5;
}

/* ---- a run's beginning */

static void end_task(struct runner *w, struct task *t, bool here, enum store_state state)
{
    t->state = OVER;
    w->n_over++;
    w->n_failed += state == STORE_FAILED;
    w->r->failed += state == STORE_FAILED;
    *(here ? &w->r->done : &w->r->there) += 1;
}

/* The claim is ours.  It may have ended elsewhere since we looked. */
static bool has_result(struct runner *w, struct task *t)
{
    enum store_state state = store_state(w->s, t->point->key);
    bool retry = w->o->retry && t->state == WAITING;

    if (state == STORE_NONE || (state == STORE_FAILED && retry))
        return false;
    end_task(w, t, false, state);
    store_release(w->s, t->point->key);
    return true;
}

/* A process that has vanished may have left the whole result. */
static bool start_task(struct runner *w, struct task *t, struct err *e)
{
    struct slot *slot = &w->slot[w->n_slot];

    if (has_result(w, t))
        return true;
    bool ok = t->state != ELSEWHERE || runner_clean_key(w->s, w->dir, t->point, e);

    if (ok && has_result(w, t))
        return true;
    if (!ok || !attempt_start(&slot->a, w->dir, t->point, e)) {
        store_release(w->s, t->point->key);
        return false;
    }
    slot->task = t;
    t->state = RUNNING;
    w->n_slot++;
    return true;
}

static bool claim_task(struct runner *w, struct task *t, struct err *e)
{
    bool mine;

    if (!store_claim(w->s, t->point->key, &mine, e))
        return false;
    if (mine)
        return start_task(w, t, e);
    t->state = ELSEWHERE;
    return true;
}

static bool has_free_slot(const struct runner *w)
{
    return w->n_slot < (w->o->jobs ? w->o->jobs : 1);
}

static bool start_waiting(struct runner *w, struct err *e)
{
    bool ok = true;

    for (; ok && w->next < w->n_task && has_free_slot(w); w->next++)
        if (w->task[w->next].state == WAITING)
            ok = claim_task(w, &w->task[w->next], e);
    return ok;
}

/* What others were at. */
static bool look_elsewhere(struct runner *w, struct err *e)
{
    bool ok = true;

    if (w->next < w->n_task || attempt_now() - w->looked < LOOK)
        return true;
    for (u32 i = 0; ok && i < w->n_task && has_free_slot(w); i++)
        if (w->task[i].state == ELSEWHERE)
            ok = claim_task(w, &w->task[i], e);
    w->looked = attempt_now();
    return ok;
}

/* ---- and its end */

void runner_tell_failure(struct store *s, const struct point *p)
{
    struct store_row row;
    struct err e;
    char *text = point_text(p);

    if (store_get(s, p->key, &row, &e)) {
        const char *why = row.message ? row.message : "";

        log_note("failed: %s: %.*s", text, (int)strcspn(why, "\n"), why);
        store_row_free(&row);
    }
    free(text);
}

static bool finish_task(struct runner *w, struct slot *slot, struct err *e)
{
    struct task *t = slot->task;
    const struct point *p = t->point;
    bool stopped = slot->a.why == ATTEMPT_STOPPED, took;
    bool ok =
        attempt_finish(&slot->a, e) && (stopped || runner_take_key(w->s, w->dir, p->key, &took, e));
    enum store_state state = store_state(w->s, p->key);

    attempt_free(&slot->a);
    *slot = w->slot[--w->n_slot];
    if (ok && !stopped) {
        end_task(w, t, true, state);
        if (state == STORE_FAILED)
            runner_tell_failure(w->s, p);
    } else {
        t->state = WAITING;
        store_release(w->s, p->key);
    }
    return ok;
}

/* Who was told to stop together with us may have ended first: that is no failure of the point. */
static bool reap(struct runner *w, bool *stop, struct err *e)
{
    for (u32 i = 0; i < w->n_slot;) {
        struct slot *slot = &w->slot[i];

        if (!attempt_ended(&slot->a)) {
            i++;
            continue;
        }
        for (int number; (number = runner_sleep(0));)
            *stop |= runner_is_stop(number);
        if (*stop && slot->a.status)
            slot->a.why = ATTEMPT_STOPPED;
        if (!finish_task(w, slot, e))
            return false;
    }
    return true;
}

static void watch_attempts(struct runner *w)
{
    double now = attempt_now();

    if (now - w->watched >= RUNNER_TICK) {
        for (u32 i = 0; i < w->n_slot; i++)
            attempt_watch(&w->slot[i].a, w->o);
        w->watched = attempt_now();
    }
    if (now - w->renewed >= RENEW) {
        store_renew(w->s);
        w->renewed = now;
    }
}

/* ---- all of them */

/* Asked twice, we do not wait. */
static void stop_all(struct runner *w, u32 asked)
{
    for (u32 i = 0; i < w->n_slot; i++) {
        if (asked > 1)
            attempt_kill(&w->slot[i].a);
        else
            attempt_stop(&w->slot[i].a);
    }
}

/* Until nothing runs any more; what was over in the meantime is kept if it can be. */
static void wind_up(struct runner *w, u32 asked)
{
    bool stop = true;
    struct err e;

    stop_all(w, asked);
    while (w->n_slot) {
        if (runner_is_stop(runner_sleep(RUNNER_TICK)))
            stop_all(w, ++asked);
        reap(w, &stop, &e);
        watch_attempts(w);
    }
}

static bool run_until_over(struct runner *w, struct err *e)
{
    bool ok = true, stop = false;

    while (ok && !stop && w->n_over < w->n_task) {
        ok = start_waiting(w, e) && look_elsewhere(w, e);
        say_progress(w);
        if (!ok || w->n_over == w->n_task)
            break;
        stop = runner_is_stop(runner_sleep(RUNNER_TICK));
        ok = reap(w, &stop, e);
        watch_attempts(w);
    }
    wind_up(w, ok ? 1 : 2);
    w->r->stopped = stop;
    log_progress_end();
    return ok;
}

static bool make_folder(struct runner *w, struct err *e)
{
    w->dir = text_printf("%s.d", store_path(w->s));
    return mkdir(w->dir, 0777) == 0 || errno == EEXIST ||
           err_set(e, "%s: %s", w->dir, strerror(errno));
}

static bool run_tasks(struct runner *w, struct err *e)
{
    struct runner_signals old;

    announce(w);
    if (!prepare_programs(w, e))
        return false;
    attempt_clean_environment();
    runner_block_signals(&old);
    w->began = attempt_now(); /* compiling does not count for the time to go */
    bool ok = run_until_over(w, e);

    runner_restore_signals(&old);
    return ok;
}

bool runner_run(struct store *s, const struct point *p, u32 n, const struct runner_options *o,
                struct runner_result *r, struct err *e)
{
    struct runner w = {.s = s, .o = o, .r = r};

    *r = (struct runner_result){0};
    w.slot = xcalloc(o->jobs + 1, sizeof *w.slot);
    bool ok = make_folder(&w, e) && runner_clean_up(s, w.dir, p, n, e);

    if (ok) {
        plan_tasks(&w, p, n);
        ok = run_tasks(&w, e);
    }
    free(w.task), free(w.slot), free(w.dir);
    return ok;
}
