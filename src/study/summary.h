/*
 * summary.h -- the tables and numbers of a study in one CSV file, for pages (page.h).
 *
 *     table,row,column,value
 *     fig9a,backprop,workload,"backprop"        every cell of a table, row by row; the row is named
 *     fig9a,backprop,conv_pg,6.358221           as its first cell, which begins it
 *     number,int_gap,,-0.1812                   a number (docs/STUDIES.md)
 *
 * A text is in quotes, a number is not and has all its digits: a table that is read back is the one
 * that was written.
 */
#ifndef STUDY_SUMMARY_H
#define STUDY_SUMMARY_H

#include <stdio.h>

#include "figure/figure.h"

struct summary_number {
    char *name;
    double value;
};

struct summary {
    VEC(struct figure) table; /* of kind "table": only the cells are known */
    VEC(struct summary_number) number;
};

void summary_put_head(FILE *f);
void summary_put_table(FILE *f, const struct figure *t);
void summary_put_number(FILE *f, const char *name, double v);

bool summary_read(struct summary *s, const char *path, struct err *e);
void summary_free(struct summary *s);

/* NULL and a message if there is none. */
const struct figure *summary_table(const struct summary *s, const char *name, struct err *e);

/* "int_gap" or "fig9a:backprop:conv_pg".  False and a message if there is no such number. */
bool summary_value(const struct summary *s, const char *name, double *v, struct err *e);

#endif
