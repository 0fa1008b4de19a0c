/* report.c -- see report.h */
#include "gpu/report.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "version.h"

/* --- Ctrl-C --- */

volatile int report_stop_wanted;

static void on_signal(int number)
{
    (void)number;
    report_stop_wanted = 1;
}

/* Only the first one asks; the second ends the process, should a run not listen. */
void report_catch_signals(void)
{
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
}

static void show_progress(void *arg, u64 ctas_done, u64 ctas, u64 warp_insts)
{
    const struct device *d = arg;
    double fraction = ctas ? (double)ctas_done / (double)ctas : -1;
    log_progress(fraction, "launch %u: %" PRIu64 " of %" PRIu64 " CTAs, %.1f M warp insts",
                 d->n_launch, ctas_done, ctas, (double)warp_insts * 1e-6);
}

void report_show_progress(struct device *d)
{
    d->opts.progress = log_is_terminal() ? show_progress : NULL;
    d->opts.progress_arg = d;
}

/* --- JSON --- */

/* How the run stands, for "status"; the first launch that went wrong says why. */
static const char *status_word(const struct report *r, const struct err *failure, bool ended)
{
    static const char *const words[] = {
        [RUN_DONE] = "",
        [RUN_FAULT] = "fault",
        [RUN_DEADLOCK] = "deadlock",
        [RUN_MAX_INSTS] = "max_insts",
        [RUN_MAX_CYCLES] = "max_cycles",
        [RUN_STOPPED] = "interrupted",
    };
    if (!ended)
        return "running";
    if (!failure)
        return r->has_exit && r->exit_status ? "failed" : "done";
    for (u32 i = 0; i < r->dev->n_launch; i++)
        if (r->dev->launch[i].end != RUN_DONE)
            return words[r->dev->launch[i].end];
    return failure->status == ERR_USER ? "error" : "failed";
}

static void put_u64(struct json *j, const char *key, u64 v)
{
    json_key(j, key);
    json_u64(j, v);
}

static void put_str(struct json *j, const char *key, const char *s)
{
    json_key(j, key);
    json_str(j, s);
}

