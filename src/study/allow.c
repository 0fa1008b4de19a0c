/* allow.c -- see allow.h */
#define _DEFAULT_SOURCE /* realpath */
#include "study/allow.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "workload/runnable.h"
#include "workload/workload.h"

bool allow_add(struct allow *a, const char *text, struct err *e)
{
    char path[PATH_MAX];
    struct stat st;

    if (strcmp(text, "any") == 0)
        return a->any = true;
    if (!realpath(text, path) || stat(path, &st) != 0)
        return err_set(e, "--programs: %s: %s", text, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return err_set(e, "--programs: %s is no folder; it takes one, or 'any'", text);
    *VEC_ADD(&a->dir) = text_dup(strcmp(path, "/") == 0 ? "" : path);
    return true;
}

void allow_free(struct allow *a)
{
    for (u32 i = 0; i < a->dir.n; i++)
        free(a->dir.at[i]);
    VEC_FREE(&a->dir);
}

/* Links are followed first: they may lead out of a folder. */
static bool is_inside(const struct allow *a, const char *program)
{
    char path[PATH_MAX];

    if (!a || a->any)
        return a != NULL;
    for (u32 i = 0; a->dir.n && realpath(program, path) && i < a->dir.n; i++) {
        size_t n = strlen(a->dir.at[i]);

        if (strncmp(path, a->dir.at[i], n) == 0 && path[n] == '/')
            return true;
    }
    return false;
}

static bool has_dump(char *text)
{
    bool found = false;
    char *save = NULL;

    for (char *l = strtok_r(text, "\n", &save); l && !found; l = strtok_r(NULL, "\n", &save)) {
        char **word;
        u32 n = runnable_words(l, &word);

        found = n && strcmp(word[0], "dump") == 0;
        free(word);
    }
    return found;
}

/* A job that cannot be read writes nothing. */
static bool job_writes(const char *program)
{
    struct err none;
    char *text = text_read_file(program, NULL, &none);
    bool writes = text && has_dump(text);

    free(text);
    return writes;
}

bool allow_program(const struct allow *a, const char *program, struct err *e)
{
    const char *kind = workload_exists(program) ? NULL : runnable_kind(program);
    bool is_free =
        !kind || (strcmp(kind, "cuda") != 0 && (strcmp(kind, "job") != 0 || !job_writes(program)));

    if (is_free || is_inside(a, program))
        return true;
    return err_set(e, "%s %s, which a study may only if the command says so: --programs DIR or any",
                   program, strcmp(kind, "job") == 0 ? "writes files" : "is an executable");
}
