/* sm_conf.c -- keys of an SM that only make sense together */
#include "sm/sm_conf.h"

#include <inttypes.h>

#include "base/text.h"
#include "sm/front/front.h"
#include "sm/front/sched.h"

static bool check_size(const struct sm_conf *c, struct err *e)
{
    char is[TEXT_NUMBER], limit[TEXT_NUMBER];
    u64 width = 32 * c->warp_words;

    if (c->max_threads < width)
        return err_set(e,
                       "sm.max_threads: %" PRIu64 " is less than one warp of %" PRIu64
                       " threads (32 * sm.warp_words)",
                       c->max_threads, width);
    if (c->shared_granule & (c->shared_granule - 1))
        return err_set(e, "sm.shared_granule: %" PRIu64 " is not a power of two",
                       c->shared_granule);
    if (c->shared_granule > c->shared)
        return err_set(e, "sm.shared_granule: %s is more than sm.shared, %s",
                       text_show_size(c->shared_granule, is, sizeof(is)),
                       text_show_size(c->shared, limit, sizeof(limit)));
    return true;
}

static bool check_front(const struct sm_conf *c, struct err *e)
{
    if (!sched_find(c->scheduler, e))
        return err_at(e, "sm.scheduler");
    if (c->schedulers % c->sub_cores)
        return err_set(e, "sm.sub_cores: %" PRIu64 " do not divide the %" PRIu64 " sm.schedulers",
                       c->sub_cores, c->schedulers);
    if (c->inst_bytes & (c->inst_bytes - 1))
        return err_set(e, "sm.inst_bytes: %" PRIu64 " is not 4, 8 or 16", c->inst_bytes);
    return true;
}

/* Paths of a warp have registers of their own, into which no atomic may be answered when it has changed. */
static bool check_paths(const struct sm_conf *c, struct err *e)
{
    if (!c->thread_scheduling)
        return true;
    if (c->warp_words > 1)
        return err_set(e,
                       "sm.thread_scheduling: independent is for warps of 32 lanes, not of "
                       "sm.warp_words %" PRIu64,
                       c->warp_words);
    if (!c->atom_blocks)
        return err_set(e, "sm.thread_scheduling: independent does not go with sm.atom_blocks off");
    return true;
}

static bool check_collectors(const struct sm_conf *c, struct err *e)
{
    u64 n = c->cu_any ? c->cu_any : c->cu_sp + c->cu_sfu + c->cu_dp + c->cu_mem + c->cu_tensor;

    if (!c->cu_any && (!c->cu_sp || !c->cu_sfu || !c->cu_mem || (c->dp_units && !c->cu_dp) ||
                       (c->tensor_units && !c->cu_tensor)))
        return err_set(e, "sm.%s: 0 units, but instructions need them (or sm.cu_any)",
                       !c->cu_sp                  ? "cu_sp"
                       : !c->cu_sfu               ? "cu_sfu"
                       : !c->cu_mem               ? "cu_mem"
                       : c->dp_units && !c->cu_dp ? "cu_dp"
                                                  : "cu_tensor");
    if (n > 31)
        return err_set(e,
                       "sm.cu_sp, cu_sfu, cu_dp, cu_mem, cu_tensor: %" PRIu64
                       " collector units together; at most 31 are possible",
                       n);
    if (c->sp_clusters * (c->sp_split ? 3 : 1) + c->sfu_units + c->dp_units + c->tensor_units > 16)
        return err_set(e, "sm.sp_clusters, sfu_units, dp_units, tensor_units: more than 16 "
                          "pipelines in a sub-core");
    return true;
}

static bool check_classes(const struct sm_conf *c, const struct op_conf *op, struct err *e)
{
    u64 passes = (32 * c->warp_words + c->simd_width - 1) / c->simd_width;

#define OPCLASS(class, name, unit, lat, ii, what)                                                  \
    if (op->name##_unit == 2 && !c->dp_units)                                                      \
        return err_set(e, "op." #name "_unit: dp, but sm.dp_units is 0");                          \
    if (op->name##_ii * passes > 1000 || op->name##_lat + passes * op->name##_ii > 1000)           \
        return err_set(e,                                                                          \
                       "op." #name "_ii, op." #name "_lat: more than 1000 cycles for a warp of "   \
                       "%" PRIu64 " lanes on sm.simd_width %" PRIu64,                              \
                       32 * c->warp_words, c->simd_width);
#include "sm/opclass.def"
    return true;
}

/* The longest instruction of each rate, see isa/mma.h. */
static bool check_tensor(const struct sm_conf *c, const struct op_conf *op, struct err *e)
{
    const struct {
        const char *name;
        u64 rate, most;
    } row[] = {
        {"f16", op->mma_f16, 2048}, {"tf32", op->mma_tf32, 1024}, {"f64", op->mma_f64, 256},
        {"x8", op->mma_x8, 4096},   {"x4", op->mma_x4, 8192},     {"b1", op->mma_b1, 32768},
    };

    for (size_t i = 0; i < LEN(row); i++)
        if ((row[i].most + row[i].rate - 1) / row[i].rate * c->warp_words > 1000)
            return err_set(
                e, "op.mma_%s: more than 1000 cycles for an instruction of %" PRIu64 " lanes",
                row[i].name, 32 * c->warp_words);
    return true;
}

bool sm_conf_check(const struct sm_conf *c, const struct op_conf *op, struct err *e)
{
    return check_size(c, e) && check_front(c, e) && check_paths(c, e) && check_collectors(c, e) &&
           check_classes(c, op, e) && check_tensor(c, op, e);
}
