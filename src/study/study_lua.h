/*
 * study_lua.h -- what the files of the study language share; study.h is for everybody else.
 *
 *     study_lua.c   reads a file, evaluates it
 *     study_api.c   functions in C that the prelude (prelude.lua) is made with
 *     run_lua.c     results as tables           box.c, box_lib.c   Lua without the world
 */
#ifndef STUDY_STUDY_LUA_H
#define STUDY_STUDY_LUA_H

#include "study/box.h"
#include "study/study.h"

/* What a file makes; a userdata, so that it goes when the box does. */
struct maker {
    struct study *study;
    struct store *store;  /* from study_evaluate on */
    char *dir;            /* of the file: programs are relative to it */
    struct point point;   /* in the making: an error may come at any time */
    struct figure figure; /* the same */
    u64 held;             /* told to the box: by the point in the making */
    u64 made;             /* and by what study_evaluate made */
    const struct allow *allow;
};

struct maker *maker_of(lua_State *L);
/* Leaves the api on the stack. */
void maker_open(lua_State *L, struct study *s, const char *path, const struct allow *a);
void maker_forget(lua_State *L); /* everything that study_evaluate made */

/* study_load with limits and a text of one's own, for tests. */
struct study *study_load_text(const char *path, const char *text, size_t len,
                              const struct study_options *o, const struct box_limits *l,
                              struct err *e);

/* Everything that study_evaluate makes (study.c). */
void study_forget(struct study *s);

#endif
