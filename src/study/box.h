/*
 * box.h -- Lua 5.4 for files that may do nothing but compute.
 *
 *     struct lua_State *L = box_open("my.lua", &limits);
 *     ok = box_read(L, text, len, &e) && box_call(L, 0, 0, &e);
 *     box_close(L);
 *
 * There are no files, processes, clocks, random numbers, metatables or coroutines, and nothing shows an
 * address or the order of a hash: the same file gives the same bytes.  Limits of instructions, memory,
 * length of a text and, as a last resort, CPU time hold for the whole; pcall does not catch them, and
 * after one every further call fails.
 *
 * What goes wrong is one line, "my.lua:12: what".  Functions in C say what with box_fail; the line is
 * that of the file which is being run, however deep below it is (in the prelude, say), or the one
 * that box_at said.  A name that is not defined is an error and not nil.
 */
#ifndef STUDY_BOX_H
#define STUDY_BOX_H

#include <lua.h>

#include "base/base.h"
#include "base/err.h"

struct box_limits {
    u64 instructions; /* 0 of any: as docs/STUDIES.md says */
    u64 bytes;
    u64 text; /* the longest one */
    u32 seconds;
};

lua_State *box_open(const char *path, const struct box_limits *l);
void box_close(lua_State *L); /* NULL is fine */

/* Leaves a function on the stack: that of the file, or one of ours, whose lines are never told. */
bool box_read(lua_State *L, const char *text, size_t len, struct err *e);
void box_read_own(lua_State *L, const char *text);

/* As lua_call; the stack has no results if it fails. */
bool box_call(lua_State *L, int n_arg, int n_result, struct err *e);
void box_refill(lua_State *L); /* all instructions and seconds anew */

/* For functions in C. */
NORETURN void box_fail(lua_State *L, const char *fmt, ...) PRINTF(2, 3);
NORETURN void box_fail_err(lua_State *L, const struct err *e);
u32 box_line(lua_State *L);           /* of the file, that is being run; 0: none */
void box_at(lua_State *L, u32 line);  /* for messages when none is */
void box_charge(lua_State *L, u64 n); /* work worth n instructions */

/* Memory that something in the box holds outside of Lua; fails if that is too much. */
void box_hold(lua_State *L, u64 bytes);
void box_release(lua_State *L, u64 bytes);

/* Reading results takes time that is not the file's: from _stop, whose answer it is given, to _go. */
double box_clock_stop(void);
void box_clock_go(lua_State *L, double stopped);

/* box_lib.c: the functions that every file has, as the global table. */
void box_lib_open(lua_State *L);

#endif
