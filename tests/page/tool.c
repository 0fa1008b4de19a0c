/* tool.c -- `tool DIR`: writes the study of made.h and its page, with pictures, into DIR. */
#include <stdio.h>

#include "tests/page/made.h"

static bool write_all(struct made *m, const char *dir, struct err *e)
{
    for (u32 i = 0; i < m->s.figure.n; i++)
        if (!figure_write(&m->s.figure.at[i], dir, e))
            return false;
    return html_write(&m->s, m->st, dir, e);
}

int main(int argc, char **argv)
{
    struct made m;
    struct err e;
    if (argc != 2)
        return 2;
    made_open(&m, argv[1]);
    bool ok = write_all(&m, argv[1], &e);
    if (!ok)
        err_print(&e, stderr);
    made_close(&m);
    return ok ? 0 : 2;
}
