/* runnable.c -- see runnable.h */
#include "workload/runnable.h"

#include <string.h>
#include <sys/stat.h>

#include "base/place.h"
#include "base/text.h"
#include "workload/set.h"
#include "workload/workload.h"

const char *runnable_kind(const char *program)
{
    if (strcmp(program, "-") == 0 || text_ends(program, ".ptx"))
        return "ptx";
    if (text_ends(program, ".job"))
        return "job";
    return workload_exists(program) || place_can_run(program) ? "cuda" : NULL;
}

/* A set's name, with or without "set:": what to run instead. */
static bool is_set_name(const char *program, struct err *e)
{
    struct set_info s;
    if (!set_read(program, &s, e))
        return strncmp(program, "set:", 4) == 0;
    const struct set_member *m = &s.member.at[0];
    err_set(e,
            "%s is a set of %u workloads, and run takes one, for example smelt run %s%s%s; smelt "
            "explain %s lists them",
            program, s.member.n, m->program, m->args[0] ? " " : "", m->args, s.name);
    set_free(&s);
    return true;
}

bool runnable_none(const char *program, struct err *e)
{
    struct stat st;
    if (text_ends(program, ".cu"))
        return err_set(e, "%s is a source file: compile it first (smelt cc %s -o x), then run x",
                       program, program);
    if (stat(program, &st) == 0)
        return err_set(e, "%s is not a program: x.ptx, x.job, an executable or a workload's name",
                       program);
    if (is_set_name(program, e))
        return false;
    struct err_hint h;
    return err_set(e, "%s: no such file, and no workload is called so%s", program,
                   *workload_hint(&h, program) ? h.text : "; see smelt list workloads");
}

char *runnable_executable(const char *program, struct err *e)
{
    if (workload_exists(program))
        return workload_build(program, e);
    return strchr(program, '/') ? text_dup(program) : text_printf("./%s", program);
}

char *runnable_beside(const char *job, const char *path)
{
    const char *slash = strrchr(job, '/');
    if (path[0] == '/' || !slash)
        return text_dup(path);
    return text_printf("%.*s/%s", (int)(slash - job), job, path);
}

u32 runnable_words(char *line, char ***word)
{
    VEC(char *) v = {0};
    for (;;) {
        line += strspn(line, " \t\r\f\v");
        if (!*line || *line == '#')
            break;
        *VEC_ADD(&v) = line;
        line += strcspn(line, " \t\r\f\v");
        if (*line)
            *line++ = 0;
    }
    *word = v.at;
    return v.n;
}
