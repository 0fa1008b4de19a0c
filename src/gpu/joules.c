/* joules.c -- see joules.h */
#include "gpu/joules.h"

#include "power/geometry.h"

struct power_conf joules_table(const struct conf *conf)
{
    struct power_conf p = conf->power;

    geometry_apply(&p, &(struct geometry){.sm = &conf->sm,
                                          .l1i = &conf->l1i,
                                          .l1d = &conf->l1d,
                                          .l1c = &conf->l1c,
                                          .l1t = &conf->l1t,
                                          .l2 = &conf->l2,
                                          .n_slice = conf->mem.channels * conf->mem.slices});
    return p;
}

struct mech_cost_of joules_cost_of(const struct conf *conf, const struct power_conf *table)
{
    struct mech_cost_of of = {.sm = &conf->sm,
                              .n_sm = conf->gpu.n_sm,
                              .e_scoreboard = table->e_scoreboard,
                              .e_noc_bit = table->e_noc_flit / (8 * (double)conf->noc.flit_bytes)};

#define COMPONENT(name, per, doc)                                                                  \
    of.area_mm2[COMP_##name] = table->area_##name, of.leak_mw[COMP_##name] = table->leak_##name;
#include "sm/component.def"
    return of;
}

/* What mechanisms say of themselves. */
static void add_mechs(struct energy_input *i, const struct mech_cost_of *of,
                      const struct mech_set *mechs, const struct mech_charged *charged)
{

    for (u32 k = 0; k < mechs->n; k++) {
        const struct mech_use *u = &mechs->at[k];
        struct mech_event event[MECH_EVENTS];
        u32 n = u->m->events ? u->m->events(u->conf, of, event) : 0;

        if (u->m->power)
            u->m->power(u->conf, of, &i->mech_dynamic_w, &i->mech_static_w);
        for (u32 e = 0; e < n; e++)
            i->mech_pj[event[e].component] += (double)charged->n[k][e] * event[e].pj;
    }
}

void joules_of(const struct conf *conf, const struct mech_set *mechs, const struct counters *c,
               struct energy *e)
{
    struct energy_input i = {
        .ptx = &c->ptx,
        .sm = &c->sm,
        .ops = &c->ops,
        .l1i = &c->l1i,
        .l1d = &c->l1d,
        .l1c = &c->l1c,
        .l1t = &c->l1t,
        .l2 = &c->l2,
        .dram = &c->dram,
        .request = &c->request,
        .reply = &c->reply,
        .cycles = c->chip_cycles,
        .core_mhz = conf->gpu.core_mhz,
        .n_sm = conf->gpu.n_sm,
        .n_port = conf->gpu.n_sm + conf->mem.channels * conf->mem.slices,
        .machine = &conf->sm,
    };

    const struct power_conf table = joules_table(conf);
    const struct mech_cost_of of = joules_cost_of(conf, &table);

    add_mechs(&i, &of, mechs, &c->charged);
    energy_compute(e, &table, &i);
}

void joules_add(struct energy *to, const struct energy *from)
{
    for (u32 c = 0; c < N_COMPONENT; c++) {
        to->part[c].dynamic_j += from->part[c].dynamic_j;
        to->part[c].static_j += from->part[c].static_j;
        to->part[c].gating_j += from->part[c].gating_j;
        to->part[c].base_j += from->part[c].base_j;
    }
    for (u32 k = 0; k < N_OP_KIND; k++)
        to->kind_j[k] += from->kind_j[k];
    to->no_front_j += from->no_front_j;
    to->seconds += from->seconds;
}

static void put(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_real(j, v);
}

static void put_part(struct json *j, u32 c, const struct energy_part *p)
{
    json_key(j, component_name[c]);
    json_obj(j);
    if (c != COMP_idle_sm && c != COMP_constant) {
        put(j, "dynamic_j", p->dynamic_j);
        put(j, "static_j", p->static_j);
        put(j, "gating_j", p->gating_j);
    }
    put(j, "base_j", p->base_j);
    json_obj_end(j);
}

void joules_json(const struct energy *e, struct json *j)
{
    json_key(j, "energy");
    json_obj(j);
    for (u32 c = 0; c < N_COMPONENT; c++)
        put_part(j, c, &e->part[c]);
    json_obj_end(j);
}

void joules_kinds_json(const struct energy *e, struct json *j)
{
    json_key(j, "energy_by_class");
    json_obj(j);
    for (u32 k = 0; k < N_OP_KIND; k++)
        if (e->kind_j[k] > 0)
            put(j, ops_sheet.stat[k].name, e->kind_j[k]);
    json_obj_end(j);
}

double joules_power(const struct energy *e, double joules)
{
    return e->seconds > 0 ? joules / e->seconds : 0;
}
