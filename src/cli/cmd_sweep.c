/* cmd_sweep.c -- smelt sweep: a study of one's own, from a file or from options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/studies.h"
#include "cli/table.h"
#include "cluster/slurm.h"
#include "conf/conf.h"

struct sweep_options {
    struct studies_options common;
    struct sweep sweep;
    VEC(const char *) word;
    const char *task; /* --slurm-task */
    bool gpu_said, status, cancel;
};

/* ---- what is printed */

enum { WIDEST = 12 }; /* columns; with more, each value has a line */

static const char *cell_text(const struct figure *f, u32 row, u32 column, char *buf, size_t size)
{
    const struct figure_cell *c = figure_at(f, row, column);

    return c->text ? c->text : isnan(c->number) ? "-" : figure_show(c->number, buf, size);
}

static void print_wide(const struct figure *f, struct table *t)
{
    for (u32 row = 0; row < figure_rows(f); row++) {
        char buf[WIDEST][FIGURE_SHOW];
        const char *cell[WIDEST];

        for (u32 i = 0; i < f->column.n; i++)
            cell[i] = cell_text(f, row, i, buf[i], sizeof buf[i]);
        table_row(t, cell);
    }
}

static void print_long(const struct figure *f, struct table *t)
{
    char buf[FIGURE_SHOW];

    for (u32 row = 0; row < figure_rows(f); row++)
        for (u32 i = 1; i < f->column.n; i++)
            TABLE_ROW(t, figure_at(f, row, 0)->text, f->column.at[i],
                      cell_text(f, row, i, buf, sizeof buf));
}

static char *header_of(const struct figure *f)
{
    char *header = text_dup(f->title);

    for (u32 i = 1; i < f->column.n; i++) {
        char *longer = text_printf("%s  %s", header, f->column.at[i]);

        free(header);
        header = longer;
    }
    return header;
}

static void print_figure(const struct figure *f)
{
    struct table t;
    bool wide = f->column.n <= WIDEST;
    char *header = wide ? header_of(f) : text_printf("program  series  %s", f->title);

    table_begin(&t, header, TABLE_ALIGNED);
    (wide ? print_wide : print_long)(f, &t);
    table_end(&t);
    free(header);
}

static void print_tables(const struct study *s)
{
    bool first = true;

    for (u32 i = 0; i < s->figure.n; i++) {
        size_t n = strlen(s->figure.at[i].name);

        if (n > 6 && strcmp(s->figure.at[i].name + n - 6, "_ratio") == 0)
            continue;
        if (!first)
            putchar('\n');
        print_figure(&s->figure.at[i]);
        first = false;
    }
}

/* ---- what is run */

static int run_sweep(struct sweep_options *o, const struct cli_args *a)
{
    struct err e;
    struct study *s;
    bool whole;

    if (!o->word.n)
        return cli_misuse(a, "which programs? none was given");
    if (o->common.define.n)
        return cli_misuse(a, "-D is for a study's file");
    if (o->common.programs.n)
        return cli_misuse(a, "--programs is for a study's file: what is named here may run");
    o->sweep.quick = o->common.quick, o->sweep.large = o->common.large;
    for (u32 i = 0; i < o->word.n; i++)
        if (!sweep_program(&o->sweep, o->word.at[i], &e))
            return err_tell(&e);
    if (!o->sweep.metric.n && !sweep_metric(&o->sweep, "total.cycles", &e))
        return err_tell(&e);
    if (!(s = sweep_make(&o->sweep, &e)))
        return err_tell(&e);
    int status = studies_run(&o->common, s, &o->sweep, &whole);

    if (whole)
        print_tables(s);
    study_free(s);
    return status;
}

static char *study_name(const char *path)
{
    char *name = text_dup(text_base_name(path));

    name[strlen(name) - strlen(".lua")] = 0;
    return name;
}

