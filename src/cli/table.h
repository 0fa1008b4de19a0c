/*
 * table.h -- what `smelt list` prints: rows of cells.
 *
 * For a script, as soon as there is a row: cells with two blanks between them, whole, no header.
 * On a terminal the rows are kept until the end, then columns are aligned under their header and
 * lines end at the terminal's width; the last column that fits takes what is left of it.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "base/base.h"

struct table {
    u32 width;    /* of the terminal; 0: not a terminal, or nothing is to be cut */
    bool aligned; /* rows are kept, and printed by table_end */
    char **cell;  /* n_row x n_col */
    u32 n_col, n_row;
};

/*
 * `header` is the cells' names with two blanks between them.  `full`: aligned, but nothing is cut.
 */
void table_begin(struct table *t, const char *header, bool full);

/* As many cells as the header has; NULL is an empty one. */
void table_row(struct table *t, const char *const *cell);
#define TABLE_ROW(t, ...) table_row(t, (const char *const[]){__VA_ARGS__})

void table_end(struct table *t);

#endif
