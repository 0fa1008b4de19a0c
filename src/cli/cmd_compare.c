/*
 * cmd_compare.c -- smelt compare: what differs between the results of two runs.
 *
 * Words (GPU, keys, mechanisms) come first, then totals, then all other numbers, the largest
 * relative change first.  What may differ between runs of the same thing (host, seconds, speed) is
 * never looked at.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"
#include "base/text.h"
#include "cli/cli.h"

enum { SHOWN = 40, EXIT_DIFFERENT = 1 };

struct row {
    char *name;
    double a, b;
    double change; /* relative; infinite if only one of them is 0 */
};

struct compare {
    const char *path[2];
    struct json_value *tree[2];
    bool all, exact;
    VEC(struct row) row;
    bool words; /* some were shown */
};

/* The host's, not the simulated machine's. */
static bool is_of_host(const char *path)
{
    return strcmp(path, "host") == 0 || strcmp(path, "total.seconds") == 0 ||
           strcmp(path, "total.cpu_seconds") == 0 ||
           strcmp(path, "total.warp_insts_per_second") == 0;
}

/* --- numbers --- */

static double change_of(double a, double b)
{
    if (a == b)
        return 0;
    return a != 0 ? (b - a) / fabs(a) : INFINITY;
}

static void add_row(struct compare *c, char *name, const struct json_value *a,
                    const struct json_value *b)
{
    double x = a && a->kind == JSON_NUMBER ? a->number : 0;
    double y = b && b->kind == JSON_NUMBER ? b->number : 0;
    bool is_row = (a && a->kind == JSON_NUMBER) || (b && b->kind == JSON_NUMBER);
    if (!is_row || (x == y && !c->all)) {
        free(name);
        return;
    }
    *VEC_ADD(&c->row) = (struct row){name, x, y, change_of(x, y)};
}

/* Members of the objects of that name; a counter that one of them lacks is 0 there. */
static void add_members(struct compare *c, const char *object)
{
    const struct json_value *a = json_get(c->tree[0], object), *b = json_get(c->tree[1], object);
    for (u32 i = 0; a && i < a->n; i++) {
        char *name = text_printf("%s.%s", object, a->at[i].key);
        if (is_of_host(name))
            free(name);
        else
            add_row(c, name, &a->at[i], json_get(b, a->at[i].key));
    }
    for (u32 i = 0; b && i < b->n; i++)
        if (!json_get(a, b->at[i].key))
            add_row(c, text_printf("%s.%s", object, b->at[i].key), NULL, &b->at[i]);
}

static const char *name_of(const struct json_value *kernel)
{
    const struct json_value *name = json_get(kernel, "name");
    return name && name->text ? name->text : "";
}

/* Do the two runs have the same launches?  If not, says where they part. */
static bool same_kernels(const struct json_value *a, const struct json_value *b)
{
    u32 n = a && b ? min_u32(a->n, b->n) : 0;
    for (u32 i = 0; i < n; i++)
        if (strcmp(name_of(&a->at[i]), name_of(&b->at[i]))) {
            printf("launch %u is %s in A and %s in B: launches are not compared\n", i + 1,
                   name_of(&a->at[i]), name_of(&b->at[i]));
            return false;
        }
    if (!a || !b || a->n != b->n) {
        printf("%u launches in A, %u in B: launches are not compared\n", a ? a->n : 0,
               b ? b->n : 0);
        return false;
    }
    return true;
}

static void add_kernels(struct compare *c)
{
    const struct json_value *a = json_get(c->tree[0], "kernels"),
                            *b = json_get(c->tree[1], "kernels");
    if (!same_kernels(a, b))
        return;
    for (u32 i = 0; i < a->n; i++)
        add_row(c, text_printf("kernels[%u].cycles %s", i, name_of(&a->at[i])),
                json_get(&a->at[i], "cycles"), json_get(&b->at[i], "cycles"));
}

/* Totals first, then the largest change. */
static int by_change(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    bool s = strncmp(x->name, "total.", 6) == 0, t = strncmp(y->name, "total.", 6) == 0;
    if (s != t)
        return s ? -1 : 1;
    double p = fabs(x->change), q = fabs(y->change);
    if (p != q)
        return p > q ? -1 : 1;
    if (isinf(p) && fabs(x->b - x->a) != fabs(y->b - y->a))
        return fabs(x->b - x->a) > fabs(y->b - y->a) ? -1 : 1;
    return strcmp(x->name, y->name);
}

static const char *show_change(double change, char *buf, size_t size)
{
    if (isinf(change))
        return "new";
    double percent = 100 * change;
    if (percent == 0)
        return "=";
    snprintf(buf, size, fabs(percent) < 0.005 ? "%+.1e %%" : "%+.2f %%", percent);
    return buf;
}

static const char *show_number(double v, char *buf, size_t size)
{
    if (v == floor(v) && fabs(v) < 1e15)
        snprintf(buf, size, "%.0f", v);
    else
        snprintf(buf, size, "%.6g", v);
    return buf;
}

static void print_rows(struct compare *c)
{
    u32 n = c->all ? c->row.n : min_u32(c->row.n, SHOWN);
    int width = 4;
    if (c->row.n)
        qsort(c->row.at, c->row.n, sizeof(c->row.at[0]), by_change);
    for (u32 i = 0; i < n; i++)
        width = (int)strlen(c->row.at[i].name) > width ? (int)strlen(c->row.at[i].name) : width;
    if (n)
        printf("%-*s %16s %16s %12s\n", width, "name", "A", "B", "change");
    for (u32 i = 0; i < n; i++) {
        const struct row *r = &c->row.at[i];
        char a[64], b[64], change[64];
        printf("%-*s %16s %16s %12s\n", width, r->name, show_number(r->a, a, sizeof(a)),
               show_number(r->b, b, sizeof(b)), show_change(r->change, change, sizeof(change)));
    }
    if (n < c->row.n)
        printf(".. and %u more (--all shows them)\n", c->row.n - n);
    if (!c->row.n && !c->words)
        puts("no difference");
}

