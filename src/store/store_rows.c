/* store_rows.c -- see store.h: rows in and out, results compressed */
#include "store/store_int.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <zstd.h>

enum { LEVEL = 3 }; /* of zstd: results shrink to a tenth; more costs much time for little */

#define COLUMNS                                                                                    \
    "key, program, args, gpu, mech, settings, sample, state, message, build, host, finished, "     \
    "seconds, cpu_seconds, peak_bytes, cycles, warp_insts, thread_insts, ipc, energy_j, power_w, " \
    "result_bytes"

/* ---- in */

static void bind_real(sqlite3_stmt *q, int i, double v)
{
    if (isfinite(v))
        sqlite3_bind_double(q, i, v);
}

/* Counts are whole numbers, as JSON's are up to 2^53. */
static void bind_count(sqlite3_stmt *q, int i, double v)
{
    if (isfinite(v))
        sqlite3_bind_int64(q, i, (s64)v);
}

static void bind_bytes(sqlite3_stmt *q, int i, u64 v)
{
    if (v)
        sqlite3_bind_int64(q, i, (s64)v);
}

static void bind_row(sqlite3_stmt *q, const struct store_row *r)
{
    const char *text[] = {r->key, r->program, r->args, r->gpu, r->mech, r->set};

    for (u32 i = 0; i < LEN(text); i++)
        store_bind(q, (int)i + 1, text[i] ? text[i] : "");
    sqlite3_bind_int64(q, 7, (s64)r->sample);
    store_bind(q, 8, r->state == STORE_DONE ? "done" : "failed");
    store_bind(q, 9, r->state == STORE_DONE ? NULL : r->message);
    store_bind(q, 10, r->build ? r->build : ""), store_bind(q, 11, r->host ? r->host : "");
    store_bind(q, 12, r->finished ? r->finished : "");
    bind_real(q, 13, r->seconds), bind_real(q, 14, r->cpu_seconds);
    bind_bytes(q, 15, r->peak_bytes);
    bind_count(q, 16, r->cycles), bind_count(q, 17, r->warp_insts);
    bind_count(q, 18, r->thread_insts);
    bind_real(q, 19, r->ipc), bind_real(q, 20, r->energy_j), bind_real(q, 21, r->power_w);
}

/* With a checksum, so that a damaged file is told and not believed. */
static char *compress(const char *json, size_t len, size_t *packed)
{
    size_t room = ZSTD_compressBound(len);
    char *to = xmalloc(room);
    ZSTD_CCtx *c = ZSTD_createCCtx();

    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    *packed = ZSTD_compress2(c, to, room, json, len);
    assert(!ZSTD_isError(*packed)); /* there is room */
    ZSTD_freeCCtx(c);
    return to;
}

