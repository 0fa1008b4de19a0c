/* front_conf.h -- the keys of the front end (PTX to machine code), from ptx/front.def, and what it
 * has to know of the GPU. */
#ifndef PTX_FRONT_CONF_H
#define PTX_FRONT_CONF_H

#include "base/sheet.h"

#define SHEET_DEF "ptx/front.def"
struct front_conf {
#include "base/sheet_fields.inc"
};

/* What the interpreter counts. */
#define SHEET_DEF "ptx/front.def"
struct front_stat {
#include "base/sheet_stats.inc"
};

extern const struct sheet front_sheet;

/* Keys whose text has a grammar of its own: "front.regs: .." on failure. */
bool front_conf_check(const struct front_conf *c, struct err *e);

/* What front.regs says about a kernel, 0 if nothing.  The conf has passed the check. */
u32 front_conf_regs(const struct front_conf *c, const char *kernel);

/* What a GPU has in registers, and whom they are for: see conf_reg_limits. */
struct reg_limits {
    u32 per_thread;            /* no thread has more */
    u32 per_sm, granule;       /* a thread gets multiples of granule */
    u32 warp_threads;          /* registers are given to whole warps */
    u32 max_threads, max_ctas; /* of an SM */
};

#endif
