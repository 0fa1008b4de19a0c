/*
 * store_int.h -- what the files of the store share.
 *
 *     store.c         the file: opening, making and refusing it
 *     store_rows.c    rows in and out
 *     store_claim.c   who is at what
 */
#ifndef STORE_STORE_INT_H
#define STORE_STORE_INT_H

#include <sqlite3.h>

#include "base/text.h"
#include "store/store.h"

enum {
    STORE_ID = 0x736d6c74,    /* "smlt": PRAGMA application_id of our files */
    STORE_SCHEMA = 1,         /* PRAGMA user_version */
    STORE_WAIT_MS = 60000,    /* for another writer, who needs milliseconds */
    STORE_CLAIM_SECONDS = 600 /* that a claim of another machine counts without being renewed */
};

struct store {
    char *path;
    sqlite3 *db;
    char *place, *boot; /* of this process: proc.h */
    u64 began;
};

/* "PATH: the disk is full" and the like; always false. */
bool store_fail(struct store *s, struct err *e);

/* A statement, or NULL and a message.  Parameters are texts; NULL: SQL's NULL. */
sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct err *e);
void store_bind(sqlite3_stmt *q, int i, const char *text);

/* Runs one that returns no rows, and ends it. */
bool store_finish(struct store *s, sqlite3_stmt *q, struct err *e);

bool store_exec(struct store *s, const char *sql, struct err *e);

/*
 * From here to store_commit nobody else writes; what fails in between is undone by store_undo.
 * Durable: it is on the disk when store_commit returns; otherwise a power cut may take it back.
 */
bool store_begin(struct store *s, bool durable, struct err *e);
bool store_commit(struct store *s, struct err *e);
void store_undo(struct store *s);

#endif
