/* inifile.c -- see inifile.h */
#include "base/inifile.h"

#include <ini.h>
#include <string.h>

#include "base/text.h"

struct ini_reader {
    const struct inifile *f;
    const char *at; /* the rest of the text */
    u32 line;
    u32 bad_line; /* of the error in *e, 0: none */
    struct err *e;
};

/* Comments end the line; what is left is trimmed, because inih takes an indented line for more
 * of the value above it. */
static size_t uncommented_length(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == '#' && (i == 0 || s[i - 1] == ' ' || s[i - 1] == '\t'))
            return i;
    return n;
}

/* inih's way to read a line: it never tells its handler which, so we count here. */
static char *give_line(char *out, int size, void *user)
{
    struct ini_reader *r = user;
    if (!*r->at)
        return NULL;
    size_t all = strcspn(r->at, "\n"), skip = strspn(r->at, " \t\r\f\v");
    const char *s = r->at + (skip < all ? skip : all);
    size_t n = uncommented_length(s, all - (size_t)(s - r->at));
    r->at += all + (r->at[all] == '\n');
    r->line++;
    if (n > (size_t)size - 2) {
        if (!r->bad_line) {
            err_set(r->e, "a line is longer than %d characters", size - 2);
            r->bad_line = r->line;
        }
        n = 0;
    }
    memcpy(out, s, n);
    out[n] = '\n';
    out[n + 1] = 0;
    return out;
}

/* inih goes on after an error; we only care for the first. */
static int on_ini_line(void *user, const char *section, const char *name, const char *value)
{
    struct ini_reader *r = user;
    const struct inifile_line l = {section, name, value, r->line};
    if (r->bad_line || r->f->take(r->f->user, &l, r->e))
        return 1;
    r->bad_line = r->line;
    return 0;
}

bool inifile_parse(const struct inifile *f, const char *text, struct err *e)
{
    struct ini_reader r = {.f = f, .at = text, .e = e};
    int bad = ini_parse_stream(give_line, &r, on_ini_line, &r);
    if (bad > 0 && (!r.bad_line || (u32)bad < r.bad_line)) {
        err_set(e, "is neither 'key = value' nor '%s'", f->heading);
        return err_at(e, "%s:%d", f->path, bad);
    }
    return r.bad_line ? err_at(e, "%s:%u", f->path, r.bad_line) : true;
}

bool inifile_read(const struct inifile *f, struct err *e)
{
    size_t len;
    char *text = text_read_file(f->path, &len, e);
    if (!text)
        return false;
    bool ok = strlen(text) == len ? inifile_parse(f, text, e)
                                  : err_set(e, "%s: is not text: it has a zero byte", f->path);
    free(text);
    return ok;
}
