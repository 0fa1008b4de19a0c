/* figure_heat.c -- heat maps: a coloured cell for each row and series, with its value in it */
#include "figure/figure_plot.h"

#include <math.h>

enum {
    CELL_WIDE = 52,
    CELL_HIGH = 22,
    CELL_MOST = 90,   /* wide, if the columns' names need it */
    AREA_MOST = 1300, /* then cells are narrower, and without numbers if those do not fit */
    AREA_LEAST = 120, /* high: for the scale beside it */
    SCALE_STEPS = 64,
    SCALE_WIDE = 14,
    ROOM_RIGHT = 100, /* for the scale and its numbers */
};

#define MARKS_GAP 0.4 /* of a column, before the paper's */
#define SLANT 0.7071

struct heat {
    const struct figure *f;
    struct value_range range;
    u32 rows, columns; /* of cells: the paper's included */
    double wide, high; /* a cell, in pixels */
    double cells;      /* all columns with the gap, in columns */
    bool slanted;
};

static double place_of_column(const struct heat *h, u32 column)
{
    return column + (column >= figure_series(h->f) ? MARKS_GAP : 0);
}

/* Cividis (Nunez, Anderton, Renslow 2018): even steps for the eye, and for the colour-blind too. */
static struct plot_rgb cividis(double share)
{
    static const struct plot_rgb stop[] = {
        {0x00, 0x22, 0x4e}, {0x12, 0x35, 0x70}, {0x3b, 0x49, 0x6c}, {0x57, 0x5d, 0x6d},
        {0x70, 0x71, 0x73}, {0x8a, 0x86, 0x78}, {0xa5, 0x9c, 0x74}, {0xc3, 0xb3, 0x69},
        {0xe1, 0xcc, 0x55}, {0xfe, 0xe8, 0x38}};
    double at = fmin(fmax(share, 0), 1) * (LEN(stop) - 1);
    u32 i = min_u32((u32)at, LEN(stop) - 2);
    const struct plot_rgb *a = &stop[i], *b = &stop[i + 1];
    double t = at - i;

    return (struct plot_rgb){(u8)lround(a->r + t * (b->r - a->r)),
                             (u8)lround(a->g + t * (b->g - a->g)),
                             (u8)lround(a->b + t * (b->b - a->b))};
}

/* Whether white text on it is read better than black: by luminance as in WCAG 2. */
static bool is_dark(struct plot_rgb c)
{
    double l = 0.2126 * pow(c.r / 255.0, 2.2) + 0.7152 * pow(c.g / 255.0, 2.2) +
               0.0722 * pow(c.b / 255.0, 2.2);

    return 1.05 / (l + 0.05) > (l + 0.05) / 0.05;
}

/* One value everywhere is in the middle of the scale. */
static double place_in_scale(const struct heat *h, double v)
{
    double span = h->range.hi - h->range.lo;

    return span > 0 ? (v - h->range.lo) / span : 0.5;
}

static double widest_column(const struct figure *f)
{
    double most = 0;

    for (u32 i = 1; i < f->column.n; i++) {
        char *name = plot_clean(f->column.at[i], PLOT_NAME);
        most = fmax(most, plot_width(name, PLOT_SMALL));
        free(name);
    }
    return most;
}

static struct heat heat_of(const struct figure *f)
{
    struct heat h = {.f = f, .rows = figure_rows(f), .columns = f->column.n - 1};
    double names = widest_column(f) + 10;

    for (u32 row = 0; row < h.rows; row++)
        for (u32 i = 0; i < h.columns; i++)
            range_add(&h.range, plot_value(f, row, 1 + i));
    h.cells = place_of_column(&h, h.columns - 1) + 1;
    h.wide = names <= CELL_MOST ? fmax(names, CELL_WIDE) : CELL_WIDE;
    h.wide = fmin(h.wide, AREA_MOST / h.cells);
    h.slanted = names > h.wide;
    h.high = fmax(CELL_HIGH, h.rows ? (double)AREA_LEAST / h.rows : AREA_LEAST);
    return h;
}

/* --- drawing ----------------------------------------------------------------------------------- */

/* The first row is the uppermost. */
static void put_heat_names(const struct plot *p, const struct heat *h)
{
    fprintf(p->to, "set xrange [-0.5:%.9g]\nset yrange [%.9g:-0.5]\n", h->cells - 0.5,
            fmax(h->rows, 1) - 0.5);
    plot_tics_begin(p->to, 'x', h->slanted);
    for (u32 i = 0; i < h->columns; i++)
        plot_tic(p->to, 'x', h->f->column.at[1 + i], place_of_column(h, i));
    plot_tics_begin(p->to, 'y', false);
    for (u32 i = 0; i < h->rows; i++) {
        char *name = plot_row_name(h->f, i);
        plot_tic(p->to, 'y', name, i);
        free(name);
    }
}

