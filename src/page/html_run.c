/* html_run.c -- the page of a run (html.h): numbers, kernels, counters, keys; html_run_figures.c draws */
#include "page/html_run.h"

#include <math.h>
#include <string.h>

#include "base/mangle.h"
#include "page/html.h"

enum { LAUNCHES = 1000 }; /* in the table */

/* --- the head --- */

static char *joined(const struct json_value *list)
{
    char *all = text_dup("");
    for (u32 i = 0; list && i < list->n; i++) {
        char *more =
            text_printf("%s%s%s", all, i ? " " : "", list->at[i].text ? list->at[i].text : "");
        free(all);
        all = more;
    }
    return all;
}

static void fact_joined(struct html *h, const char *name, const struct json_value *list)
{
    char *text = joined(list);
    if (text[0])
        html_fact(h, name, text);
    free(text);
}

static void what_it_is(struct html *h, const struct json_value *run)
{
    const struct json_value *build = json_get(run, "build"), *dirty = json_get(build, "dirty");
    char *smelt =
        text_printf("%s %.12s%s", html_json_text(run, "smelt"), html_json_text(build, "commit"),
                    dirty && dirty->kind == JSON_TRUE ? " dirty" : "");
    html_fact(h, "program", html_json_text(json_get(run, "program"), "name"));
    fact_joined(h, "arguments", json_get(json_get(run, "program"), "args"));
    html_fact(h, "GPU", html_json_text(run, "gpu"));
    fact_joined(h, "mechanisms", json_get(run, "mechanisms"));
    html_fact(h, "status", html_json_text(run, "status"));
    html_fact(h, "smelt", text_trim(smelt));
    html_fact_date(h, "begun", html_json_text(json_get(run, "host"), "date"));
    fact_joined(h, "command", json_get(json_get(run, "host"), "command"));
    free(smelt);
}

static double leakage(const struct json_value *run)
{
    const struct json_value *energy = json_get(run, "energy");
    double leak = 0;
    for (u32 i = 0; energy && i < energy->n; i++)
        leak +=
            json_number(&energy->at[i], "static_j", 0) + json_number(&energy->at[i], "gating_j", 0);
    return leak;
}

/* What the summary of smelt run says. */
static void summary_facts(struct html *h, const struct json_value *run)
{
    double cycles = html_json_number(run, "total", "cycles"),
           mhz = html_json_number(run, "config", "gpu.core_mhz"),
           joules = html_json_number(run, "total", "energy_j"),
           slots = html_json_number(run, "stalls", "scheduler_cycles");
    html_fact_number(h, "cycles", cycles, "");
    html_fact_number(h, "simulated time", cycles / mhz * 1e-3, "ms");
    html_fact_number(h, "warp instructions", html_json_number(run, "total", "warp_insts"), "");
    html_fact_number(h, "IPC", html_json_number(run, "total", "ipc"), "thread insts/cycle");
    html_fact_number(h, "occupancy", 100 * html_json_number(run, "stats", "occupancy"), "%");
    html_fact_number(h, "lanes active", 100 * html_json_number(run, "stats", "simt_efficiency"),
                     "%");
    html_fact_number(h, "issued", 100 * html_json_number(run, "stalls", "issued") / slots,
                     "% of scheduler cycles");
    html_fact_number(h, "L1D hits", 100 - 100 * html_json_number(run, "stats", "l1d_miss_rate"),
                     "%");
    html_fact_number(h, "L2 hits", 100 - 100 * html_json_number(run, "stats", "l2_miss_rate"), "%");
    html_fact_number(h, "DRAM use", 100 * html_json_number(run, "stats", "dram_utilization"), "%");
    html_fact_number(h, "power", html_json_number(run, "total", "power_w"), "W");
    html_fact_number(h, "energy", 1e3 * joules, "mJ");
    html_fact_number(h, "leakage", 100 * leakage(run) / joules, "% of energy");
    html_fact_number(h, "wall time", html_json_number(run, "total", "seconds"), "s");
    html_fact_number(h, "CPU time", html_json_number(run, "host", "cpu_seconds"), "s");
    html_fact_number(h, "speed", 1e-6 * html_json_number(run, "total", "warp_insts_per_second"),
                     "million warp insts/s");
}

static void head(struct html_run *p)
{
    const char *error = html_json_text(p->run, "error");
    struct html *h = &p->h;
    html_put(h, "<header>\n<h1>%s</h1>\n", p->title);
    if (error[0])
        html_put(h, "<p class=\"no\">%s</p>\n", error);
    html_facts(h);
    what_it_is(h, p->run);
    html_facts_end(h);
    html_facts(h);
    summary_facts(h, p->run);
    html_facts_end(h);
    html_put(h, "</header>\n");
}

/* --- kernels --- */

static void put_shape(struct html *h, const struct json_value *v)
{
    html_cell_begin(h);
    for (u32 i = 0; v && i < v->n; i++) {
        html_text(h, i ? "\xc3\x97" : "");
        html_json(h, &v->at[i]);
    }
    html_cell_end(h);
}