static int run_file(struct sweep_options *o, const struct cli_args *a)
{
    struct err e;
    bool whole;

    if (o->sweep.axis.n || o->sweep.metric.n || o->sweep.set.n || o->sweep.mech.n || o->gpu_said)
        return cli_misuse(a, "%s says itself what is run: no --vary, --metric, -g, -m and --set",
                          o->word.at[0]);
    if (o->word.n > 1)
        return cli_misuse(a, "sweep takes one study, not also '%s'", o->word.at[1]);
    struct study *s = studies_load(&o->common, o->word.at[0], &e);

    if (!s)
        return err_tell(&e);
    int status = studies_run(&o->common, s, NULL, &whole);

    study_free(s);
    return status;
}

static bool is_study_file(const char *word)
{
    return strlen(word) > 4 && text_ends(word, ".lua");
}

/* What a cluster does: no study is needed. */
static int cluster(const struct sweep_options *o, const struct cli_args *a)
{
    struct err e;
    bool ok;

    if (o->task)
        return slurm_task(o->task, &e) ? 0 : err_tell(&e);
    if (!o->common.dir)
        return cli_misuse(a, "of which sweep? -o DIR says it");
    ok = o->status ? slurm_status(o->common.dir, stdout, &e) : slurm_cancel(o->common.dir, &e);
    return ok ? 0 : err_tell(&e);
}

static int run(struct sweep_options *o, const struct cli_args *a)
{
    bool file = o->word.n && is_study_file(o->word.at[0]);
    char *name = file ? study_name(o->word.at[0]) : text_dup("vary");
    char *dir = text_printf("sweep-%s", name);
    int status;

    if (o->task || o->status || o->cancel) {
        status = cluster(o, a);
    } else if (!studies_check(&o->common, a)) {
        status = ERR_USER;
    } else if (!file && !o->sweep.axis.n) {
        status = cli_misuse(a, "what is varied? --vary KEY=A,B or a study's file, x.lua");
    } else {
        o->common.dir = o->common.dir ? o->common.dir : dir;
        status = file ? run_file(o, a) : run_sweep(o, a);
    }
    free(name), free(dir);
    return status;
}

/* Options of a sweep without a file; *failed: it was wrong, and has been told. */
static bool sweep_option(struct sweep_options *o, struct cli_args *a, bool *failed)
{
    const char *text;
    struct err e;
    bool ok = true;

    if (cli_option(a, "-g|--gpu", &o->sweep.gpu))
        o->gpu_said = true;
    else if (cli_option(a, "--set", &text))
        point_add(&o->sweep.set, text);
    else if (cli_option(a, "-m|--mech", &text))
        point_add(&o->sweep.mech, text);
    else if (cli_option(a, "--vary", &text))
        ok = a->failed || sweep_vary(&o->sweep, text, &e);
    else if (cli_option(a, "--metric", &text))
        ok = a->failed || sweep_metric(&o->sweep, text, &e);
    else
        return false;
    if (!ok)
        err_tell(&e);
    *failed = !ok;
    return true;
}

static int parse_and_sweep(struct sweep_options *o, struct cli_args *a)
{
    bool failed = false;

    while (!failed && cli_more(a)) {
        const char *word;

        const char *programs;

        if (cli_flag(a, "--status"))
            o->status = true;
        else if (cli_option(a, "--programs", &programs))
            *VEC_ADD(&o->common.programs) = programs;
        else if (cli_flag(a, "--cancel"))
            o->cancel = true;
        else if (cli_option(a, "--slurm-task", &o->task) || studies_option(&o->common, a) ||
                 sweep_option(o, a, &failed))
            continue;
        else if (cli_word(a, &word))
            *VEC_ADD(&o->word) = word;
        else
            return cli_unknown(a);
    }
    return failed || a->failed ? ERR_USER : run(o, a);
}

int cmd_sweep(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct sweep_options o = {.sweep.gpu = CONF_GPU};
    int status = parse_and_sweep(&o, &a);

    sweep_free(&o.sweep);
    studies_free(&o.common);
    VEC_FREE(&o.word);
    return status;
}
