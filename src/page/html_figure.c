/* html_figure.c -- a figure on a page (html_parts.h): picture, CSV and table */
#include "page/html_parts.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

void html_figure_link(struct html *h, const struct figure *f)
{
    html_put(h, "<li><a href=\"#figure-");
    html_id(h, f->name);
    html_put(h, "\">%s</a> <small>%s</small></li>\n", f->title, f->name);
}

/* What a data: URI may hold as it is; everything else is %XX. */
static void put_uri(struct html *h, const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (isalnum((u8)s[i]) || (s[i] && strchr("-_.~,", s[i])))
            putc(s[i], h->f);
        else
            fprintf(h->f, "%%%02X", (u8)s[i]);
}

static void put_csv_link(struct html *h, const struct figure *f)
{
    char *csv;
    size_t len;
    FILE *to = open_memstream(&csv, &len);
    if (!to)
        xmalloc(SIZE_MAX); /* only memory can be missing: ends the program */
    figure_csv(f, to);
    fclose(to);
    html_put(h, "<p class=\"csv\"><a download=\"%s.csv\" href=\"data:text/csv;charset=utf-8,",
             f->name);
    put_uri(h, csv, len);
    html_put(h, "\">%s.csv</a></p>\n", f->name);
    free(csv);
}

static bool put_picture(struct html *h, const struct figure *f, const char *dir, struct err *e)
{
    char *path = text_printf("%s/%s.svg", dir, f->name);
    bool ok = true;
    if (access(path, F_OK) != 0) {
        html_put(h,
                 "<p class=\"none\">No picture: gnuplot did not work where this was made.</p>\n");
    } else {
        char *svg = text_read_file(path, NULL, e);
        html_put(h, "<div class=\"picture\">\n");
        ok = svg && html_svg(h, svg, f->name, f->title, e);
        html_put(h, "</div>\n");
        free(svg);
    }
    free(path);
    return ok;
}

static void put_table(struct html *h, const struct figure *f)
{
    u32 rows = figure_rows(f);
    html_table(h, f->title);
    for (u32 c = 0; c < f->column.n; c++)
        html_column(h, f->column.at[c]);
    for (u32 r = 0; r < rows; r++) {
        if (r && r == f->n_plain)
            html_foot(h);
        html_row(h);
        for (u32 c = 0; c < f->column.n; c++) {
            const struct figure_cell *cell = figure_at(f, r, c);
            if (cell->text)
                html_cell(h, cell->text);
            else
                html_number(h, cell->number);
        }
    }
    html_table_end(h);
}

bool html_figure(struct html *h, const struct figure *f, const char *dir, struct err *e)
{
    bool table = f->kind == FIGURE_TABLE;
    html_put(h, "<figure id=\"figure-");
    html_id(h, f->name);
    html_put(h, "\">\n<figcaption>\n<h3>%s <small>%s%s%s</small></h3>\n", f->title,
             f->unit ? f->unit : "", f->unit && f->unit[0] ? ", " : "", f->name);
    if (f->doc)
        html_put(h, "<p>%s</p>\n", f->doc);
    html_put(h, "</figcaption>\n");
    if (!table && !put_picture(h, f, dir, e))
        return false;
    if (!table)
        html_put(h, "<details>\n<summary>Table of %s</summary>\n", f->name);
    put_table(h, f);
    if (!table)
        html_put(h, "</details>\n");
    put_csv_link(h, f);
    html_put(h, "</figure>\n");
    return true;
}
