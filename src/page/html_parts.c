/* html_parts.c -- see html_parts.h: the frame, text and tables */
#include "page/html_parts.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/draft.h"
#include "base/text.h"

extern const char report_css[], report_js[]; /* cmake/embed.cmake */

/* --- text --- */

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    }
    return NULL;
}

void html_text(struct html *h, const char *s)
{
    while (s && *s) {
        u32 n = text_utf8_len(s);
        bool control = n == 1 && (*s == 0x7f || (*s > 0 && *s < ' ' && *s != '\n' && *s != '\t'));
        const char *instead = n == 0 || control ? "\xef\xbf\xbd" : n == 1 ? entity(*s) : NULL;
        if (instead)
            fputs(instead, h->f);
        else
            fwrite(s, 1, n, h->f);
        s += n ? n : 1;
    }
}

void html_put(struct html *h, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    for (const char *s = fmt; *s; s++) {
        if (*s != '%') {
            putc(*s, h->f);
            continue;
        }
        switch (*++s) {
        case 's':
            html_text(h, va_arg(ap, const char *));
            break;
        case 'u':
            fprintf(h->f, "%u", va_arg(ap, u32));
            break;
        default:
            assert(*s == '%');
            putc('%', h->f);
        }
    }
    va_end(ap);
}

void html_json(struct html *h, const struct json_value *v)
{
    static const char *const words[] = {
        [JSON_NULL] = "null", [JSON_FALSE] = "false", [JSON_TRUE] = "true"};
    if (!v || v->text)
        html_text(h, v ? v->text : "");
    else if (v->kind <= JSON_TRUE)
        html_text(h, words[v->kind]);
    else
        for (u32 i = 0; i < v->n; i++) {
            html_text(h, i ? ", " : "");
            html_json(h, &v->at[i]);
        }
}

void html_id(struct html *h, const char *name)
{
    for (const char *s = name; *s; s++)
        if (isalnum((u8)*s) || *s == '-')
            putc(*s, h->f);
        else
            fprintf(h->f, "_%02x", (u8)*s); /* so '_' too */
}

const char *html_duration(double seconds, char *buf, size_t size)
{
    u64 s = (u64)(seconds + 0.5);
    if (seconds < 59.95)
        snprintf(buf, size, "%.1f s", seconds);
    else if (s < 3600)
        snprintf(buf, size, "%u min %02u s", (u32)(s / 60), (u32)(s % 60));
    else
        snprintf(buf, size, "%u h %02u min", (u32)(s / 3600), (u32)(s / 60 % 60));
    return buf;
}

/* As in other tables, but what is small keeps its digits and what is large has none after the point. */
static const char *show_fact(double v, char *buf, size_t size)
{
    if (v == 0 || (fabs(v) >= 0.1 && fabs(v) < 1e4) || !isfinite(v))
        return figure_show(v, buf, size);
    snprintf(buf, size, fabs(v) < 0.1 ? "%.3g" : "%.0f", v);
    return buf;
}

/* --- the frame --- */

