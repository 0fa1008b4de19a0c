/* runner_take.c -- see runner.h, runner_int.h: finished runs go from a folder into the store */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "runs/row.h"
#include "runs/runner_int.h"

static char *file_of(const char *dir, const char *key, const char *end)
{
    return text_printf("%s/%s.%s", dir, key, end);
}

static void remove_file(const char *dir, const char *name)
{
    char *path = text_printf("%s/%s", dir, name);

    unlink(path);
    free(path);
}

/* ---- KEY.row and KEY.json */

/* A result that is not whole, after a power cut say, is as good as none. */
static bool read_pair(struct store_row *r, const char *row, const char *json, char **text,
                      struct err *e)
{
    size_t len = 0;

    *text = NULL;
    if (!row_read(r, row, e))
        return false;
    if (r->state != STORE_DONE)
        return true;
    *text = text_read_file(json, &len, e);
    if (*text && row_take_result(r, json, *text, len, e))
        return true;
    free(*text);
    store_row_free(r);
    return false;
}

/* The row goes first: a result without one can be taken in, a row without its result cannot. */
bool runner_take_key(struct store *s, const char *dir, const char *key, bool *took, struct err *e)
{
    char *row = file_of(dir, key, "row"), *json = file_of(dir, key, "json"), *text;
    struct store_row r;
    struct err why;
    bool ok = true, there = access(row, F_OK) == 0;
    bool whole = there && read_pair(&r, row, json, &text, &why);

    *took = false;
    if (whole) {
        ok = store_put(s, &r, text, r.result_bytes, e);
        *took = ok;
        free(text);
        store_row_free(&r);
    } else if (there && access(row, F_OK) == 0) { /* else another process was faster */
        log_warn("%s; that point is run again", why.msg);
    }
    if (there && ok)
        unlink(row), unlink(json);
    free(row), free(json);
    return ok;
}

/* ---- what lies in a folder */

/* The key that a file's name begins with. */
static bool key_of(const char *name, char key[HASH_HEX])
{
    if (strspn(name, "0123456789abcdef") != HASH_HEX - 1 || name[HASH_HEX - 1] != '.')
        return false;
    memcpy(key, name, HASH_HEX - 1);
    key[HASH_HEX - 1] = 0;
    return true;
}

static int is_ours(const struct dirent *ent)
{
    char key[HASH_HEX];

    return key_of(ent->d_name, key);
}

static void free_names(struct dirent **name, int n)
{
    for (int i = 0; i < n; i++)
        free(name[i]);
    if (n >= 0)
        free(name);
}

bool runner_take_in(struct store *s, const char *dir, u32 *n, struct err *e)
{
    struct dirent **name;
    int n_name = scandir(dir, &name, is_ours, alphasort);
    bool ok = n_name >= 0 || err_set(e, "%s: %s", dir, strerror(errno)), took;
    char key[HASH_HEX];

    *n = 0;
    for (int i = 0; ok && i < n_name; i++) {
        if (strcmp(name[i]->d_name + HASH_HEX, "row") != 0 || !key_of(name[i]->d_name, key))
            continue;
        ok = runner_take_key(s, dir, key, &took, e);
        *n += ok && took;
    }
    free_names(name, n_name);
    return ok;
}

/* ---- after others */

/* A result whose process was killed before it wrote the row. */
static bool rescue(struct store *s, const char *dir, const char *name, const struct point *p,
                   struct err *e)
{
    char *path = text_printf("%s/%s", dir, name);
    struct store_row r;
    struct err why;
    size_t len = 0;
    char *text = text_read_file(path, &len, &why);
    bool ok = true;

    row_of_point(&r, p);
    if (text && row_take_result(&r, path, text, len, &why))
        ok = store_put(s, &r, text, len, e);
    store_row_free(&r);
    free(text), free(path);
    return ok;
}

static const struct point *find_point(const struct point *p, u32 n, const char *key)
{
    for (u32 i = 0; i < n; i++)
        if (strcmp(p[i].key, key) == 0)
            return &p[i];
    return NULL;
}

static bool is_result(const char *name)
{
    size_t len = strlen(name);

    return strcmp(name + HASH_HEX, "json") == 0 ||
           (len > 5 && strcmp(name + len - 5, ".part") == 0);
}

/* All files of one key, which is ours now. */
static bool clean_key(struct store *s, const char *dir, const char *key, struct dirent **name,
                      u32 n, const struct point *p, struct err *e)
{
    bool took, ok = runner_take_key(s, dir, key, &took, e);

    for (u32 i = 0; ok && i < n; i++) {
        const char *file = name[i]->d_name;

        if (strcmp(file + HASH_HEX, "row") == 0)
            continue;
        if (p && is_result(file) && store_state(s, key) == STORE_NONE)
            ok = rescue(s, dir, file, p, e);
        if (ok)
            remove_file(dir, file);
    }
    return ok;
}

static bool has_row(struct dirent **name, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (strcmp(name[i]->d_name + HASH_HEX, "row") == 0)
            return true;
    return false;
}

/* What only its own points can tell the meaning of stays until they are run again. */
static bool clean_if_free(struct store *s, const char *dir, struct dirent **name, u32 n,
                          const struct point *p, u32 n_point, struct err *e)
{
    char key[HASH_HEX];
    bool mine;

    key_of(name[0]->d_name, key);
    const struct point *q = find_point(p, n_point, key);

    if (!q && !has_row(name, n) && store_state(s, key) == STORE_NONE)
        return true;
    if (!store_claim(s, key, &mine, e))
        return false;
    bool ok = !mine || clean_key(s, dir, key, name, n, q, e);

    if (mine)
        store_release(s, key);
    return ok;
}

/* Those of one key stand together, since names are sorted. */
static int group_end(struct dirent **name, int n, int from)
{
    int to = from + 1;

    while (to < n && strncmp(name[to]->d_name, name[from]->d_name, HASH_HEX - 1) == 0)
        to++;
    return to;
}

bool runner_clean_up(struct store *s, const char *dir, const struct point *p, u32 n, struct err *e)
{
    struct dirent **name;
    int n_name = scandir(dir, &name, is_ours, alphasort);
    bool ok = n_name >= 0 || err_set(e, "%s: %s", dir, strerror(errno));

    for (int from = 0, to; ok && from < n_name; from = to) {
        to = group_end(name, n_name, from);
        ok = clean_if_free(s, dir, name + from, (u32)(to - from), p, n, e);
    }
    free_names(name, n_name);
    return ok;
}

bool runner_clean_key(struct store *s, const char *dir, const struct point *p, struct err *e)
{
    struct dirent **name;
    int n_name = scandir(dir, &name, is_ours, alphasort);
    bool ok = n_name >= 0 || err_set(e, "%s: %s", dir, strerror(errno));

    for (int from = 0, to; ok && from < n_name; from = to) {
        to = group_end(name, n_name, from);
        if (strncmp(name[from]->d_name, p->key, HASH_HEX - 1) == 0)
            ok = clean_key(s, dir, p->key, name + from, (u32)(to - from), p, e);
    }
    free_names(name, n_name);
    return ok;
}
