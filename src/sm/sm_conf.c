#include "sm/sm_conf.h"

#include <inttypes.h>

#include "base/text.h"

#define SHEET sm
#define SHEET_DEF "sm/sm.def"
#define SHEET_DOC "streaming multiprocessor: warps, CTAs, registers, shared memory"
#include "base/sheet_table.inc"

bool sm_conf_check(const struct sm_conf *c, struct err *e)
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
