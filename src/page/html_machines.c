/*
 * html_machines.c -- a study's page (html_study.h): what each series' machine differs in.
 *
 * The first series that has a result is what the others are compared to: key by key, as the results
 * have them, since what was written in the study is not all that was simulated.
 */
#include "page/html_study.h"

#include <string.h>

static bool same_json(const struct json_value *a, const struct json_value *b)
{
    if (!a || !b || a->kind != b->kind || a->n != b->n)
        return a == b;
    if (a->text)
        return strcmp(a->text, b->text) == 0;
    for (u32 i = 0; i < a->n; i++)
        if (!same_json(&a->at[i], &b->at[i]))
            return false;
    return true;
}

static void difference(struct html *h, const char *key, const struct json_value *a,
                       const struct json_value *b)
{
    html_put(h, "<li><code>%s</code> ", key);
    if (a)
        html_json(h, a);
    html_put(h, a ? " \xe2\x86\x92 " : "= ");
    if (b)
        html_json(h, b);
    html_put(h, b ? "</li>" : "none</li>");
}

/* Keys of both, then those that only b has: keys of its mechanisms. */
static u32 differences(struct html *h, const struct json_value *a, const struct json_value *b)
{
    u32 n = 0;
    for (u32 i = 0; a && i < a->n; i++) {
        const struct json_value *other = json_get(b, a->at[i].key);
        if (same_json(&a->at[i], other))
            continue;
        n++;
        if (h)
            difference(h, a->at[i].key, &a->at[i], other);
    }
    for (u32 i = 0; b && i < b->n; i++) {
        if (json_get(a, b->at[i].key))
            continue;
        n++;
        if (h)
            difference(h, b->at[i].key, NULL, &b->at[i]);
    }
    return n;
}

/* Another GPU differs in a hundred keys: those are folded. */
static void put_differences(struct html *h, const struct json_value *a, const struct json_value *b)
{
    enum { SHOWN = 12 };
    u32 n = differences(NULL, a, b);
    html_cell_begin(h);
    if (!n)
        html_put(h, "<span class=\"soft\">none</span>");
    if (n > SHOWN)
        html_put(h, "<details><summary>%u keys</summary>", n);
    if (n) {
        html_put(h, "<ul>");
        differences(h, a, b);
        html_put(h, "</ul>");
    }
    if (n > SHOWN)
        html_put(h, "</details>");
    html_cell_end(h);
}

static void series(struct html_study *p, const struct study_series *s,
                   const struct json_value *first)
{
    u32 point = html_first_done(p, s);
    const struct json_value *run = point == UINT32_MAX ? NULL : p->point[point].run;
    struct html *h = &p->h;
    html_row(h);
    html_cell(h, s->label);
    html_number(h, s->point.n);
    html_cell(h, html_json_text(run, "gpu"));
    html_cell_begin(h);
    html_json(h, json_get(run, "mechanisms"));
    html_cell_end(h);
    if (!run)
        html_cell(h, "no result");
    else if (run == first)
        html_cell(h, "the others are compared to this one");
    else
        put_differences(h, json_get(first, "config"), json_get(run, "config"));
}

static void all_keys(struct html *h, const struct json_value *config)
{
    html_put(h, "<details>\n<summary>All keys of the first series</summary>\n");
    html_table(h, "Keys of the first series");
    html_column(h, "key"), html_column(h, "value");
    for (u32 i = 0; config && i < config->n; i++) {
        html_row(h);
        html_cell(h, config->at[i].key);
        html_cell_begin(h);
        html_json(h, &config->at[i]);
        html_cell_end(h);
    }
    html_table_end(h);
    html_put(h, "</details>\n");
}

static const struct json_value *first_run(const struct html_study *p)
{
    for (u32 i = 0; i < p->s->series.n; i++) {
        u32 point = html_first_done(p, &p->s->series.at[i]);
        if (point != UINT32_MAX)
            return p->point[point].run;
    }
    return NULL;
}

void html_configs(struct html_study *p)
{
    static const char *const names[] = {"series", "programs", "GPU", "mechanisms",
                                        "keys that differ"};
    const struct json_value *first = first_run(p);
    html_section(&p->h, "machines", "Machines");
    html_put(&p->h, "<p>What each series was simulated on, as a difference to the first.</p>\n");
    html_table(&p->h, "Machines of the series");
    for (u32 i = 0; i < LEN(names); i++)
        html_column(&p->h, names[i]);
    for (u32 i = 0; i < p->s->series.n; i++)
        series(p, &p->s->series.at[i], first);
    html_table_end(&p->h);
    if (first)
        all_keys(&p->h, json_get(first, "config"));
    html_section_end(&p->h);
}
