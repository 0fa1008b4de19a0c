/* cmd_explain.c -- smelt explain: what a name is, from the one place that declares it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/explain_conf.h"
#include "cli/show.h"
#include "conf/conf.h"
#include "gpu/counters.h"
#include "gpu/joules.h"
#include "isa/inst.h"
#include "mech/mech.h"
#include "power/energy.h"
#include "sm/front/sched.h"
#include "workload/set.h"
#include "workload/workload.h"

static void print_field(const char *name, const char *value)
{
    printf("  %-10s %s\n", name, value[0] ? value : "(empty)");
}

/* --- a key --- */

static void print_value(const struct conf_key *k, const struct conf *c)
{
    char buf[1024];
    print_field(c->name, conf_show(c, k, buf, sizeof(buf)));
}

/* A file that cannot be read must not hide the values of the others. */
static void print_all_values(const struct conf_key *k)
{
    struct conf_file *gpu;
    u32 n = conf_list_gpus(&gpu);
    for (u32 i = 0; i < n; i++) {
        struct conf c;
        struct err e;
        if (!conf_load(&c, gpu[i].path, &e)) {
            log_warn("%s", e.msg);
            continue;
        }
        print_value(k, &c);
        conf_free(&c);
    }
    conf_dir_free(gpu, n);
}

static void explain_key(const struct conf_key *k, const struct conf *chosen)
{
    char buf[256];
    printf("%s.%s: %s\n", k->module->sheet->module, k->key->name, k->key->doc);
    print_field("kind", show_kind(k->key));
    if (k->key->unit[0])
        print_field("unit", k->key->unit);
    if (sheet_range(k->key, buf, sizeof(buf))[0])
        print_field("range", buf);
    print_field("default", k->key->def);
    if (chosen)
        print_value(k, chosen);
    else
        print_all_values(k);
}

/* --- other things --- */

static void explain_stat(const char *prefix, const struct stat_row *r)
{
    printf("%s%s: %s\n", prefix, r->name, r->doc);
    print_field("kind", r->over == STAT_NONE ? "counter" : "ratio of two counters");
    print_field("unit", r->unit);
}

static void explain_module(const struct sheet *s)
{
    char buf[256];
    printf("%s: %s\n", s->module, s->doc);
    for (u32 i = 0; i < s->n_key; i++)
        printf("  %s.%s  %s  %s\n", s->module, s->key[i].name,
               show_default(&s->key[i], buf, sizeof(buf)), s->key[i].doc);
}

/* --- a component of energy --- */

struct component_row {
    const char *name, *per, *doc;
};

static const struct component_row components[] = {
#define COMPONENT(name, per, doc) {#name, #per, doc},
#include "sm/component.def"
};

/* "sp_int" is booked to sp0_int and sp1_int. */
static bool is_booked_to(const char *book, const char *component)
{
    bool cluster = strncmp(book, "sp_", 3) == 0 && strncmp(component, "sp", 2) == 0;
    return strcmp(book, component) == 0 || (cluster && strcmp(book + 2, component + 3) == 0);
}

static void print_event(const char *name, const char *doc)
{
    printf("  %-10s power.e_%s: %s\n", "costs", name, doc);
}

