/* verdict.c -- see verdict.h */
#include "report/verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Where a figure is worth a word: half of the time, or of a peak; a conflict that doubles an access; a warp that becomes
 * more accesses than its bytes need. */
#define MOST 0.5
#define NEAR_PEAK 0.6
#define CONFLICTS 2.0
#define SCATTERED 4.0
#define WORTH_A_WORD 0.1

static double ratio(u64 part, u64 all)
{
    return all ? (double)part / (double)all : 0;
}

double verdict_dram_bytes(const struct conf *conf, const struct counters *c)
{
    double seconds = (double)c->cycles / ((double)conf->gpu.core_mhz * 1e6);
    double bytes = (double)(c->dram.read + c->dram.write) * (double)conf->dram.burst_bytes;

    return seconds > 0 ? bytes / seconds : 0;
}

double verdict_dram_peak(const struct conf *conf)
{
    return (double)(conf->mem.channels * conf->dram.burst_bytes) / (double)conf->dram.burst_cycles *
           (double)conf->gpu.mem_mhz * 1e6;
}

struct text {
    char *buf;
    size_t size, len;
};

static void say(struct text *t, const char *fmt, ...) PRINTF(2, 3);

static void say(struct text *t, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    int n = vsnprintf(t->buf + t->len, t->size - t->len, fmt, args);
    va_end(args);
    t->len += (size_t)n < t->size - t->len ? (size_t)n : t->size - t->len - 1;
}

/* ---- cycles of schedulers */

static u64 stall_of(const struct counters *c, u32 reason)
{
    return ((const u64 *)(const void *)&c->stall)[reason];
}

/* Cycles in which schedulers could have had warps: those of the launch that had begun, where a front end works. */
static u64 open_cycles(const struct counters *c)
{
    return c->stall.scheduler_cycles - c->stall.launch - c->stall.off;
}

static u64 empty_cycles(const struct counters *c)
{
    return c->stall.no_warp + c->stall.tail;
}

/* Of the time, what passes before the first CTA comes. */
static double launch_share(const struct counters *c)
{
    return ratio(c->stall.launch, c->stall.scheduler_cycles - c->stall.off);
}

/* The bandwidth of DRAM that is used once CTAs run. */
static double dram_bytes_running(const struct verdict_kernel *k)
{
    double share = 1 - launch_share(k->c);

    return share > 0 ? verdict_dram_bytes(k->conf, k->c) / share : 0;
}

/* ---- what makes it worse */

static double accesses(const struct counters *c)
{
    return ratio(c->sm.mem_accesses, c->sm.load_store_insts);
}

static void add_coalescing(struct text *t, const struct counters *c)
{
    double use = ratio(c->sm.load_sectors_used, c->sm.load_sectors);

    if (accesses(c) >= SCATTERED)
        say(t, "; a load or store of a warp is %.1f accesses", accesses(c));
    if (c->sm.load_sectors && use < MOST)
        say(t, "; lanes use %.0f %% of the sectors they fetch", 100 * use);
}

static void add_lanes(struct text *t, const struct counters *c)
{
    double use = ratio(c->sm.simt_lanes, c->sm.simt_slots);

    if (c->sm.simt_slots && use < MOST)
        say(t, "; only %.0f %% of the lanes are active", 100 * use);
}

static void add_warps(struct text *t, const struct verdict_kernel *k)
{
    double warps = ratio(k->c->sm.warp_cycles, k->c->sm.busy_cycles);

    if (warps < MOST * (double)k->conf->sm.n_warp)
        say(t, "; %.1f of %" PRIu64 " warps are there to hide it%s%s%s", warps, k->conf->sm.n_warp,
            k->limit ? " (limited by " : "", k->limit ? k->limit : "", k->limit ? ")" : "");
}

/* ---- what it is */

static void say_launch(struct text *t, const struct verdict_kernel *k)
{
    say(t,
        "launch latency: %.0f %% of the time no CTA has come yet (gpu.launch_latency=%" PRIu64 ")",
        100 * launch_share(k->c), k->conf->gpu.launch_latency);
}

