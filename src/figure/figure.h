/*
 * figure.h -- a table and how it is drawn: CSV, Markdown, and with gnuplot a picture (SVG).
 *
 *     struct figure f;
 *     figure_init(&f, FIGURE_BARS, "fig9a", "INT static energy saved", "%");
 *     figure_column(&f, "workload"), figure_column(&f, "conv_pg"), figure_column(&f, "warped");
 *     figure_text(&f, "bfs"), figure_number(&f, 20.1), figure_number(&f, 31.6);     a row
 *     figure_write(&f, "out", &e);                        out/fig9a.csv, .md and .svg
 *     figure_free(&f);
 *
 * The first column is the x axis; each other one is a series, but the last `marks` of them: what the
 * paper has for the first series, drawn as marks over them.  A cell without a number is empty, and so
 * is one with an infinite one.
 *
 *     bars      a group of bars for each row, from zero; rows after the first `n_plain` are means,
 *               set apart
 *     stacked   a bar for each row, the series one upon the other, what is negative below zero; the
 *               paper's marks are upon each other too
 *     lines     x are numbers; an empty cell interrupts the line
 *     box       a box for each row; columns least, q1, median, q3, most
 *     scatter   columns x and y, or several y; r (Pearson) is written into the picture.  If the first
 *               column has texts, it names the points (x and y follow): groups in colours if some
 *               names are there more than once and they are few, else each name beside its point
 *               where there is room
 *     heat      a cell for each row and column, the paper's columns apart
 *     table     no picture
 *
 * Readable with 33 rows, and for the colour-blind.  The same table gives the same bytes.  No id in a
 * picture is in another figure's, so that several can be parts of one page.  Texts are shown as they
 * are, whatever gnuplot, Markdown or XML would make of them; what is too long is cut in its middle.
 * Without gnuplot there is no picture, and a note says so once.
 */
#ifndef FIGURE_FIGURE_H
#define FIGURE_FIGURE_H

#include "base/base.h"
#include "base/err.h"
#include "base/text.h"

enum figure_kind {
    FIGURE_BARS,
    FIGURE_STACKED,
    FIGURE_LINES,
    FIGURE_BOX,
    FIGURE_SCATTER,
    FIGURE_HEAT,
    FIGURE_TABLE
};

struct figure_cell {
    char *text;    /* or NULL: a number */
    double number; /* NAN: empty */
};

struct figure {
    enum figure_kind kind;
    char *name, *title, *unit;
    char *doc;     /* a line below it, or NULL */
    char *x_title; /* of lines and scatter, or NULL: the first column's name */
    u32 marks;     /* columns at the end that are the paper's */
    u32 n_plain;   /* bars: rows that are no means; 0: all */
    bool log_x, log_y;
    VEC(char *) column;
    VEC(struct figure_cell) cell; /* row by row */
};

bool figure_kind_of(const char *name, enum figure_kind *kind, struct err *e); /* "bars", .. */

void figure_init(struct figure *f, enum figure_kind kind, const char *name, const char *title,
                 const char *unit);
void figure_free(struct figure *f);
void figure_column(struct figure *f, const char *name); /* all before the first cell */
void figure_text(struct figure *f, const char *text);
void figure_number(struct figure *f, double v);

u32 figure_rows(const struct figure *f);
u32 figure_series(const struct figure *f); /* columns but the first and the marks */
const struct figure_cell *figure_at(const struct figure *f, u32 row, u32 column);

/*
 * Whether it is what its kind expects, and its name that of a file in a folder.  figure_write and
 * figure_svg check it too; this is for those who can say where it comes from.
 */
bool figure_check(const struct figure *f, struct err *e);

/* A number as tables show it: three digits or more ("31.6", "0.540", "1234"); "" for NAN.  Returns buf. */
#define FIGURE_SHOW 320 /* a buffer size that always suffices */
const char *figure_show(double v, char *buf, size_t size);

/* The files appear whole or not at all; the folder must be there. */
bool figure_write(const struct figure *f, const char *dir, struct err *e);
void figure_csv(const struct figure *f, FILE *out); /* RFC 4180, but lines end with \n */
void figure_markdown(const struct figure *f, FILE *out);
bool figure_svg(const struct figure *f, const char *path, bool *drawn, struct err *e);

/* Pearson's r of n pairs; NAN if x or y is the same in all. */
double figure_pearson(const double *x, const double *y, u32 n);

#endif
