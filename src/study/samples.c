/* samples.c -- see samples.h */
#include "study/samples.h"

#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/logistic.h"

/* Squares of values are summed up, in double precision. */
#define VALUE_MAX 1e100

enum { IS_METRIC, IS_GROUP, IS_LABEL };

struct column {
    int is;
    char *name;
};

struct samples_reader {
    struct samples *s;
    struct csv_reader csv;
    const char *name[3]; /* of the column, by what it is; NULL: metrics have their own */
    VEC(struct column) column;
    struct sample row; /* being read */
};

/* ---- the header */

static bool take_column(struct samples_reader *r, char *name, struct err *e)
{
    int is = IS_METRIC;
    for (int k = IS_GROUP; k <= IS_LABEL; k++)
        if (strcmp(name, r->name[k]) == 0)
            is = k;
    for (u32 i = 0; i < r->column.n; i++)
        if (strcmp(r->column.at[i].name, name) == 0)
            return err_set(e, "column '%s' is there a second time", name);
    if (is == IS_METRIC && !logistic_is_name(name))
        return err_set(e,
                       "column '%s' is no name of a metric: up to %d letters, digits, '_', '.' "
                       "and '-'",
                       name, LOGISTIC_NAME);
    if (is == IS_METRIC)
        *VEC_ADD(&r->s->metric) = text_dup(name);
    *VEC_ADD(&r->column) = (struct column){is, text_dup(name)};
    return true;
}

static bool has_column(const struct samples_reader *r, int is, struct err *e)
{
    const char **names = xcalloc(r->column.n, sizeof(*names));
    bool found = false;
    for (u32 i = 0; i < r->column.n; i++) {
        names[i] = r->column.at[i].name;
        found |= r->column.at[i].is == is;
    }
    if (!found)
        err_no_such(e, r->name[is], names, r->column.n,
                    is == IS_GROUP ? "--group names another" : "--label names another",
                    "no column '%s'", r->name[is]);
    free(names);
    return found;
}

static bool read_header(struct samples_reader *r, struct err *e)
{
    bool more = true;
    while (more && csv_next(&r->csv)) {
        if (!take_column(r, text_trim(r->csv.field), e))
            return false;
        more = !r->csv.ends;
    }
    if (r->csv.wrong)
        return err_set(e, "%s", r->csv.wrong);
    return has_column(r, IS_GROUP, e) && has_column(r, IS_LABEL, e) &&
           (r->s->metric.n || err_set(e, "no column besides '%s' and '%s': metrics are needed",
                                      r->name[IS_GROUP], r->name[IS_LABEL]));
}

/* ---- rows */

static bool take_group(struct samples_reader *r, const char *text, struct err *e)
{
    struct samples *s = r->s;
    if (!text[0])
        return err_set(e, "is empty");
    for (r->row.group = 0; r->row.group < s->group.n; r->row.group++)
        if (strcmp(s->group.at[r->row.group], text) == 0)
            return true;
    *VEC_ADD(&s->group) = text_dup(text);
    return true;
}

static bool take_label(struct samples_reader *r, const char *text, struct err *e)
{
    if (strcmp(text, "0") && strcmp(text, "1"))
        return err_set(e, "'%s' is neither 0 nor 1", text);
    r->row.label = text[0] == '1';
    return true;
}

static bool take_value(struct samples_reader *r, const char *text, struct err *e)
{
    double v;
    if (!text_parse_real(text, &v))
        return err_set(e, "'%s' is not a number", text);
    if (fabs(v) > VALUE_MAX)
        return err_set(e, "%s is outside -1e100..1e100", text);
    *VEC_ADD(&r->s->value) = v;
    return true;
}

static bool take_field(struct samples_reader *r, u32 col, struct err *e)
{
    static bool (*const take[])(struct samples_reader *, const char *, struct err *) = {
        [IS_METRIC] = take_value, [IS_GROUP] = take_group, [IS_LABEL] = take_label};
    const struct column *c = &r->column.at[col];
    return take[c->is](r, text_trim(r->csv.field), e) || err_at(e, "%s", c->name);
}

static bool read_rows(struct samples_reader *r, struct err *e)
{
    u32 col = 0;
    while (csv_next(&r->csv)) {
        if (!col && r->csv.ends && !r->csv.field[0])
            continue; /* an empty line */
        if (col < r->column.n && !take_field(r, col, e))
            return false;
        col++;
        if (!r->csv.ends)
            continue;
        if (col != r->column.n)
            return err_set(e, "%u field%s, the header has %u", col, col == 1 ? "" : "s",
                           r->column.n);
        *VEC_ADD(&r->s->row) = r->row;
        r->s->n_label += r->row.label;
        col = 0;
    }
    return !r->csv.wrong || err_set(e, "%s", r->csv.wrong);
}

/* ---- the file */

static bool has_both_labels(const struct samples *s, const char *label, struct err *e)
{
    if (!s->row.n)
        return err_set(e, "no rows below the header");
    if (s->n_label && s->n_label < s->row.n)
        return true;
    return err_set(e, "%s is %d in all %u rows: there is nothing to tell apart", label,
                   s->n_label > 0, s->row.n);
}

static bool read_samples(struct samples_reader *r, const char *path, struct err *e)
{
    if (!r->csv.at[strspn(r->csv.at, " \t\r\n")])
        return err_set(e, "%s: is empty; a header with %s, %s and metrics was expected", path,
                       r->name[IS_GROUP], r->name[IS_LABEL]);
    if (!read_header(r, e) || !read_rows(r, e))
        return err_at(e, "%s:%u", path, r->csv.line);
    return has_both_labels(r->s, r->name[IS_LABEL], e) || err_at(e, "%s", path);
}

bool samples_read(struct samples *s, const char *path, const char *group, const char *label,
                  struct err *e)
{
    size_t len;
    char *text = text_read_file(path, &len, e);
    if (!text)
        return false;
    struct samples_reader r = {.s = s, .csv = {.at = text}, .name = {NULL, group, label}};
    memset(s, 0, sizeof(*s));
    bool ok = strlen(text) == len ? read_samples(&r, path, e)
                                  : err_set(e, "%s: is not text: it has a zero byte", path);
    for (u32 i = 0; i < r.column.n; i++)
        free(r.column.at[i].name);
    VEC_FREE(&r.column);
    csv_end(&r.csv);
    free(text);
    if (!ok)
        samples_free(s);
    return ok;
}

void samples_free(struct samples *s)
{
    for (u32 i = 0; i < s->metric.n; i++)
        free(s->metric.at[i]);
    for (u32 i = 0; i < s->group.n; i++)
        free(s->group.at[i]);
    VEC_FREE(&s->metric), VEC_FREE(&s->group);
    VEC_FREE(&s->row), VEC_FREE(&s->value);
}
