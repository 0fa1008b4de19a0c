#include "base/sheet.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

/* A value of any kind, on its way between text and a field. */
union value {
    u64 whole;
    double real;
    u32 word;
    const char *str;
    struct sheet_list list;
};

static bool is_text_key(const struct key *k)
{
    return k->kind == KEY_IS_STR || k->kind == KEY_IS_FILE;
}

static void *field(const struct key *k, const void *conf)
{
    return (char *)(uintptr_t)conf + k->off;
}

static void store_value(const struct key *k, void *conf, const union value *v)
{
    switch (k->kind) {
    case KEY_IS_INT:
    case KEY_IS_SIZE:
        *(u64 *)field(k, conf) = v->whole;
        break;
    case KEY_IS_REAL:
        *(double *)field(k, conf) = v->real;
        break;
    case KEY_IS_ENUM:
        *(u32 *)field(k, conf) = v->word;
        break;
    case KEY_IS_STR:
    case KEY_IS_FILE:
        *(const char **)field(k, conf) = v->str;
        break;
    case KEY_IS_LIST:
        *(struct sheet_list *)field(k, conf) = v->list;
        break;
    }
}

static void release_text(const struct key *k, void *conf)
{
    if (is_text_key(k)) {
        free(*(char **)field(k, conf));
    } else if (k->kind == KEY_IS_LIST) {
        struct sheet_list *l = field(k, conf);
        text_split_free(l->item, l->n);
    }
}

/* An address is written in hexadecimal by whoever wrote its default so. */
static const char *show_whole_key(const struct key *k, u64 v, char *buf, size_t size)
{
    if (k->kind == KEY_IS_SIZE)
        return text_show_size(v, buf, size);
    snprintf(buf, size, strncmp(k->def, "0x", 2) ? "%" PRIu64 : "0x%" PRIX64, v);
    return buf;
}

static const char *show_bound(const struct key *k, double v, char *buf, size_t size)
{
    if (k->kind == KEY_IS_REAL)
        return text_show_real(v, buf, size);
    return show_whole_key(k, (u64)v, buf, size);
}

const char *sheet_range(const struct key *k, char *buf, size_t size)
{
    char lo[TEXT_NUMBER], hi[TEXT_NUMBER];
    buf[0] = 0;
    if (k->kind == KEY_IS_ENUM)
        snprintf(buf, size, "%s", k->words);
    else if (!is_text_key(k) && k->kind != KEY_IS_LIST)
        snprintf(buf, size, "%s..%s", show_bound(k, k->min, lo, sizeof(lo)),
                 show_bound(k, k->max, hi, sizeof(hi)));
    return buf;
}

static bool outside(const struct key *k, const char *shown, struct err *e)
{
    char range[2 * TEXT_NUMBER + 2];
    bool unit = k->kind != KEY_IS_SIZE && k->unit[0];
    return err_set(e, "%s%s%s is outside %s", shown, unit ? " " : "", unit ? k->unit : "",
                   sheet_range(k, range, sizeof(range)));
}

static bool parse_whole(const struct key *k, const char *text, u64 *v, struct err *e)
{
    char buf[TEXT_NUMBER];
    if (k->kind == KEY_IS_SIZE && !text_parse_size(text, v))
        return err_set(e, "'%s' is not a size in bytes such as 4096, 48K or 2G", text);
    if (k->kind == KEY_IS_INT && !text_parse_u64(text, v))
        return err_set(e, "'%s' is not a whole number", text);
    if (*v >= (u64)k->min && *v <= (u64)k->max)
        return true;
    return outside(k, show_whole_key(k, *v, buf, sizeof(buf)), e);
}

static bool parse_real(const struct key *k, const char *text, double *v, struct err *e)
{
    if (!text_parse_real(text, v))
        return err_set(e, "'%s' is not a number", text);
    return (*v >= k->min && *v <= k->max) || outside(k, text, e);
}

enum { MAX_WORDS = 32, WORD_LEN = 32 };

