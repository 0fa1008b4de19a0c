/* box.c -- see box.h: the state, its limits and its messages; box_lib.c has the functions. */
#include "study/box.h"

#include <assert.h>
#include <lauxlib.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"

/*
 * Names of the two chunks, of one byte each: Lua cuts long names short in messages, and these can be
 * told from anything that a text says.
 */
#define FILE_MARK '\1'
#define OWN_MARK '\2'

enum { STEP = 1000 }; /* instructions between looks at the limits */

enum over { OVER_NONE, OVER_INSTRUCTIONS, OVER_SECONDS, OVER_BYTES, OVER_TEXT };

struct box {
    char *path;
    struct box_limits limit;
    s64 left;       /* instructions */
    u64 charged;    /* of them, since a function in C has looked at the clock */
    u64 used, held; /* bytes: Lua's, and outside of it */
    u64 collect_at; /* held, from where on what is not needed any more is looked for */
    double began;   /* CPU seconds */
    u32 line;       /* box_at */
    u32 over_line, refused_line;
    enum over over, refused; /* refused: why an allocation was, not yet known to be the end */
    lua_State *lua;
};

static struct box *box_of(lua_State *L)
{
    return *(struct box **)lua_getextraspace(L);
}

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- lines */

static u32 line_at(lua_State *L, lua_Debug *ar)
{
    lua_getinfo(L, "Sl", ar);
    return ar->source[0] == '=' && ar->source[1] == FILE_MARK ? (u32)ar->currentline : 0;
}

u32 box_line(lua_State *L)
{
    lua_Debug ar;
    u32 line = 0;

    for (int level = 0; !line && lua_getstack(L, level, &ar); level++)
        line = line_at(L, &ar);
    return line;
}

void box_at(lua_State *L, u32 line)
{
    box_of(L)->line = line;
}

static u32 told_line(lua_State *L)
{
    u32 line = box_line(L);

    return line ? line : box_of(L)->line;
}

/* ---- limits */

static void *allocate_in_box(void *user, void *p, size_t old, size_t size)
{
    struct box *b = user;
    bool is_text = !p && old == LUA_TSTRING;

    old = p ? old : 0;
    if (size > old) {
        b->refused = b->used + b->held + size - old > b->limit.bytes ? OVER_BYTES
                     : is_text && size > b->limit.text               ? OVER_TEXT
                                                                     : OVER_NONE;
        if (b->refused) {
            b->refused_line = b->lua ? told_line(b->lua) : 0;
            return NULL;
        }
    }
    b->used += size - old;
    if (size)
        return xrealloc(p, size);
    free(p);
    return NULL;
}

static void end_over(lua_State *L, enum over over)
{
    struct box *b = box_of(L);

    if (!b->over)
        b->over_line = told_line(L);
    b->over = b->over ? b->over : over;
    lua_pushliteral(L, "limit");
    lua_error(L);
}

static void look_at_clock(lua_State *L)
{
    const struct box *b = box_of(L);

    if (cpu_seconds() - b->began > b->limit.seconds)
        end_over(L, OVER_SECONDS);
}

static void on_steps(lua_State *L, lua_Debug *ar)
{
    struct box *b = box_of(L);

    (void)ar;
    b->left -= STEP;
    if (b->over || b->left < 0)
        end_over(L, OVER_INSTRUCTIONS);
    look_at_clock(L);
}

void box_charge(lua_State *L, u64 n)
{
    struct box *b = box_of(L);

    n = n < INT64_MAX / 2 ? n : INT64_MAX / 2;
    b->left -= (s64)n, b->charged += n;
    if (b->left < 0)
        end_over(L, OVER_INSTRUCTIONS);
    if (b->charged < STEP)
        return;
    b->charged = 0;
    look_at_clock(L);
}

void box_refill(lua_State *L)
{
    struct box *b = box_of(L);

    b->left = (s64)b->limit.instructions;
    b->began = cpu_seconds();
}

double box_clock_stop(void)
{
    return cpu_seconds();
}

