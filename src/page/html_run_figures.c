/* html_run_figures.c -- the figures of a run's page (html_run.h) */
#include "page/html_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- a bar for each name, the longest first --- */

struct named_bar {
    const char *name;
    double v;
};

static int by_length(const void *a, const void *b)
{
    const struct named_bar *x = a, *y = b;
    if (x->v != y->v)
        return x->v > y->v ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void stalls(struct figure *f, const struct json_value *run)
{
    const struct json_value *s = json_get(run, "stalls");
    double all = html_json_number(run, "stalls", "scheduler_cycles");
    VEC(struct named_bar) bar = {0};
    figure_init(f, FIGURE_BARS, "stalls", "what schedulers did in their cycles", "%");
    f->doc = text_dup("Of all cycles of all schedulers; what did not happen is left out.");
    figure_column(f, "reason"), figure_column(f, "cycles");
    for (u32 i = 0; s && i < s->n; i++)
        if (strcmp(s->at[i].key, "scheduler_cycles") && s->at[i].number > 0)
            *VEC_ADD(&bar) = (struct named_bar){s->at[i].key, 100 * s->at[i].number / all};
    if (bar.n)
        qsort(bar.at, bar.n, sizeof(bar.at[0]), by_length);
    for (u32 i = 0; i < bar.n; i++)
        figure_text(f, bar.at[i].name), figure_number(f, bar.at[i].v);
    VEC_FREE(&bar);
}

static const char *const parts[] = {"dynamic_j", "static_j", "gating_j", "base_j"};

static void energy(struct figure *f, const struct json_value *run)
{
    const struct json_value *all = json_get(run, "energy");
    VEC(struct named_bar) bar = {0};
    figure_init(f, FIGURE_STACKED, "energy", "energy by component", "mJ");
    figure_column(f, "component"), figure_column(f, "dynamic"), figure_column(f, "leakage");
    figure_column(f, "gating"), figure_column(f, "base");
    for (u32 i = 0; all && i < all->n; i++) {
        struct named_bar b = {all->at[i].key, 0};
        for (u32 k = 0; k < LEN(parts); k++)
            b.v += json_number(&all->at[i], parts[k], 0);
        if (b.v > 0)
            *VEC_ADD(&bar) = b;
    }
    if (bar.n)
        qsort(bar.at, bar.n, sizeof(bar.at[0]), by_length);
    for (u32 i = 0; i < bar.n; i++) {
        figure_text(f, bar.at[i].name);
        for (u32 k = 0; k < LEN(parts); k++)
            figure_number(f, 1e3 * json_number(json_get(all, bar.at[i].name), parts[k], 0));
    }
    VEC_FREE(&bar);
}

/* --- memory --- */

static double stat(const struct json_value *run, const char *of, const char *what)
{
    char *name = text_printf("%s_%s", of, what);
    double v = html_json_number(run, "stats", name);
    free(name);
    return v;
}

static void caches(struct figure *f, const struct json_value *run)
{
    static const char *const name[][2] = {
        {"l1i", "L1I"}, {"l1d", "L1D"}, {"l1c", "L1C"}, {"l1t", "L1T"}, {"l2", "L2"}};
    figure_init(f, FIGURE_STACKED, "caches", "accesses of caches", "%");
    f->doc = text_dup("Hits, hits of a line that is still under way, and misses.");
    figure_column(f, "cache"), figure_column(f, "hits"), figure_column(f, "hits under way");
    figure_column(f, "misses");
    for (u32 i = 0; i < LEN(name); i++) {
        double all = stat(run, name[i][0], "access"), miss = stat(run, name[i][0], "miss"),
               pending = stat(run, name[i][0], "pending_hit");
        if (!(all > 0))
            continue;
        figure_text(f, name[i][1]);
        figure_number(f, 100 * (all - miss - pending) / all);
        figure_number(f, 100 * pending / all), figure_number(f, 100 * miss / all);
    }
}

static void dram(struct figure *f, const struct json_value *run)
{
    static const char *const name[][2] = {{"utilization", "of peak bandwidth"},
                                          {"efficiency", "of bandwidth while busy"},
                                          {"row_hit_rate", "requests that hit a row"}};
    figure_init(f, FIGURE_BARS, "dram", "use of DRAM", "%");
    figure_column(f, "what"), figure_column(f, "share");
    if (!(html_json_number(run, "stats", "dram_request") > 0))
        return;
    for (u32 i = 0; i < LEN(name); i++)
        figure_text(f, name[i][1]), figure_number(f, 100 * stat(run, "dram", name[i][0]));
}

static double bucket(const struct json_value *log2, u32 i, double *sum)
{
    *sum = 0;
    for (u32 k = 0; log2 && k < log2->n; k++)
        *sum += log2->at[k].number;
    return log2 && i < log2->n ? log2->at[i].number : 0;
}

/* Buckets are powers of two; those before the first and after the last that is filled are cut. */
static void latency(struct figure *f, const struct json_value *run)
{
    const struct json_value *s = json_get(run, "stats");
    const struct json_value *of[] = {json_get(s, "mem_latency_log2"),
                                     json_get(s, "dram_latency_log2")};
    bool begun = false;
    figure_init(f, FIGURE_BARS, "latency", "latency of memory", "% of requests");
    f->doc = text_dup("Requests of SMs from making to the last reply, and reads of DRAM from the "
                      "slice's queue to the answer, by cycles.");
    figure_column(f, "cycles"), figure_column(f, "requests of SMs"), figure_column(f, "DRAM reads");
    for (u32 i = 0; of[0] && i < max_u32(of[0]->n, of[1] ? of[1]->n : 0); i++) {
        char range[48];
        double sum[2], n[2] = {bucket(of[0], i, &sum[0]), bucket(of[1], i, &sum[1])};
        begun |= n[0] > 0 || n[1] > 0;
        if (!begun)
            continue;
        snprintf(range, sizeof(range), "%llu..", 1ull << i);
        figure_text(f, range);
        for (u32 k = 0; k < 2; k++)
            figure_number(f, sum[k] > 0 ? 100 * n[k] / sum[k] : NAN);
    }
}

void html_run_measure(struct html_run *p)
{
    stalls(&p->figure[RUN_STALLS], p->run);
    energy(&p->figure[RUN_ENERGY], p->run);
    caches(&p->figure[RUN_CACHES], p->run);
    dram(&p->figure[RUN_DRAM], p->run);
    latency(&p->figure[RUN_LATENCY], p->run);
}

/* --- drawn in a folder that is gone afterwards --- */

static bool draw_figures(struct html_run *p, const char *dir, struct err *e)
{
    bool ok = true, drawn;
    for (u32 i = 0; ok && i < N_RUN_FIGURE; i++) {
        const struct figure *f = &p->figure[i];
        if (!figure_rows(f))
            continue;
        char *path = text_printf("%s/%s.svg", dir, f->name);
        ok = figure_svg(f, path, &drawn, e) && html_figure(&p->h, f, dir, e);
        unlink(path);
        free(path);
    }
    return ok;
}

bool html_run_figures(struct html_run *p, struct err *e)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = text_printf("%s/smelt-report-XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
    bool ok = mkdtemp(dir) || err_set(e, "%s: %s", dir, strerror(errno));
    html_section(&p->h, "figures", "Figures");
    if (ok) {
        ok = draw_figures(p, dir, e);
        rmdir(dir);
    }
    html_section_end(&p->h);
    free(dir);
    return ok;
}
