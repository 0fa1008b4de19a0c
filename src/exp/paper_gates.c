/*
 * paper_gates.c -- the figures of "Warped Gates" (Abdel-Majeed, Wong and Annavaram, MICRO 2013).
 *
 * Everything is measured against the mechanism with gating off, which is the baseline with the
 * mechanism's counters.  Savings are those of SMs with a CTA: cycles that pipelines are off, less
 * break_even for each time, of their cycles.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "exp/figure.h"
#include "exp/paper.h"
#include "exp/points.h"

enum { N_VARIANT = 5, MAX_DETECT = 10, N_TYPE = 2 };

static const char *const variants[N_VARIANT] = {"conv_pg", "gates", "naive", "coordinated",
                                                "warped"};
static const char *const types[N_TYPE] = {"int", "fp"};

struct series { /* one point for each program */
    u32 *point;
    u32 break_even;
};

struct study {
    const struct paper_options *o;
    struct points *p;
    struct set_info set;
    struct series base, variant[N_VARIANT];
};

/* ---- runs */

static struct series add_series(struct study *s, const char *keys, const char *set, u32 break_even)
{
    struct series r = {xcalloc(s->set.member.n, sizeof(u32)), break_even};
    char *mech = text_printf("gates:%s,break_even=%u", keys, break_even);

    for (u32 i = 0; i < s->set.member.n; i++)
        r.point[i] = points_add(s->p, &s->set.member.at[i], "gates", mech, set);
    free(mech);
    return r;
}

static struct series add_base(struct study *s, const char *set)
{
    return add_series(s, "variant=conv_pg,idle_detect=0", set, 14);
}

static struct series add_variant(struct study *s, const char *variant, const char *more)
{
    char *keys = text_printf("variant=%s%s", variant, more);
    struct series r = add_series(s, keys, NULL, 14);

    free(keys);
    return r;
}

/* ---- what is measured; i is a program */

static double value(struct study *s, const struct series *r, u32 i, const char *name)
{
    return points_value(s->p, r->point[i], name);
}

static double of_type(struct study *s, const struct series *r, u32 i, u32 type, const char *name)
{
    char *full = text_printf("stats.gates_%s_%s", types[type], name);
    double v = value(s, r, i, full);

    free(full);
    return v;
}

/* Cycles of the pipelines of a type: two clusters, while the SM has a CTA. */
static double pipe_cycles(struct study *s, const struct series *r, u32 i)
{
    return 2 * value(s, r, i, "stats.gates_cycles");
}

static double saved(struct study *s, const struct series *r, u32 i, u32 type)
{
    double off = of_type(s, r, i, type, "uncompensated") + of_type(s, r, i, type, "compensated");

    return 100 * (off - r->break_even * of_type(s, r, i, type, "gatings")) / pipe_cycles(s, r, i);
}

static double slowdown(struct study *s, const struct series *base, const struct series *r, u32 i)
{
    return 100 * (value(s, r, i, "total.cycles") / value(s, base, i, "total.cycles") - 1);
}

static bool uses(struct study *s, u32 i, u32 type)
{
    char *name = text_printf("stats.issued_%s", types[type]);
    double n = value(s, &s->base, i, name);

    free(name);
    return n > 0;
}

typedef double metric(struct study *s, const struct series *r, u32 i, u32 type);

/* Over the programs that use the type, as the paper does, and have the figure. */
static double mean(struct study *s, const struct series *r, u32 type, metric *m)
{
    double sum = 0;
    u32 n = 0;

    for (u32 i = 0; i < s->set.member.n; i++) {
        double v = uses(s, i, type) ? m(s, r, i, type) : NAN;

        if (!isnan(v))
            sum += v, n++;
    }
    return n ? sum / n : NAN;
}

static double mean_slowdown(struct study *s, const struct series *base, const struct series *r)
{
    double sum = 0;

    for (u32 i = 0; i < s->set.member.n; i++)
        sum += slowdown(s, base, r, i);
    return sum / s->set.member.n;
}

/* ---- figures: a row for each program, a column for each variant, the mean last */