/* Scripts and handlers that got into it in spite of all would lack the nonce, and not run. */
static void begin_page(struct html *h, const char *title)
{
    html_put(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'; script-src 'nonce-smelt'; img-src data:\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n");
    html_put(h, "<title>%s</title>\n<style>\n", title);
    fputs(report_css, h->f);
    html_put(h, "</style>\n</head>\n<body>\n<main>\n");
}

void html_open(struct html *h, const char *title)
{
    *h = (struct html){0};
    h->f = open_memstream(&h->text, &h->len);
    if (!h->f)
        xmalloc(SIZE_MAX); /* only memory can be missing: ends the program */
    begin_page(h, title);
}

bool html_close(struct html *h, const char *path, struct err *e)
{
    html_put(h, "</main>\n<script nonce=\"smelt\">\n");
    fputs(report_js, h->f);
    html_put(h, "</script>\n</body>\n</html>\n");
    fclose(h->f);
    bool ok = true;
    if (strcmp(path, "-") == 0)
        fwrite(h->text, 1, h->len, stdout); /* whether it arrived is told at the end (cli.h) */
    else
        ok = draft_write(path, h->text, h->len, e);
    free(h->text);
    return ok;
}

void html_drop(struct html *h)
{
    fclose(h->f);
    free(h->text);
}

void html_contents(struct html *h)
{
    html_put(h, "<nav aria-label=\"Contents\">\n<ul>\n");
}

void html_link(struct html *h, const char *id, const char *title)
{
    html_put(h, "<li><a href=\"#%s\">%s</a></li>\n", id, title);
}

void html_contents_end(struct html *h)
{
    html_put(h, "</ul>\n</nav>\n");
}

void html_section(struct html *h, const char *id, const char *title)
{
    html_put(h, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
}

void html_section_end(struct html *h)
{
    html_put(h, "</section>\n");
}

void html_facts(struct html *h)
{
    html_put(h, "<dl class=\"facts\">\n");
}

void html_fact(struct html *h, const char *name, const char *value)
{
    html_put(h, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, value);
}

static void put_time(struct html *h, const char *date)
{
    html_put(h, "<time datetime=\"%s\">%s</time>", date, date);
}

void html_fact_date(struct html *h, const char *name, const char *date)
{
    if (!date || !date[0])
        return;
    html_put(h, "<div><dt>%s</dt><dd>", name);
    put_time(h, date);
    html_put(h, "</dd></div>\n");
}

void html_fact_number(struct html *h, const char *name, double v, const char *unit)
{
    char buf[FIGURE_SHOW];
    if (!isnan(v))
        html_put(h, "<div><dt>%s</dt><dd>%s %s</dd></div>\n", name, show_fact(v, buf, sizeof(buf)),
                 unit);
}

void html_facts_end(struct html *h)
{
    html_put(h, "</dl>\n");
}

/* --- tables --- */

void html_table(struct html *h, const char *label)
{
    assert(!h->in_row && !h->in_body);
    html_put(h,
             "<div class=\"wide\" role=\"region\" aria-label=\"%s\" tabindex=\"0\">\n"
             "<table class=\"sort\">\n<thead>\n<tr>",
             label);
}

void html_column(struct html *h, const char *name)
{
    assert(!h->in_body);
    html_put(h, "<th scope=\"col\">%s</th>", name);
}

static void end_row(struct html *h)
{
    if (h->in_row)
        html_put(h, "</tr>\n");
    h->in_row = false;
}

static void begin_body(struct html *h)
{
    if (!h->in_body)
        html_put(h, "</tr>\n</thead>\n<tbody>\n");
    h->in_body = true;
}

void html_row(struct html *h)
{
    end_row(h);
    begin_body(h);
    html_put(h, "<tr>");
    h->in_row = h->first = true;
}

void html_cell_begin(struct html *h)
{
    assert(h->in_row);
    html_put(h, h->first ? "<th scope=\"row\">" : "<td>");
}

void html_cell_end(struct html *h)
{
    html_put(h, h->first ? "</th>" : "</td>");
    h->first = false;
}

void html_cell(struct html *h, const char *text)
{
    html_cell_begin(h);
    html_text(h, text);
    html_cell_end(h);
}

/* The exact value is what it is sorted by. */
void html_number_as(struct html *h, double v, const char *shown)
{
    char exact[TEXT_NUMBER];
    assert(h->in_row);
    html_put(h, h->first ? "<th scope=\"row\"" : "<td");
    html_put(h, " data-v=\"%s\">%s", text_show_real(v, exact, sizeof(exact)), shown);
    html_cell_end(h);
}

void html_number(struct html *h, double v)
{
    char shown[FIGURE_SHOW];
    if (isfinite(v))
        html_number_as(h, v, show_fact(v, shown, sizeof(shown)));
    else
        html_cell(h, "");
}

void html_date(struct html *h, const char *date)
{
    html_cell_begin(h);
    if (date && date[0])
        put_time(h, date);
    html_cell_end(h);
}

void html_foot(struct html *h)
{
    end_row(h);
    begin_body(h);
    html_put(h, "</tbody>\n<tfoot>\n");
    h->in_foot = true;
}

void html_table_end(struct html *h)
{
    end_row(h);
    begin_body(h);
    html_put(h, h->in_foot ? "</tfoot>" : "</tbody>");
    html_put(h, "\n</table>\n</div>\n");
    h->in_body = h->in_foot = false;
}
