/*
 * conf_dir.h -- settings that are files with a name: conf/KIND/NAME.conf.
 *
 * A name is looked for in $SMELT_CONF_DIR/KIND, then among smelt's own files (place.h).  A name with a
 * '/' in it or ending in .conf is a path.
 */
#ifndef BASE_CONF_DIR_H
#define BASE_CONF_DIR_H

#include "base/base.h"
#include "base/err.h"

struct conf_file {
    char *name, *path;
};

u32 conf_dir_list(const char *kind, struct conf_file **list); /* sorted by name */
void conf_dir_free(struct conf_file *list, u32 n);

bool conf_dir_is_path(const char *name); /* else it is looked for */

/*
 * The path of a name, to be freed; a path is itself, whether it is there or not.  "no WHAT 'NAME';
 * known: .." if there is no such name.
 */
char *conf_dir_find(const char *kind, const char *what, const char *name, struct err *e);

#endif
