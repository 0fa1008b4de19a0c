/*
 * figure.h -- a table as a CSV file, in Markdown and, with gnuplot, as a picture (SVG).
 *
 *     struct oldfig f;
 *     oldfig_open(&f, "out", "fig9a", "INT static energy saved", "%", OLDFIG_BARS, &e);
 *     oldfig_row(&f, "workload", "conv_pg", "warped", NULL);          the header
 *     oldfig_label(&f, "bfs"), oldfig_number(&f, 20.1), oldfig_number(&f, 31.6), oldfig_end(&f);
 *     oldfig_close(&f, &e);
 *
 * The first column is the x axis: names for bars, numbers for lines; each other one is a series.
 * With f.marks set the last columns are what the paper has for the first series: marks over their
 * bars and lines.  Bars begin at zero.  The same table is in NAME.md, for pages (page.h).  Without
 * gnuplot there is no picture, and a note says so once.
 */
#ifndef STUDY_OLDFIG_H
#define STUDY_OLDFIG_H

#include <stdio.h>

#include "base/base.h"
#include "base/err.h"

enum oldfig_kind { OLDFIG_BARS, OLDFIG_STACKED, OLDFIG_LINES, OLDFIG_TABLE };

struct oldfig {
    FILE *csv, *md;
    char *path; /* without its ending */
    const char *title, *unit;
    enum oldfig_kind kind;
    u32 columns; /* of the header */
    u32 marks;   /* columns at the end that are the paper's */
    u32 at;      /* in the row */
};

bool oldfig_open(struct oldfig *f, const char *dir, const char *name, const char *title,
                 const char *unit, enum oldfig_kind kind, struct err *e);
void oldfig_row(struct oldfig *f, const char *first,
                ...); /* NULL ends it; the header comes first */
void oldfig_label(struct oldfig *f, const char *label);
void oldfig_number(struct oldfig *f, double v); /* NAN: an empty cell */
void oldfig_end(struct oldfig *f);
bool oldfig_close(struct oldfig *f, struct err *e);

#endif
