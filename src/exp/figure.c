/* figure.c -- see figure.h */
#include "exp/figure.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"

bool figure_open(struct figure *f, const char *dir, const char *name, const char *title,
                 const char *unit, enum figure_kind kind, struct err *e)
{
    *f = (struct figure){.title = title, .unit = unit, .kind = kind};
    f->path = text_printf("%s/%s", dir, name);
    char *csv = text_printf("%s.csv", f->path);

    f->csv = fopen(csv, "w");
    if (!f->csv) {
        err_set(e, "%s: %s", csv, strerror(errno));
        free(f->path);
    }
    free(csv);
    return f->csv;
}

void figure_label(struct figure *f, const char *label)
{
    fprintf(f->csv, "%s%s", f->at++ ? "," : "", label);
}

void figure_number(struct figure *f, double v)
{
    fputs(f->at++ ? "," : "", f->csv);
    if (!isnan(v))
        fprintf(f->csv, "%.6g", v);
}

void figure_end(struct figure *f)
{
    fputc('\n', f->csv);
    if (!f->columns)
        f->columns = f->at;
    f->at = 0;
}

void figure_row(struct figure *f, const char *first, ...)
{
    va_list ap;

    va_start(ap, first);
    for (const char *s = first; s; s = va_arg(ap, const char *))
        figure_label(f, s);
    va_end(ap);
    figure_end(f);
}

static void script(const struct figure *f, FILE *to)
{
    const char *name = strrchr(f->path, '/') + 1;

    fprintf(to, "set terminal svg size 900,420 font 'sans,11' background 'white'\n");
    fprintf(to, "set output '%s.svg'\nset datafile separator ','\n", f->path);
    fprintf(to, "set title '%s: %s' noenhanced\nset ylabel '%s' noenhanced\n", name, f->title,
            f->unit);
    fprintf(to, "set key outside right top noenhanced\nset grid ytics lc rgb '#dddddd'\n");
    fprintf(to, "set border 3\nset xtics nomirror noenhanced\nset ytics nomirror\n");
    if (f->kind == FIGURE_LINES) {
        fprintf(to,
                "plot for [i=2:%u] '%s.csv' using 1:i with linespoints lw 2 title "
                "columnheader(i)\n",
                f->columns, f->path);
        return;
    }
    fprintf(to, "set style data histograms\nset style fill solid 0.85 noborder\n");
    fprintf(to, f->kind == FIGURE_STACKED ? "set style histogram rowstacked\nset boxwidth 0.8\n"
                                          : "set style histogram clustered gap 1\n");
    fprintf(to, "set xtics rotate by 40 right offset 0,-0.3\nset xzeroaxis\n");
    fprintf(to, "plot for [i=2:%u] '%s.csv' using i:xtic(1) title columnheader(i)\n", f->columns,
            f->path);
}

static bool draw(const struct figure *f)
{
    FILE *p = popen("gnuplot 2>/dev/null", "w");

    if (!p)
        return false;
    script(f, p);
    return pclose(p) == 0;
}

bool figure_close(struct figure *f, struct err *e)
{
    static bool told;
    bool ok = !ferror(f->csv);

    ok = fclose(f->csv) == 0 && ok;
    if (!ok)
        err_set(e, "%s.csv: cannot be written", f->path);
    else if (f->kind != FIGURE_TABLE && !draw(f) && !told) {
        log_note("gnuplot does not work here: tables are written, pictures are not");
        told = true;
    }
    free(f->path);
    return ok;
}
