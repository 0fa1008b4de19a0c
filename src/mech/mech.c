/* mech.c -- mechanisms by name, and arming their hooks */
#include "mech/mech.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/conf_dir.h"
#include "base/text.h"
#include "mem/cache_watch.h"

const struct mech *mech_find(const char *name, struct err *e)
{
    const char *names[MECH_LIST];
    u32 n;
    const struct mech *const *m = mech_list(&n);

    assert(n <= LEN(names));
    for (u32 i = 0; i < n; i++) {
        if (!strcmp(m[i]->name, name))
            return m[i];
        names[i] = m[i]->name;
    }
    err_no_such(e, name, names, n, "see smelt list mechanisms", "no mechanism '%s'", name);
    return NULL;
}

static bool set_keys(const struct mech *m, void *conf, const char *text, struct err *e)
{
    char **item;
    u32 n = text_split(text, &item);
    bool ok = true;

    for (u32 i = 0; i < n && ok; i++) {
        char *equals = strchr(item[i], '=');

        if (!equals)
            ok = err_set(e, "'%s' is not KEY=VALUE", item[i]);
        else
            *equals = 0, ok = sheet_set(m->sheet, conf, item[i], equals + 1, e);
    }
    text_split_free(item, n);
    return ok;
}

/* Is `name` one of the comma-separated words? */
static bool is_among(const char *words, const char *name)
{
    size_t n = strlen(name);

    for (; words && *words; words += strcspn(words, ","), words += *words == ',')
        if (!strncmp(words, name, n) && (!words[n] || words[n] == ','))
            return true;
    return false;
}

static bool combines(const struct mech_set *s, const struct mech *m, struct err *e)
{
    for (u32 i = 0; i < s->n; i++) {
        const struct mech *o = s->at[i].m;

        if (o == m)
            return err_set(e, "%s is there already", m->name);
        if (is_among(m->excludes, o->name) || is_among(o->excludes, m->name))
            return err_set(e, "%s does not go with %s: %s", m->name, o->name,
                           m->excludes && is_among(m->excludes, o->name) ? m->why_not : o->why_not);
    }
    return s->n < MAX_MECHS || err_set(e, "at most %u mechanisms are possible", MAX_MECHS);
}

static void free_conf(struct mech_use *u)
{
    if (u->m->unload)
        u->m->unload(u->conf);
    sheet_free(u->m->sheet, u->conf);
    free(u->conf);
}

bool mech_add(struct mech_set *s, const char *text, struct err *e)
{
    size_t len = strcspn(text, ":");
    char *name = text_dup_n(text, len);
    const struct mech *m = mech_find(name, e);

    free(name);
    if (!m || !combines(s, m, e))
        return err_at(e, "-m %s", text);
    assert(m->alone || !(m->on_plan || m->on_chip_plan || m->on_bind));
    struct mech_use *u = &s->at[s->n];

    u->m = m;
    u->conf = xcalloc(1, m->conf_size + 1);
    sheet_defaults(m->sheet, u->conf);
    if (!set_keys(m, u->conf, text[len] ? text + len + 1 : "", e) ||
        (m->load && !m->load(u->conf, e))) {
        free_conf(u);
        return err_at(e, "-m %s", text);
    }
    u->text = text_dup(text);
    s->n++;
    return true;
}

/* "key=value", the value from the root if it is a path; there a comma would end it. */
static char *absolute_item(const struct mech *m, const char *item)
{
    size_t n = strcspn(item, "=");
    char *key = text_dup_n(item, n), *path = text_dup(item[n] ? item + n + 1 : "");
    const struct key *k = sheet_find(m->sheet, key);

    if (k && k->kind == KEY_IS_FILE && conf_dir_is_path(path))
        text_absolute(&path);
    char *out = strchr(path, ',') || !item[n] ? text_dup(item) : text_printf("%s=%s", key, path);

    free(key), free(path);
    return out;
}

