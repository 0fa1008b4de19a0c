/* fit.c -- see fit.h */
#include "study/fit.h"

#include <linear.h>
#include <math.h>
#include <string.h>

#define NOBODY UINT32_MAX /* no group is left out */

struct without { /* groups that are left out */
    u32 a, b;
};

/* Of the gradient, of that of the empty model: liblinear ends where a step gains nothing, at 8 digits. */
static const double tolerance = 1e-12;

/* ---- rows in standard deviations */

static bool is_out(const struct samples *s, u32 row, struct without out)
{
    return s->row.at[row].group == out.a || s->row.at[row].group == out.b;
}

/* Of metric `at` in the rows of all groups but those. */
static struct fit_metric measure_metric(const struct samples *s, u32 at, struct without out)
{
    struct fit_metric m = {0};
    u32 n = 0;
    for (u32 i = 0; i < s->row.n; i++)
        if (!is_out(s, i, out))
            m.mean += samples_values(s, i)[at], n++;
    m.mean /= n;
    for (u32 i = 0; i < s->row.n; i++)
        if (!is_out(s, i, out))
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

static struct problem make_problem(const struct samples *s, const struct fit_metric *m,
                                   struct without out)
{
    u32 width = s->metric.n + 2;
    struct problem p = {.n = (int)s->metric.n + 1, .bias = 1};
    p.y = xcalloc(s->row.n, sizeof(*p.y));
    p.x = xcalloc(s->row.n, sizeof(*p.x));
    struct feature_node *node = xcalloc((size_t)s->row.n * width, sizeof(*node));
    p.x[0] = node;
    for (u32 i = 0; i < s->row.n; i++) {
        if (is_out(s, i, out))
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

/* Weights of standardised metrics, and the constant.  If the rows have one label alone, that is the answer. */
static void fit_weights(double *w, const struct samples *s, const struct fit_metric *m,
                        struct without out, double cost)
{
    const struct parameter how = {.solver_type = L2R_LR, .eps = tolerance, .C = cost};
    struct problem p = make_problem(s, m, out);

    memset(w, 0, (s->metric.n + 1) * sizeof(*w));
    set_print_string_function(say_nothing);
    struct model *got = train(&p, &how);
    if (got->nr_class == 2)
        for (u32 k = 0; k <= s->metric.n; k++)
            w[k] = got->label[0] * got->w[k];
    else
        w[s->metric.n] = got->label[0];
    free_and_destroy_model(&got);
    free_problem(&p);
}

/* All but the `most` of the largest weights count as such that never change; of equal ones the first stay. */
static void drop_metrics(struct fit_metric *m, const double *w, u32 n, u32 most)
{
    for (u32 k = 0; k < n; k++) {
        u32 before = 0;

        for (u32 i = 0; i < n; i++)
            before += fabs(w[i]) > fabs(w[k]) || (i < k && fabs(w[i]) == fabs(w[k]));
        m[k].deviation = before < most ? m[k].deviation : 0;
    }
}

static struct logistic fit_model(const struct samples *s, const struct fit_metric *metric,
                                 struct without out, const struct fit_how *how)
{
    u32 n = s->metric.n;
    double *w = xcalloc(n + 1, sizeof(*w));
    struct fit_metric *m = xcalloc(n, sizeof(*m));

    memcpy(m, metric, n * sizeof(*m));
    fit_weights(w, s, m, out, how->cost);
    if (how->most && how->most < n) {
        drop_metrics(m, w, n, how->most);
        fit_weights(w, s, m, out, how->cost);
    }
    struct logistic model = carry_back(s, m, w);
    free(m), free(w);
    return model;
}

static struct fit_metric *measure_metrics(const struct samples *s, struct without out)
{
    struct fit_metric *m = xcalloc(s->metric.n, sizeof(*m));
    for (u32 k = 0; k < s->metric.n; k++)
        m[k] = measure_metric(s, k, out);
    return m;
}

static bool predict_row(const struct logistic *m, const struct samples *s, u32 row)
{
    return logistic_logit(m, (const char *const *)s->metric.at, samples_values(s, row),
                          s->metric.n) > 0;
}

/* ---- how */

static const double costs[] = {0.001, 0.01, 0.1, 1, 10};
static const u32 mosts[] = {1, 2, 3, 5, 0};

/* Rows of group g that are answered rightly by a model without it. */
static u32 right_without(const struct samples *s, struct without out, u32 g,
                         const struct fit_how *how, u32 answers[2][2])
{
    struct fit_metric *metric = measure_metrics(s, out);
    struct logistic model = fit_model(s, metric, out, how);
    u32 right = 0;

    for (u32 i = 0; i < s->row.n; i++) {
        bool label = s->row.at[i].label;

        if (s->row.at[i].group != g)
            continue;
        bool got = predict_row(&model, s, i);
        right += got == label;
        if (answers)
            answers[label][got]++;
    }
    logistic_free(&model);
    free(metric);
    return right;
}

/* Without group `out`. */
static struct fit_how choose_how(const struct samples *s, u32 out)
{
    struct fit_how best = {costs[0], mosts[0]};
    u32 most = 0;

    for (u32 i = 0; i < LEN(mosts) * LEN(costs); i++) {
        const struct fit_how how = {costs[i % LEN(costs)], mosts[i / LEN(costs)]};
        u32 right = 0;

        if (how.most >= s->metric.n)
            continue;
        for (u32 g = 0; g < s->group.n; g++)
            right += g == out ? 0 : right_without(s, (struct without){out, g}, g, &how, NULL);
        if (right > most)
            most = right, best = how;
    }
    return best;
}

static bool can_choose(const struct samples *s)
{
    return s->group.n > 2;
}

/* ---- all of it */

static void leave_out(struct fit *f, const struct samples *s, u32 group, const struct fit_how *how)
{
    const struct fit_how own = how->cost ? *how : choose_how(s, group);

    f->right_of[group] = right_without(s, (struct without){group, NOBODY}, group, &own, f->answers);
    for (u32 i = 0; i < s->row.n; i++)
        f->rows_of[group] += s->row.at[i].group == group;
}

void fit_samples(struct fit *f, const struct samples *s, const struct fit_how *how)
{
    const struct without nobody = {NOBODY, NOBODY};
    struct fit_how given = *how;

    if (!given.cost && !can_choose(s))
        given.cost = 1;
    memset(f, 0, sizeof(*f));
    f->how = given.cost ? given : choose_how(s, NOBODY);
    f->metric = measure_metrics(s, nobody);
    f->model = fit_model(s, f->metric, nobody, &f->how);
    for (u32 i = 0; i < s->row.n; i++)
        f->right += predict_row(&f->model, s, i) == s->row.at[i].label;
    if (s->group.n < 2)
        return;
    f->right_of = xcalloc(s->group.n, sizeof(u32));
    f->rows_of = xcalloc(s->group.n, sizeof(u32));
    for (u32 g = 0; g < s->group.n; g++)
        leave_out(f, s, g, &given);
}

void fit_free(struct fit *f)
{
    logistic_free(&f->model);
    free(f->metric);
    free(f->right_of), free(f->rows_of);
}
