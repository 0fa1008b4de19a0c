/*
 * gates_claims.c -- what the text of "Warped Gates" says of its figures, and whether it is so here.
 *
 * A row is a sentence of the paper, shortened, what was measured, and "yes" or "no".  A claim about
 * a program that was not run is left out.  Where the text gives a number, the tables of the figures
 * have it beside ours.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "study/oldfig.h"
#include "study/gates_study.h"

struct table {
    struct study *s;
    struct oldfig f;
};

static void claim(struct table *t, const char *where, const char *text, bool met, const char *fmt,
                  ...) PRINTF(5, 6);

static void claim(struct table *t, const char *where, const char *text, bool met, const char *fmt,
                  ...)
{
    char measured[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(measured, sizeof measured, fmt, ap);
    va_end(ap);
    oldfig_row(&t->f, where, text, measured, met ? "yes" : "no", NULL);
}

/* Its number in the set, or the number of programs. */
static u32 find(const struct study *s, const char *program)
{
    u32 i = 0;

    while (i < s->set.member.n && strcmp(s->set.member.at[i].program, program) != 0)
        i++;
    return i;
}

static double of(struct table *t, u32 variant, u32 i, gates_metric *m)
{
    return m(t->s, &t->s->variant[variant], i, INT);
}

static double mean_of(struct table *t, u32 variant, u32 type, gates_metric *m)
{
    return gates_mean(t->s, &t->s->variant[variant], type, m);
}

/* A claim about programs, one row each: is `m` of a variant below (or above) a bound? */
struct each {
    const char *where, *text, *programs;
    u32 variant;
    gates_metric *m;
    double bound;
    bool above;
};

static void each_program(struct table *t, const struct each *c)
{
    char *names = text_dup(c->programs), *save = NULL;

    for (char *p = strtok_r(names, " ", &save); p; p = strtok_r(NULL, " ", &save)) {
        u32 i = find(t->s, p);

        if (i == t->s->set.member.n)
            continue;
        double v = of(t, c->variant, i, c->m);
        char *text = text_printf("%s: %s", p, c->text);

        claim(t, c->where, text, c->above ? v > c->bound : v < c->bound, "%.1f", v);
        free(text);
    }
    free(names);
}

/* ---- sections 3 to 5 */

/* Of the idle periods of INT pipelines the shares of the three regions. */
static void regions(struct table *t, u32 variant, u32 i, double *share)
{
    static const char *const names[] = {"idle_short", "idle_middle", "idle_long"};
    double all = 0;

    for (u32 k = 0; k < 3; k++) {
        share[k] = gates_of_type(t->s, &t->s->variant[variant], i, INT, names[k]);
        all += share[k];
    }
    for (u32 k = 0; k < 3; k++)
        share[k] *= 100 / all;
}

static void hotspot(struct table *t)
{
    u32 i = find(t->s, "hotspot");
    double conv[3], gates[3], naive[3];

    if (i == t->s->set.member.n)
        return;
    regions(t, CONV_PG, i, conv), regions(t, GATES, i, gates), regions(t, NAIVE, i, naive);
    claim(t, "3.1",
          "hotspot: most idle periods end within idle-detect, few are longer than it and BET",
          conv[0] > 50 && conv[2] < 10, "%.0f %% and %.1f %%", conv[0], conv[2]);
    claim(t, "4.1", "hotspot: GATES makes fewer short ones, more middle and long ones",
          gates[0] < conv[0] && gates[1] > conv[1] && gates[2] > conv[2],
          "%.0f/%.0f/%.0f to %.0f/%.0f/%.0f %%", conv[0], conv[1], conv[2], gates[0], gates[1],
          gates[2]);
    claim(t, "5", "hotspot: with Blackout none is in the middle", naive[1] < 0.5, "%.1f %%",
          naive[1]);
    claim(t, "5", "hotspot: with Blackout several times more are long than with conv_pg",
          naive[2] > 3 * conv[2], "%.1f times", naive[2] / conv[2]);
}