void mech_absolute(char **text)
{
    size_t len = strcspn(*text, ":");
    char *out = text_dup_n(*text, len), **item;
    struct err e;
    const struct mech *m = mech_find(out, &e);
    u32 n = m && (*text)[len] ? text_split(*text + len + 1, &item) : 0;

    for (u32 i = 0; i < n; i++) {
        char *one = absolute_item(m, item[i]), *longer;

        longer = text_printf("%s%c%s", out, i ? ',' : ':', one);
        free(out), free(one);
        out = longer;
    }
    if (n) {
        text_split_free(item, n);
        free(*text);
        *text = out;
    } else {
        free(out);
    }
}

/* The shapes that mechanisms from i on may make of this one. */
static bool shapes_fit(const struct mech_set *s, u32 i, const struct shape *from,
                       const struct mech_gpu *gpu, struct err *e)
{
    const struct shape_of of = {gpu->sm, gpu->l1i, gpu->l1c, gpu->l1t};
    struct shape to = *from;

    if (i == s->n)
        return true;
    const struct mech_use *u = &s->at[i];

    for (u32 k = 0; u->m->shape && u->m->shape(u->conf, k, &to); k++, to = *from)
        if (!shape_check(&to, &of, e))
            return err_at(e, "-m %s", u->text);
        else if (!shapes_fit(s, i + 1, &to, gpu, e))
            return false;
    return shapes_fit(s, i + 1, from, gpu, e);
}

bool mech_fit(const struct mech_set *s, const struct mech_gpu *gpu, struct err *e)
{
    for (u32 i = 0; i < s->n; i++) {
        const struct mech_use *u = &s->at[i];

        if (u->m->one_path && gpu->sm->thread_scheduling)
            return err_set(e,
                           "-m %s: %s moves warps with one SIMT stack each, not paths of a warp on "
                           "their own (sm.thread_scheduling=stack)",
                           u->text, u->m->name);
        if (u->m->fits && !u->m->fits(u->conf, gpu, e))
            return err_at(e, "-m %s", u->text);
    }
    struct shape keys;

    shape_of_keys(&keys, gpu->sm, gpu->l1d);
    return shapes_fit(s, 0, &keys, gpu, e);
}

u32 mech_active_sms(const struct mech_set *s, u32 n_sm)
{
    u32 least = n_sm;

    for (u32 i = 0; i < s->n; i++) {
        const struct mech_use *u = &s->at[i];
        u32 n = u->m->active_sms ? u->m->active_sms(u->conf, n_sm) : n_sm;

        least = n < least ? n : least;
    }
    return least;
}

bool mech_reorders(const struct mech_set *s)
{
    for (u32 i = 0; i < s->n; i++)
        if (s->at[i].m->reorders)
            return true;
    return false;
}

static void free_state(const struct mech_set *s, struct mech_use *u)
{
    for (u32 k = 0; u->state && u->m->drop && k < s->machine.n_sm; k++)
        u->m->drop(u->state + k * u->m->size);
    free(u->state);
}

void mech_free(struct mech_set *s)
{
    for (u32 i = 0; i < s->n; i++) {
        free_state(s, &s->at[i]);
        free_conf(&s->at[i]);
        free(s->at[i].text);
    }
    memset(s, 0, sizeof *s);
}

static void listen(struct sm *sm, u32 hook, void (*call)(void *, struct sm *, u32), void *self)
{
    if (!call)
        return;
    sm->hooks.armed |= 1u << hook;
    sm->hooks.at[hook][sm->hooks.n[hook]++] = (struct listener){call, self};
}

/*
 * The states of a mechanism; attached anew after a failed launch, it counts on in that of the first
 * SM.
 */
