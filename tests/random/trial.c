/* trial.c -- see trial.h */
#include "tests/random/trial.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/device.h"
#include "mech/mech.h"
#include "sm/front/sched.h"
#include "tests/random/kernel.h"

static struct conf_file *gpus;
static u32 n_gpu;

void trial_begin(void)
{
    n_gpu = conf_list_gpus(&gpus);
    if (!n_gpu) {
        fprintf(stderr, "there are no GPUs: conf/gpu is not found; see SMELT_CONF_DIR\n");
        exit(2);
    }
}

void trial_end(void)
{
    conf_dir_free(gpus, n_gpu);
}

/* ---- values */

/* Small values as often as large ones, and often a bound or the value's neighbourhood. */
static double draw_number(struct rng *r, const struct key *k, double base)
{
    double v, lo = k->min, hi = k->max;

    switch (rng_below(r, 6)) {
    case 0:
        return lo + rng_below(r, 3) < hi ? lo + rng_below(r, 3) : lo;
    case 1:
        return rng_below(r, 4) ? base : hi;
    case 2:
    case 3:
        for (v = base > 1 ? base : 1; rng_below(r, 2);)
            v *= rng_below(r, 2) ? 2 : 0.5;
        break;
    case 4:
        v = base + (double)rng_below(r, 9) - 4;
        break;
    default:
        for (v = hi; v > 1 && v > lo && rng_below(r, 8);)
            v *= 0.25 + 0.75 * rng_real(r);
    }
    return v < lo ? lo : v > hi ? hi : v;
}

static void draw_word(struct rng *r, const char *words, char *to, size_t size)
{
    u32 n = 1;

    for (const char *p = words; *p; p++)
        n += *p == '|';
    for (u32 skip = rng_below(r, n); skip; skip--)
        words = strchr(words, '|') + 1;
    snprintf(to, size, "%.*s", (int)strcspn(words, "|"), words);
}

/* Bits of bank numbers: as many as dram.banks asks for, mostly. */
static void draw_bits(struct rng *r, char *to, size_t size)
{
    size_t n = 0;

    to[0] = 0;
    for (u32 i = 0, bits = 3 + rng_below(r, 3); i < bits; i++)
        n += (size_t)snprintf(to + n, size - n, "%s%u", i ? "," : "", 8 + 3 * i + rng_below(r, 3));
}

static void draw_file(struct rng *r, const char *kind, char *to, size_t size)
{
    struct conf_file *list;
    u32 n = conf_dir_list(kind, &list);

    assert(n);
    snprintf(to, size, "%s", list[rng_below(r, n)].name);
    conf_dir_free(list, n);
}

static void draw_policy(struct rng *r, char *to, size_t size)
{
    u32 n;
    const struct sched_policy *const *list = sched_list(&n);

    snprintf(to, size, "%s", list[rng_below(r, n)]->name);
}

static void draw_dram_policy(struct rng *r, char *to, size_t size)
{
    u32 n;
    const struct dram_policy *const *list = dram_policy_list(&n);

    snprintf(to, size, "%s", list[rng_below(r, n)]->name);
}

static void draw_component(struct rng *r, char *to, size_t size)
{
    snprintf(to, size, "%s", component_name[rng_below(r, N_COMPONENT)]);
}

static void draw_table(struct rng *r, char *to, size_t size)
{
    draw_file(r, "power", to, size);
}

static void draw_regs(struct rng *r, char *to, size_t size)
{
    snprintf(to, size, "%s%u", rng_below(r, 2) ? "k:" : "", 1 + rng_below(r, 300));
}

static void draw_name(struct rng *r, char *to, size_t size)
{
    draw_word(r, "|GeForce|a GPU, and \"its\" name", to, size);
}

static void draw_scheme(struct rng *r, char *to, size_t size)
{
    draw_word(r, "base|half|occ|bal|bigsm|bigsm_occ", to, size);
}

/* Keys that are no numbers and no choice of words. */
static const struct {
    const char *key;
    void (*draw)(struct rng *r, char *to, size_t size);
} texts[] = {{"gpu.name", draw_name},      {"sm.scheduler", draw_policy},
             {"mem.bank_bits", draw_bits}, {"dram.scheduler", draw_dram_policy},
             {"power.table", draw_table},  {"front.regs", draw_regs},
             {"noop.off", draw_component}, {"noop.issue_to", draw_component},
             {"share.scheme", draw_scheme}};

