/* figure_bars.c -- bars, stacked bars and boxes: pictures with a place for each row */
#include "figure/figure_plot.h"

#include <math.h>
#include <string.h>

enum {
    AREA_LEAST = 400, /* wide, in pixels */
    AREA_MOST = 1300, /* unless the names need more */
    AREA_HIGH = 280,
    PITCH_LEAST = 17, /* of rows: slanted names do not touch each other */
    BAR = 12,         /* wide, if there is room */
    BAR_MOST = 44,
    GROUP_GAP = 14, /* between the bars of two rows */
    BOX_STYLE = 3,  /* sky blue */
};

#define MEANS_GAP 0.6 /* of a row's place, before the means */
#define SLANT 0.7071  /* sine and cosine of the names' angle */

/* Rows along the x axis: the first is at 0, the next at 1, means a bit further to the right. */
struct places {
    u32 n, n_plain;
    double lo, hi;
    double pitch; /* pixels from row to row */
    double bar;   /* how wide one is, in rows */
    bool slanted;
};

static double place_of_row(const struct places *l, u32 row)
{
    return row + (row >= l->n_plain ? MEANS_GAP : 0);
}

/* `bars` beside each other in a row. */
static struct places find_places(const struct figure *f, u32 bars)
{
    struct places l = {.n = figure_rows(f), .n_plain = f->n_plain ? f->n_plain : figure_rows(f)};

    l.lo = -0.5, l.hi = (l.n ? place_of_row(&l, l.n - 1) : 0) + 0.5;
    double rows = l.hi - l.lo, most = fmax(AREA_MOST, rows * PITCH_LEAST);
    double width = fmin(fmax(rows * (bars * BAR + GROUP_GAP), AREA_LEAST), most);
    l.pitch = fmax(width / rows, PITCH_LEAST);
    l.bar = fmin(0.84 / bars, BAR_MOST / l.pitch);
    l.slanted = plot_widest_row(f) + 8 > l.pitch;
    return l;
}

/* Slanted names reach far to the left of the first rows. */
static double room_left(const struct figure *f, const struct places *l, const struct axis *y)
{
    double room = 20 + axis_room(y) + (f->unit[0] ? 18 : 0);

    for (u32 i = 0; l->slanted && i < l->n; i++) {
        char *name = plot_row_name(f, i);
        double reach = plot_width(name, PLOT_SMALL) * SLANT + 8;
        room = fmax(room, reach - (place_of_row(l, i) - l->lo) * l->pitch);
        free(name);
    }
    return room;
}

static void put_bar_names(const struct plot *p, const struct places *l)
{
    fprintf(p->to, "set xrange [%.9g:%.9g]\n", l->lo, l->hi);
    plot_tics_begin(p->to, 'x', l->slanted);
    for (u32 i = 0; i < l->n; i++) {
        char *name = plot_row_name(p->f, i);
        plot_tic(p->to, 'x', name, place_of_row(l, i));
        free(name);
    }
}

/* A light line before the means, a dark one at zero. */
static void put_rules(const struct plot *p, const struct places *l)
{
    if (l->n_plain && l->n_plain < l->n) {
        double x = (place_of_row(l, l->n_plain - 1) + place_of_row(l, l->n_plain)) / 2;
        fprintf(p->to,
                "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead back lc rgb '#bbbbbb'\n", x,
                x);
    }
    fputs("set xzeroaxis lt 1 lw 1 lc rgb '#444444'\n", p->to);
}

static void put_bar_frame(struct plot *p, const struct places *l, const struct axis *y)
{
    double below = l->slanted ? plot_widest_row(p->f) * SLANT + 22 : 28;
    struct plot_rooms rooms = {room_left(p->f, l, y), 16, below};

    plot_sheet(p, l->pitch * (l->hi - l->lo), AREA_HIGH, &rooms);
    axis_put_y(p, y, p->f->unit);
    put_bar_names(p, l);
    put_rules(p, l);
}

/* --- bars -------------------------------------------------------------------------------------- */

/* A rectangle of a data block: boxxyerror's x, y, and both ends of each. */
static void put_rect(FILE *to, double middle, double width, double from, double up_to)
{
    fprintf(to, "%.9g %.9g %.9g %.9g %.9g %.9g\n", middle, up_to, middle - width / 2,
            middle + width / 2, from, up_to);
}

/* Where the bar or the part of a bar of a series is. */
struct bar {
    double x, from, up_to;
};

