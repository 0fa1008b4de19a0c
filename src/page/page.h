/*
 * page.h -- a page on a paper whose numbers are a study's, and stay so.
 *
 *     <!-- table fig9a -->                          from here
 *     | workload | ..                               is the study's table
 *     <!-- end -->                                  to here
 *
 *     Warped Gates saves 46.9<!-- =fig9a:mean:warped --> %, the paper's 31.6<!-- paper -->.
 *
 * A number of the study has a mark behind it (and behind its " %", if that comes first): the name of
 * one of the study's numbers, or table:row:column.  It has as many digits as the page likes.
 *
 * NAME.csv beside NAME.md is what the study had to say of all that (summary.h), and is kept with the
 * page.  A page is checked against it, without a run: tables and marked numbers are recomputed, and
 * whatever else looks measured, a number with a decimal point or a per cent sign, is a finding.  Not
 * looked at are code, quotations (".." within a paragraph), sections, figures and versions (a word
 * such as "section" before the number), and numbers with one of these marks:
 *
 *     <!-- paper -->                                the paper's
 *     <!-- not of this study -->                    another machine's, an earlier version's, ..
 *
 * Alone in a line such a mark holds up to the next <!-- end -->.
 */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <stdio.h>

#include "base/base.h"
#include "base/err.h"

/*
 * Puts the tables of DIR/numbers.csv into the page, and what the page names of it beside the page.  A
 * table that is not there stays what it was.  Sentences are not touched: whether they still hold is
 * for whoever wrote them.
 */
bool page_fill(const char *page, const char *dir, struct err *e);

struct page_report {
    u32 tables, numbers; /* looked at */
    u32 findings;        /* each a line on `out`, "docs/papers/gates.md:12: .." */
};

/* False if the page or its CSV file cannot be read. */
bool page_check(const char *page, FILE *out, struct page_report *r, struct err *e);

#endif
