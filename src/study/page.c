/* page.c -- see page.h */
#include "study/page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"

static const char begin[] = "<!-- table ", end[] = "<!-- end -->";

/* The table that the mark at `mark` names, or NULL. */
static char *table_at(const char *mark, const char *dir)
{
    const char *name = mark + strlen(begin);
    struct err e;
    char *path = text_printf("%s/%.*s.md", dir, (int)strcspn(name, " \n"), name);
    char *text = text_read_file(path, NULL, &e);

    free(path);
    return text;
}

/* What is between two marks is replaced; what follows is returned. */
static const char *fill_one(FILE *to, const char *mark, const char *dir)
{
    const char *first = strchr(mark, '\n'), *last = strstr(mark, end);
    char *table = table_at(mark, dir);

    if (!first || !last || !table) {
        free(table);
        last = last ? last : mark + strlen(mark);
        fwrite(mark, 1, (size_t)(last - mark), to);
        return last;
    }
    fwrite(mark, 1, (size_t)(first + 1 - mark), to);
    fputs(table, to);
    free(table);
    return last;
}

bool page_fill(const char *page, const char *dir, struct err *e)
{
    char *text = text_read_file(page, NULL, e);
    const char *at = text, *mark;

    if (!text)
        return false;
    FILE *f = fopen(page, "w");

    if (!f) {
        free(text);
        return err_set(e, "%s: %s", page, strerror(errno));
    }
    while ((mark = strstr(at, begin))) {
        fwrite(at, 1, (size_t)(mark - at), f);
        at = fill_one(f, mark, dir);
    }
    fputs(at, f);
    free(text);
    return fclose(f) == 0 || err_set(e, "%s: cannot be written", page);
}
