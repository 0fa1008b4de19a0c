/* html_store.c -- the page of a store (html.h): all its runs in a table */
#include "page/html.h"

#include <math.h>
#include <string.h>

#include "page/html_numbers.h"

struct keys {
    VEC(char *) key;
};

static bool add_key(const struct store_row *r, void *user)
{
    struct keys *k = user;
    *VEC_ADD(&k->key) = text_dup(r->key);
    return true;
}

static void code(struct html *h, const char *text)
{
    html_cell_begin(h);
    html_put(h, "<code>%s</code>", text);
    html_cell_end(h);
}

static void run_row(struct html *h, const struct store_row *r, const struct html_numbers *n)
{
    bool done = r->state == STORE_DONE;
    html_row(h);
    html_cell_begin(h);
    html_put(h, "<code>%s %s</code>", r->program, r->args);
    html_cell_end(h);
    html_cell(h, r->gpu);
    html_cell(h, r->mech);
    html_cell(h, r->set);
    html_cell_begin(h);
    html_put(h, done ? "done" : "<span class=\"no\">failed</span>");
    html_cell_end(h);
    html_numbers_cells(h, n);
    html_number(h, r->seconds);
    html_number(h, r->cpu_seconds);
    html_number(h, r->peak_bytes ? (double)r->peak_bytes / (1 << 20) : NAN);
    html_date(h, r->finished);
    code(h, r->build);
    code(h, r->key);
}

static bool one(struct html *h, struct store *st, const char *key, struct err *e)
{
    struct store_row r;
    struct json_value *run = NULL;
    if (!store_get(st, key, &r, e))
        return false;
    bool ok = r.state != STORE_DONE || (run = html_result(st, key, e)) != NULL;
    struct html_numbers n = html_numbers_of(run);
    if (ok)
        run_row(h, &r, &n);
    json_free(run);
    store_row_free(&r);
    return ok;
}

static void store_columns(struct html *h)
{
    static const char *const before[] = {"program", "GPU", "mechanisms", "keys", "state"};
    static const char *const after[] = {"wall, s",  "CPU, s", "memory, MiB",
                                        "finished", "smelt",  "key"};
    for (u32 i = 0; i < LEN(before); i++)
        html_column(h, before[i]);
    html_numbers_columns(h);
    for (u32 i = 0; i < LEN(after); i++)
        html_column(h, after[i]);
}

static bool store_body(struct html *h, struct store *st, const struct keys *k, struct err *e)
{
    html_put(h,
             "<header>\n<h1>%s</h1>\n<p>%u runs, in the order in which they were finished.</p>\n"
             "</header>\n",
             store_path(st), k->key.n);
    html_table(h, "Runs");
    store_columns(h);
    for (u32 i = 0; i < k->key.n; i++)
        if (!one(h, st, k->key.at[i], e))
            return false;
    html_table_end(h);
    return true;
}

/* Why runs failed. */
static bool say_failed(const struct store_row *r, void *user)
{
    struct html *h = user;
    html_put(h, "<h3><code>%s %s</code> <small>%s</small></h3>\n", r->program, r->args, r->key);
    html_put(h, "<pre>%s</pre>\n", r->message);
    return true;
}

static bool failed_section(struct html *h, struct store *st, struct err *e)
{
    const struct store_filter f = {.failed = true};
    html_section(h, "failed", "What failed");
    bool ok = store_each(st, &f, say_failed, h, e);
    html_section_end(h);
    return ok;
}

static bool write_store_page(struct store *st, const struct keys *k, const char *out, struct err *e)
{
    struct html h;
    html_open(&h, store_path(st));
    if (store_body(&h, st, k, e) && failed_section(&h, st, e))
        return html_close(&h, out, e);
    html_drop(&h);
    return false;
}

bool html_write_store(struct store *st, const char *out, struct err *e)
{
    const struct store_filter all = {0};
    struct keys k = {0};
    bool ok = store_each(st, &all, add_key, &k, e) && write_store_page(st, &k, out, e);
    for (u32 i = 0; i < k.key.n; i++)
        free(k.key.at[i]);
    VEC_FREE(&k.key);
    return ok;
}
