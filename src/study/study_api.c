/* study_api.c -- functions in C that the prelude is made with (see study_lua.h, prelude.lua). */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "study/run_lua.h"
#include "study/study_lua.h"
#include "workload/set.h"
#include "workload/workload.h"

static const char maker_name[] = "smelt.maker";

struct maker *maker_of(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, maker_name);
    struct maker *m = lua_touserdata(L, -1);

    lua_pop(L, 1);
    return m;
}

static int free_maker(lua_State *L)
{
    struct maker *m = lua_touserdata(L, 1);

    point_free(&m->point);
    figure_free(&m->figure);
    free(m->dir);
    memset(m, 0, sizeof *m);
    return 0;
}

/*
 * What is copied out of the box counts in it: a text that a file has once may be in a thousand copies
 * of ours.  Before each copy, so that one which is refused was never made.
 */
static void hold_made(lua_State *L, u64 bytes)
{
    box_hold(L, bytes);
    maker_of(L)->made += bytes;
}

/* The texts from one place of the stack to another, and a little for what holds them. */
static u64 bytes_of_texts(lua_State *L, int from, int to)
{
    u64 bytes = 64;

    for (; from <= to; from++)
        bytes += lua_type(L, from) == LUA_TSTRING ? lua_rawlen(L, from) + 1 : 0;
    return bytes;
}

void maker_forget(lua_State *L)
{
    struct maker *m = maker_of(L);

    study_forget(m->study);
    box_release(L, m->made);
    m->made = 0;
}

/* ---- about the file */

static int api_line(lua_State *L)
{
    lua_pushinteger(L, box_line(L));
    return 1;
}

static int api_at(lua_State *L)
{
    box_at(L, (u32)luaL_checkinteger(L, 1));
    return 0;
}

/* no_such(WORD, NAMES, WHAT): raises "WHAT; did you mean NEAR?" */
static int api_no_such(lua_State *L)
{
    const char *names[64];
    size_t n = lua_rawlen(L, 2);
    struct err e;

    n = n < LEN(names) ? n : LEN(names);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        names[i] = lua_tostring(L, -1); /* kept by the list */
        lua_pop(L, 1);
    }
    err_no_such(&e, luaL_checkstring(L, 1), names, n, NULL, "%s", luaL_checkstring(L, 3));
    box_fail_err(L, &e);
}

/* `n` of a list, or the number of its last entry. */
static int api_length(lua_State *L)
{
    lua_Integer n = 0;

    if (lua_type(L, 1) == LUA_TUSERDATA) {
        lua_pushinteger(L, luaL_len(L, 1));
        return 1;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushliteral(L, "n");
    if (lua_rawget(L, 1) != LUA_TNIL) {
        if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 0 || lua_tointeger(L, -1) > 1000000)
            box_fail(L, "n of a list is no number of entries");
        return 1;
    }
    lua_settop(L, 1);
    u64 looked_at = 0;

    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1), looked_at++)
        if (lua_isinteger(L, -2) && lua_tointeger(L, -2) > n)
            n = lua_tointeger(L, -2);
    box_charge(L, looked_at);
    if (n > 1000000)
        box_fail(L, "a list with an entry %lld is too long", (long long)n);
    lua_pushinteger(L, n);
    return 1;
}

static int api_global(lua_State *L)
{
    lua_setglobal(L, luaL_checkstring(L, 1));
    return 0;
}

/* Names of files, without a folder. */
static bool is_file_name(const char *s)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t n = strlen(s);

    return n && n <= 64 && s[0] != '.' && s[0] != '-' && strspn(s, letters) == n;
}

static int api_study(lua_State *L)
{
    struct study *s = maker_of(L)->study;
    const char *doc = luaL_optstring(L, 3, NULL);

    if (!is_file_name(luaL_checkstring(L, 1)))
        box_fail(L, "study: name = '%s'; it takes letters, digits, '_', '-' and '.'",
                 lua_tostring(L, 1));
    luaL_checkstring(L, 2);
    box_hold(L, bytes_of_texts(L, 1, 3));
    s->name = text_dup(lua_tostring(L, 1));
    s->title = text_dup(luaL_checkstring(L, 2));
    s->doc = doc ? text_dup(doc) : NULL;
    return 0;
}

