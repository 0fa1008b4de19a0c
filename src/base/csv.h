/*
 * csv.h -- comma-separated values (RFC 4180), a field at a time.
 *
 *     csv_put(f, "a, b"), fputc(',', f), csv_put(f, "c");               "a, b",c
 *
 *     struct csv_reader r = {text};
 *     while (csv_next(&r))                                              r.field, r.quoted, r.line
 *         ..                                                            r.ends: the last of its row
 *     if (r.wrong) ..                                                   what, in r.line
 *     csv_end(&r);
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdio.h>

#include "base/base.h"

void csv_put(FILE *f, const char *s);        /* in quotes if it has to be */
void csv_put_quoted(FILE *f, const char *s); /* in quotes */

struct csv_reader {
    const char *at; /* zero-terminated; what is to come */
    char *field;    /* until the next call */
    u32 line;       /* where it begins, counted from 1 */
    bool quoted, ends;
    const char *wrong; /* or NULL */
    u32 next_line;
};

bool csv_next(struct csv_reader *r);
void csv_end(struct csv_reader *r);

#endif
