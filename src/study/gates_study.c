/* gates_study.c -- see gates_study.h */
#include "study/gates_study.h"

#include <math.h>
#include <stdlib.h>

const char *const gates_variants[N_VARIANT] = {"conv_pg", "gates", "naive", "coordinated",
                                               "warped"};
const char *const gates_types[N_TYPE] = {"int", "fp"};
const u32 gates_bets[N_BET] = {9, 14, 19, 24}, gates_wakeups[N_WAKEUP] = {3, 6, 9};

double gates_value(struct study *s, const struct series *r, u32 i, const char *name)
{
    return points_value(s->p, r->point[i], name);
}

double gates_of_type(struct study *s, const struct series *r, u32 i, u32 type, const char *name)
{
    char *full = text_printf("stats.gates_%s_%s", gates_types[type], name);
    double v = gates_value(s, r, i, full);

    free(full);
    return v;
}

bool gates_uses(struct study *s, u32 i, u32 type)
{
    char *name = text_printf("stats.issued_%s", gates_types[type]);
    double n = gates_value(s, &s->base, i, name);

    free(name);
    return n > 0;
}

/* Cycles of the pipelines of a type: two clusters, while the SM has a CTA. */
static double pipe_cycles(struct study *s, const struct series *r, u32 i)
{
    return 2 * gates_value(s, r, i, "stats.gates_cycles");
}

/* Cycles that they do not leak, less what switching costs. */
static double gained(struct study *s, const struct series *r, u32 i, u32 type)
{
    return gates_of_type(s, r, i, type, "uncompensated") +
           gates_of_type(s, r, i, type, "compensated") -
           r->break_even * gates_of_type(s, r, i, type, "gatings");
}

double gates_saved(struct study *s, const struct series *r, u32 i, u32 type)
{
    double base = pipe_cycles(s, r->base, i);

    return 100 * (base - pipe_cycles(s, r, i) + gained(s, r, i, type)) / base;
}

double gates_saved_anywhere(struct study *s, const struct series *r, u32 i, u32 type)
{
    double base = 2 * gates_value(s, r->base, i, "stats.sm_cycles");

    return 100 * (base - pipe_cycles(s, r, i) + gained(s, r, i, type)) / base;
}

double gates_slowdown(struct study *s, const struct series *r, u32 i, u32 type)
{
    (void)type;
    return 100 *
           (gates_value(s, r, i, "total.cycles") / gates_value(s, r->base, i, "total.cycles") - 1);
}

double gates_idle(struct study *s, const struct series *r, u32 i, u32 type)
{
    return 1 - gates_of_type(s, r, i, type, "busy") / pipe_cycles(s, r, i);
}

double gates_idle_ratio(struct study *s, const struct series *r, u32 i, u32 type)
{
    return gates_idle(s, r, i, type) / gates_idle(s, r->base, i, type);
}

double gates_compensated(struct study *s, const struct series *r, u32 i, u32 type)
{
    return 100 * gates_of_type(s, r, i, type, "compensated") / pipe_cycles(s, r, i);
}

double gates_net(struct study *s, const struct series *r, u32 i, u32 type)
{
    return 100 *
           (gates_of_type(s, r, i, type, "compensated") -
            gates_of_type(s, r, i, type, "uncompensated")) /
           pipe_cycles(s, r, i);
}

double gates_wakeups_ratio(struct study *s, const struct series *r, u32 i, u32 type)
{
    double conv = gates_of_type(s, &s->variant[CONV_PG], i, type, "wakeups");

    return conv > 0 ? gates_of_type(s, r, i, type, "wakeups") / conv : NAN;
}

double gates_mean(struct study *s, const struct series *r, u32 type, gates_metric *m)
{
    double sum = 0;
    u32 n = 0;

    for (u32 i = 0; i < s->set.member.n; i++) {
        double v = gates_uses(s, i, type) ? m(s, r, i, type) : NAN;

        if (!isnan(v))
            sum += v, n++;
    }
    return n ? sum / n : NAN;
}

double gates_geomean(struct study *s, const struct series *r, u32 type, gates_metric *m)
{
    double sum = 0;
    u32 n = 0;

    for (u32 i = 0; i < s->set.member.n; i++) {
        double v = gates_uses(s, i, type) ? m(s, r, i, type) : NAN;

        if (v > 0)
            sum += log(v), n++;
    }
    return n ? exp(sum / n) : NAN;
}

double gates_mean_slowdown(struct study *s, const struct series *r)
{
    double sum = 0;

    for (u32 i = 0; i < s->set.member.n; i++)
        sum += gates_slowdown(s, r, i, INT);
    return sum / s->set.member.n;
}

struct means gates_means(struct study *s, const struct series *r)
{
    return (struct means){{gates_mean(s, r, INT, gates_saved), gates_mean(s, r, FP, gates_saved)},
                          gates_mean_slowdown(s, r)};
}
