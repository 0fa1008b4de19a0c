/*
 * made.h -- a study that was never run, for tests of pages: two series of two programs, one of which
 * failed; labels that would be markup if nobody escaped them.
 */
#ifndef TESTS_PAGE_MADE_H
#define TESTS_PAGE_MADE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/html.h"

#define MADE_EVIL "<script>document.title='caught'</script>"

struct made {
    struct study s;
    struct store *st;
};

static inline char *made_result(u32 i, u32 n_warp)
{
    return text_printf(
        "{\"smelt\":\"1.2.3\",\"gpu\":\"tiny\",\"mechanisms\":[%s],\"config\":{\"gpu.n_sm\":2,"
        "\"sm.n_warp\":%u,\"sm.scheduler\":\"gto\"},\"kernels\":[],\"total\":{\"cycles\":%u,"
        "\"ipc\":1.5},\"stats\":{\"l1d_miss_rate\":0.25}}",
        n_warp == 8 ? "\"noop\"" : "", n_warp, 1000 * (i + 1));
}

static inline void made_point(struct made *m, const char *program, u32 n_warp, bool done)
{
    struct err e;
    u32 i = m->s.point.n;
    struct point p = {.program = text_dup(program), .gpu = text_dup("tiny")};
    struct store_row r = {.state = done ? STORE_DONE : STORE_FAILED, .seconds = i + 0.5};
    char finished[32], *json = made_result(i, n_warp);

    snprintf(p.key, sizeof(p.key), "%032x", i + 1);
    snprintf(r.key, sizeof(r.key), "%s", p.key);
    snprintf(finished, sizeof(finished), "2026-11-1%uT12:00:00Z", i);
    r.program = p.program, r.gpu = p.gpu, r.args = r.mech = r.set = (char *)"";
    r.build = (char *)"1.2.3 abcdef", r.host = (char *)"host", r.finished = finished;
    r.cpu_seconds = 100, r.peak_bytes = 3 << 20;
    r.message = done ? NULL : (char *)"ended with status 1\nlast <line>\n\033[1m" MADE_EVIL;
    if (!store_put(m->st, &r, done ? json : NULL, done ? strlen(json) : 0, &e))
        fprintf(stderr, "%s\n", e.msg), abort();
    *VEC_ADD(&m->s.point) = p;
    free(json);
}

static inline void made_series(struct made *m, const char *label, u32 base)
{
    struct study_series s = {.label = text_dup(label), .base = base};
    for (u32 i = 0; i < 2; i++) {
        *VEC_ADD(&s.point) = 2 * m->s.series.n + i;
        *VEC_ADD(&s.program) = text_dup(i ? "<b>bfs</b>" : "nn");
    }
    *VEC_ADD(&m->s.series) = s;
}

static inline void made_target(struct made *m, const char *what, double paper, double ours,
                               const char *here, const char *check, bool met)
{
    *VEC_ADD(&m->s.target) = (struct study_target){.where = text_dup("Fig. 1"),
                                                   .what = text_dup(what),
                                                   .unit = text_dup("%"),
                                                   .paper = paper,
                                                   .ours = ours,
                                                   .here = here ? text_dup(here) : NULL,
                                                   .check = text_dup(check),
                                                   .met = met};
}

/* Numbers whose order as texts is another, an empty cell, a mean, and the paper's. */
static inline void made_figure(struct made *m, enum figure_kind kind, const char *name)
{
    static const double v[4] = {9.5, 100.25, NAN, 36};
    static const char *const label[4] = {"ten", MADE_EVIL, "a \"b\", 'c' & d", "mean"};
    struct figure f;
    figure_init(&f, kind, name, "saved & <i>lost</i>", "%");
    f.doc = text_dup("What & why");
    f.n_plain = 3, f.marks = 1;
    figure_column(&f, "program"), figure_column(&f, "ours"), figure_column(&f, "paper");
    for (u32 i = 0; i < 4; i++)
        figure_text(&f, label[i]), figure_number(&f, v[i]), figure_number(&f, i == 3 ? 31.6 : NAN);
    *VEC_ADD(&m->s.figure) = f;
}

/* Its store is DIR/store.db. */
static inline void made_open(struct made *m, const char *dir)
{
    struct err e;
    char *path = text_printf("%s/store.db", dir);
    *m = (struct made){.st = store_open(path, STORE_WRITE, &e)};
    free(path);
    if (!m->st)
        fprintf(stderr, "%s\n", e.msg), abort();
    m->s.name = text_dup("made"), m->s.title = text_dup("Made & " MADE_EVIL);
    m->s.doc = text_dup("Never run.");
    made_point(m, "nn", 48, true), made_point(m, "bfs", 48, true);
    made_point(m, "nn", 8, true), made_point(m, "bfs", 8, false);
    made_series(m, "many", 0), made_series(m, "<u>few</u>", 0);
    made_figure(m, FIGURE_BARS, "fig1"), made_figure(m, FIGURE_BARS, "fig2");
    made_figure(m, FIGURE_TABLE, "table1");
    made_target(m, "saved", 20, 25, NULL, "within 6", true);
    made_target(m, "order", NAN, NAN, "a < b", "order", false);
    made_target(m, "it " MADE_EVIL, NAN, NAN, "so", "claim", true);
}

static inline void made_close(struct made *m)
{
    struct study *s = &m->s;
    for (u32 i = 0; i < s->point.n; i++)
        point_free(&s->point.at[i]);
    for (u32 i = 0; i < s->figure.n; i++)
        figure_free(&s->figure.at[i]);
    for (u32 i = 0; i < s->target.n; i++) {
        struct study_target *t = &s->target.at[i];
        free(t->where), free(t->what), free(t->unit), free(t->here), free(t->check);
    }
    for (u32 i = 0; i < s->series.n; i++) {
        for (u32 k = 0; k < s->series.at[i].program.n; k++)
            free(s->series.at[i].program.at[k]);
        VEC_FREE(&s->series.at[i].program);
        VEC_FREE(&s->series.at[i].point);
        free(s->series.at[i].label);
    }
    VEC_FREE(&s->point);
    VEC_FREE(&s->figure);
    VEC_FREE(&s->target);
    VEC_FREE(&s->series);
    free(s->name), free(s->title), free(s->doc);
    store_close(m->st);
}

#endif
