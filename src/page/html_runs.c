/* html_runs.c -- a study's page (html_study.h): its head, programs, run times, and what failed */
#include "page/html_study.h"

#include <math.h>
#include <string.h>

/* --- the head --- */

/* The least or the greatest date: they sort as texts. */
static const char *date(const struct html_study *p, bool last)
{
    const char *best = "";
    for (u32 i = 0; i < p->s->point.n; i++) {
        const struct html_point *q = &p->point[i];
        if (!q->there || !q->row.finished)
            continue;
        int c = strcmp(q->row.finished, best);
        if (!best[0] || (last ? c > 0 : c < 0))
            best = q->row.finished;
    }
    return best;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *host_or_build(const struct store_row *r, bool host)
{
    return host ? r->host : r->build;
}

/* Different texts of the points' rows, as facts: builds, hosts. */
static u32 facts_of(struct html_study *p, const char *name, bool host)
{
    const char **text = xcalloc(p->s->point.n + 1, sizeof(text[0]));
    u32 n = 0, different = 0;
    for (u32 i = 0; i < p->s->point.n; i++)
        if (p->point[i].there && host_or_build(&p->point[i].row, host))
            text[n++] = host_or_build(&p->point[i].row, host);
    qsort(text, n, sizeof(text[0]), by_text);
    for (u32 i = 0; i < n; i++) {
        if (i && strcmp(text[i], text[i - 1]) == 0)
            continue;
        html_fact(&p->h, different++ ? "and" : name, text[i]);
    }
    free(text);
    return different;
}

static void fact_times(struct html_study *p)
{
    double wall = 0, cpu = 0;
    char buf[48];
    for (u32 i = 0; i < p->s->point.n; i++) {
        const struct store_row *r = &p->point[i].row;
        wall += p->point[i].there && r->seconds > 0 ? r->seconds : 0;
        cpu += p->point[i].there && r->cpu_seconds > 0 ? r->cpu_seconds : 0;
    }
    html_fact(&p->h, "CPU time of all", html_duration(cpu, buf, sizeof(buf)));
    html_fact(&p->h, "wall time of all", html_duration(wall, buf, sizeof(buf)));
}

void html_head(struct html_study *p)
{
    u32 done = html_runs(p, true, true), failed = html_runs(p, true, false),
        none = html_runs(p, false, false);
    char *runs = text_printf("%u done, %u failed, %u not run", done, failed, none);
    html_put(&p->h, "<header>\n<h1>%s</h1>\n", p->s->title);
    if (p->s->doc)
        html_put(&p->h, "<p>%s</p>\n", p->s->doc);
    html_facts(&p->h);
    html_fact(&p->h, "study", p->s->name);
    html_fact(&p->h, "runs", runs);
    html_fact_date(&p->h, "first finished", date(p, false));
    html_fact_date(&p->h, "last finished", date(p, true));
    fact_times(p);
    u32 builds = facts_of(p, "smelt", false);
    facts_of(p, "hosts", true);
    html_facts_end(&p->h);
    if (builds > 1)
        html_put(&p->h, "<p class=\"no\">These runs are of %u builds of smelt.</p>\n", builds);
    html_put(&p->h, "</header>\n");
    free(runs);
}

/* --- programs --- */

static const struct html_point *point_of_series(const struct html_study *p,
                                                const struct study_series *s, u32 i)
{
    return &p->point[s->point.at[i]];
}

static void program(struct html_study *p, const struct study_series *s,
                    const struct study_series *base, u32 i)
{
    const struct html_point *q = point_of_series(p, s, i);
    struct html *h = &p->h;
    html_row(h);
    html_cell_begin(h);
    html_text(h, s->program.at[i]);
    if (!q->done)
        html_put(h, " <span class=\"no\">%s</span>", q->there ? "failed" : "not run");
    html_cell_end(h);
    if (base)
        html_number(h, point_of_series(p, base, i)->n.v[MAIN_CYCLES] / q->n.v[MAIN_CYCLES]);
    html_numbers_cells(h, &q->n);
    html_number(h, q->there ? q->row.seconds : NAN);
}

/* "gtx480 gates:variant=naive l1d.size=32K" of its first point. */
static void machine(struct html *h, const struct point *p)
{
    html_put(h, " <span class=\"soft\">%s", p->gpu);
    for (u32 i = 0; i < p->mech.n; i++)
        html_put(h, " -m %s", p->mech.at[i]);
    for (u32 i = 0; i < p->set.n; i++)
        html_put(h, " --set %s", p->set.at[i]);
    html_put(h, "</span>");
}

static void programs_of(struct html_study *p, u32 number)
{
    const struct study_series *s = &p->s->series.at[number];
    const struct study_series *base = s->base != number ? &p->s->series.at[s->base] : NULL;
    struct html *h = &p->h;
    html_put(h, number ? "<details>\n<summary>%s" : "<details open>\n<summary>%s", s->label);
    if (s->point.n)
        machine(h, &p->s->point.at[s->point.at[0]]);
    html_put(h, "</summary>\n");
    html_table(h, s->label);
    html_column(h, "program");
    if (base)
        html_column(h, "speed-up");
    html_numbers_columns(h);
    html_column(h, "wall, s");
    for (u32 i = 0; i < s->point.n; i++)
        program(p, s, base, i);
    html_table_end(h);
    html_put(h, "</details>\n");
}

void html_programs(struct html_study *p)
{
    html_section(&p->h, "programs", "Programs");
    html_put(&p->h, "<p>Numbers of whole runs, series by series; figures may be of single kernels. "
                    "A speed-up is over the series that it is measured against.</p>\n");
    for (u32 i = 0; i < p->s->series.n; i++)
        programs_of(p, i);
    html_section_end(&p->h);
}

/* --- run times --- */

static double run_seconds(const struct html_study *p, u32 i)
{
    return p->point[i].row.seconds;
}

struct slow {
    double seconds;
    u32 point;
};

/* The slowest first; of the same time, in the order of the study. */
static int by_seconds(const void *a, const void *b)
{
    const struct slow *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    return x->point < y->point ? -1 : x->point > y->point;
}

static void run_time(struct html_study *p, u32 i)
{
    const struct store_row *r = &p->point[i].row;
    char *text = point_text(&p->s->point.at[i]);
    html_row(&p->h);
    html_cell_begin(&p->h);
    html_put(&p->h, "<code>%s</code>", text);
    html_cell_end(&p->h);
    html_number(&p->h, r->seconds);
    html_number(&p->h, r->cpu_seconds);
    html_number(&p->h, r->peak_bytes ? (double)r->peak_bytes / (1 << 20) : NAN);
    html_number(&p->h, r->seconds > 0 ? r->cycles / r->seconds : NAN);
    html_date(&p->h, r->finished);
    free(text);
}

void html_times(struct html_study *p)
{
    enum { SLOWEST = 20 };
    static const char *const names[] = {"run",         "wall, s",  "CPU, s",
                                        "memory, MiB", "cycles/s", "finished"};
    struct slow *order = xcalloc(p->s->point.n + 1, sizeof(order[0]));
    u32 n = 0;
    for (u32 i = 0; i < p->s->point.n; i++)
        if (p->point[i].there)
            order[n++] = (struct slow){isnan(run_seconds(p, i)) ? 0 : run_seconds(p, i), i};
    qsort(order, n, sizeof(order[0]), by_seconds);
    html_section(&p->h, "times", "Run times");
    html_put(&p->h, "<p>The slowest %u of %u runs.</p>\n", min_u32(n, SLOWEST), n);
    html_table(&p->h, "Run times");
    for (u32 i = 0; i < LEN(names); i++)
        html_column(&p->h, names[i]);
    for (u32 i = 0; i < n && i < SLOWEST; i++)
        run_time(p, order[i].point);
    html_table_end(&p->h);
    html_section_end(&p->h);
    free(order);
}

/* --- what failed --- */

/* The reason is the first line, the run's last lines follow. */
static void failed_run(struct html_study *p, u32 i)
{
    const char *message = p->point[i].row.message ? p->point[i].row.message : "";
    size_t n = strcspn(message, "\n");
    char *text = point_text(&p->s->point.at[i]), *why = text_dup_n(message, n);
    html_put(&p->h, "<h3><code>%s</code></h3>\n<p>%s</p>\n", text, why);
    if (message[n] && message[n + 1])
        html_put(&p->h, "<pre>%s</pre>\n", message + n + 1);
    free(text), free(why);
}

static void not_run(struct html_study *p)
{
    html_put(&p->h, "<h3>Not run yet</h3>\n<ul>\n");
    for (u32 i = 0; i < p->s->point.n; i++) {
        if (p->point[i].there)
            continue;
        char *text = point_text(&p->s->point.at[i]);
        html_put(&p->h, "<li><code>%s</code></li>\n", text);
        free(text);
    }
    html_put(&p->h, "</ul>\n");
}

static void not_launched(struct html_study *p)
{
    html_put(&p->h,
             "<h3>Kernels that were not launched</h3>\n<p>Their cells are empty.</p>\n<ul>\n");
    for (u32 i = 0; i < p->s->absent.n; i++)
        html_put(&p->h, "<li><code>%s</code></li>\n", p->s->absent.at[i]);
    html_put(&p->h, "</ul>\n");
}

void html_failed(struct html_study *p)
{
    u32 n = html_runs(p, true, false), none = html_runs(p, false, false);
    html_section(&p->h, "failed", "What failed");
    if (!n && !none)
        html_put(&p->h, "<p>Nothing: every run is there.</p>\n");
    if (p->s->absent.n)
        not_launched(p);
    if (n)
        html_put(&p->h, "<p>%u of %u runs failed. Their cells are empty.</p>\n", n, p->s->point.n);
    for (u32 i = 0; i < p->s->point.n; i++)
        if (p->point[i].there && !p->point[i].done)
            failed_run(p, i);
    if (none)
        not_run(p);
    html_section_end(&p->h);
}
