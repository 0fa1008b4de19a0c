/* figure.c -- see figure.h; pictures are in figure_svg.c */
#include "figure/figure.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/draft.h"

static const char *const kinds[] = {
    [FIGURE_BARS] = "bars",  [FIGURE_STACKED] = "stacked", [FIGURE_LINES] = "lines",
    [FIGURE_BOX] = "box",    [FIGURE_SCATTER] = "scatter", [FIGURE_HEAT] = "heat",
    [FIGURE_TABLE] = "table"};

bool figure_kind_of(const char *name, enum figure_kind *kind, struct err *e)
{
    for (u32 i = 0; i < LEN(kinds); i++) {
        if (strcmp(name, kinds[i]) == 0) {
            *kind = (enum figure_kind)i;
            return true;
        }
    }
    return err_no_such(e, name, kinds, LEN(kinds),
                       "there are bars, stacked, lines, box, scatter, heat and table",
                       "no kind of figure is '%s'", name);
}

void figure_init(struct figure *f, enum figure_kind kind, const char *name, const char *title,
                 const char *unit)
{
    *f = (struct figure){.kind = kind,
                         .name = text_dup(name),
                         .title = text_dup(title ? title : ""),
                         .unit = text_dup(unit ? unit : "")};
}

void figure_free(struct figure *f)
{
    free(f->name);
    free(f->title);
    free(f->unit);
    free(f->doc);
    free(f->x_title);
    for (u32 i = 0; i < f->column.n; i++)
        free(f->column.at[i]);
    for (u32 i = 0; i < f->cell.n; i++)
        free(f->cell.at[i].text);
    VEC_FREE(&f->column);
    VEC_FREE(&f->cell);
}

void figure_column(struct figure *f, const char *name)
{
    assert(f->cell.n == 0);
    *VEC_ADD(&f->column) = text_dup(name);
}

void figure_text(struct figure *f, const char *text)
{
    *VEC_ADD(&f->cell) = (struct figure_cell){text_dup(text), NAN};
}

void figure_number(struct figure *f, double v)
{
    *VEC_ADD(&f->cell) = (struct figure_cell){NULL, isfinite(v) ? v : NAN};
}

u32 figure_rows(const struct figure *f)
{
    assert(f->column.n ? f->cell.n % f->column.n == 0 : f->cell.n == 0);
    return f->column.n ? f->cell.n / f->column.n : 0;
}

u32 figure_series(const struct figure *f)
{
    assert(f->column.n > f->marks);
    return f->column.n - 1 - f->marks;
}

const struct figure_cell *figure_at(const struct figure *f, u32 row, u32 column)
{
    assert(row < figure_rows(f) && column < f->column.n);
    return &f->cell.at[row * f->column.n + column];
}

/* --- what a kind expects ----------------------------------------------------------------------- */

