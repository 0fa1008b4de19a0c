/*
 * cache.h -- the folder that compiled workloads are kept in.
 *
 *     build folder      BUILD/workloads, if the build folder is the user's own
 *     otherwise         $XDG_CACHE_HOME/smelt/VERSION, or ~/.cache/smelt/VERSION
 *
 * Programs from there are executed, so it is never a folder into which others can put something:
 * made with mode 0700; what is there already must belong to the user and not be writable for
 * others.  Without $HOME the password database says where home is; there is no folder of last
 * resort.
 */
#ifndef WORKLOAD_CACHE_H
#define WORKLOAD_CACHE_H

#include "base/base.h"
#include "base/err.h"

/* The folder, made if need be; to be freed, or NULL. */
char *cache_folder(struct err *e);

/* Can files be made there?  If not, the message says how to choose another folder. */
bool cache_writable(const char *dir, struct err *e);

#endif
