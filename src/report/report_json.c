/*
 * report_json.c -- what is in the JSON of a run.
 *
 * What can change while it runs (how it stands, the modules that were loaded, sums) comes after the
 * list of kernels: see report_file.h.
 *
 * "total" counts all launches; "stats" and "stalls" at the top are sums over the launches that were
 * timed (over all of them without timing).  Between two runs of the same thing only "host",
 * total.seconds and total.warp_insts_per_second may differ.
 */
#include "report/report_parts.h"

#include <string.h>
#include <time.h>

#include "base/build.h"
#include "gpu/joules.h"
#include "gpu/lines.h"
#include "mech/mech.h"
#include "version.h"

/* How the run stands, for "status"; the first launch that went wrong says why. */
static const char *status_word(const struct report *r, const struct err *failure, bool ended)
{
    static const char *const words[] = {
        [RUN_DONE] = "",
        [RUN_FAULT] = "fault",
        [RUN_DEADLOCK] = "deadlock",
        [RUN_MAX_INSTS] = "max_insts",
        [RUN_MAX_CYCLES] = "max_cycles",
        [RUN_STOPPED] = "interrupted",
    };
    if (!ended)
        return "running";
    if (!failure)
        return r->has_exit && r->exit_status ? "failed" : "done";
    if (r->end != RUN_DONE)
        return words[r->end];
    if (r->dev->n_refused)
        return "refused";
    return failure->status == ERR_USER ? "error" : "failed";
}

static void put_u64(struct json *j, const char *key, u64 v)
{
    json_key(j, key);
    json_u64(j, v);
}

static void put_str(struct json *j, const char *key, const char *s)
{
    json_key(j, key);
    json_str(j, s);
}

static void put_real(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_real(j, v);
}

static void put_dim(struct json *j, const char *key, const u32 dim[3])
{
    json_key(j, key);
    json_row(j);
    for (u32 i = 0; i < 3; i++)
        json_u64(j, dim[i]);
    json_arr_end(j);
}

static void put_words(struct json *j, const char *key, char *const *word)
{
    json_key(j, key);
    json_row(j);
    for (; word && *word; word++)
        json_str(j, *word);
    json_arr_end(j);
}

/* ISO 8601, of the world and not of this place. */
static void put_date(struct json *j, time_t when)
{
    char text[32];
    struct tm tm;
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &tm));
    put_str(j, "date", text);
}

static void put_command(struct json *j, const struct report *r)
{
    u32 n = 0;
    char **own = r->command ? NULL : report_words("/proc/self/cmdline", &n);
    put_words(j, "command", own ? own : r->command);
    text_split_free(own, n);
}

static void put_host(struct json *j, const struct report *r)
{
    struct err e;
    const lane_fn *table = exec_table(r->settings->isa, &e);
    json_key(j, "host");
    json_obj(j);
    put_u64(j, "threads", r->settings->threads);
    put_str(j, "isa", table ? exec_table_name(table) : "");
    json_key(j, "skip");
    json_bool(j, !r->settings->no_skip);
    put_date(j, r->began);
    put_command(j, r);
    put_real(j, "cpu_seconds", r->dev->cpu_seconds);
    json_obj_end(j);
}

static void put_build(struct json *j)
{
    json_key(j, "build");
    json_obj(j);
    put_str(j, "version", SMELT_VERSION);
    json_key(j, "commit");
    if (build_commit[0])
        json_str(j, build_commit);
    else
        json_null(j);
    json_key(j, "dirty");
    json_bool(j, build_is_dirty);
    json_obj_end(j);
}

/* A name that is no kernel's can be told from a kernel that was not launched. */
static void put_entries(struct json *j, const struct program *p)
{
    json_key(j, "entries");
    json_row(j);
    for (u32 i = 0; i < p->n_func; i++)
        if (p->func[i].is_entry)
            json_str(j, p->func[i].name);
    json_arr_end(j);
}

