/* figure_lines.c -- lines and scatter: pictures with two axes of numbers */
#include "figure/figure_plot.h"

#include <math.h>
#include <string.h>

enum {
    LINES_WIDE = 560,
    LINES_HIGH = 300,
    SCATTER_WIDE = 480,
    SCATTER_HIGH = 400,
    ROOM_BELOW = 56,
    OWN_TICS = 12,   /* so many values of x at most have a tic each, if the axis is logarithmic */
    GROUPS = 8,      /* of a scatter's points: as many as there are colours and shapes */
    NAME_CHARS = 24, /* beside a point */
    NAME_FONT = 9,
};

/* A picture of some columns over one: scatter may have the points' names before it. */
struct graph {
    const struct figure *f;
    u32 x; /* its column; the series follow it */
    u32 n; /* series */
    u32 first_mark;
    struct value_range x_range, y_range;
    struct axis x_axis, y_axis;
};

/* NAN if it has no place on the axis. */
static double on_axis(double v, bool log)
{
    return log && v <= 0 ? NAN : v;
}

static bool point_in_row(const struct graph *g, u32 row, u32 column, double *x, double *y)
{
    *x = on_axis(plot_value(g->f, row, g->x), g->f->log_x);
    *y = on_axis(plot_value(g->f, row, column), g->f->log_y);
    return !isnan(*x) && !isnan(*y);
}

static struct graph graph_of(const struct figure *f)
{
    bool named = f->kind == FIGURE_SCATTER && figure_rows(f) && figure_at(f, 0, 0)->text;
    struct graph g = {.f = f, .x = named, .n = figure_series(f) - named};

    g.first_mark = f->column.n - f->marks;
    for (u32 row = 0; row < figure_rows(f); row++) {
        for (u32 i = g.x + 1; i < f->column.n; i++) {
            double x, y;
            if (!point_in_row(&g, row, i, &x, &y))
                continue;
            range_add(&g.x_range, x);
            range_add(&g.y_range, y);
        }
    }
    return g;
}

/* From zero if that is not far away. */
static void find_axis(struct axis *a, const struct value_range *r, bool log)
{
    if (log)
        axis_log(a, r);
    else
        axis_linear(a, r, r->lo >= 0 && r->lo < 0.5 * r->hi);
}

/* The values of x, if they are few and none too near to another. */
static void own_tics(struct graph *g, double width)
{
    double v[OWN_TICS];
    u32 n = figure_rows(g->f);
    bool fit = n > 0 && n <= OWN_TICS;

    for (u32 i = 0; fit && i < n; i++) {
        v[i] = on_axis(plot_value(g->f, i, g->x), true);
        fit = !isnan(v[i]);
        for (u32 k = 0; fit && k < i; k++)
            fit = fabs(log(v[i] / v[k])) / log(g->x_axis.hi / g->x_axis.lo) * width > 44;
    }
    if (fit)
        axis_tics_at(&g->x_axis, v, n);
}

static void put_frame(struct plot *p, struct graph *g, double width, double height,
                      const char *y_title)
{
    double left = 20 + axis_room(&g->y_axis) + (y_title[0] ? 18 : 0);
    struct plot_rooms rooms = {fmax(left, 40), 30, ROOM_BELOW};
    const char *x_title = g->f->x_title ? g->f->x_title : g->f->column.at[g->x];

    plot_sheet(p, width, height, &rooms);
    axis_put_y(p, &g->y_axis, y_title);
    axis_put_x(p, &g->x_axis, x_title);
    fputs("set border 3 lw 1 lc rgb '#444444'\n", p->to);
    if (g->y_axis.lo < 0)
        fputs("set xzeroaxis lt 1 lw 1 lc rgb '#999999'\n", p->to);
}

static void free_axes(struct graph *g)
{
    axis_free(&g->x_axis);
    axis_free(&g->y_axis);
}

