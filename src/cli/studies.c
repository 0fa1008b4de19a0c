/* studies.c -- see studies.h */
#include "cli/studies.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "cluster/slurm.h"
#include "page/html.h"

/* ---- options */

/* `--slurm` alone, --slurm=OPTIONS, or OPTIONS in the next word: one that begins with '-' and has a blank. */
static bool slurm_option(struct studies_options *o, struct cli_args *a)
{
    if (cli_flag(a, "--slurm")) {
        const char *next = a->at < a->argc ? a->argv[a->at] : "x";
        bool is_value = !next[0] || (next[0] == '-' && strchr(next, ' '));

        o->slurm = is_value ? next : "";
        a->at += is_value;
        return true;
    }
    return cli_option(a, "--slurm", &o->slurm);
}

bool studies_option(struct studies_options *o, struct cli_args *a)
{
    const char *define;

    if (cli_flag(a, "--quick"))
        return o->quick = true;
    if (cli_flag(a, "--large"))
        return o->large = true;
    if (cli_flag(a, "--dry-run"))
        return o->dry_run = true;
    if (cli_flag(a, "--retry"))
        return o->run.retry = true;
    if (cli_option(a, "-D", &define)) {
        *VEC_ADD(&o->define) = define;
        return true;
    }
    return cli_option(a, "-o|--out", &o->dir) || cli_option(a, "--store", &o->store) ||
           cli_option(a, "-j|--jobs", &o->jobs_text) ||
           cli_option(a, "--limit-time", &o->time_text) ||
           cli_option(a, "--limit-memory", &o->memory_text) || slurm_option(o, a);
}

/* "90", "90s", "10m", "2h" */
static bool parse_time(const char *text, u64 *seconds)
{
    static const struct {
        char unit;
        u64 seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
    size_t n = strlen(text);
    u64 unit = 1;

    for (u32 i = 0; i < LEN(units) && n; i++)
        if (text[n - 1] == units[i].unit)
            unit = units[i].seconds;
    bool has_unit = n && strchr("smh", text[n - 1]);
    char *digits = text_dup_n(text, n - has_unit);
    bool ok = text_parse_u64(digits, seconds) && *seconds >= 1 && *seconds <= 100000000;

    free(digits);
    *seconds *= unit;
    return ok;
}

static bool is_lua_name(const char *s, size_t n)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

    return n && strspn(s, letters) >= n && (s[0] < '0' || s[0] > '9');
}

static bool check_defines(const struct studies_options *o, const struct cli_args *a)
{
    for (u32 i = 0; i < o->define.n; i++) {
        const char *text = o->define.at[i], *equals = strchr(text, '=');

        if (!equals || !is_lua_name(text, (size_t)(equals - text)))
            return cli_misuse(a, "-D %s: it takes NAME=VALUE", text), false;
        if (strncmp(text, "quick=", 6) == 0 || strncmp(text, "large=", 6) == 0)
            return cli_misuse(a, "-D %s: --%.5s says that", text, text), false;
    }
    return true;
}

static u32 cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n > 0 ? (u32)n : 1;
}

bool studies_check(struct studies_options *o, const struct cli_args *a)
{
    u64 n = cores();

    if (o->quick && o->large)
        return cli_misuse(a, "--quick has small inputs, --large has large ones"), false;
    if (o->jobs_text && (!text_parse_u64(o->jobs_text, &n) || n < 1 || n > 1024))
        return cli_misuse(a, "-j: '%s' is not a number of runs from 1 to 1024", o->jobs_text),
               false;
    o->run.jobs = (u32)n;
    if (o->time_text && !parse_time(o->time_text, &o->run.seconds))
        return cli_misuse(a, "--limit-time: '%s' is no time such as 90, 10m or 2h", o->time_text),
               false;
    if (o->memory_text && (!text_parse_size(o->memory_text, &o->run.bytes) || !o->run.bytes))
        return cli_misuse(a, "--limit-memory: '%s' is no size such as 500M or 4G", o->memory_text),
               false;
    return check_defines(o, a);
}

void studies_free(struct studies_options *o)
{
    VEC_FREE(&o->define);
    VEC_FREE(&o->programs);
    allow_free(&o->allow);
}

struct study *studies_load(struct studies_options *o, const char *path, struct err *e)
{
    const struct study_options so = {o->quick, o->large, o->define.at, o->define.n, &o->allow};

