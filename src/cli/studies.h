/*
 * studies.h -- what `smelt sweep` and `smelt reproduce` share: options, and the way from points to a
 * report.
 *
 *     while (cli_more(&a))
 *         if (studies_option(&o, &a)) ..
 *     if (!studies_check(&o, &a)) return ERR_USER;
 *     status = studies_run(&o, study, NULL);
 */
#ifndef CLI_STUDIES_H
#define CLI_STUDIES_H

#include "base/text.h"
#include "cli/cli.h"
#include "runs/runner.h"
#include "study/study.h"
#include "study/sweep.h"

struct studies_options {
    const char *dir, *store; /* NULL: not said */
    struct runner_options run;
    bool jobs_said, quick, large, dry_run;
    const char *slurm; /* options of sbatch; NULL: on this machine */
    VEC(const char *) define;
    VEC(const char *) programs; /* --programs, of sweep alone */
    struct allow allow;
    const char *jobs_text, *time_text, *memory_text;
};

/* Takes one of the options that both have. */
bool studies_option(struct studies_options *o, struct cli_args *a);

/* What the options' texts say; false if something is wrong, which has been told. */
bool studies_check(struct studies_options *o, const struct cli_args *a);
void studies_free(struct studies_options *o);

struct study *studies_load(struct studies_options *o, const char *path, struct err *e);

/*
 * Runs what is missing, evaluates (a sweep's way, unless it is NULL) and writes everything to o->dir.
 * The exit status; 0 and *whole if all is written.
 */
int studies_run(const struct studies_options *o, struct study *s, const struct sweep *w,
                bool *whole);

#endif
