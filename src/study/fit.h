/*
 * fit.h -- a logistic regression (base/logistic.h) fitted to samples, and how often it is right.
 *
 * Least of w.w / 2 + COST x the sum over rows of log(1 + exp(-y logit)), y being 1 or -1, by liblinear's
 * L2R_LR, a trust-region Newton method.  It is fitted to metrics less their mean, in standard
 * deviations, so that the penalty does not depend on units, and carried back: coefficients are for
 * the metrics as they are in the file.  A metric that never changes has the coefficient 0.  The
 * constant of the standardised model is penalised too, as liblinear does it (its `-B 1`).
 *
 * How strong the penalty is, and how many metrics there are, is given, or chosen among a few of each: what
 * answers most rows rightly, those of each group by a model of the others; of equal ones fewer metrics,
 * then the stronger penalty.  For a group that is left out it is chosen without it (the groups that it is chosen
 * by are the others), so that what is said of groups left out is of models that know nothing of them.  Fewer
 * metrics are those of the largest weights when all are there.
 *
 * Coefficients have FIT_DIGITS digits, and answers are those of the model with these digits: a file of
 * them is right as often as it is said here.
 *
 * Nothing is random: of liblinear's solvers this one does not call rand().  BLAS, which liblinear uses,
 * differs between hosts in the last bits, of which FIT_DIGITS leave out most.
 */
#ifndef STUDY_FIT_H
#define STUDY_FIT_H

#include "base/logistic.h"
#include "study/samples.h"

enum { FIT_DIGITS = 10 };

struct fit_metric { /* in all rows */
    double mean, deviation;
};

struct fit_how {
    double cost; /* COST; 0: to be chosen */
    u32 most;    /* metrics, at most; 0: all */
};

struct fit {
    struct fit_how how;        /* of the model */
    struct logistic model;     /* a term for each metric, in their order */
    struct fit_metric *metric; /* for each */
    u32 right;                 /* rows that it answers rightly, of those it was fitted to */
    /*
     * Leave one group out: the rows of each answered by a model that was fitted to those of all
     * others.  right_of is NULL if there is one group alone.
     */
    u32 *right_of, *rows_of;
    u32 answers[2][2]; /* rows by label and by answer */
};

/* `how` with a cost of 0: both are chosen. */
void fit_samples(struct fit *f, const struct samples *s, const struct fit_how *how);
void fit_free(struct fit *f);

#endif
