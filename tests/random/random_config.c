/*
 * random_config.c -- GPUs with random keys compute what they should, or say why not.
 *
 *     random_config [--seed S] [--count N] [--show]      configurations S .. S + N - 1
 *
 * A configuration is one of the GPUs in conf/gpu with some keys set at random within their ranges, and perhaps a
 * mechanism with random keys.  It must end in one of these ways, else the program says how to repeat it and fails:
 *
 *     right      the kernel computes what it should, twice: with threads and skipping, and cycle by
 *                cycle with one thread, in the same number of cycles
 *     refused    with a reason in one line, as a mistake of the user
 *     stuck      nothing was issued for long, or the limit of cycles was reached: parts that are very slow
 *
 * A machine in which nothing can move any more is wrong: what cannot work has to be refused.
 *
 * There is no time limit: sim.watchdog and the limit of cycles bound every run.  What would take the
 * test too much memory is left out: see fits().
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/rng.h"
#include "base/text.h"
#include "gpu/device.h"
#include "gpu/machine.h"
#include "mech/mech.h"
#include "sm/front/sched.h"

enum { MAX_SET = 13, BLOCK = 96, GRID = 5, N = BLOCK * GRID };
enum { MAX_CYCLES = 500000, MAX_SLOW_CYCLES = 20000, MOST_LINES = 1 << 20 };

/* ---- the kernel, and what it computes */

