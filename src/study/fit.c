/* fit.c -- see fit.h */
#include "study/fit.h"

#include <linear.h>
#include <math.h>
#include <string.h>

#define NOBODY UINT32_MAX /* no group is left out */

/* Of the gradient, of that of the empty model: liblinear ends where a step gains nothing, at 8 digits. */
static const double tolerance = 1e-12;

/* ---- rows in standard deviations */

/* Of metric `at` in the rows of all groups but one. */
static struct fit_metric measure_metric(const struct samples *s, u32 at, u32 without)
{
    struct fit_metric m = {0};
    u32 n = 0;
    for (u32 i = 0; i < s->row.n; i++)
        if (s->row.at[i].group != without)
            m.mean += samples_values(s, i)[at], n++;
    m.mean /= n;
    for (u32 i = 0; i < s->row.n; i++)
        if (s->row.at[i].group != without)
            m.deviation += pow(samples_values(s, i)[at] - m.mean, 2);
    m.deviation = sqrt(m.deviation / n);
    return m;
}

/* Rounding may leave a value that never changes a little beside its mean. */
static bool never_changes(const struct fit_metric *m)
{
    return !(m->deviation > 1e-12 * fabs(m->mean));
}

/* liblinear's: all metrics, the 1 that the constant is the weight of, and the end. */
static void put_row(struct feature_node *to, const struct samples *s, const struct fit_metric *m,
                    u32 row)
{
    u32 n = s->metric.n;
    for (u32 k = 0; k < n; k++) {
        double off = samples_values(s, row)[k] - m[k].mean;
        to[k] = (struct feature_node){(int)k + 1, never_changes(&m[k]) ? 0 : off / m[k].deviation};
    }
    to[n] = (struct feature_node){(int)n + 1, 1};
    to[n + 1] = (struct feature_node){-1, 0};
}

static struct problem make_problem(const struct samples *s, const struct fit_metric *m, u32 without)
{
    u32 width = s->metric.n + 2;
    struct problem p = {.n = (int)s->metric.n + 1, .bias = 1};
    p.y = xcalloc(s->row.n, sizeof(*p.y));
    p.x = xcalloc(s->row.n, sizeof(*p.x));
    struct feature_node *node = xcalloc((size_t)s->row.n * width, sizeof(*node));
    p.x[0] = node;
    for (u32 i = 0; i < s->row.n; i++) {
        if (s->row.at[i].group == without)
            continue;
        p.y[p.l] = s->row.at[i].label ? 1 : -1;
        p.x[p.l] = node + (size_t)p.l * width;
        put_row(p.x[p.l++], s, m, i);
    }
    return p;
}

static void free_problem(struct problem *p)
{
    free(p->x[0]);
    free(p->x), free(p->y);
}

/* ---- the model */

static double rounded(double v)
{
    char buf[TEXT_NUMBER];
    locale_t old = text_c_locale();
    snprintf(buf, sizeof(buf), "%.*g", FIT_DIGITS, v);
    v = strtod(buf, NULL);
    uselocale(old);
    return v;
}

/* From the weights of standardised metrics, of which the last is the constant. */
static struct logistic carry_back(const struct samples *s, const struct fit_metric *m,
                                  const double *w)
{
    struct logistic model = {.constant = w[s->metric.n]};
    for (u32 k = 0; k < s->metric.n; k++) {
        double c = never_changes(&m[k]) ? 0 : rounded(w[k] / m[k].deviation);
        model.constant -= c * m[k].mean;
        *VEC_ADD(&model.term) = (struct logistic_term){text_dup(s->metric.at[k]), c, 0};
    }
    model.constant = rounded(model.constant);
    return model;
}

static void say_nothing(const char *text)
{
    (void)text;
}

/* If the rows have one label alone, that is the answer. */
static struct logistic fit_model(const struct samples *s, const struct fit_metric *m, u32 without,
                                 double cost)
{
    const struct parameter how = {.solver_type = L2R_LR, .eps = tolerance, .C = cost};
    struct problem p = make_problem(s, m, without);
    double *w = xcalloc(s->metric.n + 1, sizeof(*w));

    set_print_string_function(say_nothing);
    struct model *got = train(&p, &how);
    if (got->nr_class == 2)
        for (u32 k = 0; k <= s->metric.n; k++)
            w[k] = got->label[0] * got->w[k];
    else
        w[s->metric.n] = got->label[0];
    struct logistic model = carry_back(s, m, w);
    free_and_destroy_model(&got);
    free_problem(&p);
    free(w);
    return model;
}

static struct fit_metric *measure_metrics(const struct samples *s, u32 without)
{
    struct fit_metric *m = xcalloc(s->metric.n, sizeof(*m));
    for (u32 k = 0; k < s->metric.n; k++)
        m[k] = measure_metric(s, k, without);
    return m;
}

static bool predict_row(const struct logistic *m, const struct samples *s, u32 row)
{
    return logistic_logit(m, (const char *const *)s->metric.at, samples_values(s, row),
                          s->metric.n) > 0;
}

/* ---- all of it */

static void leave_out(struct fit *f, const struct samples *s, u32 group, double cost)
{
    struct fit_metric *metric = measure_metrics(s, group);
    struct logistic model = fit_model(s, metric, group, cost);
    for (u32 i = 0; i < s->row.n; i++) {
        const struct sample *row = &s->row.at[i];
        if (row->group != group)
            continue;
        bool got = predict_row(&model, s, i);
        f->answers[row->label][got]++;
        f->right_of[group] += got == row->label;
        f->rows_of[group]++;
    }
    logistic_free(&model);
    free(metric);
}

void fit_samples(struct fit *f, const struct samples *s, double cost)
{
    memset(f, 0, sizeof(*f));
    f->metric = measure_metrics(s, NOBODY);
    f->model = fit_model(s, f->metric, NOBODY, cost);
    for (u32 i = 0; i < s->row.n; i++)
        f->right += predict_row(&f->model, s, i) == s->row.at[i].label;
    if (s->group.n < 2)
        return;
    f->right_of = xcalloc(s->group.n, sizeof(u32));
    f->rows_of = xcalloc(s->group.n, sizeof(u32));
    for (u32 g = 0; g < s->group.n; g++)
        leave_out(f, s, g, cost);
}

void fit_free(struct fit *f)
{
    logistic_free(&f->model);
    free(f->metric);
    free(f->right_of), free(f->rows_of);
}
