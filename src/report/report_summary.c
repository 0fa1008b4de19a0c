/* report_summary.c -- what a run says on stderr: how far it is, and at the end what came of it. */
#include "report/report_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "gpu/joules.h"
#include "gpu/lines.h"
#include "gpu/machine.h"
#include "gpu/overlap.h"
#include "report/verdict.h"

enum { SUMMARY_KERNELS = 6, SUMMARY_STALLS = 4, SUMMARY_PARTS = 4 };

/* --- while it runs --- */

static void show_run_progress(void *arg, u64 ctas_done, u64 ctas, u64 warp_insts)
{
    const struct device *d = arg;
    double fraction = ctas ? (double)ctas_done / (double)ctas : -1;
    char cycles[48] = "";
    if (d->machine)
        snprintf(cycles, sizeof(cycles), "cycle %" PRIu64 ", ", d->machine->now);
    log_progress(fraction, "launch %u: %s%" PRIu64 " of %" PRIu64 " CTAs, %.1f M warp insts",
                 d->n_launch + device_in_flight(d), cycles, ctas_done, ctas,
                 (double)warp_insts * 1e-6);
}

void report_show_progress(struct device *d)
{
    d->opts.progress = log_is_terminal() ? show_run_progress : NULL;
    d->opts.progress_arg = d;
}

/* --- a line for each kernel --- */

static const char *show_shape(const u32 a[3], const u32 b[3], char *buf, size_t size)
{
    if (memcmp(a, b, 3 * sizeof(a[0])) == 0)
        snprintf(buf, size, "%ux%ux%u", a[0], a[1], a[2]);
    else
        snprintf(buf, size, "%ux%ux%u .. %ux%ux%u", a[0], a[1], a[2], b[0], b[1], b[2]);
    return buf;
}

static void say_kernel(const struct kernel_sum *g)
{
    char times[32] = "", cost[80], grid[80], block[80];
    if (g->n > 1)
        snprintf(times, sizeof(times), "  %u launches", g->n);
    if (g->cycles)
        snprintf(cost, sizeof(cost), "%" PRIu64 " cycles  IPC %.1f", g->cycles,
                 (double)g->timed_insts / (double)g->cycles);
    else
        snprintf(cost, sizeof(cost), "%" PRIu64 " warp insts", g->warp_insts);
    log_note("%s%s  grid %s  block %s  %u registers  %u CTAs/SM (%s)  %s", g->label, times,
             show_shape(g->first_grid, g->last_grid, grid, sizeof(grid)),
             show_shape(g->first_block, g->last_block, block, sizeof(block)), g->regs,
             g->ctas_per_sm, g->limit ? g->limit : "", cost);
}

/* How a kernel uses warps, memory and shared memory, as far as it does. */
static void say_habits(const struct device *d, const struct counters *c)
{
    const struct sm_stat *st = &c->sm;
    char access[48] = "", use[48] = "", shared[48] = "";
    if (st->load_store_insts)
        snprintf(access, sizeof(access), "  %.1f accesses/inst",
                 sheet_ratio(&sm_sheet, st, "accesses_per_inst"));
    if (st->load_sectors)
        snprintf(use, sizeof(use), "  %.0f %% of sectors used",
                 100 * sheet_ratio(&sm_sheet, st, "sector_use"));
    if (st->shared_insts)
        snprintf(shared, sizeof(shared), "  shared %.1f cycles/inst",
                 sheet_ratio(&sm_sheet, st, "shared_conflict"));
    log_note("    %.1f of %" PRIu64 " warps%s%s%s  DRAM %.1f of %.1f GB/s",
             sheet_ratio(&sm_sheet, st, "warps_per_sm"), d->conf.sm.n_warp, access, use, shared,
             verdict_dram_bytes(&d->conf, c) * 1e-9, verdict_dram_peak(&d->conf) * 1e-9);
}

static void explain_kernel(const struct device *d, const struct kernel_sum *g)
{
    const struct verdict_kernel k = {&d->conf,      d->mechs,   g->counters,
                                     g->timed_ctas, g->n_timed, g->limit};
    char why[256];
    if (!g->counters)
        return;
    say_habits(d, g->counters);
    if (verdict(&k, why, sizeof(why))[0])
        log_note("    held back by %s", why);
}

