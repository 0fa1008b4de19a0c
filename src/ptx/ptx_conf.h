/*
 * ptx_conf.h -- the keys front.*, by which PTX becomes machine code (ptx.def), and what lowering has to
 * know of the GPU.
 */
#ifndef PTX_PTX_CONF_H
#define PTX_PTX_CONF_H

#include "base/sheet.h"

#define SHEET_DEF "ptx/ptx.def"
struct ptx_conf {
#include "base/sheet_fields.inc"
};

/* What the interpreter counts. */
#define SHEET_DEF "ptx/ptx.def"
struct ptx_stat {
#include "base/sheet_stats.inc"
};

extern const struct sheet ptx_sheet;

/* Keys whose text has a grammar of its own: "front.regs: .." on failure. */
bool ptx_conf_check(const struct ptx_conf *c, struct err *e);

/* What front.regs says about a kernel, 0 if nothing.  The conf has passed the check. */
u32 ptx_conf_regs(const struct ptx_conf *c, const char *kernel);

/* What a GPU has in registers, and whom they are for: see conf_reg_limits. */
struct reg_limits {
    u32 per_thread;            /* no thread has more */
    u32 per_sm, granule;       /* a thread gets multiples of granule */
    u32 warp_threads;          /* registers are given to whole warps */
    u32 max_threads, max_ctas; /* of an SM */
};

#endif
