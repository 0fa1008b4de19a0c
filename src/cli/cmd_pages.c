/*
 * cmd_pages.c -- smelt pages: the manual page and the completions of shells, from the help of all commands;
 * and the check of pages on papers (page/page.h).
 *
 * An option is a line of a help text that begins with two blanks and '-':
 *
 *     "  -g, --gpu GPU        the GPU, a name or a file"
 *
 * names, what it takes, two or more blanks, what it is.  So nothing is said twice, and nothing can be forgotten.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "page/page.h"
#include "version.h"

enum { MAX_NAMES = 12 };

struct option {
    char text[256];
    const char *name[MAX_NAMES];
    u32 n_name;
    const char *takes; /* "GPU", or NULL */
    const char *doc;
};

/* --- reading the help --- */

static void take_option_word(struct option *o, char *word)
{
    word[strcspn(word, "=")] = 0;
    if (word[0] == '-' && o->n_name < MAX_NAMES)
        o->name[o->n_name++] = word;
    else if (word[0] != '-')
        o->takes = word;
}

static void cut_option_words(struct option *o, char *left)
{
    while (*(left += strspn(left, ", "))) {
        size_t n = strcspn(left, ", ");
        bool more = left[n] != 0;
        left[n] = 0;
        take_option_word(o, left);
        left += n + more;
    }
}

/* The option of the line at *at, if it is one; *at moves to the next line. */
static bool read_option(const char **at, struct option *o)
{
    const char *line = *at;
    size_t n = strcspn(line, "\n");
    *at = line + n + (line[n] != 0);
    if (strncmp(line, "  -", 3) != 0 || n >= sizeof o->text)
        return false;
    memset(o, 0, sizeof *o);
    memcpy(o->text, line + 2, n - 2);
    char *gap = strstr(o->text, "  ");
    o->doc = gap ? gap + strspn(gap, " ") : "";
    if (gap)
        *gap = 0;
    cut_option_words(o, o->text);
    return o->n_name > 0;
}

static bool takes_value(const struct option *o, const char *what)
{
    return o->takes && text_begins(o->takes, what);
}

/* What `smelt list` knows of it; else files, which is what the rest are. */
static const char *topic_of(const struct option *o)
{
    return takes_value(o, "GPU")    ? "gpus"
           : takes_value(o, "KEY")  ? "keys"
           : takes_value(o, "MECH") ? "mechanisms"
                                    : NULL;
}

static bool takes_file(const struct option *o)
{
    return takes_value(o, "OUT") || takes_value(o, "DIR") || takes_value(o, "FILE") ||
           takes_value(o, "PATH") || takes_value(o, "I:PATH");
}

/* What the words of a command are that are no options: topics of `smelt list`, or these. */
struct command_words {
    const char *command, *lists, *fixed;
};

static const struct command_words words[] = {
    {"run", "workloads", ""},
    {"explain", "keys stats gpus mechanisms schedulers dram-schedulers components workloads sets",
     ""},
    {"list", "",
     "gpus keys stats instructions components mechanisms schedulers dram-schedulers workloads "
     "sets studies"},
    {"sweep", "workloads", ""},
    {"reproduce", "studies", ""},
    {"pages", "", "man bash zsh check"},
    {"store", "", "list show export prune"},
};

static struct command_words words_of_command(const char *command)
{
    for (u32 i = 0; i < LEN(words); i++)
        if (strcmp(words[i].command, command) == 0)
            return words[i];
    return (struct command_words){command, "", ""};
}

/* --- man --- */

static void put_troff(const char *s)
{
    for (bool begin = true; *s; begin = *s++ == '\n') {
        if (begin && (*s == '.' || *s == '\''))
            fputs("\\&", stdout);
        if (*s == '\\')
            fputs("\\e", stdout);
        else
            printf(*s == '-' ? "\\-" : "%c", *s);
    }
}

