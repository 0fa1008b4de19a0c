/* figure_axis.c -- see figure_plot.h: from where to where, and which numbers stand beside it */
#include "figure/figure_plot.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { TICS = 6, TITLE_CHARS = 80 }; /* of an axis, about */

void range_add(struct value_range *r, double v)
{
    if (isnan(v))
        return;
    r->lo = r->n && r->lo < v ? r->lo : v;
    r->hi = r->n && r->hi > v ? r->hi : v;
    r->n++;
}

/* 1, 2 or 5 times a power of ten. */
static double round_step(double rough)
{
    double ten = pow(10, floor(log10(rough))), m = rough / ten;

    return ten * (m <= 1.001 ? 1 : m <= 2.001 ? 2 : m <= 5.001 ? 5 : 10);
}

/*
 * With as many decimals as `step` needs; in thousands, millions and so on if the axis is that long:
 * "20000" is fine, "200000" is "200k".
 */
static char *number_label(double v, double step, double most)
{
    static const char *const suffix[] = {"", "k", "M", "G", "T", "P"};
    double scale = 1;
    u32 k = 0;

    for (; most >= 1e5 && most / scale >= 1e3 && k + 1 < LEN(suffix); k++)
        scale *= 1e3;
    if (v == 0)
        return text_dup("0");
    double decimals = ceil(-log10(step / scale) - 1e-9);
    if (decimals > 6 || fabs(v) / scale >= 1e6)
        return text_printf("%.3g%s", v / scale, suffix[k]);
    return text_printf("%.*f%s", decimals > 0 ? (int)decimals : 0, v / scale, suffix[k]);
}

static void add_tic(struct axis *a, double at, char *label)
{
    *VEC_ADD(&a->tic) = (struct axis_tic){at, label};
}

void axis_linear(struct axis *a, const struct value_range *r, bool zero)
{
    double lo = r->n ? r->lo : 0, hi = r->n ? r->hi : 1;

    if (zero)
        lo = fmin(lo, 0), hi = fmax(hi, 0);
    if (hi - lo < 1e-12 * fmax(fabs(lo), fabs(hi)) || hi == lo) { /* one value */
        double half = lo == 0 ? 1 : fabs(lo) * 0.1;
        lo -= zero ? 0 : half, hi += half;
    }
    double step = round_step((hi - lo) / TICS);
    double from = floor(lo / step + 1e-9), to = ceil(hi / step - 1e-9);
    *a = (struct axis){.lo = from * step, .hi = to * step};
    for (double i = from; i <= to; i++)
        add_tic(a, i * step, number_label(i * step, step, fmax(fabs(a->lo), fabs(a->hi))));
}

static void add_log_tic(struct axis *a, double v)
{
    if (v >= a->lo * 0.999 && v <= a->hi * 1.001)
        add_tic(a, v, number_label(v, pow(10, floor(log10(v))), v)); /* its first digit is all */
}

/* Short axes have 1, 2, 5, 10; long ones only every so many powers of ten. */
void axis_log(struct axis *a, const struct value_range *r)
{
    static const double parts[] = {1, 2, 5};
    double lo = r->n ? r->lo : 1, hi = r->n ? r->hi : 10;

    assert(lo > 0);
    *a = (struct axis){.lo = lo / 1.15, .hi = hi * 1.15, .log = true};
    double first = floor(log10(a->lo)), last = ceil(log10(a->hi));
    bool dense = last - first <= 3;
    double every = ceil((last - first) / 10);
    for (double d = first; d <= last; d += every)
        for (u32 i = 0; i < (dense ? LEN(parts) : 1); i++)
            add_log_tic(a, parts[i] * pow(10, d));
}

void axis_clip(struct axis *a, const struct value_range *r)
{
    double margin = 0.04 * (r->hi - r->lo);
    u32 n = 0;

    if (!r->n || margin <= 0)
        return;
    a->lo = r->lo - margin, a->hi = r->hi + margin;
    for (u32 i = 0; i < a->tic.n; i++) {
        if (a->tic.at[i].at < a->lo || a->tic.at[i].at > a->hi)
            free(a->tic.at[i].label);
        else
            a->tic.at[n++] = a->tic.at[i];
    }
    a->tic.n = n;
}

void axis_tics_at(struct axis *a, const double *v, u32 n)
{
    char buf[TEXT_NUMBER];

    axis_free(a);
    for (u32 i = 0; i < n; i++)
        add_tic(a, v[i], text_dup(text_show_real(v[i], buf, sizeof(buf))));
}

void axis_free(struct axis *a)
{
    for (u32 i = 0; i < a->tic.n; i++)
        free(a->tic.at[i].label);
    VEC_FREE(&a->tic);
}

double axis_room(const struct axis *a)
{
    double most = 0;

    for (u32 i = 0; i < a->tic.n; i++)
        most = fmax(most, plot_width(a->tic.at[i].label, PLOT_SMALL));
    return most;
}

static void put_axis(const struct plot *p, const struct axis *a, char which)
{
    fprintf(p->to, "set %crange [%.17g:%.17g]\n", which, a->lo, a->hi);
    if (a->log)
        fprintf(p->to, "set logscale %c\n", which);
    plot_tics_begin(p->to, which, false);
    for (u32 i = 0; i < a->tic.n; i++)
        plot_tic(p->to, which, a->tic.at[i].label, a->tic.at[i].at);
    fprintf(p->to, "set grid %ctics lt 1 lw 1 lc rgb '" PLOT_GRID "'\n", which);
}

void axis_put_y(const struct plot *p, const struct axis *a, const char *title)
{
    put_axis(p, a, 'y');
    if (!title || !title[0])
        return;
    fputs("set label ", p->to);
    plot_text(p->to, title, TITLE_CHARS);
    fprintf(p->to, " at screen %.6f, screen %.6f center rotate by 90 tc rgb '" PLOT_INK "'\n",
            (p->left - axis_room(a) - 24) / p->width, 1 - (p->top + p->bottom) / 2 / p->height);
}

void axis_put_x(const struct plot *p, const struct axis *a, const char *title)
{
    put_axis(p, a, 'x');
    if (!title || !title[0])
        return;
    fputs("set label ", p->to);
    plot_text(p->to, title, TITLE_CHARS);
    fprintf(p->to, " at screen %.6f, screen %.6f center tc rgb '" PLOT_INK "'\n",
            (p->left + p->right) / 2 / p->width, 1 - (p->bottom + 38) / p->height);
}
