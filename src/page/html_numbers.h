/*
 * html_numbers.h -- the numbers by which a page compares runs: columns of its tables.
 *
 * Taken from a result's JSON (docs/RESULTS.md); one that a result does not have is NAN, and its cell
 * empty.
 */
#ifndef PAGE_HTML_NUMBERS_H
#define PAGE_HTML_NUMBERS_H

#include "page/html_parts.h"
#include "store/store.h"

enum { N_MAIN = 9, MAIN_CYCLES = 0 };

struct html_numbers {
    double v[N_MAIN];
};

/* A number by its place in the JSON: ("total", "cycles"). */
double html_json_number(const struct json_value *run, const char *object, const char *key);
const char *html_json_text(const struct json_value *v, const char *key); /* "" if there is none */

struct html_numbers html_numbers_of(const struct json_value *run);
struct html_numbers html_numbers_none(void);
void html_numbers_columns(struct html *h);
void html_numbers_cells(struct html *h, const struct html_numbers *n);

/* A result of a store without its launches, to be freed; NULL and a message if there is none. */
struct json_value *html_result(struct store *st, const char *key, struct err *e);

#endif
