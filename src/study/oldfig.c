/* figure.c -- see figure.h */
#include "study/oldfig.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"

static FILE *open_file(const char *path, const char *ending, struct err *e)
{
    char *name = text_printf("%s.%s", path, ending);
    FILE *f = fopen(name, "w");

    if (!f)
        err_set(e, "%s: %s", name, strerror(errno));
    free(name);
    return f;
}

bool oldfig_open(struct oldfig *f, const char *dir, const char *name, const char *title,
                 const char *unit, enum oldfig_kind kind, struct err *e)
{
    *f = (struct oldfig){.title = title, .unit = unit, .kind = kind};
    f->path = text_printf("%s/%s", dir, name);
    f->csv = open_file(f->path, "csv", e);
    f->md = f->csv ? open_file(f->path, "md", e) : NULL;
    if (f->md)
        return true;
    if (f->csv)
        fclose(f->csv);
    free(f->path);
    return false;
}

/* A label with a comma is quoted in CSV. */
void oldfig_label(struct oldfig *f, const char *label)
{
    const char *quote = strpbrk(label, ",\"") ? "\"" : "";

    fprintf(f->csv, "%s%s", f->at++ ? "," : "", quote);
    for (const char *c = label; *c; c++)
        fprintf(f->csv, *c == '"' ? "\"\"" : "%c", *c);
    fputs(quote, f->csv);
    fprintf(f->md, "| %s ", label);
}

void oldfig_number(struct oldfig *f, double v)
{
    fputs(f->at++ ? "," : "", f->csv);
    fputs("| ", f->md);
    if (isnan(v))
        return;
    fprintf(f->csv, "%.6g", v);
    if (v == floor(v) && fabs(v) < 1e6)
        fprintf(f->md, "%.0f ", v);
    else
        fprintf(f->md, fabs(v) < 9.95 ? "%.2f " : "%.1f ", v);
}

void oldfig_end(struct oldfig *f)
{
    fputc('\n', f->csv);
    fputs("|\n", f->md);
    if (!f->columns) {
        f->columns = f->at;
        for (u32 i = 0; i < f->columns; i++)
            fputs("|---", f->md);
        fputs("|\n", f->md);
    }
    f->at = 0;
}

void oldfig_row(struct oldfig *f, const char *first, ...)
{
    va_list ap;

    va_start(ap, first);
    for (const char *s = first; s; s = va_arg(ap, const char *))
        oldfig_label(f, s);
    va_end(ap);
    oldfig_end(f);
}

static void lines(const struct oldfig *f, FILE *to)
{
    u32 n = f->columns - f->marks;

    fprintf(to,
            "plot for [i=2:%u] '%s.csv' using 1:i with linespoints lw 2 lc i title columnheader(i)",
            n, f->path);
    if (f->marks)
        fprintf(to, ", for [i=%u:%u] '' using 1:i with points pt 6 ps 1.4 lc i-%u notitle", n + 1,
                f->columns, n - 1);
    fputc('\n', to);
}

/* A cluster of n bars is n + 1 bars wide; its middle is at the number of its row. */
static void bars(const struct oldfig *f, FILE *to)
{
    u32 n = f->columns - f->marks;

    fprintf(to, "set style data histograms\nset style fill solid 0.85 noborder\n");
    fprintf(to, f->kind == OLDFIG_STACKED ? "set style histogram rowstacked\nset boxwidth 0.8\n"
                                          : "set style histogram clustered gap 1\n");
    fprintf(to, "set xtics rotate by 40 right offset 0,-0.3\nset xzeroaxis\n");
    fprintf(to, "set yrange [*<0:0<*]\n");
    fprintf(to, "plot for [i=2:%u] '%s.csv' using i:xtic(1) title columnheader(i)", n, f->path);
    if (f->marks && f->kind == OLDFIG_BARS)
        fprintf(to,
                ", for [i=1:%u] '' skip 1 using ($0+(i-%g)/%u.0):(column(i+%u)) with points pt 7 "
                "ps 0.7 "
                "lc rgb 'black' title i==1 ? 'paper' : ''",
                f->marks, n / 2.0, n, n);
    fputc('\n', to);
}

static void script(const struct oldfig *f, FILE *to)
{
    const char *name = strrchr(f->path, '/') + 1;

    fprintf(to, "set terminal svg size 900,420 font 'sans,11' background 'white'\n");
    fprintf(to, "set output '%s.svg'\nset datafile separator ','\n", f->path);
    fprintf(to, "set title '%s: %s' noenhanced\nset ylabel '%s' noenhanced\n", name, f->title,
            f->unit);
    fprintf(to, "set key outside right top noenhanced\nset grid ytics lc rgb '#dddddd'\n");
    fprintf(to, "set border 3\nset xtics nomirror noenhanced\nset ytics nomirror\n");
    if (f->kind == OLDFIG_LINES)
        lines(f, to);
    else
        bars(f, to);
}

static bool draw(const struct oldfig *f)
{
    FILE *p = popen("gnuplot 2>/dev/null", "w");

    if (!p)
        return false;
    script(f, p);
    return pclose(p) == 0;
}

bool oldfig_close(struct oldfig *f, struct err *e)
{
    static bool told;
    bool ok = !ferror(f->csv) && !ferror(f->md);

    ok = fclose(f->csv) == 0 && ok;
    ok = fclose(f->md) == 0 && ok;
    if (!ok)
        err_set(e, "%s.csv: cannot be written", f->path);
    else if (f->kind != OLDFIG_TABLE && !draw(f) && !told) {
        log_note("gnuplot does not work here: tables are written, pictures are not");
        told = true;
    }
    free(f->path);
    return ok;
}