static bool insert_point(struct store *s, const struct store_row *r, const char *packed, size_t n,
                         size_t len, struct err *e)
{
    sqlite3_stmt *q =
        store_prepare(s,
                      "INSERT OR REPLACE INTO point (" COLUMNS ", result) VALUES (?, ?, ?, ?, ?, "
                      "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      e);

    if (q) {
        bind_row(q, r);
        bind_bytes(q, 22, packed ? len : 0);
        if (packed && sqlite3_bind_blob64(q, 23, packed, n, SQLITE_STATIC) != SQLITE_OK) {
            sqlite3_finalize(q);
            return store_fail(s, e);
        }
    }
    return store_finish(s, q, e);
}

/* Whoever had claimed it: it is there. */
static bool end_claim(struct store *s, const char *key, struct err *e)
{
    sqlite3_stmt *q = store_prepare(s, "DELETE FROM claim WHERE key = ?", e);

    if (q)
        store_bind(q, 1, key);
    return store_finish(s, q, e);
}

bool store_put(struct store *s, const struct store_row *r, const char *json, size_t len,
               struct err *e)
{
    size_t n = 0;
    char *packed = json ? compress(json, len, &n) : NULL;
    bool ok = store_begin(s, true, e);

    assert(r->state != STORE_NONE && (json || r->state == STORE_FAILED));
    if (ok) {
        ok = insert_point(s, r, packed, n, len, e) && end_claim(s, r->key, e);
        if (ok)
            ok = store_commit(s, e);
        else
            store_undo(s);
    }
    free(packed);
    return ok;
}

/* ---- out */

static double real_column(sqlite3_stmt *q, int i)
{
    return sqlite3_column_type(q, i) == SQLITE_NULL ? NAN : sqlite3_column_double(q, i);
}

static char *text_of_column(sqlite3_stmt *q, int i)
{
    const char *text = (const char *)sqlite3_column_text(q, i);

    return text ? text_dup(text) : NULL;
}

static void read_row(sqlite3_stmt *q, struct store_row *r)
{
    const char *key = (const char *)sqlite3_column_text(q, 0);
    const char *state = (const char *)sqlite3_column_text(q, 7);

    *r = (struct store_row){
        .program = text_of_column(q, 1),
        .args = text_of_column(q, 2),
        .gpu = text_of_column(q, 3),
        .mech = text_of_column(q, 4),
        .set = text_of_column(q, 5),
        .sample = (u64)sqlite3_column_int64(q, 6),
        .state = state && strcmp(state, "done") == 0 ? STORE_DONE : STORE_FAILED,
        .message = text_of_column(q, 8),
        .build = text_of_column(q, 9),
        .host = text_of_column(q, 10),
        .finished = text_of_column(q, 11),
        .seconds = real_column(q, 12),
        .cpu_seconds = real_column(q, 13),
        .peak_bytes = (u64)sqlite3_column_int64(q, 14),
        .cycles = real_column(q, 15),
        .warp_insts = real_column(q, 16),
        .thread_insts = real_column(q, 17),
        .ipc = real_column(q, 18),
        .energy_j = real_column(q, 19),
        .power_w = real_column(q, 20),
        .result_bytes = (u64)sqlite3_column_int64(q, 21),
    };
    snprintf(r->key, sizeof r->key, "%s", key ? key : "");
}

enum store_state store_state(struct store *s, const char *key)
{
    struct err e;
    sqlite3_stmt *q = store_prepare(s, "SELECT state FROM point WHERE key = ?", &e);
    enum store_state state = STORE_NONE;

    if (q)
        store_bind(q, 1, key);
    if (q && sqlite3_step(q) == SQLITE_ROW)
        state = strcmp((const char *)sqlite3_column_text(q, 0), "done") == 0 ? STORE_DONE
                                                                             : STORE_FAILED;
    sqlite3_finalize(q);
    return state;
}

static bool none(struct store *s, const char *key, int code, struct err *e)
{
    if (code != SQLITE_DONE)
        return store_fail(s, e);
    return err_set(e, "%s: no point %s", s->path, key);
}

bool store_get(struct store *s, const char *key, struct store_row *r, struct err *e)
{
    sqlite3_stmt *q = store_prepare(s, "SELECT " COLUMNS " FROM point WHERE key = ?", e);

    if (!q)
        return false;
    store_bind(q, 1, key);
    int code = sqlite3_step(q);
    bool ok = code == SQLITE_ROW || none(s, key, code, e);

    if (ok)
        read_row(q, r);
    sqlite3_finalize(q);
    return ok;
}

/* A file may come from anywhere: sizes are not believed. */
static char *decompress(const void *from, size_t n, size_t *len)
{
    unsigned long long size = from ? ZSTD_getFrameContentSize(from, n) : ZSTD_CONTENTSIZE_ERROR;

    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > TEXT_FILE_MAX)
        return NULL;
    char *to = xmalloc(size + 1);

    *len = ZSTD_decompress(to, size, from, n);
    if (ZSTD_isError(*len)) {
        free(to);
        return NULL;
    }
    to[*len] = 0;
    return to;
}

