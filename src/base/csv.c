/* csv.c -- see csv.h */
#include "base/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void csv_put_quoted(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s; s++)
        fprintf(f, *s == '"' ? "\"\"" : "%c", *s);
    fputc('"', f);
}

void csv_put(FILE *f, const char *s)
{
    if (strpbrk(s, ",\"\r\n"))
        csv_put_quoted(f, s);
    else
        fputs(s, f);
}

/* From behind the first quote to the last one; two are one. */
static char *take_quoted_field(struct csv_reader *r)
{
    char *to = xmalloc(strlen(r->at) + 1), *end = to;

    for (; *r->at; r->at++) {
        if (*r->at == '"' && *++r->at != '"') {
            *end = 0;
            return to;
        }
        r->next_line += *r->at == '\n';
        *end++ = *r->at;
    }
    free(to);
    return NULL;
}

static char *take_plain(struct csv_reader *r)
{
    size_t n = strcspn(r->at, ",\r\n");
    char *s = text_dup_n(r->at, n);

    r->at += n;
    return s;
}

/* What is between two fields. */
static bool take_end(struct csv_reader *r)
{
    r->ends = *r->at != ',';
    if (*r->at == ',' || (*r->at == '\r' && r->at[1] == '\n'))
        r->at++;
    if (!r->ends || !*r->at)
        return true;
    if (*r->at != '\n')
        return false;
    r->at++, r->next_line++;
    return true;
}

bool csv_next(struct csv_reader *r)
{
    bool begins = !r->field || r->ends;

    csv_end(r);
    r->next_line = r->next_line ? r->next_line : 1;
    r->line = r->next_line;
    if (r->wrong || (begins && !*r->at))
        return false;
    r->quoted = *r->at == '"';
    r->at += r->quoted;
    r->field = r->quoted ? take_quoted_field(r) : take_plain(r);
    if (!r->field)
        r->wrong = "a quote is not closed";
    else if (!take_end(r))
        r->wrong = "a comma was expected behind the quote";
    return !r->wrong;
}

void csv_end(struct csv_reader *r)
{
    free(r->field);
    r->field = NULL;
}
