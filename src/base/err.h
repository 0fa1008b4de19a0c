/*
 * err.h -- errors the user can cause, told with where and what would be right.
 *
 * A function that can fail takes a `struct err *` last and returns false (or
 * NULL).  The place that fails says what is wrong; each caller on the way up may
 * add where it was.  Our own mistakes are not errors: ensure.h.
 *
 * `msg` is one line.  `excerpt`, if not empty, is the offending source line and
 * a caret below it, shown after the message.  `status` is the exit status that
 * the command ends with: ERR_USER unless the simulated program is to blame.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdio.h>

#include "base/base.h"

enum { ERR_PROGRAM = 1, ERR_USER = 2 };

struct err {
    char msg[768];
    char excerpt[512];
    int status;
};

bool err_set(struct err *e, const char *fmt, ...) PRINTF(2, 3);     /* always false */
bool err_program(struct err *e, const char *fmt, ...) PRINTF(2, 3); /* the same, status 1 */
bool err_at(struct err *e, const char *fmt, ...) PRINTF(2, 3);      /* prepends "context: " */

/* Keep a source line and put a caret under its column (counted from 1; 0: no caret). */
void err_excerpt(struct err *e, const char *line, size_t len, u32 col);

/* "smelt: MSG" and the excerpt, to f. */
void err_print(const struct err *e, FILE *f);

/* The same to stderr, behind what stdout has; returns the status to end with. */
int err_tell(const struct err *e);

/*
 * Somebody wrote s, which is none of names[].  "WHAT; did you mean NEAR?", where WHAT is fmt and
 * its arguments and NEAR the name nearest to s by edit distance; "WHAT; ELSE_SAY" if none is near,
 * or WHAT alone if else_say is NULL.  Always false.
 */
bool err_no_such(struct err *e, const char *s, const char *const *names, size_t n,
                 const char *else_say, const char *fmt, ...) PRINTF(6, 7);

/*
 * The same for a message of another form: before, NEAR and after, in h; "" if none is near.  The
 * names are not needed any more when it returns.
 */
struct err_hint {
    char text[128];
};

const char *err_hint(struct err_hint *h, const char *s, const char *const *names, size_t n,
                     const char *before, const char *after);

#endif
