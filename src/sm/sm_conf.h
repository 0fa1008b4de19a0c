/* sm_conf.h -- the keys of an SM, from sm/sm.def. */
#ifndef SM_SM_CONF_H
#define SM_SM_CONF_H

#include "base/sheet.h"

#define SHEET_DEF "sm/sm.def"
struct sm_conf {
#include "base/sheet_fields.inc"
};

extern const struct sheet sm_sheet;

/* Keys that only make sense together: "sm.max_threads: .." on failure. */
bool sm_conf_check(const struct sm_conf *c, struct err *e);

#endif