    for (u32 i = 0; i < o->programs.n; i++)
        if (!allow_add(&o->allow, o->programs.at[i], e))
            return NULL;

    return study_load(path, &so, e);
}

/* ---- runs */

static char *store_file(const struct studies_options *o)
{
    return o->store ? text_dup(o->store) : text_printf("%s/store.db", o->dir);
}

/* What would run, one point a line; nothing is made. */
static int say_plan(const struct study *s, const char *path)
{
    struct err e;
    struct store *st = access(path, F_OK) == 0 ? store_open(path, STORE_READ, &e) : NULL;
    u32 n = 0;

    if (!st && access(path, F_OK) == 0)
        return err_tell(&e);
    for (u32 i = 0; i < s->point.n; i++) {
        static const char *const word[] = {
            [STORE_NONE] = "run", [STORE_DONE] = "there", [STORE_FAILED] = "failed"};
        enum store_state state = st ? store_state(st, s->point.at[i].key) : STORE_NONE;
        char *text = point_text(&s->point.at[i]);

        n += state == STORE_NONE;
        printf("%-6s  %s\n", word[state], text);
        free(text);
    }
    store_close(st);
    log_note("%u of %u runs are to be made", n, s->point.n);
    return 0;
}

/* Those that failed some other time: what fails now is told when it does. */
static void list_failed(const struct study *s, struct store *st)
{
    for (u32 i = 0; i < s->point.n; i++) {
        struct store_row r;
        struct err e;

        if (store_state(st, s->point.at[i].key) != STORE_FAILED ||
            !store_get(st, s->point.at[i].key, &r, &e))
            continue;
        char *text = point_text(&s->point.at[i]);
        const char *message = r.message ? r.message : "";

        log_note("failed before: %s: %.*s", text, (int)strcspn(message, "\n"), message);
        free(text);
        store_row_free(&r);
    }
}

/* No mistake: its input may be too small for it.  But it has no value. */
static void list_absent(const struct study *s)
{
    for (u32 i = 0; i < s->absent.n; i++)
        log_note("not launched: %s; its cells are empty", s->absent.at[i]);
}

static bool run_points(const struct studies_options *o, const struct study *s, struct store *st,
                       struct runner_result *r, struct err *e)
{
    const struct slurm_options so = {o->slurm, o->jobs_text ? o->run.jobs : 0, o->run};

    if (o->slurm)
        return slurm_run(st, o->dir, s->point.at, s->point.n, &so, r, e);
    return runner_run(st, s->point.at, s->point.n, &o->run, r, e);
}

static bool write_results(const struct studies_options *o, struct study *s, const struct sweep *w,
                          struct store *st, struct err *e)
{
    bool ok = w ? sweep_evaluate(w, s, st, e) : study_evaluate(s, st, e);

    return ok && study_write(s, o->dir, e) && html_write(s, st, o->dir, e);
}

static int run_and_show(const struct studies_options *o, struct study *s, const struct sweep *w,
                        struct store *st, bool *whole)
{
    struct runner_result r = {0};
    struct err e;

    if (!o->run.retry)
        list_failed(s, st);
    if (!run_points(o, s, st, &r, &e))
        return err_tell(&e);
    if (r.stopped) {
        log_warn("stopped: %u of %u runs are there; the same command goes on", r.there + r.done,
                 s->point.n);
        return ERR_PROGRAM;
    }
    if (!write_results(o, s, w, st, &e))
        return err_tell(&e);
    list_absent(s);
    log_note("%u runs made, %u were there, %u failed; %s/report.html", r.done, r.there, r.failed,
             o->dir);
    *whole = true;
    return r.failed ? ERR_PROGRAM : 0;
}

int studies_run(const struct studies_options *o, struct study *s, const struct sweep *w,
                bool *whole)
{
    struct err e;
    char *path = store_file(o);
    int status = 0;

    *whole = false;
    if (o->dry_run) {
        status = say_plan(s, path);
    } else if (mkdir(o->dir, 0777) != 0 && errno != EEXIST) {
        err_set(&e, "%s: %s", o->dir, strerror(errno));
        status = err_tell(&e);
    } else {
        struct store *st = store_open(path, STORE_WRITE, &e);

        if (st)
            log_note("%s: %u runs, everything goes to %s", s->title, s->point.n, o->dir);
        status = st ? run_and_show(o, s, w, st, whole) : err_tell(&e);
        store_close(st);
    }
    free(path);
    return status;
}
