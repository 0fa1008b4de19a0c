/* points.c -- see points.h */
#include "study/points.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/json_read.h"
#include "base/log.h"
#include "base/place.h"
#include "study/recipe.h"
#include "study/workload.h"
#include "version.h"

/* ---- names of results */

/* The version, the library that simulates and all GPUs and tables of energies. */
static void made_of(char hex[HASH_HEX])
{
    struct recipe r = {0};
    char *toolkit = place_toolkit(), *conf = place_find("conf");
    char *library = text_printf("%s/lib64/libcudart.so", toolkit ? toolkit : "");

    recipe_text(&r, SMELT_VERSION);
    recipe_file(&r, library);
    recipe_tree(&r, conf ? conf : "");
    recipe_hash(&r, hex);
    free(toolkit), free(conf), free(library);
}

/* "bfs-1f2e3d4c5b6a79881f2e3d4c5b6a7988.json" */
static char *result_of(const struct points *p, const struct point *q)
{
    const char *parts[] = {p->made_of, q->program, q->args, q->gpu, q->mech, q->set};
    struct recipe r = {0};
    char hex[HASH_HEX];

    for (u32 i = 0; i < LEN(parts); i++)
        recipe_text(&r, parts[i]);
    workload_made_of(q->program, hex);
    recipe_text(&r, hex);
    recipe_hash(&r, hex);
    return text_printf("%s/%s-%s.json", p->dir, q->program, hex);
}

/* ---- reading them */

static void keep_numbers(struct point *q, const struct json_value *v, const char *prefix)
{
    for (u32 i = 0; v && i < v->n; i++) {
        const struct json_value *m = &v->at[i];
        char *name = text_printf("%s.%s", prefix, m->key ? m->key : "");

        if (m->kind == JSON_OBJECT)
            keep_numbers(q, m, name);
        if (m->kind == JSON_NUMBER)
            *VEC_ADD(&q->values) = (struct point_value){name, m->number};
        else
            free(name);
    }
}

static void forget(struct point *q)
{
    for (u32 i = 0; i < q->values.n; i++)
        free(q->values.at[i].name);
    VEC_FREE(&q->values);
}

/* Only what a run that has ended well left behind is a result. */
static bool read_result(struct point *q, struct err *e)
{
    static const char *const parts[] = {"total", "stats", "stalls", "energy"};
    struct json_value *v = json_read_file(q->file, e);
    const struct json_value *status = json_get(v, "status"), *cycles;

    if (!v)
        return false;
    forget(q);
    for (u32 i = 0; i < LEN(parts); i++)
        keep_numbers(q, json_get(v, parts[i]), parts[i]);
    bool ended = status && status->kind == JSON_STRING && strcmp(status->text, "done") == 0;
    cycles = json_get(json_get(v, "total"), "cycles");
    bool ok = ended && cycles && cycles->kind == JSON_NUMBER;

    json_free(v);
    return ok || err_set(e, "%s: not the result of a run that has ended well", q->file);
}

/* ---- making them */

