/* html.c -- see html.h: the page of a study, from its results */
#include "page/html.h"

#include <string.h>

#include "page/html_study.h"

u32 html_first_done(const struct html_study *p, const struct study_series *series)
{
    for (u32 i = 0; i < series->point.n; i++)
        if (p->point[series->point.at[i]].done)
            return series->point.at[i];
    return UINT32_MAX;
}

u32 html_runs(const struct html_study *p, bool there, bool done)
{
    u32 n = 0;
    for (u32 i = 0; i < p->s->point.n; i++)
        n += p->point[i].there == there && p->point[i].done == done;
    return n;
}

static bool read_store_rows(struct html_study *p, struct err *e)
{
    for (u32 i = 0; i < p->s->point.n; i++) {
        struct html_point *q = &p->point[i];
        const char *key = p->s->point.at[i].key;
        q->n = html_numbers_none();
        if (store_state(p->st, key) == STORE_NONE)
            continue;
        if (!store_get(p->st, key, &q->row, e))
            return false;
        q->there = true;
        q->done = q->row.state == STORE_DONE;
    }
    return true;
}

/* Keys are compared between the first runs of the series: only those are kept. */
static bool is_kept(const struct html_study *p, u32 point)
{
    for (u32 i = 0; i < p->s->series.n; i++)
        if (html_first_done(p, &p->s->series.at[i]) == point)
            return true;
    return false;
}

static bool read_runs(struct html_study *p, struct err *e)
{
    for (u32 i = 0; i < p->s->point.n; i++) {
        struct html_point *q = &p->point[i];
        struct json_value *run = q->done ? html_result(p->st, q->row.key, e) : NULL;
        if (q->done && !run)
            return false;
        q->n = html_numbers_of(run);
        if (run && is_kept(p, i))
            q->run = run;
        else
            json_free(run);
    }
    return true;
}

static void study_contents(struct html_study *p)
{
    html_contents(&p->h);
    if (p->s->target.n)
        html_link(&p->h, "targets", "The paper beside ours");
    html_put(&p->h, "<li><a href=\"#figures\">Figures</a>\n<ul>\n");
    for (u32 i = 0; i < p->s->figure.n; i++)
        html_figure_link(&p->h, &p->s->figure.at[i]);
    html_put(&p->h, "</ul>\n</li>\n");
    html_link(&p->h, "programs", "Programs");
    html_link(&p->h, "machines", "Machines");
    html_link(&p->h, "times", "Run times");
    html_link(&p->h, "failed", "What failed");
    html_contents_end(&p->h);
}

bool html_figures(struct html_study *p, struct err *e)
{
    html_section(&p->h, "figures", "Figures");
    for (u32 i = 0; i < p->s->figure.n; i++)
        if (!html_figure(&p->h, &p->s->figure.at[i], p->dir, e))
            return false;
    html_section_end(&p->h);
    return true;
}

static bool study_body(struct html_study *p, struct err *e)
{
    html_head(p);
    study_contents(p);
    html_targets(p);
    if (!html_figures(p, e))
        return false;
    html_programs(p);
    html_configs(p);
    html_times(p);
    html_failed(p);
    return true;
}

static bool write_study_page(struct html_study *p, struct err *e)
{
    html_open(&p->h, p->s->title);
    if (!study_body(p, e)) {
        html_drop(&p->h);
        return false;
    }
    char *path = text_printf("%s/report.html", p->dir);
    bool ok = html_close(&p->h, path, e);
    free(path);
    return ok;
}

bool html_write(const struct study *s, struct store *st, const char *dir, struct err *e)
{
    struct html_study p = {.s = s, .st = st, .dir = dir};
    p.point = xcalloc(s->point.n, sizeof(p.point[0]));
    bool ok = read_store_rows(&p, e) && read_runs(&p, e) && write_study_page(&p, e);
    for (u32 i = 0; i < s->point.n; i++) {
        if (p.point[i].there)
            store_row_free(&p.point[i].row);
        json_free(p.point[i].run);
    }
    free(p.point);
    return ok;
}
