/*
 * verdict.h -- what holds a kernel back, in one sentence, from its counters.
 *
 * The stall reasons say what schedulers waited for; other counters say why that took long.  "The
 * load/store unit is full" may be bank conflicts, or uncoalesced accesses, or simply many loads:
 * the sentence tells which, with the figure.  What comes before the first CTA, launch latency, is no
 * part of what is judged, unless it is most of it.
 */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include "conf/conf.h"
#include "gpu/counters.h"
#include "mech/mech.h"

struct verdict_kernel {
    const struct conf *conf;
    const struct mech_set *mechs;
    const struct counters *c;
    u64 ctas; /* of all its launches */
    u32 n_launch;
    const char *limit; /* of occupancy: "registers" */
};

/* "DRAM bandwidth: 132.1 of 177.4 GB/s"; "" if nothing was timed.  Returns buf. */
const char *verdict(const struct verdict_kernel *k, char *buf, size_t size);

/* Bytes a second of DRAM, moved and at most. */
double verdict_dram_bytes(const struct conf *conf, const struct counters *c);
double verdict_dram_peak(const struct conf *conf);

#endif