/* A data block $<letter><number> of a column; an empty line where there is no point.  How many. */
static u32 put_points(const struct plot *p, const struct graph *g, char letter, u32 column)
{
    u32 n = 0;

    fprintf(p->to, "$%c%u << EOD\n", letter, column);
    for (u32 row = 0; row < figure_rows(g->f); row++) {
        double x, y;
        if (point_in_row(g, row, column, &x, &y)) {
            fprintf(p->to, "%.9g %.9g\n", x, y);
            n++;
        } else if (n) {
            fputc('\n', p->to);
        }
    }
    fputs("EOD\n", p->to);
    return n;
}

/* --- lines ------------------------------------------------------------------------------------- */

/* The paper's have the colour of their series, with black around. */
static void put_line_marks(const struct plot *p, const struct graph *g, struct plot_parts *c)
{
    for (u32 i = 0; i < g->f->marks; i++) {
        struct plot_rgb rgb = plot_colour(i);
        u32 column = g->first_mark + i;
        if (!put_points(p, g, 'm', column))
            continue;
        fprintf(parts_next(c), "$m%u with points pt 13 ps 1.3 lc rgb 'black' notitle", column);
        fprintf(parts_next(c), "$m%u with points pt 13 ps 0.8 lc rgb '" PLOT_RGB "' notitle",
                column, PLOT_RGB_ARGS(rgb));
    }
}

static void put_lines(struct plot *p, const struct graph *g)
{
    struct plot_parts c;

    parts_begin(&c);
    for (u32 i = 0; i < g->n; i++) {
        struct plot_rgb rgb = plot_colour(i);
        if (put_points(p, g, 's', 1 + i))
            fprintf(parts_next(&c),
                    "$s%u with linespoints lt 1 lw 2 pt %u ps 0.7 lc rgb '" PLOT_RGB "' notitle",
                    1 + i, plot_point(i), PLOT_RGB_ARGS(rgb));
    }
    put_line_marks(p, g, &c);
    parts_end(&c, p);
}

void figure_draw_lines(const struct figure *f, FILE *to)
{
    struct graph g = graph_of(f);
    struct plot p;

    find_axis(&g.x_axis, &g.x_range, f->log_x);
    find_axis(&g.y_axis, &g.y_range, f->log_y);
    if (f->log_x)
        own_tics(&g, LINES_WIDE);
    else
        axis_clip(&g.x_axis, &g.x_range);
    plot_init(&p, f, to);
    for (u32 i = 0; i < g.n; i++)
        plot_legend(&p, LEGEND_LINE, i, f->column.at[1 + i]);
    if (f->marks)
        plot_legend(&p, LEGEND_PAPER, 0, "paper");
    put_frame(&p, &g, LINES_WIDE, LINES_HIGH, f->unit);
    put_lines(&p, &g);
    plot_free(&p);
    free_axes(&g);
}

/* --- scatter ----------------------------------------------------------------------------------- */

double figure_pearson(const double *x, const double *y, u32 n)
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

/* "r = 0.93, n = 33", of the values themselves on logarithmic axes too; to be freed. */
static char *correlation(const struct graph *g, u32 column)
{
    VEC(double) x = {0}, y = {0};

    for (u32 row = 0; row < figure_rows(g->f); row++) {
        double at = plot_value(g->f, row, g->x), v = plot_value(g->f, row, column);
        if (isnan(at) || isnan(v))
            continue;
        *VEC_ADD(&x) = at;
        *VEC_ADD(&y) = v;
    }
    double r = x.n ? figure_pearson(x.at, y.at, x.n) : NAN;
    u32 n = x.n;
    VEC_FREE(&x);
    VEC_FREE(&y);
    return isnan(r) ? text_printf("n = %u", n) : text_printf("r = %.2f, n = %u", r, n);
}

static const char *point_name(const struct graph *g, u32 row)
{
    const char *name = figure_at(g->f, row, 0)->text;

    return name ? name : "";
}