void box_clock_go(lua_State *L, double stopped)
{
    box_of(L)->began += cpu_seconds() - stopped;
}

void box_hold(lua_State *L, u64 bytes)
{
    struct box *b = box_of(L);

    b->held += bytes;
    if (b->held > b->collect_at || b->used + b->held > b->limit.bytes) {
        lua_gc(L, LUA_GCCOLLECT); /* what is not needed any more holds it perhaps */
        b->collect_at = b->held + b->limit.bytes / 16;
    }
    if (b->used + b->held > b->limit.bytes) {
        b->held -= bytes;
        end_over(L, OVER_BYTES);
    }
}

void box_release(lua_State *L, u64 bytes)
{
    assert(box_of(L)->held >= bytes);
    box_of(L)->held -= bytes;
}

static void say_over(const struct box *b, struct err *e)
{
    static const u64 million = 1000000, mega = 1 << 20;

    if (b->over == OVER_INSTRUCTIONS)
        err_set(e, "more than %llu million instructions; does a loop not end?",
                (unsigned long long)(b->limit.instructions / million));
    else if (b->over == OVER_SECONDS)
        err_set(e, "more than %u seconds; does a loop not end?", b->limit.seconds);
    else if (b->over == OVER_BYTES)
        err_set(e, "more than %llu MB of memory", (unsigned long long)(b->limit.bytes / mega));
    else
        err_set(e, "a text of more than %llu KB", (unsigned long long)(b->limit.text >> 10));
    if (b->over_line)
        err_at(e, "%s:%u", b->path, b->over_line);
    else
        err_at(e, "%s", b->path);
}

/* ---- messages */

void box_fail(lua_State *L, const char *fmt, ...)
{
    char text[sizeof(((struct err *)0)->msg)];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    lua_pushstring(L, text);
    lua_error(L);
    __builtin_unreachable();
}

void box_fail_err(lua_State *L, const struct err *e)
{
    box_fail(L, "%s", e->msg);
}

/* Puts the line before a message that has none; that of our own chunk is nobody's business. */
static int place_message(lua_State *L)
{
    const char *text = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL;

    if (!text)
        text = lua_pushfstring(L, "an error that is no text but a %s", luaL_typename(L, 1));
    if (text[0] == FILE_MARK)
        return 1;
    if (text[0] == OWN_MARK) /* "M:12: what" */
        text += strcspn(text, " ") + (strchr(text, ' ') != NULL);
    u32 line = told_line(L);

    if (line)
        lua_pushfstring(L, "%c:%d: %s", FILE_MARK, (int)line, text);
    else
        lua_pushfstring(L, "%c: %s", FILE_MARK, text);
    return 1;
}

/* The message on top of the stack, with the file's name for its mark, in one line. */
static void take_message(lua_State *L, const struct box *b, struct err *e)
{
    size_t n = 0;
    const char *text = lua_tostring(L, -1);

    err_set(e, "%s", "");
    if (text && text[0] != FILE_MARK)
        n = (size_t)snprintf(e->msg, sizeof e->msg, "%s: ", b->path);
    for (; text && *text && n + 1 < sizeof e->msg; text++) {
        if (*text == FILE_MARK)
            n += (size_t)snprintf(e->msg + n, sizeof e->msg - n, "%s", b->path);
        else
            e->msg[n++] = (unsigned char)*text < ' ' ? ' ' : *text;
        n = n < sizeof e->msg ? n : sizeof e->msg - 1;
    }
    e->msg[n] = 0;
    lua_pop(L, 1);
}

/*
 * lua_pcall with lines in messages.  What is refused for lack of memory is tried again after a
 * collection, so that only an error says that it was the end.
 */
static bool call(lua_State *L, int n_arg, int n_result)
{
    struct box *b = box_of(L);
    int at = lua_gettop(L) - n_arg;

    luaL_checkstack(L, 2, NULL);
    lua_pushcfunction(L, place_message);
    lua_insert(L, at);
    int status = lua_pcall(L, n_arg, n_result, at);

    lua_remove(L, at);
    if (status == LUA_ERRMEM && !b->over) {
        b->over = b->refused ? b->refused : OVER_BYTES;
        b->over_line = b->refused_line;
    }
    return status == LUA_OK;
}

