/*
 * paper_gates.c -- the figures of "Warped Gates" (Abdel-Majeed, Wong and Annavaram, MICRO 2013).
 *
 * What is measured, and against what: gates_study.h; the text's claims: gates_claims.c.  Figures
 * 11, the open points and the causes take every third program; the values at the paper's own
 * settings stand beside them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "study/oldfig.h"
#include "study/gates_study.h"

/* ---- runs */

static struct series add_series(struct study *s, const char *keys, const char *set, u32 break_even,
                                const struct series *base)
{
    struct series r = {xcalloc(s->set.member.n, sizeof(u32)), base, break_even};
    char *mech = text_printf("gates:%s,break_even=%u", keys, break_even);

    for (u32 i = 0; i < s->set.member.n; i++)
        r.point[i] = points_add(s->p, &s->set.member.at[i], "gates", mech, set);
    free(mech);
    return r;
}

static struct series add_base(struct study *s, const char *set)
{
    return add_series(s, "variant=conv_pg,idle_detect=0", set, 14, NULL);
}

static struct series add_variant(struct study *s, const char *variant, const char *more,
                                 u32 break_even)
{
    char *keys = text_printf("variant=%s%s", variant, more);
    struct series r = add_series(s, keys, NULL, break_even, &s->base);

    free(keys);
    return r;
}

static bool run_points(struct study *s, struct err *e)
{
    log_note("%u runs of %u programs, %u at once", s->p->at.n, s->set.member.n, s->p->jobs);
    return points_run(s->p, e);
}

/*
 * ---- a row for each program, a column for each variant, the mean last; the paper's means as marks
 */

static void numbers(struct oldfig *f, const double *v, u32 n)
{
    for (u32 k = 0; k < n; k++)
        oldfig_number(f, v ? v[k] : NAN);
}

static void variant_header(struct oldfig *f, const char *first, bool marks)
{
    oldfig_label(f, first);
    for (u32 k = 0; k < N_VARIANT; k++)
        oldfig_label(f, gates_variants[k]);
    for (u32 k = 0; k < N_VARIANT && marks; k++) {
        char *name = text_printf("paper %s", gates_variants[k]);

        oldfig_label(f, name);
        free(name);
    }
    oldfig_end(f);
}

struct variant_figure {
    const char *name, *title, *unit;
    u32 type;
    gates_metric *m;
    const double *paper; /* means, or NULL */
};

static bool put_variants(struct study *s, const struct variant_figure *v, struct err *e)
{
    struct oldfig f;

    if (!oldfig_open(&f, s->o->dir, v->name, v->title, v->unit, OLDFIG_BARS, e))
        return false;
    f.marks = v->paper ? N_VARIANT : 0;
    variant_header(&f, "workload", v->paper);
    for (u32 i = 0; i < s->set.member.n; i++) {
        if (!gates_uses(s, i, v->type))
            continue;
        oldfig_label(&f, s->set.member.at[i].label);
        for (u32 k = 0; k < N_VARIANT; k++)
            oldfig_number(&f, v->m(s, &s->variant[k], i, v->type));
        numbers(&f, NULL, f.marks);
        oldfig_end(&f);
    }
    oldfig_label(&f, "mean");
    for (u32 k = 0; k < N_VARIANT; k++)
        oldfig_number(&f, gates_mean(s, &s->variant[k], v->type, v->m));
    numbers(&f, v->paper, f.marks);
    oldfig_end(&f);
    return oldfig_close(&f, e);
}

static const double paper_int[] = {20.1, 21.5, 27.8, 31.5, 31.6},
                    paper_fp[] = {31.4, 35.2, 41.1, 45.6, 46.5}, paper_slow[] = {1, 1, 5, 2, 1},
                    paper_idle[] = {NAN, 1.03, NAN, 1.10, NAN},
                    paper_compensated[] = {20.9, 22.6, NAN, NAN, 33.5},
                    paper_wakeups[] = {1, NAN, NAN, 0.74, 0.54};