static double bar_place(const struct figure *f, const struct places *l, u32 row, u32 series)
{
    if (f->kind == FIGURE_STACKED)
        return place_of_row(l, row);
    return place_of_row(l, row) + (series - (figure_series(f) - 1) / 2.0) * l->bar;
}

/* On the others of its sign, from column `first` on. */
static double pile(const struct figure *f, u32 row, u32 first, u32 column)
{
    double v = plot_value(f, row, column), sum = 0;

    for (u32 i = first; f->kind == FIGURE_STACKED && i < column; i++) {
        double other = plot_value(f, row, i);
        if (!isnan(other) && signbit(other) == signbit(v))
            sum += other;
    }
    return sum;
}

static bool find_bar(const struct figure *f, const struct places *l, u32 row, u32 series,
                     struct bar *b)
{
    double v = plot_value(f, row, 1 + series);

    if (isnan(v))
        return false;
    b->x = bar_place(f, l, row, series);
    b->from = pile(f, row, 1, 1 + series);
    b->up_to = b->from + v;
    return true;
}

static bool find_mark(const struct figure *f, const struct places *l, u32 row, u32 series,
                      struct bar *b)
{
    u32 first = f->column.n - f->marks;
    double v = plot_value(f, row, first + series);

    if (isnan(v))
        return false;
    b->x = bar_place(f, l, row, series);
    b->up_to = pile(f, row, first, first + series) + v;
    return true;
}

static struct value_range bars_range(const struct figure *f, const struct places *l)
{
    struct value_range r = {0};
    struct bar b;

    for (u32 row = 0; row < l->n; row++) {
        for (u32 i = 0; i < figure_series(f); i++)
            if (find_bar(f, l, row, i, &b))
                range_add(&r, b.up_to);
        for (u32 i = 0; i < f->marks; i++)
            if (find_mark(f, l, row, i, &b))
                range_add(&r, b.up_to);
    }
    return r;
}

/* Returns how many there are. */
static u32 put_series(const struct plot *p, const struct places *l, u32 series)
{
    double width = l->bar * (p->f->kind == FIGURE_STACKED ? 1 : 0.94);
    struct bar b;
    u32 n = 0;

    fprintf(p->to, "$s%u << EOD\n", series);
    for (u32 row = 0; row < l->n; row++) {
        if (!find_bar(p->f, l, row, series, &b))
            continue;
        put_rect(p->to, b.x, width, b.from, b.up_to);
        n++;
    }
    fputs("EOD\n", p->to);
    return n;
}

static u32 put_marks(const struct plot *p, const struct places *l)
{
    struct bar b;
    u32 n = 0;

    fputs("$marks << EOD\n", p->to);
    for (u32 row = 0; row < l->n; row++) {
        for (u32 i = 0; i < p->f->marks; i++) {
            if (!find_mark(p->f, l, row, i, &b))
                continue;
            fprintf(p->to, "%.9g %.9g\n", b.x, b.up_to);
            n++;
        }
    }
    fputs("EOD\n", p->to);
    return n;
}

static void put_bars(struct plot *p, const struct places *l)
{
    struct plot_parts c;

    parts_begin(&c);
    for (u32 i = 0; i < figure_series(p->f); i++) {
        struct plot_rgb rgb = plot_colour(i);
        if (put_series(p, l, i))
            fprintf(parts_next(&c),
                    "$s%u with boxxyerror fs solid noborder lc rgb '" PLOT_RGB "' notitle", i,
                    PLOT_RGB_ARGS(rgb));
    }
    if (put_marks(p, l))
        parts_marks(&c, "$marks");
    parts_end(&c, p);
}

void figure_draw_bars(const struct figure *f, FILE *to)
{
    bool stacked = f->kind == FIGURE_STACKED;
    struct places l = find_places(f, stacked ? 1 : figure_series(f));
    struct value_range r = bars_range(f, &l);
    struct axis y;
    struct plot p;

    axis_linear(&y, &r, true);
    plot_init(&p, f, to);
    for (u32 i = 0; i < figure_series(f); i++)
        plot_legend(&p, LEGEND_BOX, i, f->column.at[1 + i]);
    if (f->marks)
        plot_legend(&p, LEGEND_PAPER, 0, "paper");
    put_bar_frame(&p, &l, &y);
    put_bars(&p, &l);
    plot_free(&p);
    axis_free(&y);
}

/* --- boxes ------------------------------------------------------------------------------------- */

enum { LEAST = 1, Q1, MEDIAN, Q3, MOST };

static bool whole_box(const struct figure *f, u32 row)
{
    for (u32 i = LEAST; i <= MOST; i++)
        if (isnan(plot_value(f, row, i)))
            return false;
    return true;
}

