/*
 * page_prose.c -- the numbers in the sentences of a page (page.h).
 *
 * Two looks at a line: at marks, each with the number before it, and at numbers that have none.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "page/page_parts.h"

static const char mark_begin[] = "<!-- =", comment[] = "<!--", comment_end[] = "-->";

static const char *const excuse[] = {"<!-- paper -->", "<!-- not of this study -->"};

/* --- numbers with a mark --- */

/* The number that ends before `end`, its sign included; 0 characters if there is none. */
static const char *number_before(const char *line, const char *end, size_t *n)
{
    const char *to = end;

    while (to > line && (to[-1] == ' ' || to[-1] == '%'))
        to--;
    const char *from = to;

    while (from > line && (isdigit((unsigned char)from[-1]) || from[-1] == '.'))
        from--;
    if (from > line && from < to && (from[-1] == '-' || from[-1] == '+') &&
        (from - 1 == line || !isalnum((unsigned char)from[-2])))
        from--;
    *n = (size_t)(to - from);
    return from;
}

static u32 decimals(const char *number)
{
    const char *dot = strchr(number, '.');

    return dot ? (u32)strlen(dot + 1) : 0;
}

/* As tables show it, or with the digits that are written. */
static bool says(const char *number, double v, char *should, size_t size)
{
    char table[FIGURE_SHOW];
    const char *is = number + (*number == '+');
    locale_t old = text_c_locale();

    snprintf(should, size, "%.*f", (int)decimals(is), v);
    uselocale(old);
    return strcmp(is, should) == 0 || strcmp(is, figure_show(v, table, sizeof table)) == 0;
}

static void check_mark(struct page_checker *c, const char *line, const char *mark, const char *name)
{
    size_t n;
    const char *from = number_before(line, mark, &n);
    char *number = text_dup_n(from, n), should[FIGURE_SHOW];
    struct err e;
    double v;

    if (!summary_value(c->s, name, &v, &e))
        page_finding(c, c->line, "%s", e.msg);
    else if (!n)
        page_finding(c, c->line, "no number before the mark of %s", name);
    else if (!says(number, v, should, sizeof should))
        page_finding(c, c->line, "%s should be %s (%s)", number, should, name);
    free(number);
}

static void check_marks(struct page_checker *c, const char *line)
{
    for (const char *m = line; (m = strstr(m, mark_begin)); m++) {
        const char *name = m + strlen(mark_begin), *end = strstr(name, comment_end);
        char *copy = text_dup_n(name, end ? (size_t)(end - name) : strlen(name));

        c->r->numbers++;
        check_mark(c, line, m, text_trim(copy));
        free(copy);
    }
}

/* --- numbers without one --- */

/* What is before a number that is no measurement: "section 7.3", "Fig. 6.1", "GPGPU-Sim 3.2". */
static const char *const names[] = {"section",  "sections", "fig",      "figs", "figure",
                                    "figures",  "table",    "tables",   "cuda", "version",
                                    "versions", "ptx",      "gpgpu-sim"};
static const char *const between[] = {"and", "to", "or"}; /* "sections 4.7 and 5.1" */

static bool is_among_words(const char *word, size_t n, const char *const *list, u32 len)
{
    for (u32 i = 0; i < len; i++)
        if (strlen(list[i]) == n && strncasecmp(list[i], word, n) == 0)
            return true;
    return false;
}

static const char *take_word(struct page_checker *c, const char *at)
{
    const char *end = at;

    while (isalnum((unsigned char)*end) ||
           (*end && strchr("_-.", *end) && isalnum((unsigned char)end[1])))
        end++;
    end += end == at;
    size_t n = (size_t)(end - at);

    c->named = is_among_words(at, n, names, LEN(names)) ||
               (c->named && is_among_words(at, n, between, LEN(between)));
    return end;
}

/* Where what begins with a digit ends: 46.9, 3.2.x, the 64 of 64-bit. */
static const char *word_end(const char *at)
{
    while (isalnum((unsigned char)*at) || *at == '_' ||
           (*at == '.' && isalnum((unsigned char)at[1])))
        at++;
    return at;
}

/* One decimal point and digits else, but for an "x" at the end; or a per cent sign behind it. */
static bool is_measured(const char *at, const char *end)
{
    const char *digits = at + strspn(at, "0123456789");
    bool fraction = *digits == '.' && digits < end;

    digits += fraction ? 1 + strspn(digits + 1, "0123456789") : 0;
    if (digits < end && !(digits + 1 == end && *digits == 'x'))
        return false;
    return fraction || end[strspn(end, " ")] == '%';
}

static bool has_mark(const char *end)
{
    const char *mark = end + strspn(end, " %");

    return text_begins(mark, mark_begin) || text_begins(mark, excuse[0]) ||
           text_begins(mark, excuse[1]);
}

static const char *take_number(struct page_checker *c, const char *at)
{
    const char *end = word_end(at);
    bool percent = end[strspn(end, " ")] == '%';

    if (!c->excused && is_measured(at, end) && !has_mark(end) && (percent || !c->named))
        page_finding(c, c->line, "%.*s%s has no mark: <!-- =NAME -->, or one that says whose it is",
                     (int)(end - at), at, percent ? " %" : "");
    return end;
}

/* Moves over one character, word or comment; quotations and code may go on in the next line. */
static const char *take_any(struct page_checker *c, const char *at)
{
    if (text_begins(at, comment)) {
        const char *end = strstr(at, comment_end);

        return end ? end + strlen(comment_end) : at + strlen(at);
    }
    if (*at == '`')
        c->in_code = !c->in_code;
    else if (*at == '"' && !c->in_code)
        c->in_quotes = !c->in_quotes;
    if (*at == ' ' || *at == '.')
        return at + 1;
    return isdigit((unsigned char)*at) && !c->in_code && !c->in_quotes ? take_number(c, at)
                                                                       : take_word(c, at);
}

void page_check_line(struct page_checker *c, const char *line)
{
    size_t blanks = strspn(line, " ");

    if (!line[blanks])
        c->in_quotes = c->in_code = c->named = false;
    if (text_begins(line + blanks, "```")) {
        c->fenced = !c->fenced;
        return;
    }
    if (c->fenced || blanks >= 4)
        return;
    if (strcmp(line, excuse[0]) == 0 || strcmp(line, excuse[1]) == 0)
        c->excused = true;
    else if (strcmp(line, "<!-- end -->") == 0)
        c->excused = false;
    check_marks(c, line);
    for (const char *at = line; *at;)
        at = take_any(c, at);
}
