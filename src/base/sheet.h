/*
 * sheet.h -- a module's data sheet: the keys it reads and the counters it keeps.
 *
 * A sheet is written once, in <module>.def, and becomes a plain struct (so that
 * code says conf->n_warp and st->issued++) and a table (so that the parser, the
 * range check, `smelt explain`, JSON and the generated pages need no other list).
 *
 * Rows of a .def file:
 *
 *     KEY_INT(name, default, min, max, unit, doc)       u64
 *     KEY_SIZE(name, "16K", min, max, doc)              u64, bytes; K M G suffixes
 *     KEY_REAL(name, default, min, max, unit, doc)      double
 *     KEY_ENUM(name, "default", "a|b|c", doc)           u32, index of the chosen word
 *     KEY_STR(name, "default", doc)                     const char *, owned by the conf
 *     KEY_FILE(name, "default", "kind", doc)            the same; names conf/KIND/NAME.conf, or is a
 *                                                       path (conf_dir.h)
 *     KEY_LIST(name, "default", doc)                    struct sheet_list, comma separated words
 *     STAT(name, unit, doc)                             u64, only counts up
 *     STAT_RARE(name, unit, doc)                        the same; results leave it out while it is 0
 *     RATIO(name, numerator, denominator, unit, doc)    two STATs divided
 *
 * See ptx/ptx.def for a sheet and ptx/ptx_conf.{h,c} for how one is declared:
 *
 *     #define SHEET_DEF "mem/mem.def"              in the header; counters likewise make a
 *     struct mem_conf {                            struct mem_stat with base/sheet_stats.inc
 *     #include "base/sheet_fields.inc"
 *     };
 *     extern const struct sheet mem_sheet;
 *
 *     #define SHEET mem                            in the source file
 *     #define SHEET_DEF "mem/mem.def"
 *     #define SHEET_DOC "device memory"
 *     #include "base/sheet_table.inc"
 */
#ifndef BASE_SHEET_H
#define BASE_SHEET_H

#include <stdio.h>

#include "base/base.h"
#include "base/err.h"

enum key_kind {
    KEY_IS_INT,
    KEY_IS_SIZE,
    KEY_IS_REAL,
    KEY_IS_ENUM,
    KEY_IS_STR,
    KEY_IS_FILE,
    KEY_IS_LIST
};

struct json;

struct sheet_list {
    u32 n;
    char **item;
};

struct key {
    enum key_kind kind;
    const char *name;
    size_t off;
    const char *def; /* the default, as a user would write it */
    double min, max; /* INT, SIZE, REAL: inclusive; whole numbers up to 2^53 */
    const char *unit;
    const char *words; /* ENUM: "a|b|c"; FILE: the kind */
    const char *doc;
};

struct stat_row {
    const char *name;
    size_t off, over; /* a ratio divides off by over; a counter has over == STAT_NONE */
    const char *unit, *doc;
    bool rare;
};
#define STAT_NONE ((size_t)-1)

struct sheet {
    const char *module, *doc;
    const struct key *key;
    u32 n_key;
    const struct stat_row *stat;
    u32 n_stat;
};

void sheet_defaults(const struct sheet *s, void *conf);
void sheet_free(const struct sheet *s, void *conf);                    /* strings and lists */
void sheet_copy(const struct sheet *s, void *to, const void *from);    /* deep */
const struct key *sheet_find(const struct sheet *s, const char *name); /* or NULL */

/* "sm.n_warp: 65 warps is outside 1..64" and the like on failure. */
bool sheet_set(const struct sheet *s, void *conf, const char *name, const char *text,
               struct err *e);

/* "sm.n_wrap: no such key; did you mean n_warp?"; always false. */
bool sheet_no_key(const struct sheet *s, const char *name, struct err *e);

/* What a value may be, "1..64" or "off|on" ("" if anything); returns buf. */
const char *sheet_range(const struct key *k, char *buf, size_t size);

/* The value as a user would write it; returns buf. */
const char *sheet_show(const struct key *k, const void *conf, char *buf, size_t size);

/*
 * Counters of a sheet: one set added to another, taken from it; all of it, ratios too, as members of a JSON
 * object, `prefix` before each name.
 */
void sheet_add(const struct sheet *s, void *to, const void *from);
void sheet_sub(const struct sheet *s, void *from, const void *what);
double sheet_ratio(const struct sheet *s, const void *stat, const char *name); /* 0 if by nothing */
void sheet_json(const struct sheet *s, const void *stat, const char *prefix, struct json *j);

#endif