bool box_call(lua_State *L, int n_arg, int n_result, struct err *e)
{
    struct box *b = box_of(L);

    if (!b->over && call(L, n_arg, n_result) && !b->over)
        return true;
    if (b->over)
        say_over(b, e), lua_settop(L, 0);
    else
        take_message(L, b, e);
    return false;
}

/* pcall for files: true and results, or false and a message. */
static int protected_call(lua_State *L)
{
    struct box *b = box_of(L);

    luaL_checkany(L, 1);
    box_charge(L, 100); /* what a message costs */
    bool ok = call(L, lua_gettop(L) - 1, LUA_MULTRET);

    if (b->over)
        end_over(L, b->over);
    if (!ok) {
        struct err e;

        take_message(L, b, &e);
        lua_pushstring(L, e.msg);
    }
    lua_pushboolean(L, ok);
    lua_insert(L, 1);
    return lua_gettop(L);
}

/* ---- reading and opening */

struct unread {
    const char *at;
    size_t len;
};

/* No instruction is executed meanwhile, and Lua takes the square of some texts' lengths. */
static const char *read_piece(lua_State *L, void *user, size_t *len)
{
    enum { PIECE = 4096 };
    struct unread *u = user;
    const char *at = u->at;

    look_at_clock(L);
    *len = u->len < PIECE ? u->len : PIECE;
    u->at += *len, u->len -= *len;
    return at;
}

static bool load_chunk(lua_State *L, const char *text, size_t len, char mark, struct err *e)
{
    const char name[] = {'=', mark, 0};
    struct box *b = box_of(L);
    struct unread u = {text, len};
    int status = lua_load(L, read_piece, &u, name, "t");

    if (status == LUA_OK)
        return true;
    if (b->over) {
        lua_pop(L, 1);
        say_over(b, e);
        return false;
    }
    if (status == LUA_ERRMEM) {
        lua_pop(L, 1);
        return err_set(e, "%s: more memory than there is for it", b->path);
    }
    take_message(L, b, e);
    return false;
}

bool box_read(lua_State *L, const char *text, size_t len, struct err *e)
{
    const struct box *b = box_of(L);

    if (len && text[0] == LUA_SIGNATURE[0])
        return err_set(e, "%s:1: no text; a study is a text in Lua", b->path);
    return load_chunk(L, text, len, FILE_MARK, e);
}

void box_read_own(lua_State *L, const char *text)
{
    struct err e;
    bool ok = load_chunk(L, text, strlen(text), OWN_MARK, &e);

    assert(ok);
    (void)ok;
}

static struct box_limits with_defaults(const struct box_limits *l)
{
    return (struct box_limits){
        .instructions = l && l->instructions ? l->instructions : 100000000,
        .bytes = l && l->bytes ? l->bytes : 512 << 20,
        .text = l && l->text ? l->text : 1 << 20,
        .seconds = l && l->seconds ? l->seconds : 120,
    };
}

lua_State *box_open(const char *path, const struct box_limits *l)
{
    struct box *b = xcalloc(1, sizeof *b);

    b->path = text_dup(path);
    b->limit = with_defaults(l);
    lua_State *L = lua_newstate(allocate_in_box, b);

    assert(L);
    *(struct box **)lua_getextraspace(L) = b;
    b->lua = L;
    b->collect_at = b->limit.bytes / 4;
    box_lib_open(L);
    lua_pushcfunction(L, protected_call);
    lua_setglobal(L, "pcall");
    lua_sethook(L, on_steps, LUA_MASKCOUNT, STEP);
    box_refill(L);
    return L;
}

void box_close(lua_State *L)
{
    if (!L)
        return;
    struct box *b = box_of(L);

    lua_close(L);
    free(b->path), free(b);
}
