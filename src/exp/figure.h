/*
 * figure.h -- a table as a CSV file, in Markdown and, with gnuplot, as a picture (SVG).
 *
 *     struct figure f;
 *     figure_open(&f, "out", "fig9a", "INT static energy saved", "%", FIGURE_BARS, &e);
 *     figure_row(&f, "workload", "conv_pg", "warped", NULL);          the header
 *     figure_label(&f, "bfs"), figure_number(&f, 20.1), figure_number(&f, 31.6), figure_end(&f);
 *     figure_close(&f, &e);
 *
 * The first column is the x axis: names for bars, numbers for lines; each other one is a series.
 * With f.marks set the last columns are what the paper has for the first series: marks over their
 * bars and lines.  Bars begin at zero.  The same table is in NAME.md, for pages (page.h).  Without
 * gnuplot there is no picture, and a note says so once.
 */
#ifndef EXP_FIGURE_H
#define EXP_FIGURE_H

#include <stdio.h>

#include "base/base.h"
#include "base/err.h"

enum figure_kind { FIGURE_BARS, FIGURE_STACKED, FIGURE_LINES, FIGURE_TABLE };

struct figure {
    FILE *csv, *md;
    char *path; /* without its ending */
    const char *title, *unit;
    enum figure_kind kind;
    u32 columns; /* of the header */
    u32 marks;   /* columns at the end that are the paper's */
    u32 at;      /* in the row */
};

bool figure_open(struct figure *f, const char *dir, const char *name, const char *title,
                 const char *unit, enum figure_kind kind, struct err *e);
void figure_row(struct figure *f, const char *first,
                ...); /* NULL ends it; the header comes first */
void figure_label(struct figure *f, const char *label);
void figure_number(struct figure *f, double v); /* NAN: an empty cell */
void figure_end(struct figure *f);
bool figure_close(struct figure *f, struct err *e);

#endif
