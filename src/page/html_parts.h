/*
 * html_parts.h -- what our pages are made of: a frame, escaped text, tables that sort, figures.
 *
 *     struct html h;
 *     html_open(&h, "A title");
 *     html_put(&h, "<p>%s</p>\n", label);               %s is escaped: no text can become markup
 *     html_table(&h, "runs"), html_column(&h, "program"), html_column(&h, "cycles");
 *     html_row(&h), html_cell(&h, "bfs"), html_number(&h, 123);
 *     html_table_end(&h);
 *     html_close(&h, "out/report.html", &e);            there it is, whole; or html_drop(&h)
 *
 * A page needs nothing but itself: style and script (report.css, report.js) are in it, and its policy
 * forbids to load anything else or to run any other script.  The same calls give the same bytes.
 */
#ifndef PAGE_HTML_PARTS_H
#define PAGE_HTML_PARTS_H

#include "base/base.h"
#include "base/err.h"
#include "base/json_read.h"
#include "figure/figure.h"

struct html {
    FILE *f; /* into text */
    char *text;
    size_t len;
    bool in_row, in_body, in_foot; /* of a table */
    bool first;                    /* the next cell is the head of its row */
};

void html_open(struct html *h, const char *title);
bool html_close(struct html *h, const char *path, struct err *e); /* "-": standard output */
void html_drop(struct html *h);                                   /* instead: nothing is written */

/* Markup with %s (escaped), %u and %% in it, and nothing else. */
void html_put(struct html *h, const char *fmt, ...) PRINTF(2, 3);
/* Escaped; what is not UTF-8, and control characters, become U+FFFD.  NULL is "". */
void html_text(struct html *h, const char *s);
void html_json(struct html *h, const struct json_value *v); /* a value as text, lists with commas */

/* A name that may be an `id`: of letters, digits, '-' and '_', the same only for the same. */
void html_id(struct html *h, const char *name);

/* The contents list: html_link between; then sections, whose ids are these. */
void html_contents(struct html *h);
void html_link(struct html *h, const char *id, const char *title);
void html_contents_end(struct html *h);
void html_section(struct html *h, const char *id, const char *title);
void html_section_end(struct html *h);

/* A fact under its name; between html_facts and html_facts_end. */
void html_facts(struct html *h);
void html_fact(struct html *h, const char *name, const char *value);
void html_fact_date(struct html *h, const char *name, const char *date); /* unless "" */
void html_fact_number(struct html *h, const char *name, double v,
                      const char *unit); /* unless NAN */
void html_facts_end(struct html *h);

/*
 * A table in a box of its own, which scrolls if it is too wide.  Columns first, then rows; the first
 * cell of a row is its head.  Rows after html_foot stay at the end whatever it is sorted by.
 */
void html_table(struct html *h, const char *label);
void html_column(struct html *h, const char *name);
void html_row(struct html *h);
void html_cell(struct html *h, const char *text);
void html_number(struct html *h, double v);                       /* NAN: an empty cell */
void html_number_as(struct html *h, double v, const char *shown); /* v is finite */
void html_date(struct html *h, const char *date);
void html_cell_begin(struct html *h); /* for markup of its own */
void html_cell_end(struct html *h);
void html_foot(struct html *h);
void html_table_end(struct html *h);

/* "1 h 02 min", "3 min 20 s", "12.5 s"; returns buf. */
const char *html_duration(double seconds, char *buf, size_t size);

/*
 * A figure: its picture, a link that delivers its CSV, its table.  DIR has NAME.svg (figure_write),
 * unless it is a table or there was no gnuplot.
 */
void html_figure_link(struct html *h, const struct figure *f);
bool html_figure(struct html *h, const struct figure *f, const char *dir, struct err *e);

/*
 * A picture as part of the page; `name` is for messages, `label` for who cannot see it.  False if it
 * has what no picture of ours has: scripts, handlers, links out of it.
 */
bool html_svg(struct html *h, const char *svg, const char *name, const char *label, struct err *e);

#endif
