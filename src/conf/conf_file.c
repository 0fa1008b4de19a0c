/* conf_file.c -- reading GPU files: lines, sections, inheritance (see conf.h). */
#include "conf/conf.h"

#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

enum { MAX_DEPTH = 8 }; /* of `base =`; a cycle ends here at the latest */

/* One file being read.  A file that inherits has its base's reader below it while that is read. */
struct reader {
    struct conf *c;
    const char *path, *at; /* at: the rest of the text */
    int line;
    int bad_line; /* of the error in *e, 0: none */
    struct err *e;
    const struct reader *heir;
    u32 depth;
    bool any_key;
    bool is_table; /* of energies: keys of [power] only */
    VEC(const struct key *) seen;
};

static bool load_file(struct conf *c, const char *path, const struct reader *heir, struct err *e);

/* Comments end the line; what is left is trimmed, because inih takes an indented line for more
 * of the value above it. */
static size_t line_length(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == '#' && (i == 0 || s[i - 1] == ' ' || s[i - 1] == '\t'))
            return i;
    return n;
}

static bool fail(struct reader *r)
{
    if (!r->bad_line)
        r->bad_line = r->line;
    return false;
}

/* inih's way to read a line: it never tells its handler which, so we count here. */
static char *next_line(char *out, int size, void *user)
{
    struct reader *r = user;
    if (!*r->at)
        return NULL;
    size_t all = strcspn(r->at, "\n"), skip = strspn(r->at, " \t\r\f\v");
    const char *s = r->at + (skip < all ? skip : all);
    size_t n = line_length(s, all - (size_t)(s - r->at));
    r->at += all + (r->at[all] == '\n');
    r->line++;
    if (n > (size_t)size - 2) {
        if (!r->bad_line)
            err_set(r->e, "a line is longer than %d characters", size - 2);
        fail(r);
        n = 0;
    }
    memcpy(out, s, n);
    out[n] = '\n';
    out[n + 1] = 0;
    return out;
}

/* `base = x`: beside the file that says it, else wherever GPUs are. */
static char *find_base(const char *path, const char *base, struct err *e)
{
    const char *slash = strrchr(path, '/');
    int dir = slash ? (int)(slash - path) + 1 : 0;
    bool is_path = conf_is_path(base);
    if (base[0] == '/')
        return text_dup(base);
    char *beside = text_printf("%.*s%s%s", dir, path, base, is_path ? "" : ".conf");
    FILE *f = is_path ? NULL : fopen(beside, "r");
    if (f)
        fclose(f);
    if (f || is_path)
        return beside;
    free(beside);
    return conf_find_gpu(base, e);
}

static bool is_same_file(const char *a, const char *b)
{
    char real_a[PATH_MAX], real_b[PATH_MAX];
    return realpath(a, real_a) && realpath(b, real_b) && strcmp(real_a, real_b) == 0;
}

static bool is_regular(const char *path, struct err *e)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return err_set(e, "%s: %s", path, strerror(errno));
    return S_ISREG(st.st_mode) || err_set(e, "%s: is not a regular file", path);
}

static bool inherit(struct reader *r, const char *base, struct err *e)
{
    if (r->any_key)
        return err_set(e, "base: must come before all keys");
    r->any_key = true;
    if (r->depth >= MAX_DEPTH)
        return err_set(e, "base: more than %d files inherit from each other", MAX_DEPTH);
    char *path = find_base(r->path, base, e);
    bool ok = path && (is_regular(path, e) || err_at(e, "base"));
    for (const struct reader *h = r; h && ok; h = h->heir)
        if (is_same_file(path, h->path))
            ok = err_set(e, "base: %s inherits from itself", base);
    ok = ok && load_file(r->c, path, r, e);
    free(path);
    return ok;
}

/* All keys of a table at once: what this file said before would be lost. */
static bool take_table(struct reader *r, const char *name)
{
    for (u32 i = 0; i < r->seen.n; i++)
        if (sheet_find(&power_sheet, r->seen.at[i]->name) == r->seen.at[i] &&
            strcmp(r->seen.at[i]->name, "table"))
            return err_set(r->e, "power.table: must come before the other keys of [power]");
    return conf_load_table(r->c, name, r->path, r->e);
}

