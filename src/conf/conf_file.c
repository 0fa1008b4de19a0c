/* conf_file.c -- reading GPU files: lines, sections, inheritance (see conf.h). */
#include "conf/conf.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/inifile.h"
#include "base/text.h"

enum { MAX_DEPTH = 8 }; /* of `base =`; a cycle ends here at the latest */

/* One file being read.  A file that inherits has its base's reader below it while that is read. */
struct conf_reader {
    struct conf *c;
    const char *path;
    const struct conf_reader *heir;
    u32 depth;
    bool any_key;
    bool is_table; /* of energies: keys of [power] only */
    VEC(const struct key *) seen;
};

static bool load_conf(struct conf *c, const char *path, const char *text,
                      const struct conf_reader *heir, struct err *e);

/* `base = x`: beside the file that says it, else wherever GPUs are. */
static char *find_base(const char *path, const char *base, struct err *e)
{
    const char *slash = strrchr(path, '/');
    int dir = slash ? (int)(slash - path) + 1 : 0;
    bool is_path = conf_dir_is_path(base);
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

static bool inherit_base(struct conf_reader *r, const char *base, struct err *e)
{
    if (r->any_key)
        return err_set(e, "base: must come before all keys");
    r->any_key = true;
    if (r->depth >= MAX_DEPTH)
        return err_set(e, "base: more than %d files inherit from each other", MAX_DEPTH);
    char *path = find_base(r->path, base, e);
    bool ok = path && (is_regular(path, e) || err_at(e, "base"));
    for (const struct conf_reader *h = r; h && ok; h = h->heir)
        if (is_same_file(path, h->path))
            ok = err_set(e, "base: %s inherits from itself", base);
    ok = ok && load_conf(r->c, path, NULL, r, e);
    free(path);
    return ok;
}

/* All keys of a table at once: what this file said before would be lost. */
static bool take_table(struct conf_reader *r, const char *name, struct err *e)
{
    for (u32 i = 0; i < r->seen.n; i++)
        if (sheet_find(&power_sheet, r->seen.at[i]->name) == r->seen.at[i] &&
            strcmp(r->seen.at[i]->name, "table"))
            return err_set(e, "power.table: must come before the other keys of [power]");
    return conf_load_table(r->c, name, r->path, e);
}

static bool set_key(struct conf_reader *r, const struct inifile_line *l, struct err *e)
{
    const struct conf_module *m = conf_find_module(l->section);
    if (!m)
        return conf_no_module(l->section, e);
    bool is_table_key = m->sheet == &power_sheet && strcmp(l->name, "table") == 0;
    if (r->is_table && (m->sheet != &power_sheet || is_table_key))
        return err_set(e, "%s.%s: a table has only the other keys of [power]", l->section, l->name);
    const struct key *k = sheet_find(m->sheet, l->name);
    for (u32 i = 0; k && i < r->seen.n; i++)
        if (r->seen.at[i] == k)
            return err_set(e, "%s.%s: set a second time", l->section, l->name);
    if (k)
        *VEC_ADD(&r->seen) = k;
    if (!conf_assign(r->c, m, l->name, l->value, e))
        return false;
    return !is_table_key || take_table(r, l->value, e);
}

static bool take_conf_line(void *user, const struct inifile_line *l, struct err *e)
{
    struct conf_reader *r = user;
    bool ok;
    if (l->section[0])
        ok = set_key(r, l, e);
    else if (strcmp(l->name, "base") == 0)
        ok = inherit_base(r, l->value, e);
    else
        ok = err_set(e, "'%s' stands before any [module]; only base may", l->name);
    r->any_key = true;
    return ok;
}

/* `text`: what is in the file; NULL: to be read. */
static bool load_conf(struct conf *c, const char *path, const char *text,
                      const struct conf_reader *heir, struct err *e)
{
    struct conf_reader r = {.c = c, .path = path, .heir = heir};
    const struct inifile f = {path, "[module]", take_conf_line, &r};
    r.depth = heir ? heir->depth + 1 : 0;
    r.is_table = heir && heir->is_table;
    bool ok = text ? inifile_parse(&f, text, e) : inifile_read(&f, e);
    VEC_FREE(&r.seen);
    return ok;
}

bool conf_load_table(struct conf *c, const char *name, const char *said_in, struct err *e)
{
    const struct conf_reader table = {.path = "", .is_table = true};
    char *path = conf_find_table(name, said_in, e);
    bool ok = path && is_regular(path, e) && load_conf(c, path, NULL, &table, e);

    free(path);
    return ok || err_at(e, "power.table");
}

/* "dir/gtx480.conf" is called gtx480. */
static void name_after_file(struct conf *c, const char *path)
{
    const char *name = text_base_name(path);
    size_t n = strlen(name);
    if (n > 5 && text_ends(name, ".conf"))
        n -= 5;
    snprintf(c->name, sizeof(c->name), "%.*s", (int)n, name);
}

bool conf_parse_text(struct conf *c, const char *text, const char *path, struct err *e)
{
    conf_defaults(c);
    name_after_file(c, path);
    if (load_conf(c, path, text, NULL, e))
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
    name_after_file(c, path);
    bool ok = load_conf(c, path, NULL, NULL, e);
    if (!ok)
        conf_free(c);
    free(path);
    return ok;
}

/* Wherever it stands: that it must come first, reading the file tells. */
static bool note_base(void *user, const struct inifile_line *l, struct err *e)
{
    char **base = user;
    (void)e;
    if (!*base && !l->section[0] && strcmp(l->name, "base") == 0)
        *base = text_dup(l->value);
    return true;
}

bool conf_find_base(const char *path, char **base, struct err *e)
{
    char *name = NULL;
    const struct inifile f = {path, "[module]", note_base, &name};
    bool ok = inifile_read(&f, e);
    *base = ok && name ? find_base(path, name, e) : NULL;
    ok = ok && (!name || *base);
    free(name);
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
