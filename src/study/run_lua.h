/*
 * run_lua.h -- results as Lua sees them: tables that cannot be changed, read when they are needed.
 *
 *     run_lua_open(L, load, user);              once; load gives the JSON of a key
 *     run_lua_push(L, key, "srad_update");      a run, of one kernel's launches or (NULL) all
 *
 * run.total.cycles in Lua is the member of the JSON; a name that is not there is an error that says
 * which was meant, null is nil, lists have # and ipairs.  `kernels`, by far the largest member, is read
 * when it is asked for.  The last thousand runs are kept without it, so that the next figure finds them;
 * others are read again.
 *
 * With a kernel, `total`, `stats`, `stalls` and `energy` are over its launches (kernel_sum.h), and
 * `kernels` has those.
 */
#ifndef STUDY_RUN_LUA_H
#define STUDY_RUN_LUA_H

#include "study/box.h"

/* The text of a result, to be freed, or NULL and a message. */
typedef char *run_loader(void *user, const char *key, size_t *len, struct err *e);

void run_lua_open(lua_State *L, run_loader *load, void *user);

/* False, and nothing pushed: the program did not launch the kernel. */
bool run_lua_push(lua_State *L, const char *key, const char *kernel);

#endif
