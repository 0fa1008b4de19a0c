/*
 * html.h -- results as one HTML file that opens from disk, without a network.
 *
 * Of a study: targets (paper, ours, distance, verdict), every figure with its picture and its CSV beside
 * it, tables that sort when their heads are clicked, what each series' machine differs in, versions,
 * how long the runs took, and those that failed with their last lines.  Of a run: its numbers, kernels,
 * stalls, energy, caches and keys.  Of a store: a table of its runs.
 *
 * Dates are those of the runs: the same results give the same bytes.
 */
#ifndef PAGE_HTML_H
#define PAGE_HTML_H

#include "study/study.h"

/* Pictures are taken from DIR/NAME.svg; the file is DIR/report.html. */
bool html_write(const struct study *s, struct store *st, const char *dir, struct err *e);

/* `out` may be "-", standard output. */
bool html_write_run(const char *json, const char *out, struct err *e);
bool html_write_store(struct store *st, const char *out, struct err *e);

#endif