static double idle_fraction(struct study *s, const struct series *r, u32 i, u32 type)
{
    return 1 - of_type(s, r, i, type, "busy") / pipe_cycles(s, r, i);
}

static double idle_ratio(struct study *s, const struct series *r, u32 i, u32 type)
{
    return idle_fraction(s, r, i, type) / idle_fraction(s, &s->base, i, type);
}

static double net_compensated(struct study *s, const struct series *r, u32 i, u32 type)
{
    return 100 * (of_type(s, r, i, type, "compensated") - of_type(s, r, i, type, "uncompensated")) /
           pipe_cycles(s, r, i);
}

static double wakeup_ratio(struct study *s, const struct series *r, u32 i, u32 type)
{
    double conv = of_type(s, &s->variant[0], i, type, "wakeups");

    return conv > 0 ? of_type(s, r, i, type, "wakeups") / conv : NAN;
}

static double cost(struct study *s, const struct series *r, u32 i, u32 type)
{
    (void)type;
    return slowdown(s, &s->base, r, i);
}

static void variant_header(struct figure *f)
{
    figure_row(f, "workload", "conv_pg", "gates", "naive", "coordinated", "warped", NULL);
}

static bool variant_figure(struct study *s, const char *name, const char *title, const char *unit,
                           u32 type, metric *m, struct err *e)
{
    struct figure f;

    if (!figure_open(&f, s->o->dir, name, title, unit, FIGURE_BARS, e))
        return false;
    variant_header(&f);
    for (u32 i = 0; i < s->set.member.n; i++) {
        if (!uses(s, i, type))
            continue;
        figure_label(&f, s->set.member.at[i].label);
        for (u32 k = 0; k < N_VARIANT; k++)
            figure_number(&f, m(s, &s->variant[k], i, type));
        figure_end(&f);
    }
    figure_label(&f, "mean");
    for (u32 k = 0; k < N_VARIANT; k++)
        figure_number(&f, mean(s, &s->variant[k], type, m));
    figure_end(&f);
    return figure_close(&f, e);
}

/* ---- Fig. 1b, 3, 5 */

static double unit_energy(struct study *s, const struct series *r, u32 type, const char *part)
{
    double sum = 0;

    for (u32 i = 0; i < s->set.member.n; i++)
        for (u32 k = 0; k < 2; k++) {
            char *name = text_printf("energy.sp%u_%s.%s", k, types[type], part);

            sum += value(s, r, i, name);
            free(name);
        }
    return sum;
}

static bool fig1b(struct study *s, struct err *e)
{
    static const char *const parts[] = {"static_j", "dynamic_j", "gating_j"};
    static const char *const labels[] = {"INT", "FP", "INT conv_pg", "FP conv_pg"};
    struct figure f;

    if (!figure_open(&f, s->o->dir, "fig1b", "energy of the execution units", "% of no gating",
                     FIGURE_STACKED, e))
        return false;
    figure_row(&f, "unit", "static", "dynamic", "gating overhead", NULL);
    for (u32 k = 0; k < LEN(labels); k++) {
        const struct series *r = k < 2 ? &s->base : &s->variant[0];
        double all = 0;

        for (u32 p = 0; p < LEN(parts); p++)
            all += unit_energy(s, &s->base, k & 1, parts[p]);
        figure_label(&f, labels[k]);
        for (u32 p = 0; p < LEN(parts); p++)
            figure_number(&f, 100 * unit_energy(s, r, k & 1, parts[p]) / all);
        figure_end(&f);
    }
    return figure_close(&f, e);
}