static bool set_key(struct reader *r, const char *section, const char *name, const char *value)
{
    const struct conf_module *m = conf_find_module(section);
    if (!m)
        return conf_no_module(section, r->e);
    if (r->is_table && (m->sheet != &power_sheet || strcmp(name, "table") == 0))
        return err_set(r->e, "%s.%s: a table has only the other keys of [power]", section, name);
    const struct key *k = sheet_find(m->sheet, name);
    for (u32 i = 0; k && i < r->seen.n; i++)
        if (r->seen.at[i] == k)
            return err_set(r->e, "%s.%s: set a second time", section, name);
    if (k)
        *VEC_ADD(&r->seen) = k;
    if (!conf_assign(r->c, m, name, value, r->e))
        return false;
    return m->sheet != &power_sheet || strcmp(name, "table") || take_table(r, value);
}

/* inih goes on after an error; we only care for the first. */
static int on_line(void *user, const char *section, const char *name, const char *value)
{
    struct reader *r = user;
    if (r->bad_line)
        return 1;
    bool ok;
    if (section[0])
        ok = set_key(r, section, name, value);
    else if (strcmp(name, "base") == 0)
        ok = inherit(r, value, r->e);
    else
        ok = err_set(r->e, "'%s' stands before any [module]; only base may", name);
    r->any_key = true;
    return ok || fail(r);
}

static bool read_text(struct conf *c, const char *text, const char *path, const struct reader *heir,
                      struct err *e)
{
    struct reader r = {.c = c, .path = path, .at = text, .e = e, .heir = heir};
    r.depth = heir ? heir->depth + 1 : 0;
    r.is_table = heir && heir->is_table;
    int bad = ini_parse_stream(next_line, &r, on_line, &r);
    VEC_FREE(&r.seen);
    if (bad > 0 && (!r.bad_line || bad < r.bad_line)) {
        err_set(e, "is neither 'key = value' nor '[module]'");
        return err_at(e, "%s:%d", path, bad);
    }
    return r.bad_line ? err_at(e, "%s:%d", path, r.bad_line) : true;
}

static bool load_file(struct conf *c, const char *path, const struct reader *heir, struct err *e)
{
    size_t len;
    char *text = text_read_file(path, &len, e);
    if (!text)
        return false;
    bool ok = strlen(text) == len ? read_text(c, text, path, heir, e)
                                  : err_set(e, "%s: is not text: it has a zero byte", path);
    free(text);
    return ok;
}

bool conf_load_table(struct conf *c, const char *name, const char *said_in, struct err *e)
{
    const struct reader table = {.path = "", .is_table = true};
    char *path = conf_find_table(name, said_in, e);
    bool ok = path && is_regular(path, e) && load_file(c, path, &table, e);

    free(path);
    return ok || err_at(e, "power.table");
}

/* "dir/gtx480.conf" is called gtx480. */
static void set_name(struct conf *c, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);
    if (n > 5 && strcmp(name + n - 5, ".conf") == 0)
        n -= 5;
    snprintf(c->name, sizeof(c->name), "%.*s", (int)n, name);
}

bool conf_parse_text(struct conf *c, const char *text, const char *path, struct err *e)
{
    conf_defaults(c);
    set_name(c, path);
    if (read_text(c, text, path, NULL, e))
        return true;
    conf_free(c);
    return false;
}

bool conf_load(struct conf *c, const char *gpu, struct err *e)
{
    char *path = conf_find_gpu(gpu, e);
    if (!path)
        return false;
    conf_defaults(c);
    set_name(c, path);
    bool ok = load_file(c, path, NULL, e);
    if (!ok)
        conf_free(c);
    free(path);
    return ok;
}

char *conf_read_doc(const char *path, struct err *e)
{
    char *text = text_read_file(path, NULL, e), *out = text;
    for (const char *s = text; s && *s == '#';) {
        size_t n = strcspn(s, "\n"), skip = s[1] == ' ' ? 2 : 1;
        size_t next = n + (s[n] == '\n');
        memmove(out, s + skip, next - skip);
        out += next - skip;
        s += next;
    }
    if (text)
        *out = 0;
    return text;
}
