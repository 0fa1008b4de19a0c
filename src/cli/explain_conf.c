/* explain_conf.c -- see explain_conf.h */
#include "cli/explain_conf.h"

#include <stdio.h>
#include <string.h>

#include "base/inifile.h"
#include "base/logistic.h"
#include "base/text.h"
#include "conf/conf.h"
#include "gpu/device.h"
#include "gpu/joules.h"
#include "mech/mech.h"
#include "power/energy.h"

static void print_doc(const struct conf_file *file, const char *doc)
{
    printf("%s: %s\n", file->name, doc[0] ? doc : "(no comment at its top)\n");
}

/* --- keys --- */

struct pair {
    const struct conf *here, *there;
    const char *said; /* what `there` is: "gtx480", "default" */
    u32 n;
};

static void print_difference(const struct conf_key *k, void *user)
{
    struct pair *p = user;
    char a[1024], b[1024], name[128];
    if (strcmp(conf_show(p->here, k, a, sizeof(a)), conf_show(p->there, k, b, sizeof(b))) == 0)
        return;
    snprintf(name, sizeof(name), "%s.%s", k->module->sheet->module, k->key->name);
    printf("  %-26s %-16s (%s: %s)\n", name, a[0] ? a : "(empty)", p->said, b[0] ? b : "(empty)");
    p->n++;
}

static void print_differences(const struct conf *here, const struct conf *there, const char *said)
{
    struct pair p = {here, there, said, 0};
    conf_each(print_difference, &p);
    if (!p.n)
        puts("  nothing");
}

/* --- a GPU --- */

static bool takes_mech(const struct conf *c, const char *text, struct err *e)
{
    const struct run_opts opts = {.functional = true, .mech = &text, .n_mech = 1};
    struct device *d = device_new(c, &opts, e);
    device_free(d);
    return d;
}

/* Each alone, with its defaults. */
static void print_mechanisms(const struct conf *c)
{
    u32 n;
    const struct mech *const *m = mech_list(&n);
    struct err e;
    printf("mechanisms that can be run on it:");
    for (u32 i = 0; i < n; i++)
        if (takes_mech(c, m[i]->name, &e))
            printf(" %s", m[i]->name);
    puts("\nand that cannot:");
    for (u32 i = 0; i < n; i++)
        if (!takes_mech(c, m[i]->name, &e))
            printf("  %s\n", e.msg);
}

static void print_area(const struct conf *c)
{
    const struct power_conf table = joules_table(c);
    printf("area of all components: %.1f mm2\n", area_total(&table, c->gpu.n_sm));
}

static bool load_base(const char *path, struct conf *base, bool *has_base, struct err *e)
{
    char *file;
    if (!conf_find_base(path, &file, e))
        return false;
    *has_base = file;
    if (!file)
        conf_defaults(base);
    bool ok = !file || conf_load(base, file, e);
    free(file);
    return ok;
}

static void print_gpu(const struct conf *c, const struct conf *base, bool has_base)
{
    print_area(c);
    printf("what it has other than %s%s:\n", has_base ? "its base " : "the defaults",
           has_base ? base->name : "");
    print_differences(c, base, has_base ? base->name : "default");
    print_mechanisms(c);
}

static bool explain_gpu(const struct conf_file *file, const char *doc, struct err *e)
{
    struct conf c, base;
    bool has_base;
    if (!conf_load(&c, file->path, e))
        return false;
    bool ok = conf_check(&c, e) && load_base(file->path, &base, &has_base, e);
    if (ok) {
        print_doc(file, doc);
        print_gpu(&c, &base, has_base);
        conf_free(&base);
    }
    conf_free(&c);
    return ok;
}

/* --- a table of energies --- */

static bool explain_table(const struct conf_file *file, const char *doc, struct err *e)
{
    struct conf c, plain;
    conf_defaults(&c);
    bool ok = conf_load_table(&c, file->path, NULL, e);
    if (ok) {
        conf_defaults(&plain);
        print_doc(file, doc);
        puts("a table of energies (power.table); what it has other than the defaults:");
        print_differences(&c, &plain, "default");
        conf_free(&plain);
    }
    conf_free(&c);
    return ok;
}

/* --- a predictor --- */

/* A mechanism's key that names such files: does it take this one? */
static void print_taker(const struct conf *c, const char *mech, const char *key, const char *path)
{
    struct err e;
    char *text = text_printf("%s:%s=%s", mech, key, path);
    if (takes_mech(c, text, &e))
        printf("taken by -m %s\n", text);
    else
        printf("not taken by -m %s:%s: %s\n", mech, key, e.msg);
    free(text);
}

static void print_takers(const struct conf *c, const char *path)
{
    u32 n;
    const struct mech *const *m = mech_list(&n);
    for (u32 i = 0; i < n; i++) {
        const struct sheet *s = m[i]->sheet;
        for (u32 k = 0; k < s->n_key; k++)
            if (s->key[k].kind == KEY_IS_FILE && strcmp(s->key[k].words, "predictor") == 0)
                print_taker(c, m[i]->name, s->key[k].name, path);
    }
}

static void print_number(const char *name, double v)
{
    char buf[TEXT_NUMBER];
    printf("  %-26s %s\n", name, text_show_real(v, buf, sizeof(buf)));
}

static bool explain_predictor(const struct conf_file *file, const char *doc, struct err *e)
{
    struct logistic m;
    struct conf c;
    if (!conf_load(&c, CONF_GPU, e))
        return false;
    bool ok = logistic_read(&m, file->path, e);
    if (ok) {
        print_doc(file, doc);
        puts("a predictor (smelt train):");
        print_number("constant", m.constant);
        for (u32 i = 0; i < m.term.n; i++)
            print_number(m.term.at[i].name, m.term.at[i].coefficient);
        print_takers(&c, file->path);
        logistic_free(&m);
    }
    conf_free(&c);
    return ok;
}

/* --- which of them --- */

struct headings {
    bool base, power, model, other;
};

static bool note_heading(void *user, const struct inifile_line *l, struct err *e)
{
    struct headings *h = user;
    (void)e;
    if (!l->section[0])
        h->base = true;
    else if (strcmp(l->section, "power") == 0)
        h->power = true;
    else if (strcmp(l->section, "model") == 0 || strcmp(l->section, "coefficients") == 0)
        h->model = true;
    else
        h->other = true;
    return true;
}

bool explain_conf(const struct conf_file *file, struct err *e)
{
    struct headings h = {0};
    const struct inifile f = {file->path, "[module]", note_heading, &h};
    char *doc = inifile_read(&f, e) ? conf_read_doc(file->path, e) : NULL;
    bool is_table = h.power && !h.base && !h.other;
    bool ok = doc && (h.model    ? explain_predictor
                      : is_table ? explain_table
                                 : explain_gpu)(file, doc, e);
    free(doc);
    return ok;
}