/* CTAs wait for a place, and those that have one leave schedulers without a warp. */
static void say_few_fit(struct text *t, const struct verdict_kernel *k)
{
    const struct counters *c = k->c;

    say(t,
        "occupancy: schedulers have no warp for %.0f %% of the time while CTAs wait for a place; "
        "%.1f of %" PRIu64 " warps are there%s%s%s",
        100 * ratio(empty_cycles(c), open_cycles(c)), ratio(c->sm.warp_cycles, c->sm.busy_cycles),
        k->conf->sm.n_warp, k->limit ? " (limited by " : "", k->limit ? k->limit : "",
        k->limit ? ")" : "");
}

/* Each SM had work, and most of what is lost is lost by SMs that have none any more. */
static bool ends_unevenly(const struct verdict_kernel *k)
{
    const struct counters *c = k->c;
    double per_sm = ratio(c->stall.scheduler_cycles, c->sm.sm_cycles); /* schedulers of one */
    double busy = (double)(c->sm.busy_cycles + c->sm.off_cycles) * per_sm;
    double empty = (double)(c->stall.scheduler_cycles - c->stall.launch) - busy;

    return k->ctas / k->n_launch >= k->conf->gpu.n_sm && empty > MOST * (double)empty_cycles(c);
}

static void say_idle(struct text *t, const struct verdict_kernel *k)
{
    u64 ctas = k->ctas / k->n_launch;

    if (k->c->stall.no_warp > k->c->stall.tail) {
        say_few_fit(t, k);
        return;
    }
    say(t,
        "%s: schedulers have no warp for %.0f %% of the time (%" PRIu64
        " CTA%s a launch for %" PRIu64 " SMs)",
        ends_unevenly(k) ? "CTAs that end at different times" : "too little work",
        100 * ratio(empty_cycles(k->c), open_cycles(k->c)), ctas, ctas == 1 ? "" : "s",
        k->conf->gpu.n_sm);
}

static void say_bandwidth(struct text *t, const struct verdict_kernel *k)
{
    say(t, "bandwidth of DRAM: %.1f of %.1f GB/s", dram_bytes_running(k) * 1e-9,
        verdict_dram_peak(k->conf) * 1e-9);
    add_coalescing(t, k->c);
}

/* The load/store unit: who keeps it busy, cycles of shared memory or accesses to the rest? */
static void say_lsu(struct text *t, const struct counters *c)
{
    double conflict = ratio(c->sm.shared_cycles, c->sm.shared_insts);

    if (c->sm.shared_cycles > c->sm.mem_accesses && conflict >= CONFLICTS)
        say(t, "bank conflicts: an access to shared memory takes %.1f cycles", conflict);
    else if (accesses(c) >= SCATTERED)
        say(t, "uncoalesced accesses: a load or store of a warp is %.1f of them", accesses(c));
    else if (c->l1d.reserv_fail > c->l1d.access)
        say(t, "misses of L1D: it tries %.1f times to take an access",
            1 + ratio(c->l1d.reserv_fail, c->l1d.access));
    else
        say(t, "the load/store unit: %.0f %% of instructions are for it",
            100 * ratio(c->sm.issued_mem, c->ptx.warp_insts));
}

static void say_load(struct text *t, const struct verdict_kernel *k)
{
    const struct counters *c = k->c;

    say(t, "latency of memory: a load takes %.0f cycles",
        ratio(c->sm.load_latency, c->sm.load_done));
    add_coalescing(t, c);
    add_warps(t, k);
}

static void say_issue(struct text *t, const struct counters *c)
{
    say(t, "issue: schedulers are busy in %.0f %% of cycles",
        100 * ratio(c->stall.issued, open_cycles(c)));
    add_lanes(t, c);
}

