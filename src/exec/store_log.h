/*
 * store_log.h -- global stores of a group of SMs that other groups do not see yet.
 *
 * While groups run on several host threads, none of them writes global memory: each
 * appends its stores to its own log, and loads of the same group look there first.
 * Where the groups meet, store_logs_apply writes all logs to memory in the order
 * (cycle, log, sequence), so that the outcome of a race in the simulated program does
 * not depend on the host.  Between two of these points allocations must not change:
 * records hold host addresses.
 *
 * A record lies in one block of BLOCK bytes of device addresses, as every access of a
 * lane does, because accesses are aligned.  So the records that a load may meet hang in
 * one bucket, oldest first.
 */
#ifndef EXEC_STORE_LOG_H
#define EXEC_STORE_LOG_H

#include "base/base.h"
#include "isa/inst.h"

enum { STORE_LOG_BLOCK = 128, STORE_LOG_BUCKETS = 2048, STORE_LOG_ACCESS = 32 /* v4.b64 */ };

struct store_record {
    u64 cycle;
    u64 addr; /* of the device */
    u8 *host;
    u32 next;  /* of this bucket: where in the log; 0: none */
    u32 bytes; /* padded to 8 in the log */
    u8 data[];
};

struct store_log {
    u32 n;        /* records; 0: loads need not look */
    u64 lo, size; /* all records are in [lo, lo + size), whole blocks */
    u8 *mem;
    u32 used, cap;
    u32 last; /* the newest record */
    u32 at;   /* while the logs are applied: the next one */
    struct store_bucket {
        u32 first, last;
    } bucket[STORE_LOG_BUCKETS];
    u8 patch[LANES][STORE_LOG_ACCESS]; /* see store_log_patch */
};

void store_log_init(struct store_log *l);
void store_log_free(struct store_log *l);

/* Appends a store; cycles must not descend.  Any number of bytes, if of one allocation. */
void store_log_add(struct store_log *l, u64 cycle, u64 addr, u8 *host, const void *data, u32 bytes);

/*
 * Which lanes of mask read bytes that are in the log?  For each of them l->patch[lane] is
 * what host[lane] would hold if the log had been applied.
 */
u32 store_log_patch(struct store_log *l, const u64 *addr, u8 *const *host, u32 mask, u32 bytes);

/* Writes n logs to memory, in the order (cycle, index, sequence), and clears them. */
void store_logs_apply(struct store_log **log, u32 n);

#endif
