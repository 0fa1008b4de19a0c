/* front_conf.h -- the keys of the front end (PTX to machine code), from front/front.def. */
#ifndef FRONT_FRONT_CONF_H
#define FRONT_FRONT_CONF_H

#include "base/sheet.h"

#define SHEET_DEF "front/front.def"
struct front_conf {
#include "base/sheet_fields.inc"
};

/* What the interpreter counts. */
#define SHEET_DEF "front/front.def"
struct front_stat {
#include "base/sheet_stats.inc"
};

extern const struct sheet front_sheet;

/* Keys whose text has a grammar of its own: "front.regs: .." on failure. */
bool front_conf_check(const struct front_conf *c, struct err *e);

/* What front.regs says about a kernel, 0 if nothing.  The conf has passed the check. */
u32 front_conf_regs(const struct front_conf *c, const char *kernel);

#endif