static void print_man(void)
{
    u32 n;
    const struct cli_command *c = cli_commands(&n);
    printf(".TH SMELT 1 \"\" \"smelt %s\" \"User Commands\"\n.SH NAME\n", SMELT_VERSION);
    puts("smelt \\- a cycle\\-level GPU simulator for CUDA programs\n.SH SYNOPSIS\n"
         ".B smelt\n.I COMMAND\n[options]\n.SH DESCRIPTION\n"
         "smelt runs CUDA programs on simulated GPUs and says where every cycle and joule went.");
    for (u32 i = 0; i < n; i++) {
        printf(".TP\n.B smelt %s\n", c[i].name);
        put_troff(c[i].doc);
        putchar('\n');
    }
    for (u32 i = 0; i < n; i++) {
        printf(".SH \"SMELT ");
        for (const char *s = c[i].name; *s; s++)
            putchar(toupper((unsigned char)*s));
        puts("\"\n.nf");
        put_troff(c[i].help);
        puts(".fi");
    }
    puts(
        ".SH EXIT STATUS\n0 done; 1 the simulated program failed; 2 a mistake in the call, told in "
        "one line.\n.SH FILES\n.TP\n.I $XDG_CACHE_HOME/smelt\ncompiled workloads (default "
        "\\(ti/.cache/smelt)");
}

/* --- bash --- */

static void bash_command(const struct cli_command *c)
{
    struct command_words w = words_of_command(c->name);
    struct option o;
    printf("    %s)\n        options=\"--help", c->name);
    for (const char *at = c->help; *at;)
        if (read_option(&at, &o))
            for (u32 i = 0; i < o.n_name; i++)
                printf(" %s", o.name[i]);
    printf("\" lists=\"%s\" fixed=\"%s\"\n        case $prev in\n", w.lists, w.fixed);
    for (const char *at = c->help; *at;) {
        if (!read_option(&at, &o) || !o.takes)
            continue;
        printf("        %s", o.name[0]);
        for (u32 i = 1; i < o.n_name; i++)
            printf(" | %s", o.name[i]);
        printf(") takes=%s ;;\n", topic_of(&o) ? topic_of(&o) : takes_file(&o) ? "files" : "value");
    }
    puts("        esac\n        ;;");
}

static void print_bash(void)
{
    u32 n;
    const struct cli_command *c = cli_commands(&n);
    puts("# bash completion of smelt; generated by `smelt pages bash`\n\n"
         "_smelt_names()\n{\n    local topic\n    for topic in \"$@\"; do\n"
         "        smelt list \"$topic\" 2>/dev/null | cut -d ' ' -f 1\n    done\n}\n\n"
         "_smelt()\n{\n    local cur prev options= lists= fixed= takes=\n"
         "    cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    COMPREPLY=()");
    printf("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    for (u32 i = 0; i < n; i++)
        printf("%s ", c[i].name);
    puts("help --help --version\" -- \"$cur\"))\n        return\n    fi\n"
         "    case ${COMP_WORDS[1]} in");
    for (u32 i = 0; i < n; i++)
        bash_command(&c[i]);
    puts("    esac\n"
         "    case $takes in\n"
         "    value) return ;;\n"
         "    files) compopt -o default 2>/dev/null ;;\n"
         "    ?*) COMPREPLY=($(compgen -W \"$(_smelt_names \"$takes\")\" -- \"$cur\")) ;;\n"
         "    *)\n"
         "        if [[ $cur == -* ]]; then\n"
         "            COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
         "        else\n"
         "            COMPREPLY=($(compgen -W \"$fixed $(_smelt_names $lists)\" -- \"$cur\"))\n"
         "            [ -n \"$fixed\" ] && [ \"$COMP_CWORD\" -eq 2 ] || compopt -o default "
         "2>/dev/null\n"
         "        fi\n"
         "        ;;\n"
         "    esac\n"
         "}\n\ncomplete -F _smelt smelt");
}

/* --- zsh --- */

/* Inside '..' and, for _arguments, inside [..]. */
static void put_zsh(const char *s)
{
    for (; *s; s++) {
        if (*s == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *s))
            printf("\\%c", *s);
        else
            putchar(*s);
    }
}

