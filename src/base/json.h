/*
 * json.h -- writes JSON as it goes: no tree, no limit on size.
 *
 *     struct json j;
 *     json_open_file(&j, "out.json", e);
 *     json_obj(&j);
 *     json_key(&j, "cycles"), json_u64(&j, 123);
 *     json_key(&j, "grid"), json_row(&j), json_u64(&j, 4), json_u64(&j, 1), json_arr_end(&j);
 *     json_obj_end(&j);
 *     json_close(&j, e);
 *
 * The same calls give the same bytes: two blanks per level, one entry a line
 * (json_row: an array on one line).  A failed write is remembered, the rest is
 * ignored, and json_close tells; calls in an order that is not JSON are assert()s.
 *
 * A file is written as PATH.PID.tmp (draft.h) and renamed when complete, so a reader never
 * sees half of one.  What is not a regular file (a pipe, /dev/stdout; "-" is
 * standard output) is written directly.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/base.h"
#include "base/err.h"

enum { JSON_DEPTH = 32 };

struct json {
    FILE *f;
    char *path, *tmp; /* of a file to be renamed, or NULL */
    char *buf;        /* of json_open_buf */
    size_t len;
    bool owned; /* f is ours to close */
    u32 depth;
    bool keyed; /* a key was written, its value is due */
    int why;    /* errno of the first write that failed, 0: none, or not known */
    struct {
        bool object, line, filled;
    } level[JSON_DEPTH + 1];
};

bool json_open_file(struct json *j, const char *path, struct err *e);
void json_open_stream(struct json *j, FILE *f); /* not closed by json_close */
void json_open_buf(struct json *j);
void json_open_after(struct json *j,
                     const struct json *from); /* a buffer that goes on from there */

/* Ends it, with a newline: false if anything could not be written.  Not for json_open_buf. */
bool json_close(struct json *j, struct err *e);
char *json_close_buf(struct json *j, size_t *len); /* the text, to be freed; len may be NULL */
char *json_cut_buf(struct json *j); /* the text so far: json_open_after goes on behind it */
void json_paste(struct json *j, const char *text); /* such a text, cut behind one entry */

void json_obj(struct json *j);
void json_obj_end(struct json *j);
void json_arr(struct json *j);
void json_row(struct json *j);
void json_arr_end(struct json *j);
void json_key(struct json *j, const char *name);

void json_str(struct json *j, const char *s); /* bytes that are not UTF-8 become U+FFFD */
void json_u64(struct json *j, u64 v);
void json_real(struct json *j, double v); /* what is not finite has no JSON: null */
void json_bool(struct json *j, bool v);
void json_null(struct json *j);

#endif