static struct value_range box_range(const struct figure *f)
{
    struct value_range r = {0};

    for (u32 row = 0; row < figure_rows(f); row++) {
        for (u32 i = LEAST; i <= MOST && whole_box(f, row); i++)
            range_add(&r, plot_value(f, row, i));
        for (u32 i = 0; i < f->marks; i++)
            range_add(&r, plot_value(f, row, f->column.n - f->marks + i));
    }
    return r;
}

/* From the box to what is least and most, and a short stroke there. */
static void put_whiskers(const struct plot *p, u32 row, double x, double width)
{
    const struct figure *f = p->f;
    double v[] = {0, plot_value(f, row, LEAST), plot_value(f, row, Q1),
                  0, plot_value(f, row, Q3),    plot_value(f, row, MOST)};

    fprintf(p->to, "%.9g %.9g 0 %.9g\n", x, v[Q1], v[LEAST] - v[Q1]);
    fprintf(p->to, "%.9g %.9g 0 %.9g\n", x, v[Q3], v[MOST] - v[Q3]);
    fprintf(p->to, "%.9g %.9g %.9g 0\n", x - width / 4, v[LEAST], width / 2);
    fprintf(p->to, "%.9g %.9g %.9g 0\n", x - width / 4, v[MOST], width / 2);
}

static u32 put_boxes(const struct plot *p, const struct places *l)
{
    const struct figure *f = p->f;
    u32 n = 0;

    fputs("$box << EOD\n", p->to);
    for (u32 row = 0; row < l->n; row++) {
        if (!whole_box(f, row))
            continue;
        put_rect(p->to, place_of_row(l, row), l->bar, plot_value(f, row, Q1),
                 plot_value(f, row, Q3));
        n++;
    }
    fputs("EOD\n$whiskers << EOD\n", p->to);
    for (u32 row = 0; row < l->n; row++)
        if (whole_box(f, row))
            put_whiskers(p, row, place_of_row(l, row), l->bar);
    fputs("EOD\n$median << EOD\n", p->to);
    for (u32 row = 0; row < l->n; row++)
        if (whole_box(f, row))
            fprintf(p->to, "%.9g %.9g %.9g 0\n", place_of_row(l, row) - l->bar / 2,
                    plot_value(f, row, MEDIAN), l->bar);
    fputs("EOD\n", p->to);
    return n;
}

/* All of a row's are above each other, whichever of the five they are for. */
static u32 put_box_marks(const struct plot *p, const struct places *l)
{
    const struct figure *f = p->f;
    u32 n = 0;

    fputs("$marks << EOD\n", p->to);
    for (u32 i = 0; i < l->n * f->marks; i++) {
        double v = plot_value(f, i / f->marks, f->column.n - f->marks + i % f->marks);
        if (isnan(v))
            continue;
        fprintf(p->to, "%.9g %.9g\n", place_of_row(l, i / f->marks), v);
        n++;
    }
    fputs("EOD\n", p->to);
    return n;
}

void figure_draw_box(const struct figure *f, FILE *to)
{
    struct places l = find_places(f, 1);
    struct value_range r = box_range(f);
    struct plot_parts c;
    struct axis y;
    struct plot p;

    axis_linear(&y, &r, r.lo >= 0 && r.lo < 0.5 * r.hi);
    plot_init(&p, f, to);
    plot_legend(&p, LEGEND_BOX, BOX_STYLE, "quartiles");
    plot_legend(&p, LEGEND_STROKE, 2, "median");
    plot_legend(&p, LEGEND_STROKE, 1, "least and most");
    if (f->marks)
        plot_legend(&p, LEGEND_PAPER, 0, "paper");
    put_bar_frame(&p, &l, &y);
    parts_begin(&c);
    if (put_boxes(&p, &l)) {
        struct plot_rgb rgb = plot_colour(BOX_STYLE);
        fputs("$whiskers with vectors nohead lt 1 lw 1 lc rgb 'black' notitle", parts_next(&c));
        fprintf(parts_next(&c),
                "$box with boxxyerror fs solid noborder lc rgb '" PLOT_RGB "' notitle",
                PLOT_RGB_ARGS(rgb));
        fputs("$median with vectors nohead lt 1 lw 2 lc rgb 'black' notitle", parts_next(&c));
    }
    if (put_box_marks(&p, &l))
        parts_marks(&c, "$marks");
    parts_end(&c, &p);
    plot_free(&p);
    axis_free(&y);
}
