/* table.c -- see table.h */
#include "cli/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

enum { GAP = 2, LEAST_WIDTH = 40, USUAL_WIDTH = 80, WIDEST_COLUMN = 60 };

static u32 terminal_width(void)
{
    struct winsize w;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || w.ws_col == 0)
        return USUAL_WIDTH;
    return w.ws_col < LEAST_WIDTH ? LEAST_WIDTH : w.ws_col;
}

static void keep(struct table *t, const char *const *cell)
{
    size_t n = (size_t)t->n_row * t->n_col;
    t->cell = xrealloc(t->cell, (n + t->n_col) * sizeof *t->cell);
    for (u32 i = 0; i < t->n_col; i++)
        t->cell[n + i] = text_dup(cell[i] ? cell[i] : "");
    t->n_row++;
}

static void keep_header(struct table *t, const char *header)
{
    const char *cell[32];
    char *copy = text_dup(header), *at = copy;
    for (t->n_col = 0; at; t->n_col++) {
        char *gap = strstr(at, "  ");
        cell[t->n_col] = at;
        if (gap)
            *gap = 0;
        at = gap ? gap + GAP : NULL;
    }
    if (t->aligned)
        keep(t, cell);
    free(copy);
}

void table_begin(struct table *t, const char *header, bool full)
{
    memset(t, 0, sizeof *t);
    t->aligned = isatty(STDOUT_FILENO);
    t->width = t->aligned && !full ? terminal_width() : 0;
    keep_header(t, header);
}

void table_row(struct table *t, const char *const *cell)
{
    if (t->aligned) {
        keep(t, cell);
        return;
    }
    for (u32 i = 0; i < t->n_col; i++)
        printf("%s%s", i ? "  " : "", cell[i] ? cell[i] : "");
    putchar('\n');
}

/*
 * Long cells are rare: a column of its own width for all of them would push the next ones off the
 * line.
 */
static u32 column_width(const struct table *t, u32 col)
{
    u32 most = 0;
    for (u32 row = 0; row < t->n_row; row++) {
        u32 n = (u32)strlen(t->cell[row * t->n_col + col]);
        if (n > most)
            most = n;
    }
    return most > WIDEST_COLUMN ? WIDEST_COLUMN : most;
}

/* Bytes of s that are whole characters of UTF-8 and at most n. */
static int whole(const char *s, u32 n)
{
    if (strlen(s) <= n)
        return (int)strlen(s);
    while (n && ((unsigned char)s[n] & 0xC0) == 0x80)
        n--;
    return (int)n;
}

static void print_row(const struct table *t, char *const *cell, const u32 *width)
{
    u32 at = 0;
    for (u32 i = 0; i < t->n_col; i++) {
        bool last = i + 1 == t->n_col || (t->width && at + width[i] + GAP >= t->width);
        u32 room = t->width ? t->width - at : (u32)strlen(cell[i]);
        int n = whole(cell[i], last ? room : (u32)strlen(cell[i]));
        if (last) {
            printf("%.*s", n, cell[i]);
            break;
        }
        at += (u32)printf("%-*.*s", (int)(width[i] + GAP), n, cell[i]);
        if (t->width && at >= t->width)
            break;
    }
    putchar('\n');
}

void table_end(struct table *t)
{
    u32 width[32];
    for (u32 i = 0; i < t->n_col && t->aligned; i++)
        width[i] = column_width(t, i);
    for (u32 row = 0; row < t->n_row; row++)
        print_row(t, t->cell + (size_t)row * t->n_col, width);
    for (u32 i = 0; i < t->n_row * t->n_col; i++)
        free(t->cell[i]);
    free(t->cell);
}
