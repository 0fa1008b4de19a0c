/*
 * store.c -- see store.h: the file.
 *
 * SQLite with a write-ahead log: readers and one writer do not wait for each other, and a writer waits
 * for another one.  A row is worth minutes of somebody's CPU, so it is on the disk before its result's
 * file is removed (synchronous = FULL); a claim is worth nothing once its process is gone (NORMAL).
 */
#include "store/store.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/proc.h"
#include "store/store_int.h"

/* docs/STORE.md describes it, and people's scripts read it. */
static const char schema[] = "CREATE TABLE point ("
                             " id INTEGER PRIMARY KEY AUTOINCREMENT,"
                             " key TEXT NOT NULL UNIQUE,"
                             " program TEXT NOT NULL,"
                             " args TEXT NOT NULL,"
                             " gpu TEXT NOT NULL,"
                             " mech TEXT NOT NULL,"
                             " settings TEXT NOT NULL,"
                             " sample INTEGER NOT NULL,"
                             " state TEXT NOT NULL CHECK (state IN ('done', 'failed')),"
                             " message TEXT,"
                             " build TEXT NOT NULL,"
                             " host TEXT NOT NULL,"
                             " finished TEXT NOT NULL,"
                             " seconds REAL,"
                             " cpu_seconds REAL,"
                             " peak_bytes INTEGER,"
                             " cycles INTEGER,"
                             " warp_insts INTEGER,"
                             " thread_insts INTEGER,"
                             " ipc REAL,"
                             " energy_j REAL,"
                             " power_w REAL,"
                             " result_bytes INTEGER,"
                             " result BLOB);"
                             "CREATE TABLE claim ("
                             " key TEXT PRIMARY KEY,"
                             " place TEXT NOT NULL,"
                             " boot TEXT NOT NULL,"
                             " pid INTEGER NOT NULL,"
                             " began INTEGER NOT NULL,"
                             " renewed INTEGER NOT NULL);";

/* ---- SQL */

static const char *meaning(int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
        return "the disk is full";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another process keeps it locked";
    case SQLITE_READONLY:
        return "it cannot be written";
    case SQLITE_CORRUPT:
        return "it is damaged; sqlite3 has .recover for such files";
    case SQLITE_TOOBIG:
        return "a result of more than 1 GB, compressed, does not fit into it";
    }
    return NULL;
}

/* SQLite has no room for why a write failed, unless it is the disk that is full. */
bool store_fail(struct store *s, struct err *e)
{
    int code = sqlite3_extended_errcode(s->db);
    const char *what = meaning(code);

    if ((code & 0xff) == SQLITE_IOERR)
        return err_set(e, "%s: it cannot be %s: %s%s", s->path,
                       code == SQLITE_IOERR_READ ? "read" : "written", sqlite3_errstr(code),
                       code == SQLITE_IOERR_READ ? "" : " (a quota, or a limit of file sizes?)");
    return err_set(e, "%s: %s", s->path, what ? what : sqlite3_errmsg(s->db));
}

sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct err *e)
{
    sqlite3_stmt *q;

    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK)
        return q;
    store_fail(s, e);
    return NULL;
}

void store_bind(sqlite3_stmt *q, int i, const char *text)
{
    sqlite3_bind_text(q, i, text, -1, SQLITE_TRANSIENT);
}

bool store_finish(struct store *s, sqlite3_stmt *q, struct err *e)
{
    bool ok = q && (sqlite3_step(q) == SQLITE_DONE || store_fail(s, e));

    sqlite3_finalize(q);
    return ok;
}

bool store_exec(struct store *s, const char *sql, struct err *e)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(s, e);
}

bool store_begin(struct store *s, bool durable, struct err *e)
{
    return store_exec(s, durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL",
                      e) &&
           store_exec(s, "BEGIN IMMEDIATE", e);
}

