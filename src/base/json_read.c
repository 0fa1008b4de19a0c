/* json_read.c -- see json_read.h: recursive descent, one function per rule of the grammar */
#include "base/json_read.h"

#include <string.h>

#include "base/text.h"

struct json_reader {
    const char *path, *text, *end, *at;
    struct err *e;
    const char *list; /* of the top: its entries go to slices, not into the tree; or NULL */
    struct json_slices *slices;
};

/* ---- where we are */

static bool fail_json(struct json_reader *r, const char *what)
{
    u32 line = 1, col = 1;

    for (const char *p = r->text; p < r->at; p++) {
        line += *p == '\n';
        col = *p == '\n' ? 1 : col + 1;
    }
    return err_set(r->e, "%s:%u:%u: %s", r->path, line, col, what);
}

static bool fail_at(struct json_reader *r, const char *at, const char *what)
{
    r->at = at;
    return fail_json(r, what);
}

static void skip_blanks(struct json_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n'))
        r->at++;
}

static bool take_char(struct json_reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

/* ---- strings */

static bool hex4(struct json_reader *r, u32 *v)
{
    *v = 0;
    for (u32 i = 0; i < 4; i++, r->at++) {
        static const char digits[] = "0123456789abcdef";
        char c = r->at < r->end ? *r->at : 0;
        const char *hit = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;

        if (!hit)
            return fail_json(r, "four hexadecimal digits were expected after \\u");
        *v = *v << 4 | (u32)(hit - digits);
    }
    return true;
}

static char *put_utf8(char *out, u32 c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6), *out++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *out++ = (char)(0xe0 | c >> 12), *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    } else {
        *out++ = (char)(0xf0 | c >> 18), *out++ = (char)(0x80 | (c >> 12 & 0x3f));
        *out++ = (char)(0x80 | (c >> 6 & 0x3f)), *out++ = (char)(0x80 | (c & 0x3f));
    }
    return out;
}

/* After "\u"; a pair of surrogates is one character. */
static bool unicode(struct json_reader *r, char **out)
{
    u32 c, low;

    if (!hex4(r, &c))
        return false;
    if (c >= 0xd800 && c < 0xdc00) {
        if (r->end - r->at < 2 || r->at[0] != '\\' || r->at[1] != 'u')
            return fail_json(r, "half of a surrogate pair");
        r->at += 2;
        if (!hex4(r, &low))
            return false;
        if (low < 0xdc00 || low > 0xdfff)
            return fail_json(r, "half of a surrogate pair");
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    } else if (c >= 0xdc00 && c < 0xe000) {
        return fail_json(r, "half of a surrogate pair");
    }
    if (!c)
        return fail_json(r, "a string with a 0 character");
    *out = put_utf8(*out, c);
    return true;
}

static bool escape(struct json_reader *r, char **out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = ++r->at < r->end ? *r->at : 0;
    const char *hit = c ? strchr(from, c) : NULL;

    if (!hit && c != 'u')
        return fail_json(r, "an unknown escape");
    r->at++;
    if (c == 'u')
        return unicode(r, out);
    *(*out)++ = to[hit - from];
    return true;
}

/* After its quote; the text is to be freed, NULL on failure. */
static char *read_string(struct json_reader *r)
{
    const char *close = r->at;

    while (close < r->end && *close != '"')
        close += *close == '\\' ? 2 : 1;
    if (close >= r->end) {
        fail_json(r, "a string without its end");
        return NULL;
    }
    char *text = xmalloc((size_t)(close - r->at) + 1), *out = text;

    while (r->at < close) {
        bool ok = true;

        if (*r->at == '\\')
            ok = escape(r, &out);
        else if ((u8)*r->at < ' ')
            ok = fail_json(r, "a control character in a string");
        else
            *out++ = *r->at++;
        if (!ok) {
            free(text);
            return NULL;
        }
    }
    r->at++;
    *out = 0;
    return text;
}

/* ---- numbers and words */

static u32 digits(struct json_reader *r)
{
    u32 n = 0;

    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
        n++;
    return n;
}

static bool one_of(struct json_reader *r, const char *set)
{
    if (r->at == r->end || !*r->at || !strchr(set, *r->at))
        return false;
    r->at++;
    return true;
}

static bool read_number(struct json_reader *r, struct json_value *v)
{
    const char *from = r->at;

    one_of(r, "-");
    const char *first = r->at;
    u32 n = digits(r);

    if (!n || (n > 1 && *first == '0'))
        return fail_at(r, from, n ? "a number that begins with 0" : "a value was expected");
    if (one_of(r, ".") && !digits(r))
        return fail_json(r, "digits were expected after the point");
    if (one_of(r, "eE")) {
        one_of(r, "+-");
        if (!digits(r))
            return fail_json(r, "digits were expected in the exponent");
    }
    locale_t old = text_c_locale();

    v->kind = JSON_NUMBER;
    v->text = text_dup_n(from, (size_t)(r->at - from));
    v->number = strtod(v->text, NULL);
    uselocale(old);
    return true;
}

