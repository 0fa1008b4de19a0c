/*
 * html_svg.c -- a picture as part of a page (html_parts.h).
 *
 * Walks the tags of the SVG and writes them again, attribute by attribute, so that nothing gets in that
 * does more than draw: a folder's files may have been changed by others since they were drawn.
 */
#include "page/html_parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct svg {
    struct html *h;
    const char *s;
    const char *name, *label;
    struct err *e;
};

static bool wrong(struct svg *v, const char *what)
{
    return err_set(v->e, "%s.svg: %s: it is no picture that smelt has drawn", v->name, what);
}

static size_t word_length(const char *s)
{
    size_t n = 0;
    while (isalnum((u8)s[n]) || strchr("-_:.", s[n] ? s[n] : ' '))
        n++;
    return n;
}

static bool is_word(const char *s, size_t n, const char *name)
{
    return strlen(name) == n && strncasecmp(s, name, n) == 0;
}

/* What it refers to is in it: #id, url(#id); or a picture as part of the value. */
static bool check_value(struct svg *v, bool link, const char *s, const char *end)
{
    if (link && *s != '#' && !text_begins(s, "data:image/"))
        return wrong(v, "a link to another file");
    for (; s < end; s++)
        if (text_begins(s, "url(") && !text_begins(s, "url(#"))
            return wrong(v, "a reference to another file");
    return true;
}

/* NAME="VALUE", from its name on. */
static bool attribute(struct svg *v)
{
    const char *name = v->s;
    size_t n = word_length(name);
    const char *s = name + n;
    while (isspace((u8)*s))
        s++;
    if (n == 0 || *s++ != '=')
        return wrong(v, "an attribute without a value");
    while (isspace((u8)*s))
        s++;
    const char *end = *s == '"' || *s == '\'' ? strchr(s + 1, *s) : NULL;
    if (!end || memchr(s, '<', (size_t)(end - s)))
        return wrong(v, "a value that does not end");
    if (strncasecmp(name, "on", 2) == 0)
        return wrong(v, "a handler of events");
    v->s = end + 1;
    fputs(" ", v->h->f);
    fwrite(name, 1, (size_t)(v->s - name), v->h->f);
    return check_value(v, is_word(name, n, "href") || is_word(name, n, "xlink:href"), s + 1, end);
}

/* Elements that draw, and what holds them. */
static bool is_known_element(const char *s, size_t n)
{
    static const char *const known[] = {"svg",
                                        "g",
                                        "defs",
                                        "use",
                                        "symbol",
                                        "marker",
                                        "path",
                                        "rect",
                                        "circle",
                                        "line",
                                        "image",
                                        "polyline",
                                        "ellipse",
                                        "polygon",
                                        "text",
                                        "tspan",
                                        "title",
                                        "desc",
                                        "stop",
                                        "clipPath",
                                        "linearGradient",
                                        "radialGradient",
                                        "mask",
                                        "pattern",
                                        "filter",
                                        "feFlood",
                                        "feComposite",
                                        "feGaussianBlur"};
    for (u32 i = 0; i < LEN(known); i++)
        if (strlen(known[i]) == n && strncmp(s, known[i], n) == 0)
            return true;
    return false;
}

/* <NAME .. or </NAME ..; the root says what it is to who cannot see it. */
static bool tag(struct svg *v, bool *root)
{
    bool closing = v->s[1] == '/';
    const char *name = v->s + 1 + closing;
    size_t n = word_length(name);
    if (!is_known_element(name, n))
        return wrong(v, "an element that does not draw");
    fprintf(v->h->f, "<%s%.*s", closing ? "/" : "", (int)n, name);
    if (*root)
        html_put(v->h, " role=\"img\" aria-label=\"%s\"", v->label);
    *root = false;
    for (v->s = name + n;;) {
        while (isspace((u8)*v->s))
            v->s++;
        if (*v->s == '>' || text_begins(v->s, "/>"))
            break;
        if (!attribute(v))
            return false;
    }
    if (*v->s == '/')
        putc(*v->s++, v->h->f);
    putc(*v->s++, v->h->f);
    return true;
}

static bool skip_svg_comment(struct svg *v)
{
    const char *end = text_begins(v->s, "<!--") ? strstr(v->s, "-->") : NULL;
    if (end)
        v->s = end + strlen("-->");
    return end != NULL;
}

bool html_svg(struct html *h, const char *svg, const char *name, const char *label, struct err *e)
{
    struct svg v = {h, strstr(svg, "<svg"), name, label, e};
    bool root = true;
    if (!v.s)
        return wrong(&v, "no <svg> in it");
    while (*v.s) {
        if (*v.s != '<')
            putc(*v.s++, h->f);
        else if (!skip_svg_comment(&v) && !tag(&v, &root))
            return false;
    }
    putc('\n', h->f);
    return true;
}
