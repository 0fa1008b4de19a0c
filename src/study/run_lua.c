/*
 * run_lua.c -- see run_lua.h
 *
 * A tree of JSON is a userdata, which frees it when it is collected.  A table that Lua sees is another
 * one: a place in a tree, and the tree as its user value, which keeps it.
 */
#include "study/run_lua.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"
#include "study/kernel_sum.h"

enum { GENERATION = 512 }; /* runs kept: the last one to two generations */

struct source {
    run_loader *load;
    void *user;
    u32 n; /* runs in the young generation */
};

struct tree {
    struct json_value *root;
    struct json_value *over; /* members that stand for the root's, or NULL */
    struct json_value list;  /* launches: of what the root has */
    u64 bytes;               /* told to the box */
    char *key, *kernel;
};

struct place {
    const struct json_value *at;
    bool is_run; /* the whole result: `kernels` and `over` count */
};

static const char source_name[] = "smelt.source", tree_name[] = "smelt.tree",
                  place_name[] = "smelt.place";

static struct source *source_of(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, source_name);
    struct source *s = lua_touserdata(L, -1);

    lua_pop(L, 1);
    return s;
}

/* ---- trees */

static void empty_tree(lua_State *L, struct tree *t)
{
    json_free(t->root), json_free(t->over);
    free(t->key), free(t->kernel);
    box_release(L, t->bytes);
    memset(t, 0, sizeof *t);
}

static int free_tree(lua_State *L)
{
    empty_tree(L, lua_touserdata(L, 1));
    return 0;
}

static struct tree *push_tree(lua_State *L, const char *key, const char *kernel)
{
    struct tree *t = lua_newuserdatauv(L, sizeof *t, 0);

    memset(t, 0, sizeof *t);
    luaL_setmetatable(L, tree_name);
    t->key = text_dup(key);
    t->kernel = kernel ? text_dup(kernel) : NULL;
    return t;
}

/* A value takes some 50 bytes, and texts have a few of them for each. */
static void hold_tree(lua_State *L, struct tree *t, u64 bytes)
{
    bytes += t->kernel ? strlen(t->kernel) : 0;
    box_hold(L, bytes);
    t->bytes = bytes;
}

static void push_place(lua_State *L, const struct json_value *at, bool is_run, int tree)
{
    tree = lua_absindex(L, tree);
    struct place *p = lua_newuserdatauv(L, sizeof *p, 1);

    *p = (struct place){at, is_run};
    lua_pushvalue(L, tree);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, place_name);
}

/* ---- reading */

static bool is_object(const struct json_value *v, struct err *e)
{
    return v && (v->kind == JSON_OBJECT || err_set(e, "a result is an object"));
}

/* All but the launches, or of one kernel's. */
static bool read_run(struct tree *t, const char *text, size_t len, struct err *e)
{
    struct json_slices launches = {0};

    t->root = json_read_slices("result", text, len, "kernels", &launches, e);
    bool ok = is_object(t->root, e);

    if (ok && t->kernel)
        ok = kernel_sum(t->root, &launches, t->kernel, &t->over, e);
    free(launches.at);
    return ok;
}

/* Nothing holds what was read of it: who catches the message may try again and again. */
static void read_error(lua_State *L, struct tree *t, const struct err *e)
{
    char key[13];

    snprintf(key, sizeof key, "%s", t->key);
    empty_tree(L, t);
    box_fail(L, "result %s: %s", key, e->msg);
}

static bool is_wanted(const struct json_value *launch, const char *kernel)
{
    const struct json_value *name = json_get(launch, "name");

    return !kernel || (name && name->kind == JSON_STRING && kernel_is(name->text, kernel));
}

/* t->list becomes the kernel's launches: they move to the front of the others. */
static void choose_launches(struct tree *t)
{
    struct json_value *all = NULL;

    for (u32 i = 0; i < t->root->n; i++)
        if (t->root->at[i].key && strcmp(t->root->at[i].key, "kernels") == 0)
            all = &t->root->at[i];
    t->list = (struct json_value){.kind = JSON_ARRAY, .at = all ? all->at : NULL};
    for (u32 i = 0; all && i < all->n; i++) {
        if (!is_wanted(&all->at[i], t->kernel))
            continue;
        struct json_value wanted = all->at[i];

        all->at[i] = all->at[t->list.n];
        all->at[t->list.n++] = wanted;
    }
}

