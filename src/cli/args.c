/* args.c -- the cursor over a command's arguments (see cli.h). */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/option.h"
#include "base/text.h"
#include "cli/cli.h"

struct cli_args cli_begin(int argc, char **argv)
{
    return (struct cli_args){.command = argv[0], .argc = argc, .at = 1, .argv = argv};
}

bool cli_more(struct cli_args *a)
{
    if (!a->words_only && a->at < a->argc && strcmp(a->argv[a->at], "--") == 0) {
        a->words_only = true;
        a->at++;
    }
    if (!a->words_only && (cli_flag(a, "--help") || cli_flag(a, "-h")))
        exit(cli_finish(cli_help(a->command)));
    return !a->failed && a->at < a->argc;
}

bool cli_flag(struct cli_args *a, const char *names)
{
    const char *value;
    if (a->words_only || a->at >= a->argc || !option_is(a->argv[a->at], names, &value) || value)
        return false;
    a->at++;
    return true;
}

bool cli_option(struct cli_args *a, const char *names, const char **value)
{
    const char *attached;
    if (a->words_only || a->at >= a->argc || !option_is(a->argv[a->at], names, &attached))
        return false;
    const char *arg = a->argv[a->at++];
    if (attached) {
        *value = attached;
    } else if (a->at < a->argc) {
        *value = a->argv[a->at++];
    } else {
        *value = "";
        a->failed = true;
        cli_misuse(a, "option '%s' of %s needs a value", arg, a->command);
    }
    return true;
}

bool cli_word(struct cli_args *a, const char **word)
{
    const char *arg = a->argv[a->at];
    if (!a->words_only && arg[0] == '-' && arg[1])
        return false;
    *word = arg;
    a->at++;
    return true;
}

int cli_misuse(const struct cli_args *a, const char *fmt, ...)
{
    char what[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof(what), fmt, ap);
    va_end(ap);
    struct err e;
    err_set(&e, "%s; see smelt %s --help", what, a->command);
    return err_tell(&e);
}

/* Options are those that the help text names. */
static void option_hint(struct err_hint *h, const char *help, const char *s)
{
    VEC(const char *) names = {0};
    while ((help = strstr(help, "--"))) {
        size_t n = strspn(help, "-abcdefghijklmnopqrstuvwxyz");
        *VEC_ADD(&names) = text_dup_n(help, n);
        help += n;
    }
    err_hint(h, s, names.at, names.n, " (did you mean ", "?)");
    text_split_free((char **)(uintptr_t)names.at, names.n);
}

int cli_unknown(const struct cli_args *a)
{
    const char *arg = a->argv[a->at];
    const char *help = cli_help_text(a->command);
    struct err_hint h = {""};
    if (help)
        option_hint(&h, help, arg);
    return cli_misuse(a, "unknown option '%s' of %s%s", arg, a->command, h.text);
}
