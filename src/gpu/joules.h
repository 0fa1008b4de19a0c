/* joules.h -- the energy of a span of counters on a device, and its members of a JSON object. */
#ifndef GPU_JOULES_H
#define GPU_JOULES_H

#include "base/json.h"
#include "conf/conf.h"
#include "gpu/counters.h"
#include "mech/mech.h"
#include "power/energy.h"

/* The table's figures at the geometry of this GPU (power/geometry.h): what energy and area are computed with. */
struct power_conf joules_table(const struct conf *conf);

/* .. what mechanisms are told of it. */
struct mech_cost_of joules_cost_of(const struct conf *conf, const struct power_conf *table);

void joules_of(const struct conf *conf, const struct mech_set *mechs, const struct counters *c,
               struct energy *e);
void joules_add(struct energy *to, const struct energy *from);

/* "energy": {"icache": {"dynamic_j": .., ..}, ..} */
void joules_json(const struct energy *e, struct json *j);

/* "energy_by_class": {"iadd": .., ..} */
void joules_kinds_json(const struct energy *e, struct json *j);

/* Watts over the span, 0 for none. */
double joules_power(const struct energy *e, double joules);

#endif