/* Every key has values here, also one of tomorrow. */
static void draw_text(struct rng *r, const char *module, const char *key, char *to, size_t size)
{
    char name[100];

    snprintf(name, sizeof name, "%s.%s", module, key);
    for (u32 i = 0; i < LEN(texts); i++)
        if (!strcmp(texts[i].key, name)) {
            texts[i].draw(r, to, size);
            return;
        }
    fprintf(stderr, "%s has a kind of value that texts[] does not know\n", name);
    exit(2);
}

static double number_of(const struct key *k, const char *text)
{
    u64 v = 0;
    double x = 0;

    if (k->kind == KEY_IS_REAL)
        return text_parse_real(text, &x) ? x : 0;
    return text_parse_size(text, &v) || text_parse_u64(text, &v) ? (double)v : 0;
}

/* `was` is its value without. */
static void draw_value(struct rng *r, const char *module, const struct key *k, const char *was,
                       char *to, size_t size)
{
    switch (k->kind) {
    case KEY_IS_ENUM:
        draw_word(r, k->words, to, size);
        break;
    case KEY_IS_FILE:
        draw_file(r, k->words, to, size);
        break;
    case KEY_IS_STR:
    case KEY_IS_LIST:
        draw_text(r, module, k->name, to, size);
        break;
    case KEY_IS_REAL:
        snprintf(to, size, "%.6g", draw_number(r, k, number_of(k, was)));
        break;
    default:
        snprintf(to, size, "%" PRIu64, (u64)draw_number(r, k, number_of(k, was)));
    }
}

/* ---- is it refused so far? */

bool trial_conf(const struct trial *t, struct conf *c, struct err *e)
{
    const char *set[TRIAL_SETS];

    for (u32 i = 0; i < t->n_set; i++)
        set[i] = t->set[i];
    return conf_make(c, t->gpu, set, t->n_set, e);
}

void trial_mechs(const struct trial *t, const char *mech[TRIAL_MECHS])
{
    for (u32 i = 0; i < t->n_mech; i++)
        mech[i] = t->mech[i];
}

static bool is_refused(const struct trial *t)
{
    const char *mech[TRIAL_MECHS];
    struct run_opts o = {.functional = true, .mech = mech, .n_mech = t->n_mech};
    struct conf c;
    struct err e;

    trial_mechs(t, mech);
    if (!trial_conf(t, &c, &e))
        return true;
    struct device *d = device_new(&c, &o, &e);
    bool refused = !d;

    device_free(d);
    conf_free(&c);
    return refused;
}

static void show(struct trial *t)
{
    size_t n = (size_t)snprintf(t->shown, sizeof t->shown, "-g %s", t->gpu);

    for (u32 i = 0; i < t->n_set; i++)
        n += (size_t)snprintf(t->shown + n, sizeof t->shown - n, " --set '%s'", t->set[i]);
    for (u32 i = 0; i < t->n_mech; i++)
        n += (size_t)snprintf(t->shown + n, sizeof t->shown - n, " -m '%s'", t->mech[i]);
}

/* Few refusals are enough, and some take two keys to be right again. */
static bool stays(struct trial *t)
{
    show(t);
    return !is_refused(t) || !rng_below(&t->r, 24);
}

/* ---- keys */

static void add_set(struct trial *t, const char *key, const char *value)
{
    if (t->n_set < TRIAL_SETS)
        snprintf(t->set[t->n_set++], sizeof t->set[0], "%s=%s", key, value);
}

static void add_key(struct trial *t, const struct conf *base, const struct conf_module *m)
{
    const struct key *k = &m->sheet->key[rng_below(&t->r, m->sheet->n_key)];
    struct conf_key ck = {m, k};
    char was[200], value[100], name[100];

    conf_show(base, &ck, was, sizeof was);
    draw_value(&t->r, m->sheet->module, k, was, value, sizeof value);
    snprintf(name, sizeof name, "%s.%s", m->sheet->module, k->name);
    add_set(t, name, value);
    if (!stays(t))
        t->n_set--;
}

/* Keys of one module depend on each other most. */
static void add_keys(struct trial *t, const struct conf *base)
{
    u32 n;
    const struct conf_module *m = conf_modules(&n);
    u32 focus = rng_below(&t->r, 2 * n);

    for (u32 i = rng_below(&t->r, TRIAL_SETS - t->n_set); i; i--)
        add_key(t, base, &m[focus < n ? focus : rng_below(&t->r, n)]);
}