/* Fewer come first if they cost more; without timing, by instructions. */
static int by_cost(const void *a, const void *b)
{
    const struct kernel_sum *x = *(const struct kernel_sum *const *)a,
                            *y = *(const struct kernel_sum *const *)b;
    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    if (x->warp_insts != y->warp_insts)
        return x->warp_insts > y->warp_insts ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void say_rest(const struct kernel_sum *const *kernel, u32 n)
{
    u64 launches = 0, cycles = 0;
    for (u32 i = 0; i < n; i++)
        launches += kernel[i]->n, cycles += kernel[i]->cycles;
    if (n)
        log_note(".. and %u kernels more: %" PRIu64 " launches, %" PRIu64 " cycles", n, launches,
                 cycles);
}

/* The kernels that cost the most, then all others in a line. */
static void say_kernels(const struct device *d)
{
    u32 n = d->kernel.n, shown = n < SUMMARY_KERNELS ? n : SUMMARY_KERNELS;
    const struct kernel_sum **kernel = xcalloc(n + 1, sizeof *kernel);
    for (u32 i = 0; i < n; i++)
        kernel[i] = &d->kernel.at[i];
    qsort(kernel, n, sizeof *kernel, by_cost);
    for (u32 i = 0; i < shown; i++) {
        say_kernel(kernel[i]);
        explain_kernel(d, kernel[i]);
    }
    say_rest(kernel + shown, n - shown);
    free(kernel);
}

/* --- where the time went --- */

static double percent(u64 part, u64 all)
{
    return all ? 100 * (double)part / (double)all : 0;
}

/* "812.4 K": three or four digits and a unit. */
static const char *show_count(double v, char *buf, size_t size)
{
    static const char *const unit[] = {"", " K", " M", " G", " T"};
    u32 i = 0;
    for (; v >= 1000 && i + 1 < LEN(unit); i++)
        v /= 1000;
    snprintf(buf, size, i ? "%.1f%s" : "%.0f%s", v, unit[i]);
    return buf;
}

static const char *show_simulated_time(double ps, char *buf, size_t size)
{
    double us = ps * 1e-6;
    if (us < 1000)
        snprintf(buf, size, "%.2f us", us);
    else
        snprintf(buf, size, us < 1e6 ? "%.2f ms" : "%.3f s", us < 1e6 ? us * 1e-3 : us * 1e-6);
    return buf;
}

static u32 n_timed(const struct device *d)
{
    u32 n = 0;
    for (u32 i = 0; i < d->kernel.n; i++)
        n += d->kernel.at[i].n_timed;
    return n;
}

static void say_time(const struct device *d)
{
    const struct counters *c = &d->counters;
    u64 mhz = d->conf.gpu.core_mhz;
    u32 n = n_timed(d);
    char time[32], insts[32], of[40] = "";
    show_simulated_time((double)c->cycles * 1e6 / (double)mhz, time, sizeof(time));
    show_count((double)c->ptx.warp_insts, insts, sizeof(insts));
    if (n < d->n_launch)
        snprintf(of, sizeof(of), " of %u timed", d->n_launch);
    log_note("%u%s launch%s: %" PRIu64 " cycles, %s at %" PRIu64 " MHz, %s warp insts", n, of,
             n == 1 ? "" : "es", c->cycles, time, mhz, insts);
    if (d->several_streams)
        log_note("  streams: a kernel ran in %" PRIu64 " cycles, %.2f at a time", c->chip_cycles,
                 c->chip_cycles ? (double)c->cycles / (double)c->chip_cycles : 0);
}

static void say_use(const struct device *d)
{
    const struct counters *c = &d->counters;
    double occupancy = sheet_ratio(&sm_sheet, &c->sm, "occupancy");
    u64 warps = d->conf.sm.n_warp;
    log_note("  IPC        %7.2f    thread insts a cycle", report_ipc(c));
    log_note("  occupancy  %7.1f %%  %.1f of %" PRIu64 " warps on an SM with work", 100 * occupancy,
             occupancy * (double)warps, warps);
    log_note("  SIMT       %7.1f %%  of lanes active",
             100 * sheet_ratio(&sm_sheet, &c->sm, "simt_efficiency"));
}

static u64 stall(const struct counters *c, u32 reason)
{
    return ((const u64 *)(const void *)&c->stall)[reason];
}

static void say_stalls(const struct device *d)
{
    const struct counters *c = &d->counters;
    u64 all = c->stall.scheduler_cycles;
    bool said[N_STALL] = {[STALL_scheduler_cycles] = true, [STALL_issued] = true};
    log_note("  issued     %7.1f %%  of scheduler cycles; most others:",
             percent(c->stall.issued, all));
    for (u32 i = 0; i < SUMMARY_STALLS; i++) {
        u32 best = 0;
        for (u32 k = 0; k < N_STALL; k++)
            if (!said[k] && (!best || stall(c, k) > stall(c, best)))
                best = k;
        if (!best || !stall(c, best))
            return;
        said[best] = true;
        const struct stat_row r = mech_stall(d->mechs, best);
        log_note("    %-9s%7.1f %%  %s", r.name, percent(stall(c, best), all), r.doc);
    }
}

static void say_hits(const char *name, const struct sheet *sheet, const struct cache_stat *s)
{
    char n[32];
    if (s->access)
        log_note("  %-10s %7.1f %%  hits of %s accesses", name,
                 100 * (1 - sheet_ratio(sheet, s, "miss_rate")),
                 show_count((double)s->access, n, sizeof(n)));
}

static void say_dram(const struct device *d)
{
    const struct counters *c = &d->counters;
    log_note("  DRAM       %7.1f %%  %.1f GB/s of %.1f at most",
             100 * sheet_ratio(&dram_sheet, &c->dram, "utilization"),
             verdict_dram_bytes(&d->conf, c) * 1e-9, verdict_dram_peak(&d->conf) * 1e-9);
}

static double part_j(const struct energy *e, u32 c)
{
    return e->part[c].dynamic_j + e->part[c].static_j + e->part[c].gating_j + e->part[c].base_j;
}

static void say_power(const struct device *d)
{
    const struct energy *e = &d->energy;
    double all = energy_total(e), leak = 0;
    bool said[N_COMPONENT] = {false};
    for (u32 c = 0; c < N_COMPONENT; c++)
        leak += e->part[c].static_j + e->part[c].gating_j;
    if (!(all > 0))
        return;
    log_note("  power      %7.1f W  %.3g J, %.0f %% of it leakage; most:", joules_power(e, all),
             all, 100 * leak / all);
    for (u32 i = 0; i < SUMMARY_PARTS; i++) {
        u32 best = N_COMPONENT;
        for (u32 c = 0; c < N_COMPONENT; c++)
            if (!said[c] && (best == N_COMPONENT || part_j(e, c) > part_j(e, best)))
                best = c;
        said[best] = true;
        log_note("    %-10s%6.1f %%  %.1f W", component_name[best], 100 * part_j(e, best) / all,
                 joules_power(e, part_j(e, best)));
    }
}

static void say_speed(const struct device *d)
{
    char speed[32];
    log_note("  simulated in %.3f s: %s warp insts per second", report_seconds(d),
             show_count(report_speed(d), speed, sizeof(speed)));
}

static void say_timing(const struct device *d)
{
    say_time(d);
    say_use(d);
    say_stalls(d);
    say_hits("L1D", &l1d_sheet, &d->counters.l1d);
    say_hits("L2", &l2_sheet, &d->counters.l2);
    say_dram(d);
    say_power(d);
    say_speed(d);
}

static void say_functional(const struct device *d)
{
    log_note("%u launch%s, %" PRIu64 " warp insts, %" PRIu64
             " thread insts in %.3f s: %.1f million warp insts per second",
             d->n_launch, d->n_launch == 1 ? "" : "es", d->n.warp_insts, d->n.thread_insts,
             report_seconds(d), report_speed(d) * 1e-6);
}

static void say_strays(const struct device *d)
{
    u64 reads = d->n.stray_reads, writes = d->n.stray_writes;
    if (reads || writes)
        log_warn("%" PRIu64 " read%s and %" PRIu64 " write%s of threads were out of bounds: they "
                 "read 0 and wrote nothing (mem.bounds)",
                 reads, reads == 1 ? "" : "s", writes, writes == 1 ? "" : "s");
}

static void say_all(const struct device *d)
{
    say_kernels(d);
    if (d->counters.cycles)
        say_timing(d);
    else
        say_functional(d);
    if (d->n_refused)
        log_warn("%u launch%s or module%s of the program %s refused: its results cannot be right",
                 d->n_refused, d->n_refused == 1 ? "" : "es", d->n_refused == 1 ? "" : "s",
                 d->n_refused == 1 ? "was" : "were");
    say_strays(d);
    if (d->opts.first_timed > d->n_launch)
        log_warn("nothing was timed: --kernels begins with launch %u, there were %u",
                 d->opts.first_timed, d->n_launch);
    if (d->lines)
        lines_say(d);
}

/* Numbers are written as everywhere, whatever the program makes of its own. */
void report_summary(const struct device *d)
{
    locale_t old = text_c_locale();
    say_all(d);
    uselocale(old);
}
