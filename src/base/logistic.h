/*
 * logistic.h -- a binary logistic regression as a file of coefficients.
 *
 *     # What it was fitted to.
 *     [model]
 *     constant = -73.635
 *     [coefficients]
 *     ctas = 1.414
 *     divergence = 444.628
 *
 * Its answer is yes if the logit, the constant and the sum of coefficients times metrics, is above 0;
 * 1 / (1 + exp(-logit)) is the probability.  `smelt train` fits one; those that come with smelt are
 * conf/predictor/NAME.conf.  A mechanism has one by a key of the kind FILE (sheet.h):
 *
 *     KEY_FILE(predictor, "paper", "predictor", "..")                          in its sheet
 *
 *     static const char *const metric[N] = {"ctas", "divergence"};
 *     logistic_load(&k->model, k->c.predictor, metric, N, e)                   in load()
 *     logistic_logit(&k->model, metric, value, N) > 0                          in a hook
 *     logistic_free(&k->model)                                                 in unload()
 *
 * A coefficient whose metric the caller does not have is an error: its term would be missing.  A
 * metric without a coefficient counts with 0: the model does not look at it.
 */
#ifndef BASE_LOGISTIC_H
#define BASE_LOGISTIC_H

#include <stdio.h>

#include "base/base.h"
#include "base/err.h"
#include "base/text.h"

enum { LOGISTIC_NAME = 64 }; /* characters of a metric's name, at most */

struct logistic_term {
    char *name; /* of its metric */
    double coefficient;
    u32 line; /* that says it */
};

struct logistic {
    char *path; /* of its file, for messages */
    double constant;
    VEC(struct logistic_term) term;
};

/*
 * By name (conf/predictor/NAME.conf) or path, and checked: all of it, as a mechanism does.  Each of
 * these leaves nothing to free if it fails.
 */
bool logistic_load(struct logistic *m, const char *name, const char *const *metric, u32 n,
                   struct err *e);
bool logistic_read(struct logistic *m, const char *path, struct err *e);
bool logistic_parse(struct logistic *m, const char *text, const char *path, struct err *e);
void logistic_free(struct logistic *m);

/* Are all its metrics among these?  "x.conf:7: no metric 'divergance'; known: ctas, divergence" */
bool logistic_check(const struct logistic *m, const char *const *metric, u32 n, struct err *e);

double logistic_find(const struct logistic *m, const char *metric); /* its coefficient, or 0 */
double logistic_logit(const struct logistic *m, const char *const *metric, const double *value,
                      u32 n);

/* Letters, digits, '_', '.' and '-', LOGISTIC_NAME of them at most: a name that such a file can hold. */
bool logistic_is_name(const char *name);

/* What logistic_read reads, without comments. */
void logistic_write(const struct logistic *m, FILE *f);

#endif
