/*
 * cmd_bench.c -- smelt bench: how fast the simulator is on this machine.
 *
 * A workload is bench/NAME.job; it checks its own results with `expect`, so a fast
 * but wrong simulator fails.  Each is run a few times on a fresh device and the best
 * rate counts: what disturbs a run only ever makes it slower.
 *
 * Machines are compared by a calibration figure: million steps per second of a loop
 * like a simulator's own (branches and dependent loads over 1 MB).  The scaled rate
 * is what this simulator would reach where that figure is CALIBRATION_NORM.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/log.h"
#include "base/place.h"
#include "cli/cli.h"
#include "cli/run.h"
#include "version.h"

static const struct workload {
    const char *name, *doc;
} workloads[] = {
    {"fma", "independent fused multiply-adds"},
    {"sgemm", "matrix multiplication in shared memory tiles, 512 x 512"},
    {"gather", "loads from random places of 16 MB"},
    {"saxpy", "coalesced loads and stores"},
    {"branch", "divergent loops"},
};

enum { CALIBRATION_NORM = 157, ROUNDS = 3 };

struct measurement {
    const struct workload *workload;
    u64 warp_insts;
    double seconds; /* of the best round */
};

struct bench {
    const char *json, *isa, *gpu;
    VEC(const char *) set;
    bool record, timing;
    bool chosen[LEN(workloads)];
    char *dir;
    double calibration;
    u32 n_sample;
    struct measurement sample[LEN(workloads)];
};

/* --- calibration --- */

enum { SLOTS = 1 << 17, STEPS = 20000000 };

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Each step picks a slot by the bits of a xorshift generator and feeds the slot back into it. */
static u64 walk_slots(u64 *slot, u64 x)
{
    for (u32 i = 0; i < STEPS; i++) {
        u64 *s = &slot[(x >> 20) % SLOTS];
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        if (*s & 1)
            *s = x + i;
        else
            *s += 2 * (x & 0xff) + 1;
        x += *s;
    }
    return x;
}

struct calibration { /* million steps per second */
    double wall, cpu;
};

/* By each clock, the best of five rounds. */
static struct calibration calibrate(void)
{
    u64 *slot = xcalloc(SLOTS, sizeof(slot[0])), x = 88172645463325252u;
    struct calibration best = {0};
    for (u32 round = 0; round < 5; round++) {
        double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
        x = walk_slots(slot, x);
        wall = STEPS * 1e-6 / (now(CLOCK_MONOTONIC) - wall);
        cpu = STEPS * 1e-6 / (now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
        best.wall = wall > best.wall ? wall : best.wall;
        best.cpu = cpu > best.cpu ? cpu : best.cpu;
    }
    slot[0] = x; /* the last walk is not for nothing */
    *(volatile u64 *)slot;
    free(slot);
    return best;
}

/* --- one workload --- */

static double speed_of(const struct measurement *s)
{
    return s->seconds > 0 ? (double)s->warp_insts * 1e-6 / s->seconds : 0;
}

static double scaled(const struct bench *b, const struct measurement *s)
{
    return speed_of(s) * CALIBRATION_NORM / b->calibration;
}

static bool run_once(const struct bench *b, const char *job, struct measurement *s, struct err *e)
{
    struct program_run r = {.program = job, .report = {.settings = &r.settings, .kind = "job"}};
    struct run_opts opts = {.functional = !b->timing, .isa = b->isa};
    struct conf c;
    if (!conf_make(&c, b->gpu, b->set.at, b->set.n, e))
        return false;
    r.dev = device_new(&c, &opts, e);
    conf_free(&c);
    if (!r.dev)
        return false;
    bool ok = run_job(&r, e);
    double seconds = r.dev->last_end - r.dev->first_start;
    s->warp_insts = r.dev->n.warp_insts;
    if (s->seconds == 0 || seconds < s->seconds)
        s->seconds = seconds;
    device_free(r.dev);
    return ok;
}

static bool run_rounds(struct bench *b, const struct workload *w, struct err *e)
{
    struct measurement *s = &b->sample[b->n_sample];
    *s = (struct measurement){.workload = w};
    char *job = text_printf("%s/%s.job", b->dir, w->name);
    bool ok = true;
    u32 rounds = b->timing ? 1 : ROUNDS; /* with timing a round is long */
    for (u32 round = 0; ok && round < rounds; round++) {
        log_progress((double)round / rounds, "%s", w->name);
        ok = run_once(b, job, s, e);
    }
    log_progress_end();
    free(job);
    b->n_sample += ok;
    return ok;
}

static bool measure_chosen(struct bench *b, struct err *e)
{
    b->calibration = calibrate().wall;
    for (u32 i = 0; i < LEN(workloads); i++)
        if (b->chosen[i] && !run_rounds(b, &workloads[i], e))
            return false;
    double after = calibrate().wall;
    if (after > b->calibration)
        b->calibration = after;
    return true;
}

/* --- results --- */

static void print_table(const struct bench *b)
{
    printf("%-10s %12s %9s %14s %14s\n", "name", "warp insts", "seconds", "M insts/s", "scaled");
    for (u32 i = 0; i < b->n_sample; i++) {
        const struct measurement *s = &b->sample[i];
        printf("%-10s %12" PRIu64 " %9.3f %14.4g %14.4g  %s\n", s->workload->name, s->warp_insts,
               s->seconds, speed_of(s), scaled(b, s), s->workload->doc);
    }
    printf("calibration %.1f Msteps/s; scaled: to a calibration of %d\n", b->calibration,
           CALIBRATION_NORM);
}

static void put_measurement(struct json *j, const struct bench *b, const struct measurement *s)
{
    json_obj(j);
    json_key(j, "name"), json_str(j, s->workload->name);
    json_key(j, "warp_insts"), json_u64(j, s->warp_insts);
    json_key(j, "seconds"), json_real(j, s->seconds);
    json_key(j, "warp_insts_per_second"), json_real(j, speed_of(s) * 1e6);
    json_key(j, "scaled_warp_insts_per_second"), json_real(j, scaled(b, s) * 1e6);
    json_obj_end(j);
}

static bool write_bench(const struct bench *b, struct err *e)
{
    struct json j;
    if (!json_open_file(&j, b->json, e))
        return false;
    json_obj(&j);
    json_key(&j, "schema"), json_u64(&j, 1);
    json_key(&j, "smelt"), json_str(&j, SMELT_VERSION);
    json_key(&j, "calibration"), json_real(&j, b->calibration);
    json_key(&j, "scaled_to"), json_u64(&j, CALIBRATION_NORM);
    json_key(&j, "benchmarks");
    json_arr(&j);
    for (u32 i = 0; i < b->n_sample; i++)
        put_measurement(&j, b, &b->sample[i]);
    json_arr_end(&j);
    json_obj_end(&j);
    return json_close(&j, e);
}

static void put_rows(const struct bench *b, FILE *f)
{
    char date[32];
    time_t t = time(NULL);
    struct tm tm;
    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &tm));
    for (u32 i = 0; i < b->n_sample; i++) {
        const struct measurement *s = &b->sample[i];
        fprintf(f, "%s,%s,%s%s,%.3g,%.1f,%.3g\n", date, SMELT_VERSION, s->workload->name,
                b->timing ? ".timing" : "", speed_of(s), b->calibration, scaled(b, s));
    }
}

