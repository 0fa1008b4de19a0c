/*
 * memory_path.h -- the way of a memory access, cycle by cycle; what the tests of the memory path
 * share.
 *
 * A load with a register for its address that is issued in t, on the machine of timed.h, but with
 * requests taking 6 cycles like replies (noc.request_latency=0; gtx480 has 7, so that the
 * reference's 181 and 142 are one more than the 180 and 141 here: t_cacheop.c):
 *
 *     t+1  collector unit    t+2  operands read    t+3  latch of the load/store unit
 *     t+4  first access into the queue of 35 in front of L1D; access k in t+4+k
 *     t+39 tags.  A hit frees the register now: 39
 *     t+40 a miss leaves the miss queue for the network, 6 cycles
 *     t+46 the slice takes it and cuts it into sectors; 120 cycles of delay
 *     t+166 sector 0 in the input queue, sector k in t+166+k
 *     t+167 looked up: hit                  t+168 its reply into the network, 6 cycles
 *     t+174 at the SM, one packet a cycle into the reply queue
 *     t+175 to the memory unit.  The line is filled by sector 3, in t+178
 *     t+179 chosen for write-back           t+180 written back: 180
 *
 * A load that skips L1D (.cg) sends its only sector in t+4: 36 earlier, and 3 as there is one
 * sector: 141.  A store of one sector goes as a load as far as t+175, where its acknowledgement is
 * counted: 175; of a whole line, which is 4 flits, its tail is 3 later and its last acknowledgement
 * 3 more: 181.  Without a register operand everything is one earlier.
 *
 * Of a miss in L2, with DRAM at the same clock, looked up in T:
 *
 *     T+1  miss queue to the queue to DRAM    T+2  taken by the channel, 100 cycles of delay
 *     T+102 scheduler queue                   T+103 given to its bank, which is closed: activate
 *     T+115 column read (tRCD 12)             T+127 data in the return queue (CL 12)
 *     T+128 back at the slice and filled      T+129 in the reply queue   T+130 reply into the network
 *
 * A hit replies in T+1, so DRAM costs 129 more: 270 for .cg.  An open row saves the activate (12
 * less: 258), another open row needs a precharge first (tRP, 12 more: 282).  The four sectors of a
 * line are columns of one row, tCCDL 3 apart: the last is read in T+124 and replies in T+139
 * instead of T'+1 of its own T' = T+3: 135 more than 180, 315.
 *
 * A warp ends in the cycle in which the last of its accesses does, and the launch takes one cycle
 * more.  After TIMED_A an instruction can issue in 6, after LANES in 29: mov 3 and ld.param 4,
 * mul.wide 9 (mov has no operands: 6), add 19, and 10 more.
 *
 * Addresses.  The buffer is at 0xC0000000, which is channel 0 and, within it, r = 0x20000000.  Byte
 * o of it is in channel o/256 % 6; with j = o/1536, its slice is j & 1, its bank (j & 1) + (j >> 5
 * & 7) * 2 and its row j >> 8.  The set of the L2 slice is (j >> 1) * 2 + (o >> 7 & 1), modulo 64.
 * So in channel and slice of byte 0 are 49152 (j = 32), bank 2; 98304 (j = 64), the same set of L2;
 * 393216 (j = 256), the same bank, row 1.
 */
#ifndef TESTS_MICRO_MEMORY_PATH_H
#define TESTS_MICRO_MEMORY_PATH_H

#include "tests/micro/timed.h"

/* %r0: lane; %rd0: the buffer; %rd1: where the lane's element of so many bytes is. */
#define LANES(bytes)                                                                               \
    "mov.u32 %r0, %tid.x; ld.param.u64 %rd0, [a];\n"                                               \
    "mul.wide.u32 %rd1, %r0, " #bytes "; add.u64 %rd1, %rd0, %rd1;\n"

enum {
    WARM = 128 << 10
}; /* bytes of the buffer that path_open copies to the device: they hit in L2 */

/* Further settings for a network that takes as long for requests as for replies. */
static inline const char *const *path_set(const char *const *set)
{
    static const char *all[64];
    u32 n = 0;

    all[n++] = "noc.request_latency=0";
    for (; set && *set; set++)
        all[n++] = *set;
    all[n] = NULL;
    return all;
}

/* Nothing in L2. */
static inline void path_cold(struct timed *t, const char *body, const char *const *set)
{
    timed_open(t, body, path_set(set));
}

static inline void path_open(struct timed *t, const char *body, const char *const *set)
{
    static const u8 zero[WARM];

    path_cold(t, body, set);
    timed_write(t, 0, zero, sizeof zero);
}

/* One launch of one CTA on a warm L2 that takes so many cycles. */
static inline void path_check(struct timed *t, const char *body, const char *const *set, u32 block,
                              u64 cycles)
{
    path_open(t, body, set);
    assert_int_equal(timed_run(t, 1, block), cycles);
}

/* The same with nothing in L2 and DRAM at the clock of the SMs. */
static inline void cold_check(struct timed *t, const char *body, u32 block, u64 cycles)
{
    path_cold(t, body, TIMED_SET("gpu.mem_mhz=700"));
    assert_int_equal(timed_run(t, 1, block), cycles);
}

static inline u32 timed_u32(struct timed *t, u64 off)
{
    u32 v;

    timed_read(t, off, &v, sizeof v);
    return v;
}

#endif
