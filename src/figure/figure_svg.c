/* figure_svg.c -- see figure.h: gnuplot is given a script, and what it draws is made fit for a page */
#define _GNU_SOURCE /* memfd_create */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/draft.h"
#include "base/log.h"
#include "base/place.h"
#include "figure/figure_plot.h"

/* --- what gnuplot has drawn -------------------------------------------------------------------- */

static void put_xml(FILE *out, const char *s)
{
    char *clean = plot_clean(s, 1000);

    for (const char *c = clean; *c; c++) {
        if (*c == '<' || *c == '&')
            fputs(*c == '<' ? "&lt;" : "&amp;", out);
        else
            fputc(*c, out);
    }
    free(clean);
}

/*
 * Titles of parts are "gnuplot_plot_1", which browsers show under the mouse: only the picture's own
 * stays, with our text.
 */
static const char *replace_title(const struct figure *f, const char *at, bool first, FILE *out)
{
    const char *end = strstr(at, "</title>");

    if (first) {
        fputs("<title>", out);
        put_xml(out, f->title);
        fputs("</title>", out);
    }
    return end ? end + strlen("</title>") : at + strlen(at);
}

static const char *replace_desc(const struct figure *f, const char *at, FILE *out)
{
    const char *end = strstr(at, "</desc>");

    if (f->doc) {
        fputs("<desc>", out);
        put_xml(out, f->doc);
        fputs("</desc>", out);
    }
    return end ? end + strlen("</desc>") : at + strlen(at);
}

/* Copies a tag; what it is called and what it refers to get the figure's name before them. */
static const char *copy_tag(const struct figure *f, const char *at, FILE *out)
{
    static const char *const before[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};

    for (; *at && *at != '>';) {
        u32 i = 0;
        while (i < LEN(before) && !text_begins(at, before[i]))
            i++;
        if (i == LEN(before)) {
            fputc(*at++, out);
            continue;
        }
        fprintf(out, "%s%s-", before[i], f->name);
        at += strlen(before[i]);
    }
    return at;
}

static void tidy_svg(const struct figure *f, const char *at, FILE *out)
{
    bool titled = false;

    while (*at) {
        if (text_begins(at, "<title>")) {
            at = replace_title(f, at, !titled, out);
            titled = true;
        } else if (text_begins(at, "<desc>")) {
            at = replace_desc(f, at, out);
        } else if (*at == '<') {
            at = copy_tag(f, at, out);
        } else {
            fputc(*at++, out);
        }
    }
}

/* --- gnuplot ----------------------------------------------------------------------------------- */

static void put_script(const struct figure *f, int result, FILE *to)
{
    locale_t old = text_c_locale();

    fputs("set encoding utf8\n", to);
    fprintf(to, "set output '/proc/self/fd/%d'\n", result);
    switch (f->kind) {
    case FIGURE_BARS:
    case FIGURE_STACKED:
        figure_draw_bars(f, to);
        break;
    case FIGURE_BOX:
        figure_draw_box(f, to);
        break;
    case FIGURE_LINES:
        figure_draw_lines(f, to);
        break;
    case FIGURE_SCATTER:
        figure_draw_scatter(f, to);
        break;
    case FIGURE_HEAT:
        figure_draw_heat(f, to);
        break;
    case FIGURE_TABLE:
        assert(!"a table has no picture");
    }
    fputs("set output\n", to);
    uselocale(old);
}

/* Files without a name, which gnuplot inherits. */
struct files {
    int script, result, said;
};

static bool open_files(struct files *a)
{
    a->script = memfd_create("script", 0);
    a->result = memfd_create("picture", 0);
    a->said = memfd_create("said", 0);
    return a->script >= 0 && a->result >= 0 && a->said >= 0;
}

static void close_files(const struct files *a)
{
    const int fd[] = {a->script, a->result, a->said};

    for (u32 i = 0; i < LEN(fd); i++)
        if (fd[i] >= 0)
            close(fd[i]);
}

static char *read_descriptor(int fd)
{
    struct err e;
    char path[40];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return text_read_file(path, NULL, &e);
}

/* The last line that gnuplot has said is the one with the reason. */
static bool gnuplot_failed(int said, struct err *e)
{
    char *text = read_descriptor(said), *line = text ? text_trim(text) : NULL;
    char *last = line ? strrchr(line, '\n') : NULL;

    err_set(e, "%s", last ? last + 1 : line && *line ? line : "it ended without a word");
    free(text);
    return false;
}

/* -d: the user's own settings of gnuplot are not for our pictures. */
static bool run_gnuplot(const char *gnuplot, const struct files *a, struct err *e)
{
    char script[40], name[] = "gnuplot", d[] = "-d";
    char *argv[] = {name, d, script, NULL};
    int status = -1;

    snprintf(script, sizeof(script), "/proc/self/fd/%d", a->script);
    pid_t pid = child_start(gnuplot, argv, a->said, e);
    if (pid < 0)
        return false;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status == 0 || gnuplot_failed(a->said, e);
}

/* What the files are for: the script is written, and gnuplot's picture is whole.  NULL if not. */
static char *draw_into(const struct figure *f, const char *gnuplot, const struct files *a,
                       struct err *e)
{
    int copy = dup(a->script);
    FILE *to = copy >= 0 ? fdopen(copy, "w") : NULL;

    if (!to) {
        err_set(e, "%s", strerror(errno));
        return NULL;
    }
    put_script(f, a->result, to);
    if (fclose(to) != 0) {
        err_set(e, "%s", strerror(errno));
        return NULL;
    }
    char *picture = run_gnuplot(gnuplot, a, e) ? read_descriptor(a->result) : NULL;
    if (!picture || strstr(picture, "</svg>"))
        return picture;
    gnuplot_failed(a->said, e);
    free(picture);
    return NULL;
}

/* The picture as gnuplot leaves it, to be freed, or NULL and why. */
static char *draw_by_gnuplot(const struct figure *f, struct err *e)
{
    struct files a;
    char *gnuplot = place_program("gnuplot"), *picture = NULL;

    if (!gnuplot) {
        err_set(e, "it is not in PATH");
        return NULL;
    }
    if (open_files(&a))
        picture = draw_into(f, gnuplot, &a, e);
    else
        err_set(e, "%s", strerror(errno));
    close_files(&a);
    free(gnuplot);
    return picture;
}

static void tell_once(const struct err *e)
{
    static bool told;

    if (!told)
        log_note("gnuplot does not work here: tables are written, pictures are not (%s)", e->msg);
    told = true;
}

static bool write_picture(const struct figure *f, const char *path, const char *picture,
                          struct err *e)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    if (!out)
        xmalloc(SIZE_MAX); /* ends the program */
    tidy_svg(f, picture, out);
    fclose(out);
    bool ok = draft_write(path, text, len, e);
    free(text);
    return ok;
}

bool figure_svg(const struct figure *f, const char *path, bool *drawn, struct err *e)
{
    *drawn = false;
    if (!figure_check(f, e))
        return false;
    if (f->kind == FIGURE_TABLE)
        return true;
    struct err why;
    char *picture = draw_by_gnuplot(f, &why);
    bool ok = true;

    if (picture)
        ok = *drawn = write_picture(f, path, picture, e);
    else
        tell_once(&why);
    free(picture);
    return ok;
}