static void push_launches(lua_State *L, const char *key, const char *kernel)
{
    struct source *s = source_of(L);
    struct tree *t = push_tree(L, key, kernel);
    struct err e;
    size_t len;
    double clock = box_clock_stop();
    char *text = s->load(s->user, key, &len, &e);

    t->root = text ? json_read("result", text, len, &e) : NULL;
    free(text);
    box_clock_go(L, clock);
    if (!t->root)
        read_error(L, t, &e);
    hold_tree(L, t, len * 4);
    choose_launches(t);
    push_place(L, &t->list, false, -1);
    lua_remove(L, -2);
}

/* False, which can be kept: the kernel was not launched. */
static void load_run(lua_State *L, const char *key, const char *kernel)
{
    struct source *s = source_of(L);
    struct tree *t = push_tree(L, key, kernel);
    struct err e;
    size_t len;
    double clock = box_clock_stop();
    char *text = s->load(s->user, key, &len, &e);
    bool ok = text && read_run(t, text, len, &e);

    free(text);
    box_clock_go(L, clock);
    if (!ok)
        read_error(L, t, &e);
    hold_tree(L, t, 65536);
    if (kernel && !t->over)
        lua_pushboolean(L, false);
    else
        push_place(L, t->root, true, -1);
    lua_remove(L, -2);
}

/* ---- what Lua asks for */

static void push_number(lua_State *L, const struct json_value *v)
{
    if (lua_stringtonumber(L, v->text) == 0)
        lua_pushnumber(L, v->number);
}

/* A value of the tree that is the user value of the place at 1. */
static void push_value(lua_State *L, const struct json_value *v)
{
    switch (v->kind) {
    case JSON_NULL:
        lua_pushnil(L);
        break;
    case JSON_FALSE:
    case JSON_TRUE:
        lua_pushboolean(L, v->kind == JSON_TRUE);
        break;
    case JSON_NUMBER:
        push_number(L, v);
        break;
    case JSON_STRING:
        lua_pushstring(L, v->text);
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        lua_getiuservalue(L, 1, 1);
        push_place(L, v, false, -1);
        break;
    }
}

static const struct json_value *member(const struct place *p, const struct tree *t, const char *key)
{
    const struct json_value *v = p->is_run ? json_get(t->over, key) : NULL;

    return v ? v : json_get(p->at, key);
}

static void no_such_member(lua_State *L, const struct place *p, const char *key)
{
    const char **names = lua_newuserdatauv(L, (p->at->n + 1) * sizeof *names, 0);
    const char *of = p->is_run ? "a run" : p->at->key ? p->at->key : "this part of a run";
    struct err e;

    for (u32 i = 0; i < p->at->n; i++)
        names[i] = p->at->at[i].key;
    err_no_such(&e, key, names, p->at->n, NULL, "%s has no '%s'", of, key);
    box_fail_err(L, &e);
}

/* The last list of launches is kept: studies go through runs one after the other. */
static int index_launches(lua_State *L, const struct tree *t)
{
    lua_pushfstring(L, "%s@%s", t->key, t->kernel ? t->kernel : "");
    lua_getfield(L, LUA_REGISTRYINDEX, "smelt.launches");
    lua_getfield(L, -1, "of");
    if (lua_rawequal(L, -1, -3))
        return lua_getfield(L, -2, "list"), 1;
    lua_pop(L, 1);
    lua_pushnil(L);
    lua_setfield(L, -2, "list");
    push_launches(L, t->key, t->kernel);
    lua_pushvalue(L, -3);
    lua_setfield(L, -3, "of");
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "list");
    return 1;
}

static int index_object(lua_State *L, const struct place *p)
{
    size_t len;
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &len) : NULL;

    if (!key)
        box_fail(L, "a %s is no name of a part of a run", luaL_typename(L, 2));
    lua_getiuservalue(L, 1, 1);
    const struct tree *t = lua_touserdata(L, -1);
    const struct json_value *v = member(p, t, key);

    if (!v)
        no_such_member(L, p, key);
    if (p->is_run && strcmp(key, "kernels") == 0 && v->kind == JSON_ARRAY)
        return index_launches(L, t);
    push_value(L, v);
    return 1;
}

