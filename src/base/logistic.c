/* logistic.c -- see logistic.h */
#include "base/logistic.h"

#include <string.h>

#include "base/conf_dir.h"
#include "base/inifile.h"

/* ---- the file */

struct model_reader {
    struct logistic *m;
    bool has_constant;
};

bool logistic_is_name(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
    return n > 0 && n <= LOGISTIC_NAME && !name[n];
}

static bool take_constant(struct model_reader *r, const struct inifile_line *l, struct err *e)
{
    if (strcmp(l->name, "constant"))
        return err_set(e, "[model] has no '%s'; it has a constant", l->name);
    if (r->has_constant)
        return err_set(e, "constant: set a second time");
    r->has_constant = true;
    return text_parse_real(l->value, &r->m->constant) ||
           err_set(e, "constant: '%s' is not a number", l->value);
}

static bool take_coefficient(struct logistic *m, const struct inifile_line *l, struct err *e)
{
    double v;
    if (!logistic_is_name(l->name))
        return err_set(e, "'%s' is no name of a metric: up to %d letters, digits, '_', '.' and '-'",
                       l->name, LOGISTIC_NAME);
    for (u32 i = 0; i < m->term.n; i++)
        if (strcmp(m->term.at[i].name, l->name) == 0)
            return err_set(e, "%s: set a second time", l->name);
    if (!text_parse_real(l->value, &v))
        return err_set(e, "%s: '%s' is not a number", l->name, l->value);
    *VEC_ADD(&m->term) = (struct logistic_term){text_dup(l->name), v, l->number};
    return true;
}

static bool take_entry(void *user, const struct inifile_line *l, struct err *e)
{
    struct model_reader *r = user;
    if (strcmp(l->section, "model") == 0)
        return take_constant(r, l, e);
    if (strcmp(l->section, "coefficients") == 0)
        return take_coefficient(r->m, l, e);
    if (!l->section[0])
        return err_set(e, "'%s' stands before any heading: [model] or [coefficients]", l->name);
    return err_set(e, "no section [%s]; there are [model] and [coefficients]", l->section);
}

/* `text`: what is in the file; NULL: to be read. */
static bool read_model(struct logistic *m, const char *path, const char *text, struct err *e)
{
    struct model_reader r = {.m = m};
    const struct inifile f = {path, "[section]", take_entry, &r};

    memset(m, 0, sizeof(*m));
    m->path = text_dup(path);
    if ((text ? inifile_parse(&f, text, e) : inifile_read(&f, e)) &&
        (r.has_constant || err_set(e, "%s: has no 'constant = NUMBER' below [model]", path)))
        return true;
    logistic_free(m);
    return false;
}

bool logistic_read(struct logistic *m, const char *path, struct err *e)
{
    return read_model(m, path, NULL, e);
}

bool logistic_parse(struct logistic *m, const char *text, const char *path, struct err *e)
{
    return read_model(m, path, text, e);
}

bool logistic_load(struct logistic *m, const char *name, const char *const *metric, u32 n,
                   struct err *e)
{
    char *path = conf_dir_find("predictor", "predictor", name, e);
    bool ok = path && logistic_read(m, path, e);
    free(path);
    if (!ok || logistic_check(m, metric, n, e))
        return ok;
    logistic_free(m);
    return false;
}

void logistic_free(struct logistic *m)
{
    for (u32 i = 0; i < m->term.n; i++)
        free(m->term.at[i].name);
    VEC_FREE(&m->term);
    free(m->path);
    m->path = NULL;
}

static void put_constant(FILE *f, const char *name, double v)
{
    char buf[TEXT_NUMBER];
    fprintf(f, "%s = %s\n", name, text_show_real(v, buf, sizeof(buf)));
}

void logistic_write(const struct logistic *m, FILE *f)
{
    fputs("[model]\n", f);
    put_constant(f, "constant", m->constant);
    fputs("\n[coefficients]\n", f);
    for (u32 i = 0; i < m->term.n; i++)
        put_constant(f, m->term.at[i].name, m->term.at[i].coefficient);
}

/* ---- its use */

static bool no_metric(const struct logistic *m, const struct logistic_term *t,
                      const char *const *metric, u32 n, struct err *e)
{
    char all[400] = "none";
    size_t used = 0;
    for (u32 i = 0; i < n && used < sizeof(all); i++)
        used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "", metric[i]);
    err_no_such(e, t->name, metric, n, NULL, "no metric '%s'; known: %s", t->name, all);
    return err_at(e, "%s:%u", m->path, t->line);
}

bool logistic_check(const struct logistic *m, const char *const *metric, u32 n, struct err *e)
{
    for (u32 i = 0; i < m->term.n; i++) {
        u32 k = 0;
        while (k < n && strcmp(metric[k], m->term.at[i].name))
            k++;
        if (k == n)
            return no_metric(m, &m->term.at[i], metric, n, e);
    }
    return true;
}

double logistic_find(const struct logistic *m, const char *metric)
{
    for (u32 i = 0; i < m->term.n; i++)
        if (strcmp(m->term.at[i].name, metric) == 0)
            return m->term.at[i].coefficient;
    return 0;
}

double logistic_logit(const struct logistic *m, const char *const *metric, const double *value,
                      u32 n)
{
    double sum = m->constant;
    for (u32 i = 0; i < n; i++)
        sum += logistic_find(m, metric[i]) * value[i];
    return sum;
}
