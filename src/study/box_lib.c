/*
 * box_lib.c -- the functions of a box: what of Lua's own is harmless, and others in place of the rest.
 *
 * Left out is what reaches outside, what can run long without an instruction (patterns, rep), and what
 * shows addresses or the order of a hash.  What of `table` moves entries is in prelude.lua, where its
 * instructions count.
 */
#define _GNU_SOURCE /* memmem */
#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "study/box.h"

/* ---- what a value is */

/* What results are made of (run_lua.c) counts as a table. */
static const char *type_name(lua_State *L, int at)
{
    return lua_type(L, at) == LUA_TUSERDATA ? "table" : luaL_typename(L, at);
}

static int type_of(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushstring(L, type_name(L, 1));
    return 1;
}

static bool has_address(lua_State *L, int at)
{
    int type = lua_type(L, at);

    return type != LUA_TNIL && type != LUA_TBOOLEAN && type != LUA_TNUMBER && type != LUA_TSTRING;
}

static int to_text(lua_State *L)
{
    luaL_checkany(L, 1);
    if (has_address(L, 1))
        lua_pushstring(L, type_name(L, 1));
    else
        luaL_tolstring(L, 1, NULL);
    return 1;
}

/* ---- pairs: numbers first, then texts, then false and true */

struct pair_key {
    int type;
    lua_Number number;
    const char *text;
    size_t len;
    lua_Integer at; /* in the list of keys */
};

static int by_order(const void *left, const void *right)
{
    const struct pair_key *a = left, *b = right;

    if (a->type != b->type) {
        static const int rank[] = {[LUA_TNUMBER] = 0, [LUA_TSTRING] = 1, [LUA_TBOOLEAN] = 2};

        return rank[a->type] - rank[b->type];
    }
    if (a->type == LUA_TSTRING) {
        int order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);

        return order ? order : (a->len > b->len) - (a->len < b->len);
    }
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at); /* integers that are the same as a float */
}

static struct pair_key table_key_at(lua_State *L, int at, lua_Integer i)
{
    struct pair_key k = {.type = lua_type(L, at), .at = i};

    if (k.type == LUA_TSTRING)
        k.text = lua_tolstring(L, at, &k.len);
    else if (k.type == LUA_TNUMBER)
        k.number = lua_tonumber(L, at);
    else if (k.type == LUA_TBOOLEAN)
        k.number = lua_toboolean(L, at);
    else
        box_fail(L, "pairs: a %s as a key has no order; use numbers and texts", type_name(L, at));
    return k;
}

/* The keys of the table at 1, as a list, and how many. */
static lua_Integer keys_as_list(lua_State *L)
{
    lua_Integer n = 0;

    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, 1);) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, ++n);
    }
    return n;
}

static void sort_keys(lua_State *L, lua_Integer n)
{
    int list = lua_gettop(L);
    struct pair_key *key = lua_newuserdatauv(L, (size_t)n * sizeof *key, 0);
    u64 letters = 0;

    for (lua_Integer i = 0; i < n; i++) {
        lua_rawgeti(L, list, i + 1);
        key[i] = table_key_at(L, -1, i + 1);
        letters += key[i].len;
        lua_pop(L, 1);
    }
    box_charge(L, (u64)n * 32 + letters / 8);
    qsort(key, (size_t)n, sizeof *key, by_order);
    lua_createtable(L, (int)n, 0);
    for (lua_Integer i = 0; i < n; i++) {
        lua_rawgeti(L, list, key[i].at);
        lua_rawseti(L, -2, i + 1);
    }
    lua_replace(L, list);
    lua_settop(L, list);
}

/* Upvalues: the keys in order, and the number of the last one. */
static int next_pair(lua_State *L)
{
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(2));

    for (;;) {
        if (lua_rawgeti(L, lua_upvalueindex(1), ++i) == LUA_TNIL)
            return 1;
        lua_pushvalue(L, -1);
        if (lua_gettable(L, 1) != LUA_TNIL)
            break;
        lua_settop(L, 1); /* taken out since */
    }
    lua_pushinteger(L, i);
    lua_replace(L, lua_upvalueindex(2));
    return 2;
}

static int pairs(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    if (luaL_getmetafield(L, 1, "__keys") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 1);
    } else {
        luaL_checktype(L, 1, LUA_TTABLE);
        sort_keys(L, keys_as_list(L));
    }
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_pair, 2);
    lua_pushvalue(L, 1);
    return 2;
}

/* ---- texts */

/* Lua's own shows addresses as %p; a text may go on behind a 0. */
static void check_format(lua_State *L, const char *s, const char *end)
{
    while ((s = memchr(s, '%', (size_t)(end - s)))) {
        s += 1 + strspn(s + 1, "-+ #0123456789.");
        if (*s == 'p')
            box_fail(L, "format: there is no %%p");
        if (s < end)
            s++;
    }
}