/* Two at work in one folder would take each other's unfinished results.  The lock ends with us. */
static bool lock(struct points *p, struct err *e)
{
    p->lock = open(p->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (p->lock < 0)
        return err_set(e, "%s: %s", p->dir, strerror(errno));
    if (flock(p->lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno != EWOULDBLOCK)
        return err_set(e, "%s: %s", p->dir, strerror(errno));
    return err_set(e, "%s: another smelt is at work there; wait for it, or choose another folder",
                   p->dir);
}

bool points_open(struct points *p, const char *dir, u32 jobs, struct err *e)
{
    memset(p, 0, sizeof *p);
    p->lock = -1;
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return err_set(e, "%s: %s", dir, strerror(errno));
    p->dir = text_dup(dir);
    p->jobs = jobs ? jobs : 1;
    made_of(p->made_of);
    return lock(p, e);
}

static void free_point(struct point *q)
{
    forget(q);
    free(q->program), free(q->args), free(q->gpu), free(q->mech), free(q->set), free(q->file);
}

void points_close(struct points *p)
{
    for (u32 i = 0; i < p->at.n; i++)
        free_point(&p->at.at[i]);
    VEC_FREE(&p->at);
    if (p->dir && p->lock >= 0)
        close(p->lock);
    free(p->dir);
}

u32 points_add(struct points *p, const struct set_member *m, const char *gpu, const char *mech,
               const char *set)
{
    struct point q = {.program = text_dup(m->program),
                      .args = text_dup(m->args),
                      .gpu = text_dup(gpu),
                      .mech = text_dup(mech ? mech : ""),
                      .set = text_dup(set ? set : "")};

    q.file = result_of(p, &q);
    for (u32 i = 0; i < p->at.n; i++) {
        if (strcmp(p->at.at[i].file, q.file) == 0) {
            free_point(&q);
            return i;
        }
    }
    *VEC_ADD(&p->at) = q;
    return p->at.n - 1;
}

/* ---- running them */

struct job {
    pid_t pid;
    u32 point;
};

struct command {
    VEC(const char *) argv;
};

static void add_words(struct command *c, const char *option, char *words, const char *between)
{
    char *save = NULL;

    for (char *w = strtok_r(words, between, &save); w; w = strtok_r(NULL, between, &save)) {
        if (option)
            *VEC_ADD(&c->argv) = option;
        *VEC_ADD(&c->argv) = w;
    }
}

static bool spawn(const struct point *q, const char *part, int log, pid_t *pid, struct err *e)
{
    char *smelt = place_command(), *set = text_dup(q->set), *args = text_dup(q->args);
    struct command c = {0};
    const char *head[] = {smelt, "run", "--quiet", "-g", q->gpu, "--json", part};

    for (u32 i = 0; i < LEN(head); i++)
        *VEC_ADD(&c.argv) = head[i];
    if (q->mech[0])
        *VEC_ADD(&c.argv) = "-m", *VEC_ADD(&c.argv) = q->mech;
    add_words(&c, "--set", set, ",");
    *VEC_ADD(&c.argv) = q->program;
    add_words(&c, NULL, args, " ");
    *VEC_ADD(&c.argv) = NULL;
    *pid = child_start(smelt, (char **)(uintptr_t)c.argv.at, log, e);
    VEC_FREE(&c.argv);
    free(smelt), free(set), free(args);
    return *pid > 0;
}

static bool start(const struct points *p, u32 i, struct job *j, struct err *e)
{
    const struct point *q = &p->at.at[i];
    char *part = text_printf("%s.part", q->file), *log = text_printf("%s.log", q->file);
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool ok =
        (fd >= 0 || err_set(e, "%s: %s", log, strerror(errno))) && spawn(q, part, fd, &j->pid, e);

    if (fd >= 0)
        close(fd);
    j->point = i;
    free(part), free(log);
    return ok;
}

static bool finish(struct points *p, const struct job *j, int status, struct err *e)
{
    struct point *q = &p->at.at[j->point];
    char *part = text_printf("%s.part", q->file), *log = text_printf("%s.log", q->file);
    bool ended = status == 0 && rename(part, q->file) == 0;
    bool ok = ended ? read_result(q, e)
                    : err_program(e, "%s %s on %s, -m %s, --set %s failed; see %s", q->program,
                                  q->args, q->gpu, q->mech, q->set, log);

    if (ok)
        unlink(log);
    free(part), free(log);
    return ok;
}

/* Which of the running jobs has ended? */
static u32 wait_one(const struct job *job, u32 n, int *status)
{
    for (;;) {
        pid_t pid = wait(status);

        for (u32 k = 0; k < n; k++)
            if (job[k].pid == pid)
                return k;
        if (pid < 0 && errno != EINTR)
            return n;
    }
}

static void show_progress(u32 done, u32 all, time_t began)
{
    double spent = difftime(time(NULL), began), left = done ? spent / done * (all - done) : 0;

    if (!all)
        return;
    if (log_is_terminal())
        log_progress((double)done / all, "%u of %u runs, %.0f min left", done, all, left / 60);
    else if (done && done % 20 == 0)
        log_note("%u of %u runs, about %.0f min left", done, all, left / 60);
}

static bool run_all(struct points *p, const u32 *todo, u32 n, struct err *e)
{
    struct job *job = xcalloc(p->jobs, sizeof *job);
    u32 running = 0, next = 0, done = 0;
    time_t began = time(NULL);
    bool ok = true;

    while (running || (ok && next < n)) {
        int status;

        if (ok && next < n && running < p->jobs) {
            ok = start(p, todo[next++], &job[running], e);
            running += ok;
            continue;
        }
        u32 k = wait_one(job, running, &status);

        if (k == running)
            break;
        ok = finish(p, &job[k], status, e) && ok;
        job[k] = job[--running];
        show_progress(++done, n, began);
    }
    log_progress_end();
    free(job);
    return ok;
}

/* A file that is no result (cut off, say) is made again. */
static bool is_there(struct point *q)
{
    struct err e;

    if (q->values.n || (access(q->file, F_OK) == 0 && read_result(q, &e)))
        return true;
    if (access(q->file, F_OK) == 0)
        log_note("made again: %s", e.msg);
    return false;
}

bool points_run(struct points *p, struct err *e)
{
    u32 *todo = xcalloc(p->at.n + 1, sizeof *todo), n = 0;
    bool ok = true;

    for (u32 i = 0; i < p->at.n; i++)
        if (!is_there(&p->at.at[i]))
            todo[n++] = i;
    if (n < p->at.n)
        log_note("%u of %u runs are there already", p->at.n - n, p->at.n);
    show_progress(0, n, time(NULL));
    for (u32 i = 0; i < n && ok; i++) { /* compile first: what does not compile is told at once */
        char *program = workload_build(p->at.at[todo[i]].program, e);

        ok = program != NULL;
        free(program);
    }
    ok = ok && run_all(p, todo, n, e);
    free(todo);
    return ok;
}

double points_value(const struct points *p, u32 i, const char *name)
{
    const struct point *q = &p->at.at[i];

    for (u32 k = 0; k < q->values.n; k++)
        if (strcmp(q->values.at[k].name, name) == 0)
            return q->values.at[k].value;
    return NAN;
}
