/* cmd_store.c -- smelt store: what finished runs there are, and taking them out */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/draft.h"
#include "cli/cli.h"
#include "cli/store_out.h"
#include "runs/point.h"

struct store_options {
    const char *what, *db, *out, *build;
    struct store_filter filter;
    struct store_metrics metric;
    VEC(const char *) key;
    bool full, json, yes;
};

static const char *const what_names[] = {"list", "show", "export", "prune"};

/* ---- what was asked for */

static bool is_what(const struct store_options *o, const char *what)
{
    return strcmp(o->what, what) == 0;
}

/* Digits of a key, unless a file is called so. */
static bool is_key(const char *word)
{
    size_t n = strlen(word);

    return n >= 4 && n < HASH_HEX && strspn(word, "0123456789abcdef") == n &&
           access(word, F_OK) != 0;
}

static int take_argument(struct store_options *o, struct cli_args *a, const char *word)
{
    if (!o->what)
        o->what = word;
    else if (is_key(word))
        *VEC_ADD(&o->key) = word;
    else if (o->db)
        return cli_misuse(a, "store takes one file, not also '%s'", word);
    else
        o->db = word;
    return 0;
}

static bool take_option(struct store_options *o, struct cli_args *a)
{
    const char *metric;

    if (cli_option(a, "--metric", &metric)) {
        *VEC_ADD(&o->metric) = metric;
        return true;
    }
    if (cli_flag(a, "--failed"))
        return o->filter.failed = true;
    if (cli_flag(a, "-v|--verbose"))
        return o->full = true;
    if (cli_flag(a, "--json"))
        return o->json = true;
    if (cli_flag(a, "--yes"))
        return o->yes = true;
    return cli_option(a, "--program", &o->filter.program) ||
           cli_option(a, "-g|--gpu", &o->filter.gpu) ||
           cli_option(a, "-m|--mech", &o->filter.mech) || cli_option(a, "--set", &o->filter.set) ||
           cli_option(a, "--build", &o->build) || cli_option(a, "--before", &o->filter.before) ||
           cli_option(a, "-o|--out", &o->out);
}

static bool is_date(const char *s)
{
    int year, month, day, n = 0;

    return sscanf(s, "%4d-%2d-%2d%n", &year, &month, &day, &n) == 3 && n == 10 && month >= 1 &&
           month <= 12 && day >= 1 && day <= 31 &&
           (!s[10] || (s[10] == 'T' && strspn(s + 11, "0123456789:Z") == strlen(s + 11)));
}

/* An option that would have no effect is a mistake. */
static const char *stray_option(const struct store_options *o)
{
    bool list = is_what(o, "list"), show = is_what(o, "show"), export = is_what(o, "export");
    bool prune = is_what(o, "prune");

    return o->full && !list               ? "--verbose"
           : o->json && !show             ? "--json"
           : o->yes && !prune             ? "--yes"
           : o->out && !export            ? "--out"
           : o->metric.n && !export       ? "--metric"
           : o->filter.before && show     ? "--before"
           : o->filter.failed && show     ? "--failed"
           : o->filter.program && show    ? "--program"
           : o->filter.gpu && show        ? "--gpu"
           : o->filter.mech && show       ? "--mech"
           : o->filter.set && show        ? "--set"
           : o->build && show             ? "--build"
           : o->key.n && (list || export) ? "a key"
                                          : NULL;
}

static int check_request(struct store_options *o, const struct cli_args *a)
{
    struct err e;
    const char *odd;
    u32 i = 0;

    if (!o->what)
        return cli_misuse(a, "store what? list, show, export or prune");
    while (i < LEN(what_names) && strcmp(what_names[i], o->what) != 0)
        i++;
    if (i == LEN(what_names)) {
        err_no_such(&e, o->what, what_names, LEN(what_names), "list, show, export or prune",
                    "store does not know '%s'", o->what);
        return err_tell(&e);
    }
    if ((odd = stray_option(o)))
        return cli_misuse(a, "store %s: %s is not for it", o->what, odd);
    if (!o->db)
        return cli_misuse(a, "store %s: which store? Name its file, such as out/store.db", o->what);
    if (o->filter.before && !is_date(o->filter.before))
        return cli_misuse(a, "--before: '%s' is not a date, such as 2025-12-31", o->filter.before);
    if (o->build && strcmp(o->build, "other") == 0)
        o->filter.not_build = point_build();
    else
        o->filter.build = o->build;
    return 0;
}

/* ---- each of them */

static bool list(struct store *s, const struct store_options *o, struct err *e)
{
    u32 n;

    return store_out_list(s, &o->filter, o->full, &n, e);
}

