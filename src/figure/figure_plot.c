/* figure_plot.c -- see figure_plot.h */
#include "figure/figure_plot.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum {
    EDGE = 14,         /* around everything */
    LINE = 18,         /* of title and legend */
    SWATCH = 26,       /* of the legend, with the blank behind it */
    BETWEEN = 20,      /* entries of the legend */
    LABEL_CHARS = 48,  /* of an entry of the legend */
    TITLE_CHARS = 400, /* in several lines */
};

/* --- texts ------------------------------------------------------------------------------------- */

/* What XML does not allow, and line ends. */
static void put_clean(FILE *out, const char *s, u32 n)
{
    bool never = n == 3 && memcmp(s, "\xef\xbf", 2) == 0 && (u8)s[2] >= 0xbe; /* U+FFFE, U+FFFF */

    if (n == 0 || never)
        fputc('?', out);
    else if (n == 1 && ((u8)*s < ' ' || *s == 0x7f))
        fputc(' ', out);
    else
        fwrite(s, 1, n, out);
}

static u32 n_chars(const char *s)
{
    u32 chars = 0;

    for (u32 n; *s; s += n ? n : 1, chars++)
        n = text_utf8_len(s);
    return chars;
}

/* Names often differ at both ends. */
char *plot_clean(const char *s, u32 max)
{
    u32 all = n_chars(s), head = all > max ? max / 2 : all, tail = all > max ? max - head - 1 : 0;
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    if (!out)
        xmalloc(SIZE_MAX); /* ends the program */
    for (u32 i = 0, n; *s; s += n ? n : 1, i++) {
        n = text_utf8_len(s);
        if (i < head || i >= all - tail)
            put_clean(out, s, n);
        else if (i == head)
            fputs("\u2026", out);
    }
    fclose(out);
    return text;
}

double plot_width(const char *s, double font)
{
    return 0.58 * font * n_chars(s);
}

/*
 * What could mean something to gnuplot's reader is written as a number: quotes, backslashes,
 * backquotes (which run commands), and whatever another version may think of.
 */
static void put_plot_text(FILE *to, const char *s, size_t len, bool tic)
{
    fputc('"', to);
    for (size_t i = 0; i < len; i++) {
        u8 c = (u8)s[i];
        bool plain = c >= 0x80 || isalnum(c) || strchr(" _.,:;+-()/=", c);
        for (u32 k = tic && c == '%' ? 2 : 1; k > 0; k--)
            fprintf(to, plain ? "%c" : "\\%03o", c);
    }
    fputc('"', to);
}

void plot_text(FILE *to, const char *s, u32 max)
{
    char *clean = plot_clean(s, max);

    put_plot_text(to, clean, strlen(clean), false);
    free(clean);
}

/* A tic far outside: without any, gnuplot would choose its own. */
void plot_tics_begin(FILE *to, char axis, bool slanted)
{
    fprintf(to, "set %ctics scale 0 nomirror %s tc rgb '" PLOT_INK "'\n", axis,
            slanted ? "rotate by 45 right offset 0.3,-0.1" : "norotate");
    fprintf(to, "set %ctics (\"\" 1e305)\n", axis);
}

void plot_tic(FILE *to, char axis, const char *label, double at)
{
    char *clean = plot_clean(label, PLOT_NAME);

    fprintf(to, "set %ctics add (", axis);
    put_plot_text(to, clean, strlen(clean), true);
    fprintf(to, " %.17g)\n", at);
    free(clean);
}

/* --- styles ------------------------------------------------------------------------------------ */

static u8 mix(u8 a, u8 b)
{
    return (u8)((a + b) / 2);
}

/* Black is the paper's. */
struct plot_rgb plot_colour(u32 style)
{
    static const struct plot_rgb okabe_ito[] = {
        {0x00, 0x72, 0xb2}, {0xe6, 0x9f, 0x00}, {0x00, 0x9e, 0x73}, {0x56, 0xb4, 0xe9},
        {0xd5, 0x5e, 0x00}, {0xcc, 0x79, 0xa7}, {0xf0, 0xe4, 0x42}, {0x99, 0x99, 0x99}};
    struct plot_rgb c = okabe_ito[style % LEN(okabe_ito)];
    u32 round = style / LEN(okabe_ito) % 3;
    u8 to = round == 1 ? 0xff : 0;

    return round ? (struct plot_rgb){mix(c.r, to), mix(c.g, to), mix(c.b, to)} : c;
}