static void explain_component(const struct component_row *r, const struct conf *chosen)
{
    printf("%s: %s\n", r->name, r->doc);
    print_field("kind", "component: \"energy\" in results");
    print_field("one for", strcmp(r->per, "CHIP") == 0 || strcmp(r->per, "PORT") == 0 ? "the chip"
                                                                                      : "each SM");
#define EVENT(event, component, count, pj, doc)                                                    \
    if (is_booked_to(#component, r->name))                                                         \
        print_event(#event, doc);
#include "power/event.def"
    for (u32 i = 0; i < power_sheet.n_key; i++) {
        const char *key = power_sheet.key[i].name;
        bool ours = strncmp(key, "leak_", 5) == 0 || strncmp(key, "area_", 5) == 0;
        if (ours && strcmp(key + 5, r->name) == 0)
            explain_key(&(struct conf_key){conf_find_module("power"), &power_sheet.key[i]}, chosen);
    }
}

/* --- finding out which --- */

struct search {
    const char *name;
    const struct conf *chosen; /* or NULL: all GPUs */
    struct err *e;
    u32 found;
    bool ok; /* false: what was found could not be read, see e */
};

/* "sm.n_warp", or "n_warp" in whichever modules have one. */
static bool is_named(const char *name, const char *module, const char *item)
{
    size_t n = strlen(module);
    if (strncmp(name, module, n) == 0 && name[n] == '.')
        return strcmp(name + n + 1, item) == 0;
    return strcmp(name, item) == 0;
}

static void try_key(const struct conf_key *k, void *user)
{
    struct search *s = user;
    if (!is_named(s->name, k->module->sheet->module, k->key->name))
        return;
    s->found++;
    explain_key(k, s->chosen);
}

static void try_sheet(struct search *s, const struct sheet *sheet)
{
    if (strcmp(s->name, sheet->module) == 0) {
        explain_module(sheet);
        s->found++;
    }
}

/* "l1d_miss" as in results, "l1d.miss" as keys are called, or "miss" of whatever has one. */
static void try_stats(struct search *s, const struct sheet *sheet, const char *prefix)
{
    size_t n = strlen(prefix);
    for (u32 i = 0; i < sheet->n_stat; i++) {
        const char *name = sheet->stat[i].name;
        bool full = strncmp(s->name, prefix, n) == 0 && strcmp(s->name + n, name) == 0;
        if (!full && !is_named(s->name, sheet->module, name))
            continue;
        explain_stat(prefix, &sheet->stat[i]);
        s->found++;
    }
}

static void try_all_stats(struct search *s)
{
    struct mech_stalls held;
    u32 n;
    const struct counter_sheet *c = counters_list(&n);
    for (u32 i = 0; i < n; i++)
        try_stats(s, c[i].sheet, c[i].prefix);
    try_stats(s, &stall_sheet, SHOW_STALL);
    try_stats(s, mech_stall_sheet(&held), SHOW_STALL);
    const struct mech *const *m = mech_list(&n);
    for (u32 i = 0; i < n; i++) {
        char *prefix = text_printf("%s_", m[i]->name);
        try_stats(s, m[i]->sheet, prefix);
        free(prefix);
    }
}

struct result_row {
    const char *name, *unit, *doc;
};

static const struct result_row results[] = {
#define RESULT(name, unit, doc) {#name, unit, doc},
#include "report/result.def"
};

static void try_results(struct search *s)
{
    for (u32 i = 0; i < LEN(results); i++) {
        const struct result_row *r = &results[i];
        if (strcmp(s->name, r->name))
            continue;
        s->found++;
        printf("%s: %s\n", r->name, r->doc);
        print_field("kind", "member of results, or of the summary");
        if (r->unit[0])
            print_field("unit", r->unit);
    }
}

static void try_schedulers(struct search *s)
{
    u32 n;
    const struct sched_policy *const *p = sched_list(&n);
    for (u32 i = 0; i < n; i++) {
        if (strcmp(s->name, p[i]->name))
            continue;
        s->found++;
        printf("%s: %s\n", p[i]->name, p[i]->doc);
        print_field("kind", "warp scheduler: --set sm.scheduler=..");
    }
}

static void try_dram_schedulers(struct search *s)
{
    u32 n;
    const struct dram_policy *const *p = dram_policy_list(&n);
    for (u32 i = 0; i < n; i++) {
        if (strcmp(s->name, p[i]->name))
            continue;
        s->found++;
        printf("%s: %s\n", p[i]->name, p[i]->doc);
        print_field("kind", "DRAM scheduler: --set dram.scheduler=..");
    }
}

static void explain_mech(const struct mech *m)
{
    char buf[256];
    printf("%s: %s\n", m->name, m->doc);
    print_field("kind", "mechanism: run -m ..");
    for (u32 i = 0; i < m->sheet->n_key; i++)
        printf("  %s  %s  %s\n", m->sheet->key[i].name,
               show_default(&m->sheet->key[i], buf, sizeof(buf)), m->sheet->key[i].doc);
}

static void try_mechs(struct search *s)
{
    u32 n;
    const struct mech *const *m = mech_list(&n);
    for (u32 i = 0; i < n; i++) {
        if (strcmp(s->name, m[i]->name))
            continue;
        s->found++;
        explain_mech(m[i]);
    }
}

static void try_components(struct search *s)
{
    for (u32 i = 0; i < LEN(components); i++) {
        if (strcmp(s->name, components[i].name))
            continue;
        s->found++;
        explain_component(&components[i], s->chosen);
    }
}

static void try_gpus(struct search *s)
{
    struct conf_file *gpu;
    u32 n = conf_list_gpus(&gpu);
    for (u32 i = 0; i < n && s->ok; i++) {
        if (strcmp(s->name, gpu[i].name))
            continue;
        s->found++;
        s->ok = explain_conf(&gpu[i], s->e);
    }
    conf_dir_free(gpu, n);
}

static void try_workloads(struct search *s)
{
    struct workload_info *w;
    u32 n = workload_list(&w);
    for (u32 i = 0; i < n; i++) {
        if (strcmp(s->name, w[i].name))
            continue;
        s->found++;
        printf("%s\n", w[i].doc);
    }
    workload_list_free(w, n);
}

static void explain_set(const struct set_info *set)
{
    printf("%s: %s\n", set->name, set->title);
    for (u32 i = 0; i < set->member.n; i++) {
        const struct set_member *m = &set->member.at[i];
        printf("  %-16s %s%s%s%s%s\n", m->label, m->program, m->args[0] ? " " : "", m->args,
               m->kernel ? " @ " : "", m->kernel ? m->kernel : "");
    }
}

static void try_sets(struct search *s)
{
    char **name;
    u32 n = set_names(&name);
    for (u32 i = 0; i < n && s->ok; i++) {
        struct set_info set;
        if (strcmp(s->name, name[i]))
            continue;
        s->found++;
        s->ok = set_read(name[i], &set, s->e);
        if (s->ok) {
            explain_set(&set);
            set_free(&set);
        }
    }
    text_split_free(name, n);
}

static void try_all(struct search *s)
{
    u32 n;
    const struct conf_module *m = conf_modules(&n);
    for (u32 i = 0; i < n; i++)
        try_sheet(s, m[i].sheet);
    conf_each(try_key, s);
    try_all_stats(s);
    try_results(s);
    try_schedulers(s);
    try_dram_schedulers(s);
    try_mechs(s);
    try_components(s);
    try_gpus(s);
    try_workloads(s);
    try_sets(s);
    if (s->ok && isa_explain(s->name, stdout))
        s->found++;
}

/* --- nothing of that name --- */

struct known_names {
    char **at;
    u32 n, cap;
};

static void add_key_names(const struct conf_key *k, void *user)
{
    struct known_names *v = user;
    *VEC_ADD(v) = text_printf("%s.%s", k->module->sheet->module, k->key->name);
    *VEC_ADD(v) = text_dup(k->key->name);
}

static void add_rows(struct known_names *v, const struct sheet *s, const char *prefix)
{
    for (u32 i = 0; i < s->n_stat; i++)
        *VEC_ADD(v) = text_printf("%s%s", prefix, s->stat[i].name);
}

static void add_stats(struct known_names *v)
{
    struct mech_stalls held;
    u32 n;
    const struct counter_sheet *c = counters_list(&n);
    for (u32 i = 0; i < n; i++)
        add_rows(v, c[i].sheet, c[i].prefix);
    add_rows(v, &stall_sheet, SHOW_STALL);
    add_rows(v, mech_stall_sheet(&held), SHOW_STALL);
}

static void add_policies(struct known_names *v)
{
    u32 n;
    const struct sched_policy *const *p = sched_list(&n);
    for (u32 i = 0; i < n; i++)
        *VEC_ADD(v) = text_dup(p[i]->name);
    const struct dram_policy *const *d = dram_policy_list(&n);
    for (u32 i = 0; i < n; i++)
        *VEC_ADD(v) = text_dup(d[i]->name);
    const struct mech *const *m = mech_list(&n);
    for (u32 i = 0; i < n; i++)
        *VEC_ADD(v) = text_dup(m[i]->name);
}

static void add_rest(struct known_names *v)
{
    u32 n;
    const struct conf_module *m = conf_modules(&n);
    for (u32 i = 0; i < n; i++)
        *VEC_ADD(v) = text_dup(m[i].sheet->module);
    add_stats(v);
    add_policies(v);
    for (u32 i = 0; i < LEN(components); i++)
        *VEC_ADD(v) = text_dup(components[i].name);
    struct conf_file *gpu;
    n = conf_list_gpus(&gpu);
    for (u32 i = 0; i < n; i++)
        *VEC_ADD(v) = text_dup(gpu[i].name);
    conf_dir_free(gpu, n);
    struct workload_info *w;
    n = workload_list(&w);
    for (u32 i = 0; i < n; i++)
        *VEC_ADD(v) = text_dup(w[i].name);
    workload_list_free(w, n);
    char **set;
    n = set_names(&set);
    for (u32 i = 0; i < n; i++)
        *VEC_ADD(v) = set[i];
    free(set);
    for (u32 op = 0; op < N_OP; op++)
        *VEC_ADD(v) = text_dup(op_info[op].name);
}

static bool nothing_found(const char *name, struct err *e)
{
    struct known_names v = {0};
    conf_each(add_key_names, &v);
    add_rest(&v);
    err_no_such(e, name, (const char *const *)v.at, v.n, "smelt list shows what there is",
                "nothing is called '%s'", name);
    text_split_free(v.at, v.n);
    return false;
}

static int explain(const char *name, const struct conf *chosen)
{
    struct err e;
    struct search s = {.name = name, .chosen = chosen, .e = &e, .ok = true};
    if (conf_dir_is_path(name)) {
        char *path = text_dup(name);
        s.ok = explain_conf(&(struct conf_file){path, path}, &e);
        free(path);
    } else {
        try_all(&s);
        if (s.ok && !s.found)
            s.ok = nothing_found(name, &e);
    }
    return s.ok ? 0 : err_tell(&e);
}

/* One that is not known does not hide the others. */
static int explain_names(char *const *name, u32 n, const struct conf *chosen)
{
    int status = 0;
    for (u32 i = 0; i < n; i++) {
        int one = explain(name[i], chosen);
        status = status ? status : one;
    }
    return status;
}

static int explain_for(const char *gpu, const struct known_names *names)
{
    struct conf c;
    struct err e;
    if (gpu && !conf_load(&c, gpu, &e))
        return err_tell(&e);
    int status = explain_names(names->at, names->n, gpu ? &c : NULL);
    if (gpu)
        conf_free(&c);
    return status;
}

int cmd_explain(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct known_names names = {0};
    const char *word, *gpu = NULL;
    bool known = true;
    while (known && cli_more(&a)) {
        if (cli_option(&a, "-g|--gpu", &gpu))
            continue;
        known = cli_word(&a, &word);
        if (known)
            *VEC_ADD(&names) = text_dup(word);
    }
    int status = !known     ? cli_unknown(&a)
                 : a.failed ? ERR_USER
                 : !names.n ? cli_misuse(&a, "explain what?")
                            : explain_for(gpu, &names);
    text_split_free(names.at, names.n);
    return status;
}