/* The group of each row's name, in the order they come; 0 if they are no groups (figure.h). */
static u32 find_row_groups(const struct graph *g, u32 *group)
{
    u32 n = 0, rows = figure_rows(g->f), first[GROUPS];

    if (!g->x || g->n > 1)
        return 0;
    for (u32 row = 0; row < rows; row++) {
        const char *name = point_name(g, row);
        group[row] = 0;
        while (group[row] < n && strcmp(point_name(g, first[group[row]]), name) != 0)
            group[row]++;
        if (group[row] < n)
            continue;
        if (n == GROUPS)
            return 0;
        first[n++] = row;
    }
    return n < rows ? n : 0;
}

static void put_groups(const struct plot *p, const struct graph *g, const u32 *group, u32 n,
                       struct plot_parts *c)
{
    for (u32 i = 0; i < n; i++) {
        struct plot_rgb rgb = plot_colour(i);
        u32 points = 0;
        double x, y;
        fprintf(p->to, "$g%u << EOD\n", i);
        for (u32 row = 0; row < figure_rows(g->f); row++) {
            if (group[row] != i || !point_in_row(g, row, g->x + 1, &x, &y))
                continue;
            fprintf(p->to, "%.9g %.9g\n", x, y);
            points++;
        }
        fputs("EOD\n", p->to);
        if (points)
            fprintf(parts_next(c), "$g%u with points pt %u ps 0.8 lc rgb '" PLOT_RGB "' notitle", i,
                    plot_point(i), PLOT_RGB_ARGS(rgb));
    }
}

/* Where a point is in the area, 0 to 1. */
static double share_of_axis(const struct axis *a, double v)
{
    return a->log ? log(v / a->lo) / log(a->hi / a->lo) : (v - a->lo) / (a->hi - a->lo);
}

struct rect {
    double x0, y0, x1, y1;
};

