/*
 * html.h -- a study as one HTML file that opens from disk, without a network.
 *
 * Targets (paper, ours, distance, verdict), every figure with its picture and its CSV beside it, tables
 * that sort when their heads are clicked, what each series' machine differs in, versions, how long the
 * runs took, and those that failed with their last lines.
 */
#ifndef STUDY_HTML_H
#define STUDY_HTML_H

#include "study/study.h"

/* Pictures are taken from DIR/NAME.svg; the file is DIR/report.html. */
bool html_write(const struct study *s, struct store *st, const char *dir, struct err *e);

#endif