char *store_json(struct store *s, const char *key, size_t *len, struct err *e)
{
    sqlite3_stmt *q = store_prepare(s, "SELECT result FROM point WHERE key = ?", e);
    char *json = NULL;

    if (!q)
        return NULL;
    store_bind(q, 1, key);
    int code = sqlite3_step(q);

    if (code != SQLITE_ROW)
        none(s, key, code, e);
    else if (sqlite3_column_type(q, 0) == SQLITE_NULL)
        err_set(e, "%s: point %s failed and has no result", s->path, key);
    else if (!(json =
                   decompress(sqlite3_column_blob(q, 0), (size_t)sqlite3_column_bytes(q, 0), len)))
        err_set(e, "%s: the result of point %s is damaged", s->path, key);
    sqlite3_finalize(q);
    return json;
}

/* ---- several */

/* Column c is a path or a name: its last part counts too. */
#define NAMED(c, i)                                                                                \
    "(" i " IS NULL OR " c " = " i " OR substr(" c ", -1 - length(" i ")) = '/' || " i ")"
#define HAS(c, i) "(" i " IS NULL OR instr(" c ", " i ") > 0)"
#define WHERE                                                                                      \
    " WHERE " NAMED("program", "?1") " AND " NAMED("gpu", "?2") " AND " HAS(                       \
        "mech",                                                                                    \
        "?3") " AND " HAS("settings",                                                              \
                          "?4") " AND " HAS("build",                                               \
                                            "?5") " AND (?6 IS NULL OR substr(key, 1, "            \
                                                  "length(?6)) = ?6)"                              \
                                                  " AND (?7 IS NULL OR finished < ?7) AND (?8 IS " \
                                                  "NULL OR instr(build, ?8) = 0)"                  \
                                                  " AND (?9 IS NULL OR state = ?9)"

static void bind_filter(sqlite3_stmt *q, const struct store_filter *f)
{
    const char *text[] = {f->program, f->gpu,       f->mech,
                          f->set,     f->build,     f->key,
                          f->before,  f->not_build, f->failed ? "failed" : NULL};

    for (u32 i = 0; i < LEN(text); i++)
        store_bind(q, (int)i + 1, text[i]);
}

bool store_each(struct store *s, const struct store_filter *f, store_visit *visit, void *user,
                struct err *e)
{
    sqlite3_stmt *q = store_prepare(s, "SELECT " COLUMNS " FROM point" WHERE " ORDER BY id", e);
    bool more = true;
    int code = SQLITE_DONE;

    if (!q)
        return false;
    bind_filter(q, f);
    while (more && (code = sqlite3_step(q)) == SQLITE_ROW) {
        struct store_row r;

        read_row(q, &r);
        more = visit(&r, user);
        store_row_free(&r);
    }
    bool ok = !more || code == SQLITE_DONE || store_fail(s, e);

    sqlite3_finalize(q);
    return ok;
}

bool store_prune(struct store *s, const struct store_filter *f, u64 *n, struct err *e)
{
    sqlite3_stmt *q;

    if (!store_begin(s, true, e))
        return false;
    q = store_prepare(s, "DELETE FROM point" WHERE, e);
    if (q)
        bind_filter(q, f);
    if (!store_finish(s, q, e)) {
        store_undo(s);
        return false;
    }
    *n = (u64)sqlite3_changes(s->db);
    return store_commit(s, e) && (!*n || store_exec(s, "VACUUM", e));
}

bool store_find_key(struct store *s, const char *begins, char key[HASH_HEX], struct err *e)
{
    sqlite3_stmt *q =
        store_prepare(s, "SELECT key FROM point WHERE substr(key, 1, length(?1)) = ?1 LIMIT 2", e);
    u32 n = 0;

    if (!q)
        return false;
    store_bind(q, 1, begins);
    for (; sqlite3_step(q) == SQLITE_ROW; n++)
        snprintf(key, HASH_HEX, "%s", (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    if (n == 0)
        return err_set(e, "%s: no point's key begins with '%s'; see smelt store list", s->path,
                       begins);
    return n == 1 ||
           err_set(e, "%s: several keys begin with '%s'; say more digits", s->path, begins);
}