static const char text[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                           ".const .align 4 .u32 odd[4] = {1, 3, 5, 7};\n"
                           ".func (.param .b32 r) twice(.param .b32 x) {\n"
                           ".reg .b32 %x; ld.param.u32 %x, [x]; add.u32 %x, %x, %x; st.param.b32 "
                           "[r], %x; ret; }\n"
                           ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 sum) {\n"
                           ".reg .b32 %r<24>; .reg .b64 %d<12>; .reg .f32 %f<4>; .reg .f64 %g<4>; "
                           ".reg .pred %p<4>;\n"
                           ".shared .align 4 .b8 s[384]; .local .align 4 .b8 l[16];\n"
                           "ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; ld.param.u64 %d2, "
                           "[sum];\n"
                           "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 96, "
                           "%r0;\n"
                           "mul.wide.u32 %d3, %r2, 4; add.u64 %d4, %d0, %d3; ld.global.u32 %r3, "
                           "[%d4];\n"
                           "mov.u32 %r4, s; mad.lo.u32 %r5, %r0, 4, %r4; st.shared.u32 [%r5], "
                           "%r3;\n" /* the block backwards */
                           "bar.sync 0; sub.u32 %r6, 95, %r0; mad.lo.u32 %r5, %r6, 4, %r4; "
                           "ld.shared.u32 %r7, [%r5];\n"
                           "mad.lo.u32 %r8, %r3, 3, %r7; and.b32 %r9, %r0, 3; setp.ge.u32 %p0, "
                           "%r9, 2;\n"
                           "@%p0 bra big; xor.b32 %r8, %r8, 85; bra met; big: add.u32 %r8, %r8, 7; "
                           "met:\n"
                           "add.u32 %r10, %r9, 1; div.u32 %r8, %r8, %r10; st.local.u32 [l+4], "
                           "%r8;\n"
                           "mul.wide.u32 %d5, %r9, 4; mov.u64 %d6, odd; add.u64 %d6, %d6, %d5; "
                           "ld.const.u32 %r11, [%d6];\n"
                           "and.b32 %r12, %r3, 255; cvt.rn.f32.u32 %f0, %r12; mul.f32 %f0, %f0, "
                           "%f0; sqrt.rn.f32 %f1, %f0;\n"
                           "cvt.rzi.u32.f32 %r13, %f1; cvt.rn.f64.u32 %g0, %r13; fma.rn.f64 %g1, "
                           "%g0, %g0, %g0;\n"
                           "cvt.rzi.u32.f64 %r14, %g1;\n" /* x * x + x of the low byte */
                           "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r14; call (b), "
                           "twice, (a);\n"
                           "ld.param.b32 %r15, [b]; }\n"
                           "ld.local.u32 %r16, [l+4]; add.u32 %r16, %r16, %r11; add.u32 %r16, "
                           "%r16, %r15;\n"
                           "mov.u32 %r18, 0; loop: add.u32 %r18, %r18, 1; mad.lo.u32 %r16, %r16, "
                           "5, %r18;\n" /* tid & 3 times more */
                           "setp.le.u32 %p1, %r18, %r9; @%p1 bra loop;\n"
                           "add.u64 %d4, %d1, %d3; st.global.u32 [%d4], %r16; membar.gl;\n"
                           "ld.volatile.global.u32 %r17, [%d4]; red.global.add.u32 [%d2], %r17;\n"
                           "atom.global.max.u32 %r19, [%d2+4], %r2; red.global.add.u32 [%d2+8], 1; "
                           "ret; }\n";

static u32 input(u32 i)
{
    return i * 2654435761u >> 7;
}

static u32 output(u32 i)
{
    static const u32 odd[4] = {1, 3, 5, 7};
    u32 t = i % BLOCK, x = input(i), y = input(i - t + BLOCK - 1 - t), low = x & 255, k = t & 3;
    u32 z = 3 * x + y;

    z = (k >= 2 ? z + 7 : z ^ 85) / (k + 1) + odd[k] + 2 * (low * low + low);
    for (u32 n = 1; n <= k + 1; n++)
        z = 5 * z + n;
    return z;
}

/* ---- a configuration */

struct trial {
    struct rng r;
    const char *gpu;
    u32 focus; /* the one module whose keys are set; more than there are: any */
    char set[MAX_SET][160];
    u32 n_set;
    char mech[2][300];
    u32 n_mech;
    char shown[4000];
    char why[768]; /* not right */
};

static struct conf_file *gpus;
static u32 n_gpu;
static struct trial current; /* what a signal handler shows */

/* Small values as often as large ones, and often a bound or the value's neighbourhood. */
static double draw(struct rng *r, const struct key *k, double base)
{
    double v, lo = k->min, hi = k->max;

    switch (rng_below(r, 6)) {
    case 0:
        return lo + rng_below(r, 3) < hi ? lo + rng_below(r, 3) : lo;
    case 1:
        return rng_below(r, 4) ? base : hi;
    case 2:
    case 3:
        for (v = base > 1 ? base : 1; rng_below(r, 2);)
            v *= rng_below(r, 2) ? 2 : 0.5;
        break;
    case 4:
        v = base + (double)rng_below(r, 9) - 4;
        break;
    default:
        for (v = hi; v > 1 && v > lo && rng_below(r, 8);)
            v *= 0.25 + 0.75 * rng_real(r);
    }
    return v < lo ? lo : v > hi ? hi : v;
}

static void draw_word(struct rng *r, const char *words, char *to, size_t size)
{
    u32 n = 1;

    for (const char *p = words; *p; p++)
        n += *p == '|';
    for (u32 skip = rng_below(r, n); skip; skip--)
        words = strchr(words, '|') + 1;
    snprintf(to, size, "%.*s", (int)strcspn(words, "|"), words);
}

/* Bits of bank numbers: as many as dram.banks asks for, mostly. */
static void draw_bits(struct rng *r, char *to, size_t size)
{
    size_t n = 0;

    to[0] = 0;
    for (u32 i = 0, bits = 3 + rng_below(r, 3); i < bits; i++)
        n += (size_t)snprintf(to + n, size - n, "%s%u", i ? "," : "", 8 + 3 * i + rng_below(r, 3));
}

static bool draw_string(struct rng *r, const char *module, const char *key, char *to, size_t size)
{
    u32 n;

    if (!strcmp(module, "sm") && !strcmp(key, "scheduler"))
        snprintf(to, size, "%s", sched_list(&n)[rng_below(r, (sched_list(&n), n))]->name);
    else if (!strcmp(module, "dram") && !strcmp(key, "scheduler"))
        snprintf(to, size, "%s",
                 dram_policy_list(&n)[rng_below(r, (dram_policy_list(&n), n))]->name);
    else if (!strcmp(module, "mem") && !strcmp(key, "bank_bits"))
        draw_bits(r, to, size);
    else if (!strcmp(module, "noop") && (!strcmp(key, "off") || !strcmp(key, "issue_to")))
        snprintf(to, size, "%s", component_name[rng_below(r, N_COMPONENT)]);
    else
        return false;
    return true;
}

/* False: a key whose values are names of files or kernels. */
static bool draw_value(struct rng *r, const char *module, const struct key *k, const char *base,
                       char *to, size_t size)
{
    u64 v = 0;

    switch (k->kind) {
    case KEY_IS_ENUM:
        draw_word(r, k->words, to, size);
        return true;
    case KEY_IS_STR:
    case KEY_IS_FILE:
    case KEY_IS_LIST:
        return draw_string(r, module, k->name, to, size);
    case KEY_IS_REAL:
        snprintf(to, size, "%.6g", draw(r, k, strtod(base, NULL)));
        return true;
    default:
        v = strtoull(base, NULL, 0);
        v = k->kind == KEY_IS_SIZE && strchr(base, 'K')   ? v << 10
            : k->kind == KEY_IS_SIZE && strchr(base, 'M') ? v << 20
            : k->kind == KEY_IS_SIZE && strchr(base, 'G') ? v << 30
                                                          : v;
        snprintf(to, size, "%" PRIu64, (u64)draw(r, k, (double)v));
        return true;
    }
}

static bool add_key(struct trial *t, const struct conf *base)
{
    u32 n;
    const struct conf_module *m = conf_modules(&n);

    m += t->focus < n ? t->focus : rng_below(&t->r, n);
    const struct key *k = &m->sheet->key[rng_below(&t->r, m->sheet->n_key)];
    struct conf_key ck = {m, k};
    char was[200], value[100];

    conf_show(base, &ck, was, sizeof was);
    if (!draw_value(&t->r, m->sheet->module, k, was, value, sizeof value))
        return false;
    snprintf(t->set[t->n_set++], sizeof t->set[0], "%s.%s=%s", m->sheet->module, k->name, value);
    return true;
}

static bool is_refused(const struct trial *t)
{
    const char *set[MAX_SET];
    struct conf c;
    struct err e;

    for (u32 i = 0; i < t->n_set; i++)
        set[i] = t->set[i];
    bool ok = conf_make(&c, t->gpu, set, t->n_set, &e);

    if (ok)
        conf_free(&c);
    return !ok;
}

static void add_mech(struct trial *t, const char *name)
{
    struct err e;
    const struct mech *m = mech_find(name, &e);
    char *to = t->mech[t->n_mech++], value[100];
    size_t n = (size_t)snprintf(to, sizeof t->mech[0], "%s", name);

    for (u32 i = rng_below(&t->r, 5); i && m->sheet->n_key; i--) {
        const struct key *k = &m->sheet->key[rng_below(&t->r, m->sheet->n_key)];

        if (draw_value(&t->r, name, k, k->def, value, sizeof value))
            n += (size_t)snprintf(to + n, sizeof t->mech[0] - n, "%c%s=%s",
                                  strchr(to, ':') ? ',' : ':', k->name, value);
    }
}

static void show(struct trial *t)
{
    size_t n = (size_t)snprintf(t->shown, sizeof t->shown, "-g %s", t->gpu);

    for (u32 i = 0; i < t->n_set; i++)
        n += (size_t)snprintf(t->shown + n, sizeof t->shown - n, " --set %s", t->set[i]);
    for (u32 i = 0; i < t->n_mech; i++)
        n += (size_t)snprintf(t->shown + n, sizeof t->shown - n, " -m %s", t->mech[i]);
}

static void make_trial(struct trial *t, u64 seed)
{
    struct conf base;
    struct err e;

    memset(t, 0, sizeof *t);
    t->r = rng_make(seed);
    t->r = rng_make(rng_u64(&t->r)); /* neighbours' sequences overlap otherwise */
    t->gpu = gpus[rng_below(&t->r, n_gpu)].name;
    if (!conf_load(&base, t->gpu, &e)) {
        err_print(&e, stderr);
        exit(1);
    }
    t->focus = rng_below(&t->r, 30); /* keys of one module depend on each other most */
    for (u32 n = 1 + rng_below(&t->r, MAX_SET - 3); n; n--)
        if (add_key(t, &base) && is_refused(t) && rng_below(&t->r, 8))
            t->n_set--; /* few refusals are enough, and some take two keys to be right again */
    snprintf(t->set[t->n_set++], sizeof t->set[0], "sim.watchdog=200000");
    if (!rng_below(&t->r, 3)) {
        if (rng_below(&t->r, 16)) /* it needs that */
            snprintf(t->set[t->n_set++], sizeof t->set[0], "sm.sp_split=on");
        add_mech(t, "gates");
    }
    if (!rng_below(&t->r, 8))
        add_mech(t, "noop");
    show(t);
    conf_free(&base);
}

/* ---- running it */

enum outcome { RIGHT, REFUSED, STUCK, TOO_LARGE, WRONG, N_OUTCOME };

static enum outcome wrong(u64 seed, const char *why, const char *detail)
{
    printf("WRONG, --seed %" PRIu64 " --count 1: %s: %s\n    smelt run %s\n", seed, why, detail,
           current.shown);
    return WRONG;
}

/* Host memory: lines of caches. */
static bool fits(const struct conf *c)
{
    u64 sm = c->l1i.sets * c->l1i.ways + c->l1d.sets * c->l1d.ways + c->l1c.sets * c->l1c.ways +
             c->l1t.sets * c->l1t.ways;
    u64 l2 = c->l2.sets * c->l2.ways * c->mem.channels * c->mem.slices;

    return c->gpu.n_sm <= 128 && c->gpu.n_sm * (sm + c->sm.mem_ops) < MOST_LINES && l2 < MOST_LINES;
}

/* A reason is one line and the user's to mend. */
static enum outcome refused(u64 seed, const struct err *e)
{
    if (e->status != ERR_USER || !e->msg[0] || strchr(e->msg, '\n'))
        return wrong(seed, "not a refusal", e->msg);
    snprintf(current.why, sizeof current.why, "%s", e->msg);
    return REFUSED;
}

static enum outcome check(u64 seed, struct device *d, const u64 *buf, struct err *e)
{
    u32 out[N], sum[3], want = 0;

    if (!device_read(d, buf[1], out, sizeof out, e) || !device_read(d, buf[2], sum, sizeof sum, e))
        return wrong(seed, "results cannot be read", e->msg);
    for (u32 i = 0; i < N; i++) {
        want += output(i);
        if (out[i] != output(i))
            return wrong(seed, "a wrong result",
                         text_printf("out[%u] is %u, not %u", i, out[i], output(i)));
    }
    if (sum[0] != want || sum[1] != N - 1 || sum[2] != N)
        return wrong(seed, "wrong atomics", text_printf("%u %u %u", sum[0], sum[1], sum[2]));
    return RIGHT;
}

static enum outcome launch(u64 seed, struct device *d, struct program *p, struct err *e)
{
    const u32 grid[3] = {GRID, 1, 1}, block[3] = {BLOCK, 1, 1};
    u32 in[N];
    u64 buf[3];

    for (u32 i = 0; i < N; i++)
        in[i] = input(i);
    for (u32 i = 0; i < 3; i++)
        if (!(buf[i] = device_alloc(d, sizeof in, e)) || !device_set(d, buf[i], 0, sizeof in, e))
            return strstr(e->msg, "(mem.size)") ? REFUSED : wrong(seed, "no memory", e->msg);
    if (!device_write(d, buf[0], in, sizeof in, e))
        return wrong(seed, "no input", e->msg);
    if (device_run(d, p, "k", grid, block, 0, (const u8 *)buf, e))
        return check(seed, d, buf, e);
    if (e->status == ERR_USER)
        return refused(seed, e);
    enum run_end end = d->last.end;

    snprintf(current.why, sizeof current.why, "%s", e->msg);

    if (end == RUN_MAX_CYCLES || (end == RUN_DEADLOCK && strstr(e->msg, "(sim.watchdog)")))
        return STUCK;
    return wrong(seed, "the kernel fails", e->msg);
}

/* Twice on one device, the second with warm caches; *cycles of both. */
static enum outcome run(u64 seed, const struct trial *t, bool slow, u64 *cycles)
{
    const char *set[MAX_SET], *mech[2] = {t->mech[0], t->mech[1]};
    struct run_opts o = {.threads = slow ? 1 : 2,
                         .no_skip = slow,
                         .max_cycles = MAX_CYCLES,
                         .mech = mech,
                         .n_mech = t->n_mech};
    struct conf c;
    struct err e = {0};

    for (u32 i = 0; i < t->n_set; i++)
        set[i] = t->set[i];
    if (!conf_make(&c, t->gpu, set, t->n_set, &e))
        return refused(seed, &e);
    enum outcome end = TOO_LARGE;

    if (fits(&c)) {
        struct device *d = device_new(&c, &o, &e);
        struct program *p = d ? device_load(d, "k.ptx", text, strlen(text), &e) : NULL;

        end = p ? launch(seed, d, p, &e) : refused(seed, &e);
        if (end == RIGHT)
            end = launch(seed, d, p, &e);
        if (end == RIGHT)
            *cycles = d->counters.cycles;
        device_free(d);
    }
    conf_free(&c);
    return end;
}

static enum outcome try(u64 seed)
{
    u64 fast = 0, slow = 0;

    make_trial(&current, seed);
    enum outcome end = run(seed, &current, false, &fast);

    if (end != RIGHT || fast > MAX_SLOW_CYCLES)
        return end;
    end = run(seed, &current, true, &slow);
    if (end == RIGHT && slow != fast)
        return wrong(seed, "skipping changes time",
                     text_printf("%" PRIu64 ", not %" PRIu64 " cycles", fast, slow));
    return end;
}

/* ---- the command */

static void on_crash(int signal)
{
    static const char head[] = "\ncrashed: smelt run ";

    if (write(2, head, sizeof head - 1) > 0 && write(2, current.shown, strlen(current.shown)) > 0 &&
        write(2, "\n", 1) > 0)
        _exit(128 + signal);
    _exit(1);
}

static u64 number(const char *name, const char *value)
{
    char *end;
    u64 v = value ? strtoull(value, &end, 10) : 0;

    if (value && end != value && !*end)
        return v;
    fprintf(stderr, "%s takes a number\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    static const char *const name[N_OUTCOME] = {"right", "refused", "stuck", "too large", "wrong"};
    u64 seed = 1, count = 100, n[N_OUTCOME] = {0};
    bool tell = false;

    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--seed"))
            seed = number("--seed", argv[++i]);
        else if (!strcmp(argv[i], "--count"))
            count = number("--count", argv[++i]);
        else if (!strcmp(argv[i], "--show"))
            tell = true;
        else
            return fprintf(stderr, "usage: random_config [--seed S] [--count N] [--show]\n"), 2;
    n_gpu = conf_list_gpus(&gpus);
    signal(SIGSEGV, on_crash), signal(SIGABRT, on_crash), signal(SIGFPE, on_crash);
    log_set_level(LOG_QUIET);
    for (u64 s = seed; s < seed + count; s++) {
        enum outcome end = try(s);

        n[end]++;
        if (tell)
            printf("%s: --seed %" PRIu64 ": %s %s\n", name[end], s, current.shown, current.why),
                fflush(stdout);
    }
    for (u32 i = 0; i < N_OUTCOME; i++)
        printf("%s%" PRIu64 " %s", i ? ", " : "", n[i], name[i]);
    printf("\n");
    conf_dir_free(gpus, n_gpu);
    return n[WRONG] != 0;
}