static const struct variant_figure variant_figures[] = {
    {"fig8a", "idle cycles of INT pipelines", "of no gating", INT, gates_idle_ratio, paper_idle},
    {"fig8b", "compensated less uncompensated, INT", "% of cycles", INT, gates_net, NULL},
    {"fig8c", "wake-ups of INT pipelines", "of conv_pg", INT, gates_wakeups_ratio, paper_wakeups},
    {"fig8c_fp", "wake-ups of FP pipelines", "of conv_pg", FP, gates_wakeups_ratio, NULL},
    {"fig9a", "INT static energy saved", "%", INT, gates_saved, paper_int},
    {"fig9b", "FP static energy saved", "%", FP, gates_saved, paper_fp},
    {"fig10", "slowdown", "%", INT, gates_slowdown, paper_slow},
};

/* ---- means beside the paper's */

typedef double mean_of(struct study *s, const struct series *r, u32 type, gates_metric *m);

static void put_means(struct study *s, struct oldfig *f, const char *label, u32 type,
                      gates_metric *m, mean_of *mean)
{
    oldfig_label(f, label);
    for (u32 k = 0; k < N_VARIANT; k++)
        oldfig_number(f, mean(s, &s->variant[k], type, m));
    oldfig_end(f);
}

static void put_paper(struct oldfig *f, const char *label, const double *v)
{
    oldfig_label(f, label);
    numbers(f, v, N_VARIANT);
    oldfig_end(f);
}

static bool summary(struct study *s, struct err *e)
{
    struct oldfig f;

    if (!oldfig_open(&f, s->o->dir, "summary", "means", "", OLDFIG_TABLE, e))
        return false;
    variant_header(&f, "mean", false);
    put_means(s, &f, "INT static energy saved, %", INT, gates_saved, gates_mean);
    put_paper(&f, "paper (Fig. 9a)", paper_int);
    put_means(s, &f, "FP static energy saved, %", FP, gates_saved, gates_mean);
    put_paper(&f, "paper (Fig. 9b)", paper_fp);
    put_means(s, &f, "slowdown, %", INT, gates_slowdown, gates_mean);
    put_paper(&f, "paper (Fig. 10)", paper_slow);
    put_means(s, &f, "idle share of INT pipelines, of no gating", INT, gates_idle_ratio,
              gates_mean);
    put_paper(&f, "paper (Fig. 8a)", paper_idle);
    put_means(s, &f, "INT in compensated state, % of cycles, geometric mean", INT,
              gates_compensated, gates_geomean);
    put_paper(&f, "paper (Fig. 8b)", paper_compensated);
    put_means(s, &f, "wake-ups of INT pipelines, of conv_pg", INT, gates_wakeups_ratio, gates_mean);
    put_means(s, &f, "wake-ups of FP pipelines, of conv_pg", FP, gates_wakeups_ratio, gates_mean);
    put_paper(&f, "paper (Fig. 8c)", paper_wakeups);
    put_means(s, &f, "INT saved if pipelines of SMs without a CTA were off, %", INT,
              gates_saved_anywhere, gates_mean);
    put_means(s, &f, "FP, the same", FP, gates_saved_anywhere, gates_mean);
    return oldfig_close(&f, e);
}

/* ---- Fig. 1b: energy of the units, each program's in % of its own without gating */

static double unit_energy(struct study *s, const struct series *r, u32 i, u32 type,
                          const char *part)
{
    double sum = 0;

    for (u32 k = 0; k < 2; k++) {
        char *name = text_printf("energy.sp%u_%s.%s", k, gates_types[type], part);

        sum += gates_value(s, r, i, name);
        free(name);
    }
    return sum;
}

static const char *const energy_parts[] = {"static_j", "dynamic_j", "gating_j"};

/* The mean over programs that use the type. */
static double energy_share(struct study *s, const struct series *r, u32 type, u32 part)
{
    double sum = 0;
    u32 n = 0;

    for (u32 i = 0; i < s->set.member.n; i++) {
        double all = unit_energy(s, &s->base, i, type, "static_j") +
                     unit_energy(s, &s->base, i, type, "dynamic_j");

        if (gates_uses(s, i, type))
            sum += 100 * unit_energy(s, r, i, type, energy_parts[part]) / all, n++;
    }
    return n ? sum / n : NAN;
}

