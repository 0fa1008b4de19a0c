#define _GNU_SOURCE /* unlocked output: a result is made by one thread */
#include "base/json.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/draft.h"
#include "base/memory.h"
#include "base/text.h"

void json_open_stream(struct json *j, FILE *f)
{
    *j = (struct json){.f = f};
}

void json_open_buf(struct json *j)
{
    *j = (struct json){.owned = true};
    j->f = memory_refused() ? NULL : open_memstream(&j->buf, &j->len);
    if (!j->f)
        memory_out(); /* nothing else can be missing */
}

void json_open_after(struct json *j, const struct json *from)
{
    json_open_buf(j);
    j->depth = from->depth;
    j->keyed = from->keyed;
    memcpy(j->level, from->level, sizeof(j->level));
}

bool json_open_file(struct json *j, const char *path, struct err *e)
{
    struct stat st;
    json_open_stream(j, stdout);
    if (strcmp(path, "-") == 0)
        return true;
    j->owned = true;
    j->path = text_real_path(path);
    if (stat(j->path, &st) == 0 && S_ISDIR(st.st_mode)) {
        err_set(e, "%s: %s", path, strerror(EISDIR));
        free(j->path);
        return false;
    }
    bool direct = stat(j->path, &st) == 0 && !S_ISREG(st.st_mode);
    j->tmp = NULL;
    j->f = direct ? fopen(j->path, "wb") : draft_open(j->path, &j->tmp);
    if (j->f)
        return true;
    err_set(e, "%s: %s", path, strerror(errno));
    free(j->path);
    free(j->tmp);
    return false;
}

/* Closes; false with errno set if not all arrived. */
static bool finish_json(struct json *j)
{
    bool ok = !ferror(j->f) && fflush(j->f) == 0;
    int why = errno;
    if (j->owned && fclose(j->f) != 0 && ok) {
        ok = false;
        why = errno;
    }
    errno = why;
    return ok;
}

bool json_close(struct json *j, struct err *e)
{
    assert(j->depth == 0 && !j->keyed && !j->buf);
    errno = j->why ? j->why : EIO;
    fputc('\n', j->f);
    int lock = j->tmp ? draft_hold(j->f) : -1;
    bool ok = finish_json(j) && (!j->tmp || rename(j->tmp, j->path) == 0);
    if (!ok)
        err_set(e, "%s: %s", j->path ? j->path : "standard output", strerror(errno));
    if (!ok && j->tmp)
        unlink(j->tmp);
    if (lock >= 0)
        close(lock);
    free(j->path);
    free(j->tmp);
    return ok;
}

char *json_close_buf(struct json *j, size_t *len)
{
    assert(j->depth == 0 && !j->keyed && !j->path);
    fputc('\n', j->f);
    if (!finish_json(j))
        xmalloc(SIZE_MAX);
    if (len)
        *len = j->len;
    return j->buf;
}

char *json_cut_buf(struct json *j)
{
    assert(!j->keyed && !j->path);
    if (!finish_json(j))
        xmalloc(SIZE_MAX);
    return j->buf;
}

void json_paste(struct json *j, const char *text)
{
    fputs(text, j->f);
    j->level[j->depth].filled = true;
}

static void put_new_line(struct json *j)
{
    static_assert(JSON_DEPTH == 32, "a line has blanks for all levels");
    static const char line[] = "\n                                                                ";
    fwrite_unlocked(line, 1, 1 + 2 * j->depth, j->f);
}

/* What stands between the last thing written and the next entry. */
static void separate(struct json *j)
{
    bool filled = j->level[j->depth].filled;
    if (UNLIKELY(ferror(j->f)) && !j->why)
        j->why = errno;
    j->level[j->depth].filled = true;
    if (filled)
        putc_unlocked(',', j->f);
    if (j->level[j->depth].line)
        fputs_unlocked(filled ? " " : "", j->f);
    else if (j->depth)
        put_new_line(j);
}

static void before_value(struct json *j)
{
    assert(j->keyed == j->level[j->depth].object);
    assert(j->depth || !j->level[0].filled);
    if (!j->keyed)
        separate(j);
    j->level[j->depth].filled = true;
    j->keyed = false;
}

static void open_level(struct json *j, bool object, bool line)
{
    before_value(j);
    line = line || j->level[j->depth].line;
    j->depth++;
    assert(j->depth <= JSON_DEPTH);
    j->level[j->depth].object = object;
    j->level[j->depth].line = line;
    j->level[j->depth].filled = false;
    putc_unlocked(object ? '{' : '[', j->f);
}

static void close_level(struct json *j, bool object)
{
    assert(j->depth && j->level[j->depth].object == object && !j->keyed);
    bool split = j->level[j->depth].filled && !j->level[j->depth].line;
    j->depth--;
    if (split)
        put_new_line(j);
    putc_unlocked(object ? '}' : ']', j->f);
}

void json_obj(struct json *j)
{
    open_level(j, true, false);
}

void json_obj_end(struct json *j)
{
    close_level(j, true);
}

void json_arr(struct json *j)
{
    open_level(j, false, false);
}

void json_row(struct json *j)
{
    open_level(j, false, true);
}

void json_arr_end(struct json *j)
{
    close_level(j, false);
}

static void put_escaped(FILE *f, u8 c)
{
    static const char from[] = "\"\\\n\t\r\b\f", to[] = "\"\\ntrbf";
    const char *hit = strchr(from, c);
    if (hit)
        fprintf(f, "\\%c", to[hit - from]);
    else
        fprintf(f, "\\u%04x", c);
}

static bool is_plain_char(u8 c)
{
    return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

static void put_string(FILE *f, const char *text)
{
    const u8 *s = (const u8 *)text;
    putc_unlocked('"', f);
    while (*s) {
        const u8 *from = s;
        while (is_plain_char(*s))
            s++;
        if (s > from)
            fwrite_unlocked(from, 1, (size_t)(s - from), f);
        if (!*s)
            break;
        u32 n = text_utf8_len((const char *)s);
        if (n == 0)
            fputs_unlocked("\\ufffd", f);
        else if (n == 1)
            put_escaped(f, *s);
        else
            fwrite_unlocked(s, 1, n, f);
        s += n ? n : 1;
    }
    putc_unlocked('"', f);
}

void json_key(struct json *j, const char *name)
{
    assert(j->level[j->depth].object && !j->keyed);
    separate(j);
    put_string(j->f, name);
    fputs_unlocked(": ", j->f);
    j->keyed = true;
}

void json_str(struct json *j, const char *s)
{
    before_value(j);
    put_string(j->f, s);
}

/* Most of a result is such numbers. */
static void put_decimal(FILE *f, u64 v)
{
    char text[20], *at = text + sizeof(text);
    do
        *--at = (char)('0' + v % 10);
    while (v /= 10);
    fwrite_unlocked(at, 1, (size_t)(text + sizeof(text) - at), f);
}

void json_u64(struct json *j, u64 v)
{
    before_value(j);
    put_decimal(j->f, v);
}

void json_real(struct json *j, double v)
{
    char buf[TEXT_NUMBER];
    before_value(j);
    fputs_unlocked(isfinite(v) ? text_show_real(v, buf, sizeof(buf)) : "null", j->f);
}

void json_bool(struct json *j, bool v)
{
    before_value(j);
    fputs_unlocked(v ? "true" : "false", j->f);
}

void json_null(struct json *j)
{
    before_value(j);
    fputs_unlocked("null", j->f);
}
