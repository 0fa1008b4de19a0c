/* store_claim.c -- see store.h: who is at what */
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/proc.h"
#include "store/store_int.h"

/* Does the process of a claim (a row of the query) still run, as far as can be told from here? */
static bool claim_is_alive(const struct store *s, sqlite3_stmt *q)
{
    const char *place = (const char *)sqlite3_column_text(q, 0);
    const char *boot = (const char *)sqlite3_column_text(q, 1);
    u64 began, renewed = (u64)sqlite3_column_int64(q, 4);

    if (strcmp(place, s->place) != 0)
        return (u64)time(NULL) < renewed + STORE_CLAIM_SECONDS;
    return strcmp(boot, s->boot) == 0 && proc_began(sqlite3_column_int(q, 2), &began) &&
           began == (u64)sqlite3_column_int64(q, 3);
}

static bool is_our_claim(const struct store *s, sqlite3_stmt *q)
{
    return strcmp((const char *)sqlite3_column_text(q, 0), s->place) == 0 &&
           strcmp((const char *)sqlite3_column_text(q, 1), s->boot) == 0 &&
           sqlite3_column_int(q, 2) == (int)getpid() && (u64)sqlite3_column_int64(q, 3) == s->began;
}

static sqlite3_stmt *ask_claim(struct store *s, const char *key, struct err *e)
{
    sqlite3_stmt *q =
        store_prepare(s, "SELECT place, boot, pid, began, renewed FROM claim WHERE key = ?", e);

    if (q)
        store_bind(q, 1, key);
    return q;
}

static bool is_free_to_claim(struct store *s, const char *key, bool *mine, struct err *e)
{
    sqlite3_stmt *q = ask_claim(s, key, e);
    int code = q ? sqlite3_step(q) : SQLITE_ERROR;
    bool ok = q && (code == SQLITE_ROW || code == SQLITE_DONE || store_fail(s, e));

    *mine = ok && (code == SQLITE_DONE || is_our_claim(s, q) || !claim_is_alive(s, q));
    sqlite3_finalize(q);
    return ok;
}

static bool take_claim(struct store *s, const char *key, struct err *e)
{
    sqlite3_stmt *q = store_prepare(s, "INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?, ?, ?)", e);

    if (q) {
        store_bind(q, 1, key), store_bind(q, 2, s->place), store_bind(q, 3, s->boot);
        sqlite3_bind_int(q, 4, (int)getpid());
        sqlite3_bind_int64(q, 5, (s64)s->began);
        sqlite3_bind_int64(q, 6, (s64)time(NULL));
    }
    return store_finish(s, q, e);
}

bool store_claim(struct store *s, const char *key, bool *mine, struct err *e)
{
    if (!store_begin(s, false, e))
        return false;
    if (is_free_to_claim(s, key, mine, e) && (!*mine || take_claim(s, key, e)))
        return store_commit(s, e);
    store_undo(s);
    return false;
}

/* If it cannot be written, the claim ends with us. */
void store_release(struct store *s, const char *key)
{
    struct err e;
    sqlite3_stmt *q =
        store_prepare(s, "DELETE FROM claim WHERE key = ? AND pid = ? AND place = ?", &e);

    if (q) {
        store_bind(q, 1, key), store_bind(q, 3, s->place);
        sqlite3_bind_int(q, 2, (int)getpid());
    }
    store_finish(s, q, &e);
}

void store_renew(struct store *s)
{
    struct err e;
    sqlite3_stmt *q =
        store_prepare(s, "UPDATE claim SET renewed = ? WHERE pid = ? AND place = ?", &e);

    if (q) {
        sqlite3_bind_int64(q, 1, (s64)time(NULL));
        sqlite3_bind_int(q, 2, (int)getpid());
        store_bind(q, 3, s->place);
    }
    store_finish(s, q, &e);
}

char *store_claimed_by(struct store *s, const char *key)
{
    struct err e;
    sqlite3_stmt *q = ask_claim(s, key, &e);
    char *who = NULL;

    if (q && sqlite3_step(q) == SQLITE_ROW) {
        const char *place = (const char *)sqlite3_column_text(q, 0);
        who = text_printf("process %d on %.*s", sqlite3_column_int(q, 2), (int)strcspn(place, " "),
                          place);
    }
    sqlite3_finalize(q);
    return who ? who : text_dup("nobody");
}
