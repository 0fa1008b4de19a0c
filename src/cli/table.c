/* table.c -- see table.h */
#include "cli/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

enum { GAP = 2, LEAST_WIDTH = 40, USUAL_WIDTH = 80, LEAST_COLUMN = 16, WIDEST_COLUMN = 60 };
enum { MOST_COLUMNS = 32 };

static u32 terminal_width(void)
{
    struct winsize w;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || w.ws_col == 0)
        return USUAL_WIDTH;
    return w.ws_col < LEAST_WIDTH ? LEAST_WIDTH : w.ws_col;
}

static void keep_row(struct table *t, const char *const *cell)
{
    size_t n = (size_t)t->n_row * t->n_col;
    t->cell = xrealloc(t->cell, (n + t->n_col) * sizeof *t->cell);
    for (u32 i = 0; i < t->n_col; i++)
        t->cell[n + i] = text_dup(cell[i] ? cell[i] : "");
    t->n_row++;
}

static void keep_header(struct table *t, const char *header)
{
    const char *cell[MOST_COLUMNS];
    char *copy = text_dup(header), *at = copy;
    for (t->n_col = 0; at; t->n_col++) {
        char *gap = strstr(at, "  ");
        cell[t->n_col] = at;
        if (gap)
            *gap = 0;
        at = gap ? gap + GAP : NULL;
    }
    if (t->aligned)
        keep_row(t, cell);
    free(copy);
}

void table_begin(struct table *t, const char *header, enum table_kind kind)
{
    memset(t, 0, sizeof *t);
    t->aligned = kind == TABLE_ALIGNED || isatty(STDOUT_FILENO);
    t->width = t->aligned && kind == TABLE_FITTED ? terminal_width() : 0;
    keep_header(t, header);
}

void table_row(struct table *t, const char *const *cell)
{
    if (t->aligned) {
        keep_row(t, cell);
        return;
    }
    for (u32 i = 0; i < t->n_col; i++)
        printf("%s%s", i ? "  " : "", cell[i] ? cell[i] : "");
    putchar('\n');
}

struct table_column {
    u32 at, width; /* where it begins; width 0: it is left out */
    bool right;
};

static bool is_number(const char *s)
{
    char *end;

    strtod(s, &end);
    return end != s && !*end;
}

/*
 * Long cells are rare: a column of its own width for all of them would push the next ones off the
 * line.
 */
static struct table_column measure_column(const struct table *t, u32 col)
{
    struct table_column c = {.right = t->n_row > 1};
    for (u32 row = 0; row < t->n_row; row++) {
        const char *cell = t->cell[row * t->n_col + col];
        u32 n = text_chars(cell);
        c.width = n > c.width ? n : c.width;
        c.right = c.right && (!row || !*cell || is_number(cell));
    }
    c.width = c.width > WIDEST_COLUMN ? WIDEST_COLUMN : c.width;
    return c;
}

/* The last one that has room takes what there is. */
static u32 lay_out(const struct table *t, struct table_column *c)
{
    u32 n = 0, at = 0;
    for (u32 i = 0; i < t->n_col; i++) {
        c[i] = measure_column(t, i);
        c[i].at = at;
        u32 least = c[i].width < LEAST_COLUMN ? c[i].width : LEAST_COLUMN;
        if (t->width && i && at + least > t->width)
            break;
        at += c[i].width + GAP;
        n++;
    }
    if (t->width)
        c[n - 1].width = t->width - c[n - 1].at;
    return n;
}

/* Bytes of s, at most `room` characters: up to a blank if there is one. */
static size_t line_part(const char *s, u32 room)
{
    size_t end = 0, blank = 0;
    for (u32 n = 0; s[end] && n < room; n++) {
        blank = s[end] == ' ' ? end : blank;
        for (end++; ((u8)s[end] & 0xc0) == 0x80;)
            end++;
    }
    return !s[end] || s[end] == ' ' || !blank ? end : blank;
}

/* What of a cell stands in one line; *cell moves behind it. */
static void print_part(const char **cell, const struct table_column *c, bool fitted, bool last)
{
    size_t n = fitted ? line_part(*cell, c->width) : strlen(*cell);
    char *part = text_dup_n(*cell, n);
    u32 chars = text_chars(part);
    int blanks = chars < c->width ? (int)(c->width - chars) : 0;
    printf("%*s%s", c->right ? blanks : 0, "", part);
    if (!last)
        printf("%*s", (c->right ? 0 : blanks) + GAP, "");
    *cell += n + strspn(*cell + n, " ");
    free(part);
}

/* Of n columns, in as many lines as the longest cell takes. */
static void print_row(const struct table *t, char *const *cell, const struct table_column *c, u32 n)
{
    const char *rest[MOST_COLUMNS];
    u32 left = n;
    for (u32 i = 0; i < n; i++)
        rest[i] = cell[i];
    while (left) {
        for (u32 i = 0; i < left; i++)
            print_part(&rest[i], &c[i], t->width, i + 1 == left);
        putchar('\n');
        while (left && !*rest[left - 1])
            left--;
    }
}

void table_end(struct table *t)
{
    struct table_column c[MOST_COLUMNS];
    u32 n = t->aligned ? lay_out(t, c) : 0;
    for (u32 row = 0; row < t->n_row; row++)
        print_row(t, t->cell + (size_t)row * t->n_col, c, n);
    for (u32 i = 0; i < t->n_row * t->n_col; i++)
        free(t->cell[i]);
    free(t->cell);
}