static bool fig1b(struct study *s, struct err *e)
{
    static const char *const labels[] = {"INT", "FP", "INT conv_pg", "FP conv_pg"};
    static const double paper[][3] = {{50, 50, 0}, {90, 10, 0}, {31, NAN, 11}, {61, NAN, 29}};
    struct oldfig f;

    if (!oldfig_open(&f, s->o->dir, "fig1b", "energy of the execution units", "% of no gating",
                     OLDFIG_STACKED, e))
        return false;
    f.marks = 3;
    oldfig_row(&f, "unit", "static", "dynamic", "gating overhead", "paper static", "paper dynamic",
               "paper overhead", NULL);
    for (u32 k = 0; k < LEN(labels); k++) {
        oldfig_label(&f, labels[k]);
        for (u32 p = 0; p < LEN(energy_parts); p++)
            oldfig_number(&f, energy_share(s, k < 2 ? &s->base : &s->variant[CONV_PG], k & 1, p));
        numbers(&f, paper[k], 3);
        oldfig_end(&f);
    }
    return oldfig_close(&f, e);
}

/* Mean of the static share if the units leaked x times as much. */
static double share_if(struct study *s, u32 type, double x)
{
    double sum = 0;
    u32 n = 0;

    for (u32 i = 0; i < s->set.member.n; i++) {
        double leak = x * unit_energy(s, &s->base, i, type, "static_j");

        if (gates_uses(s, i, type))
            sum += 100 * leak / (leak + unit_energy(s, &s->base, i, type, "dynamic_j")), n++;
    }
    return sum / n;
}

/*
 * INT's leakage is fitted to Fig. 1b (conf/gpu/gates.conf): by what it would have to be multiplied.
 */
static bool fit(struct study *s, struct err *e)
{
    struct oldfig f;
    double low = 1e-3, high = 1e3;

    if (!oldfig_open(&f, s->o->dir, "fit", "INT leakage that gives Fig. 1b", "", OLDFIG_TABLE, e))
        return false;
    for (u32 i = 0; i < 60; i++) {
        double middle = sqrt(low * high);

        *(share_if(s, INT, middle) < 50 ? &low : &high) = middle;
    }
    oldfig_row(&f, "static share of INT, %", "power.leak_sp0_int and _sp1_int for 50 %, times",
               NULL);
    oldfig_number(&f, share_if(s, INT, 1)), oldfig_number(&f, low), oldfig_end(&f);
    return oldfig_close(&f, e);
}

static bool static_shares(struct study *s, struct err *e)
{
    struct oldfig f;

    if (!oldfig_open(&f, s->o->dir, "static_shares",
                     "static share of the energy of INT and FP units", "%", OLDFIG_BARS, e))
        return false;
    oldfig_row(&f, "workload", "INT", "FP", NULL);
    for (u32 i = 0; i < s->set.member.n; i++) {
        oldfig_label(&f, s->set.member.at[i].label);
        for (u32 t = 0; t < N_TYPE; t++) {
            double leak = unit_energy(s, &s->base, i, t, "static_j");

            oldfig_number(&f,
                          gates_uses(s, i, t)
                              ? 100 * leak / (leak + unit_energy(s, &s->base, i, t, "dynamic_j"))
                              : NAN);
        }
        oldfig_end(&f);
    }
    oldfig_label(&f, "mean");
    oldfig_number(&f, share_if(s, INT, 1)), oldfig_number(&f, share_if(s, FP, 1));
    oldfig_end(&f);
    return oldfig_close(&f, e);
}

/* ---- Fig. 3 and 5 */

static const char *const regions[] = {"idle_short", "idle_middle", "idle_long"};

static double region(struct study *s, const struct series *r, u32 i, u32 k)
{
    double all = 0;

    for (u32 j = 0; j < LEN(regions); j++)
        all += gates_of_type(s, r, i, INT, regions[j]);
    return all > 0 ? 100 * gates_of_type(s, r, i, INT, regions[k]) / all : NAN;
}

/* Idle periods of INT pipelines: shares of the three regions, per program and variant. */
static bool fig3(struct study *s, struct err *e)
{
    struct oldfig f;

    if (!oldfig_open(&f, s->o->dir, "fig3", "idle periods of INT pipelines", "% of periods",
                     OLDFIG_TABLE, e))
        return false;
    oldfig_row(&f, "workload", "variant", "up to idle-detect", "up to idle-detect + BET", "longer",
               NULL);
    for (u32 i = 0; i < s->set.member.n; i++)
        for (u32 k = 0; k < N_VARIANT; k++) {
            oldfig_label(&f, s->set.member.at[i].label);
            oldfig_label(&f, gates_variants[k]);
            for (u32 j = 0; j < LEN(regions); j++)
                oldfig_number(&f, region(s, &s->variant[k], i, j));
            oldfig_end(&f);
        }
    return oldfig_close(&f, e);
}