static double share_of_fp(struct study *s, u32 i)
{
    double fp = gates_value(s, &s->base, i, "stats.issued_fp");

    return 100 * fp /
           (fp + gates_value(s, &s->base, i, "stats.issued_int") +
            gates_value(s, &s->base, i, "stats.issued_sfu") +
            gates_value(s, &s->base, i, "stats.issued_mem"));
}

static void workloads(struct table *t)
{
    struct study *s = t->s;
    u32 lavamd = find(s, "lavamd"), few = 0, n = s->set.member.n;

    for (u32 i = 0; i < n; i++)
        few += gates_value(s, &s->base, i, "stats.gates_avg_active") < 10;
    if (lavamd < n)
        claim(t, "4", "lavaMD is pure integer", share_of_fp(s, lavamd) < 1, "%.0f %% FP",
              share_of_fp(s, lavamd));
    claim(t, "4", "5 of 18 have fewer than ten active warps", few == 5 && n == 18, "%u of %u", few,
          n);
}

static void correlation(struct table *t)
{
    static const char *const low[] = {"kmeans", "mum", "lavamd", "mri-q", "wp", "sgemm-parboil"};
    u32 strong = 0;

    if (!t->s->r)
        return;
    for (u32 i = 0; i < t->s->set.member.n; i++)
        strong += t->s->r[i] > 0.9;
    claim(t, "5.1", "r of critical wake-ups and slowdown is above 0.9 in 11 of 18", strong == 11,
          "%u of %u", strong, t->s->set.member.n);
    for (u32 k = 0; k < LEN(low); k++) {
        u32 i = find(t->s, low[k]);
        char *text = text_printf("%s: r is low", low[k]);

        if (i < t->s->set.member.n)
            claim(t, "5.1", text, !(t->s->r[i] > 0.9), "%.2f", t->s->r[i]);
        free(text);
    }
}

/* ---- section 7.2 */

static u32 count_if_less(struct table *t, u32 a, u32 b, gates_metric *m)
{
    u32 n = 0;

    for (u32 i = 0; i < t->s->set.member.n; i++)
        n += of(t, a, i, m) < of(t, b, i, m);
    return n;
}

static void opportunity(struct table *t)
{
    struct study *s = t->s;
    double gates = mean_of(t, GATES, INT, gates_idle_ratio),
           coordinated = mean_of(t, COORDINATED, INT, gates_idle_ratio);
    u32 heartwall = find(s, "heartwall"), n = s->set.member.n,
        less = count_if_less(t, WARPED, COORDINATED, gates_idle_ratio);

    claim(t, "7.2",
          "GATES has more idle cycles than two-level, Coordinated Blackout more than GATES",
          gates > 1 && coordinated > gates, "%.3f and %.3f of its share", gates, coordinated);
    claim(t, "7.2", "in most programs Warped Gates has a slightly smaller share than Coordinated",
          2 * less > n, "%u of %u", less, n);
    if (heartwall < n)
        claim(t, "7.2", "heartwall: Coordinated has a smaller share than GATES",
              of(t, COORDINATED, heartwall, gates_idle_ratio) <
                  of(t, GATES, heartwall, gates_idle_ratio),
              "%.3f and %.3f", of(t, COORDINATED, heartwall, gates_idle_ratio),
              of(t, GATES, heartwall, gates_idle_ratio));
}

static double idle_percent(struct study *s, const struct series *r, u32 i, u32 type)
{
    return 100 * gates_idle(s, r->base, i, type);
}