u32 plot_point(u32 style)
{
    static const u32 shape[] = {7, 5, 9, 11, 6, 4, 8, 10}; /* filled, then open */

    return shape[style % LEN(shape)];
}

/* --- the command ------------------------------------------------------------------------------- */

void parts_begin(struct plot_parts *c)
{
    *c = (struct plot_parts){0};
    c->f = open_memstream(&c->text, &c->len);
    if (!c->f)
        xmalloc(SIZE_MAX); /* ends the program */
}

FILE *parts_next(struct plot_parts *c)
{
    fputs(c->n++ ? ", " : "plot ", c->f);
    return c->f;
}

/* White around them, so that they are seen on dark bars too. */
void parts_marks(struct plot_parts *c, const char *block)
{
    fprintf(parts_next(c), "%s using 1:2 with points pt 13 ps 1.05 lc rgb 'white' notitle", block);
    fprintf(parts_next(c), "%s using 1:2 with points pt 13 ps 0.75 lc rgb 'black' notitle", block);
}

void parts_end(struct plot_parts *c, struct plot *p)
{
    fclose(c->f);
    if (c->n) {
        fprintf(p->to, "%s\n", c->text);
    } else {
        fputs("set label 'no values' at graph 0.5, graph 0.5 center tc rgb '#777777'\n", p->to);
        fputs("plot 1/0 notitle\n", p->to);
    }
    free(c->text);
}

/* --- the sheet --------------------------------------------------------------------------------- */

void plot_init(struct plot *p, const struct figure *f, FILE *to)
{
    *p = (struct plot){.f = f, .to = to};
}

void plot_free(struct plot *p)
{
    for (u32 i = 0; i < p->legend.n; i++)
        free(p->legend.at[i].label);
    VEC_FREE(&p->legend);
}

void plot_legend(struct plot *p, enum plot_legend_shape shape, u32 style, const char *label)
{
    *VEC_ADD(&p->legend) = (struct plot_legend){shape, style, plot_clean(label, LABEL_CHARS)};
}

/* Bytes of the next line of a text that is to be at most `width` wide: cut at a blank if it can be. */
static size_t wrapped_length(const char *s, double width, double font)
{
    u32 room = (u32)(width / plot_width("x", font)), chars = 0;
    size_t at = 0, blank = 0;

    for (; s[at] && chars < room; at += text_utf8_len(s + at), chars++)
        if (s[at] == ' ')
            blank = at;
    if (!s[at])
        return at;
    return s[at] == ' ' || !blank ? at : blank;
}

/* Draws if `to` is not NULL; returns the number of lines. */
static u32 put_title(const struct plot *p, FILE *to)
{
    char *title = plot_clean(p->f->title, TITLE_CHARS);
    u32 lines = 0;

    for (const char *s = title; *s; lines++) {
        size_t n = wrapped_length(s, p->width - 2 * EDGE, PLOT_FONT);
        if (to) {
            fputs("set label ", to);
            put_plot_text(to, s, n, false);
            fprintf(to, " at screen 0.5, screen %.6f center font ',%d' tc rgb '" PLOT_INK "'\n",
                    1 - (EDGE + 4 + lines * LINE) / p->height, PLOT_FONT);
        }
        s += n;
        s += *s == ' ';
    }
    free(title);
    return lines;
}

static double swatch_width(const struct plot_legend *l)
{
    return l->shape == LEGEND_TEXT ? 0 : SWATCH;
}

static double entry_width(const struct plot_legend *l)
{
    return swatch_width(l) + plot_width(l->label, PLOT_SMALL);
}

/* How many entries from `from` on fit into one line, and how wide they are. */
static u32 legend_line(const struct plot *p, u32 from, double *width)
{
    u32 n = 0;

    *width = 0;
    for (; from + n < p->legend.n; n++) {
        double more = entry_width(&p->legend.at[from + n]) + (n ? BETWEEN : 0);
        if (n && *width + more > p->width - 2 * EDGE)
            break;
        *width += more;
    }
    return n;
}

static void put_point(const struct plot *p, double x, double y, u32 point, double size,
                      struct plot_rgb c)
{
    fprintf(p->to,
            "set label '' at screen %.6f, screen %.6f point pt %u ps %g lc rgb '" PLOT_RGB "'\n",
            x / p->width, 1 - y / p->height, point, size, PLOT_RGB_ARGS(c));
}