/* Fig. 3c, "GATES with Blackout", is taken for Naive Blackout. */
static bool fig3_hotspot(struct study *s, struct err *e)
{
    static const char *const labels[] = {"up to idle-detect", "up to idle-detect + BET", "longer"};
    static const double paper[][N_VARIANT] = {
        {83.4, 59.0, 54.3, NAN, NAN}, {10.1, 22.1, 0, NAN, NAN}, {6.5, 18.9, 45.7, NAN, NAN}};
    struct oldfig f;
    u32 i = 0;

    while (i < s->set.member.n && strcmp(s->set.member.at[i].program, "hotspot") != 0)
        i++;
    if (i == s->set.member.n)
        return true;
    if (!oldfig_open(&f, s->o->dir, "fig3_hotspot", "idle periods of INT pipelines, hotspot",
                     "% of periods", OLDFIG_BARS, e))
        return false;
    f.marks = N_VARIANT;
    variant_header(&f, "region", true);
    for (u32 j = 0; j < LEN(regions); j++) {
        oldfig_label(&f, labels[j]);
        for (u32 k = 0; k < N_VARIANT; k++)
            oldfig_number(&f, region(s, &s->variant[k], i, j));
        numbers(&f, paper[j], N_VARIANT);
        oldfig_end(&f);
    }
    return oldfig_close(&f, e);
}

static bool fig5a(struct study *s, struct err *e)
{
    static const char *const kinds[] = {"int", "fp", "sfu", "mem"};
    struct oldfig f;

    if (!oldfig_open(&f, s->o->dir, "fig5a", "instruction mix", "% of issued", OLDFIG_STACKED, e))
        return false;
    oldfig_row(&f, "workload", "INT", "FP", "SFU", "LD/ST", NULL);
    for (u32 i = 0; i < s->set.member.n; i++) {
        double n[LEN(kinds)], all = 0;

        for (u32 k = 0; k < LEN(kinds); k++) {
            char *name = text_printf("stats.issued_%s", kinds[k]);

            n[k] = gates_value(s, &s->base, i, name);
            all += n[k];
            free(name);
        }
        oldfig_label(&f, s->set.member.at[i].label);
        for (u32 k = 0; k < LEN(kinds); k++)
            oldfig_number(&f, 100 * n[k] / all);
        oldfig_end(&f);
    }
    return oldfig_close(&f, e);
}

static bool fig5b(struct study *s, struct err *e)
{
    struct oldfig f;

    if (!oldfig_open(&f, s->o->dir, "fig5b", "warps in the active set, mean", "warps of 32",
                     OLDFIG_BARS, e))
        return false;
    oldfig_row(&f, "workload", "active warps", NULL);
    for (u32 i = 0; i < s->set.member.n; i++) {
        oldfig_label(&f, s->set.member.at[i].label);
        oldfig_number(&f, gates_value(s, &s->base, i, "stats.gates_avg_active"));
        oldfig_end(&f);
    }
    return oldfig_close(&f, e);
}

static bool main_figures(struct study *s, struct err *e)
{
    bool ok = summary(s, e) && fig1b(s, e) && fit(s, e) && static_shares(s, e) && fig3(s, e) &&
              fig3_hotspot(s, e) && fig5a(s, e) && fig5b(s, e);

    for (u32 k = 0; k < LEN(variant_figures) && ok; k++)
        ok = put_variants(s, &variant_figures[k], e);
    return ok;
}

static bool run_main(struct study *s, struct err *e)
{
    s->base = add_base(s, NULL);
    for (u32 k = 0; k < N_VARIANT; k++)
        s->variant[k] = add_variant(s, gates_variants[k], "", 14);
    return run_points(s, e) && main_figures(s, e);
}

/* ---- Fig. 6: critical wake-ups and slowdown over idle detect; 0 is "never" here */

static const u32 detects[N_DETECT] = {1, 3, 5, 7, 10};

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
    double n = gates_of_type(s, r, i, INT, "critical") + gates_of_type(s, r, i, FP, "critical");

    return 1000 * n / gates_value(s, r, i, "stats.gates_cycles");
}