static void compensated(struct table *t)
{
    struct study *s = t->s;
    double conv = gates_geomean(s, &s->variant[CONV_PG], INT, gates_compensated),
           gates = gates_geomean(s, &s->variant[GATES], INT, gates_compensated),
           warped = gates_geomean(s, &s->variant[WARPED], INT, gates_compensated);

    each_program(t, &(struct each){"7.2", "very few idle cycles (below 30 %)", "backprop lavamd",
                                   CONV_PG, idle_percent, 30, false});
    each_program(t, &(struct each){"7.2", "conv_pg is uncompensated for longer than compensated",
                                   "cutcp mri-q", CONV_PG, gates_net, 0, false});
    each_program(t,
                 &(struct each){"7.2", "so is GATES", "cutcp mri-q", GATES, gates_net, 0, false});
    each_program(
        t, &(struct each){"7.2", "Warped Gates is not", "cutcp mri-q", WARPED, gates_net, 0, true});
    claim(t, "7.2", "time in compensated state: conv_pg < GATES < Warped Gates",
          conv < gates && gates < warped, "%.1f, %.1f, %.1f %%", conv, gates, warped);
}

static void wakeups(struct table *t)
{
    u32 more = count_if_less(t, CONV_PG, GATES, gates_wakeups_ratio);
    double coordinated = mean_of(t, COORDINATED, INT, gates_wakeups_ratio),
           warped = mean_of(t, WARPED, INT, gates_wakeups_ratio);

    claim(t, "7.2", "GATES alone has more wake-ups in some programs", more > 0, "%u of %u", more,
          t->s->set.member.n);
    claim(t, "7.2", "Coordinated has fewer than conv_pg, Warped Gates still fewer",
          coordinated < 1 && warped < coordinated, "%.2f and %.2f", coordinated, warped);
}

/* ---- section 7.3 */

static void savings_order(struct table *t, u32 type)
{
    double v[N_VARIANT];
    bool met = true;
    char *text = text_printf("%s: each technique saves more than the one before",
                             type == INT ? "INT" : "FP");

    for (u32 k = 0; k < N_VARIANT; k++) {
        v[k] = mean_of(t, k, type, gates_saved);
        met = met && (!k || v[k] > v[k - 1]);
    }
    claim(t, "7.3", text, met, "%.1f, %.1f, %.1f, %.1f, %.1f %%", v[0], v[1], v[2], v[3], v[4]);
    free(text);
    text = text_printf("%s: Warped Gates saves about 1.5 times what conv_pg saves",
                       type == INT ? "INT" : "FP");
    claim(t, "7.3", text, v[WARPED] > 1.35 * v[CONV_PG] && v[WARPED] < 1.65 * v[CONV_PG], "%.2f",
          v[WARPED] / v[CONV_PG]);
    free(text);
}

static double naive_gain(struct study *s, const struct series *r, u32 i, u32 type)
{
    return gates_saved(s, r, i, type) - gates_saved(s, &s->variant[GATES], i, type);
}

static void savings(struct table *t)
{
    u32 less = count_if_less(t, NAIVE, GATES, gates_saved);

    each_program(t, &(struct each){"7.3", "conv_pg saves nothing or less (INT, below 1 %)",
                                   "backprop cutcp lavamd nnet", CONV_PG, gates_saved, 1, false});
    each_program(t, &(struct each){"7.3", "Naive Blackout saves less than GATES (INT, points)",
                                   "backprop heartwall nnet", NAIVE, naive_gain, 0, false});
    claim(t, "7.3", "these are the only three", less == 3, "%u of %u", less, t->s->set.member.n);
    savings_order(t, INT), savings_order(t, FP);
}

/* ---- sections 7.4 and 7.6 */

static double less_than_coordinated(struct study *s, const struct series *r, u32 i, u32 type)
{
    return gates_slowdown(s, r, i, type) - gates_slowdown(s, &s->variant[COORDINATED], i, type);
}