/* Idle periods of INT pipelines: shares of the three regions, per program and variant. */
static bool fig3(struct study *s, struct err *e)
{
    struct figure f;

    if (!figure_open(&f, s->o->dir, "fig3", "idle periods of INT pipelines", "% of periods",
                     FIGURE_TABLE, e))
        return false;
    figure_row(&f, "workload", "variant", "up to idle-detect", "up to idle-detect + BET", "longer",
               NULL);
    for (u32 i = 0; i < s->set.member.n; i++) {
        for (u32 k = 0; k < N_VARIANT; k++) {
            const struct series *r = &s->variant[k];
            double n[] = {of_type(s, r, i, 0, "idle_short"), of_type(s, r, i, 0, "idle_middle"),
                          of_type(s, r, i, 0, "idle_long")};
            double all = n[0] + n[1] + n[2];

            figure_label(&f, s->set.member.at[i].label);
            figure_label(&f, variants[k]);
            for (u32 j = 0; j < LEN(n); j++)
                figure_number(&f, all > 0 ? 100 * n[j] / all : NAN);
            figure_end(&f);
        }
    }
    return figure_close(&f, e);
}

static bool fig3_hotspot(struct study *s, struct err *e)
{
    static const char *const regions[] = {"idle_short", "idle_middle", "idle_long"};
    static const char *const labels[] = {"up to idle-detect", "up to idle-detect + BET", "longer"};
    struct figure f;
    u32 i = 0;

    while (i < s->set.member.n && strcmp(s->set.member.at[i].program, "hotspot") != 0)
        i++;
    if (i == s->set.member.n)
        return true;
    if (!figure_open(&f, s->o->dir, "fig3_hotspot", "idle periods of INT pipelines, hotspot",
                     "% of periods", FIGURE_BARS, e))
        return false;
    figure_row(&f, "region", "conv_pg", "gates", "naive", "coordinated", "warped", NULL);
    for (u32 j = 0; j < LEN(regions); j++) {
        figure_label(&f, labels[j]);
        for (u32 k = 0; k < N_VARIANT; k++) {
            const struct series *r = &s->variant[k];
            double all = of_type(s, r, i, 0, regions[0]) + of_type(s, r, i, 0, regions[1]) +
                         of_type(s, r, i, 0, regions[2]);

            figure_number(&f, 100 * of_type(s, r, i, 0, regions[j]) / all);
        }
        figure_end(&f);
    }
    return figure_close(&f, e);
}

static bool fig5a(struct study *s, struct err *e)
{
    static const char *const kinds[] = {"int", "fp", "sfu", "mem"};
    struct figure f;

    if (!figure_open(&f, s->o->dir, "fig5a", "instruction mix", "% of issued", FIGURE_STACKED, e))
        return false;
    figure_row(&f, "workload", "INT", "FP", "SFU", "LD/ST", NULL);
    for (u32 i = 0; i < s->set.member.n; i++) {
        double n[LEN(kinds)], all = 0;

        for (u32 k = 0; k < LEN(kinds); k++) {
            char *name = text_printf("stats.issued_%s", kinds[k]);

            n[k] = value(s, &s->base, i, name);
            all += n[k];
            free(name);
        }
        figure_label(&f, s->set.member.at[i].label);
        for (u32 k = 0; k < LEN(kinds); k++)
            figure_number(&f, 100 * n[k] / all);
        figure_end(&f);
    }
    return figure_close(&f, e);
}

static bool fig5b(struct study *s, struct err *e)
{
    struct figure f;

    if (!figure_open(&f, s->o->dir, "fig5b", "warps in the active set, mean", "warps of 32",
                     FIGURE_BARS, e))
        return false;
    figure_row(&f, "workload", "active warps", NULL);
    for (u32 i = 0; i < s->set.member.n; i++) {
        figure_label(&f, s->set.member.at[i].label);
        figure_number(&f, value(s, &s->base, i, "stats.gates_avg_active"));
        figure_end(&f);
    }
    return figure_close(&f, e);
}

/* ---- Fig. 6: critical wake-ups and slowdown over idle detect */

