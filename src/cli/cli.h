/*
 * cli.h -- the command line: `smelt COMMAND [options]`.
 *
 * A command is a function in a file of its own, cmd_NAME.c, and one row in the
 * table of help.c (name, a line, the long help).  It gets argv[0] == "NAME" and
 * returns the exit status: 0 done, 1 the simulated program failed, 2 the user's
 * mistake, told in one line on stderr.  Results go to stdout, all else to stderr.
 *
 * A command reads its options with a cursor:
 *
 *     struct cli_args a = cli_begin(argc, argv);
 *     while (cli_more(&a)) {
 *         if (cli_flag(&a, "--functional"))
 *             functional = true;
 *         else if (cli_option(&a, "-g|--gpu", &gpu))
 *             ;
 *         else if (!cli_word(&a, &program))
 *             return cli_unknown(&a);
 *     }
 *     if (a.failed)
 *         return ERR_USER;
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/base.h"
#include "base/err.h"

/*
 * Finds the command and runs it; --help and --version of smelt itself.  Called by the name of
 * nvcc, as in the toolkit, smelt is `smelt cc`.
 */
int cli_main(int argc, char **argv);

int cmd_run(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_disasm(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_reproduce(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_store(int argc, char **argv);
int cmd_train(int argc, char **argv);
int cmd_cc(int argc, char **argv);
int cmd_pages(int argc, char **argv);

struct cli_command {
    const char *name, *doc;
    int (*run)(int argc, char **argv);
    const char *help;
};

const struct cli_command *cli_commands(u32 *n);

/* The long help of a command, on stdout; returns 0. */
int cli_help(const char *command);
const char *cli_help_text(const char *command);

/* Flushes stdout: a full disk or a closed pipe is a failure too.  Returns status or 2. */
int cli_finish(int status);

/* --- options --- */

struct cli_args {
    const char *command;
    int argc, at;
    char **argv;
    bool words_only; /* after "--" */
    bool failed;     /* something was wrong and has been told */
};

struct cli_args cli_begin(int argc, char **argv);

/* Is there an argument to look at?  --help and its end are dealt with here. */
bool cli_more(struct cli_args *a);

/* Does the argument match (one of "-q|--quiet")?  Then the cursor moves on. */
bool cli_flag(struct cli_args *a, const char *names);
bool cli_option(struct cli_args *a, const char *names, const char **value); /* base/option.h */
bool cli_word(struct cli_args *a, const char **word); /* no option; "-" is a word */

/* "unknown option '--foo' of run; see smelt run --help"; returns 2. */
int cli_unknown(const struct cli_args *a);

/* A mistake in how the command was called: "smelt: .. ; see smelt run --help"; returns 2. */
int cli_misuse(const struct cli_args *a, const char *fmt, ...) PRINTF(2, 3);

#endif
