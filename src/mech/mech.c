/* mech.c -- the list of mechanisms, and arming their hooks */
#include "mech/mech.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define MECH(name) extern const struct mech mech_##name;
#define SCHED(name)
#include "mech/list.def"

static const struct mech *const mechs[] = {
#define MECH(name) &mech_##name,
#define SCHED(name)
#include "mech/list.def"
};

const struct mech *const *mech_list(u32 *n)
{
    *n = LEN(mechs);
    return mechs;
}

const struct mech *mech_find(const char *name, struct err *e)
{
    const char *names[LEN(mechs)];

    for (u32 i = 0; i < LEN(mechs); i++) {
        if (!strcmp(mechs[i]->name, name))
            return mechs[i];
        names[i] = mechs[i]->name;
    }
    err_no_such(e, name, names, LEN(mechs), "see smelt list mechanisms", "no mechanism '%s'", name);
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

bool mech_add(struct mech_set *s, const char *text, struct err *e)
{
    size_t len = strcspn(text, ":");
    char *name = text_dup_n(text, len);
    const struct mech *m = mech_find(name, e);

    free(name);
    if (!m || !combines(s, m, e))
        return err_at(e, "-m %s", text);
    struct mech_use *u = &s->at[s->n];

    u->m = m;
    u->conf = xcalloc(1, m->conf_size + 1);
    sheet_defaults(m->sheet, u->conf);
    if (!set_keys(m, u->conf, text[len] ? text + len + 1 : "", e)) {
        sheet_free(m->sheet, u->conf);
        free(u->conf);
        return err_at(e, "-m %s", text);
    }
    u->text = text_dup(text);
    s->n++;
    return true;
}

bool mech_fit(const struct mech_set *s, const struct mech_gpu *gpu, struct err *e)
{
    for (u32 i = 0; i < s->n; i++) {
        const struct mech_use *u = &s->at[i];

        if (u->m->fits && !u->m->fits(u->conf, gpu, e))
            return err_at(e, "-m %s", u->text);
    }
    return true;
}

void mech_free(struct mech_set *s)
{
    for (u32 i = 0; i < s->n; i++) {
        sheet_free(s->at[i].m->sheet, s->at[i].conf);
        free(s->at[i].conf), free(s->at[i].text), free(s->at[i].state);
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

void mech_attach(struct mech_set *s, struct sm *sm, u32 n_sm)
{
    s->n_sm = n_sm;
    for (u32 i = 0; i < s->n; i++) {
        const struct mech *m = s->at[i].m;

        u8 *old = s->at[i].state;

        s->at[i].state = xcalloc(n_sm, m->size);
        for (u32 k = 0; k < n_sm; k++) {
            u8 *self = s->at[i].state + k * m->size;

            memcpy(self + m->conf, s->at[i].conf, m->conf_size);
            *(u32 *)(void *)(self + m->timer0) = i * MECH_TIMERS;
            if (old) /* attached anew after a failed launch: it counts on */
                memcpy(self + m->stat, old + k * m->size + m->stat, m->stat_size);
#define H(name) listen(&sm[k], HOOK_##name, m->on_##name, self);
            HOOKS(H)
#undef H
        }
        free(old);
    }
}

void mech_count(const struct mech_set *s, u32 i, void *stat)
{
    const struct mech *m = s->at[i].m;

    for (u32 k = 0; k < s->n_sm && s->at[i].state; k++)
        sheet_add(m->sheet, stat, s->at[i].state + k * m->size + m->stat);
}

void mech_count_charged(const struct mech_set *s, struct mech_charged *c)
{
    memset(c, 0, sizeof *c);
    for (u32 i = 0; i < s->n; i++) {
        const struct mech_use *u = &s->at[i];
        struct mech_event event[MECH_EVENTS];
        u32 n = u->m->events && u->state ? u->m->events(u->conf, event) : 0;

        assert(n <= MECH_EVENTS);
        for (u32 k = 0; k < s->n_sm; k++)
            for (u32 e = 0; e < n; e++) {
                const u8 *stat = u->state + k * u->m->size + u->m->stat + event[e].stat;

                c->n[i][e] += *(const u64 *)(const void *)stat;
            }
    }
}
