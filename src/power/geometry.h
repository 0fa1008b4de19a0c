/*
 * geometry.h -- what the size, ways and banks of a memory do to its energy, leakage and area.
 *
 * The figures of a table are for one geometry (power.ref_*, power.leak_ref_*).  For another one
 *
 *     energy of an access  x (bank / bank_ref) ^ energy_exponent
 *                          x (8 line + ways tag_bits) / (8 line + ways_ref tag_bits)
 *     leakage, area        x (bytes / bytes_ref) ^ leak_exponent
 *
 * An access wakes one bank, so the energy goes with its size; of a cache it also reads the tags of
 * all ways of a set, and the line of one.  docs/POWER.md says where the exponents come from.  At
 * the table's own geometry every factor is 1, exactly.
 *
 * MODEL: all of an event's energy scales, wires and crossbars in it too; ports are those of the
 * table.
 */
#ifndef POWER_GEOMETRY_H
#define POWER_GEOMETRY_H

#include "power/energy.h"

struct geometry { /* of a machine, as its keys have it */
    const struct sm_conf *sm;
    const struct cache_conf *l1i, *l1d, *l1c, *l1t, *l2;
    u64 n_slice;
};

/* The table's figures become those of this machine. */
void geometry_apply(struct power_conf *p, const struct geometry *g);

#endif