static double pearson(const double *x, const double *y, u32 n)
{
    double mx = 0, my = 0, xy = 0, xx = 0, yy = 0;

    for (u32 i = 0; i < n; i++)
        mx += x[i] / n, my += y[i] / n;
    for (u32 i = 0; i < n; i++) {
        xy += (x[i] - mx) * (y[i] - my);
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

static double critical_rate(struct study *s, const struct series *r, u32 i)
{
    double n = of_type(s, r, i, 0, "critical") + of_type(s, r, i, 1, "critical");

    return 1000 * n / value(s, r, i, "stats.gates_cycles");
}

static bool fig6(struct study *s, const struct series *detect, struct err *e)
{
    struct figure points, r;

    if (!figure_open(&points, s->o->dir, "fig6_points", "critical wake-ups and slowdown", "",
                     FIGURE_TABLE, e) ||
        !figure_open(&r, s->o->dir, "fig6", "correlation of critical wake-ups and slowdown",
                     "Pearson r", FIGURE_BARS, e))
        return false;
    figure_row(&points, "workload", "idle_detect", "critical per 1000 cycles", "slowdown %", NULL);
    figure_row(&r, "workload", "r", NULL);
    for (u32 i = 0; i < s->set.member.n; i++) {
        double x[MAX_DETECT], y[MAX_DETECT];

        for (u32 k = 0; k < MAX_DETECT; k++) {
            x[k] = critical_rate(s, &detect[k], i);
            y[k] = slowdown(s, &s->base, &detect[k], i);
            figure_label(&points, s->set.member.at[i].label);
            figure_number(&points, k + 1);
            figure_number(&points, x[k]), figure_number(&points, y[k]);
            figure_end(&points);
        }
        figure_label(&r, s->set.member.at[i].label);
        figure_number(&r, pearson(x, y, MAX_DETECT));
        figure_end(&r);
    }
    bool ok = figure_close(&points, e);

    return figure_close(&r, e) && ok;
}

/* ---- Fig. 11: break-even time and wake-up delay */

static bool fig11(struct study *s, const char *name, const char *title, const u32 *x, u32 n,
                  const struct series *conv, const struct series *warped, struct err *e)
{
    struct figure f;

    if (!figure_open(&f, s->o->dir, name, title, "%", FIGURE_LINES, e))
        return false;
    figure_row(&f, "cycles", "INT conv_pg", "INT warped", "FP conv_pg", "FP warped",
               "slowdown conv_pg", "slowdown warped", NULL);
    for (u32 k = 0; k < n; k++) {
        figure_number(&f, x[k]);
        for (u32 t = 0; t < N_TYPE; t++) {
            figure_number(&f, mean(s, &conv[k], t, saved));
            figure_number(&f, mean(s, &warped[k], t, saved));
        }
        figure_number(&f, mean_slowdown(s, &s->base, &conv[k]));
        figure_number(&f, mean_slowdown(s, &s->base, &warped[k]));
        figure_end(&f);
    }
    return figure_close(&f, e);
}

/* ---- what the paper leaves open */

struct open_key {
    const char *label, *keys, *set;
};

static const struct open_key open_keys[] = {
    {"as configured", "", ""},
    {"cluster: alternate", "", "sm.sp_choice=alternate"},
    {"cluster: by scheduler", "", "sm.sp_choice=scheduler"},
    {"idle: nothing enters", ",idle=issue", ""},
    {"issue ports: INT and FP together", "", "sm.sp_ports=two"},
    {"order: of each scheduler", ",scope=scheduler", ""},
    {"active set: 8 for a scheduler", "", "sm.active_warps=8"},
    {"active set: all 24 of a scheduler", "", "sm.active_warps=24"},
    {"at most 100 issues of a type", ",max_switch=100", ""},
    {"issue: waits until a pipeline is on", ",at_issue=wait", ""},
};

struct open_series {
    struct series base, conv, warped;
};

static void add_open(struct study *s, struct open_series *o)
{
    for (u32 k = 0; k < LEN(open_keys); k++) {
        const struct open_key *key = &open_keys[k];
        char *conv = text_printf("variant=conv_pg%s", key->keys);
        char *warped = text_printf("variant=warped%s", key->keys);

        o[k].base = add_base(s, key->set);
        o[k].conv = add_series(s, conv, key->set, 14);
        o[k].warped = add_series(s, warped, key->set, 14);
        free(conv), free(warped);
    }
}

static bool open_table(struct study *s, const struct open_series *o, struct err *e)
{
    struct figure f;

    if (!figure_open(&f, s->o->dir, "open_keys", "what the paper leaves open", "%", FIGURE_TABLE,
                     e))
        return false;
    figure_row(&f, "reading", "INT conv_pg", "INT warped", "FP conv_pg", "FP warped",
               "slowdown conv_pg", "slowdown warped", "baseline vs as configured", NULL);
    for (u32 k = 0; k < LEN(open_keys); k++) {
        figure_label(&f, open_keys[k].label);
        for (u32 t = 0; t < N_TYPE; t++) {
            figure_number(&f, mean(s, &o[k].conv, t, saved));
            figure_number(&f, mean(s, &o[k].warped, t, saved));
        }
        figure_number(&f, mean_slowdown(s, &o[k].base, &o[k].conv));
        figure_number(&f, mean_slowdown(s, &o[k].base, &o[k].warped));
        figure_number(&f, mean_slowdown(s, &o[0].base, &o[k].base));
        figure_end(&f);
    }
    return figure_close(&f, e);
}

/* ---- SMs without a CTA: left out of the savings, as far as the text lets one see */

static double saved_if_empty_gated(struct study *s, const struct series *r, u32 i, u32 type)
{
    double off = of_type(s, r, i, type, "uncompensated") + of_type(s, r, i, type, "compensated");
    double all = value(s, r, i, "stats.sm_cycles"),
           empty = all - value(s, r, i, "stats.gates_cycles");

    return 100 * (off + 2 * empty - r->break_even * of_type(s, r, i, type, "gatings")) / (2 * all);
}

static bool summary(struct study *s, struct err *e)
{
    struct figure f;

    if (!figure_open(&f, s->o->dir, "summary", "means", "%", FIGURE_TABLE, e))
        return false;
    figure_row(&f, "variant", "INT saved", "FP saved", "slowdown", "INT wake-ups", "FP wake-ups",
               "INT saved if empty SMs count", "FP saved if empty SMs count", NULL);
    for (u32 k = 0; k < N_VARIANT; k++) {
        const struct series *r = &s->variant[k];

        figure_label(&f, variants[k]);
        figure_number(&f, mean(s, r, 0, saved)), figure_number(&f, mean(s, r, 1, saved));
        figure_number(&f, mean_slowdown(s, &s->base, r));
        figure_number(&f, mean(s, r, 0, wakeup_ratio));
        figure_number(&f, mean(s, r, 1, wakeup_ratio));
        figure_number(&f, mean(s, r, 0, saved_if_empty_gated));
        figure_number(&f, mean(s, r, 1, saved_if_empty_gated));
        figure_end(&f);
    }
    return figure_close(&f, e);
}

static bool main_figures(struct study *s, struct err *e)
{
    return summary(s, e) && fig1b(s, e) && fig3(s, e) && fig3_hotspot(s, e) && fig5a(s, e) &&
           fig5b(s, e) &&
           variant_figure(s, "fig8a", "idle cycles of INT pipelines", "of no gating", 0, idle_ratio,
                          e) &&
           variant_figure(s, "fig8b", "compensated less uncompensated, INT", "% of cycles", 0,
                          net_compensated, e) &&
           variant_figure(s, "fig8c", "wake-ups of INT pipelines", "of conv_pg", 0, wakeup_ratio,
                          e) &&
           variant_figure(s, "fig8c_fp", "wake-ups of FP pipelines", "of conv_pg", 1, wakeup_ratio,
                          e) &&
           variant_figure(s, "fig9a", "INT static energy saved", "%", 0, saved, e) &&
           variant_figure(s, "fig9b", "FP static energy saved", "%", 1, saved, e) &&
           variant_figure(s, "fig10", "slowdown", "%", 0, cost, e);
}

static const u32 break_evens[] = {9, 14, 19, 24}, wakeups[] = {3, 6, 9};

/* ---- all of it */

static bool run_points(struct study *s, struct err *e)
{
    log_note("%u runs of %u programs, %u at once", s->p->at.n, s->set.member.n, s->p->jobs);
    return points_run(s->p, e);
}

static bool run_main(struct study *s, struct err *e)
{
    s->base = add_base(s, NULL);
    for (u32 k = 0; k < N_VARIANT; k++)
        s->variant[k] = add_variant(s, variants[k], "");
    return run_points(s, e) && main_figures(s, e);
}

/* Figures 11: two variants over break-even times and wake-up delays. */
static bool run_sensitivity(struct study *s, struct err *e)
{
    static const char *const both[] = {"conv_pg", "warped"};
    struct series bet[2][LEN(break_evens)], delay[2][LEN(wakeups)];

    for (u32 v = 0; v < LEN(both); v++) {
        char *keys = text_printf("variant=%s", both[v]);

        for (u32 k = 0; k < LEN(break_evens); k++)
            bet[v][k] = add_series(s, keys, NULL, break_evens[k]);
        free(keys);
        for (u32 k = 0; k < LEN(wakeups); k++) {
            char *more = text_printf(",wakeup=%u", wakeups[k]);

            delay[v][k] = add_variant(s, both[v], wakeups[k] == 3 ? "" : more);
            free(more);
        }
    }
    bool ok = run_points(s, e) &&
              fig11(s, "fig11_bet", "saved and slowdown over break-even time", break_evens,
                    LEN(break_evens), bet[0], bet[1], e) &&
              fig11(s, "fig11_wakeup", "saved and slowdown over wake-up delay", wakeups,
                    LEN(wakeups), delay[0], delay[1], e);

    for (u32 v = 0; v < LEN(both); v++) {
        for (u32 k = 0; k < LEN(break_evens); k++)
            free(bet[v][k].point);
        for (u32 k = 0; k < LEN(wakeups); k++)
            free(delay[v][k].point);
    }
    return ok;
}

/* Figure 6: idle_detect 0 is "never" here, so from 1 on. */
static bool run_detect(struct study *s, struct err *e)
{
    struct series detect[MAX_DETECT];

    for (u32 k = 0; k < MAX_DETECT; k++) {
        char *more = text_printf(",idle_detect=%u", k + 1);

        detect[k] = add_variant(s, "coordinated", k + 1 == 5 ? "" : more);
        free(more);
    }
    bool ok = run_points(s, e) && fig6(s, detect, e);

    for (u32 k = 0; k < MAX_DETECT; k++)
        free(detect[k].point);
    return ok;
}

/* What the paper leaves open: every third program will do. */
static bool run_open(const struct study *all, struct err *e)
{
    struct study s = {.o = all->o, .p = all->p};
    struct open_series o[LEN(open_keys)] = {0};

    if (!set_read("gates18", &s.set, e))
        return false;
    set_thin(&s.set, 3);
    s.base = add_base(&s, NULL);
    add_open(&s, o);
    bool ok = run_points(&s, e) && open_table(&s, o, e);

    for (u32 k = 0; k < LEN(open_keys); k++)
        free(o[k].base.point), free(o[k].conv.point), free(o[k].warped.point);
    free(s.base.point);
    set_free(&s.set);
    return ok;
}

static bool reproduce(const struct paper_options *o, struct err *e)
{
    struct points p = {0};
    struct study s = {.o = o, .p = &p};
    char *points = text_printf("%s/points", o->dir);
    bool ok = set_read("gates18", &s.set, e);

    if (ok && o->quick)
        set_thin(&s.set, 3), set_make_small(&s.set);
    ok = ok && points_open(&p, points, o->jobs, e) && run_main(&s, e) &&
         (o->quick || (run_sensitivity(&s, e) && run_open(&s, e) && run_detect(&s, e)));
    free(s.base.point);
    for (u32 k = 0; k < N_VARIANT; k++)
        free(s.variant[k].point);
    points_close(&p);
    set_free(&s.set);
    free(points);
    return ok;
}

const struct paper paper_gates = {
    .name = "gates",
    .doc = "Warped Gates: figures 1b, 3, 5, 6, 8 to 11, and what the paper leaves open",
    .reproduce = reproduce,
};
