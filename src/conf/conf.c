#include "conf/conf.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "isa/inst.h"
#include "mem/addr.h"

#define SHEET gpu
#define SHEET_DEF "conf/gpu.def"
#define SHEET_DOC "the chip as a whole: how many SMs, clocks, what programs are told"
#include "base/sheet_table.inc"

#define SHEET sim
#define SHEET_DEF "conf/sim.def"
#define SHEET_DOC "the simulation itself, as far as it can change results"
#include "base/sheet_table.inc"

static const struct conf_module modules[] = {
    {&gpu_sheet, offsetof(struct conf, gpu)},   {&sm_sheet, offsetof(struct conf, sm)},
    {&op_sheet, offsetof(struct conf, op)},     {&l1i_sheet, offsetof(struct conf, l1i)},
    {&l1d_sheet, offsetof(struct conf, l1d)},   {&l1c_sheet, offsetof(struct conf, l1c)},
    {&l1t_sheet, offsetof(struct conf, l1t)},   {&noc_sheet, offsetof(struct conf, noc)},
    {&l2_sheet, offsetof(struct conf, l2)},     {&mem_sheet, offsetof(struct conf, mem)},
    {&dram_sheet, offsetof(struct conf, dram)}, {&power_sheet, offsetof(struct conf, power)},
    {&ptx_sheet, offsetof(struct conf, ptx)},   {&sim_sheet, offsetof(struct conf, sim)},
};

const struct conf_module *conf_modules(u32 *n)
{
    *n = LEN(modules);
    return modules;
}

const struct conf_module *conf_find_module(const char *name)
{
    for (u32 i = 0; i < LEN(modules); i++)
        if (strcmp(modules[i].sheet->module, name) == 0)
            return &modules[i];
    return NULL;
}

static void *part_of_module(struct conf *c, const struct conf_module *m)
{
    return (char *)c + m->off;
}

static const void *const_part(const struct conf *c, const struct conf_module *m)
{
    return (const char *)c + m->off;
}

void conf_defaults(struct conf *c)
{
    memset(c, 0, sizeof(*c));
    for (u32 i = 0; i < LEN(modules); i++)
        sheet_defaults(modules[i].sheet, part_of_module(c, &modules[i]));
}

void conf_copy(struct conf *to, const struct conf *from)
{
    *to = *from;
    for (u32 i = 0; i < LEN(modules); i++)
        sheet_copy(modules[i].sheet, part_of_module(to, &modules[i]),
                   const_part(from, &modules[i]));
}

void conf_free(struct conf *c)
{
    for (u32 i = 0; i < LEN(modules); i++)
        sheet_free(modules[i].sheet, part_of_module(c, &modules[i]));
}

void conf_each(void (*visit)(const struct conf_key *k, void *user), void *user)
{
    for (u32 i = 0; i < LEN(modules); i++)
        for (u32 j = 0; j < modules[i].sheet->n_key; j++)
            visit(&(struct conf_key){&modules[i], &modules[i].sheet->key[j]}, user);
}

const char *conf_show(const struct conf *c, const struct conf_key *k, char *buf, size_t size)
{
    return sheet_show(k->key, const_part(c, k->module), buf, size);
}

bool conf_no_module(const char *name, struct err *e)
{
    const char *names[LEN(modules)];
    char all[512] = "there are";
    size_t used = strlen(all);
    for (u32 i = 0; i < LEN(modules) && used < sizeof(all); i++) {
        names[i] = modules[i].sheet->module;
        used += (size_t)snprintf(all + used, sizeof(all) - used, " %s", names[i]);
    }
    return err_no_such(e, name, names, LEN(modules), all, "no module '%s'", name);
}

/* A key without its module: the first module that has such a key. */
static bool no_dot(const char *name, struct err *e)
{
    for (u32 i = 0; i < LEN(modules); i++)
        if (sheet_find(modules[i].sheet, name))
            return err_set(e, "no key '%s'; did you mean %s.%s?", name, modules[i].sheet->module,
                           name);
    return err_set(e, "no key '%s': a key is MODULE.NAME, such as sm.n_warp", name);
}

static const struct conf_module *split_name(const char *name, const char **rest, struct err *e)
{
    char module[CONF_NAME];
    const char *dot = strchr(name, '.');
    if (!dot || (size_t)(dot - name) >= sizeof(module)) {
        no_dot(name, e);
        return NULL;
    }
    memcpy(module, name, (size_t)(dot - name));
    module[dot - name] = 0;
    *rest = dot + 1;
    const struct conf_module *m = conf_find_module(module);
    if (!m)
        conf_no_module(module, e);
    return m;
}

bool conf_assign(struct conf *c, const struct conf_module *m, const char *name, const char *value,
                 struct err *e)
{
    if (!sheet_set(m->sheet, part_of_module(c, m), name, value, e))
        return false;
    const struct key *size = sheet_find(m->sheet, "size"), *sets = sheet_find(m->sheet, "sets");
    if (size && sets && strcmp(name, "sets") == 0) /* of a cache: the later decides */
        return sheet_set(m->sheet, part_of_module(c, m), "size", "0", e);
    return true;
}

