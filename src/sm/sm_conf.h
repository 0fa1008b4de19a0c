/* sm_conf.h -- the keys of an SM (sm/sm.def), of its operations (sm/opclass.def), and its counters. */
#ifndef SM_SM_CONF_H
#define SM_SM_CONF_H

#include "base/sheet.h"
#include "mem/cache_hook.h"

#define SHEET_DEF "sm/sm.def"
struct sm_conf {
#include "base/sheet_fields.inc"
};
#define SHEET_DEF "sm/sm.def"
struct sm_stat {
#include "base/sheet_stats.inc"
};
extern const struct sheet sm_sheet;

#define SHEET_DEF "sm/opclass.def"
struct op_conf {
#include "base/sheet_fields.inc"
};
extern const struct sheet op_sheet;

/* Lanes by kind of operation, on and off; enum op_kind numbers the fields of each half. */
#define SHEET_DEF "sm/ops_counts.def"
struct ops_stat {
#include "base/sheet_stats.inc"
};
extern const struct sheet ops_sheet;

enum op_kind {
#define KIND(name, counter, doc) KIND_##name,
#include "sm/ops.def"
    N_OP_KIND
};

/* Where scheduler cycles went. */
#define SHEET_DEF "sm/stall.def"
struct stall_stat {
#include "base/sheet_stats.inc"
    u64 held[MAX_LISTENERS]; /* a warp that could issue is held by this mechanism */
};
extern const struct sheet stall_sheet;

/* The same as numbers: STALL_raw is the place of `raw` in struct stall_stat. */
enum stall {
#define STAT(name, unit, doc) STALL_##name,
#define STAT_RARE STAT
#define SHEET_DEF "sm/stall.def"
#include "base/sheet_rows.inc"
#undef SHEET_DEF
    STALL_held, /* by the first mechanism; the others follow */
    N_STALL = STALL_held + MAX_LISTENERS
};

void stall_add(struct stall_stat *to, const struct stall_stat *from);
void stall_sub(struct stall_stat *to, const struct stall_stat *from);

/* Keys that only make sense together: "sm.max_threads: .." on failure. */
bool sm_conf_check(const struct sm_conf *c, const struct op_conf *op, struct err *e);

#endif
