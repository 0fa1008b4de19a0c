/*
 * cc_options.h -- one option of nvcc's command line, found in the table of cc_options.c.
 *
 * An option sets a flag, keeps a text, or calls a function; one that does neither has no effect
 * here, since what it steers is not there or is always so.
 */
#ifndef CC_CC_OPTIONS_H
#define CC_CC_OPTIONS_H

#include "cc/cc.h"

enum cc_takes {
    NOTHING,
    VALUE,  /* -o x  -o=x  --output-file x  --output-file=x */
    JOINED, /* also -Ix */
};

struct cc_option {
    const char *names; /* without dashes, a '|' between; one letter has one dash, others 1 or 2 */
    enum cc_takes takes;
    size_t flag, text; /* if not 0: where in struct cc */
    bool (*take)(struct cc *c, const char *name, const char *value, struct err *e);
};

struct cc_found {
    const struct cc_option *option;
    const char *name, *value; /* value: NULL if there is none, or if it is the next argument */
};

/* The option that arg is; next is the argument after it, or NULL. */
bool cc_find_option(struct cc *c, const char *arg, const char *next, struct cc_found *f);

/* What all -Xptxas together ask for. */
bool cc_take_ptxas(struct cc *c, struct err *e);

/* "unknown option .. (did you mean ..?)"; always false. */
bool cc_unknown(const char *arg, struct err *e);

#endif