static void put_module(struct json *j, const struct program *p)
{
    u64 kernels = 0;
    for (u32 i = 0; i < p->n_func; i++)
        kernels += p->func[i].is_entry;
    json_obj(j);
    put_str(j, "name", text_base_name(p->path));
    put_str(j, "hash", p->hash);
    put_u64(j, "kernels", kernels);
    put_entries(j, p);
    put_u64(j, "insts", p->n_inst);
    json_key(j, "lowered");
    json_bool(j, p->lowered);
    json_obj_end(j);
}

static void put_program(struct json *j, const struct report *r)
{
    json_key(j, "program");
    json_obj(j);
    put_str(j, "name", text_base_name(r->program));
    put_str(j, "kind", r->kind);
    put_words(j, "args", r->args);
    json_key(j, "hash");
    const char *hash = r->hash[0] || !r->dev->n_prog ? r->hash : r->dev->prog[0]->hash;
    if (hash[0])
        json_str(j, hash);
    else
        json_null(j);
    json_key(j, "modules");
    json_arr(j);
    for (u32 i = 0; i < r->dev->n_prog; i++)
        put_module(j, r->dev->prog[i]);
    json_arr_end(j);
    json_obj_end(j);
}

static void put_counters(struct json *j, const struct counters *c, const struct ptx_stat *n)
{
    struct counters untimed = {.ptx = *n};
    counters_json(c ? c : &untimed, c != NULL, j);
}

static void put_stats(struct json *j, const struct counters *c, const struct ptx_stat *n)
{
    json_key(j, "stats");
    json_obj(j);
    put_counters(j, c, n);
    json_obj_end(j);
}

/* Counters of mechanisms, over all launches, the mechanism's name before each. */
static void put_mechs(struct json *j, const struct mech_set *s)
{
    for (u32 i = 0; i < s->n; i++) {
        const struct mech *m = s->at[i].m;
        void *stat = xcalloc(1, m->stat_size + 1);
        char *prefix = text_printf("%s_", m->name);
        mech_count(s, i, stat);
        sheet_json(m->sheet, stat, prefix, j);
        free(prefix);
        free(stat);
    }
}

/* Reasons of mechanisms come last, if there are any. */
static void put_stalls(struct json *j, const struct device *d, const struct counters *c)
{
    json_key(j, "stalls");
    json_obj(j);
    counters_stalls_json(c, j);
    for (u32 i = 0; i < d->mechs->n; i++)
        if (c->stall.held[i])
            put_u64(j, d->mechs->at[i].m->name, c->stall.held[i]);
    json_obj_end(j);
}

/* What happened between two moments; cycle: at the second one, from the beginning of the launch. */
static void put_sample(struct json *j, const struct device *d, const struct counters *c, u64 cycle)
{
    json_obj(j);
    put_u64(j, "cycle", cycle);
    put_u64(j, "warp_insts", c->ptx.warp_insts);
    put_u64(j, "thread_insts", c->ptx.thread_insts);
    put_real(j, "ipc", report_ipc(c));
    put_u64(j, "l1d_access", c->l1d.access);
    put_u64(j, "l1d_miss", c->l1d.miss);
    put_u64(j, "l2_access", c->l2.access);
    put_u64(j, "l2_miss", c->l2.miss);
    put_u64(j, "dram_read", c->dram.read);
    put_u64(j, "dram_write", c->dram.write);
    if (d->conf.power.model) {
        struct energy e;
        joules_of(&d->conf, d->mechs, c, &e);
        put_real(j, "power_w", joules_power(&e, energy_total(&e)));
        put_real(j, "power_noleak_w", joules_power(&e, energy_noleak(&e)));
    }
    put_stalls(j, d, c);
    json_obj_end(j);
}

/* The last one ends with the launch, so that they add up to it. */
static void put_samples(struct json *j, const struct device *d, const struct launch_result *l)
{
    struct counters rest = *l->counters;
    u64 cycle = 0;
    json_key(j, "samples");
    json_arr(j);
    for (u32 i = 0; i < l->samples.n; i++) {
        cycle += l->samples.at[i].cycles;
        counters_sub(&rest, &l->samples.at[i]);
        put_sample(j, d, &l->samples.at[i], cycle);
    }
    if (cycle < l->cycles)
        put_sample(j, d, &rest, l->cycles);
    json_arr_end(j);
}

