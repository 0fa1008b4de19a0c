/* conf_dir.c -- see conf_dir.h */
#include "base/conf_dir.h"

#include <dirent.h>
#include <string.h>

#include "base/place.h"
#include "base/text.h"

enum { MAX_DIRS = 2 };

/* Folders to look in, best first; each to be freed. */
static u32 search_dirs(const char *kind, char *dir[MAX_DIRS])
{
    u32 n = 0;
    const char *env = getenv("SMELT_CONF_DIR");
    if (env && env[0])
        dir[n++] = text_printf("%s/%s", env, kind);
    char *what = text_printf("conf/%s", kind), *own = place_find(what);
    if (own)
        dir[n++] = own;
    free(what);
    return n;
}

/* Length of the name before ".conf", 0 if it has no such end. */
static size_t stem(const char *file)
{
    size_t n = strlen(file);
    return n > 5 && strcmp(file + n - 5, ".conf") == 0 ? n - 5 : 0;
}

bool conf_dir_is_path(const char *name)
{
    return strchr(name, '/') || stem(name);
}

struct file_vec {
    struct conf_file *at;
    u32 n, cap;
};

static bool is_listed(const struct file_vec *v, const char *name)
{
    for (u32 i = 0; i < v->n; i++)
        if (strcmp(v->at[i].name, name) == 0)
            return true;
    return false;
}

static void list_dir(const char *dir, struct file_vec *v)
{
    DIR *d = opendir(dir);
    if (!d)
        return;
    for (const struct dirent *ent; (ent = readdir(d));) {
        size_t n = stem(ent->d_name);
        if (n == 0 || ent->d_name[0] == '.')
            continue;
        char *name = text_dup_n(ent->d_name, n);
        if (is_listed(v, name))
            free(name); /* an earlier folder has it */
        else
            *VEC_ADD(v) = (struct conf_file){name, text_printf("%s/%s", dir, ent->d_name)};
    }
    closedir(d);
}

static int by_file_name(const void *a, const void *b)
{
    return strcmp(((const struct conf_file *)a)->name, ((const struct conf_file *)b)->name);
}

u32 conf_dir_list(const char *kind, struct conf_file **list)
{
    char *dir[MAX_DIRS];
    u32 n = search_dirs(kind, dir);
    struct file_vec v = {0};
    for (u32 i = 0; i < n; i++) {
        list_dir(dir[i], &v);
        free(dir[i]);
    }
    if (v.n)
        qsort(v.at, v.n, sizeof(v.at[0]), by_file_name);
    *list = v.at;
    return v.n;
}

void conf_dir_free(struct conf_file *list, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        free(list[i].name);
        free(list[i].path);
    }
    free(list);
}

static void no_such(const char *what, const char *name, const struct conf_file *list, u32 n,
                    struct err *e)
{
    char all[512] = "none";
    size_t used = 0;
    const char **names = xcalloc(n, sizeof(*names));
    for (u32 i = 0; i < n; i++) {
        names[i] = list[i].name;
        if (used < sizeof(all))
            used +=
                (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "", names[i]);
    }
    err_no_such(e, name, names, n, NULL, "no %s '%.100s'; known: %s", what, name, all);
    free(names);
}

char *conf_dir_find(const char *kind, const char *what, const char *name, struct err *e)
{
    if (conf_dir_is_path(name))
        return text_dup(name);
    struct conf_file *list;
    u32 n = conf_dir_list(kind, &list);
    char *path = NULL;
    for (u32 i = 0; i < n && !path; i++)
        if (strcmp(list[i].name, name) == 0)
            path = text_dup(list[i].path);
    if (!path)
        no_such(what, name, list, n, e);
    conf_dir_free(list, n);
    return path;
}