static void launch_row(struct html *h, u32 i, const struct json_value *k, double all)
{
    char name[256];
    double cycles = json_number(k, "cycles", NAN);
    html_row(h);
    html_number(h, i + 1);
    html_cell(h, mangle_show(html_json_text(k, "name"), name, sizeof(name)));
    html_number(h, json_number(k, "launches", NAN));
    html_number(h, cycles);
    html_number(h, 100 * cycles / all);
    html_number(h, json_number(k, "ipc", NAN));
    html_number(h, 100 * json_number(k, "occupancy", NAN));
    html_number(h, json_number(k, "power_w", NAN));
    html_number(h, json_number(k, "warp_insts", NAN));
    put_shape(h, json_get(k, "grid"));
    put_shape(h, json_get(k, "block"));
    html_number(h, json_number(k, "regs", NAN));
    html_number(h, json_number(k, "shared", NAN));
    html_number(h, json_number(k, "ctas_per_sm", NAN));
    html_cell(h, html_json_text(k, "limit"));
}

static bool kernels(struct html_run *p, struct err *e)
{
    static const char *const names[] = {"launch",        "kernel",  "launches",     "cycles",
                                        "cycles, %",     "IPC",     "occupancy, %", "power, W",
                                        "warp insts",    "grid",    "block",        "registers",
                                        "shared, bytes", "CTAs/SM", "limited by"};
    double all = html_json_number(p->run, "total", "cycles");
    u32 n = min_u32(p->kernels.n, LAUNCHES);
    html_section(&p->h, "kernels", "Kernels");
    if (n < p->kernels.n)
        html_put(&p->h, "<p>The first %u of %u entries.</p>\n", n, p->kernels.n);
    html_table(&p->h, "Kernels");
    for (u32 i = 0; i < LEN(names); i++)
        html_column(&p->h, names[i]);
    for (u32 i = 0; i < n; i++) {
        struct json_value *k = json_read(p->path, p->kernels.at[i].at, p->kernels.at[i].len, e);
        if (!k)
            return false;
        launch_row(&p->h, i, k, all);
        json_free(k);
    }
    html_table_end(&p->h);
    html_section_end(&p->h);
    return true;
}

/* --- all there is --- */

static void members(struct html_run *p, const char *id, const char *title, const char *object)
{
    const struct json_value *v = json_get(p->run, object);
    html_section(&p->h, id, title);
    html_put(&p->h, "<details>\n<summary>All %u</summary>\n", v ? v->n : 0);
    html_table(&p->h, title);
    html_column(&p->h, "name"), html_column(&p->h, "value");
    for (u32 i = 0; v && i < v->n; i++) {
        html_row(&p->h);
        html_cell(&p->h, v->at[i].key);
        if (v->at[i].kind == JSON_NUMBER) {
            html_number_as(&p->h, v->at[i].number, v->at[i].text);
            continue;
        }
        html_cell_begin(&p->h);
        html_json(&p->h, &v->at[i]);
        html_cell_end(&p->h);
    }
    html_table_end(&p->h);
    html_put(&p->h, "</details>\n");
    html_section_end(&p->h);
}

static void run_contents(struct html_run *p)
{
    html_contents(&p->h);
    html_link(&p->h, "kernels", "Kernels");
    for (u32 i = 0; i < N_RUN_FIGURE; i++)
        if (figure_rows(&p->figure[i]))
            html_figure_link(&p->h, &p->figure[i]);
    html_link(&p->h, "counters", "Counters");
    html_link(&p->h, "keys", "Keys of the machine");
    html_contents_end(&p->h);
}

static bool run_body(struct html_run *p, struct err *e)
{
    head(p);
    run_contents(p);
    if (!kernels(p, e) || !html_run_figures(p, e))
        return false;
    members(p, "counters", "Counters", "stats");
    members(p, "keys", "Keys of the machine", "config");
    return true;
}

static bool write_run_page(struct html_run *p, const char *out, struct err *e)
{
    char *args = joined(json_get(json_get(p->run, "program"), "args"));
    char *mech = joined(json_get(p->run, "mechanisms"));
    p->title = text_printf("%s%s%s on %s%s%s", html_json_text(json_get(p->run, "program"), "name"),
                           args[0] ? " " : "", args, html_json_text(p->run, "gpu"),
                           mech[0] ? " with " : "", mech);
    html_open(&p->h, p->title);
    bool ok = run_body(p, e);
    if (ok)
        ok = html_close(&p->h, out, e);
    else
        html_drop(&p->h);
    free(args), free(mech), free(p->title);
    return ok;
}

bool html_write_run(const char *json, const char *out, struct err *e)
{
    struct html_run p = {.path = json};
    size_t len;
    char *text = text_read_file(json, &len, e);
    p.run = text ? json_read_slices(json, text, len, "kernels", &p.kernels, e) : NULL;
    bool ok = p.run && (json_get(p.run, "total") ||
                        err_set(e, "%s: not the result of smelt run: it has no \"total\"", json));
    html_run_measure(&p);
    ok = ok && write_run_page(&p, out, e);
    for (u32 i = 0; i < N_RUN_FIGURE; i++)
        figure_free(&p.figure[i]);
    json_free(p.run);
    VEC_FREE(&p.kernels);
    free(text);
    return ok;
}