static bool read_literal(struct json_reader *r, struct json_value *v)
{
    static const struct {
        const char *text;
        enum json_kind kind;
    } words[] = {{"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};

    for (u32 i = 0; i < LEN(words); i++) {
        size_t n = strlen(words[i].text);

        if ((size_t)(r->end - r->at) >= n && memcmp(r->at, words[i].text, n) == 0) {
            r->at += n;
            v->kind = words[i].kind;
            return true;
        }
    }
    return read_number(r, v);
}

/* ---- arrays and objects */

static bool value(struct json_reader *r, struct json_value *v, u32 depth);

static void clear_value(struct json_value *v)
{
    for (u32 i = 0; i < v->n; i++)
        clear_value(&v->at[i]);
    free(v->key), free(v->text), free(v->at);
}

struct members {
    struct json_value *at;
    u32 n, cap;
};

static struct json_value *add_value(struct members *m)
{
    struct json_value *v = VEC_ADD(m);

    *v = (struct json_value){0};
    return v;
}

static bool array(struct json_reader *r, struct members *m, u32 depth)
{
    if (take_char(r, ']'))
        return true;
    do
        if (!value(r, add_value(m), depth + 1))
            return false;
    while (take_char(r, ','));
    return take_char(r, ']') || fail_json(r, "',' or ']' was expected");
}

static bool is_list(const struct json_reader *r, const char *key, u32 depth)
{
    return depth == 0 && r->list && strcmp(key, r->list) == 0 && r->at < r->end && *r->at == '[';
}

/* One that is only to be found; it must be right all the same. */
static bool slice(struct json_reader *r)
{
    struct json_value v = {0};

    skip_blanks(r);
    const char *from = r->at;
    bool ok = value(r, &v, 2);

    clear_value(&v);
    if (ok)
        *VEC_ADD(r->slices) = (struct json_slice){from, (size_t)(r->at - from)};
    return ok;
}

static bool slices(struct json_reader *r)
{
    take_char(r, '[');
    if (take_char(r, ']'))
        return true;
    do
        if (!slice(r))
            return false;
    while (take_char(r, ','));
    return take_char(r, ']') || fail_json(r, "',' or ']' was expected");
}

static bool read_member(struct json_reader *r, struct members *m, u32 depth)
{
    if (!take_char(r, '"'))
        return fail_json(r, "the name of a member was expected, in quotes");
    struct json_value *v = add_value(m);

    v->key = read_string(r);
    if (!v->key)
        return false;
    if (!take_char(r, ':'))
        return fail_json(r, "':' was expected");
    skip_blanks(r);
    if (!is_list(r, v->key, depth))
        return value(r, v, depth + 1);
    v->kind = JSON_ARRAY;
    return slices(r);
}

static int by_key(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool keys_differ(struct json_reader *r, const struct members *m)
{
    char **key = xmalloc((m->n + 1) * sizeof key[0]), what[128];
    const char *twice = NULL;

    for (u32 i = 0; i < m->n; i++)
        key[i] = m->at[i].key;
    qsort(key, m->n, sizeof key[0], by_key);
    for (u32 i = 1; i < m->n && !twice; i++)
        twice = strcmp(key[i - 1], key[i]) == 0 ? key[i] : NULL;
    snprintf(what, sizeof what, "the object that ends here has '%.80s' twice", twice ? twice : "");
    free(key);
    return !twice || fail_json(r, what);
}

static bool object(struct json_reader *r, struct members *m, u32 depth)
{
    if (take_char(r, '}'))
        return true;
    do
        if (!read_member(r, m, depth))
            return false;
    while (take_char(r, ','));
    return (take_char(r, '}') || fail_json(r, "',' or '}' was expected")) && keys_differ(r, m);
}

static bool value(struct json_reader *r, struct json_value *v, u32 depth)
{
    struct members m = {0};
    bool ok;

    skip_blanks(r);
    if (depth > JSON_READ_DEPTH)
        return fail_json(r, "too many levels");
    if (take_char(r, '"')) {
        v->kind = JSON_STRING;
        return (v->text = read_string(r)) != NULL;
    }
    if (take_char(r, '['))
        v->kind = JSON_ARRAY, ok = array(r, &m, depth);
    else if (take_char(r, '{'))
        v->kind = JSON_OBJECT, ok = object(r, &m, depth);
    else
        return read_literal(r, v);
    v->n = m.n, v->at = m.at;
    return ok;
}

/* ---- the whole */

static struct json_value *read_value(struct json_reader *r)
{
    struct json_value *v = xcalloc(1, sizeof *v);
    bool ok = value(r, v, 0);

    skip_blanks(r);
    if (ok && r->at < r->end)
        ok = fail_json(r, "something follows the value");
    if (ok)
        return v;
    json_free(v);
    return NULL;
}

struct json_value *json_read(const char *path, const char *text, size_t len, struct err *e)
{
    struct json_reader r = {path, text, text + len, text, e, NULL, NULL};

    return read_value(&r);
}

struct json_value *json_read_slices(const char *path, const char *text, size_t len,
                                    const char *list, struct json_slices *s, struct err *e)
{
    struct json_reader r = {path, text, text + len, text, e, list, s};

    return read_value(&r);
}

struct json_value *json_read_file(const char *path, struct err *e)
{
    size_t len;
    char *text = text_read_file(path, &len, e);
    struct json_value *v = text ? json_read(path, text, len, e) : NULL;

    free(text);
    return v;
}

void json_free(struct json_value *v)
{
    if (!v)
        return;
    clear_value(v);
    free(v);
}

const struct json_value *json_get(const struct json_value *v, const char *key)
{
    if (!v || v->kind != JSON_OBJECT)
        return NULL;
    for (u32 i = 0; i < v->n; i++)
        if (strcmp(v->at[i].key, key) == 0)
            return &v->at[i];
    return NULL;
}

double json_number(const struct json_value *v, const char *key, double otherwise)
{
    const struct json_value *m = json_get(v, key);
    return m && m->kind == JSON_NUMBER ? m->number : otherwise;
}

const struct json_value *json_find(const struct json_value *v, const char *path)
{
    const struct json_value *found = json_get(v, path);
    for (u32 i = 0; !found && v && v->kind == JSON_OBJECT && i < v->n; i++) {
        size_t n = strlen(v->at[i].key);
        if (strncmp(v->at[i].key, path, n) == 0 && path[n] == '.')
            found = json_find(&v->at[i], path + n + 1);
    }
    return found;
}
