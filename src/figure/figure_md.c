/* figure_md.c -- a figure as a table of Markdown (see figure.h). */
#include <math.h>
#include <string.h>

#include "figure/figure.h"

enum { LEAST_WIDTH = 3, MOST_WIDTH = 50 };

struct md_column {
    u32 width;
    bool right;
};

/* One line, and no '|' that would end the cell.  To be freed. */
static char *md_text(const char *s)
{
    char *text = xmalloc(2 * strlen(s) + 1), *out = text;

    for (; *s; s++) {
        if (*s == '|')
            *out++ = '\\';
        *out++ = *s;
        if (*s == '\n' || *s == '\r')
            out[-1] = ' ';
    }
    *out = 0;
    return text;
}

static char *md_cell(const struct figure_cell *c)
{
    char buf[FIGURE_SHOW];

    return md_text(c->text ? c->text : figure_show(c->number, buf, sizeof(buf)));
}

/* Numbers stand at the right, with a word between them too. */
static bool has_numbers(const struct figure *f, u32 column)
{
    for (u32 i = 0; i < figure_rows(f); i++)
        if (!isnan(figure_at(f, i, column)->number))
            return true;
    return false;
}

static u32 wider(u32 width, char *text)
{
    u32 n = text_chars(text);

    free(text);
    return n > width ? n : width;
}

/*
 * As wide as its widest cell, so that the table can be read as it is; but not as wide as a sentence,
 * behind which nothing need stand in line.
 */
static struct md_column md_column(const struct figure *f, u32 column)
{
    u32 width = wider(LEAST_WIDTH, md_text(f->column.at[column]));

    for (u32 i = 0; i < figure_rows(f); i++)
        width = wider(width, md_cell(figure_at(f, i, column)));
    return (struct md_column){width < MOST_WIDTH ? width : MOST_WIDTH, has_numbers(f, column)};
}

static void md_put(FILE *out, char *text, struct md_column c)
{
    u32 n = text_chars(text);
    int blanks = n < c.width ? (int)(c.width - n) : 0;

    fprintf(out, "| %*s%s%*s ", c.right ? blanks : 0, "", text, c.right ? 0 : blanks, "");
    free(text);
}

static void md_rule(FILE *out, struct md_column c)
{
    fputs("|-", out);
    for (u32 i = 0; i < c.width; i++)
        fputc('-', out);
    fputc(c.right ? ':' : '-', out);
}

void figure_markdown(const struct figure *f, FILE *out)
{
    struct md_column *c = xcalloc(f->column.n, sizeof *c);

    for (u32 i = 0; i < f->column.n; i++)
        c[i] = md_column(f, i);
    for (u32 i = 0; i < f->column.n; i++)
        md_put(out, md_text(f->column.at[i]), c[i]);
    fputs("|\n", out);
    for (u32 i = 0; i < f->column.n; i++)
        md_rule(out, c[i]);
    fputs("|\n", out);
    for (u32 i = 0; i < f->cell.n; i++) {
        u32 column = i % f->column.n;

        md_put(out, md_cell(&f->cell.at[i]), c[column]);
        if (column + 1 == f->column.n)
            fputs("|\n", out);
    }
    free(c);
}