static void make_state(struct mech_set *s, u32 i)
{
    struct mech_use *u = &s->at[i];
    const struct mech *m = u->m;
    size_t part = align_up(s->machine.n_sm * m->size, 16);
    size_t chip = align_up(part + s->machine.n_partition * m->partition.size, 16);
    void *stat = xcalloc(1, m->stat_size + 1);

    if (u->state)
        mech_count(s, i, stat);
    free_state(s, u);
    u->state = xcalloc(1, chip + m->chip.size + 1);
    u->partition = u->state + part, u->chip = u->state + chip;
    memcpy(u->state + m->stat, stat, m->stat_size);
    free(stat);
}

static void attach_sm(const struct mech_use *u, u32 number, struct sm *sm, u8 *self)
{
    const struct mech *m = u->m;
    struct cache *l1[] = {&sm->mu->l1d, &sm->mu->l1c, &sm->mu->l1t, &sm->front->own_l1i};

    memcpy(self + m->conf, u->conf, m->conf_size);
    if (m->timer0)
        *(u32 *)(void *)(self + m->timer0) = number * MECH_TIMERS;
#define H(name) listen(sm, HOOK_##name, m->on_##name, self);
    HOOKS(H)
#undef H
    sm_watch(sm);
    cache_listen(&sm->mu->l1d, ON_route, m->on_l1_route, self);
    for (u32 k = 0; k < LEN(l1); k++) {
#define H(name) cache_listen(l1[k], ON_##name, m->on_l1_##name, self);
        CACHE_HOOKS(H)
#undef H
    }
}

static void attach_partition(const struct mech_use *u, struct partition *p, u8 *self)
{
    const struct mech *m = u->m;

    if (m->partition.size)
        memcpy(self + m->partition.conf, u->conf, m->conf_size);
    partition_watch(p);
#define H(name) partition_listen(p, ON_##name, m->on_l2_##name, self);
    CACHE_HOOKS(H)
#undef H
}

void mech_attach(struct mech_set *s, struct sm *sm, u32 n_sm, struct partition *const *part,
                 u32 n_partition)
{
    s->has_edge = false;
    for (u32 i = 0; i < s->n; i++) {
        const struct mech_use *u = &s->at[i];
        const struct mech *m = u->m;

        s->machine = (struct mech_chip){
            .sm = sm, .n_sm = n_sm, .partition = part, .n_partition = n_partition};
        make_state(s, i);
        for (u32 k = 0; k < n_sm; k++)
            attach_sm(u, i, &sm[k], u->state + k * m->size);
        for (u32 k = 0; k < n_partition; k++)
            attach_partition(u, part[k], u->partition + k * m->partition.size);
        if (m->chip.size)
            memcpy(u->chip + m->chip.conf, u->conf, m->conf_size);
        s->has_edge |= m->on_chip_edge != NULL;
    }
}

/* ---- stall reasons */

static struct stat_row stall_row(const struct mech *m, u32 number)
{
    return (struct stat_row){.name = m->name,
                             .off = offsetof(struct stall_stat, held[number]),
                             .over = STAT_NONE,
                             .unit = "cycles",
                             .doc = m->holds ? m->holds : "warps are held",
                             .rare = true};
}

const struct sheet *mech_stall_sheet(struct mech_stalls *s)
{
    u32 n, k = 0;
    const struct mech *const *m = mech_list(&n);

    assert(n <= MECH_LIST);
    for (u32 i = 0; i < n; i++)
        if (m[i]->holds)
            s->row[k++] = stall_row(m[i], 0);
    s->sheet = (struct sheet){.module = "stall", .doc = "held warps", .stat = s->row, .n_stat = k};
    return &s->sheet;
}

struct stat_row mech_stall(const struct mech_set *s, u32 reason)
{
    return reason < STALL_held ? stall_sheet.stat[reason]
                               : stall_row(s->at[reason - STALL_held].m, reason - STALL_held);
}

/* What mechanism u sees. */
static struct mech_chip chip_of(const struct mech_set *s, const struct mech_use *u, u64 now)
{
    struct mech_chip c = s->machine;

    c.now = now;
    c.sm_state = u->state, c.partition_state = u->partition;
    return c;
}

