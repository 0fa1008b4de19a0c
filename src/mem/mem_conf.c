#include "mem/mem_conf.h"

#include <inttypes.h>

#include "base/text.h"
#include "mem/addr.h"

#define SHEET mem
#define SHEET_DEF "mem/mem.def"
#define SHEET_DOC "device memory: sizes, where things lie in it, and the way to it through L2"
#include "base/sheet_table.inc"

static bool check_addresses(const struct mem_conf *c, struct err *e)
{
    if (c->base % c->align)
        return err_set(e, "mem.base: 0x%" PRIX64 " is not a multiple of mem.align, %" PRIu64,
                       c->base, c->align);
    if (c->var_base >= c->base)
        return err_set(e, "mem.var_base: 0x%" PRIX64 " is not below mem.base, 0x%" PRIX64,
                       c->var_base, c->base);
    return true;
}

bool mem_conf_check(const struct mem_conf *c, struct err *e)
{
    char is[TEXT_NUMBER], limit[TEXT_NUMBER];
    if (c->align & (c->align - 1))
        return err_set(e, "mem.align: %" PRIu64 " is not a power of two", c->align);
    if (c->heap > c->size)
        return err_set(e, "mem.heap: %s is more than mem.size, %s",
                       text_show_size(c->heap, is, sizeof(is)),
                       text_show_size(c->size, limit, sizeof(limit)));
    return check_addresses(c, e) && addr_conf_check(c, e);
}
