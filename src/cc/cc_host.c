/* cc_host.c -- a C++ source for the host's compiler, made of assembly (see cc.h). */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "cc/cc.h"

/* One line, or what is left of the text, as a string literal; returns what comes after it. */
static const char *put_literal_line(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s && *s != '\n'; s++) {
        if (*s == '"' || *s == '\\')
            fputc('\\', f);
        fputc(*s, f);
    }
    fputs("\\n\"\n", f);
    return *s ? s + 1 : s;
}

bool cc_wrap_assembly(const struct cc_input *in, const char *assembly, const char *to,
                      struct err *e)
{
    char *text = text_read_file(assembly, NULL, e);
    if (!text)
        return false;
    FILE *f = fopen(to, "w");
    if (f) {
        fprintf(f, "// %s as smelt cc has compiled it: the host's part, with its PTX inside.\n",
                in->path);
        fputs("__asm__(\".pushsection .text\\n\"\n", f); /* and back to the compiler's own place */
        for (const char *s = text; *s;)
            s = put_literal_line(f, s);
        fputs("\".popsection\\n\");\n", f);
    }
    free(text);
    bool bad = !f || ferror(f);
    if ((f && fclose(f)) || bad)
        return err_set(e, "%s: %s", to, strerror(errno));
    return true;
}
