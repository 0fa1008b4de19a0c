/* point_key.c -- see point.h: is a point right, and the key that tells it from every other */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/conf_dir.h"
#include "base/place.h"
#include "gpu/device.h"
#include "mech/mech.h"
#include "runs/point.h"
#include "workload/recipe.h"
#include "workload/runnable.h"
#include "workload/workload.h"

/* ---- hashes that many points share: each is made once in the life of the process */

struct known {
    char *name; /* "workload:NAME", or of a file all that changes with its contents */
    char hex[HASH_HEX];
};

static VEC(struct known) known;

/* The hash of that name, and whether it is there already.  Frees the name. */
static char *find_known(char *name, bool *there)
{
    for (u32 i = 0; i < known.n; i++) {
        if (strcmp(known.at[i].name, name) == 0) {
            free(name);
            *there = true;
            return known.at[i].hex;
        }
    }
    *there = false;
    struct known *k = VEC_ADD(&known);

    *k = (struct known){.name = name};
    return k->hex;
}

static void add_file(struct recipe *r, const char *path)
{
    struct stat st = {0};
    bool there = stat(path, &st) == 0; /* zeros if not: told when it is run */
    char *hex =
        find_known(text_printf("%s:%llx:%llx:%lld:%lld.%09ld", path, (unsigned long long)st.st_dev,
                               (unsigned long long)st.st_ino, (long long)st.st_size,
                               (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec),
                   &there);
    struct recipe file = {0};

    if (!there) {
        recipe_file(&file, path);
        recipe_hash(&file, hex);
    }
    recipe_text(r, hex);
}

static void add_workload(struct recipe *r, const char *name)
{
    bool there;
    char *hex = find_known(text_printf("workload:%s", name), &there);

    if (!there)
        workload_made_of(name, hex);
    recipe_text(r, hex);
}

const char *point_build(void)
{
    static char hex[HASH_HEX];
    char *toolkit = place_toolkit();
    char *library = text_printf("%s/lib64/libcudart.so", toolkit ? toolkit : "");
    struct recipe r = {0};

    if (!hex[0]) {
        recipe_file(&r, library);
        recipe_hash(&r, hex);
    }
    free(toolkit), free(library);
    return hex;
}

/* ---- the program */

/* An argument that is a file, or --in=FILE: what is in it counts. */
static void add_arguments(struct recipe *r, const struct words *args)
{
    for (u32 i = 0; i < args->n; i++) {
        const char *arg = args->at[i], *equals = strchr(arg, '=');

        recipe_text(r, arg);
        if (place_is_file(arg))
            add_file(r, arg);
        else if (equals && place_is_file(equals + 1))
            add_file(r, equals + 1);
    }
}

/* The files of one line: module FILE | buf NAME TYPE COUNT file FILE. */
static void add_job_line(struct recipe *r, const char *job, char *line)
{
    char **word;
    u32 n = runnable_words(line, &word);
    const char *file = n >= 2 && strcmp(word[0], "module") == 0 ? word[1]
                       : n >= 6 && strcmp(word[0], "buf") == 0 && strcmp(word[4], "file") == 0
                           ? word[5]
                           : NULL;

    if (file) {
        char *path = runnable_beside(job, file);
        add_file(r, path);
        free(path);
    }
    free(word);
}

static bool add_job(struct recipe *r, const struct point *p, struct err *e)
{
    char *text = text_read_file(p->program, NULL, e), *smelt = place_command(), *save = NULL;

    if (text) {
        add_file(r, smelt);
        recipe_text(r, text);
        for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
            add_job_line(r, p->program, l);
    }
    free(text), free(smelt);
    if (text && p->args.n)
        return err_set(e, "%s: a job takes no arguments, such as '%s'", p->program, p->args.at[0]);
    return text != NULL;
}

static bool add_program(struct recipe *r, const struct point *p, struct err *e)
{
    const char *kind = runnable_kind(p->program);

    if (!kind)
        return runnable_none(p->program, e);
    if (kind[0] == 'p')
        return err_set(e, "%s: PTX alone does not say what is launched; write a job file that does",
                       p->program);
    recipe_text(r, kind);
    if (kind[0] == 'j')
        return add_job(r, p, e);
    if (workload_exists(p->program))
        add_workload(r, p->program);
    else
        add_file(r, p->program);
    add_arguments(r, &p->args);
    return true;
}

/* ---- the machine */

/*
 * As numbers with all their digits: two values that are shown alike may differ.  A cache's size is
 * another way to say its sets, which are settled by now.
 */
static void add_conf(struct recipe *r, const struct conf *c)
{
    struct conf settled = *c;
    struct cache_conf *cache[] = {&settled.l1i, &settled.l1d, &settled.l1c, &settled.l1t,
                                  &settled.l2};
    struct json j;

    for (u32 i = 0; i < LEN(cache); i++)
        cache[i]->size = 0;
    json_open_buf(&j);
    conf_json(&settled, &j);
    char *text = json_close_buf(&j, NULL);

    recipe_text(r, text);
    free(text);
}

/* A file by name or path: what is in it counts, not where it lies. */
static void add_named(struct recipe *r, const struct key *key, const char *value)
{
    struct err e;
    char *path = value[0] ? conf_dir_find(key->words, key->words, value, &e) : NULL;

    if (path && place_is_file(path))
        add_file(r, path);
    else
        recipe_text(r, value);
    free(path);
}

/* A text that names a file, as table:FILE: likewise. */
static void add_key_value(struct recipe *r, const struct key *key, const char *value)
{
    const char *colon = key->kind == KEY_IS_STR ? strchr(value, ':') : NULL;

    if (!colon || !place_is_file(colon + 1)) {
        recipe_text(r, value);
        return;
    }
    char *kind = text_dup_n(value, (size_t)(colon - value));

    recipe_text(r, kind);
    add_file(r, colon + 1);
    free(kind);
}

static void add_mech_keys(struct recipe *r, const struct mech_set *s)
{
    for (u32 i = 0; i < s->n; i++) {
        const struct mech_use *u = &s->at[i];

        recipe_text(r, u->m->name);
        for (u32 k = 0; k < u->m->sheet->n_key; k++) {
            const struct key *key = &u->m->sheet->key[k];
            char value[1024];

            recipe_text(r, key->name);
            sheet_show(key, u->conf, value, sizeof value);
            if (key->kind == KEY_IS_FILE)
                add_named(r, key, value);
            else
                add_key_value(r, key, value);
        }
    }
}

/* Without timing nothing of the machine is built, but all of it is checked. */
static bool add_machine(struct recipe *r, const struct point *p, struct err *e)
{
    const struct run_opts opts = {
        .functional = true, .mech = (const char *const *)p->mech.at, .n_mech = p->mech.n};
    struct conf c;

    if (!conf_make(&c, p->gpu, (const char *const *)p->set.at, p->set.n, e))
        return false;
    struct device *d = device_new(&c, &opts, e);

    if (d) {
        add_conf(r, &d->conf);
        add_mech_keys(r, d->mechs);
    }
    device_free(d);
    conf_free(&c);
    return d != NULL;
}

bool point_check(struct point *p, struct err *e)
{
    struct recipe r = {0};
    char sample[TEXT_NUMBER];

    recipe_text(&r, point_build());
    snprintf(sample, sizeof sample, "%" PRIu64, p->sample);
    recipe_text(&r, sample);
    if (!add_program(&r, p, e) || !add_machine(&r, p, e)) {
        VEC_FREE(&r);
        return false;
    }
    recipe_hash(&r, p->key);
    return true;
}
