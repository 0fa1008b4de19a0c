/*
 * socgpu.c -- SOCGPU: instructions of a warp are issued out of order, without renaming.
 *
 * "Improving instruction scheduling in GPGPUs" (R. Huerta, master thesis, UPC Barcelona, 2022).  Each
 * warp has a buffer of `entries` instructions and a matrix of as many rows that says which must wait
 * for which; it takes the place of the scoreboard, WAR included.  One ready instruction of each warp
 * is the candidate that the scheduler of the SM sees.  See socgpu.h for what is where.
 */
#include "mech/socgpu.h"

#include "base/text.h"

#define SHEET socgpu
#define SHEET_DEF "mech/socgpu.def"
#define SHEET_DOC "SOCGPU: out-of-order issue within a warp"
extern const struct sheet socgpu_sheet;
#include "base/sheet_table.inc"

static bool window_fits(const void *conf, const struct mech_gpu *gpu, struct err *e)
{
    const struct socgpu_conf *c = conf;

    if (c->refill > c->entries)
        return err_set(e, "refill is above entries: such a buffer would never be filled");
    if (c->dual == DUAL_SMART && gpu->sm->issue_width < 2)
        return err_set(e, "dual=smart needs sm.issue_width=2, as GPU socgpu has it");
    return true;
}

static void on_kernel_begin(void *self, struct sm *sm, u32 arg)
{
    struct socgpu *g = self;
    struct front *fe = sm->front;

    (void)arg;
    fe->depend = g->conf.dual == DUAL_SMART ? &socgpu_depend_smart : &socgpu_depend;
    fe->depend_own = g;
    fe->issue_width = g->conf.dual == DUAL_OFF ? 1 : (u8)fe->conf->issue_width;
    if (!g->windows)
        windows_make(g);
}

static void drop_windows(void *self)
{
    struct socgpu *g = self;

    VEC_FREE(&g->overtakers);
    windows_free(g);
}

/*
 * Section 6.2, of a warp: 11375.72 um2 for issue in place of 2234.79, 1553.4 uW in place of 1104, as
 * Design Compiler has them.  The thesis adds that power to the baseline's, whatever is issued.
 */
static double issue_mm2(const void *conf, const struct mech_cost_of *of)
{
    (void)conf;
    return (double)of->sm->n_warp * (11375.72 - 2234.79) * 1e-6;
}

static void issue_power(const void *conf, const struct mech_cost_of *of, double *dynamic_w,
                        double *static_w)
{
    (void)conf, (void)dynamic_w;
    *static_w += (double)of->sm->n_warp * (1553.4 - 1104) * 1e-6;
}

const struct mech mech_socgpu = {
    .name = "socgpu",
    .doc = "SOCGPU: out-of-order issue within a warp by a dependence matrix",
    .sheet = &socgpu_sheet,
    .size = sizeof(struct socgpu),
    .conf = offsetof(struct socgpu, conf),
    .stat = offsetof(struct socgpu, st),
    .conf_size = sizeof(struct socgpu_conf),
    .stat_size = sizeof(struct socgpu_stat),
    .apart = true, /* windows name instructions by their pc in the code of the SM's kernel */
    .one_path = true,
    .reorders = true,
    .excludes = "bind",
    .why_not = "members of a lock step follow one scoreboard, and socgpu has none",
    .area_mm2 = issue_mm2,
    .power = issue_power,
    .drop = drop_windows,
    .fits = window_fits,
    .on_kernel_begin = on_kernel_begin,
};
