/* geometry.c -- see geometry.h */
#include "power/geometry.h"

#include <math.h>

struct array {
    u64 bytes, ways, banks;
};

/*
 * x to the y, for y of 0 to 2: a product of square roots, so that every machine computes the same
 * bits.
 */
static double power_of(double x, double y)
{
    double result = 1;

    for (; y >= 1; y--)
        result *= x;
    for (u32 bit = 0; bit < 40; bit++) {
        x = sqrt(x), y *= 2;
        if (y >= 1)
            result *= x, y--;
    }
    return result;
}

/* A reference of 0 bytes: the figure is the table's at any size. */
static double size_factor(double bytes, double ref, double exponent)
{
    return ref > 0 && bytes > 0 ? power_of(bytes / ref, exponent) : 1;
}

static double tag_factor(const struct power_conf *p, u64 line, u64 ways, u64 ref_ways)
{
    double bits = 8 * (double)line;

    return ref_ways ? (bits + (double)ways * p->tag_bits) / (bits + (double)ref_ways * p->tag_bits)
                    : 1;
}

static double energy_factor(const struct power_conf *p, struct array is, struct array ref, u64 line)
{
    double bank = (double)is.bytes / (double)is.banks;
    double ref_bank = (double)ref.bytes / (double)ref.banks;

    return size_factor(bank, ref_bank, p->energy_exponent) * tag_factor(p, line, is.ways, ref.ways);
}

static u64 cache_bytes(const struct cache_conf *c)
{
    return c->sets * c->ways * c->line;
}

static struct array array_of(const struct cache_conf *c)
{
    return (struct array){cache_bytes(c), c->ways, c->banks};
}

static void scale_energies(struct power_conf *p, const struct geometry *g)
{
    const struct sm_conf *sm = g->sm;
    struct array registers = {4 * sm->regs, 0, sm->banks * sm->sub_cores};
    struct array shared = {sm->shared, 0, sm->smem_banks};

#define REF(name) ((struct array){p->ref_##name, p->ref_##name##_ways, p->ref_##name##_banks})
#define CACHE(name, conf) energy_factor(p, array_of(conf), REF(name), (conf)->line)
    double icache = CACHE(icache, g->l1i), l1d = CACHE(l1d, g->l1d), l2 = CACHE(l2, g->l2);
    double constant = CACHE(const_cache, g->l1c), texture = CACHE(tex_cache, g->l1t);
    double regfile = energy_factor(p, registers, REF(regfile), 0);
    double smem = energy_factor(p, shared, REF(shared), 0);
#undef CACHE
#undef REF

    p->e_icache_hit *= icache, p->e_icache_miss *= icache;
    p->e_reg_read *= regfile, p->e_reg_write *= regfile;
    p->e_l1_read_hit *= l1d, p->e_l1_read_miss *= l1d;
    p->e_l1_write_hit *= l1d, p->e_l1_write_miss *= l1d;
    p->e_shared *= smem;
    p->e_const_hit *= constant, p->e_const_miss *= constant;
    p->e_tex_hit *= texture, p->e_tex_miss *= texture;
    p->e_l2_read_hit *= l2, p->e_l2_read_miss *= l2, p->e_l2_write_hit *= l2;
    p->e_l2_write_miss *= l2, p->e_l2_write_sector *= l2;
}

static void scale_leakage(struct power_conf *p, const struct geometry *g)
{
    u64 icache = cache_bytes(g->l1i), regfile = 4 * g->sm->regs;
    u64 l1_shared = cache_bytes(g->l1d) + g->sm->shared;
    u64 const_cache = cache_bytes(g->l1c), tex_cache = cache_bytes(g->l1t);
    u64 l2 = g->n_slice * cache_bytes(g->l2);

#define STORE(component, size)                                                                     \
    {                                                                                              \
        double f =                                                                                 \
            size_factor((double)component, (double)p->leak_ref_##component, p->leak_exponent);     \
        p->leak_##component *= f, p->area_##component *= f;                                        \
    }
#include "power/array.def"
}

void geometry_apply(struct power_conf *p, const struct geometry *g)
{
    scale_energies(p, g);
    scale_leakage(p, g);
}