/* A study must not write outside of its folder. */
static bool check_figure_name(const struct figure *f, struct err *e)
{
    static const char may[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t n = strlen(f->name);

    if (n > 0 && n <= 100 && f->name[0] != '.' && strspn(f->name, may) == n)
        return true;
    return err_set(e, "figure '%s': a name has 1 to 100 letters, digits, '-', '_' and '.'",
                   f->name);
}

static bool check_columns(const struct figure *f, struct err *e)
{
    u32 least = f->kind == FIGURE_TABLE ? 1 : 2;

    if (f->column.n < least)
        return err_set(e, "figure '%s': %u columns, but %s needs at least %u", f->name, f->column.n,
                       kinds[f->kind], least);
    if (f->marks > (f->column.n - 1) / 2)
        return err_set(e, "figure '%s': %u marks, but %u columns: each is for a series of its own",
                       f->name, f->marks, f->column.n);
    if (f->n_plain > figure_rows(f))
        return err_set(e, "figure '%s': %u plain rows of %u", f->name, f->n_plain, figure_rows(f));
    return true;
}

static bool check_numbers(const struct figure *f, u32 column, struct err *e)
{
    for (u32 i = 0; i < figure_rows(f); i++) {
        const char *text = figure_at(f, i, column)->text;
        if (text)
            return err_set(e, "figure '%s': '%s' in column '%s', but %s needs numbers", f->name,
                           text, f->column.at[column], kinds[f->kind]);
    }
    return true;
}

/* If names of the points come first, x and y must follow. */
static bool check_scatter(const struct figure *f, struct err *e)
{
    bool named = figure_rows(f) && figure_at(f, 0, 0)->text;
    u32 series = figure_series(f);

    if (named && series < 2)
        return err_set(e, "figure '%s': names of points, but not two columns x and y", f->name);
    for (u32 i = named; i < f->column.n; i++)
        if (!check_numbers(f, i, e))
            return false;
    return true;
}

static bool check_box(const struct figure *f, struct err *e)
{
    static const char *const names[] = {"least", "q1", "median", "q3", "most"};
    u32 series = figure_series(f), found = 0;

    for (u32 i = 0; i < LEN(names) && i < series; i++)
        found += strcmp(f->column.at[i + 1], names[i]) == 0;
    return (series == LEN(names) && found == series) ||
           err_set(e, "figure '%s': box needs columns least, q1, median, q3 and most", f->name);
}

bool figure_check(const struct figure *f, struct err *e)
{
    if (!check_figure_name(f, e) || !check_columns(f, e))
        return false;
    switch (f->kind) {
    case FIGURE_LINES:
        return check_numbers(f, 0, e);
    case FIGURE_SCATTER:
        return check_scatter(f, e);
    case FIGURE_BOX:
        return check_box(f, e);
    default:
        return true;
    }
}

/* --- as text ----------------------------------------------------------------------------------- */

/* Of one below 10. */
static int digits_after_point(double magnitude)
{
    int n = 2;

    for (double one = 0.9995; magnitude < one && n < 6; one /= 10)
        n++;
    return n;
}

const char *figure_show(double v, char *buf, size_t size)
{
    locale_t old = text_c_locale();
    double m = fabs(v);

    buf[0] = 0;
    if (v == floor(v) && m < 1e6)
        snprintf(buf, size, "%.0f", v);
    else if (m < 0.00009995)
        snprintf(buf, size, "%.2e", v);
    else if (!isnan(v))
        snprintf(buf, size, "%.*f", m < 9.95 ? digits_after_point(m) : 1, v);
    uselocale(old);
    return buf;
}

void figure_csv(const struct figure *f, FILE *out)
{
    locale_t old = text_c_locale();

    for (u32 i = 0; i < f->column.n; i++) {
        fputs(i ? "," : "", out);
        csv_put(out, f->column.at[i]);
    }
    fputc('\n', out);
    for (u32 i = 0; i < f->cell.n; i++) {
        const struct figure_cell *c = &f->cell.at[i];
        if (c->text)
            csv_put(out, c->text);
        else if (!isnan(c->number))
            fprintf(out, "%.6g", c->number);
        fputc((i + 1) % f->column.n ? ',' : '\n', out);
    }
    uselocale(old);
}

/* --- as files ---------------------------------------------------------------------------------- */

static bool write_rendered(const struct figure *f, const char *dir, const char *ending,
                           void (*put)(const struct figure *f, FILE *out), struct err *e)
{
    char *text = NULL, *path = text_printf("%s/%s.%s", dir, f->name, ending);
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    if (!out)
        xmalloc(SIZE_MAX); /* ends the program: nothing but memory can be missing */
    put(f, out);
    fclose(out);
    bool ok = draft_write(path, text, len, e);
    free(text);
    free(path);
    return ok;
}

bool figure_write(const struct figure *f, const char *dir, struct err *e)
{
    bool drawn;

    if (!figure_check(f, e) || !write_rendered(f, dir, "csv", figure_csv, e) ||
        !write_rendered(f, dir, "md", figure_markdown, e))
        return false;
    char *path = text_printf("%s/%s.svg", dir, f->name);
    bool ok = figure_svg(f, path, &drawn, e);
    if (ok && !drawn)
        unlink(path); /* of an earlier table */
    free(path);
    return ok;
}
