/* cmd_reproduce.c -- smelt reproduce: a bundled study, the figures of a paper from one command. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/studies.h"
#include "cli/table.h"
#include "page/page.h"

/* What the text of the page says otherwise is for its author to read. */
static bool put_page(const char *page, const char *dir, struct err *e)
{
    struct page_report r = {0};

    if (!page_fill(page, dir, e) || !page_check(page, stdout, &r, e))
        return false;
    if (r.findings)
        log_warn("%s: its tables are new, but %u places in it are not as measured", page,
                 r.findings);
    return true;
}

/* *score is what it came to, if it came to an end. */
static int reproduce(struct studies_options *o, const char *name, const char *page,
                     struct study_score *score)
{
    struct err e;
    bool whole = false;
    char *path = study_find(name, &e);
    struct study *s = path ? studies_load(o, path, &e) : NULL;

    free(path);
    if (!s)
        return err_tell(&e);
    int status = studies_run(o, s, NULL, &whole);

    *score = whole ? study_score(s) : (struct study_score){0};
    if (score->targets + score->claims)
        log_note("%s: %u of %u numbers and %u of %u claims are met", s->title, score->targets_met,
                 score->targets, score->claims_met, score->claims);
    study_free(s);
    if (whole && page && !put_page(page, o->dir, &e))
        return err_tell(&e);
    return status;
}

/* A line a paper: how many of its numbers and sentences are met. */
static void show_scores(char *const *name, const struct study_score *score, u32 n)
{
    struct table t;

    table_begin(&t, "paper  numbers met  claims met", TABLE_ALIGNED);
    for (u32 i = 0; i < n; i++) {
        char *targets = text_printf("%u of %u", score[i].targets_met, score[i].targets);
        char *claims = text_printf("%u of %u", score[i].claims_met, score[i].claims);

        if (score[i].targets + score[i].claims)
            TABLE_ROW(&t, name[i], targets, claims);
        free(targets);
        free(claims);
    }
    table_end(&t);
}

/* Each in a folder of its own, all with one store; the worst of their statuses. */
static int reproduce_all(struct studies_options *o)
{
    struct err e;
    char **name, *store = text_printf("%s/store.db", o->dir);
    const char *dir = o->dir;
    u32 n = study_names(&name);
    struct study_score *score = xcalloc(n, sizeof *score);
    int worst = mkdir(dir, 0777) == 0 || errno == EEXIST
                    ? 0
                    : (err_set(&e, "%s: %s", dir, strerror(errno)), err_tell(&e));

    o->store = o->store ? o->store : store;
    for (u32 i = 0; i < n && worst != ERR_USER; i++) {
        char *own = text_printf("%s/%s", dir, name[i]);

        o->dir = own;
        int status = reproduce(o, name[i], NULL, &score[i]);

        worst = status > worst ? status : worst;
        free(own);
    }
    if (!o->dry_run && worst != ERR_USER)
        show_scores(name, score, n);
    text_split_free(name, n);
    free(score);
    free(store);
    return worst;
}

int cmd_reproduce(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct studies_options o = {0};
    struct study_score score;
    const char *name = NULL, *more = NULL, *page = NULL;

    while (cli_more(&a)) {
        if (studies_option(&o, &a) || cli_option(&a, "--page", &page))
            continue;
        if (!cli_word(&a, name ? &more : &name))
            return cli_unknown(&a);
    }
    if (a.failed)
        return ERR_USER;
    if (!name || more)
        return cli_misuse(&a, more ? "reproduce takes one study, not also '%s'" : "which study?%s",
                          more ? more : "");
    if (page && access(page, R_OK | W_OK) != 0)
        return cli_misuse(&a, "--page: %s: %s", page, strerror(errno));
    bool all = strcmp(name, "all") == 0;

    if (all && page)
        return cli_misuse(&a, "--page: a page is of one study, not of all");
    char *dir = text_printf("reproduce-%s", name);

    o.dir = o.dir ? o.dir : dir;
    int status = !studies_check(&o, &a) ? ERR_USER
                 : all                  ? reproduce_all(&o)
                                        : reproduce(&o, name, page, &score);

    studies_free(&o);
    free(dir);
    return status;
}