static void performance(struct table *t)
{
    double v[N_VARIANT];

    for (u32 k = 0; k < N_VARIANT; k++)
        v[k] = gates_mean_slowdown(t->s, &t->s->variant[k]);
    claim(t, "7.4", "conv_pg and GATES are similarly slow", fabs(v[GATES] - v[CONV_PG]) < 1,
          "%.1f and %.1f %%", v[CONV_PG], v[GATES]);
    claim(t, "7.4", "Naive Blackout is the slowest",
          v[NAIVE] > v[GATES] && v[NAIVE] > v[CONV_PG] && v[NAIVE] > v[COORDINATED] &&
              v[NAIVE] > v[WARPED],
          "%.1f %%", v[NAIVE]);
    claim(t, "7.4", "Warped Gates is as fast as conv_pg", v[WARPED] - v[CONV_PG] < 0.5,
          "%.1f and %.1f %%", v[WARPED], v[CONV_PG]);
    each_program(t, &(struct each){"7.4", "Coordinated is slower than in the mean",
                                   "cutcp heartwall nnet", COORDINATED, gates_slowdown,
                                   v[COORDINATED], true});
    each_program(t,
                 &(struct each){"7.4", "Warped Gates avoids a part of it (points)",
                                "cutcp heartwall nnet", WARPED, less_than_coordinated, 0, false});
}

static void break_even(struct table *t)
{
    const struct means *conv = t->s->bet[0], *warped = t->s->bet[1];
    bool ahead = true, wider = true;
    double low = warped[0].slowdown, high = low;

    for (u32 k = 0; k < N_BET; k++)
        for (u32 type = 0; type < N_TYPE; type++) {
            double gap = warped[k].saved[type] - conv[k].saved[type];

            ahead = ahead && gap > 0;
            wider = wider && (!k || gap > warped[k - 1].saved[type] - conv[k - 1].saved[type]);
            low = fmin(low, fmin(conv[k].slowdown, warped[k].slowdown));
            high = fmax(high, fmax(conv[k].slowdown, warped[k].slowdown));
        }
    claim(t, "7.6", "Warped Gates saves more than conv_pg at any break-even time", ahead,
          "INT %.1f to %.1f points", warped[0].saved[INT] - conv[0].saved[INT],
          warped[N_BET - 1].saved[INT] - conv[N_BET - 1].saved[INT]);
    claim(t, "7.6", "the gap widens with it", wider, "FP %.1f to %.1f points",
          warped[0].saved[FP] - conv[0].saved[FP],
          warped[N_BET - 1].saved[FP] - conv[N_BET - 1].saved[FP]);
    claim(t, "7.6", "performance remains relatively constant", high - low < 2, "%.1f to %.1f %%",
          low, high);
}

static void wakeup_delay(struct table *t)
{
    const struct means *conv = t->s->wake[0], *warped = t->s->wake[1];
    u32 last = N_WAKEUP - 1;

    claim(t, "7.6", "at 9 cycles conv_pg saves only 6 and 10 % (it loses more than half)",
          2 * conv[last].saved[INT] < conv[0].saved[INT] &&
              2 * conv[last].saved[FP] < conv[0].saved[FP],
          "%.1f and %.1f %%, from %.1f and %.1f", conv[last].saved[INT], conv[last].saved[FP],
          conv[0].saved[INT], conv[0].saved[FP]);
    claim(t, "7.6", "Warped Gates sustains its savings (within 3 points)",
          fabs(warped[last].saved[INT] - warped[0].saved[INT]) < 3 &&
              fabs(warped[last].saved[FP] - warped[0].saved[FP]) < 3,
          "%.1f and %.1f %%, from %.1f and %.1f", warped[last].saved[INT], warped[last].saved[FP],
          warped[0].saved[INT], warped[0].saved[FP]);
    claim(t, "7.6", "conv_pg is slower by nearly 10 %, Warped Gates by 3",
          conv[last].slowdown > 5 && warped[last].slowdown < conv[last].slowdown,
          "%.1f and %.1f %%", conv[last].slowdown, warped[last].slowdown);
}

bool gates_claims(struct study *s, struct err *e)
{
    struct table t = {.s = s};

    if (!oldfig_open(&t.f, s->o->dir, "claims", "what the text says", "", OLDFIG_TABLE, e))
        return false;
    oldfig_row(&t.f, "section", "claim", "here", "met", NULL);
    hotspot(&t), workloads(&t), correlation(&t);
    opportunity(&t), compensated(&t), wakeups(&t);
    savings(&t), performance(&t);
    if (s->has_sensitivity)
        break_even(&t), wakeup_delay(&t);
    return oldfig_close(&t.f, e);
}
