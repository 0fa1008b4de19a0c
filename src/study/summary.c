/* summary.c -- see summary.h */
#include "study/summary.h"

#include <math.h>
#include <string.h>

#include "base/csv.h"

enum { TABLE, ROW, COLUMN, VALUE, N_FIELD };

static const char *const fields[N_FIELD] = {"table", "row", "column", "value"};
static const char numbers[] = "number"; /* in place of a table's name */

/* --- writing --- */

void summary_put_head(FILE *f)
{
    fprintf(f, "%s,%s,%s,%s\n", fields[TABLE], fields[ROW], fields[COLUMN], fields[VALUE]);
}

static void put_number(FILE *f, double v)
{
    char buf[TEXT_NUMBER];

    if (!isnan(v))
        fputs(text_show_real(v, buf, sizeof buf), f);
}

static const char *row_name(const struct figure *t, u32 row, char *buf, size_t size)
{
    const struct figure_cell *c = figure_at(t, row, 0);

    return c->text ? c->text : figure_show(c->number, buf, size);
}

static void put_cell(FILE *f, const struct figure *t, u32 row, u32 column)
{
    char buf[FIGURE_SHOW];
    const struct figure_cell *c = figure_at(t, row, column);

    csv_put(f, t->name), fputc(',', f);
    csv_put(f, row_name(t, row, buf, sizeof buf)), fputc(',', f);
    csv_put(f, t->column.at[column]), fputc(',', f);
    if (c->text)
        csv_put_quoted(f, c->text);
    else
        put_number(f, c->number);
    fputc('\n', f);
}

void summary_put_table(FILE *f, const struct figure *t)
{
    for (u32 i = 0; i < figure_rows(t); i++)
        for (u32 k = 0; k < t->column.n; k++)
            put_cell(f, t, i, k);
}

void summary_put_number(FILE *f, const char *name, double v)
{
    fprintf(f, "%s,", numbers);
    csv_put(f, name), fputs(",,", f);
    put_number(f, v), fputc('\n', f);
}

/* --- reading --- */

struct summary_line {
    char *field[N_FIELD];
    bool quoted; /* the value */
    u32 number, n;
};

struct summary_lines {
    VEC(struct summary_line) line;
};

static void lines_free(struct summary_lines *l)
{
    for (u32 i = 0; i < l->line.n; i++)
        for (u32 k = 0; k < N_FIELD; k++)
            free(l->line.at[i].field[k]);
    VEC_FREE(&l->line);
}

static bool lines_read(struct summary_lines *l, const char *path, const char *text, struct err *e)
{
    struct csv_reader r = {.at = text, .ends = true};
    bool begins = true;

    while (csv_next(&r)) {
        if (begins)
            *VEC_ADD(&l->line) = (struct summary_line){.number = r.line};
        struct summary_line *now = &l->line.at[l->line.n - 1];

        if (now->n < N_FIELD)
            now->field[now->n] = text_dup(r.field), now->quoted = r.quoted;
        now->n++;
        begins = r.ends;
    }
    csv_end(&r);
    return !r.wrong || err_set(e, "%s:%u: %s", path, r.line, r.wrong);
}

static bool is_head(const struct summary_line *l)
{
    for (u32 i = 0; i < N_FIELD; i++)
        if (l->n != N_FIELD || strcmp(l->field[i], fields[i]) != 0)
            return false;
    return true;
}

static bool number_in_line(const struct summary_line *l, double *v, struct err *e)
{
    *v = NAN;
    return !l->field[VALUE][0] || text_parse_real(l->field[VALUE], v) ||
           err_set(e, "'%s' is no number; a text is in quotes", l->field[VALUE]);
}

static bool add_number(struct summary *s, const struct summary_line *l, struct err *e)
{
    double v;

    if (l->quoted || !number_in_line(l, &v, e))
        return err_set(e, "'%s' is no number", l->field[VALUE]);
    *VEC_ADD(&s->number) = (struct summary_number){text_dup(l->field[ROW]), v};
    return true;
}

static bool of_table(const struct summary_line *l, const struct summary_line *end, const char *name)
{
    return l < end && l->n == N_FIELD && strcmp(l->field[TABLE], name) == 0;
}

/* The first row names the columns: up to where the first of them comes again. */
static void add_columns(struct figure *t, const struct summary_line *l,
                        const struct summary_line *end)
{
    const char *first = l->field[COLUMN];

    do
        figure_column(t, l++->field[COLUMN]);
    while (of_table(l, end, t->name) && strcmp(l->field[COLUMN], first) != 0);
}

static bool add_cell(struct figure *t, const struct summary_line *l, struct err *e)
{
    const char *column = t->column.at[t->cell.n % t->column.n];
    double v;

    if (strcmp(column, l->field[COLUMN]) != 0)
        return err_set(e, "column '%s' was expected, not '%s'", column, l->field[COLUMN]);
    if (l->quoted)
        figure_text(t, l->field[VALUE]);
    else if (number_in_line(l, &v, e))
        figure_number(t, v);
    else
        return false;
    return true;
}