/* What only a launch with timing has. */
static void put_timing(struct json *j, const struct launch_result *l)
{
    put_u64(j, "cycles", l->cycles);
    put_real(j, "ipc", report_ipc(l->counters));
    put_real(j, "occupancy", sheet_ratio(&sm_sheet, &l->counters->sm, "occupancy"));
}

static void put_kernel_energy(struct json *j, const struct device *d, const struct launch_result *l)
{
    struct energy e;
    joules_of(&d->conf, d->mechs, l->counters, &e);
    put_real(j, "energy_j", energy_total(&e));
    put_real(j, "power_w", joules_power(&e, energy_total(&e)));
    put_real(j, "power_noleak_w", joules_power(&e, energy_noleak(&e)));
    joules_json(&e, j);
}

void report_put_kernel(struct json *j, const struct device *d, const struct launch_result *l, u32 n,
                       bool varies)
{
    json_obj(j);
    put_str(j, "name", l->kernel);
    put_u64(j, "launches", n);
    if (varies)
        put_str(j, "shape", "varies");
    put_dim(j, "grid", l->grid);
    put_dim(j, "block", l->block);
    put_u64(j, "regs", l->regs);
    put_u64(j, "shared", l->shared);
    put_u64(j, "smem", l->smem);
    put_u64(j, "local", l->local);
    put_u64(j, "ctas_per_sm", l->ctas_per_sm);
    put_str(j, "limit", l->limit ? l->limit : "");
    put_u64(j, "warp_insts", l->n.warp_insts);
    put_u64(j, "thread_insts", l->n.thread_insts);
    json_key(j, "timed");
    json_bool(j, l->counters != NULL);
    if (l->counters)
        put_timing(j, l);
    put_stats(j, l->counters, &l->n);
    if (l->counters)
        put_stalls(j, d, l->counters);
    if (l->counters && d->conf.power.model)
        put_kernel_energy(j, d, l);
    if (l->counters && d->opts.sample && n == 1)
        put_samples(j, d, l);
    json_obj_end(j);
}

double report_seconds(const struct device *d)
{
    return d->n_launch ? d->last_end - d->first_start : 0;
}

double report_speed(const struct device *d)
{
    return report_seconds(d) > 0 ? (double)d->n.warp_insts / report_seconds(d) : 0;
}

double report_ipc(const struct counters *c)
{
    return c->cycles ? (double)c->ptx.thread_insts / (double)c->cycles : 0;
}

static bool has_energy(const struct device *d)
{
    return !d->opts.functional && d->conf.power.model;
}

static void put_total(struct json *j, const struct device *d)
{
    json_key(j, "total");
    json_obj(j);
    if (!d->opts.functional)
        put_u64(j, "cycles", d->counters.cycles);
    if (!d->opts.functional && d->several_streams)
        put_u64(j, "span_cycles", d->counters.chip_cycles);
    put_u64(j, "warp_insts", d->n.warp_insts);
    put_u64(j, "thread_insts", d->n.thread_insts);
    if (!d->opts.functional)
        put_real(j, "ipc", report_ipc(&d->counters));
    put_real(j, "seconds", report_seconds(d));
    put_real(j, "warp_insts_per_second", report_speed(d));
    if (has_energy(d)) {
        put_real(j, "energy_j", energy_total(&d->energy));
        put_real(j, "power_w", joules_power(&d->energy, energy_total(&d->energy)));
        put_real(j, "power_noleak_w", joules_power(&d->energy, energy_noleak(&d->energy)));
        put_real(j, "front_end_j", energy_front(&d->energy, &d->conf.power));
        put_real(j, "front_end_share", energy_front_share(&d->energy, &d->conf.power));
    }
    json_obj_end(j);
}

