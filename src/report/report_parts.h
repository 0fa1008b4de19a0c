/* report_parts.h -- between the files of the report (report.h): who calls whom. */
#ifndef REPORT_REPORT_PARTS_H
#define REPORT_REPORT_PARTS_H

#include "report/report.h"

/*
 * The JSON in three parts: up to the list of kernels, an entry of it, and the rest.  The head never
 * changes.  An entry is one launch, or the sum of n, which may differ in their shapes.
 */
void report_put_head(struct json *j, const struct report *r);
void report_put_kernel(struct json *j, const struct device *d, const struct launch_result *l, u32 n,
                       bool varies);
void report_put_tail(struct json *j, const struct report *r, const struct err *failure, bool ended);

/* Numbers that both the JSON and the summary have. */
double report_seconds(
    const struct device *d); /* of the host, from the first launch to the end of the last */
double report_speed(const struct device *d); /* warp instructions in one of them */
double report_ipc(const struct counters *c); /* thread instructions per cycle */

#endif
