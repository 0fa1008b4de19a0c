/* cc_dlink.c -- what nvlink would do: the device code of many objects into one (see cc_dlink.h). */
#include "cc/cc_dlink.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "ptx/link/link.h"
#include "ptx/parse/ptx.h"

/* --- what there is to link --- */

/* libNAME.a of a folder given by -L; a libNAME.so there is what the linker would take. */
static const char *find_archive(struct cc *c, const char *name)
{
    for (u32 i = 0; i + 1 < c->link.n; i++) {
        if (strcmp(c->link.at[i], "-L"))
            continue;
        const char *folder = c->link.at[i + 1];
        if (access(cc_text(c, "%s/lib%s.so", folder, name), R_OK) == 0)
            return NULL;
        const char *path = cc_text(c, "%s/lib%s.a", folder, name);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

/* Messages name what the user has named: of a source its path, not the temporary object's. */
static bool read_inputs(struct cc *c, struct dlink *d, struct err *e)
{
    for (u32 i = 0; i < c->input.n; i++) {
        const struct cc_input *in = &c->input.at[i];
        const char *file = in->object ? in->object : in->path;
        const char *path = in->kind == CC_OTHER ? file : in->path;
        if (text_begins(in->path, "-l"))
            file = path = find_archive(c, in->path + 2);
        if (file && !cc_read_device_code(c, d, file, path, e))
            return false;
    }
    return true;
}

static bool all_is_given(const struct dlink *d)
{
    for (u32 i = 0; i < d->wanted.n; i++)
        if (!cc_has(&d->given, d->wanted.at[i]))
            return false;
    return true;
}

/* What another input has linked already is not linked again. */
static void drop_linked(struct dlink *d)
{
    u32 n = 0;
    for (u32 i = 0; i < d->part.n; i++)
        if (!cc_has(&d->given, d->part.at[i].function))
            d->part.at[n++] = d->part.at[i];
    d->part.n = n;
}

/* --- the joined text --- */

static char *join_parts(const struct dlink *d, struct err *e)
{
    struct ptx_link *l = ptx_link_new();
    bool ok = true;
    for (u32 i = 0; i < d->part.n && ok; i++)
        ok = ptx_link_add(l, d->part.at[i].path, d->part.at[i].text, strlen(d->part.at[i].text), e);
    char *text = ok ? ptx_link_finish(l, e) : NULL;
    ptx_link_free(l);
    return text;
}

/* Declarations that do not agree are found by reading it. */
static bool check_declarations(const char *text, struct err *e)
{
    struct ptx_module *m = ptx_parse("device code", text, strlen(text), e);
    ptx_free(m);
    return m;
}

static bool write_plain(const char *path, const char *text, struct err *e)
{
    FILE *f = fopen(path, "wb");
    bool bad = !f || fputs(text, f) < 0;
    if ((f && fclose(f)) || bad)
        return err_set(e, "%s: %s", path, strerror(errno));
    return true;
}

/* --- the object that registers it --- */

static void put_part_list(FILE *f, const struct dlink *d)
{
    char hex[HASH_HEX];
    fputs("static const char *const part[] = {\n", f);
    for (u32 i = 0; i < d->part.n; i++) {
        hash_bytes(d->part.at[i].text, strlen(d->part.at[i].text), hex);
        fprintf(f, "    \"%s\", /* %s */\n", hex, d->part.at[i].path);
    }
    fputs("};\n", f);
}

static void put_functions(FILE *f, const struct dlink *d)
{
    struct cc_words done = {0};
    for (u32 i = 0; i < d->wanted.n; i++) {
        const char *name = d->wanted.at[i];
        if (cc_has(&done, name) || cc_has(&d->given, name))
            continue;
        cc_add(&done, name, NULL);
        fprintf(f,
                "void %s(void (*names)(void **), void *code)\n"
                "{\n    __smeltRegisterLinked(&linked, names, code);\n}\n",
                name);
    }
    VEC_FREE(&done);
}

/* The structures are those of rt/fatbin.h. */
static bool write_registration(const struct dlink *d, const char *path, const char *text,
                               struct err *e)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return err_set(e, "%s: %s", path, strerror(errno));
    fprintf(f,
            "__asm__(\".pushsection .nv_fatbin,\\\"a\\\",@progbits\\n\"\n"
            "        \"smelt_linked_text: .incbin \\\"%s\\\"\\n\"\n"
            "        \".byte 0\\n.popsection\");\n"
            "extern const char smelt_linked_text[] __attribute__((visibility(\"hidden\")));\n",
            text);
    put_part_list(f, d);
    fprintf(f,
            "static struct {\n    const char *text, *const *part;\n    unsigned int n;\n"
            "    void *module;\n} linked = {smelt_linked_text, part, %u, 0};\n"
            "void __smeltRegisterLinked(void *, void (*)(void **), void *);\n",
            d->part.n);
    put_functions(f, d);
    bool bad = ferror(f);
    return !(fclose(f) || bad) || err_set(e, "%s: %s", path, strerror(errno));
}

static int compile_registration(struct cc *c, const char *source, const char *to)
{
    struct cc_words w = {0};
    cc_add(&w, c->host_cc, "-x", "c", "-fPIC", "-c", source, "-o", to, NULL);
    int status = cc_run(c, &w);
    VEC_FREE(&w);
    return status;
}

static bool make_source(struct cc *c, const struct dlink *d, const char *source, struct err *e)
{
    const char *ptx = cc_temp(c, "dlink", ".ptx");
    char *text = join_parts(d, e);
    bool ok = text && check_declarations(text, e) && write_plain(ptx, text, e) &&
              write_registration(d, source, ptx, e);
    free(text);
    return ok;
}

static void dlink_free(struct dlink *d)
{
    VEC_FREE(&d->part);
    VEC_FREE(&d->wanted);
    VEC_FREE(&d->given);
}

/* Without inputs in being nothing is known of what is in them: the commands are shown all the same. */
static int link_all(struct cc *c, const char *to, bool always, bool *made)
{
    struct dlink d = {0};
    struct err e;
    int status = 0;
    bool ok = c->dryrun || read_inputs(c, &d, &e);
    *made = ok && (always || (c->dryrun && c->rdc) || !all_is_given(&d));
    const char *source = "/dev/null";
    if (*made && !all_is_given(&d)) {
        source = cc_temp(c, "dlink", ".c");
        drop_linked(&d);
        ok = make_source(c, &d, source, &e);
    }
    if (!ok)
        status = err_tell(&e);
    else if (*made)
        status = compile_registration(c, source, to);
    dlink_free(&d);
    return status;
}

int cc_device_link(struct cc *c, const char *to)
{
    bool made;
    return link_all(c, to, true, &made);
}

int cc_implicit_device_link(struct cc *c)
{
    const char *to = cc_temp(c, "dlink", ".o");
    bool made = false;
    int status = c->no_device_link ? 0 : link_all(c, to, false, &made);
    if (status == 0 && made)
        *VEC_ADD(&c->input) = (struct cc_input){to, CC_OTHER, to};
    return status;
}