/* Lines of one table; *l moves behind them, or stays where it is wrong. */
static bool add_table(struct summary *s, const struct summary_line **l,
                      const struct summary_line *end, struct err *e)
{
    struct figure *t = VEC_ADD(&s->table);

    figure_init(t, FIGURE_TABLE, (*l)->field[TABLE], "", "");
    add_columns(t, *l, end);
    for (; of_table(*l, end, t->name); ++*l)
        if (!add_cell(t, *l, e))
            return false;
    if (t->cell.n % t->column.n == 0)
        return true;
    --*l;
    return err_set(e, "the last row of table '%s' is not whole", t->name);
}

static bool add_lines(struct summary *s, const struct summary_line **l,
                      const struct summary_line *end, struct err *e)
{
    while (*l < end) {
        if ((*l)->n != N_FIELD)
            return err_set(e, "%u fields, not table,row,column,value", (*l)->n);
        if (strcmp((*l)->field[TABLE], numbers) != 0) {
            if (!add_table(s, l, end, e))
                return false;
            continue;
        }
        if (!add_number(s, *l, e))
            return false;
        ++*l;
    }
    return true;
}

static bool read_summary(struct summary *s, const char *path, const char *text, struct err *e)
{
    struct summary_lines l = {0};
    bool ok = lines_read(&l, path, text, e);
    const struct summary_line *at = l.line.at, *end = at + l.line.n;

    if (ok && (at == end || !is_head(at)))
        ok = err_set(e, "%s:1: the first line is not table,row,column,value", path);
    else if (ok && !add_lines(s, (at++, &at), end, e))
        ok = err_at(e, "%s:%u", path, at->number);
    lines_free(&l);
    return ok;
}

bool summary_read(struct summary *s, const char *path, struct err *e)
{
    char *text = text_read_file(path, NULL, e);

    *s = (struct summary){0};
    bool ok = text && read_summary(s, path, text, e);

    if (!ok)
        summary_free(s);
    free(text);
    return ok;
}

void summary_free(struct summary *s)
{
    for (u32 i = 0; i < s->table.n; i++)
        figure_free(&s->table.at[i]);
    for (u32 i = 0; i < s->number.n; i++)
        free(s->number.at[i].name);
    VEC_FREE(&s->table);
    VEC_FREE(&s->number);
}

/* --- looking up --- */

const struct figure *summary_table(const struct summary *s, const char *name, struct err *e)
{
    const char **names = xcalloc(s->table.n, sizeof *names);
    const struct figure *found = NULL;

    for (u32 i = 0; i < s->table.n; i++) {
        names[i] = s->table.at[i].name;
        if (strcmp(names[i], name) == 0)
            found = &s->table.at[i];
    }
    if (!found)
        err_no_such(e, name, names, s->table.n, NULL, "no table '%s'", name);
    free(names);
    return found;
}

static bool find_column(const struct figure *t, const char *name, u32 *at, struct err *e)
{
    for (*at = 0; *at < t->column.n; ++*at)
        if (strcmp(t->column.at[*at], name) == 0)
            return true;
    return err_no_such(e, name, (const char *const *)t->column.at, t->column.n, NULL,
                       "table '%s' has no column '%s'", t->name, name);
}

static bool find_row(const struct figure *t, const char *name, u32 *at, struct err *e)
{
    char buf[FIGURE_SHOW];
    u32 found = 0;

    for (u32 i = 0; i < figure_rows(t); i++)
        if (strcmp(row_name(t, i, buf, sizeof buf), name) == 0)
            *at = i, found++;
    if (found > 1)
        return err_set(e, "table '%s' has %u rows '%s'", t->name, found, name);
    return found || err_set(e, "table '%s' has no row '%s'", t->name, name);
}

/* A row may have a ':' in its name, a table and a column not. */
static bool cell_named(const struct summary *s, char *table, double *v, struct err *e)
{
    char *row = strchr(table, ':'), *column = strrchr(table, ':');
    u32 i = 0, k = 0;

    if (row == column)
        return err_set(e, "'%s' is neither a number's name nor table:row:column", table);
    *row++ = 0, *column++ = 0;
    const struct figure *t = summary_table(s, table, e);

    if (!t || !find_row(t, row, &i, e) || !find_column(t, column, &k, e))
        return false;
    *v = figure_at(t, i, k)->number;
    if (figure_at(t, i, k)->text || isnan(*v))
        return err_set(e, "%s:%s:%s is no number", table, row, column);
    return true;
}

static bool number_named(const struct summary *s, const char *name, double *v, struct err *e)
{
    const char **names = xcalloc(s->number.n, sizeof *names);
    bool found = false;

    for (u32 i = 0; i < s->number.n; i++) {
        names[i] = s->number.at[i].name;
        if (strcmp(names[i], name) == 0)
            found = true, *v = s->number.at[i].value;
    }
    if (!found)
        err_no_such(e, name, names, s->number.n, NULL, "no number '%s'", name);
    else if (isnan(*v))
        found = err_set(e, "number '%s' has no value", name);
    free(names);
    return found;
}

bool summary_value(const struct summary *s, const char *name, double *v, struct err *e)
{
    if (!strchr(name, ':'))
        return number_named(s, name, v, e);
    char *copy = text_dup(name);
    bool ok = cell_named(s, copy, v, e);

    free(copy);
    return ok;
}
