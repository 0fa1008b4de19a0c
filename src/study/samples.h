/*
 * samples.h -- what a classifier is fitted to: a CSV file of metrics with the right answer in each row.
 *
 *     program,fuse,ctas,divergence
 *     bfs,1,6,0.31
 *     bfs,0,8,0.02
 *     lud,0,4,0.55
 *
 * One column has the answer, 0 or 1; one the group, that is the program, whose rows are not
 * independent of each other; all others are metrics, and numbers.  Blanks around a field and empty
 * lines do not count.
 */
#ifndef STUDY_SAMPLES_H
#define STUDY_SAMPLES_H

#include "base/base.h"
#include "base/err.h"
#include "base/text.h"

struct sample {
    u32 group; /* index of its name */
    bool label;
};

struct samples {
    VEC(char *) metric; /* names, in the order of columns */
    VEC(char *) group;  /* in the order in which they appear */
    VEC(struct sample) row;
    VEC(double) value; /* metric.n of each row */
    u32 n_label;       /* rows with 1 */
};

/*
 * From a file whose columns for group and label have these names.  There is a metric, and there are rows
 * of both labels; else, as for all that is wrong in it, false and file, line and column in *e, and
 * nothing to free.
 */
bool samples_read(struct samples *s, const char *path, const char *group, const char *label,
                  struct err *e);
void samples_free(struct samples *s);

static inline const double *samples_values(const struct samples *s, u32 row)
{
    return s->value.at + (size_t)row * s->metric.n;
}

#endif
