/* cc_source.c -- sources that clang would not take as they are (see base/mend.h and cc.h). */
#include <errno.h>
#include <string.h>

#include "base/mend.h"
#include "base/text.h"
#include "cc/cc.h"

/* --- is there anything to mend in a file or in a header it names? --- */

static bool look_into(struct cc *c, const char *path, struct cc_words *seen);

/* Headers are those of the program: beside the file, or in a folder of -I. */
static bool look_at_header(struct cc *c, const char *from, const char *name, int n,
                           struct cc_words *seen)
{
    const char *slash = strrchr(from, '/');
    int folder = slash ? (int)(slash + 1 - from) : 0;
    if (look_into(c, cc_text(c, "%.*s%.*s", folder, from, n, name), seen))
        return true;
    for (u32 i = 0; i < c->common.n; i++) {
        const char *word = c->common.at[i], *dir = text_begins(word, "-I") ? word + 2 : NULL;
        if (dir && !*dir) /* -I FOLDER */
            dir = i + 1 < c->common.n ? c->common.at[++i] : NULL;
        if (dir && look_into(c, cc_text(c, "%s/%.*s", dir, n, name), seen))
            return true;
    }
    return false;
}

/* The name after #include of the line at s, and its length; NULL if the line is another one. */
static const char *included(const char *s, int *n)
{
    s += strspn(s, " \t");
    if (*s != '#')
        return NULL;
    s++, s += strspn(s, " \t");
    if (!text_begins(s, "include"))
        return NULL;
    s += 7, s += strspn(s, " \t");
    if (*s != '"' && *s != '<')
        return NULL;
    *n = (int)strcspn(s + 1, "\">\n");
    return s + 1;
}

static bool look_at_headers(struct cc *c, const char *from, const char *text, struct cc_words *seen)
{
    for (const char *s = text; s; s = strchr(s, '\n'), s = s ? s + 1 : NULL) {
        int n;
        const char *name = included(s, &n);
        if (name && look_at_header(c, from, name, n, seen))
            return true;
    }
    return false;
}

static bool look_into(struct cc *c, const char *path, struct cc_words *seen)
{
    struct err missing;
    if (cc_has(seen, path))
        return false;
    cc_add(seen, path, NULL);
    char *text = text_read_file(path, NULL, &missing);
    if (!text)
        return false;
    bool found = mend_needed(text) || look_at_headers(c, path, text, seen);
    free(text);
    return found;
}

bool cc_needs_mending(struct cc *c, const char *path)
{
    struct cc_words seen = {0};
    bool needed = look_into(c, path, &seen);
    VEC_FREE(&seen);
    return needed;
}

/* --- and mending --- */

bool cc_mend_file(const char *path, struct err *e)
{
    char *text = text_read_file(path, NULL, e), *mended = text ? mend_text(text) : NULL;
    free(text);
    if (!mended)
        return false;
    FILE *f = fopen(path, "w");
    bool bad = !f || fputs(mended, f) < 0;
    free(mended);
    if ((f && fclose(f)) || bad)
        return err_set(e, "%s: %s", path, strerror(errno));
    return true;
}
