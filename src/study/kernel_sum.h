/*
 * kernel_sum.h -- a result as if a program had launched one of its kernels alone.
 *
 *     kernel_sum(result, &launches, "srad_update", &v, &e);
 *     json_get(json_get(v, "total"), "cycles")
 *
 * `total`, `stats`, `stalls` and `energy` over the launches of that kernel, as the whole result has
 * them over all (docs/RESULTS.md): counters, cycles and joules are sums, ratios those of the sums, and
 * means of histograms, watts and IPC are those of all launches together.  What a launch does not have,
 * such as the host's seconds, is not there.
 *
 * A kernel is named as its author wrote it, with or without template arguments, or as PTX has it.
 */
#ifndef STUDY_KERNEL_SUM_H
#define STUDY_KERNEL_SUM_H

#include "base/json_read.h"

/* Is this (the name in the result) the kernel? */
bool kernel_is(const char *name, const char *kernel);

/*
 * `launches` are entries of "kernels" of the result.  *sum: json_free; NULL if the program has the
 * kernel and did not launch it, as with an input that is too small.  False and a message if it has none
 * of that name.
 */
bool kernel_sum(const struct json_value *result, const struct json_slices *launches,
                const char *kernel, struct json_value **sum, struct err *e);

#endif
