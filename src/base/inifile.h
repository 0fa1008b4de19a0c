/*
 * inifile.h -- files of `key = value` lines under [section] headings, read with inih.
 *
 *     static bool take(void *user, const struct inifile_line *l, struct err *e) ..
 *
 *     const struct inifile f = {"a.conf", "[module]", take, &mine};
 *     inifile_read(&f, &e)                                             "a.conf:7: WHAT TAKE SAID"
 *
 * Comments begin with # or ; (behind a blank, if not at the beginning) and end with the line.  Blanks
 * around keys and values do not count, nor do those before a line.  The first mistake is told, with
 * file and line, whether inih or `take` finds it; nothing is taken after it.
 */
#ifndef BASE_INIFILE_H
#define BASE_INIFILE_H

#include "base/base.h"
#include "base/err.h"

struct inifile_line {
    const char *section; /* "" before the first heading */
    const char *name, *value;
    u32 number; /* counted from 1 */
};

struct inifile {
    const char *path;
    const char *heading; /* how a message calls one: "[module]" */
    bool (*take)(void *user, const struct inifile_line *l, struct err *e); /* false: it is wrong */
    void *user;
};

bool inifile_read(const struct inifile *f, struct err *e);
bool inifile_parse(const struct inifile *f, const char *text, struct err *e); /* as if of f->path */

#endif
