/*
 * cmd_compare.c -- smelt compare: what differs between the results of two runs.
 *
 * Words (GPU, keys, mechanisms) come first, then totals, then all other numbers, the largest
 * relative change first.  What may differ between runs of the same thing (host, seconds, speed) is
 * never looked at.  If the runs are not of the same thing (program, arguments, build of smelt),
 * that is told on stderr.
 *
 * Launches are read one by one, from the files as they lie in the page cache: results can be larger
 * than memory.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_read.h"
#include "base/log.h"
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
    char *text[2];
    size_t len[2];
    bool mapped[2];
    struct json_value *tree[2]; /* without the launches */
    struct json_slices kernels[2];
    bool all, exact;
    VEC(struct row) row;
    bool words; /* some were shown */
};

/* The host's, not the simulated machine's. */
static bool is_of_host(const char *path)
{
    return strcmp(path, "host") == 0 || strcmp(path, "total.seconds") == 0 ||
           strcmp(path, "total.warp_insts_per_second") == 0;
}

/* Told as a warning, and not part of what came out. */
static bool is_of_run(const char *path)
{
    return strcmp(path, "build") == 0 || strcmp(path, "program.hash") == 0;
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

static const char *kernel_name(const struct json_value *kernel)
{
    const struct json_value *name = json_get(kernel, "name");
    return name && name->text ? name->text : "";
}

/* Launch i of one of the results, to be freed. */
static struct json_value *kernel(const struct compare *c, u32 which, u32 i)
{
    const struct json_slice *s = &c->kernels[which].at[i];
    struct err e;
    return json_read(c->path[which], s->at, s->len, &e); /* it has been read before */
}

/* False, and where they part, if the two runs have other launches here. */
static bool add_kernel(struct compare *c, u32 i)
{
    struct json_value *a = kernel(c, 0, i), *b = kernel(c, 1, i);
    bool same = strcmp(kernel_name(a), kernel_name(b)) == 0;
    if (same)
        add_row(c, text_printf("kernels[%u].cycles %s", i, kernel_name(a)), json_get(a, "cycles"),
                json_get(b, "cycles"));
    else
        printf("launch %u is %s in A and %s in B: launches are not compared\n", i + 1,
               kernel_name(a), kernel_name(b));
    json_free(a), json_free(b);
    return same;
}

static void add_kernels(struct compare *c)
{
    u32 a = c->kernels[0].n, b = c->kernels[1].n, before = c->row.n, i = 0;
    while (i < a && i < b && add_kernel(c, i))
        i++;
    if (i == a && i == b)
        return;
    if (i == a || i == b)
        printf("%u launches in A, %u in B: launches are not compared\n", a, b);
    while (c->row.n > before)
        free(c->row.at[--c->row.n].name);
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

static const char *show_rounded(double v, char *buf, size_t size)
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
        printf("%-*s %16s %16s %12s\n", width, r->name, show_rounded(r->a, a, sizeof(a)),
               show_rounded(r->b, b, sizeof(b)), show_change(r->change, change, sizeof(change)));
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

static bool tell_difference(const char *path, const struct json_value *a,
                            const struct json_value *b)
{
    char *x = show_value(a), *y = show_value(b);
    printf("%s: %.200s in A, %.200s in B\n", path[0] ? path : "the whole", x, y);
    free(x);
    free(y);
    return false;
}

static bool same_tree(struct compare *c, const char *path, const struct json_value *a,
                      const struct json_value *b);

static bool same_length(const char *path, u32 a, u32 b)
{
    if (a != b)
        printf("%s: %u entries in A, %u in B\n", path[0] ? path : "the whole", a, b);
    return a == b;
}

static bool same_kernel(struct compare *c, u32 i)
{
    const struct json_slice *x = &c->kernels[0].at[i], *y = &c->kernels[1].at[i];
    if (x->len == y->len && memcmp(x->at, y->at, x->len) == 0)
        return true;
    struct json_value *a = kernel(c, 0, i), *b = kernel(c, 1, i);
    char *name = text_printf("kernels[%u]", i);
    bool same = same_tree(c, name, a, b);
    json_free(a), json_free(b);
    free(name);
    return same;
}

static bool same_kernels(struct compare *c)
{
    for (u32 i = 0; i < c->kernels[0].n && i < c->kernels[1].n; i++)
        if (!same_kernel(c, i))
            return false;
    return same_length("kernels", c->kernels[0].n, c->kernels[1].n);
}

static bool same_member(struct compare *c, const char *path, const struct json_value *a,
                        const struct json_value *b, u32 i)
{
    bool object = a->kind == JSON_OBJECT;
    const char *key = object ? a->at[i].key : "";
    char *name = object ? text_printf("%s%s%s", path, path[0] ? "." : "", key)
                        : text_printf("%s[%u]", path, i);
    bool same;
    if (object && strcmp(key, b->at[i].key))
        same = tell_difference(name, &a->at[i], json_get(b, key));
    else if (strcmp(name, "kernels") == 0)
        same = same_kernels(c);
    else
        same = is_of_host(name) || is_of_run(name) || same_tree(c, name, &a->at[i], &b->at[i]);
    free(name);
    return same;
}

/* Shows the first difference. */
static bool same_tree(struct compare *c, const char *path, const struct json_value *a,
                      const struct json_value *b)
{
    bool text = a->text && b->text && strcmp(a->text, b->text) == 0;
    if (a->kind != b->kind || ((a->text || b->text) && !text))
        return tell_difference(path, a, b);
    for (u32 i = 0; i < a->n && i < b->n; i++)
        if (!same_member(c, path, a, b, i))
            return false;
    return same_length(path, a->n, b->n);
}

/* --- is it the same thing at all? --- */

static void warn_if(const char *what, char *a, char *b)
{
    if (strcmp(a, b))
        log_warn("the %s differ: %s in A, %s in B", what, a, b);
    free(a), free(b);
}

static char *program_of(const struct json_value *v)
{
    char *name = show_value(json_get(v, "name")), *hash = show_value(json_get(v, "hash"));
    char *text = text_printf("%s (%s)", name, hash);
    free(name), free(hash);
    return text;
}

static char *build_of(const struct json_value *v)
{
    const struct json_value *b = json_get(v, "build"), *dirty = json_get(b, "dirty");
    char *version = show_value(json_get(v, "smelt")), *commit = show_value(json_get(b, "commit"));
    char *text = text_printf("%s (%s%s)", version, commit,
                             dirty && dirty->kind == JSON_TRUE ? ", dirty" : "");
    free(version), free(commit);
    return text;
}

static char *args_of(const struct json_value *v)
{
    char *list = show_value(json_get(v, "args")), *text = text_printf("'%s'", list);
    free(list);
    return text;
}

static void warn_of_runs(const struct compare *c)
{
    const struct json_value *a = json_get(c->tree[0], "program"),
                            *b = json_get(c->tree[1], "program");
    warn_if("programs", program_of(a), program_of(b));
    warn_if("arguments", args_of(a), args_of(b));
    warn_if("builds of smelt", build_of(c->tree[0]), build_of(c->tree[1]));
}

/* --- the command --- */

/* A file is mapped, so that none of it has to be held; what is none (a pipe) is read. */
static bool open_text(struct compare *c, u32 i, struct err *e)
{
    struct stat st;
    int fd = open(c->path[i], O_RDONLY | O_CLOEXEC);
    bool regular = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size;
    void *p = regular ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    c->mapped[i] = p != MAP_FAILED;
    if (c->mapped[i])
        c->text[i] = p, c->len[i] = (size_t)st.st_size;
    else
        c->text[i] = text_read_file(c->path[i], &c->len[i], e);
    return c->text[i] != NULL;
}

static bool read_result(struct compare *c, u32 i, struct err *e)
{
    if (!open_text(c, i, e))
        return false;
    c->tree[i] = json_read_slices(c->path[i], c->text[i], c->len[i], "kernels", &c->kernels[i], e);
    if (!c->tree[i])
        return false;
    return json_get(c->tree[i], "total") ||
           err_set(e, "%s: not the result of smelt run: it has no \"total\"", c->path[i]);
}

static void free_result(struct compare *c, u32 i)
{
    json_free(c->tree[i]);
    VEC_FREE(&c->kernels[i]);
    if (c->mapped[i])
        munmap(c->text[i], c->len[i]);
    else
        free(c->text[i]);
}

static int compare(struct compare *c)
{
    struct err e;
    for (u32 i = 0; i < 2; i++)
        if (!read_result(c, i, &e))
            return err_tell(&e);
    warn_of_runs(c);
    if (c->exact)
        return same_tree(c, "", c->tree[0], c->tree[1]) ? 0 : EXIT_DIFFERENT;
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
    free_result(&c, 0);
    free_result(&c, 1);
    return status;
}