/*
 * Few SMs, or most of the time goes into those without work; and wide warps, which take other ways everywhere.
 */
static void add_shape(struct trial *t)
{
    static const char *const n[] = {"1", "2", "2", "3", "4", "4", "5", "6", "8", "16"};

    if (rng_below(&t->r, 16))
        add_set(t, "gpu.n_sm", n[rng_below(&t->r, LEN(n))]);
    if (rng_below(&t->r, 12))
        return;
    add_set(t, "sm.warp_words", rng_below(&t->r, 2) ? "2" : "4");
    if (!stays(t)) {
        t->n_set--;
        return;
    }
    if (rng_below(&t->r, 2))
        add_set(t, "sm.wide_issue", "words");
    if (rng_below(&t->r, 2))
        add_set(t, "sm.wide_memory", "words");
}

/* ---- mechanisms */

/* What most GPUs do not have, or one does not, and it cannot do without. */
static void add_needs(struct trial *t, const struct mech *m)
{
    if (!rng_below(&t->r, 16))
        return;
    if (!strcmp(m->name, "gates"))
        add_set(t, "sm.sp_split", "on");
    if ((m->one_path || !strcmp(m->name, "share")) && !strcmp(t->gpu, "v100"))
        add_set(t, "sm.thread_scheduling", "stack");
}

static void add_mech_key(struct trial *t, const struct mech *m, const struct key *k, char *text,
                         size_t size)
{
    size_t n = strlen(text);
    char value[100];

    draw_value(&t->r, m->name, k, k->def, value, sizeof value);
    snprintf(text + n, size - n, "%c%s=%s", strchr(text, ':') ? ',' : ':', k->name, value);
    if (!stays(t))
        text[n] = 0;
}

/* The first key of most says which of its ways it has: that one is drawn more often than the others. */
static void add_mech(struct trial *t)
{
    u32 n, before = t->n_set;
    const struct mech *const *list = mech_list(&n);
    const struct mech *m = list[rng_below(&t->r, n)];
    char *text = t->mech[t->n_mech++];

    snprintf(text, sizeof t->mech[0], "%s", m->name);
    add_needs(t, m);
    if (!stays(t)) {
        t->n_mech--, t->n_set = before;
        return;
    }
    for (u32 i = rng_below(&t->r, 6); i; i--)
        add_mech_key(t, m, &m->sheet->key[i > 3 ? 0 : rng_below(&t->r, m->sheet->n_key)], text,
                     sizeof t->mech[0]);
}

static void add_mechs(struct trial *t)
{
    static const u32 often[] = {0, 1, 1, 1, 1, 2, 2, 3};
    u32 n = often[rng_below(&t->r, LEN(often))];

    for (u32 i = 0; i < 4 * n && t->n_mech < n; i++)
        add_mech(t);
}

/* ---- a trial */

static void draw_run(struct trial *t)
{
    static const u32 grid[] = {1, 3, 5, 5, 8, 12, KERNEL_GRID};
    static const char *const noop[] = {"noop", "noop:timer=1", "noop:timer=17", "noop:timer=1000"};

    t->grid = grid[rng_below(&t->r, LEN(grid))];
    t->sample = rng_below(&t->r, 4) ? 0 : 2000 + rng_below(&t->r, 4000);
    t->noop = !rng_below(&t->r, 4) && !strstr(t->shown, "-m 'noop");
    t->noop_as = noop[rng_below(&t->r, LEN(noop))];
}

void trial_draw(struct trial *t, u64 seed)
{
    struct conf base;
    struct err e;

    memset(t, 0, sizeof *t);
    t->r = rng_make(seed);
    t->r = rng_make(rng_u64(&t->r)); /* neighbours' sequences overlap otherwise */
    t->gpu = gpus[rng_below(&t->r, n_gpu)].name;
    if (!conf_load(&base, t->gpu, &e)) {
        err_print(&e, stderr);
        exit(2);
    }
    add_set(t, "sim.watchdog", "200000"); /* programs do not wait for hours here */
    add_shape(t);
    add_mechs(t);
    add_keys(t, &base);
    show(t);
    draw_run(t);
    conf_free(&base);
}
