/* page.c -- see page.h; page_prose.c looks at the sentences */
#include "page/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/draft.h"
#include "base/text.h"
#include "page/page_parts.h"
#include "study/summary.h"

static const char begin_table[] = "<!-- table ", end[] = "<!-- end -->";

/* The name in "<!-- table NAME -->", to be freed; NULL if the line is another. */
static char *table_name(const char *line)
{
    size_t n = strlen(begin_table);

    return strncmp(line, begin_table, n) == 0 ? text_dup_n(line + n, strcspn(line + n, " \n"))
                                              : NULL;
}

static bool is_end_mark(const char *line)
{
    return text_begins(line, end);
}

/* A line without its end, to be freed; *at moves behind it. */
static char *next_line(const char **at)
{
    size_t n = strcspn(*at, "\n");
    char *line = text_dup_n(*at, n);

    *at += n + ((*at)[n] == '\n');
    return line;
}

/* "gates.csv" for "gates.md"; to be freed. */
static char *csv_of(const char *page, struct err *e)
{
    size_t n = strlen(page);

    if (n > 3 && strcmp(page + n - 3, ".md") == 0)
        return text_printf("%.*s.csv", (int)(n - 3), page);
    err_set(e, "%s: a page is a .md file", page);
    return NULL;
}

/* --- filling --- */

/* What is between two marks is replaced; what follows is returned. */
static const char *fill_table(FILE *to, const struct figure *t, const char *at)
{
    const char *next = strstr(at, end);

    figure_markdown(t, to);
    return next ? next : at + strlen(at);
}

static void fill_text(FILE *to, const char *at, const struct summary *s)
{
    while (*at) {
        struct err none;
        const char *from = at;
        char *line = next_line(&at), *name = table_name(line);
        const struct figure *t = name ? summary_table(s, name, &none) : NULL;

        fwrite(from, 1, (size_t)(at - from), to);
        if (t && strstr(at, end))
            at = fill_table(to, t, at);
        free(line), free(name);
    }
}

/* Does the page have the table, or a number of it? */
static bool names_table(const char *text, const char *name)
{
    char *table = text_printf("%s%s -->", begin_table, name),
         *cell = text_printf("<!-- =%s:", name);
    bool found = strstr(text, table) || strstr(text, cell);

    free(table), free(cell);
    return found;
}

static bool names_number(const char *text, const char *name)
{
    char *mark = text_printf("<!-- =%s -->", name);
    bool found = strstr(text, mark);

    free(mark);
    return found;
}

static void csv_text(FILE *to, const char *text, const struct summary *s)
{
    summary_put_head(to);
    for (u32 i = 0; i < s->table.n; i++)
        if (names_table(text, s->table.at[i].name))
            summary_put_table(to, &s->table.at[i]);
    for (u32 i = 0; i < s->number.n; i++)
        if (names_number(text, s->number.at[i].name))
            summary_put_number(to, s->number.at[i].name, s->number.at[i].value);
}

static bool write_made(const char *path, const char *text, const struct summary *s,
                       void (*make)(FILE *to, const char *text, const struct summary *s),
                       struct err *e)
{
    char *made = NULL;
    size_t n;
    FILE *f = open_memstream(&made, &n);

    make(f, text, s);
    fclose(f);
    bool ok = draft_write(path, made, n, e);

    free(made);
    return ok;
}

bool page_fill(const char *page, const char *dir, struct err *e)
{
    char *csv = csv_of(page, e), *from = text_printf("%s/numbers.csv", dir);
    char *text = csv ? text_read_file(page, NULL, e) : NULL;
    struct summary s = {0};
    bool ok = text && summary_read(&s, from, e) && write_made(csv, text, &s, csv_text, e) &&
              write_made(page, text, &s, fill_text, e);

    summary_free(&s);
    free(text), free(from), free(csv);
    return ok;
}

/* --- checking --- */

void page_finding(struct page_checker *c, u32 line, const char *fmt, ...)
{
    va_list ap;

    fprintf(c->out, "%s:%u: ", c->page, line);
    va_start(ap, fmt);
    vfprintf(c->out, fmt, ap);
    va_end(ap);
    fputc('\n', c->out);
    c->r->findings++;
}

static char *as_markdown(const struct figure *t)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);

    figure_markdown(t, f);
    fclose(f);
    return text;
}

/* The first line that differs is told; returns what follows the table. */
static const char *compare_table(struct page_checker *c, const struct figure *t, const char *at)
{
    char *markdown = as_markdown(t);
    const char *want = markdown;
    bool same = true;

    while (*at && !is_end_mark(at)) {
        char *is = next_line(&at), *should = next_line(&want);

        c->line++;
        if (same && strcmp(is, should) != 0)
            page_finding(c, c->line, "table %s: '%s' should be '%s'", t->name, is, should);
        same = same && strcmp(is, should) == 0;
        free(is), free(should);
    }
    if (same && *want)
        page_finding(c, c->line, "table %s ends too early", t->name);
    free(markdown);
    return at;
}

static const char *skip_table(struct page_checker *c, const char *at)
{
    while (*at && !is_end_mark(at)) {
        free(next_line(&at));
        c->line++;
    }
    return at;
}

static const char *check_table(struct page_checker *c, const char *name, const char *at)
{
    struct err e;
    u32 line = c->line;
    const struct figure *t = summary_table(c->s, name, &e);

    c->r->tables++;
    if (t)
        at = compare_table(c, t, at);
    else {
        page_finding(c, line, "%s", e.msg);
        at = skip_table(c, at);
    }
    if (!*at)
        page_finding(c, line, "table %s: no %s behind it", name, end);
    return at;
}

static void check_text(struct page_checker *c, const char *at)
{
    while (*at) {
        char *line = next_line(&at), *name = table_name(line);

        c->line++;
        if (name)
            at = check_table(c, name, at);
        else
            page_check_line(c, line);
        free(line), free(name);
    }
}

bool page_check(const char *page, FILE *out, struct page_report *r, struct err *e)
{
    char *csv = csv_of(page, e), *text = csv ? text_read_file(page, NULL, e) : NULL;
    struct summary s = {0};
    bool ok = text && summary_read(&s, csv, e);
    struct page_checker c = {.page = page, .out = out, .s = &s, .r = r};

    if (ok)
        check_text(&c, text);
    summary_free(&s);
    free(text), free(csv);
    return ok;
}