static bool fig6(struct study *s, const struct series *detect, struct err *e)
{
    struct oldfig points, r;

    if (!oldfig_open(&points, s->o->dir, "fig6_points", "critical wake-ups and slowdown", "",
                     OLDFIG_TABLE, e) ||
        !oldfig_open(&r, s->o->dir, "fig6", "correlation of critical wake-ups and slowdown",
                     "Pearson r", OLDFIG_BARS, e))
        return false;
    oldfig_row(&points, "workload", "idle_detect", "critical per 1000 cycles", "slowdown %", NULL);
    oldfig_row(&r, "workload", "r", NULL);
    s->r = xcalloc(s->set.member.n, sizeof *s->r);
    for (u32 i = 0; i < s->set.member.n; i++) {
        double x[N_DETECT], y[N_DETECT];

        for (u32 k = 0; k < N_DETECT; k++) {
            x[k] = critical_rate(s, &detect[k], i);
            y[k] = gates_slowdown(s, &detect[k], i, INT);
            oldfig_label(&points, s->set.member.at[i].label);
            oldfig_number(&points, detects[k]);
            oldfig_number(&points, x[k]), oldfig_number(&points, y[k]);
            oldfig_end(&points);
        }
        oldfig_label(&r, s->set.member.at[i].label);
        oldfig_number(&r, s->r[i] = pearson(x, y, N_DETECT));
        oldfig_end(&r);
    }
    bool ok = oldfig_close(&points, e);

    return oldfig_close(&r, e) && ok;
}

static bool run_detect(struct study *s, struct err *e)
{
    struct series detect[N_DETECT];

    for (u32 k = 0; k < N_DETECT; k++) {
        char *more = text_printf(",idle_detect=%u", detects[k]);

        detect[k] = add_variant(s, "coordinated", detects[k] == 5 ? "" : more, 14);
        free(more);
    }
    bool ok = run_points(s, e) && fig6(s, detect, e);

    for (u32 k = 0; k < N_DETECT; k++)
        free(detect[k].point);
    return ok;
}

/* ---- Fig. 11: break-even time and wake-up delay */

static bool fig11(const struct study *s, const char *name, const char *title, const u32 *x, u32 n,
                  const struct means *conv, const struct means *warped, const double (*paper)[6],
                  struct err *e)
{
    struct oldfig f;

    if (!oldfig_open(&f, s->o->dir, name, title, "%", OLDFIG_LINES, e))
        return false;
    f.marks = 6;
    oldfig_row(&f, "cycles", "INT conv_pg", "INT warped", "FP conv_pg", "FP warped",
               "slowdown conv_pg", "slowdown warped", "paper INT conv_pg", "paper INT warped",
               "paper FP conv_pg", "paper FP warped", "paper slowdown conv_pg",
               "paper slowdown warped", NULL);
    for (u32 k = 0; k < n; k++) {
        const struct means *c = &conv[k], *w = &warped[k];

        oldfig_number(&f, x[k]);
        numbers(&f,
                (double[]){c->saved[INT], w->saved[INT], c->saved[FP], w->saved[FP], c->slowdown,
                           w->slowdown},
                6);
        numbers(&f, paper[k], 6);
        oldfig_end(&f);
    }
    return oldfig_close(&f, e);
}

static struct means means_at(struct study *s, struct series r)
{
    struct means m = gates_means(s, &r);

    free(r.point);
    return m;
}

static void add_sensitivity(struct study *s, struct series bet[2][N_BET],
                            struct series wake[2][N_WAKEUP])
{
    static const char *const both[] = {"conv_pg", "warped"};

    for (u32 v = 0; v < LEN(both); v++) {
        for (u32 k = 0; k < N_BET; k++)
            bet[v][k] = add_variant(s, both[v], "", gates_bets[k]);
        for (u32 k = 0; k < N_WAKEUP; k++) {
            char *more = text_printf(",wakeup=%u", gates_wakeups[k]);

            wake[v][k] = add_variant(s, both[v], gates_wakeups[k] == 3 ? "" : more, 14);
            free(more);
        }
    }
}