/* When launches ran, in cycles of simulated time; only of a program that launches in several streams. */
static void put_timeline(struct json *j, const struct device *d)
{
    u64 mhz = d->conf.gpu.core_mhz;
    json_key(j, "timeline");
    json_arr(j);
    for (u32 i = 0; i < d->times.n; i++) {
        const struct launch_time *t = &d->times.at[i];
        json_obj(j);
        put_str(j, "kernel", t->kernel);
        put_u64(j, "stream", t->stream);
        put_u64(j, "begin_cycle", t->begin_ps * mhz / 1000000);
        put_u64(j, "end_cycle", t->end_ps * mhz / 1000000);
        json_obj_end(j);
    }
    json_arr_end(j);
}

static void put_exit_status(struct json *j, const struct report *r)
{
    json_key(j, "exit_status");
    if (r->has_exit)
        json_u64(j, (u64)r->exit_status);
    else
        json_null(j);
}

static void put_state(struct json *j, const struct report *r, const struct err *failure, bool ended)
{
    put_str(j, "status", status_word(r, failure, ended));
    json_key(j, "partial");
    json_bool(j, !ended || failure);
    if (failure)
        put_str(j, "error", failure->msg);
    if (r->dev->n_refused)
        put_u64(j, "refused", r->dev->n_refused);
    if (strcmp(r->kind, "cuda") == 0)
        put_exit_status(j, r);
}

/* Everything before the list of kernels, and its beginning. */
void report_put_head(struct json *j, const struct report *r)
{
    json_obj(j);
    put_u64(j, "schema", 1);
    put_str(j, "smelt", SMELT_VERSION);
    put_build(j);
    put_str(j, "gpu", r->dev->conf.name);
    json_key(j, "functional");
    json_bool(j, r->dev->opts.functional);
    json_key(j, "mechanisms");
    json_row(j);
    for (u32 i = 0; i < r->settings->mech.n; i++)
        json_str(j, r->settings->mech.at[i]);
    json_arr_end(j);
    json_key(j, "config");
    conf_json(&r->dev->conf, j);
    json_key(j, "kernels");
    json_arr(j);
}

/* mm2 of the chip by component, and what mechanisms add to it. */
static void put_area(struct json *j, const struct device *d)
{
    const struct power_conf table = joules_table(&d->conf);
    double n_sm = (double)d->conf.gpu.n_sm, all = area_total(&table, d->conf.gpu.n_sm);
    const struct mech_cost_of of = joules_cost_of(&d->conf, &table);
    json_key(j, "area");
    json_obj(j);
    for (u32 c = 0; c < N_COMPONENT; c++) {
        double mm2 = area_of(&table, (enum component)c, d->conf.gpu.n_sm);
        if (mm2 > 0)
            put_real(j, component_name[c], mm2);
    }
    for (u32 i = 0; i < d->mechs->n; i++) {
        const struct mech_use *u = &d->mechs->at[i];
        double mm2 = u->m->area_mm2 ? n_sm * u->m->area_mm2(u->conf, &of) : 0;
        put_real(j, u->m->name, mm2);
        all += mm2;
    }
    put_real(j, "total", all);
    json_obj_end(j);
}

/* The end of the list of kernels, and everything after it. */
void report_put_tail(struct json *j, const struct report *r, const struct err *failure, bool ended)
{
    json_arr_end(j);
    put_state(j, r, failure, ended);
    put_program(j, r);
    put_host(j, r);
    put_total(j, r->dev);
    if (r->dev->several_streams)
        put_timeline(j, r->dev);
    json_key(j, "stats");
    json_obj(j);
    put_counters(j, r->dev->opts.functional ? NULL : &r->dev->counters, &r->dev->n);
    put_mechs(j, r->dev->mechs);
    json_obj_end(j);
    if (!r->dev->opts.functional)
        put_stalls(j, r->dev, &r->dev->counters);
    if (has_energy(r->dev)) {
        joules_json(&r->dev->energy, j);
        joules_kinds_json(&r->dev->energy, j);
        put_area(j, r->dev);
    }
    if (r->dev->lines)
        lines_json(r->dev, j);
    if (r->settings->check)
        put_u64(j, "uninitialised_reads", r->dev->n_uninit);
    json_obj_end(j);
}