static void zsh_option(const struct option *o)
{
    for (u32 i = 0; i < o->n_name; i++) {
        printf(" \\\n            '*%s[", o->name[i]);
        put_zsh(o->doc);
        fputs("]", stdout);
        if (topic_of(o))
            printf(":%s:{_smelt_names %s}", o->takes, topic_of(o));
        else if (o->takes)
            printf(":value:%s", takes_file(o) ? "_files" : " ");
        putchar('\'');
    }
}

static void zsh_command(const struct cli_command *c)
{
    struct command_words w = words_of_command(c->name);
    struct option o;
    printf("    %s)\n        _arguments '--help[all about it]'", c->name);
    for (const char *at = c->help; *at;)
        if (read_option(&at, &o))
            zsh_option(&o);
    if (w.fixed[0])
        printf(" \\\n            '1:word:(%s)' '*:file:_files'", w.fixed);
    else if (w.lists[0])
        printf(" \\\n            '*:word:{_smelt_names %s; _files}'", w.lists);
    else
        printf(" \\\n            '*:file:_files'");
    puts("\n        ;;");
}

static void print_zsh(void)
{
    u32 n;
    const struct cli_command *c = cli_commands(&n);
    puts("#compdef smelt\n# zsh completion of smelt; generated by `smelt pages zsh`\n\n"
         "_smelt_names()\n{\n    local topic\n    local -a names\n    for topic in \"$@\"; do\n"
         "        names+=(${(f)\"$(smelt list $topic 2>/dev/null | cut -d ' ' -f 1)\"})\n    done\n"
         "    compadd -a names\n}\n\n"
         "_smelt()\n{\n    local -a commands\n    commands=(");
    for (u32 i = 0; i < n; i++) {
        printf("        '%s:", c[i].name);
        put_zsh(c[i].doc);
        puts("'");
    }
    puts(
        "    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n"
        "    fi\n    shift words\n    ((CURRENT--))\n    case $words[1] in");
    for (u32 i = 0; i < n; i++)
        zsh_command(&c[i]);
    puts("    esac\n}\n\n_smelt \"$@\"");
}

/* --- pages on papers --- */

struct papers {
    VEC(const char *) page;
};

static int check_page(const char *page)
{
    struct page_report r = {0};
    struct err e;

    if (!page_check(page, stdout, &r, &e))
        return err_tell(&e);
    if (!r.findings)
        printf("%s: %u tables and %u numbers are those of its study\n", page, r.tables, r.numbers);
    return r.findings ? ERR_PROGRAM : 0;
}

static int check_pages(const struct papers *p)
{
    int status = 0;

    for (u32 i = 0; i < p->page.n && status != ERR_USER; i++) {
        int now = check_page(p->page.at[i]);

        status = now > status ? now : status;
    }
    return status;
}

static int print_page(const struct cli_args *a, const char *what)
{
    if (strcmp(what, "man") == 0)
        print_man();
    else if (strcmp(what, "bash") == 0)
        print_bash();
    else if (strcmp(what, "zsh") == 0)
        print_zsh();
    else
        return cli_misuse(a, "there is no page '%s': man, bash or zsh", what);
    return 0;
}

int cmd_pages(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct papers papers = {0};
    const char *what = NULL, *page;
    int status;

    while (cli_more(&a)) {
        if (!what && cli_word(&a, &what))
            continue;
        if (!cli_word(&a, &page)) {
            VEC_FREE(&papers.page);
            return cli_unknown(&a);
        }
        *VEC_ADD(&papers.page) = page;
    }
    if (what && strcmp(what, "check") == 0)
        status = papers.page.n ? check_pages(&papers) : cli_misuse(&a, "check which pages?");
    else if (!what || papers.page.n)
        status = cli_misuse(&a, "pages takes one word, man, bash or zsh; or check and pages");
    else
        status = print_page(&a, what);
    VEC_FREE(&papers.page);
    return status;
}
