/* workload.c -- see workload.h */
#include "workload/workload.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/place.h"
#include "base/text.h"

char *workload_source(const char *name)
{
    if (!name[0] || name[0] == '.' || strchr(name, '/'))
        return NULL;
    char *dir = place_find("workloads");
    char *path = dir ? text_printf("%s/%s/%s.cu", dir, name, name) : NULL;
    if (path && access(path, R_OK) != 0) {
        free(path);
        path = NULL;
    }
    free(dir);
    return path;
}

bool workload_exists(const char *name)
{
    char *source = workload_source(name);
    free(source);
    return source != NULL;
}

/* The text of the first comment, without the marks at the beginnings of its lines; to be freed. */
static char *read_doc(const char *path, struct err *e)
{
    char *text = text_read_file(path, NULL, e);
    if (!text)
        return NULL;
    char *from = strstr(text, "/*"), *end = from ? strstr(from, "*/") : NULL, *out = text;
    if (!end) {
        free(text);
        err_set(e, "%s: has no comment at its beginning", path);
        return NULL;
    }
    *end = 0;
    for (char *line = from + 2, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        line += strspn(line, " ");
        line += *line == '*';
        line += *line == ' ';
        size_t n = strlen(line);
        memmove(out, line, n);
        out += n;
        *out++ = '\n';
    }
    *out = 0;
    char *doc = text_dup(text_trim(text));
    free(text);
    return doc;
}

/* What follows `key` at the beginning of a line of doc, to be freed. */
static char *field_of(const char *doc, const char *key)
{
    size_t n = strlen(key);
    for (const char *line = doc; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, n) == 0)
            return text_dup_n(line + n, strcspn(line + n, "\n"));
    }
    return text_dup("");
}

static void read_info(struct workload_info *w)
{
    static const char *const keys[N_WL_FIELD] = {
        [WL_SUITE] = "suite: ",     [WL_STRESSES] = "stresses: ", [WL_PAPERS] = "papers: ",
        [WL_KERNELS] = "kernels: ", [WL_SIZE] = "size: ",         [WL_LARGE] = "large: ",
        [WL_ODD] = "odd: ",         [WL_TIME] = "time: ",
    };
    struct err e;
    char *source = workload_source(w->name), *doc = read_doc(source, &e);
    w->doc = doc ? doc : text_dup(e.msg);
    char *dashes = strstr(w->doc, " -- "), *line_end = strchr(w->doc, '\n');
    bool titled = dashes && (!line_end || dashes < line_end);
    const char *title = titled ? dashes + 4 : w->doc;
    w->title = text_dup_n(title, strcspn(title, "\n"));
    for (u32 i = 0; i < N_WL_FIELD; i++)
        w->field[i] = field_of(w->doc, keys[i]);
    free(source);
}

static int by_workload_name(const void *a, const void *b)
{
    const struct workload_info *v = a, *w = b;
    return strcmp(v->name, w->name);
}

u32 workload_list(struct workload_info **list)
{
    VEC(struct workload_info) all = {0};
    char *dir = place_find("workloads");
    DIR *d = dir ? opendir(dir) : NULL;
    for (const struct dirent *ent; d && (ent = readdir(d));)
        if (workload_exists(ent->d_name))
            *VEC_ADD(&all) = (struct workload_info){.name = text_dup(ent->d_name)};
    if (d)
        closedir(d);
    free(dir);
    for (u32 i = 0; i < all.n; i++)
        read_info(&all.at[i]);
    if (all.n)
        qsort(all.at, all.n, sizeof(all.at[0]), by_workload_name);
    *list = all.at;
    return all.n;
}

void workload_list_free(struct workload_info *list, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        for (u32 k = 0; k < N_WL_FIELD; k++)
            free(list[i].field[k]);
        free(list[i].name), free(list[i].doc), free(list[i].title);
    }
    free(list);
}

const char *workload_hint(struct err_hint *h, const char *name)
{
    struct workload_info *list;
    u32 n = workload_list(&list);
    const char **names = xcalloc(n + 1, sizeof(names[0]));
    for (u32 i = 0; i < n; i++)
        names[i] = list[i].name;
    err_hint(h, name, names, n, " (did you mean ", "?)");
    free(names);
    workload_list_free(list, n);
    return h->text;
}
