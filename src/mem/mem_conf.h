/* mem_conf.h -- the keys of device memory, from mem/mem.def. */
#ifndef MEM_MEM_CONF_H
#define MEM_MEM_CONF_H

#include "base/sheet.h"

#define SHEET_DEF "mem/mem.def"
struct mem_conf {
#include "base/sheet_fields.inc"
};

extern const struct sheet mem_sheet;

/* Keys that only make sense together: "mem.align: .." on failure. */
bool mem_conf_check(const struct mem_conf *c, struct err *e);

#endif
