/* study_lua.c -- see study_lua.h and study.h: reads a study's file, evaluates it. */
#include "study/study_lua.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "study/run_lua.h"

extern const char study_prelude[]; /* prelude.lua */

static const char after_name[] = "smelt.after"; /* what the prelude returned */

static char *load_result(void *user, const char *key, size_t *len, struct err *e)
{
    const struct maker *m = user;

    return store_json(m->store, key, len, e);
}

static void set_options(lua_State *L, const struct study_options *o)
{
    lua_newtable(L);
    lua_pushboolean(L, o && o->quick);
    lua_setfield(L, -2, "quick");
    lua_pushboolean(L, o && o->large);
    lua_setfield(L, -2, "large");
    for (u32 i = 0; o && i < o->n_define; i++) {
        const char *text = o->define[i], *equals = strchr(text, '=');

        lua_pushlstring(L, text, equals ? (size_t)(equals - text) : strlen(text));
        lua_pushstring(L, equals ? equals + 1 : "");
        lua_rawset(L, -3);
    }
    lua_setglobal(L, "options");
}

static bool call_after(lua_State *L, const char *what, struct err *e)
{
    lua_getfield(L, LUA_REGISTRYINDEX, after_name);
    lua_getfield(L, -1, what);
    lua_remove(L, -2);
    return box_call(L, 0, 0, e);
}

static bool open_language(lua_State *L, struct study *s, const char *path,
                          const struct study_options *o, struct err *e)
{
    box_read_own(L, study_prelude);
    maker_open(L, s, path, o ? o->allow : NULL);
    if (!box_call(L, 1, 1, e))
        return false;
    lua_setfield(L, LUA_REGISTRYINDEX, after_name);
    set_options(L, o);
    run_lua_open(L, load_result, maker_of(L));
    box_refill(L);
    return true;
}

struct study *study_load_text(const char *path, const char *text, size_t len,
                              const struct study_options *o, const struct box_limits *l,
                              struct err *e)
{
    struct study *s = xcalloc(1, sizeof *s);
    lua_State *L = s->lua = box_open(path, l);

    s->path = text_dup(path);
    bool ok = open_language(L, s, path, o, e) && box_read(L, text, len, e) &&
              box_call(L, 0, 0, e) && call_after(L, "check", e);

    if (ok)
        return s;
    study_free(s);
    return NULL;
}

enum { LONGEST = 4 << 20 }; /* bytes of a file */

struct study *study_load(const char *path, const struct study_options *o, struct err *e)
{
    size_t len;
    char *text = text_read_file(path, &len, e);
    struct study *s = NULL;

    if (text && len > LONGEST)
        err_set(e, "%s: %zu MB are no study", path, len >> 20);
    else if (text)
        s = study_load_text(path, text, len, o, NULL, e);
    free(text);
    return s;
}

bool study_evaluate(struct study *s, struct store *st, struct err *e)
{
    lua_State *L = s->lua;

    maker_forget(L);
    maker_of(L)->store = st;
    box_refill(L);
    bool ok = call_after(L, "evaluate", e);

    maker_of(L)->store = NULL;
    return ok;
}