static bool run_sensitivity(struct study *s, struct err *e)
{
#define NONE NAN, NAN, NAN, NAN, NAN, NAN
    static const double paper_bet[][6] = {
        {NONE}, {20.1, 31.6, 31.4, 46.5, 1, 1}, {17, 33, NAN, NAN, NAN, NAN}, {NONE}};
    static const double paper_wake[][6] = {
        {20.1, 31.6, 31.4, 46.5, 1, 1}, {NONE}, {6, 33, 10, 48, 10, 3}};
#undef NONE
    struct series bet[2][N_BET], wake[2][N_WAKEUP];

    add_sensitivity(s, bet, wake);
    if (!run_points(s, e))
        return false;
    for (u32 v = 0; v < 2; v++) {
        for (u32 k = 0; k < N_BET; k++)
            s->bet[v][k] = means_at(s, bet[v][k]);
        for (u32 k = 0; k < N_WAKEUP; k++)
            s->wake[v][k] = means_at(s, wake[v][k]);
    }
    s->has_sensitivity = true;
    return fig11(s, "fig11_bet", "saved and slowdown over break-even time", gates_bets, N_BET,
                 s->bet[0], s->bet[1], paper_bet, e) &&
           fig11(s, "fig11_wakeup", "saved and slowdown over wake-up delay", gates_wakeups,
                 N_WAKEUP, s->wake[0], s->wake[1], paper_wake, e);
}

/* ---- readings and causes, one at a time: each against the baseline with the same setting */

struct reading {
    const char *label, *keys, *set;
};

static const struct reading open_keys[] = {
    {"as configured", "", ""},
    {"cluster: `sm.sp_choice=alternate`", "", "sm.sp_choice=alternate"},
    {"cluster: `sm.sp_choice=scheduler`", "", "sm.sp_choice=scheduler"},
    {"idle: `idle=issue`", ",idle=issue", ""},
    {"ready instructions: `ready=each`", ",ready=each", ""},
    {"ready instructions: `ready=both`", ",ready=both", ""},
    {"issue ports: `sm.sp_ports=two`", "", "sm.sp_ports=two"},
    {"order: `scope=scheduler`", ",scope=scheduler", ""},
    {"INT and FP in one cycle: `mix=scheduler`", ",mix=scheduler", ""},
    {"active set: `sm.active_warps=8`", "", "sm.active_warps=8"},
    {"active set: `sm.active_warps=24`", "", "sm.active_warps=24"},
    {"at most 1000 cycles of a type: `max_switch=1000`", ",max_switch=1000", ""},
    {"issue: `at_issue=wait`", ",at_issue=wait", ""},
};

#define VERSION_4_LATENCY "sm.smem_latency=26,l1d.latency=35"
#define VERSION_4_QUEUES                                                                           \
    "l1d.mshrs=64,dram.queue=64,mem.l2_in=64,mem.l2_dram=64,mem.dram_l2=64,mem.l2_out=64,"         \
    "noc.buffer_flits=64"
#define VERSION_4_L2 "l2.sector=32,l2.write_miss=lazy,l2.mshrs=256,l2.merges=4"

static const struct reading causes[] = {
    {"as configured", "", ""},
    {"latencies of GPGPU-Sim 4 (L1 35, shared memory 26)", "", VERSION_4_LATENCY},
    {"MSHRs and queues of GPGPU-Sim 4", "", VERSION_4_QUEUES},
    {"L2 of GPGPU-Sim 4 (sectors)", "", VERSION_4_L2},
    {"copies warm L2, as in GPGPU-Sim 4", "", "mem.copy_warms_l2=on"},
    {"L1's sets hashed, as from 3.2.2 on", "", "l1d.index=fermi"},
    {"PTX as it is: `front.lower=off`", "", "front.lower=off"},
    {"`fma` takes as long as `mad` (5 cycles)", "", "op.ffma_lat=5"},
};

static void put_reading(struct study *s, struct oldfig *f, const char *label,
                        const struct series *conv, const struct series *warped,
                        const struct series *base)
{
    struct means c = gates_means(s, conv), w = gates_means(s, warped);

    oldfig_label(f, label);
    numbers(
        f, (double[]){c.saved[INT], w.saved[INT], c.saved[FP], w.saved[FP], c.slowdown, w.slowdown},
        6);
    oldfig_number(f, base ? gates_mean_slowdown(s, &(struct series){conv->base->point, base, 14})
                          : NAN);
    oldfig_end(f);
}

