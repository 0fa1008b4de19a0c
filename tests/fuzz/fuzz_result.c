/*
 * fuzz_result.c -- any bytes at all as the result of a run: a metric sees tables, or there is a
 * message.
 *
 * Every value is looked at as a study would, of the whole run and of one kernel's launches.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "study/run_lua.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static const char walk[] =
    "local function walk(v)\n"
    "    if type(v) ~= 'table' then return tostring(v) end\n"
    "    for k, w in pairs(v) do walk(w) end\n"
    "    for i, w in ipairs(pcall(function() return v[1] end) and v or {}) do\n"
    "        if w ~= v[i] and type(w) ~= 'table' then error('another') end\n"
    "    end\n"
    "    return #v\n"
    "end\n"
    "walk(run) pcall(function() walk(run.kernels) end)\n"
    "pcall(function() return run.total.cycles / run.total.ipc end)\n";

struct bytes {
    const u8 *data;
    size_t size;
};

static char *load(void *user, const char *key, size_t *len, struct err *e)
{
    const struct bytes *b = user;
    char *text = xmalloc(b->size);

    (void)key, (void)e;
    memcpy(text, b->data, b->size);
    *len = b->size;
    return text;
}

/* For box_call: pushing may fail. */
static int set_run(lua_State *L)
{
    run_lua_push(L, "0123456789abcdef", lua_tostring(L, 1));
    lua_setglobal(L, "run");
    return 0;
}

static void look(const struct bytes *b, const char *kernel)
{
    const struct box_limits limits = {
        .instructions = 5000000, .bytes = 256 << 20, .text = 1 << 20, .seconds = 5};
    lua_State *L = box_open("walk.lua", &limits);
    struct bytes copy = *b;
    struct err e;

    run_lua_open(L, load, &copy);
    lua_pushcfunction(L, set_run);
    lua_pushstring(L, kernel);
    if (!box_call(L, 1, 0, &e) || !box_read(L, walk, strlen(walk), &e) || !box_call(L, 0, 0, &e))
        if (strncmp(e.msg, "walk.lua", 8) != 0 || strcmp(e.msg, "walk.lua:5: another") == 0)
            abort();
    box_close(L);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    const struct bytes b = {data, size};

    look(&b, NULL);
    look(&b, "copy");
    return 0;
}
