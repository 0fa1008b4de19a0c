/* cc_ptx.c -- what ptxas would do with PTX: register limits and a report (see cc.h). */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "cc/cc.h"
#include "conf/conf.h"
#include "ptx/program.h"

/* --- .maxnreg --- */

/* The end of a comment, a string or else one character. */
static const char *skip_token(const char *s)
{
    const char *end;
    if (s[0] == '/' && s[1] == '/')
        return s + strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*')
        return (end = strstr(s + 2, "*/")) ? end + 2 : s + strlen(s);
    if (s[0] == '"') {
        for (s++; *s && *s != '"'; s++)
            s += s[0] == '\\' && s[1];
        return s + (*s == '"');
    }
    return s + 1;
}

static bool has_limits(const char *from, const char *to)
{
    static const char *const words[] = {".maxnreg", ".maxntid", ".reqntid", ".minnctapersm"};
    for (u32 i = 0; i < LEN(words); i++) {
        const char *at = strstr(from, words[i]);
        if (at && at < to)
            return true;
    }
    return false;
}

/*
 * As nvcc's manual has it, the option does not concern kernels with __launch_bounds__.  The
 * directive's place is before the body, so it is put in front of the brace.
 */
static void write_limited(FILE *f, const char *text, const char *max_regs)
{
    const char *from = text, *s = text;
    while (*s) {
        if (strncmp(s, ".entry", 6)) {
            s = skip_token(s);
            continue;
        }
        const char *entry = s;
        while (*s && *s != '{' && *s != ';')
            s = skip_token(s);
        if (*s != '{' || has_limits(entry, s))
            continue;
        fwrite(from, 1, (size_t)(s - from), f);
        fprintf(f, ".maxnreg %s\n", max_regs);
        from = s;
    }
    fputs(from, f);
}

/* --- cache operators --- */

/* Loads of other spaces, and those that say which caches they use or must use. */
static bool is_settled(const char *suffix)
{
    static const char *const words[] = {".volatile", ".relaxed", ".acquire", ".mmio", ".param",
                                        ".shared",   ".local",   ".const",   ".nc",   ".ca",
                                        ".cg",       ".cs",      ".lu",      ".cv"};
    for (u32 i = 0; i < LEN(words); i++)
        if (text_begins(suffix, words[i]))
            return true;
    return false;
}

/* The length of "ld.global" in the load at s, after which the operator has its place; 0: none. */
static size_t operator_place(const char *s)
{
    size_t end = strcspn(s, " \t\n;"), place = 2;
    for (size_t n = 2; n < end && s[n] == '.'; n += 1 + strcspn(s + n + 1, ". \t\n;")) {
        if (is_settled(s + n))
            return 0;
        if (text_begins(s + n, ".global") || text_begins(s + n, ".weak"))
            place = n + 1 + strcspn(s + n + 1, ".");
    }
    return place;
}

/* ld.global.f32 becomes ld.global.cg.f32: text that is to be freed. */
static char *mark_loads(const char *text, const char *cache)
{
    VEC(char) out = {0};
    for (const char *s = text; *s;) {
        bool load = text_begins(s, "ld.") && (s == text || strchr(" \t\n;{}", s[-1]));
        size_t place = load ? operator_place(s) : 0;
        const char *end = place ? s + place : skip_token(s);
        while (s < end)
            *VEC_ADD(&out) = *s++;
        if (place)
            *VEC_ADD(&out) = '.';
        for (const char *w = place ? cache : ""; *w; w++)
            *VEC_ADD(&out) = *w;
    }
    *VEC_ADD(&out) = 0;
    return out.at;
}

/* --- asm --- */

/*
 * Without operands, asm's text is PTX as it stands; nvcc takes %%laneid there as well, of which
 * clang leaves both %.  No PTX has two of them.
 */
static void halve_percents(char *text)
{
    char *to = text;
    for (const char *s = text; *s;) {
        const char *end = skip_token(s);
        if (s[0] == '%' && s[1] == '%')
            s++;
        while (s < end)
            *to++ = *s++;
    }
    *to = 0;
}

/* --- the report --- */

static void report_kernel(const struct program *p, const struct func *f, u32 constants)
{
    fprintf(stderr, "ptxas info    : Compiling entry function '%s' for 'sm_%u'\n", f->name,
            p->ptx->sm);
    fprintf(stderr, "ptxas info    : Function properties for %s\n", f->name);
    fprintf(stderr, "    %u bytes stack frame, %u bytes spill stores, %u bytes spill loads\n",
            f->local, 4 * f->n_spill, 4 * f->n_spill);
    fprintf(stderr, "ptxas info    : Used %u registers", f->regs);
    if (f->shared)
        fprintf(stderr, ", %u bytes smem", f->shared);
    fprintf(stderr, ", %u bytes cmem[0]", f->param_bytes);
    if (constants)
        fprintf(stderr, ", %u bytes cmem[2]", constants);
    fputc('\n', stderr);
}

static void report_like_ptxas(const struct program *p)
{
    u64 bytes[2] = {0}; /* global, constant */
    for (u32 i = 0; i < p->n_var; i++)
        if (!p->var[i].is_texture)
            bytes[p->var[i].space == PS_CONST] += p->var[i].size;
    fprintf(stderr, "ptxas info    : %llu bytes gmem", (unsigned long long)bytes[0]);
    if (bytes[1])
        fprintf(stderr, ", %llu bytes cmem[2]", (unsigned long long)bytes[1]);
    fputc('\n', stderr);
    for (u32 i = 0; i < p->n_func; i++)
        if (p->func[i].is_entry)
            report_kernel(p, &p->func[i], (u32)bytes[1]);
}

/* Figures of our own lowering, for the GPU that programs run on if nothing else is said. */
static bool report_usage(const struct cc_input *in, const char *path, struct err *e)
{
    struct conf conf;
    size_t len;
    char *text = text_read_file(path, &len, e);
    if (!text)
        return false;
    struct program *p = NULL;
    if (conf_make(&conf, CONF_GPU, NULL, 0, e)) {
        struct reg_limits limits = conf_reg_limits(&conf);
        p = program_load(in->path, text, strlen(text), &conf.ptx, &limits, conf.mem.var_base, false,
                         e);
        conf_free(&conf);
    }
    if (p)
        report_like_ptxas(p);
    program_free(p);
    free(text);
    return p;
}

bool cc_finish_ptx(struct cc *c, const struct cc_input *in, const char *path, bool terminate,
                   struct err *e)
{
    if (c->dryrun)
        return true;
    char *text = text_read_file(path, NULL, e);
    if (text && strstr(text, "%%"))
        halve_percents(text);
    if (text && c->load_cache) {
        char *marked = mark_loads(text, c->load_cache);
        free(text);
        text = marked;
    }
    FILE *f = text ? fopen(path, "wb") : NULL;
    if (text && !f)
        err_set(e, "%s: %s", path, strerror(errno));
    if (f) {
        if (c->max_regs)
            write_limited(f, text, c->max_regs);
        else
            fputs(text, f);
        if (terminate)
            fputc(0, f);
    }
    free(text);
    if (!f)
        return false;
    bool bad = ferror(f);
    if (fclose(f) || bad)
        return err_set(e, "%s: %s", path, strerror(errno));
    return !c->resource_usage || report_usage(in, path, e);
}
