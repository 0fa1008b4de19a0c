/* page_parts.h -- between page.c and page_prose.c only (page.h). */
#ifndef PAGE_PAGE_PARTS_H
#define PAGE_PAGE_PARTS_H

#include "page/page.h"
#include "study/summary.h"

struct page_checker {
    const char *page;
    FILE *out;
    const struct summary *s;
    struct page_report *r;
    u32 line;                /* counted from 1 */
    bool fenced, excused;    /* between ```; between a mark alone in its line and an end */
    bool named;              /* a number here is that of a section or a version */
    bool in_quotes, in_code; /* begun in an earlier line of the paragraph */
};

void page_finding(struct page_checker *c, u32 line, const char *fmt, ...) PRINTF(3, 4);

/* A line that is not one of a study's table. */
void page_check_line(struct page_checker *c, const char *line);

#endif
