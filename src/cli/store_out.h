/* store_out.h -- points of a store as people and programs read them (cmd_store.c). */
#ifndef CLI_STORE_OUT_H
#define CLI_STORE_OUT_H

#include <stdio.h>

#include "base/text.h"
#include "store/store.h"

struct store_metrics { /* "total.ipc": numbers of the result */
    const char **at;
    u32 n, cap;
};

/* One line for each point; if a result cannot be read, false and a message. */
bool store_out_csv(struct store *s, const struct store_filter *f, const struct store_metrics *m,
                   FILE *out, struct err *e);
bool store_out_jsonl(struct store *s, const struct store_filter *f, FILE *out, struct err *e);

/* A table, for `list`; `full`: whole keys, builds and hosts too.  *n: how many. */
bool store_out_list(struct store *s, const struct store_filter *f, bool full, u32 *n,
                    struct err *e);

/* All that is known of one. */
void store_out_row(const struct store_row *r, FILE *out);

#endif
