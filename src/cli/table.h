/*
 * table.h -- what `smelt list` and its like print: rows of cells.
 *
 * For a script, as soon as there is a row: cells with two blanks between them, whole, no header.
 * On a terminal the rows are kept until the end, and then columns are aligned under their header,
 * those of numbers at the right.  Lines end at the terminal's width: the last column that fits is
 * broken into lines at its blanks, and what is behind it is left out.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "base/base.h"

enum table_kind {
    TABLE_FITTED,  /* to the terminal's width */
    TABLE_WHOLE,   /* as wide as it is */
    TABLE_ALIGNED, /* the same, and no other if it is no terminal: for people alone */
};

struct table {
    u32 width;    /* of the terminal; 0: not a terminal, or nothing is to be left out */
    bool aligned; /* rows are kept, and printed by table_end */
    char **cell;  /* n_row x n_col */
    u32 n_col, n_row;
};

/* `header` is the cells' names with two blanks between them. */
void table_begin(struct table *t, const char *header, enum table_kind kind);

/* As many cells as the header has; NULL is an empty one. */
void table_row(struct table *t, const char *const *cell);
#define TABLE_ROW(t, ...) table_row(t, (const char *const[]){__VA_ARGS__})

void table_end(struct table *t);

#endif