static int index_place(lua_State *L)
{
    const struct place *p = lua_touserdata(L, 1);
    lua_Integer i;
    int is_integer;

    if (p->at->kind == JSON_OBJECT)
        return index_object(L, p);
    i = lua_tointegerx(L, 2, &is_integer);
    if (!is_integer)
        box_fail(L, "%s is a list; '%s' is no number of an entry", p->at->key ? p->at->key : "this",
                 luaL_tolstring(L, 2, NULL));
    if (i < 1 || i > p->at->n)
        return 0;
    push_value(L, &p->at->at[i - 1]);
    return 1;
}

static int no_change(lua_State *L)
{
    box_fail(L, "a run cannot be changed");
}

static int length_of_place(lua_State *L)
{
    const struct place *p = lua_touserdata(L, 1);

    lua_pushinteger(L, p->at->kind == JSON_ARRAY ? p->at->n : 0);
    return 1;
}

/* For pairs: as the JSON has them. */
static int keys(lua_State *L)
{
    const struct place *p = lua_touserdata(L, 1);

    lua_newtable(L);
    for (u32 i = 0; i < p->at->n; i++) {
        if (p->at->kind == JSON_OBJECT)
            lua_pushstring(L, p->at->at[i].key);
        else
            lua_pushinteger(L, i + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* ---- the last runs */

/* Old ones go when the young are many. */
static void keep_run(lua_State *L, const char *name)
{
    struct source *s = source_of(L);

    if (s->n++ == GENERATION) {
        lua_getfield(L, LUA_REGISTRYINDEX, "smelt.young");
        lua_setfield(L, LUA_REGISTRYINDEX, "smelt.old");
        lua_newtable(L);
        lua_setfield(L, LUA_REGISTRYINDEX, "smelt.young");
        s->n = 1;
        lua_gc(L, LUA_GCCOLLECT);
    }
    lua_getfield(L, LUA_REGISTRYINDEX, "smelt.young");
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

static bool push_kept(lua_State *L, const char *generation, const char *name)
{
    lua_getfield(L, LUA_REGISTRYINDEX, generation);
    bool there = lua_getfield(L, -1, name) != LUA_TNIL;

    lua_remove(L, -2);
    if (!there)
        lua_pop(L, 1);
    return there;
}

bool run_lua_push(lua_State *L, const char *key, const char *kernel)
{
    const char *name = lua_pushfstring(L, "%s@%s", key, kernel ? kernel : "");

    if (!push_kept(L, "smelt.young", name)) {
        if (!push_kept(L, "smelt.old", name))
            load_run(L, key, kernel);
        keep_run(L, name);
    }
    lua_remove(L, -2);
    if (lua_toboolean(L, -1))
        return true;
    lua_pop(L, 1);
    return false;
}

static const luaL_Reg tree_methods[] = {{"__gc", free_tree}, {NULL, NULL}};
static const luaL_Reg place_methods[] = {{"__index", index_place},
                                         {"__newindex", no_change},
                                         {"__len", length_of_place},
                                         {"__keys", keys},
                                         {NULL, NULL}};

void run_lua_open(lua_State *L, run_loader *load, void *user)
{
    static const char *const tables[] = {"smelt.young", "smelt.old", "smelt.launches"};
    struct source *s = lua_newuserdatauv(L, sizeof *s, 0);

    *s = (struct source){.load = load, .user = user};
    lua_setfield(L, LUA_REGISTRYINDEX, source_name);
    for (u32 i = 0; i < LEN(tables); i++)
        lua_newtable(L), lua_setfield(L, LUA_REGISTRYINDEX, tables[i]);
    luaL_newmetatable(L, tree_name);
    luaL_setfuncs(L, tree_methods, 0);
    luaL_newmetatable(L, place_name);
    luaL_setfuncs(L, place_methods, 0);
    lua_pop(L, 2);
}
