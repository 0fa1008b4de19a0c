/*
 * counters.h -- everything that a timed launch counts, and the one list of it.
 *
 * counters_each visits the sheets with their part of the struct and the prefix of their names in
 * results: the L1D's `miss` is `l1d_miss`.  JSON, `smelt list stats` and the sums over launches use it.
 */
#ifndef GPU_COUNTERS_H
#define GPU_COUNTERS_H

#include "base/hist.h"
#include "base/sheet.h"
#include "mech/charge.h"
#include "mem/cache.h"
#include "mem/dram.h"
#include "mem/l2.h"
#include "mem/noc.h"
#include "ptx/ptx_conf.h"
#include "sm/sm_conf.h"

struct counters {
    u64 cycles;      /* of the launch, from its beginning to its end */
    u64 chip_cycles; /* its part of the chip's time: the same, unless others ran with it (overlap.h) */
    struct ptx_stat ptx;
    struct sm_stat sm;
    struct ops_stat ops;
    struct stall_stat stall;
    struct cache_stat l1i, l1d, l1c, l1t, l2;
    struct slice_stat slice;
    struct dram_stat dram;
    struct noc_stat request, reply;
    struct hist dram_latency; /* DRAM reads, from the slice's queue to the answer */
    struct hist mem_latency;  /* requests of SMs, from making to the last reply */
    struct hist request_latency, reply_latency; /* packets */
    struct mech_charged charged;                /* events of mechanisms that cost energy */
};

struct counter_sheet {
    const struct sheet *sheet;
    const char *prefix;
    size_t off; /* in struct counters */
    bool timed; /* only counted with timing */
};

const struct counter_sheet *counters_list(u32 *n);

void counters_add(struct counters *to, const struct counters *from);
void counters_sub(struct counters *to, const struct counters *from); /* what came since `from` */

/* The members of the JSON object "stats"; with `timed` false only those of the interpreter. */
void counters_json(const struct counters *c, bool timed, struct json *j);

/* "stalls": scheduler_cycles, issued and each reason but those of mechanisms (mech_stall). */
void counters_stalls_json(const struct counters *c, struct json *j);

#endif