/* A bit smaller than its place, so that white is between them. */
static void put_heat(const struct plot *p, const struct heat *h, u32 row, u32 column, double v)
{
    double x = place_of_column(h, column), dx = 0.5 - 0.5 / h->wide, dy = 0.5 - 0.5 / h->high;
    struct plot_rgb c = cividis(place_in_scale(h, v));

    fprintf(p->to, "%.9g %u %.9g %.9g %.9g %.9g %u\n", x, row, x - dx, x + dx, row - dy, row + dy,
            (u32)c.r << 16 | (u32)c.g << 8 | c.b);
}

static u32 put_cells(const struct plot *p, const struct heat *h)
{
    u32 n = 0;

    fputs("$cells << EOD\n", p->to);
    for (u32 row = 0; row < h->rows; row++) {
        for (u32 i = 0; i < h->columns; i++) {
            double v = plot_value(h->f, row, 1 + i);
            if (isnan(v))
                continue;
            put_heat(p, h, row, i, v);
            n++;
        }
    }
    fputs("EOD\n", p->to);
    return n;
}

/* All or none, so that a missing one is an empty cell. */
static bool numbers_fit(const struct heat *h)
{
    char buf[FIGURE_SHOW];
    double most = 0;

    for (u32 row = 0; row < h->rows; row++)
        for (u32 i = 0; i < h->columns; i++) {
            figure_show(plot_value(h->f, row, 1 + i), buf, sizeof(buf));
            most = fmax(most, plot_width(buf, PLOT_SMALL));
        }
    return most + 4 <= h->wide;
}

static void put_heat_numbers(const struct plot *p, const struct heat *h)
{
    char buf[FIGURE_SHOW];

    for (u32 row = 0; row < h->rows; row++) {
        for (u32 i = 0; i < h->columns; i++) {
            double v = plot_value(h->f, row, 1 + i);
            if (isnan(v))
                continue;
            fprintf(p->to, "set label '%s' at %.9g, %u center front tc rgb '%s'\n",
                    figure_show(v, buf, sizeof(buf)), place_of_column(h, i), row,
                    is_dark(cividis(place_in_scale(h, v))) ? "white" : "black");
        }
    }
}

static void scale_text(const struct plot *p, double y, double v)
{
    char buf[FIGURE_SHOW];

    fprintf(p->to, "set label '%s' at screen %.6f, screen %.6f left tc rgb '" PLOT_INK "'\n",
            figure_show(v, buf, sizeof(buf)), (p->right + 20 + SCALE_WIDE + 6) / p->width,
            1 - y / p->height);
}

/* Each step reaches up to the top, and the next covers it: there are no seams. */
static void put_scale(const struct plot *p, const struct heat *h)
{
    double x = p->right + 20, high = fmin(p->bottom - p->top, 260), foot = p->top + high;

    for (u32 i = 0; i < SCALE_STEPS; i++) {
        struct plot_rgb c = cividis((i + 0.5) / SCALE_STEPS);
        fprintf(
            p->to,
            "set object rect from screen %.6f, screen %.6f to screen %.6f, screen %.6f fs solid "
            "noborder fc rgb '" PLOT_RGB "'\n",
            x / p->width, 1 - (foot - i * high / SCALE_STEPS) / p->height,
            (x + SCALE_WIDE) / p->width, 1 - p->top / p->height, PLOT_RGB_ARGS(c));
    }
    scale_text(p, (p->top + foot) / 2, (h->range.lo + h->range.hi) / 2);
    if (h->range.lo == h->range.hi)
        return;
    scale_text(p, p->top + 6, h->range.hi);
    scale_text(p, foot - 6, h->range.lo);
}

/* The unit is where others have a legend. */
void figure_draw_heat(const struct figure *f, FILE *to)
{
    struct heat h = heat_of(f);
    double left = plot_widest_row(f) + 18, slant = h.slanted ? widest_column(f) * SLANT + 8 : 0;
    struct plot_rooms rooms = {fmax(left, slant - h.wide / 2), ROOM_RIGHT,
                               h.slanted ? slant + 14 : 28};
    struct plot_parts c;
    struct plot p;

    plot_init(&p, f, to);
    if (f->unit[0])
        plot_legend(&p, LEGEND_TEXT, 0, f->unit);
    plot_sheet(&p, h.wide * h.cells, h.high * fmax(h.rows, 1), &rooms);
    put_heat_names(&p, &h);
    parts_begin(&c);
    if (put_cells(&p, &h)) {
        fputs("$cells with boxxyerror fs solid noborder lc rgb variable notitle", parts_next(&c));
        put_scale(&p, &h);
        if (numbers_fit(&h))
            put_heat_numbers(&p, &h);
    }
    parts_end(&c, &p);
    plot_free(&p);
}
