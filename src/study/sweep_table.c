/* sweep_table.c -- see sweep.h: what is shown of a sweep. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"
#include "base/text.h"
#include "gpu/counters.h"
#include "mech/mech.h"
#include "study/kernel_sum.h"
#include "study/sweep.h"

/* ---- metrics: every number of a result, and its unit */

struct metric {
    char *name;
    const char *unit;
};

struct metrics {
    struct metric *at;
    u32 n, cap;
};

static void add_metric(struct metrics *m, const char *of, const char *prefix, const char *name,
                       const char *unit)
{
    *VEC_ADD(m) = (struct metric){text_printf("%s.%s%s", of, prefix, name), unit};
}

static void add_sheet(struct metrics *m, const char *of, const char *prefix, const struct sheet *s)
{
    for (u32 i = 0; i < s->n_stat; i++)
        add_metric(m, of, prefix, s->stat[i].name, s->stat[i].unit);
}

static void add_mechanism_metrics(struct metrics *m)
{
    u32 n;
    const struct mech *const *mech = mech_list(&n);

    for (u32 i = 0; i < n; i++) {
        char *prefix = text_printf("%s_", mech[i]->name);

        add_sheet(m, "stats", prefix, mech[i]->sheet);
        free(prefix);
    }
}

static void add_component(struct metrics *m, const char *name)
{
    static const char *const part[] = {".dynamic_j", ".static_j", ".gating_j", ".base_j"};

    for (u32 i = 0; i < LEN(part); i++)
        add_metric(m, "energy", name, part[i], "J");
    add_metric(m, "area", name, "", "mm2");
}

static void list_metrics(struct metrics *m)
{
    static const char *const total[][2] = {
        {"cycles", "cycles"},
        {"warp_insts", "insts"},
        {"thread_insts", "insts"},
        {"ipc", "insts/cycle"},
        {"energy_j", "J"},
        {"power_w", "W"},
        {"power_noleak_w", "W"},
        {"front_end_j", "J"},
        {"front_end_share", "1"},
        {"seconds", "s"},
        {"warp_insts_per_second", "insts/s"},
    };
    static const char *const mean[] = {"mem_latency", "dram_latency", "noc_request_latency",
                                       "noc_reply_latency"};
    struct mech_stalls held;
    u32 n;
    const struct counter_sheet *c = counters_list(&n);

    for (u32 i = 0; i < LEN(total); i++)
        add_metric(m, "total", "", total[i][0], total[i][1]);
    for (u32 i = 0; i < n; i++)
        add_sheet(m, "stats", c[i].prefix, c[i].sheet);
    for (u32 i = 0; i < LEN(mean); i++)
        add_metric(m, "stats", "", mean[i], "cycles");
    add_mechanism_metrics(m);
    add_sheet(m, "stalls", "", &stall_sheet);
    add_sheet(m, "stalls", "", mech_stall_sheet(&held));
    add_metric(m, "area", "", "total", "mm2");
#define COMPONENT(name, per, doc) add_component(m, #name);
#include "sm/component.def"
}

static void free_metrics(struct metrics *m)
{
    for (u32 i = 0; i < m->n; i++)
        free(m->at[i].name);
    VEC_FREE(m);
}

/* Its unit, or NULL if there is none of that name. */
static const char *unit_of(const char *name)
{
    struct metrics m = {0};
    const char *unit = NULL;

    list_metrics(&m);
    for (u32 i = 0; i < m.n; i++)
        if (strcmp(m.at[i].name, name) == 0)
            unit = m.at[i].unit;
    free_metrics(&m);
    return unit;
}

static bool no_such_metric(const char *name, struct err *e)
{
    struct metrics m = {0};

    list_metrics(&m);
    const char **names = xcalloc(m.n, sizeof *names);

    for (u32 i = 0; i < m.n; i++)
        names[i] = m.at[i].name;
    err_no_such(e, name, names, m.n, "for example total.cycles, stats.l1d_miss; docs/RESULTS.md",
                "no metric '%s'", name);
    free(names);
    free_metrics(&m);
    return false;
}

bool sweep_metric(struct sweep *w, const char *name, struct err *e)
{
    for (u32 i = 0; i < w->metric.n; i++)
        if (strcmp(w->metric.at[i], name) == 0)
            return err_set(e, "--metric %s is there twice", name);
    if (!unit_of(name))
        return no_such_metric(name, e);
    point_add(&w->metric, name);
    return true;
}

/* ---- values */

struct values { /* of each metric, series and program */
    double *at;
    u32 n_series, n_program;
};

static double *value_at(const struct values *v, u32 metric, u32 series, u32 program)
{
    return &v->at[((size_t)metric * v->n_series + series) * v->n_program + program];
}

/* "stats.l1d_miss" of a result; NAN if it has none, as a ratio that would divide by 0. */
static double find_number(const struct json_value *v, const char *name)
{
    while (v && name) {
        size_t n = strcspn(name, ".");
        char *part = text_dup_n(name, n);

        v = json_get(v, part);
        free(part);
        name = name[n] ? name + n + 1 : NULL;
    }
    return v && v->kind == JSON_NUMBER ? v->number : (double)NAN;
}