static void put_dim(struct json *j, const char *key, const u32 dim[3])
{
    json_key(j, key);
    json_row(j);
    for (u32 i = 0; i < 3; i++)
        json_u64(j, dim[i]);
    json_arr_end(j);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void put_host(struct json *j, const struct report *r)
{
    struct err e;
    const lane_fn *table = exec_table(r->settings->isa, &e);
    json_key(j, "host");
    json_obj(j);
    put_u64(j, "threads", r->settings->threads);
    put_str(j, "isa", table ? exec_table_name(table) : "");
    json_key(j, "skip");
    json_bool(j, !r->settings->no_skip);
    json_obj_end(j);
}

static void put_module(struct json *j, const struct program *p)
{
    u64 kernels = 0;
    for (u32 i = 0; i < p->n_func; i++)
        kernels += p->func[i].is_entry;
    json_obj(j);
    put_str(j, "name", base_name(p->path));
    put_u64(j, "kernels", kernels);
    put_u64(j, "insts", p->n_inst);
    json_key(j, "lowered");
    json_bool(j, p->lowered);
    json_obj_end(j);
}

static void put_program(struct json *j, const struct report *r)
{
    json_key(j, "program");
    json_obj(j);
    put_str(j, "name", base_name(r->program));
    put_str(j, "kind", r->kind);
    json_key(j, "modules");
    json_arr(j);
    for (u32 i = 0; i < r->dev->n_prog; i++)
        put_module(j, r->dev->prog[i]);
    json_arr_end(j);
    json_obj_end(j);
}

static void put_stats(struct json *j, const struct counters *c, const struct front_stat *n)
{
    struct counters untimed = {.front = *n};

    json_key(j, "stats");
    json_obj(j);
    counters_json(c ? c : &untimed, c != NULL, j);
    json_obj_end(j);
}

static void put_stalls(struct json *j, const struct counters *c)
{
    json_key(j, "stalls");
    json_obj(j);
    counters_stalls_json(c, j);
    json_obj_end(j);
}

static void put_kernel(struct json *j, const struct launch_result *l)
{
    json_obj(j);
    put_str(j, "name", l->kernel);
    put_dim(j, "grid", l->grid);
    put_dim(j, "block", l->block);
    put_u64(j, "regs", l->regs);
    put_u64(j, "shared", l->shared);
    put_u64(j, "smem", l->smem);
    put_u64(j, "local", l->local);
    put_u64(j, "ctas_per_sm", l->ctas_per_sm);
    put_str(j, "limit", l->limit ? l->limit : "");
    put_u64(j, "warp_insts", l->n.warp_insts);
    put_u64(j, "thread_insts", l->n.thread_insts);
    if (l->counters)
        put_u64(j, "cycles", l->cycles);
    put_stats(j, l->counters, &l->n);
    if (l->counters)
        put_stalls(j, l->counters);
    json_obj_end(j);
}

static void put_kernels(struct json *j, const struct device *d, u32 from)
{
    for (u32 i = from; i < d->n_launch; i++)
        put_kernel(j, &d->launch[i]);
}

static double seconds(const struct device *d)
{
    return d->n_launch ? d->last_end - d->first_start : 0;
}

static double speed(const struct device *d)
{
    return seconds(d) > 0 ? (double)d->n.warp_insts / seconds(d) : 0;
}

static void put_total(struct json *j, const struct device *d)
{
    json_key(j, "total");
    json_obj(j);
    if (!d->opts.functional)
        put_u64(j, "cycles", d->counters.cycles);
    put_u64(j, "warp_insts", d->n.warp_insts);
    put_u64(j, "thread_insts", d->n.thread_insts);
    if (!d->opts.functional) {
        json_key(j, "ipc");
        json_real(j, d->counters.cycles ? (double)d->counters.front.thread_insts /
                                              (double)d->counters.cycles
                                        : 0);
    }
    json_key(j, "seconds");
    json_real(j, seconds(d));
    json_key(j, "warp_insts_per_second");
    json_real(j, speed(d));
    json_obj_end(j);
}

static void put_exit_status(struct json *j, const struct report *r)
{
    json_key(j, "exit_status");
    if (r->has_exit)
        json_u64(j, (u64)r->exit_status);
    else
        json_null(j);
}

static void put_state(struct json *j, const struct report *r, const struct err *failure, bool ended)
{
    put_str(j, "status", status_word(r, failure, ended));
    json_key(j, "partial");
    json_bool(j, !ended || failure);
    if (failure)
        put_str(j, "error", failure->msg);
    if (strcmp(r->kind, "cuda") == 0)
        put_exit_status(j, r);
}

/* Everything before the list of kernels, and its beginning. */
static void put_head(struct json *j, const struct report *r, const struct err *failure, bool ended)
{
    json_obj(j);
    put_u64(j, "schema", 1);
    put_str(j, "smelt", SMELT_VERSION);
    put_str(j, "gpu", r->dev->conf.name);
    json_key(j, "functional");
    json_bool(j, r->dev->opts.functional);
    put_state(j, r, failure, ended);
    json_key(j, "mechanisms");
    json_row(j);
    json_arr_end(j);
    json_key(j, "config");
    conf_json(&r->dev->conf, j);
    put_host(j, r);
    put_program(j, r);
    json_key(j, "kernels");
    json_arr(j);
}

/* The end of the list of kernels, and everything after it. */
static void put_tail(struct json *j, const struct report *r)
{
    json_arr_end(j);
    put_total(j, r->dev);
    put_stats(j, r->dev->opts.functional ? NULL : &r->dev->counters, &r->dev->n);
    if (!r->dev->opts.functional)
        put_stalls(j, &r->dev->counters);
    if (r->settings->check)
        put_u64(j, "uninitialised_reads", r->dev->n_uninit);
    json_obj_end(j);
}

static bool remember_file(struct report *r)
{
    struct stat st;
    r->inode = stat(r->settings->json, &st) ? 0 : st.st_ino;
    return true;
}

static bool write_json(struct report *r, const struct err *failure, bool ended, struct err *e)
{
    struct json j;
    if (!r->settings->json)
        return true;
    if (!json_open_file(&j, r->settings->json, e))
        return false;
    put_head(&j, r, failure, ended);
    put_kernels(&j, r->dev, 0);
    r->grown = j;
    r->grown_at = ftell(j.f);
    r->n_prog = r->dev->n_prog;
    r->n_launch = r->dev->n_launch;
    put_tail(&j, r);
    return json_close(&j, e) && remember_file(r);
}

/*
 * With thousands of launches it would take too long to write all of the file after each: the new
 * kernels and the tail take the place of the old tail, in one write.  False if that cannot be
 * done, because the head has changed or the file is not there, or is another process's by now.
 */
static bool grow_json(struct report *r)
{
    if (r->grown_at <= 0 || r->n_prog != r->dev->n_prog)
        return false;
    int fd = open(r->settings->json, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    struct stat st;
    if (fstat(fd, &st) || st.st_ino != r->inode) {
        close(fd);
        return false;
    }
    struct json j;
    size_t len;
    json_open_after(&j, &r->grown);
    put_kernels(&j, r->dev, r->n_launch);
    long at = r->grown_at + ftell(j.f);
    r->grown = j;
    put_tail(&j, r);
    char *text = json_close_buf(&j, &len);
    bool ok = pwrite(fd, text, len, r->grown_at) == (ssize_t)len &&
              ftruncate(fd, r->grown_at + (off_t)len) == 0;
    ok &= close(fd) == 0;
    free(text);
    r->grown_at = ok ? at : 0;
    r->n_launch = r->dev->n_launch;
    return ok;
}

/* What cannot be written again (a pipe, standard output) gets the final state only. */
static bool can_rewrite(const char *path)
{
    struct stat st;
    if (!path || strcmp(path, "-") == 0)
        return false;
    return stat(path, &st) || S_ISREG(st.st_mode);
}

/* --- the summary --- */

enum { SUMMARY_KERNELS = 12 };

struct group { /* the launches of one kernel */
    const struct launch_result *first, *last;
    u32 n;
    u64 warp_insts;
};

static const char *show_shape(const u32 a[3], const u32 b[3], char *buf, size_t size)
{
    if (memcmp(a, b, 3 * sizeof(a[0])) == 0)
        snprintf(buf, size, "%ux%ux%u", a[0], a[1], a[2]);
    else
        snprintf(buf, size, "%ux%ux%u .. %ux%ux%u", a[0], a[1], a[2], b[0], b[1], b[2]);
    return buf;
}

static void say_group(const struct group *g)
{
    const struct launch_result *l = g->first;
    char times[32] = "", grid[80], block[80];
    if (g->n > 1)
        snprintf(times, sizeof(times), "  %u launches", g->n);
    log_note("%s%s  grid %s  block %s  %u registers  %u CTAs/SM (%s)  %" PRIu64 " warp insts",
             l->label, times, show_shape(l->grid, g->last->grid, grid, sizeof(grid)),
             show_shape(l->block, g->last->block, block, sizeof(block)), l->regs, l->ctas_per_sm,
             l->limit ? l->limit : "", g->warp_insts);
}

/* The first few kernels; returns how many launches they do not cover. */
static u32 say_groups(const struct device *d)
{
    struct group group[SUMMARY_KERNELS];
    u32 n = 0, rest = 0;
    for (u32 i = 0; i < d->n_launch; i++) {
        const struct launch_result *l = &d->launch[i];
        u32 k = 0;
        while (k < n && group[k].first->kernel != l->kernel)
            k++;
        if (k == SUMMARY_KERNELS) {
            rest++;
            continue;
        }
        if (k == n)
            group[n++] = (struct group){.first = l};
        group[k].last = l;
        group[k].n++;
        group[k].warp_insts += l->n.warp_insts;
    }
    for (u32 k = 0; k < n; k++)
        say_group(&group[k]);
    return rest;
}

void report_summary(const struct device *d)
{
    u32 rest = say_groups(d);
    if (rest)
        log_note(".. and %u launches more", rest);
    log_note("%u launch%s, %" PRIu64 " warp insts, %" PRIu64
             " thread insts in %.3f s: %.1f million warp insts per second",
             d->n_launch, d->n_launch == 1 ? "" : "es", d->n.warp_insts, d->n.thread_insts,
             seconds(d), speed(d) * 1e-6);
}

/* --- the three moments --- */

bool report_begin(struct report *r, struct err *e)
{
    return !can_rewrite(r->settings->json) || write_json(r, NULL, false, e);
}

bool report_update(struct report *r, struct err *e)
{
    return !can_rewrite(r->settings->json) || grow_json(r) || write_json(r, NULL, false, e);
}

bool report_end(struct report *r, const struct err *failure, struct err *e)
{
    return write_json(r, failure, true, e);
}

/* --- a file whose writer is gone --- */

/* Puts `to` in place of the first `from` of text, which is replaced. */
static bool substitute(char **text, const char *from, const char *to)
{
    char *at = strstr(*text, from);
    if (!at)
        return false;
    char *out = text_printf("%.*s%s%s", (int)(at - *text), *text, to, at + strlen(from));
    free(*text);
    *text = out;
    return true;
}

static bool write_whole(const char *path, const char *text, struct err *e)
{
    FILE *f = fopen(path, "w");
    bool ok = f && fputs(text, f) >= 0;
    if (f && fclose(f))
        ok = false;
    return ok || err_set(e, "%s: %s", path, strerror(errno));
}

bool report_finish_file(const char *path, const char *status, int exit_status, struct err *e)
{
    if (!can_rewrite(path))
        return true;
    char *text = text_read_file(path, NULL, e), word[64];
    if (!text)
        return false;
    snprintf(word, sizeof(word), "\"status\": \"%s\"", status);
    bool ok = true;
    if (substitute(&text, "\"status\": \"running\"", word)) {
        bool whole = strcmp(status, "done") == 0 || strcmp(status, "failed") == 0;
        if (whole)
            substitute(&text, "\"partial\": true", "\"partial\": false");
        snprintf(word, sizeof(word), "\"exit_status\": %d", exit_status);
        if (exit_status >= 0)
            substitute(&text, "\"exit_status\": null", word);
        ok = write_whole(path, text, e);
    }
    free(text);
    return ok;
}