static bool show_run(struct store *s, const struct store_options *o, struct err *e)
{
    struct store_row r;
    char key[HASH_HEX];
    size_t len = 0;

    if (o->key.n != 1)
        return err_set(e, "store show takes one key, as smelt store list %s has them", o->db);
    if (!store_find_key(s, o->key.at[0], key, e))
        return false;
    if (o->json) {
        char *json = store_json(s, key, &len, e);

        if (json)
            fwrite(json, 1, len, stdout);
        free(json);
        return json != NULL;
    }
    if (!store_get(s, key, &r, e))
        return false;
    store_out_row(&r, stdout);
    store_row_free(&r);
    return true;
}

static bool write_out(struct store *s, const struct store_options *o, FILE *out, struct err *e)
{
    if (o->out && text_ends(o->out, ".jsonl"))
        return store_out_jsonl(s, &o->filter, out, e);
    return store_out_csv(s, &o->filter, &o->metric, out, e);
}

/* The file appears when it is whole. */
static bool write_export(struct store *s, const struct store_options *o, struct err *e)
{
    char *draft;
    FILE *f = draft_open(o->out, &draft);

    if (!f)
        return err_set(e, "%s: %s", o->out, strerror(errno));
    bool ok = write_out(s, o, f, e);
    int lock = draft_hold(f);
    bool full = ferror(f);

    full |= fclose(f) != 0;
    if (ok && (full || rename(draft, o->out) != 0))
        ok = err_set(e, "%s: %s", o->out, strerror(errno));
    if (!ok)
        unlink(draft);
    if (lock >= 0)
        close(lock);
    free(draft);
    return ok;
}

static bool export_to(struct store *s, const struct store_options *o, struct err *e)
{
    if (!o->out)
        return write_out(s, o, stdout, e);
    if (!text_ends(o->out, ".csv") && !text_ends(o->out, ".jsonl"))
        return err_set(e, "--out: '%s' is neither x.csv nor x.jsonl", o->out);
    if (o->metric.n && !text_ends(o->out, ".csv"))
        return err_set(e, "--metric is for a CSV file: %s has whole results", o->out);
    return write_export(s, o, e);
}

/* Those of one filter: shown, or removed. */
static bool prune_some(struct store *s, const struct store_options *o, const struct store_filter *f,
                       u64 *n, struct err *e)
{
    u64 some;
    u32 shown;

    if (o->yes && !store_prune(s, f, &some, e))
        return false;
    if (!o->yes && !store_out_list(s, f, false, &shown, e))
        return false;
    *n += o->yes ? some : shown;
    return true;
}

static bool has_filter(const struct store_options *o)
{
    const struct store_filter *f = &o->filter;

    return f->program || f->gpu || f->mech || f->set || f->build || f->not_build || f->before ||
           f->failed;
}

static bool prune_all(struct store *s, const struct store_options *o, u64 *n, struct err *e)
{
    struct store_filter f = o->filter;
    char key[HASH_HEX];

    if (!o->key.n)
        return prune_some(s, o, &f, n, e);
    f.key = key;
    for (u32 i = 0; i < o->key.n; i++)
        if (!store_find_key(s, o->key.at[i], key, e) || !prune_some(s, o, &f, n, e))
            return false;
    return true;
}

static bool prune_points(struct store *s, const struct store_options *o, struct err *e)
{
    u64 n = 0;

    if (!o->key.n && !has_filter(o))
        return err_set(e, "store prune: which points? Name keys, or --before, --build, --failed, "
                          "--program, --gpu, --mech, --set");
    if (!prune_all(s, o, &n, e))
        return false;
    fflush(stdout);
    const char *points = n == 1 ? "point" : "points";

    if (o->yes)
        printf("%" PRIu64 " %s removed\n", n, points);
    else
        fprintf(stderr, "%" PRIu64 " %s would be removed; --yes does it\n", n, points);
    return true;
}

static int act(const struct store_options *o)
{
    struct err e;
    bool write = is_what(o, "prune") && o->yes;
    struct store *s = access(o->db, F_OK) != 0 && errno == ENOENT
                          ? (err_set(&e, "%s: %s", o->db, strerror(ENOENT)), NULL)
                          : store_open(o->db, write ? STORE_WRITE : STORE_READ, &e);
    bool ok = s && (is_what(o, "list")     ? list(s, o, &e)
                    : is_what(o, "show")   ? show_run(s, o, &e)
                    : is_what(o, "export") ? export_to(s, o, &e)
                                           : prune_points(s, o, &e));

    store_close(s);
    return ok ? 0 : err_tell(&e);
}

int cmd_store(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct store_options o = {0};
    int status = 0;
    const char *word;

    while (!status && cli_more(&a)) {
        if (take_option(&o, &a))
            continue;
        status = cli_word(&a, &word) ? take_argument(&o, &a, word) : cli_unknown(&a);
    }
    if (a.failed)
        status = ERR_USER;
    if (!status)
        status = check_request(&o, &a);
    if (!status)
        status = act(&o);
    VEC_FREE(&o.key);
    VEC_FREE(&o.metric);
    return status;
}
