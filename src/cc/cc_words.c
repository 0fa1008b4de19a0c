/* cc_words.c -- strings and lists of them, for smelt cc (see cc.h). */
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "cc/cc.h"

#define BLANKS " \t\r\n"

const char *cc_text(struct cc *c, const char *fmt, ...)
{
    char small[1];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(small, sizeof(small), fmt, ap);
    va_end(ap);
    char *s = xmalloc((size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    va_end(ap);
    *VEC_ADD(&c->own) = s;
    return s;
}

void cc_add(struct cc_words *w, const char *first, ...)
{
    va_list ap;
    va_start(ap, first);
    for (const char *s = first; s; s = va_arg(ap, const char *))
        *VEC_ADD(w) = s;
    va_end(ap);
}

void cc_add_all(struct cc_words *w, const struct cc_words *more)
{
    for (u32 i = 0; i < more->n; i++)
        *VEC_ADD(w) = more->at[i];
}

bool cc_has(const struct cc_words *w, const char *word)
{
    for (u32 i = 0; i < w->n; i++)
        if (strcmp(w->at[i], word) == 0)
            return true;
    return false;
}

bool cc_ends(const char *path, const char *with)
{
    return path[0] && text_ends(path + 1, with);
}

/*
 * The words of a list as -Xcompiler takes it: commas and blanks separate, quotes protect both.
 * nvcc would also split -Wl,-rpath,x, which no host compiler then understands: kept together here.
 */
void cc_split_list(struct cc *c, const char *s, struct cc_words *out)
{
    char *word = xmalloc(strlen(s) + 1);
    while (*s) {
        size_t n = 0;
        char quote = 0;
        bool keep_commas =
            text_begins(s, "-Wl,") || text_begins(s, "-Wa,") || text_begins(s, "-Wp,");
        for (; *s && (quote || (*s != ' ' && *s != '\t' && (*s != ',' || keep_commas))); s++) {
            if (quote ? *s == quote : *s == '"' || *s == '\'')
                quote = quote ? 0 : *s;
            else if (*s == '\\' && s[1])
                word[n++] = *++s;
            else
                word[n++] = *s;
        }
        word[n] = 0;
        if (n)
            cc_add(out, cc_text(c, "%s", word), NULL);
        s += *s != 0;
    }
    free(word);
}

/* The words of a text, separated by blanks; quotes and backslashes protect, as in a shell. */
void cc_split_text(struct cc *c, const char *s, struct cc_words *out)
{
    char *word = xmalloc(strlen(s) + 1);
    for (s += strspn(s, BLANKS); *s; s += strspn(s, BLANKS)) {
        size_t n = 0;
        for (char quote = 0; *s && (quote || !strchr(BLANKS, *s)); s++) {
            if (quote ? *s == quote : *s == '"' || *s == '\'')
                quote = quote ? 0 : *s;
            else
                word[n++] = *s == '\\' && s[1] ? *++s : *s;
        }
        word[n] = 0;
        cc_add(out, cc_text(c, "%s", word), NULL);
    }
    free(word);
}
