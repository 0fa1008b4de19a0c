/*
 * page.h -- the tables of a page that are made, not written.
 *
 *     <!-- table summary -->          from here
 *     | variant | ..                  is what DIR/summary.md says
 *     <!-- end -->                    to here
 *
 * smelt reproduce NAME --page docs/papers/NAME.md puts the tables of a study into its page.
 */
#ifndef STUDY_PAGE_H
#define STUDY_PAGE_H

#include "base/err.h"

/* A table that DIR does not have stays what it was. */
bool page_fill(const char *page, const char *dir, struct err *e);

#endif