void store_undo(struct store *s)
{
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

bool store_commit(struct store *s, struct err *e)
{
    if (store_exec(s, "COMMIT", e))
        return true;
    store_undo(s);
    return false;
}

/* ---- is it one of ours? */

static bool ask_number(struct store *s, const char *sql, s64 *v, struct err *e)
{
    sqlite3_stmt *q = store_prepare(s, sql, e);
    bool ok = q && (sqlite3_step(q) == SQLITE_ROW || store_fail(s, e));

    *v = ok ? sqlite3_column_int64(q, 0) : 0;
    sqlite3_finalize(q);
    return ok;
}

/* *empty: a file in which nothing is yet. */
static bool is_store(struct store *s, bool *empty, struct err *e)
{
    s64 id, version, tables;

    if (!ask_number(s, "PRAGMA application_id", &id, e) ||
        !ask_number(s, "PRAGMA user_version", &version, e) ||
        !ask_number(s, "SELECT count(*) FROM sqlite_master", &tables, e)) {
        if (sqlite3_errcode(s->db) == SQLITE_NOTADB)
            return err_set(e, "%s is not a store: it is no SQLite file", s->path);
        return false;
    }
    *empty = !id && !version && !tables;
    if (!*empty && id != STORE_ID)
        return err_set(e, "%s is not a store: it is an SQLite file of something else", s->path);
    if (version > STORE_SCHEMA)
        return err_set(e,
                       "%s is of a newer smelt (its tables are of version %d, and this smelt "
                       "knows %d)",
                       s->path, (int)version, STORE_SCHEMA);
    return true;
}

/* Another process may be making it at the same time: who comes second finds it made. */
static bool make_tables(struct store *s, struct err *e)
{
    char *sql = text_printf("%s PRAGMA application_id = %d; PRAGMA user_version = %d;", schema,
                            STORE_ID, STORE_SCHEMA);
    bool empty, ok = store_begin(s, true, e);

    if (ok) {
        ok = is_store(s, &empty, e) && (!empty || store_exec(s, sql, e));
        if (ok)
            ok = store_commit(s, e);
        else
            store_undo(s);
    }
    free(sql);
    return ok;
}

/* ---- opening */

/* SQLite does not wait when it changes the kind of log, which happens once in the life of a file. */
static bool use_log(struct store *s, struct err *e)
{
    const struct timespec pause = {.tv_nsec = 10000000};

    for (u32 i = 0; i < STORE_WAIT_MS / 10; i++) {
        int code = sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);

        if (code == SQLITE_OK)
            return true;
        if ((code & 0xff) != SQLITE_BUSY)
            break;
        nanosleep(&pause, NULL);
    }
    return store_fail(s, e);
}

static bool open_db(struct store *s, int flags, struct err *e)
{
    int code = sqlite3_open_v2(s->path, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    struct stat st;

    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(s->db, STORE_WAIT_MS);
        sqlite3_extended_result_codes(s->db, 1);
        return true;
    }
    if (stat(s->path, &st) == 0 && S_ISDIR(st.st_mode))
        return err_set(e, "%s: %s", s->path, strerror(EISDIR));
    int why = s->db ? sqlite3_system_errno(s->db) : 0;

    return err_set(e, "%s: %s", s->path, why ? strerror(why) : sqlite3_errstr(code));
}

/* As SQLite wants it, to be freed: three characters mean something in a URI. */
static char *uri_of(const char *path)
{
    static const char digit[] = "0123456789abcdef";
    VEC(char) to = {0};

    for (; *path; path++) {
        if (strchr("%?#", *path)) {
            *VEC_ADD(&to) = '%';
            *VEC_ADD(&to) = digit[*path >> 4 & 15];
            *VEC_ADD(&to) = digit[*path & 15];
        } else {
            *VEC_ADD(&to) = *path;
        }
    }
    char *uri = text_printf("file:%.*s?immutable=1", (int)to.n, to.at);

    VEC_FREE(&to);
    return uri;
}

/* A file that only lies there (a disk without writing) has no log, and nobody changes it. */
static bool open_lying(struct store *s, struct err *e)
{
    char *log = text_printf("%s-wal", s->path);
    bool ok = access(log, F_OK) != 0;

    free(log);
    if (!ok)
        return false;
    sqlite3_close(s->db);
    char *uri = uri_of(s->path);

    ok = sqlite3_open_v2(uri, &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK;
    free(uri);
    return ok || store_fail(s, e);
}

static bool open_to_read(struct store *s, struct err *e)
{
    bool empty;

    if (access(s->path, R_OK) != 0)
        return err_set(e, "%s: %s", s->path, strerror(errno));
    if (!open_db(s, SQLITE_OPEN_READONLY, e))
        return false;
    if (!is_store(s, &empty, e)) {
        bool lies = sqlite3_errcode(s->db) == SQLITE_CANTOPEN && open_lying(s, e);
        if (!lies || !is_store(s, &empty, e))
            return false;
    }
    return !empty || err_set(e, "%s is not a store: it is empty", s->path);
}

static bool open_to_write(struct store *s, struct err *e)
{
    bool empty;

    return open_db(s, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, e) && is_store(s, &empty, e) &&
           use_log(s, e) && (!empty || make_tables(s, e));
}

struct store *store_open(const char *path, enum store_mode mode, struct err *e)
{
    struct store *s = xcalloc(1, sizeof *s);

    s->path = text_dup(path);
    s->place = proc_place(), s->boot = proc_boot();
    proc_began(getpid(), &s->began);
    if (mode == STORE_WRITE ? open_to_write(s, e) : open_to_read(s, e))
        return s;
    store_close(s);
    return NULL;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sqlite3_close(s->db);
    free(s->path), free(s->place), free(s->boot);
    free(s);
}

const char *store_path(const struct store *s)
{
    return s->path;
}