bool mech_is_alone(const struct mech_set *s)
{
    for (u32 i = 0; i < s->n; i++)
        if (s->at[i].m->alone)
            return true;
    return false;
}

bool mech_keeps_apart(const struct mech_set *s)
{
    for (u32 i = 0; i < s->n; i++)
        if (s->at[i].m->apart)
            return true;
    return false;
}

void mech_plan_launch(const struct mech_set *s, struct plan *p)
{
    for (u32 i = 0; i < s->n; i++) {
        if (s->at[i].m->on_plan)
            s->at[i].m->on_plan(s->at[i].conf, p);
        if (s->at[i].m->on_chip_plan)
            s->at[i].m->on_chip_plan(s->at[i].chip, p);
    }
}

void mech_bind_groups(struct mech_set *s, struct group *g, u32 n_group)
{
    for (u32 i = 0; i < s->n; i++) {
        const struct mech_use *u = &s->at[i];

        for (u32 k = 0; k < n_group && u->m->on_bind; k++)
            u->m->on_bind(u->state + g[k].sm[0]->id * u->m->size, &g[k]);
    }
}

void mech_begin(struct mech_set *s, u64 now)
{
    for (u32 i = 0; i < s->n; i++) {
        const struct mech_use *u = &s->at[i];
        const struct mech *m = u->m;
        struct mech_chip c = chip_of(s, u, now);

        for (u32 k = 0; k < c.n_partition && m->on_partition_begin; k++)
            m->on_partition_begin(u->partition + k * m->partition.size, c.partition[k]);
        if (m->on_chip_begin)
            m->on_chip_begin(u->chip, &c);
    }
}

void mech_edge(struct mech_set *s, u64 now)
{
    for (u32 i = 0; i < s->n; i++) {
        const struct mech_use *u = &s->at[i];
        struct mech_chip c = chip_of(s, u, now);

        if (u->m->on_chip_edge)
            u->m->on_chip_edge(u->chip, &c);
    }
}

void mech_count(const struct mech_set *s, u32 i, void *stat)
{
    const struct mech_use *u = &s->at[i];
    const struct mech *m = u->m;

    if (!u->state)
        return;
    for (u32 k = 0; k < s->machine.n_sm; k++)
        sheet_add(m->sheet, stat, u->state + k * m->size + m->stat);
    for (u32 k = 0; k < s->machine.n_partition && m->partition.size; k++)
        sheet_add(m->sheet, stat, u->partition + k * m->partition.size + m->partition.stat);
    if (m->chip.size)
        sheet_add(m->sheet, stat, u->chip + m->chip.stat);
}

/* Of the events of one mechanism, how often each has happened, by its counters. */
static void add_events(const struct mech_use *u, const void *stat, u64 *n)
{
    struct mech_event event[MECH_EVENTS];
    u32 n_event = u->m->events(u->conf, NULL, event);

    assert(n_event <= MECH_EVENTS);
    for (u32 e = 0; e < n_event; e++)
        n[e] += *(const u64 *)(const void *)((const u8 *)stat + event[e].stat);
}

void mech_count_charged_sm(const struct mech_set *s, u32 sm, struct mech_charged *c)
{
    for (u32 i = 0; i < s->n; i++) {
        const struct mech *m = s->at[i].m;

        if (m->events)
            add_events(&s->at[i], s->at[i].state + sm * m->size + m->stat, c->n[i]);
    }
}

void mech_count_charged_chip(const struct mech_set *s, struct mech_charged *c)
{
    for (u32 i = 0; i < s->n; i++) {
        const struct mech_use *u = &s->at[i];
        const struct mech *m = u->m;

        for (u32 k = 0; k < s->machine.n_partition && m->events && m->partition.size; k++)
            add_events(u, u->partition + k * m->partition.size + m->partition.stat, c->n[i]);
        if (m->events && m->chip.size)
            add_events(u, u->chip + m->chip.stat, c->n[i]);
    }
}