static void put_stroke(const struct plot *p, double x, double y, double w, struct plot_rgb c,
                       double thick)
{
    fprintf(p->to,
            "set arrow from screen %.6f, screen %.6f to screen %.6f, screen %.6f nohead lw %g lc "
            "rgb '" PLOT_RGB "'\n",
            x / p->width, 1 - y / p->height, (x + w) / p->width, 1 - y / p->height, thick,
            PLOT_RGB_ARGS(c));
}

static void put_swatch(const struct plot *p, const struct plot_legend *l, double x, double y)
{
    struct plot_rgb c = plot_colour(l->style), black = {0, 0, 0};

    switch (l->shape) {
    case LEGEND_BOX:
        fprintf(
            p->to,
            "set object rect from screen %.6f, screen %.6f to screen %.6f, screen %.6f fs solid "
            "noborder fc rgb '" PLOT_RGB "'\n",
            (x + 6) / p->width, 1 - (y + 6) / p->height, (x + 20) / p->width,
            1 - (y - 6) / p->height, PLOT_RGB_ARGS(c));
        break;
    case LEGEND_LINE:
        put_stroke(p, x, y, 20, c, 2);
        put_point(p, x + 10, y, plot_point(l->style), 0.7, c);
        break;
    case LEGEND_POINT:
        put_point(p, x + 13, y, plot_point(l->style), 0.7, c);
        break;
    case LEGEND_PAPER:
        put_point(p, x + 13, y, 13, 0.75, black);
        break;
    case LEGEND_STROKE:
        put_stroke(p, x, y, 20, black, l->style);
        break;
    case LEGEND_TEXT:
        break;
    }
}

/* Centred, line by line.  Draws if `draw`; returns the number of lines. */
static u32 put_legend(const struct plot *p, double y, bool draw)
{
    u32 lines = 0;

    for (u32 i = 0, n; i < p->legend.n; i += n, lines++) {
        double width, x;
        n = legend_line(p, i, &width);
        x = (p->width - width) / 2;
        for (u32 k = i; draw && k < i + n; k++) {
            const struct plot_legend *l = &p->legend.at[k];
            put_swatch(p, l, x, y + lines * LINE);
            fputs("set label ", p->to);
            plot_text(p->to, l->label, LABEL_CHARS);
            fprintf(p->to, " at screen %.6f, screen %.6f left tc rgb '" PLOT_INK "'\n",
                    (x + swatch_width(l)) / p->width, 1 - (y + lines * LINE) / p->height);
            x += entry_width(l) + BETWEEN;
        }
    }
    return lines;
}

void plot_sheet(struct plot *p, double width, double height, const struct plot_rooms *rooms)
{
    p->left = rooms->left;
    p->right = p->left + width;
    p->width = ceil(p->right + rooms->right);
    u32 title = put_title(p, NULL), legend = put_legend(p, 0, false);
    p->top = EDGE + (title + legend) * LINE + (title || legend ? 8 : 0);
    p->bottom = p->top + height;
    p->height = ceil(p->bottom + rooms->below);

    fprintf(p->to, "set terminal svg size %.0f,%.0f noenhanced font 'sans-serif,%d' ", p->width,
            p->height, PLOT_SMALL);
    fputs("background 'white'\nunset key\nset border 0\n", p->to);
    fprintf(p->to, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", p->left / p->width,
            p->right / p->width);
    fprintf(p->to, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
            1 - p->top / p->height, 1 - p->bottom / p->height);
    put_title(p, p->to);
    put_legend(p, EDGE + title * LINE + 4, true);
}

double plot_value(const struct figure *f, u32 row, u32 column)
{
    double v = figure_at(f, row, column)->number;

    return fabs(v) > 1e300 ? NAN : fabs(v) < 1e-300 ? 0 : v;
}

char *plot_row_name(const struct figure *f, u32 row)
{
    const struct figure_cell *c = figure_at(f, row, 0);
    char buf[FIGURE_SHOW];

    return plot_clean(c->text ? c->text : figure_show(c->number, buf, sizeof(buf)), PLOT_NAME);
}

double plot_widest_row(const struct figure *f)
{
    double most = 0;

    for (u32 i = 0; i < figure_rows(f); i++) {
        char *name = plot_row_name(f, i);
        most = fmax(most, plot_width(name, PLOT_SMALL));
        free(name);
    }
    return most;
}
