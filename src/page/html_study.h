/*
 * html_study.h -- the parts of a study's page (html.c), and what they have in common: each point's row
 * and numbers, read once.
 */
#ifndef PAGE_HTML_STUDY_H
#define PAGE_HTML_STUDY_H

#include "page/html_numbers.h"
#include "study/study.h"

struct html_point {
    struct store_row row; /* of no meaning if it was not run */
    bool there, done;
    struct html_numbers n;
    struct json_value *run; /* of the first done point of a series, else NULL */
};

struct html_study {
    struct html h;
    const struct study *s;
    struct store *st;
    const char *dir;
    struct html_point *point; /* as many as s->point */
};

/* Its first point that is done, UINT32_MAX if there is none. */
u32 html_first_done(const struct html_study *p, const struct study_series *series);

u32 html_runs(const struct html_study *p, bool there, bool done); /* how many such points */

void html_head(struct html_study *p);
void html_targets(struct html_study *p);
bool html_figures(struct html_study *p, struct err *e);
void html_programs(struct html_study *p);
void html_configs(struct html_study *p);
void html_times(struct html_study *p);
void html_failed(struct html_study *p);

#endif