/* "a|b|c" apart, so that words can be compared and suggested. */
static u32 split_words(const char *words, char word[][WORD_LEN], const char *ptr[])
{
    for (u32 n = 0;; n++) {
        size_t len = strcspn(words, "|");
        assert(n < MAX_WORDS && len < WORD_LEN);
        memcpy(word[n], words, len);
        word[n][len] = 0;
        ptr[n] = word[n];
        words += len;
        if (!*words++)
            return n + 1;
    }
}

static bool parse_enum(const struct key *k, const char *text, u32 *v, struct err *e)
{
    char word[MAX_WORDS][WORD_LEN];
    const char *ptr[MAX_WORDS];
    u32 n = split_words(k->words, word, ptr);
    for (*v = 0; *v < n; ++*v)
        if (strcmp(text, ptr[*v]) == 0)
            return true;
    return err_no_such(e, text, ptr, n, NULL, "'%s' is not one of %s", text, k->words);
}

static bool parse_list(const char *text, struct sheet_list *l, struct err *e)
{
    l->n = text_split(text, &l->item);
    for (u32 i = 0; i < l->n; i++) {
        if (l->item[i][0])
            continue;
        text_split_free(l->item, l->n);
        return err_set(e, "'%s' has an empty word between its commas", text);
    }
    return true;
}

static bool parse(const struct key *k, const char *text, union value *v, struct err *e)
{
    switch (k->kind) {
    case KEY_IS_INT:
    case KEY_IS_SIZE:
        return parse_whole(k, text, &v->whole, e);
    case KEY_IS_REAL:
        return parse_real(k, text, &v->real, e);
    case KEY_IS_ENUM:
        return parse_enum(k, text, &v->word, e);
    case KEY_IS_STR:
    case KEY_IS_FILE:
        v->str = text_dup(text);
        return true;
    case KEY_IS_LIST:
        return parse_list(text, &v->list, e);
    }
    return false;
}

/* A default outside its own range would be our mistake, so it ends the program. */
void sheet_defaults(const struct sheet *s, void *conf)
{
    for (u32 i = 0; i < s->n_key; i++) {
        union value v;
        struct err e;
        if (!parse(&s->key[i], s->key[i].def, &v, &e)) {
            fprintf(stderr, "smelt: default of %s.%s: %s\n", s->module, s->key[i].name, e.msg);
            abort();
        }
        store_value(&s->key[i], conf, &v);
    }
}

void sheet_free(const struct sheet *s, void *conf)
{
    union value none;
    memset(&none, 0, sizeof(none));
    for (u32 i = 0; i < s->n_key; i++) {
        release_text(&s->key[i], conf);
        store_value(&s->key[i], conf, &none);
    }
}

static struct sheet_list copy_list(const struct sheet_list *from)
{
    struct sheet_list to = {from->n, xcalloc(from->n, sizeof(char *))};
    for (u32 i = 0; i < from->n; i++)
        to.item[i] = text_dup(from->item[i]);
    return to;
}

void sheet_copy(const struct sheet *s, void *to, const void *from)
{
    for (u32 i = 0; i < s->n_key; i++) {
        const struct key *k = &s->key[i];
        const void *src = field(k, from);
        union value v;
        if (is_text_key(k))
            v.str = text_dup(*(const char *const *)src);
        else if (k->kind == KEY_IS_LIST)
            v.list = copy_list(src);
        else if (k->kind == KEY_IS_ENUM)
            v.word = *(const u32 *)src;
        else if (k->kind == KEY_IS_REAL)
            v.real = *(const double *)src;
        else
            v.whole = *(const u64 *)src;
        store_value(k, to, &v);
    }
}

const struct key *sheet_find(const struct sheet *s, const char *name)
{
    for (u32 i = 0; i < s->n_key; i++)
        if (strcmp(s->key[i].name, name) == 0)
            return &s->key[i];
    return NULL;
}

