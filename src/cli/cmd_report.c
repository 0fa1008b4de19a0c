/* cmd_report.c -- smelt report: a run or a store as one HTML file (page/html.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/cli.h"
#include "page/html.h"

/* What a file begins with tells a store from a result. */
static bool is_store_file(const char *path)
{
    static const char magic[] = "SQLite format 3";
    char buf[sizeof(magic)];
    FILE *f = strcmp(path, "-") ? fopen(path, "rb") : NULL;
    bool yes =
        f && fread(buf, 1, sizeof(buf), f) == sizeof(buf) && memcmp(buf, magic, sizeof(buf)) == 0;
    if (f)
        fclose(f);
    return yes;
}

static bool report_store(const char *path, const char *out, struct err *e)
{
    struct store *st = store_open(path, STORE_READ, e);
    bool ok = st && html_write_store(st, out, e);
    store_close(st);
    return ok;
}

static int make_report(const char *path, const char *out)
{
    struct err e;
    bool ok = is_store_file(path) ? report_store(path, out, &e) : html_write_run(path, out, &e);
    if (!ok)
        return err_tell(&e);
    if (strcmp(out, "-"))
        log_note("the page is %s", out);
    return 0;
}

int cmd_report(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    const char *path = NULL, *out = "report.html", *word;
    while (cli_more(&a)) {
        if (cli_option(&a, "-o|--out", &out))
            ;
        else if (!cli_word(&a, &word))
            return cli_unknown(&a);
        else if (path)
            return cli_misuse(&a, "report takes one file, not also '%s'", word);
        else
            path = word;
    }
    if (a.failed)
        return ERR_USER;
    return path ? make_report(path, out) : cli_misuse(&a, "of which result or store?");
}
