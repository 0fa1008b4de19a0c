/*
 * json_read.h -- reads JSON into a tree, strictly: RFC 8259, no more.
 *
 *     struct json_value *v = json_read("out.json", text, len, &e);
 *     const struct json_value *cycles = json_get(json_get(v, "total"), "cycles");
 *     json_free(v);
 *
 * What is wrong is told with line and column, "out.json:3:7: a value was expected".  At most
 * JSON_READ_DEPTH levels; a key may stand only once in an object.  The order of members is kept.
 */
#ifndef BASE_JSON_READ_H
#define BASE_JSON_READ_H

#include "base/base.h"
#include "base/err.h"
#include "base/text.h"

enum { JSON_READ_DEPTH = 64 };

enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

struct json_value {
    enum json_kind kind;
    char *key;     /* in an object, else NULL */
    char *text;    /* STRING: decoded; NUMBER: as written */
    double number; /* NUMBER */
    u32 n;         /* ARRAY, OBJECT */
    struct json_value *at;
};

/* path is for messages.  NULL and a message if the text is not one JSON value. */
struct json_value *json_read(const char *path, const char *text, size_t len, struct err *e);
struct json_value *json_read_file(const char *path, struct err *e);

/*
 * For files with a list that is too long to be held: the member `list` of the whole is read, but of
 * its entries (if it is an array) the tree has none, only their texts are found.  Each can be read
 * by json_read, and is JSON.
 */
struct json_slice {
    const char *at;
    size_t len;
};

struct json_slices {
    struct json_slice *at;
    u32 n, cap;
};

struct json_value *json_read_slices(const char *path, const char *text, size_t len,
                                    const char *list, struct json_slices *s, struct err *e);
void json_free(struct json_value *v);

/* The member of an object, NULL if v is none (NULL included) or has no such member. */
const struct json_value *json_get(const struct json_value *v, const char *key);

/* The member if it is a number. */
double json_number(const struct json_value *v, const char *key, double otherwise);

/* "total.ipc": member by member; a key with dots in it ("config.sm.n_warp") is found too. */
const struct json_value *json_find(const struct json_value *v, const char *path);

#endif