/* ---- programs */

/* A table of the words of a text at single blanks, into field `args` of the table on top. */
static void set_args(lua_State *L, const char *args)
{
    lua_Integer i = 0;

    lua_newtable(L);
    for (; *args; args += *args == ' ') {
        size_t n = strcspn(args, " ");

        lua_pushlstring(L, args, n);
        lua_rawseti(L, -2, ++i);
        args += n;
    }
    lua_setfield(L, -2, "args");
}

static void push_member(lua_State *L, const struct set_member *m)
{
    lua_newtable(L);
    lua_pushstring(L, m->label);
    lua_setfield(L, -2, "label");
    lua_pushstring(L, m->program);
    lua_setfield(L, -2, "program");
    set_args(L, m->args);
    if (m->kernel) {
        lua_pushstring(L, m->kernel);
        lua_setfield(L, -2, "kernel");
    }
}

static int push_members(lua_State *L)
{
    const struct set_info *s = lua_touserdata(L, 1);

    lua_newtable(L);
    for (u32 i = 0; i < s->member.n; i++) {
        push_member(L, &s->member.at[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* set(NAME, THIN, SIZE) */
static int api_set(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1), *size = luaL_optstring(L, 3, NULL);
    lua_Integer thin = luaL_checkinteger(L, 2);
    struct set_info s;
    struct err e;

    if (!set_read(name, &s, &e))
        box_fail_err(L, &e);
    set_thin(&s, thin > 1000000 ? 1000000 : (u32)thin);
    if (size)
        set_resize(&s, strcmp(size, "small") == 0 ? SET_SMALL : SET_LARGE);
    lua_pushcfunction(L, push_members);
    lua_pushlightuserdata(L, &s);
    int status = lua_pcall(L, 1, 1, 0); /* so that s goes in any case */

    set_free(&s);
    return status == LUA_OK ? 1 : lua_error(L);
}

/* ---- series: api.series(LABEL, PROGRAMS, GPU, SET, MECH, SAMPLE, BASE), checked by the prelude */

/* The text on top of the stack is part of the point in the making. */
static const char *hold_part(lua_State *L, struct maker *m)
{
    u64 bytes = bytes_of_texts(L, -1, -1);

    box_hold(L, bytes);
    m->held += bytes;
    return lua_tostring(L, -1);
}

static void take_text_list(lua_State *L, int list, struct maker *m, struct words *w)
{
    for (lua_Integer i = 1; lua_rawgeti(L, list, i) != LUA_TNIL; i++) {
        point_add(w, hold_part(L, m));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void drop_point(lua_State *L, struct maker *m)
{
    point_free(&m->point);
    memset(&m->point, 0, sizeof m->point);
    box_release(L, m->held);
    m->held = 0;
}

/* Of those that are there already, nothing is kept. */
static u32 add_point(lua_State *L, struct maker *m)
{
    u32 before = m->study->point.n, at = study_add_point(m->study, &m->point);

    if (m->study->point.n > before)
        m->held = 0;
    drop_point(L, m);
    return at;
}

/* A workload, or a file beside the study; a word that is neither is told as it was written. */
static char *find_program(const struct maker *m, const char *program)
{
    char *beside = text_printf("%s/%s", m->dir, program);
    bool is_path = strchr(program, '/') || access(beside, F_OK) == 0;

    if (program[0] != '/' && is_path && !workload_exists(program))
        return beside;
    free(beside);
    return text_dup(program);
}

/* The program on top of the stack with the machine of the call. */
static u32 make_called_point(lua_State *L, struct maker *m)
{
    int program = lua_gettop(L);
    struct point *p = &m->point;
    struct err e;

    drop_point(L, m);
    box_charge(L, 1000); /* it is compared with all before it, and its files are read */
    lua_getfield(L, program, "program");
    p->program = find_program(m, hold_part(L, m));
    lua_pushvalue(L, 3);
    p->gpu = text_dup(hold_part(L, m));
    lua_getfield(L, program, "args");
    take_text_list(L, lua_gettop(L), m, &p->args);
    take_text_list(L, 4, m, &p->set);
    take_text_list(L, 5, m, &p->mech);
    p->sample = (u64)lua_tointeger(L, 6);
    lua_settop(L, program);
    if (!allow_program(m->allow, p->program, &e) || !point_check(p, &e))
        box_fail(L, "runs: %s", e.msg);
    return add_point(L, m);
}

static int api_series(lua_State *L)
{
    struct maker *m = maker_of(L);
    u32 id = m->study->series.n;

    luaL_checkstring(L, 1);
    box_hold(L, bytes_of_texts(L, 1, 1));
    struct study_series *s = VEC_ADD(&m->study->series);

    *s = (struct study_series){.label = text_dup(luaL_checkstring(L, 1))};
    s->base = lua_isnil(L, 7) ? id : (u32)lua_tointeger(L, 7);
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) != LUA_TNIL; i++) {
        *VEC_ADD(&s->point) = make_called_point(L, m);
        lua_getfield(L, -1, "label");
        box_hold(L, bytes_of_texts(L, -1, -1));
        *VEC_ADD(&s->program) = text_dup(lua_tostring(L, -1));
        lua_settop(L, 7);
    }
    lua_pushinteger(L, id);
    return 1;
}

/* ---- results */

static int api_ready(lua_State *L)
{
    lua_pushboolean(L, maker_of(L)->store != NULL);
    return 1;
}

/* run(SERIES, I, KERNEL): nil if it failed, or did not launch the kernel. */
static int api_run(lua_State *L)
{
    struct maker *m = maker_of(L);
    const struct study_series *s = &m->study->series.at[luaL_checkinteger(L, 1)];
    u32 point = s->point.at[luaL_checkinteger(L, 2) - 1];
    const char *key = m->study->point.at[point].key, *kernel = luaL_optstring(L, 3, NULL);

    if (store_state(m->store, key) != STORE_DONE)
        return 0;
    if (run_lua_push(L, key, kernel))
        return 1;
    u32 before = m->study->absent.n;

    study_add_absence(m->study, point, kernel);
    if (m->study->absent.n > before)
        hold_made(L, strlen(m->study->absent.at[before]));
    return 0;
}

/* ---- figures */

/* Files that every study writes, and what stands for a table's name in one of them (summary.h). */
static const char *const taken[] = {"targets", "numbers", "report", "store", "number"};

static void check_file_name(lua_State *L, const char *call, const char *name)
{
    if (!is_file_name(name))
        box_fail(L, "%s: name = '%s'; it takes letters, digits, '_', '-' and '.'", call, name);
    for (u32 i = 0; i < LEN(taken); i++)
        if (strcmp(name, taken[i]) == 0)
            box_fail(L, "%s: name = '%s'; that name is taken", call, name);
}

static int api_check_text(lua_State *L)
{
    check_file_name(L, "text", luaL_checkstring(L, 1));
    return 0;
}

static int api_check_figure(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    enum figure_kind kind;
    struct err e;

    check_file_name(L, "figure", name);
    if (!figure_kind_of(luaL_checkstring(L, 2), &kind, &e))
        box_fail(L, "figure: %s", e.msg);
    return 0;
}

/* The rows at 12, a list of lists, checked by the prelude. */
static void take_figure_rows(lua_State *L, struct figure *f)
{
    lua_getfield(L, 12, "n");
    lua_Integer n_row = lua_tointeger(L, -1);

    for (lua_Integer i = 1; i <= n_row; i++) {
        lua_rawgeti(L, 12, i);
        for (u32 k = 1; k <= f->column.n; k++) {
            lua_rawgeti(L, -1, k);
            hold_made(L, bytes_of_texts(L, -1, -1));
            if (lua_type(L, -1) == LUA_TSTRING)
                figure_text(f, lua_tostring(L, -1));
            else
                figure_number(f, lua_isnil(L, -1) ? (double)NAN : (double)lua_tonumber(L, -1));
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static char *text_or_null(lua_State *L, int at)
{
    return lua_isnil(L, at) ? NULL : text_dup(lua_tostring(L, at));
}

/* figure(NAME, KIND, TITLE, UNIT, DOC, X_TITLE, MARKS, PLAIN, LOG_X, LOG_Y, COLUMNS, ROWS) */
static int api_figure(lua_State *L)
{
    struct maker *m = maker_of(L);
    struct figure *f = &m->figure;
    enum figure_kind kind = FIGURE_TABLE;
    struct err e;

    if (!figure_kind_of(luaL_checkstring(L, 2), &kind, &e))
        box_fail_err(L, &e);
    figure_free(f);
    hold_made(L, bytes_of_texts(L, 1, 6));
    figure_init(f, kind, luaL_checkstring(L, 1), luaL_checkstring(L, 3), luaL_checkstring(L, 4));
    f->doc = text_or_null(L, 5), f->x_title = text_or_null(L, 6);
    f->marks = (u32)lua_tointeger(L, 7), f->n_plain = (u32)lua_tointeger(L, 8);
    f->log_x = lua_toboolean(L, 9), f->log_y = lua_toboolean(L, 10);
    for (lua_Integer i = 1; lua_rawgeti(L, 11, i) != LUA_TNIL; i++) {
        hold_made(L, bytes_of_texts(L, -1, -1));
        figure_column(f, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    take_figure_rows(L, f);
    if (!figure_check(f, &e))
        box_fail(L, "%s", e.msg);
    *VEC_ADD(&m->study->figure) = *f;
    memset(f, 0, sizeof *f);
    return 0;
}

/* ---- what the paper says: target(WHERE, WHAT, UNIT, PAPER, OURS, HERE, CHECK, MET) */

static double number_or_nan(lua_State *L, int at)
{
    return lua_isnil(L, at) ? (double)NAN : (double)lua_tonumber(L, at);
}

static int api_target(lua_State *L)
{
    const char *where = luaL_checkstring(L, 1), *what = luaL_checkstring(L, 2);
    const char *unit = luaL_checkstring(L, 3), *check = luaL_checkstring(L, 7);

    hold_made(L, bytes_of_texts(L, 1, 7));
    *VEC_ADD(&maker_of(L)->study->target) = (struct study_target){
        .where = text_dup(where),
        .what = text_dup(what),
        .unit = text_dup(unit),
        .paper = number_or_nan(L, 4),
        .ours = number_or_nan(L, 5),
        .here = text_or_null(L, 6),
        .check = text_dup(check),
        .met = lua_toboolean(L, 8),
    };
    return 0;
}

static int api_number(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);

    lua_settop(L, 2);
    hold_made(L, bytes_of_texts(L, 1, 1));
    *VEC_ADD(&maker_of(L)->study->number) =
        (struct study_number){text_dup(name), number_or_nan(L, 2)};
    return 0;
}

static int api_text(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1), *text = luaL_checkstring(L, 2);

    hold_made(L, bytes_of_texts(L, 1, 2));
    *VEC_ADD(&maker_of(L)->study->file) = (struct study_file){text_dup(name), text_dup(text)};
    return 0;
}

/* ---- all of them */

static const luaL_Reg api[] = {
    {"line", api_line},     {"at", api_at},         {"no_such", api_no_such},
    {"length", api_length}, {"global", api_global}, {"study", api_study},
    {"set", api_set},       {"series", api_series}, {"ready", api_ready},
    {"run", api_run},       {"figure", api_figure}, {"check_figure", api_check_figure},
    {"target", api_target}, {"number", api_number}, {"check_text", api_check_text},
    {"text", api_text},     {NULL, NULL},
};

void maker_open(lua_State *L, struct study *s, const char *path, const struct allow *a)
{
    struct maker *m = lua_newuserdatauv(L, sizeof *m, 0);
    const char *slash = strrchr(path, '/');

    memset(m, 0, sizeof *m);
    m->study = s, m->allow = a;
    m->dir = slash ? text_dup_n(path, (size_t)(slash - path)) : text_dup(".");
    lua_newtable(L);
    lua_pushcfunction(L, free_maker);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, maker_name);
    luaL_newlib(L, api);
}
