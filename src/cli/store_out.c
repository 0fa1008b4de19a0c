/* store_out.c -- see store_out.h */
#include "cli/store_out.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/json_read.h"
#include "cli/table.h"

/* ---- the columns, by their names in the file (docs/STORE.md) */

enum column_kind { TEXT, REAL, COUNT, BYTES };

static const struct column {
    const char *name;
    enum column_kind kind;
    size_t off;
} column[] = {
    {"program", TEXT, offsetof(struct store_row, program)},
    {"args", TEXT, offsetof(struct store_row, args)},
    {"gpu", TEXT, offsetof(struct store_row, gpu)},
    {"mech", TEXT, offsetof(struct store_row, mech)},
    {"settings", TEXT, offsetof(struct store_row, set)},
    {"sample", COUNT, offsetof(struct store_row, sample)},
    {"build", TEXT, offsetof(struct store_row, build)},
    {"host", TEXT, offsetof(struct store_row, host)},
    {"finished", TEXT, offsetof(struct store_row, finished)},
    {"seconds", REAL, offsetof(struct store_row, seconds)},
    {"cpu_seconds", REAL, offsetof(struct store_row, cpu_seconds)},
    {"peak_bytes", BYTES, offsetof(struct store_row, peak_bytes)},
    {"cycles", REAL, offsetof(struct store_row, cycles)},
    {"warp_insts", REAL, offsetof(struct store_row, warp_insts)},
    {"thread_insts", REAL, offsetof(struct store_row, thread_insts)},
    {"ipc", REAL, offsetof(struct store_row, ipc)},
    {"energy_j", REAL, offsetof(struct store_row, energy_j)},
    {"power_w", REAL, offsetof(struct store_row, power_w)},
    {"result_bytes", BYTES, offsetof(struct store_row, result_bytes)},
    {"message", TEXT, offsetof(struct store_row, message)},
};

static const char *state_name(const struct store_row *r)
{
    return r->state == STORE_DONE ? "done" : "failed";
}

static const char *show_exact(double v, char *buf, size_t size)
{
    if (isnan(v))
        return "";
    if (v == floor(v) && fabs(v) < 1e15)
        snprintf(buf, size, "%.0f", v);
    else
        text_show_real(v, buf, size);
    return buf;
}

/* As text, "" if it is not known. */
static const char *show_field(const struct column *c, const struct store_row *r, char *buf,
                              size_t size)
{
    const char *at = (const char *)r + c->off, *text;
    u64 whole;

    switch (c->kind) {
    case TEXT:
        text = *(char *const *)(const void *)at;
        return text ? text : "";
    case REAL:
        return show_exact(*(const double *)(const void *)at, buf, size);
    case COUNT:
    case BYTES:
        break;
    }
    whole = *(const u64 *)(const void *)at;
    snprintf(buf, size, "%" PRIu64, whole);
    return whole || c->kind == COUNT ? buf : "";
}

/* ---- list */

struct run_list {
    struct table t;
    bool full;
    u32 n;
};

static const char *first_line(const char *text, char *buf, size_t size)
{
    snprintf(buf, size, "%.*s", (int)strcspn(text ? text : "", "\n"), text ? text : "");
    return buf;
}

static bool list_row(const struct store_row *r, void *user)
{
    struct run_list *l = user;
    char cycles[TEXT_NUMBER], ipc[TEXT_NUMBER], seconds[TEXT_NUMBER], note[256];
    char *what = text_printf("%s%s%s", r->program, r->args[0] ? " " : "", r->args);

    show_exact(r->cycles, cycles, sizeof cycles);
    snprintf(ipc, sizeof ipc, "%.4g", r->ipc);
    snprintf(seconds, sizeof seconds, "%.3g", r->seconds);
    first_line(r->message, note, sizeof note);
    const char *const cell[] = {r->key,
                                state_name(r),
                                what,
                                r->gpu,
                                r->mech[0] ? r->mech : "-",
                                r->set[0] ? r->set : "-",
                                isnan(r->cycles) ? "-" : cycles,
                                isnan(r->ipc) ? "-" : ipc,
                                isnan(r->seconds) ? "-" : seconds,
                                r->finished,
                                note[0] ? note : NULL};

    l->n++;
    if (l->full) {
        TABLE_ROW(&l->t, cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], cell[6], cell[7],
                  cell[8], cell[9], r->host, r->build, cell[10]);
    } else {
        char brief[13];

        snprintf(brief, sizeof brief, "%.12s", r->key);
        TABLE_ROW(&l->t, brief, cell[1], cell[2], cell[3], cell[4], cell[5], cell[6], cell[7],
                  cell[8], cell[9], cell[10]);
    }
    free(what);
    return true;
}

bool store_out_list(struct store *s, const struct store_filter *f, bool full, u32 *n, struct err *e)
{
    struct run_list l = {.full = full};

    table_begin(&l.t,
                full ? "key  state  program  gpu  mech  settings  cycles  ipc  seconds  finished  "
                       "host  build  message"
                     : "key  state  program  gpu  mech  settings  cycles  ipc  seconds  finished  "
                       "message",
                full ? TABLE_WHOLE : TABLE_FITTED);
    bool ok = store_each(s, f, list_row, &l, e);

    table_end(&l.t);
    *n = l.n;
    return ok;
}