bool conf_set(struct conf *c, const char *assignment, struct err *e)
{
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return err_set(e, "'%s' is not MODULE.KEY=VALUE", assignment);
    char *name = text_trim(text_dup_n(assignment, (size_t)(equals - assignment)));
    char *value = text_trim(text_dup(equals + 1));
    const char *rest;
    const struct conf_module *m = split_name(name, &rest, e);
    bool ok = m && conf_assign(c, m, rest, value, e);
    if (ok && m->sheet == &power_sheet && strcmp(rest, "table") == 0)
        ok = conf_load_table(c, value, NULL, e);
    free(name);
    free(value);
    return ok;
}

static bool check_regs(const struct conf *c, struct err *e)
{
    u64 width = 32 * c->sm.warp_words;
    if (c->ptx.max_regs * width <= c->sm.regs)
        return true;
    return err_set(e,
                   "front.max_regs: %" PRIu64 " registers for each of the %" PRIu64
                   " threads of a warp are more than sm.regs, %" PRIu64,
                   c->ptx.max_regs, width, c->sm.regs);
}

static bool check_caches(const struct conf *c, struct err *e)
{
    if (c->sm.coalesce == 0 && (c->l1d.sector || c->l1d.line != 128))
        return err_set(e, "sm.coalesce: line is for an L1D without sectors and with lines of 128 "
                          "bytes (l1d.sector, l1d.line); say sector");
    if (c->mem.l2_requests && (c->l2.sector || c->l2.line != 128))
        return err_set(e, "mem.l2_requests: whole is for an L2 without sectors and with lines of "
                          "128 bytes (l2.sector, l2.line)");
    return cache_conf_check(&c->l1i, &l1i_sheet, e) && cache_conf_check(&c->l1d, &l1d_sheet, e) &&
           cache_conf_check(&c->l1c, &l1c_sheet, e) && cache_conf_check(&c->l1t, &l1t_sheet, e) &&
           cache_conf_check(&c->l2, &l2_sheet, e);
}

static bool settle_caches(struct conf *c, struct err *e)
{
    return cache_conf_settle(&c->l1i, &l1i_sheet, e) && cache_conf_settle(&c->l1d, &l1d_sheet, e) &&
           cache_conf_settle(&c->l1c, &l1c_sheet, e) && cache_conf_settle(&c->l1t, &l1t_sheet, e) &&
           cache_conf_settle(&c->l2, &l2_sheet, e);
}

struct reg_limits conf_reg_limits(const struct conf *c)
{
    return (struct reg_limits){.per_thread = (u32)c->sm.max_regs_thread,
                               .per_sm = (u32)c->sm.regs,
                               .granule = (u32)c->sm.reg_granule,
                               .warp_threads = (u32)c->sm.warp_words * LANES,
                               .max_threads = (u32)c->sm.max_threads,
                               .max_ctas = (u32)c->sm.max_cta};
}

u64 conf_l2_bytes(const struct conf *c)
{
    return c->mem.channels * c->mem.slices * c->l2.sets * c->l2.ways * c->l2.line;
}

bool conf_check(const struct conf *c, struct err *e)
{
    return sm_conf_check(&c->sm, &c->op, e) && check_caches(c, e) &&
           noc_conf_check(&c->noc, c->gpu.n_sm, c->mem.channels * c->mem.slices, e) &&
           mem_conf_check(&c->mem, e) && addr_banks_check(&c->mem, c->dram.banks, e) &&
           dram_conf_check(&c->dram, e) && ptx_conf_check(&c->ptx, e) && check_regs(c, e);
}

bool conf_make(struct conf *c, const char *gpu, const char *const *set, u32 n_set, struct err *e)
{
    if (!conf_load(c, gpu, e))
        return false;
    bool ok = true;
    for (u32 i = 0; i < n_set && ok; i++)
        ok = conf_set(c, set[i], e) || err_at(e, "--set");
    if (ok && settle_caches(c, e) && conf_check(c, e))
        return true;
    conf_free(c);
    return false;
}

static void list_json(const struct sheet_list *l, struct json *j)
{
    json_row(j);
    for (u32 i = 0; i < l->n; i++)
        json_str(j, l->item[i]);
    json_arr_end(j);
}

struct json_visit {
    const struct conf *c;
    struct json *j;
};

static void key_json(const struct conf_key *k, void *user)
{
    const struct json_visit *v = user;
    const char *src = (const char *)const_part(v->c, k->module) + k->key->off;
    char name[2 * CONF_NAME], word[CONF_NAME];
    snprintf(name, sizeof(name), "%s.%s", k->module->sheet->module, k->key->name);
    json_key(v->j, name);
    switch (k->key->kind) {
    case KEY_IS_INT:
    case KEY_IS_SIZE:
        json_u64(v->j, *(const u64 *)(const void *)src);
        break;
    case KEY_IS_REAL:
        json_real(v->j, *(const double *)(const void *)src);
        break;
    case KEY_IS_ENUM:
        json_str(v->j, conf_show(v->c, k, word, sizeof(word)));
        break;
    case KEY_IS_STR:
    case KEY_IS_FILE:
        json_str(v->j, *(const char *const *)(const void *)src);
        break;
    case KEY_IS_LIST:
        list_json((const void *)src, v->j);
        break;
    }
}

void conf_json(const struct conf *c, struct json *j)
{
    json_obj(j);
    conf_each(key_json, &(struct json_visit){c, j});
    json_obj_end(j);
}