/* --- words --- */

/* One value as text: what a list holds, with commas. */
static char *show_value(const struct json_value *v)
{
    static const char *const words[] = {
        [JSON_NULL] = "null", [JSON_FALSE] = "false", [JSON_TRUE] = "true"};
    if (!v)
        return text_dup("-");
    if (v->text)
        return text_dup(v->text);
    if (v->kind <= JSON_TRUE)
        return text_dup(words[v->kind]);
    char *all = text_dup("");
    for (u32 i = 0; i < v->n; i++) {
        char *one = show_value(&v->at[i]);
        char *more = text_printf("%s%s%s", all, i ? "," : "", one);
        free(one);
        free(all);
        all = more;
    }
    return all;
}

static void print_words(struct compare *c, const char *name, const struct json_value *a,
                        const struct json_value *b)
{
    char *x = show_value(a), *y = show_value(b);
    bool same = strcmp(x, y) == 0;
    if (!same || c->all)
        printf("%-28s %s%s%s\n", name, x, same ? "" : " -> ", same ? "" : y);
    c->words |= !same;
    free(x);
    free(y);
}

static void compare_words(struct compare *c)
{
    static const char *const top[] = {"smelt", "gpu", "functional", "status", "mechanisms"};
    const struct json_value *a = json_get(c->tree[0], "config"),
                            *b = json_get(c->tree[1], "config");
    for (u32 i = 0; i < LEN(top); i++)
        print_words(c, top[i], json_get(c->tree[0], top[i]), json_get(c->tree[1], top[i]));
    for (u32 i = 0; a && i < a->n; i++)
        print_words(c, a->at[i].key, &a->at[i], json_get(b, a->at[i].key));
    for (u32 i = 0; b && i < b->n; i++)
        if (!json_get(a, b->at[i].key))
            print_words(c, b->at[i].key, NULL, &b->at[i]);
}

/* --- exactly the same --- */

static bool tell(const char *path, const struct json_value *a, const struct json_value *b)
{
    char *x = show_value(a), *y = show_value(b);
    printf("%s: %.200s in A, %.200s in B\n", path[0] ? path : "the whole", x, y);
    free(x);
    free(y);
    return false;
}

static bool same_tree(const char *path, const struct json_value *a, const struct json_value *b);

static bool same_member(const char *path, const struct json_value *a, const struct json_value *b,
                        u32 i)
{
    bool object = a->kind == JSON_OBJECT;
    const char *key = object ? a->at[i].key : "";
    char *name = object ? text_printf("%s%s%s", path, path[0] ? "." : "", key)
                        : text_printf("%s[%u]", path, i);
    bool same;
    if (object && strcmp(key, b->at[i].key))
        same = tell(name, &a->at[i], json_get(b, key));
    else
        same = is_of_host(name) || same_tree(name, &a->at[i], &b->at[i]);
    free(name);
    return same;
}

/* Shows the first difference. */
static bool same_tree(const char *path, const struct json_value *a, const struct json_value *b)
{
    bool text = a->text && b->text && strcmp(a->text, b->text) == 0;
    if (a->kind != b->kind || ((a->text || b->text) && !text))
        return tell(path, a, b);
    for (u32 i = 0; i < a->n && i < b->n; i++)
        if (!same_member(path, a, b, i))
            return false;
    if (a->n == b->n)
        return true;
    printf("%s: %u entries in A, %u in B\n", path[0] ? path : "the whole", a->n, b->n);
    return false;
}

/* --- the command --- */

static bool read_result(const char *path, struct json_value **v, struct err *e)
{
    *v = json_read_file(path, e);
    if (!*v)
        return false;
    return json_get(*v, "total") ||
           err_set(e, "%s: not the result of smelt run: it has no \"total\"", path);
}

static int compare(struct compare *c)
{
    struct err e;
    for (u32 i = 0; i < 2; i++)
        if (!read_result(c->path[i], &c->tree[i], &e))
            return cli_fail(&e);
    if (c->exact)
        return same_tree("", c->tree[0], c->tree[1]) ? 0 : EXIT_DIFFERENT;
    compare_words(c);
    add_members(c, "total");
    add_members(c, "stats");
    add_members(c, "stalls");
    add_kernels(c);
    print_rows(c);
    return 0;
}

static int parse_and_compare(struct compare *c, struct cli_args *a)
{
    const char *word;
    u32 n = 0;
    while (cli_more(a)) {
        if (cli_flag(a, "--all"))
            c->all = true;
        else if (cli_flag(a, "--exact"))
            c->exact = true;
        else if (!cli_word(a, &word))
            return cli_unknown(a);
        else if (n == 2)
            return cli_misuse(a, "compare takes two files, not also '%s'", word);
        else
            c->path[n++] = word;
    }
    if (a->failed)
        return ERR_USER;
    return n == 2 ? compare(c) : cli_misuse(a, "compare takes two files, %u given", n);
}

int cmd_compare(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct compare c = {0};
    int status = parse_and_compare(&c, &a);
    for (u32 i = 0; i < c.row.n; i++)
        free(c.row.at[i].name);
    VEC_FREE(&c.row);
    json_free(c.tree[0]);
    json_free(c.tree[1]);
    return status;
}
