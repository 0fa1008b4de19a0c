/* cmd_reproduce.c -- smelt reproduce: the figures of a paper from one command. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "cli/cli.h"
#include "study/page.h"
#include "study/paper.h"

static const struct paper *const papers[] = {&paper_gates};

static const struct paper *find_paper(const char *name, struct err *e)
{
    const char *names[LEN(papers)];

    for (u32 i = 0; i < LEN(papers); i++) {
        if (strcmp(papers[i]->name, name) == 0)
            return papers[i];
        names[i] = papers[i]->name;
    }
    err_no_such(e, name, names, LEN(names), "there is gates", "no paper '%s'", name);
    return NULL;
}

static int reproduce(const char *name, const char *page, const struct paper_options *o)
{
    struct err e;
    const struct paper *p = find_paper(name, &e);

    if (!p)
        return cli_fail(&e);
    if (mkdir(o->dir, 0777) != 0 && errno != EEXIST) {
        err_set(&e, "%s: %s", o->dir, strerror(errno));
        return cli_fail(&e);
    }
    log_note("%s: runs and figures go to %s", p->doc, o->dir);
    if (!p->reproduce(o, &e) || (page && !page_fill(page, o->dir, &e)))
        return cli_fail(&e);
    log_note("tables and pictures are in %s", o->dir);
    return 0;
}

static u32 cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n > 0 ? (u32)n : 1;
}

int cmd_reproduce(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct paper_options o = {.jobs = cores()};
    const char *name = NULL, *more = NULL, *jobs = NULL, *page = NULL;

    while (cli_more(&a)) {
        if (cli_flag(&a, "--quick"))
            o.quick = true;
        else if (cli_flag(&a, "--large"))
            o.large = true;
        else if (cli_option(&a, "-o|--out", &o.dir) || cli_option(&a, "-j|--jobs", &jobs) ||
                 cli_option(&a, "--page", &page))
            continue;
        else if (!cli_word(&a, name ? &more : &name))
            return cli_unknown(&a);
    }
    if (a.failed)
        return ERR_USER;
    if (!name || more)
        return cli_misuse(&a, more ? "reproduce takes one paper, not also '%s'" : "which paper?%s",
                          more ? more : "");
    if (o.quick && o.large)
        return cli_misuse(&a, "--quick has small inputs, --large has large ones");
    if (page && access(page, R_OK | W_OK) != 0)
        return cli_misuse(&a, "--page: %s: %s", page, strerror(errno));
    u64 n;

    if (jobs && (!text_parse_u64(jobs, &n) || n < 1 || n > 1024))
        return cli_misuse(&a, "-j: '%s' is not a number of runs from 1 to 1024", jobs);
    o.jobs = jobs ? (u32)n : o.jobs;
    char *dir = o.dir ? NULL : text_printf("reproduce-%s", name);

    o.dir = o.dir ? o.dir : dir;
    int status = reproduce(name, page, &o);

    free(dir);
    return status;
}