static bool rects_overlap(const struct rect *a, const struct rect *b)
{
    return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

/* Points and names that are in the area already. */
struct crowd {
    VEC(struct rect) taken;
};

static bool has_room_for_label(const struct crowd *c, const struct rect *r)
{
    if (r->x0 < 2 || r->x1 > SCATTER_WIDE + 24 || r->y0 < 2 || r->y1 > SCATTER_HIGH + 8)
        return false;
    for (u32 i = 0; i < c->taken.n; i++)
        if (rects_overlap(&c->taken.at[i], r))
            return false;
    return true;
}

/*
 * Right, left, above or below a point, and which end of the name stays where it is if it is not as
 * wide as we think; NULL if it would be upon others everywhere.
 */
static const char *find_name_room(struct crowd *c, double x, double y, double width, struct rect *r)
{
    static const double side[][2] = {{7, -6}, {-7, -6}, {0, 5}, {0, -17}, {5, 3}, {5, -15}};

    for (u32 i = 0; i < LEN(side); i++) {
        double dx = side[i][0];
        double x0 = dx > 0 ? x + dx : dx < 0 ? x + dx - width : x - width / 2;
        *r = (struct rect){x0, y + side[i][1], x0 + width, y + side[i][1] + 12};
        if (!has_room_for_label(c, r))
            continue;
        *VEC_ADD(&c->taken) = *r;
        return dx > 0 ? "left" : dx < 0 ? "right" : "center";
    }
    return NULL;
}

/* Pixels from the area's left and lower edges. */
static bool pixel_of(const struct graph *g, u32 row, double *x, double *y)
{
    if (!point_in_row(g, row, g->x + 1, x, y))
        return false;
    *x = share_of_axis(&g->x_axis, *x) * SCATTER_WIDE;
    *y = share_of_axis(&g->y_axis, *y) * SCATTER_HIGH;
    return true;
}

static void put_point_name(const struct plot *p, struct crowd *c, const char *name, double x,
                           double y)
{
    struct rect r;
    const char *align = find_name_room(c, x, y, plot_width(name, NAME_FONT), &r);

    if (!align)
        return;
    double at = align[0] == 'l' ? r.x0 : align[0] == 'r' ? r.x1 : (r.x0 + r.x1) / 2;
    fputs("set label ", p->to);
    plot_text(p->to, name, NAME_CHARS);
    fprintf(p->to, " at graph %.6f, graph %.6f %s font ',%d' tc rgb '#555555'\n", at / SCATTER_WIDE,
            (r.y0 + r.y1) / 2 / SCATTER_HIGH, align, NAME_FONT);
}

/* A name that has no room beside its point is left out: the table has it. */
static void put_point_names(const struct plot *p, const struct graph *g)
{
    struct crowd c = {0};
    double x, y;

    for (u32 row = 0; row < figure_rows(g->f); row++)
        if (pixel_of(g, row, &x, &y))
            *VEC_ADD(&c.taken) = (struct rect){x - 4, y - 4, x + 4, y + 4};
    for (u32 row = 0; row < figure_rows(g->f); row++) {
        if (!pixel_of(g, row, &x, &y))
            continue;
        char *name = plot_clean(point_name(g, row), NAME_CHARS);
        put_point_name(p, &c, name, x, y);
        free(name);
    }
    VEC_FREE(&c.taken);
}

static void put_scatter(struct plot *p, const struct graph *g, const u32 *group, u32 n_group)
{
    struct plot_parts c;

    parts_begin(&c);
    if (n_group)
        put_groups(p, g, group, n_group, &c);
    else if (g->x && g->n == 1)
        put_point_names(p, g);
    for (u32 i = 0; !n_group && i < g->n; i++) {
        struct plot_rgb rgb = plot_colour(i);
        u32 column = g->x + 1 + i;
        if (put_points(p, g, 's', column))
            fprintf(parts_next(&c), "$s%u with points pt %u ps 0.8 lc rgb '" PLOT_RGB "' notitle",
                    column, plot_point(i), PLOT_RGB_ARGS(rgb));
    }
    put_line_marks(p, g, &c);
    parts_end(&c, p);
}

/* Groups share one r; several series have one each. */
static void scatter_legend(struct plot *p, const struct graph *g, const u32 *group, u32 n_group)
{
    for (u32 i = 0; i < n_group; i++) {
        u32 row = 0;
        while (group[row] != i)
            row++;
        plot_legend(p, LEGEND_POINT, i, point_name(g, row));
    }
    for (u32 i = 0; i < g->n; i++) {
        char *r = correlation(g, g->x + 1 + i);
        char *label = text_printf("%s: %s", g->f->column.at[g->x + 1 + i], r);
        if (g->n > 1)
            plot_legend(p, LEGEND_POINT, i, label);
        else
            plot_legend(p, LEGEND_TEXT, 0, r);
        free(label);
        free(r);
    }
    if (g->f->marks)
        plot_legend(p, LEGEND_PAPER, 0, "paper");
}

/* One series is named beside its axis. */
static char *scatter_title(const struct graph *g)
{
    const char *name = g->f->column.at[g->x + 1], *unit = g->f->unit;

    if (g->n > 1 || strcmp(name, unit) == 0)
        return text_dup(unit);
    return unit[0] ? text_printf("%s (%s)", name, unit) : text_dup(name);
}

void figure_draw_scatter(const struct figure *f, FILE *to)
{
    struct graph g = graph_of(f);
    u32 *group = xcalloc(figure_rows(f) + 1, sizeof(u32)), n_group = find_row_groups(&g, group);
    char *y_title = scatter_title(&g);
    struct plot p;

    find_axis(&g.x_axis, &g.x_range, f->log_x);
    find_axis(&g.y_axis, &g.y_range, f->log_y);
    plot_init(&p, f, to);
    scatter_legend(&p, &g, group, n_group);
    put_frame(&p, &g, SCATTER_WIDE, SCATTER_HIGH, y_title);
    put_scatter(&p, &g, group, n_group);
    plot_free(&p);
    free_axes(&g);
    free(y_title);
    free(group);
}