bool sheet_no_key(const struct sheet *s, const char *name, struct err *e)
{
    const char **names = xcalloc(s->n_key, sizeof(*names));
    for (u32 i = 0; i < s->n_key; i++)
        names[i] = s->key[i].name;
    err_no_such(e, name, names, s->n_key, "see smelt list keys", "%s.%s: no such key", s->module,
                name);
    free(names);
    return false;
}

bool sheet_set(const struct sheet *s, void *conf, const char *name, const char *text, struct err *e)
{
    const struct key *k = sheet_find(s, name);
    union value v;
    if (!k)
        return sheet_no_key(s, name, e);
    if (!parse(k, text, &v, e))
        return err_at(e, "%s.%s", s->module, name);
    release_text(k, conf);
    store_value(k, conf, &v);
    return true;
}

static const char *show_enum(const struct key *k, u32 v, char *buf, size_t size)
{
    char word[MAX_WORDS][WORD_LEN];
    const char *ptr[MAX_WORDS];
    u32 n = split_words(k->words, word, ptr);
    assert(v < n);
    snprintf(buf, size, "%s", v < n ? ptr[v] : "?");
    return buf;
}

static const char *show_list(const struct sheet_list *l, char *buf, size_t size)
{
    size_t n = 0;
    buf[0] = 0;
    for (u32 i = 0; i < l->n && n < size; i++)
        n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? "," : "", l->item[i]);
    return buf;
}

const char *sheet_show(const struct key *k, const void *conf, char *buf, size_t size)
{
    const void *src = field(k, conf);
    assert(size > 0);
    switch (k->kind) {
    case KEY_IS_INT:
    case KEY_IS_SIZE:
        return show_whole_key(k, *(const u64 *)src, buf, size);
    case KEY_IS_REAL:
        return text_show_real(*(const double *)src, buf, size);
    case KEY_IS_ENUM:
        return show_enum(k, *(const u32 *)src, buf, size);
    case KEY_IS_STR:
    case KEY_IS_FILE:
        snprintf(buf, size, "%s", *(const char *const *)src);
        break;
    case KEY_IS_LIST:
        return show_list(src, buf, size);
    }
    return buf;
}

/* ---- counters ---- */

static u64 counter(const void *stat, size_t off)
{
    u64 v;

    memcpy(&v, (const char *)stat + off, sizeof v);
    return v;
}

void sheet_add(const struct sheet *s, void *to, const void *from)
{
    for (u32 i = 0; i < s->n_stat; i++) {
        if (s->stat[i].over != STAT_NONE)
            continue;
        u64 sum = counter(to, s->stat[i].off) + counter(from, s->stat[i].off);

        memcpy((char *)to + s->stat[i].off, &sum, sizeof sum);
    }
}

void sheet_sub(const struct sheet *s, void *from, const void *what)
{
    for (u32 i = 0; i < s->n_stat; i++) {
        if (s->stat[i].over != STAT_NONE)
            continue;
        u64 rest = counter(from, s->stat[i].off) - counter(what, s->stat[i].off);

        memcpy((char *)from + s->stat[i].off, &rest, sizeof rest);
    }
}

double sheet_ratio(const struct sheet *s, const void *stat, const char *name)
{
    u32 i = 0;

    while (strcmp(s->stat[i].name, name))
        i++;
    u64 over = counter(stat, s->stat[i].over);

    return over ? (double)counter(stat, s->stat[i].off) / (double)over : 0;
}

/* A ratio with nothing to divide by is left out: there is no such number. */
void sheet_json(const struct sheet *s, const void *stat, const char *prefix, struct json *j)
{
    for (u32 i = 0; i < s->n_stat; i++) {
        const struct stat_row *r = &s->stat[i];
        u64 over = r->over == STAT_NONE ? 0 : counter(stat, r->over);

        if ((r->over != STAT_NONE && !over) || (r->rare && !counter(stat, r->off)))
            continue;
        char name[64];

        snprintf(name, sizeof(name), "%s%s", prefix, r->name);
        json_key(j, name);
        if (r->over == STAT_NONE)
            json_u64(j, counter(stat, r->off));
        else
            json_real(j, (double)counter(stat, r->off) / (double)over);
    }
}
