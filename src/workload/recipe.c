/* recipe.c -- see recipe.h */
#include "workload/recipe.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

/* With the 0 byte: no two lists of parts are the same text. */
void recipe_text(struct recipe *r, const char *text)
{
    do
        *VEC_ADD(r) = *text;
    while (*text++);
}

void recipe_file(struct recipe *r, const char *path)
{
    char hex[HASH_HEX];
    struct err e;
    recipe_text(r, text_base_name(path));
    recipe_text(r, hash_file(path, hex, &e) ? hex : "unreadable");
}

static int is_seen(const struct dirent *ent)
{
    return ent->d_name[0] != '.';
}

void recipe_tree(struct recipe *r, const char *dir)
{
    struct dirent **list;
    int n = scandir(dir, &list, is_seen, alphasort);
    recipe_text(r, n < 0 ? "unreadable" : "folder");
    for (int i = 0; i < n; i++) {
        struct stat st;
        char *path = text_printf("%s/%s", dir, list[i]->d_name);
        if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
            recipe_text(r, list[i]->d_name);
            recipe_tree(r, path);
        } else {
            recipe_file(r, path);
        }
        free(path);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    recipe_text(r, "end");
}

void recipe_hash(struct recipe *r, char hex[HASH_HEX])
{
    hash_bytes(r->at, r->n, hex);
    VEC_FREE(r);
}