struct three {
    struct series base, conv, warped;
};

static void add_three(struct study *s, const struct reading *r, struct three *t)
{
    char *conv = text_printf("variant=conv_pg%s", r->keys);
    char *warped = text_printf("variant=warped%s", r->keys);

    t->base = add_base(s, r->set);
    t->conv = add_series(s, conv, r->set, 14, &t->base);
    t->warped = add_series(s, warped, r->set, 14, &t->base);
    free(conv), free(warped);
}

static void free_three(struct three *t)
{
    free(t->base.point), free(t->conv.point), free(t->warped.point);
}

static void reading_header(struct oldfig *f, const char *first)
{
    oldfig_row(f, first, "INT conv_pg", "INT warped", "FP conv_pg", "FP warped", "slowdown conv_pg",
               "slowdown warped", "baseline itself, slower", NULL);
}

/* The row of the same programs with small inputs. */
static bool put_small(const struct study *all, struct oldfig *f, struct err *e)
{
    struct study s = {.o = all->o, .p = all->p};
    struct three t;

    if (!set_read("gates18", &s.set, e))
        return false;
    set_thin(&s.set, 3), set_resize(&s.set, SET_SMALL);
    s.base = add_base(&s, NULL);
    add_three(&s, &open_keys[0], &t);
    bool ok = run_points(&s, e);

    if (ok)
        put_reading(&s, f, "inputs as small as the tests'", &t.conv, &t.warped, NULL);
    free_three(&t), free(s.base.point);
    set_free(&s.set);
    return ok;
}

static bool run_readings(struct study *s, const char *name, const struct reading *r, u32 n,
                         bool sizes, struct err *e)
{
    struct three *t = xcalloc(n, sizeof *t);
    struct oldfig f;

    for (u32 k = 0; k < n; k++)
        add_three(s, &r[k], &t[k]);
    bool ok = run_points(s, e) && oldfig_open(&f, s->o->dir, name, name, "%", OLDFIG_TABLE, e);

    if (ok) {
        reading_header(&f, "reading");
        for (u32 k = 0; k < n; k++)
            put_reading(s, &f, r[k].label, &t[k].conv, &t[k].warped, &t[0].base);
        ok = (!sizes || put_small(s, &f, e));
        ok = oldfig_close(&f, e) && ok;
    }
    for (u32 k = 0; k < n; k++)
        free_three(&t[k]);
    free(t);
    return ok;
}

/* Every third program. */
static bool run_thin(struct study *all, struct err *e)
{
    struct study s = {.o = all->o, .p = all->p};

    if (!set_read("gates18", &s.set, e))
        return false;
    set_thin(&s.set, 3);
    s.base = add_base(&s, NULL);
    bool ok = run_sensitivity(&s, e) &&
              run_readings(&s, "open_keys", open_keys, LEN(open_keys), false, e) &&
              run_readings(&s, "causes", causes, LEN(causes), true, e);

    memcpy(all->bet, s.bet, sizeof s.bet), memcpy(all->wake, s.wake, sizeof s.wake);
    all->has_sensitivity = s.has_sensitivity;
    free(s.base.point);
    set_free(&s.set);
    return ok;
}

/* ---- all of it */

static bool reproduce(const struct paper_options *o, struct err *e)
{
    struct points p = {0};
    struct study s = {.o = o, .p = &p};
    char *points = text_printf("%s/points", o->dir);
    bool ok = set_read("gates18", &s.set, e);

    if (ok && o->quick)
        set_thin(&s.set, 3);
    if (ok && (o->quick || o->large))
        set_resize(&s.set, o->quick ? SET_SMALL : SET_LARGE);
    ok = ok && points_open(&p, points, o->jobs, e) && run_main(&s, e);
    if (ok && !o->quick && !o->large)
        ok = run_detect(&s, e) && run_thin(&s, e);
    ok = ok && gates_claims(&s, e);
    free(s.base.point), free(s.r);
    for (u32 k = 0; k < N_VARIANT; k++)
        free(s.variant[k].point);
    points_close(&p);
    set_free(&s.set);
    free(points);
    return ok;
}

const struct paper paper_gates = {
    .name = "gates",
    .doc = "Warped Gates: figures 1b, 3, 5, 6, 8 to 11, its claims, what it leaves open, causes",
    .reproduce = reproduce,
};
