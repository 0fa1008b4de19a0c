/*
 * store.h -- finished runs, in one SQLite file: each once, whatever happens.
 *
 *     struct store *s = store_open("out/store.db", STORE_WRITE, &e);
 *     if (store_state(s, p.key) == STORE_NONE) ..                          run it
 *     store_put(s, &row, json, len, &e);
 *     char *json = store_json(s, p.key, &len, &e);
 *     store_close(s);
 *
 * A row is a point (point.h): what was run, how it ended and, compressed (zstd), the whole result.  A
 * row is written in one transaction, so that a killed process, a power cut or a full disk leave the
 * store as it was before it.  Several processes may have it open; who writes waits for the other.
 *
 * Who begins a run claims its key, so that two sweeps over the same points share the work.  A claim
 * ends with the row, or with its process: one whose process is gone is nobody's.  Of a process of
 * another machine nobody here can tell; its claims count as long as it renews them (store_renew).
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/base.h"
#include "base/err.h"
#include "base/hash.h"

struct store;

enum store_mode { STORE_READ, STORE_WRITE }; /* STORE_WRITE makes the file if need be */
enum store_state { STORE_NONE, STORE_DONE, STORE_FAILED };

/* What is not known is NULL, NAN or 0. */
struct store_row {
    char key[HASH_HEX];
    char *program, *args, *gpu, *mech,
        *set;    /* as a user would write them; blanks between several */
    char *build; /* of the simulator: version, commit, point_build() */
    enum store_state state;
    char *message;  /* of a failed one: why, and its last lines */
    char *finished; /* date, UTC */
    char *host;
    double seconds, cpu_seconds;                  /* wall; CPU */
    double cycles, warp_insts, thread_insts, ipc; /* "total" of the result */
    double energy_j, power_w;                     /* likewise */
    u64 sample, peak_bytes, result_bytes;         /* memory; of the result, not compressed */
};

struct store *store_open(const char *path, enum store_mode mode, struct err *e);
void store_close(struct store *s); /* NULL is fine */
const char *store_path(const struct store *s);

enum store_state store_state(struct store *s, const char *key);

/* Takes the place of an older row; json may be NULL if it failed. */
bool store_put(struct store *s, const struct store_row *r, const char *json, size_t len,
               struct err *e);

/* To be freed (row: store_row_free).  NULL or false and a message if there is none. */
char *store_json(struct store *s, const char *key, size_t *len, struct err *e);
bool store_get(struct store *s, const char *key, struct store_row *r, struct err *e);
void store_row_free(struct store_row *r);

/* The key that begins so; false and a message if there is none, or several. */
bool store_find_key(struct store *s, const char *begins, char key[HASH_HEX], struct err *e);

/* *mine: nobody else is at it, and it is ours until the row, store_release or our end. */
bool store_claim(struct store *s, const char *key, bool *mine, struct err *e);
void store_release(struct store *s, const char *key);
void store_renew(struct store *s);                        /* all of ours; about every minute */
char *store_claimed_by(struct store *s, const char *key); /* "process 123 on HOST", to be freed */

/*
 * Rows in the order in which they were finished; what a filter leaves NULL does not matter.  A
 * program or GPU that is a path is also found by its last name; mech, set and build by a part.
 */
struct store_filter {
    const char *program, *gpu, *mech, *set, *build;
    const char *key;       /* its first digits */
    const char *before;    /* finished before this date */
    const char *not_build; /* has no such part */
    bool failed;           /* failed ones alone */
};

typedef bool store_visit(const struct store_row *r, void *user); /* false: enough */
bool store_each(struct store *s, const struct store_filter *f, store_visit *visit, void *user,
                struct err *e);

/* Removes rows, and gives the space back. */
bool store_prune(struct store *s, const struct store_filter *f, u64 *n, struct err *e);

#endif
