/*
 * row.h -- what is known of a finished run (store.h), as long as it is not in the store: KEY.row.
 */
#ifndef RUNS_ROW_H
#define RUNS_ROW_H

#include "runs/point.h"
#include "store/store.h"

/* What was run, by this build on this machine, and finished now. */
void row_of_point(struct store_row *r, const struct point *p);

/*
 * A result: is it one, whole and "done"?  Then r has its numbers and is STORE_DONE; otherwise the
 * message says what it is instead.
 */
bool row_take_result(struct store_row *r, const char *path, const char *text, size_t len,
                     struct err *e);

bool row_write(const struct store_row *r, const char *path, struct err *e);
bool row_read(struct store_row *r, const char *path, struct err *e);

/* "1.0 (0123456789ab, dirty) 32-DIGITS": the version, the commit and point_build(); to be freed. */
char *row_build(void);

#endif