/* Upvalue: Lua's own. */
static int format(lua_State *L)
{
    size_t len;
    const char *spec = luaL_checklstring(L, 1, &len);

    check_format(L, spec, spec + len);
    for (int i = 2; i <= lua_gettop(L); i++)
        if (has_address(L, i))
            lua_pushstring(L, type_name(L, i)), lua_replace(L, i);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

/* find(TEXT, PART [, FROM]): where it begins and ends, or nil. */
static int find_plain(lua_State *L)
{
    size_t n, n_part;
    const char *text = luaL_checklstring(L, 1, &n), *part = luaL_checklstring(L, 2, &n_part);
    lua_Integer from = luaL_optinteger(L, 3, 1);

    from = from < 0 ? (lua_Integer)n + from + 1 : from;
    from = from < 1 ? 1 : from;
    if ((size_t)from > n + 1)
        return luaL_pushfail(L), 1;
    const char *at = memmem(text + from - 1, n - (size_t)from + 1, part, n_part);

    if (!at)
        return luaL_pushfail(L), 1;
    lua_pushinteger(L, at - text + 1);
    lua_pushinteger(L, at - text + (lua_Integer)n_part);
    return 2;
}

static int split(lua_State *L)
{
    size_t n, n_between;
    const char *text = luaL_checklstring(L, 1, &n), *between = luaL_checklstring(L, 2, &n_between);
    const char *end = text + n;
    lua_Integer i = 0;

    if (!n_between)
        box_fail(L, "split: the text between is empty");
    lua_newtable(L);
    for (const char *at; text; text = at ? at + n_between : NULL) {
        at = memmem(text, (size_t)(end - text), between, n_between);
        lua_pushlstring(L, text, (size_t)((at ? at : end) - text));
        lua_rawseti(L, -2, ++i);
    }
    box_charge(L, (u64)i * 4);
    return 1;
}

/* ---- the global table */

/* A name that is not there, of the global table. */
static int no_such_name(lua_State *L)
{
    size_t n = 0, room = 0;
    struct err e;

    if (lua_type(L, 2) != LUA_TSTRING)
        return 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
        room++;
    box_charge(L, 16 * room); /* each is compared */
    const char **names = lua_newuserdatauv(L, (room + 1) * sizeof *names, 0);

    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING)
            names[n++] = lua_tostring(L, -2);
    err_no_such(&e, lua_tostring(L, 2), names, n, NULL, "'%s' is not defined", lua_tostring(L, 2));
    box_fail_err(L, &e);
}

/* From the table on top of the stack into the one below it. */
static void pick_functions(lua_State *L, const char *names)
{
    char name[32];

    for (; *names; names += *names == ' ') {
        size_t n = strcspn(names, " ");

        snprintf(name, sizeof name, "%.*s", (int)n, names);
        lua_getfield(L, -1, name);
        lua_setfield(L, -3, name);
        names += n;
    }
}

/* The library's table, with these functions of it, becomes a field of the table on top. */
static void pick_library(lua_State *L, const char *name, lua_CFunction open, const char *names)
{
    lua_newtable(L);
    luaL_requiref(L, name, open, 0);
    pick_functions(L, names);
    lua_pop(L, 1);
    lua_setfield(L, -2, name);
}

/* Methods of texts ("x"):upper() are those of the library that is left, and there is no "1" + 1. */
static void set_text_methods(lua_State *L)
{
    lua_getfield(L, -1, "string");
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, format, 1);
    lua_setfield(L, -2, "format");
    lua_pushcfunction(L, find_plain);
    lua_setfield(L, -2, "find");
    lua_pushliteral(L, "");
    lua_newtable(L);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 2);
}

static const luaL_Reg own[] = {
    {"type", type_of}, {"tostring", to_text}, {"pairs", pairs}, {"split", split}, {NULL, NULL}};

void box_lib_open(lua_State *L)
{
    lua_newtable(L);
    luaL_requiref(L, "_G", luaopen_base, 0);
    pick_functions(L, "assert error ipairs select tonumber");
    lua_pop(L, 1);
    pick_library(L, "math", luaopen_math,
                 "abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min "
                 "mininteger modf pi rad sin sqrt tan tointeger type ult");
    pick_library(L, "string", luaopen_string, "byte char format len lower upper reverse sub");
    pick_library(L, "table", luaopen_table, "concat unpack pack");
    luaL_setfuncs(L, own, 0);
    set_text_methods(L);
    lua_newtable(L);
    lua_pushcfunction(L, no_such_name);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
}
