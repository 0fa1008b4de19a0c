/*
 * figure_plot.h -- what all kinds of pictures share: the sheet, its legend and axes, colours, texts.
 *
 * We say where everything is, in pixels; gnuplot draws.  Its own layout guesses, differs between
 * versions, and puts 33 rotated names and a legend of two lines upon each other.
 *
 *         title
 *         [] series  [] series  <> paper        legend, in as many lines as it needs
 *     u |  top
 *     n |
 *     i |          the area
 *     t |_____________________________ bottom
 *       left    tics                   right
 *
 *     struct plot p;
 *     plot_init(&p, f, script);
 *     plot_legend(&p, LEGEND_BOX, 0, "conv_pg");
 *     plot_sheet(&p, 640, 280, &(struct plot_rooms){.left = 60, .below = 30});
 *     .. axes, data blocks, one `plot` command ..
 *     plot_free(&p);
 *
 * Texts of users get into a script only through plot_text and plot_tic.
 */
#ifndef FIGURE_FIGURE_PLOT_H
#define FIGURE_FIGURE_PLOT_H

#include "figure/figure.h"

enum {
    PLOT_FONT = 13,  /* of the title */
    PLOT_SMALL = 11, /* of all other texts */
    PLOT_NAME = 36,  /* characters of a row's or column's name at most */
};

#define PLOT_INK "#222222"
#define PLOT_GRID "#dddddd"

enum plot_legend_shape {
    LEGEND_BOX,
    LEGEND_LINE,
    LEGEND_POINT,
    LEGEND_PAPER,
    LEGEND_STROKE,
    LEGEND_TEXT
};

struct plot_legend {
    enum plot_legend_shape shape;
    u32 style; /* of plot_colour and plot_point; of a black stroke, how thick it is */
    char *label;
};

struct plot {
    const struct figure *f;
    FILE *to;
    double width, height;            /* of the sheet */
    double left, right, top, bottom; /* of the area, from the sheet's left and upper edges */
    VEC(struct plot_legend) legend;
};

struct plot_rooms { /* around the area */
    double left, right, below;
};

void plot_init(struct plot *p, const struct figure *f, FILE *to);
void plot_free(struct plot *p);
void plot_legend(struct plot *p, enum plot_legend_shape shape, u32 style, const char *label);
void plot_sheet(struct plot *p, double width, double height, const struct plot_rooms *rooms);

/* A cell's number as it can be drawn: NAN for a text and for what is out of all bounds. */
double plot_value(const struct figure *f, u32 row, u32 column);

/* What the first column has, to be freed; and how wide the longest of them is. */
char *plot_row_name(const struct figure *f, u32 row);
double plot_widest_row(const struct figure *f);

/* --- texts ------------------------------------------------------------------------------------- */

/* Valid UTF-8 without control characters and of at most `max` characters; to be freed. */
char *plot_clean(const char *s, u32 max);
double plot_width(const char *s, double font); /* an estimate, rather too wide */

/* A quoted text of gnuplot. */
void plot_text(FILE *to, const char *s, u32 max);

/* The tics of an axis ('x', 'y'): none but those that follow. */
void plot_tics_begin(FILE *to, char axis, bool slanted);
void plot_tic(FILE *to, char axis, const char *label, double at);

/* --- styles ------------------------------------------------------------------------------------ */

struct plot_rgb {
    u8 r, g, b;
};

#define PLOT_RGB "#%02x%02x%02x"
#define PLOT_RGB_ARGS(c) (c).r, (c).g, (c).b

struct plot_rgb plot_colour(u32 style); /* of Okabe and Ito, then lighter and darker ones */
u32 plot_point(u32 style);              /* gnuplot's number of a filled shape */

/*
 * A `plot` command of several parts, each about a data block that is not empty: gnuplot stops at a
 * command that plots nothing.  Blocks go to the script at once, the command when it is whole.
 */
struct plot_parts {
    char *text;
    size_t len;
    FILE *f;
    u32 n;
};

void parts_begin(struct plot_parts *c);
FILE *parts_next(struct plot_parts *c);                    /* where the next one is to be written */
void parts_marks(struct plot_parts *c, const char *block); /* the paper's: black diamonds */
void parts_end(struct plot_parts *c, struct plot *p);      /* "no values" if there is none */

/* --- axes -------------------------------------------------------------------------------------- */

struct value_range {
    double lo, hi;
    u32 n; /* values in it */
};

void range_add(struct value_range *r, double v); /* NAN: nothing */

struct axis_tic {
    double at;
    char *label;
};

struct axis {
    double lo, hi;
    bool log;
    VEC(struct axis_tic) tic;
};

/* From zero if `zero`; round numbers at both ends and between. */
void axis_linear(struct axis *a, const struct value_range *r, bool zero);
void axis_log(struct axis *a, const struct value_range *r); /* r has only what is above 0 */
void axis_clip(struct axis *a,
               const struct value_range *r); /* of axis_linear: not far beyond the values */
void axis_tics_at(struct axis *a, const double *v, u32 n); /* there instead: as they are */
void axis_free(struct axis *a);
double axis_room(const struct axis *a); /* for the widest label */

/* With its title, which may be empty. */
void axis_put_y(const struct plot *p, const struct axis *a, const char *title);
void axis_put_x(const struct plot *p, const struct axis *a, const char *title);

/* --- kinds ------------------------------------------------------------------------------------- */

void figure_draw_bars(const struct figure *f, FILE *to); /* and stacked */
void figure_draw_box(const struct figure *f, FILE *to);
void figure_draw_lines(const struct figure *f, FILE *to);
void figure_draw_scatter(const struct figure *f, FILE *to);
void figure_draw_heat(const struct figure *f, FILE *to);

#endif
