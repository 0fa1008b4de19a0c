/*
 * recipe.h -- what something is made of, as one hash: texts, files, whole folders.
 *
 *     struct recipe r = {0};
 *     recipe_text(&r, "-O3");
 *     recipe_tree(&r, "workloads/common");
 *     recipe_hash(&r, hex);                  and r is empty again
 *
 * Contents count, and names below a folder; times and where the folder is do not.  A file that
 * cannot be read counts as such: whoever needs it will tell.
 */
#ifndef WORKLOAD_RECIPE_H
#define WORKLOAD_RECIPE_H

#include "base/base.h"
#include "base/hash.h"

struct recipe {
    char *at; /* a line for each part */
    u32 n, cap;
};

void recipe_text(struct recipe *r, const char *text);
void recipe_file(struct recipe *r, const char *path);
void recipe_tree(struct recipe *r, const char *dir); /* but for names that begin with a dot */
void recipe_hash(struct recipe *r, char hex[HASH_HEX]);

#endif