/* Reasons that have one cause: what it is, and what else to tell. */
static const struct plain {
    u32 reason;
    const char *is;
    void (*more)(struct text *t, const struct verdict_kernel *k);
} plain[] = {
    {STALL_words, "issue: wide warps hold their schedulers for each of their words", NULL},
    {STALL_gated, "units that a mechanism has switched off", NULL},
    {STALL_collector, "operand collectors: banks of registers are the bottleneck", NULL},
    {STALL_unit_sp, "arithmetic: the SP units are busy", NULL},
    {STALL_unit_sfu, "arithmetic: the SFUs are busy", NULL},
    {STALL_unit_dp, "arithmetic: the double-precision units are busy", NULL},
    {STALL_unit_tensor, "arithmetic: the tensor units are busy", NULL},
    {STALL_raw, "latency of arithmetic: instructions wait for the ones before them", add_warps},
    {STALL_waw, "registers that are still being written", add_warps},
    {STALL_war, "registers that are still being read", add_warps},
    {STALL_atomic, "latency of atomics", add_warps},
    {STALL_fence, "memory fences, asynchronous copies or calls of the system", NULL},
    {STALL_meet, "warps in parts, which wait for each other", NULL},
    {STALL_window, "instruction windows: older instructions must go first", NULL},
    {STALL_control, "branches: fetched instructions are thrown away", add_warps},
    {STALL_fetch, "instruction fetch", add_warps},
    {STALL_imiss, "misses of the instruction cache", NULL},
    {STALL_barrier, "barriers: warps wait for each other", NULL},
    {STALL_drain, "the end of CTAs: warps have ended and wait for their stores and loads", NULL},
};

/* A mechanism holds warps. */
static void say_held(struct text *t, const struct verdict_kernel *k, u32 reason)
{
    const struct stat_row r = mech_stall(k->mechs, reason);

    say(t, "the mechanism %s: %s", r.name, r.doc);
}

static void say_plain(struct text *t, const struct verdict_kernel *k, u32 reason)
{
    for (size_t i = 0; i < LEN(plain); i++) {
        if (plain[i].reason != reason)
            continue;
        say(t, "%s", plain[i].is);
        if (plain[i].more)
            plain[i].more(t, k);
    }
}

/* ---- which it is */

static u32 top_reason(const struct counters *c)
{
    u32 best = STALL_issued + 1;

    for (u32 k = best; k < STALL_launch; k++)
        if (stall_of(c, k) > stall_of(c, best))
            best = k;
    for (u32 k = STALL_held; k < N_STALL; k++)
        if (stall_of(c, k) > stall_of(c, best))
            best = k;
    return best;
}

/* More cycles go to it than to anything else. */
static bool is_mostly_launch(const struct counters *c)
{
    u64 launch = c->stall.launch;

    return launch > c->stall.issued && launch > empty_cycles(c) &&
           launch > stall_of(c, top_reason(c));
}

/* Of the time in which CTAs run. */
static void say_running(struct text *t, const struct verdict_kernel *k)
{
    const struct counters *c = k->c;
    u32 top = top_reason(c);

    if (empty_cycles(c) > open_cycles(c) / 2)
        say_idle(t, k);
    else if (c->stall.issued > stall_of(c, top))
        say_issue(t, c);
    else if (top == STALL_lsu)
        say_lsu(t, c);
    else if (top == STALL_raw_mem)
        say_load(t, k);
    else if (top >= STALL_held)
        say_held(t, k, top);
    else
        say_plain(t, k, top);
}

const char *verdict(const struct verdict_kernel *k, char *buf, size_t size)
{
    double launch = launch_share(k->c);
    struct text t = {buf, size, 0};

    buf[0] = 0;
    if (!k->c->stall.scheduler_cycles)
        return buf;
    bool dram = dram_bytes_running(k) >= NEAR_PEAK * verdict_dram_peak(k->conf);

    if (launch > MOST || (!dram && is_mostly_launch(k->c))) {
        say_launch(&t, k);
        return buf;
    }
    if (dram)
        say_bandwidth(&t, k);
    else
        say_running(&t, k);
    if (launch >= WORTH_A_WORD)
        say(&t, "; %.0f %% of the time is launch latency", 100 * launch);
    return buf;
}