static bool read_launches(const struct sweep *w, const struct values *v, u32 series, u32 program,
                          const char *text, size_t len, bool *launched, struct err *e)
{
    const char *kernel = w->program.member.at[program].kernel;
    struct json_slices launches = {0};
    struct json_value *all = json_read_slices("result", text, len, "kernels", &launches, e);
    struct json_value *sum = NULL;
    bool ok = all && (!kernel || kernel_sum(all, &launches, kernel, &sum, e));

    *launched = sum || !kernel;
    for (u32 i = 0; ok && *launched && i < w->metric.n; i++) {
        const char *name = w->metric.at[i];
        char *part = text_dup_n(name, strcspn(name, "."));

        *value_at(v, i, series, program) = find_number(json_get(sum, part) ? sum : all, name);
        free(part);
    }
    json_free(all), json_free(sum);
    free(launches.at);
    return ok;
}

static bool read_point(const struct sweep *w, struct study *s, struct store *st,
                       const struct values *v, u32 series, u32 program, struct err *e)
{
    u32 point = s->series.at[series].point.at[program];
    const char *key = s->point.at[point].key;
    bool launched = true;
    size_t len;

    for (u32 i = 0; i < w->metric.n; i++)
        *value_at(v, i, series, program) = (double)NAN;
    if (store_state(st, key) != STORE_DONE)
        return true;
    char *text = store_json(st, key, &len, e);
    bool ok = text && read_launches(w, v, series, program, text, len, &launched, e);

    free(text);
    if (ok && !launched)
        study_add_absence(s, point, w->program.member.at[program].kernel);
    return ok || err_at(e, "result %.12s", key);
}

/* ---- tables */

/* The geometric mean, over programs that have both, of the ratio to the first series. */
static double mean_ratio(const struct values *v, u32 metric, u32 series)
{
    double sum = 0;
    u32 n = 0;

    for (u32 i = 0; i < v->n_program; i++) {
        double ratio = *value_at(v, metric, series, i) / *value_at(v, metric, 0, i);

        if (ratio > 0 && isfinite(ratio))
            sum += log(ratio), n++;
    }
    return n ? exp(sum / n) : (double)NAN;
}

static void put_series_columns(struct figure *f, const struct study *s)
{
    figure_column(f, "program");
    for (u32 i = 0; i < s->series.n; i++)
        figure_column(f, s->series.at[i].label);
}

static void put_means(struct figure *f, const struct values *v, u32 metric, const char *label)
{
    figure_text(f, label);
    for (u32 i = 0; i < v->n_series; i++)
        figure_number(f, mean_ratio(v, metric, i));
}

static char *figure_name(const char *metric, const char *ending)
{
    char *name = text_printf("%s%s", metric, ending);

    for (char *c = name; *c; c++)
        *c = *c == '.' ? '_' : *c;
    return name;
}

static void add_metric_table(struct study *s, const struct values *v, const struct sweep *w,
                             u32 metric)
{
    struct figure *f = VEC_ADD(&s->figure);
    const char *const name = w->metric.at[metric];
    char *file = figure_name(name, "");
    bool alone = v->n_series == 1;

    figure_init(f, alone ? FIGURE_BARS : FIGURE_TABLE, file, name, unit_of(name));
    put_series_columns(f, s);
    for (u32 i = 0; i < v->n_program; i++) {
        figure_text(f, s->series.at[0].program.at[i]);
        for (u32 k = 0; k < v->n_series; k++)
            figure_number(f, *value_at(v, metric, k, i));
    }
    if (!alone)
        put_means(f, v, metric, "geomean of ratio");
    free(file);
}

static void add_ratios(struct study *s, const struct values *v, const struct sweep *w, u32 metric)
{
    struct figure *f = VEC_ADD(&s->figure);
    char *file = figure_name(w->metric.at[metric], "_ratio");
    char *title = text_printf("%s, ratio to %s", w->metric.at[metric], s->series.at[0].label);

    figure_init(f, FIGURE_BARS, file, title, "times");
    put_series_columns(f, s);
    for (u32 i = 0; i < v->n_program; i++) {
        figure_text(f, s->series.at[0].program.at[i]);
        for (u32 k = 0; k < v->n_series; k++) {
            double ratio = *value_at(v, metric, k, i) / *value_at(v, metric, 0, i);

            figure_number(f, isfinite(ratio) ? ratio : (double)NAN);
        }
    }
    put_means(f, v, metric, "geomean");
    f->n_plain = v->n_program;
    free(file), free(title);
}

bool sweep_evaluate(const struct sweep *w, struct study *s, struct store *st, struct err *e)
{
    struct values v = {.n_series = s->series.n, .n_program = w->program.member.n};
    bool ok = true;

    v.at = xcalloc((size_t)w->metric.n * v.n_series * v.n_program, sizeof *v.at);
    for (u32 i = 0; ok && i < v.n_series; i++)
        for (u32 k = 0; ok && k < v.n_program; k++)
            ok = read_point(w, s, st, &v, i, k, e);
    for (u32 i = 0; ok && i < w->metric.n; i++) {
        add_metric_table(s, &v, w, i);
        if (v.n_series > 1)
            add_ratios(s, &v, w, i);
    }
    free(v.at);
    return ok;
}