void store_out_row(const struct store_row *r, FILE *out)
{
    fprintf(out, "%-12s  %s\n%-12s  %s\n", "key", r->key, "state", state_name(r));
    for (u32 i = 0; i < LEN(column); i++) {
        char buf[TEXT_NUMBER];
        const char *text = show_field(&column[i], r, buf, sizeof buf);

        if (!text[0])
            continue;
        fprintf(out, "%-12s  ", column[i].name);
        for (; *text; text++) { /* further lines of a message stand below its first */
            fputc(*text, out);
            if (*text == '\n')
                fprintf(out, "%-14s", "");
        }
        fputc('\n', out);
    }
}

/* ---- export */

struct export
{
    struct store *s;
    const struct store_metrics *metric;
    FILE *out;
    struct err *e;
    bool ok;
};

static void put_csv(FILE *out, const char *text)
{
    bool quote = text[strcspn(text, ",\"\n\r")] != 0;

    fputs(quote ? ",\"" : ",", out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    if (quote)
        fputc('"', out);
}

static bool put_metric(const struct export *x, const struct store_row *r,
                       const struct json_value *v, const char *name)
{
    const struct json_value *m = json_find(v, name);
    char buf[TEXT_NUMBER];

    if (!m || m->kind != JSON_NUMBER)
        return err_set(x->e, "--metric %s: the result of point %.12s has no such number", name,
                       r->key);
    put_csv(x->out, show_exact(m->number, buf, sizeof buf));
    return true;
}

/* Those that failed have none. */
static bool put_metrics(const struct export *x, const struct store_row *r)
{
    size_t len = 0;
    bool ok = true;

    if (!x->metric->n)
        return true;
    if (r->state != STORE_DONE) {
        for (u32 i = 0; i < x->metric->n; i++)
            put_csv(x->out, "");
        return true;
    }
    char *text = store_json(x->s, r->key, &len, x->e);
    struct json_value *v = text ? json_read(r->key, text, len, x->e) : NULL;

    ok = v != NULL;
    for (u32 i = 0; ok && i < x->metric->n; i++)
        ok = put_metric(x, r, v, x->metric->at[i]);
    json_free(v);
    free(text);
    return ok;
}

static bool csv_row(const struct store_row *r, void *user)
{
    struct export *x = user;

    fprintf(x->out, "%s,%s", r->key, state_name(r));
    for (u32 i = 0; i < LEN(column); i++) {
        char buf[TEXT_NUMBER], line[512];
        const char *text = show_field(&column[i], r, buf, sizeof buf);

        if (column[i].off == offsetof(struct store_row, message))
            text = first_line(text, line, sizeof line);
        put_csv(x->out, text);
    }
    x->ok = put_metrics(x, r);
    fputc('\n', x->out);
    return x->ok;
}

bool store_out_csv(struct store *s, const struct store_filter *f, const struct store_metrics *m,
                   FILE *out, struct err *e)
{
    struct export x = {.s = s, .metric = m, .out = out, .e = e, .ok = true};

    fputs("key,state", out);
    for (u32 i = 0; i < LEN(column); i++)
        put_csv(out, column[i].name);
    for (u32 i = 0; i < m->n; i++)
        put_csv(out, m->at[i]);
    fputc('\n', out);
    return store_each(s, f, csv_row, &x, e) && x.ok;
}

/* JSON with a line for each entry on one line: a string holds no line's end. */
static void put_flat(FILE *out, const char *json)
{
    for (; *json; json++) {
        if (*json == '\n')
            json += strspn(json, "\n ") - 1;
        else
            fputc(*json, out);
    }
}

static void head_json(const struct store_row *r, struct json *j)
{
    json_obj(j);
    json_key(j, "key"), json_str(j, r->key);
    json_key(j, "state"), json_str(j, state_name(r));
    for (u32 i = 0; i < LEN(column); i++) {
        char buf[TEXT_NUMBER];
        const char *at = (const char *)r + column[i].off;

        json_key(j, column[i].name);
        if (column[i].kind == TEXT)
            json_str(j, show_field(&column[i], r, buf, sizeof buf));
        else if (column[i].kind == REAL)
            json_real(j, *(const double *)(const void *)at);
        else
            json_u64(j, *(const u64 *)(const void *)at);
    }
    json_obj_end(j);
}

/* {"point": {..}, "result": {..} or null} */
static bool jsonl_row(const struct store_row *r, void *user)
{
    struct export *x = user;
    struct json j;
    size_t len = 0;
    char *result = r->state == STORE_DONE ? store_json(x->s, r->key, &len, x->e) : NULL;

    x->ok = result || r->state != STORE_DONE;
    json_open_buf(&j);
    head_json(r, &j);
    char *head = json_close_buf(&j, NULL);

    fputs("{\"point\": ", x->out), put_flat(x->out, head);
    fputs(", \"result\": ", x->out), put_flat(x->out, result ? result : "null");
    fputs("}\n", x->out);
    free(head), free(result);
    return x->ok;
}

bool store_out_jsonl(struct store *s, const struct store_filter *f, FILE *out, struct err *e)
{
    struct export x = {.s = s, .out = out, .e = e, .ok = true};

    return store_each(s, f, jsonl_row, &x, e) && x.ok;
}