static bool append_history(const struct bench *b, struct err *e)
{
    char *path = text_printf("%s/history.csv", b->dir);
    FILE *f = fopen(path, "a");
    bool ok = f != NULL;
    if (ok) {
        if (ftell(f) == 0)
            fputs("date,version,name,m_warp_insts_per_second,calibration,scaled\n", f);
        put_rows(b, f);
        ok = !ferror(f);
        ok = fclose(f) == 0 && ok;
    }
    if (!ok)
        err_set(e, "%s: %s", path, strerror(errno));
    free(path);
    return ok;
}

/* --- the command --- */

static char *find_dir(struct err *e)
{
    char *dir = place_find("bench");
    if (!dir)
        err_set(e, "the workloads (bench/*.job) are nowhere near this command");
    return dir;
}

static bool choose_workload(struct bench *b, const char *name, struct err *e)
{
    const char *names[LEN(workloads)];
    for (u32 i = 0; i < LEN(workloads); i++) {
        names[i] = workloads[i].name;
        if (strcmp(name, names[i]) == 0)
            return b->chosen[i] = true;
    }
    return err_no_such(e, name, names, LEN(workloads),
                       "there are fma, sgemm, gather, saxpy, branch", "no benchmark '%s'", name);
}

static int bench(struct bench *b)
{
    struct err e;
    b->dir = find_dir(&e);
    bool ok = b->dir && measure_chosen(b, &e);
    if (ok)
        print_table(b);
    ok = ok && (!b->json || write_bench(b, &e)) && (!b->record || append_history(b, &e));
    free(b->dir);
    return ok ? 0 : err_tell(&e);
}

/* For those who scale rates themselves, as bench/fidelity does. */
static int print_calibration(void)
{
    struct calibration c = calibrate();
    printf("calibration %.1f Msteps/s, %.1f by CPU time\n", c.wall, c.cpu);
    return 0;
}

static int parse_and_bench(struct bench *b, struct cli_args *a)
{
    bool any = false, calibration = false;
    while (cli_more(a)) {
        const char *word;
        struct err e;
        if (cli_flag(a, "--record"))
            b->record = true;
        else if (cli_flag(a, "--timing"))
            b->timing = true;
        else if (cli_flag(a, "--calibrate"))
            calibration = true;
        else if (cli_option(a, "--set", &word))
            *VEC_ADD(&b->set) = word;
        else if (cli_option(a, "--json", &b->json) || cli_option(a, "--isa", &b->isa) ||
                 cli_option(a, "-g|--gpu", &b->gpu))
            continue;
        else if (!cli_word(a, &word))
            return cli_unknown(a);
        else if (!choose_workload(b, word, &e))
            return err_tell(&e);
        else
            any = true;
    }
    for (u32 i = 0; !any && i < LEN(workloads); i++)
        b->chosen[i] = true;
    if (a->failed)
        return ERR_USER;
    return calibration ? print_calibration() : bench(b);
}

int cmd_bench(int argc, char **argv)
{
    struct cli_args a = cli_begin(argc, argv);
    struct bench b = {.gpu = CONF_GPU};
    int status = parse_and_bench(&b, &a);
    VEC_FREE(&b.set);
    return status;
}
