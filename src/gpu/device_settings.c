/* device_settings.c -- see device.h: a device as a user asks for it */
#include "conf/settings.h"
#include "gpu/device.h"

struct device *device_of_settings(const struct settings *s, struct err *e)
{
    struct run_opts opts = {.check = s->check,
                            .functional = s->functional,
                            .no_skip = s->no_skip,
                            .threads = s->threads,
                            .max_insts = s->max_insts,
                            .max_cycles = s->max_cycles,
                            .sample = s->sample,
                            .lines = s->lines,
                            .first_timed = s->first_timed,
                            .last_timed = s->last_timed,
                            .mech = (const char *const *)s->mech.at,
                            .n_mech = s->mech.n,
                            .isa = s->isa};
    struct conf c;

    if (!settings_check(s, e))
        return NULL;
    if (!conf_make(&c, s->gpu, (const char *const *)s->set.at, s->set.n, e))
        return NULL;
    struct device *d = device_new(&c, &opts, e);

    conf_free(&c);
    return d;
}
