/* html_targets.c -- a study's page (html_study.h): what the paper says beside what we have */
#include "page/html_study.h"

#include <math.h>

static void verdict(struct html *h, bool met)
{
    html_cell_begin(h);
    html_put(h, met ? "<span class=\"yes\">met</span>" : "<span class=\"no\">not met</span>");
    html_cell_end(h);
}

static void what(struct html *h, const struct study_target *t)
{
    html_cell_begin(h);
    html_text(h, t->what);
    if (t->unit && t->unit[0])
        html_put(h, ", %s", t->unit);
    html_cell_end(h);
}

static void target(struct html *h, const struct study_target *t)
{
    double off = t->ours - t->paper;
    html_row(h);
    html_cell(h, t->where);
    what(h, t);
    html_number(h, t->paper);
    if (t->here)
        html_cell(h, t->here);
    else
        html_number(h, t->ours);
    html_number(h, off);
    html_number(h, t->paper != 0 ? 100 * off / fabs(t->paper) : NAN);
    html_cell(h, t->check);
    verdict(h, t->met);
}

static void target_columns(struct html *h, const char *const *name, u32 n)
{
    for (u32 i = 0; i < n; i++)
        html_column(h, name[i]);
}

static void number_targets(struct html_study *p)
{
    static const char *const names[] = {"where",    "what",        "paper",     "ours",
                                        "distance", "distance, %", "judged by", "verdict"};
    struct study_score score = study_score(p->s);

    if (!score.targets)
        return;
    html_put(&p->h, "<p>Numbers and orders: <strong>%u of %u met</strong>.</p>\n",
             score.targets_met, score.targets);
    html_table(&p->h, "Numbers of the paper beside ours");
    target_columns(&p->h, names, LEN(names));
    for (u32 i = 0; i < p->s->target.n; i++)
        if (!study_is_claim(&p->s->target.at[i]))
            target(&p->h, &p->s->target.at[i]);
    html_table_end(&p->h);
}

static void claims(struct html_study *p)
{
    static const char *const names[] = {"where", "the paper says", "here", "verdict"};
    struct study_score score = study_score(p->s);

    if (!score.claims)
        return;
    html_put(&p->h, "<p>Claims of the text: <strong>%u of %u met</strong>.</p>\n", score.claims_met,
             score.claims);
    html_table(&p->h, "Claims of the paper");
    target_columns(&p->h, names, LEN(names));
    for (u32 i = 0; i < p->s->target.n; i++) {
        const struct study_target *t = &p->s->target.at[i];
        if (!study_is_claim(t))
            continue;
        html_row(&p->h);
        html_cell(&p->h, t->where);
        what(&p->h, t);
        html_cell(&p->h, t->here ? t->here : "");
        verdict(&p->h, t->met);
    }
    html_table_end(&p->h);
}

void html_targets(struct html_study *p)
{
    if (!p->s->target.n)
        return;
    html_section(&p->h, "targets", "The paper beside ours");
    number_targets(p);
    claims(p);
    html_section_end(&p->h);
}
