/*
 * random_config.c -- GPUs with random keys and mechanisms compute what they should, or say why not.
 *
 *     random_config [--seed S] [--count N] [--seconds T] [--show] [--raise SIGNAL]
 *
 * runs configurations S .. S + N - 1.  With --raise each ends itself, so that a test sees what is said of it.
 *
 * A configuration (trial.h) must end in one of these ways:
 *
 *     right      the kernel computes what it should, twice on a device; its accounts add up; and all it
 *                counts is the same with threads and skipping as cycle by cycle with one thread, and
 *                with `noop` added
 *     refused    with a reason in one line, as a mistake of the user
 *     stuck      nothing was issued for long, or the limit of cycles was reached: parts that are very slow
 *     too large  it would take the test too much memory: see fits()
 *
 * else the program says how to repeat it, goes on with the next, and fails in the end:
 *
 *     wrong      none of the above; a machine in which nothing can move any more is wrong too: what
 *                cannot work has to be refused
 *     crashed    a process of its own was ended by a signal, or by itself
 *     too long   it took more than T seconds of processor time, or did not end at all
 *
 * It also fails if fewer than half of many are right: all may be refused for one reason, and nothing tested.
 */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "gpu/device.h"
#include "gpu/machine.h"
#include "mech/mech.h"
#include "tests/random/kernel.h"
#include "tests/random/trial.h"

enum { MAX_CYCLES = 500000, MAX_SLOW_SM_CYCLES = 100000, MOST_LINES = 1 << 20 };
enum { MIN_JUDGED = 20 }; /* configurations, for their shares to mean something */

enum outcome { RIGHT, REFUSED, STUCK, TOO_LARGE, WRONG, CRASHED, TOO_LONG, N_OUTCOME };

static const char *const outcome_name[N_OUTCOME] = {"right", "refused", "stuck",   "too large",
                                                    "wrong", "crashed", "too long"};

/* What a process with a configuration tells the one that waits for it. */
struct told {
    struct trial t;
    enum outcome outcome;
    bool slowly, noop; /* it was compared with these */
    char why[1000];    /* not right */
};

static struct told *told;
static FILE *said;            /* what that process says besides */
static u32 want[KERNEL_MOST]; /* what the kernel computes */

static enum outcome ends(enum outcome outcome, const char *what, const char *detail)
{
    snprintf(told->why, sizeof told->why, "%s%s%s", what, *what ? ": " : "", detail);
    return outcome;
}

static enum outcome wrong(const char *what, const char *detail)
{
    return ends(WRONG, what, detail);
}

/* A reason is one line and the user's to mend. */
static enum outcome refused(const struct err *e)
{
    if (e->status != ERR_USER || !e->msg[0] || strchr(e->msg, '\n'))
        return wrong("not a refusal", e->msg);
    return ends(REFUSED, "", e->msg);
}

/* ---- accounts */

static u64 n_stalled(const struct stall_stat *s)
{
    u64 n = 0;

    for (u32 i = 0; i < stall_sheet.n_stat; i++)
        if (i != STALL_scheduler_cycles)
            n += *(const u64 *)(const void *)((const char *)s + stall_sheet.stat[i].off);
    for (u32 i = 0; i < MAX_LISTENERS; i++)
        n += s->held[i];
    return n;
}

static enum outcome check_stalls(const struct device *d)
{
    const struct counters *c = &d->counters;
    u64 all = c->stall.scheduler_cycles, sms = c->cycles * d->conf.gpu.n_sm;

    if (n_stalled(&c->stall) != all)
        return wrong("stall reasons", text_printf("%" PRIu64 " cycles, scheduler_cycles %" PRIu64,
                                                  n_stalled(&c->stall), all));
    if (c->sm.sm_cycles != sms || all != sms * d->conf.sm.schedulers)
        return wrong("cycles of SMs and schedulers",
                     text_printf("%" PRIu64 " cycles, sm_cycles %" PRIu64
                                 ", scheduler_cycles %" PRIu64,
                                 c->cycles, c->sm.sm_cycles, all));
    return RIGHT;
}

/* Finite, and not negative. */
static bool is_energy(double joules)
{
    return isfinite(joules) && joules >= 0;
}

static enum outcome check_energy(const struct energy *e)
{
    double sum = 0, total = energy_total(e);

    for (u32 i = 0; i < N_COMPONENT; i++) {
        const struct energy_part *p = &e->part[i];

        if (!is_energy(p->dynamic_j) || !is_energy(p->static_j) || !is_energy(p->gating_j) ||
            !is_energy(p->base_j))
            return wrong("energy", text_printf("%s: %g dynamic, %g static, %g gating, %g base",
                                               component_name[i], p->dynamic_j, p->static_j,
                                               p->gating_j, p->base_j));
        sum += p->dynamic_j + p->static_j + p->gating_j + p->base_j;
    }
    for (u32 i = 0; i < N_OP_KIND; i++)
        if (!is_energy(e->kind_j[i]))
            return wrong("energy of a class", text_printf("%u: %g", i, e->kind_j[i]));
    if (fabs(sum - total) > 1e-9 * total)
        return wrong("energy", text_printf("components are %g J, in all %g J", sum, total));
    return RIGHT;
}

static enum outcome check_accounts(const struct device *d)
{
    enum outcome end = check_stalls(d);
    u64 ctas = 2 * (u64)told->t.grid;

    if (end == RIGHT)
        end = check_energy(&d->energy);
    if (end == RIGHT && d->counters.sm.ctas != ctas)
        end = wrong("CTAs", text_printf("%" PRIu64 ", not %" PRIu64, d->counters.sm.ctas, ctas));
    return end;
}

/* ---- the same? */

/* The first counter that is not; NULL: all are. */
static const char *differing(const struct sheet *s, const char *prefix, const void *a,
                             const void *b)
{
    for (u32 i = 0; i < s->n_stat; i++) {
        u64 x, y;

        if (s->stat[i].over != STAT_NONE)
            continue;
        memcpy(&x, (const char *)a + s->stat[i].off, sizeof x);
        memcpy(&y, (const char *)b + s->stat[i].off, sizeof y);
        if (x != y)
            return text_printf("%s%s is %" PRIu64 ", not %" PRIu64, prefix, s->stat[i].name, y, x);
    }
    return NULL;
}

static const char *differing_mech(const struct device *a, const struct device *b, u32 i)
{
    const struct mech *m = a->mechs->at[i].m;
    void *x = xcalloc(1, m->stat_size + 1), *y = xcalloc(1, m->stat_size + 1);
    char prefix[64];

    snprintf(prefix, sizeof prefix, "%s_", m->name);
    mech_count(a->mechs, i, x), mech_count(b->mechs, i, y);
    const char *what = differing(m->sheet, prefix, x, y);

    free(x), free(y);
    return what;
}

static const char *differing_counter(const struct device *a, const struct device *b)
{
    const struct counters *x = &a->counters, *y = &b->counters;
    const char *what = NULL;
    u32 n;
    const struct counter_sheet *s = counters_list(&n);

    if (x->cycles != y->cycles)
        return text_printf("%" PRIu64 ", not %" PRIu64 " cycles", y->cycles, x->cycles);
    for (u32 i = 0; i < n && !what; i++)
        what = differing(s[i].sheet, s[i].prefix, (const char *)x + s[i].off,
                         (const char *)y + s[i].off);
    if (!what)
        what = differing(&stall_sheet, "stall_", &x->stall, &y->stall);
    for (u32 i = 0; i < a->mechs->n && !what; i++)
        what = differing_mech(a, b, i);
    if (!what &&
        (memcmp(&x->dram_latency, &y->dram_latency,
                offsetof(struct counters, charged) - offsetof(struct counters, dram_latency)) ||
         memcmp(&x->charged, &y->charged, a->mechs->n * sizeof x->charged.n[0])))
        what = "a histogram, or what a mechanism is charged for";
    return what;
}

/* `b` counts the same, and takes the same energy. */
static enum outcome same(const struct device *a, const struct device *b, const char *with)
{
    const char *what = differing_counter(a, b);

    if (!what && memcmp(&a->energy, &b->energy, sizeof a->energy))
        what = "energy";
    return what ? wrong(text_printf("not the same %s", with), what) : RIGHT;
}

/* ---- running it */

/* Host memory: lines of caches. */
static bool fits(const struct conf *c)
{
    u64 sm = c->l1i.sets * c->l1i.ways + c->l1d.sets * c->l1d.ways + c->l1c.sets * c->l1c.ways +
             c->l1t.sets * c->l1t.ways;
    u64 l2 = c->l2.sets * c->l2.ways * c->mem.channels * c->mem.slices;

    return c->gpu.n_sm <= 128 && c->gpu.n_sm * (sm + c->sm.mem_ops) < MOST_LINES && l2 < MOST_LINES;
}

static enum outcome check_results(struct device *d, const u64 *buf, u32 n, struct err *e)
{
    static u32 out[KERNEL_MOST];
    u32 sum[3], total = 0;

    if (!device_read(d, buf[1], out, n * sizeof out[0], e) ||
        !device_read(d, buf[2], sum, sizeof sum, e))
        return wrong("results cannot be read", e->msg);
    for (u32 i = 0; i < n; i++) {
        total += want[i];
        if (out[i] != want[i])
            return wrong("a wrong result",
                         text_printf("out[%u] is %u, not %u", i, out[i], want[i]));
    }
    if (sum[0] != total || sum[1] != n - 1 || sum[2] != n)
        return wrong("wrong atomics", text_printf("%u %u %u", sum[0], sum[1], sum[2]));
    return RIGHT;
}

static enum outcome fill(struct device *d, struct program *p, u64 *buf, struct err *e)
{
    u32 in[KERNEL_MOST];
    struct texture t = {.width = KERNEL_MOST, .channels = 1, .bits = 32};

    for (u32 i = 0; i < KERNEL_MOST; i++)
        in[i] = kernel_input(i);
    for (u32 i = 0; i < 3; i++)
        if (!(buf[i] = device_alloc(d, sizeof in, e)) || !device_set(d, buf[i], 0, sizeof in, e))
            return strstr(e->msg, "(mem.size)") ? ends(REFUSED, "", e->msg)
                                                : wrong("no memory", e->msg);
    t.addr = buf[0], t.pitch = sizeof in;
    if (!device_write(d, buf[0], in, sizeof in, e) || !device_bind_texture(d, p, "tex", &t, e))
        return wrong("no input", e->msg);
    return RIGHT;
}

static enum outcome failed(const struct device *d, const struct err *e)
{
    enum run_end end = d->last.end;

    if (e->status == ERR_USER)
        return refused(e);
    if (end == RUN_MAX_CYCLES || (end == RUN_DEADLOCK && strstr(e->msg, "(sim.watchdog)")))
        return ends(STUCK, "", e->msg);
    return wrong("the kernel fails", e->msg);
}

static enum outcome launch(struct device *d, struct program *p, struct err *e)
{
    const u32 grid[3] = {told->t.grid, 1, 1}, block[3] = {KERNEL_BLOCK, 1, 1};
    u64 buf[3];
    enum outcome end = fill(d, p, buf, e);

    if (end != RIGHT)
        return end;
    if (!device_run(d, p, "k", grid, block, 0, (const u8 *)buf, e))
        return failed(d, e);
    return check_results(d, buf, told->t.grid * KERNEL_BLOCK, e);
}

/* Twice on one device, the second with warm caches; *d, if that was right. */
static enum outcome run_on(const struct conf *c, struct run_opts *o, struct device **out)
{
    struct err e = {0};
    struct device *d = device_new(c, o, &e);
    struct program *p = d ? device_load(d, "k.ptx", kernel_text, strlen(kernel_text), &e) : NULL;
    enum outcome end = p ? launch(d, p, &e) : refused(&e);

    if (end == RIGHT)
        end = launch(d, p, &e);
    if (end == RIGHT)
        end = check_accounts(d);
    if (end == RIGHT)
        *out = d;
    else
        device_free(d);
    return end;
}

/* The same once more in another way. */
static enum outcome again(const struct conf *c, struct run_opts o, const struct device *first,
                          const char *with)
{
    struct device *d = NULL;
    enum outcome end = run_on(c, &o, &d);

    if (end != RIGHT)
        return wrong(text_printf("not right any more %s", with), text_dup(told->why));
    end = same(first, d, with);
    device_free(d);
    return end;
}

static enum outcome try_ways(const struct conf *c, const struct trial *t)
{
    const char *mech[TRIAL_MECHS + 1];
    struct run_opts fast = {.threads = 2, .max_cycles = MAX_CYCLES, .mech = mech}, other;
    struct device *d = NULL;

    trial_mechs(t, mech);
    mech[t->n_mech] = t->noop_as;
    fast.n_mech = t->n_mech;
    other = fast;
    fast.sample = t->sample;
    enum outcome end = run_on(c, &fast, &d);

    if (end != RIGHT)
        return end;
    told->slowly = d->counters.sm.sm_cycles <= MAX_SLOW_SM_CYCLES;
    told->noop = t->noop;
    other.threads = 1, other.no_skip = true;
    if (told->slowly)
        end = again(c, other, d, "cycle by cycle with one thread");
    other = fast;
    other.n_mech++;
    if (told->noop && end == RIGHT)
        end = again(c, other, d, "with noop");
    device_free(d);
    return end;
}

static enum outcome try(u64 seed)
{
    struct conf c;
    struct err e;

    trial_draw(&told->t, seed);
    if (!trial_conf(&told->t, &c, &e))
        return refused(&e);
    enum outcome end = fits(&c) ? try_ways(&c, &told->t) : TOO_LARGE;

    conf_free(&c);
    return end;
}

/* ---- in a process of its own */

static void limit(u32 seconds)
{
    const struct rlimit cpu = {seconds, RLIM_INFINITY}, core = {0, 0};

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_CORE, &core);
    dup2(fileno(said), STDERR_FILENO);
    alarm(15 * seconds); /* also without using the processor; the host may have much else to do */
}

/* As ends; frees `how`. */
static enum outcome crashed(char *how)
{
    enum outcome outcome = ends(CRASHED, "", how);

    free(how);
    return outcome;
}

static enum outcome ended(int status)
{
    int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    if (sig == SIGXCPU || sig == SIGALRM)
        return ends(TOO_LONG, "", sig == SIGXCPU ? "takes too long" : "does not end");
    if (sig)
        return crashed(text_printf("ended by signal %d (%s)", sig, strsignal(sig)));
    if (WEXITSTATUS(status) && told->outcome != WRONG) /* .. of which leaks may follow */
        return crashed(text_printf("ended with status %d", WEXITSTATUS(status)));
    return told->outcome;
}

static enum outcome try_apart(u64 seed, u32 seconds, u32 end_by)
{
    int status;

    memset(told, 0, sizeof *told);
    rewind(said);
    if (ftruncate(fileno(said), 0))
        perror("random_config");
    fflush(stdout);
    pid_t pid = fork();

    if (!pid) {
        limit(seconds);
        told->outcome = try(seed);
        if (end_by)
            raise((int)end_by);
        exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        perror("random_config");
        exit(2);
    }
    return ended(status);
}

/* ---- the command */

struct ends_of {
    u64 n[N_OUTCOME], slowly, noop;
};

static void count(struct ends_of *t, enum outcome end)
{
    t->n[end]++;
    t->slowly += end == RIGHT && told->slowly;
    t->noop += end == RIGHT && told->noop;
}

static void count_mechs(struct ends_of *of, enum outcome end)
{
    u32 n;
    const struct mech *const *m = mech_list(&n);

    for (u32 i = 0; i < n; i++)
        for (u32 k = 0; k < told->t.n_mech; k++)
            if (strcspn(told->t.mech[k], ":") == strlen(m[i]->name) &&
                !strncmp(told->t.mech[k], m[i]->name, strlen(m[i]->name)))
                count(&of[i], end);
}

static void show_tally(const char *name, const struct ends_of *t)
{
    printf("%-8s", name);
    for (u32 i = 0; i < N_OUTCOME; i++)
        printf("%s%" PRIu64 " %s", i ? ", " : "", t->n[i], outcome_name[i]);
    printf("; %" PRIu64 " compared cycle by cycle, %" PRIu64 " with noop\n", t->slowly, t->noop);
}

static void copy_said(void)
{
    char text[4096];
    size_t n;

    rewind(said);
    while ((n = fread(text, 1, sizeof text, said)) > 0)
        fwrite(text, 1, n, stdout);
}

static void tell(u64 seed, enum outcome end)
{
    const struct trial *t = &told->t;
    bool bad = end >= WRONG;

    printf("%s%s --seed %" PRIu64 " --count 1: %s%s smelt run %s\n", outcome_name[end],
           bad ? "," : ":", seed, told->why, bad ? "\n   " : ":", t->shown);
    if (bad)
        printf("    %u CTAs, a sample every %" PRIu64 " cycles, %s\n", t->grid, t->sample,
               t->noop ? t->noop_as : "without noop");
    if (bad)
        copy_said();
    fflush(stdout);
}

static bool run_all(u64 seed, u64 n, u32 seconds, bool show, u32 end_by)
{
    struct ends_of all = {0}, of[MECH_LIST] = {0};
    u32 n_mech;
    const struct mech *const *m = mech_list(&n_mech);

    for (u64 s = seed; s < seed + n; s++) {
        enum outcome end = try_apart(s, seconds, end_by);

        count(&all, end), count_mechs(of, end);
        if (show || end >= WRONG)
            tell(s, end);
    }
    for (u32 i = 0; i < n_mech; i++)
        show_tally(m[i]->name, &of[i]);
    show_tally("all", &all);
    bool few = n >= MIN_JUDGED && 2 * all.n[RIGHT] < n;

    if (few)
        printf("fewer than half are right: so few say little of the machine\n");
    return !few && !all.n[WRONG] && !all.n[CRASHED] && !all.n[TOO_LONG];
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
    u64 seed = 1, n = 100, seconds = 20, end_by = 0;
    bool show = false;

    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--seed"))
            seed = number("--seed", argv[++i]);
        else if (!strcmp(argv[i], "--count"))
            n = number("--count", argv[++i]);
        else if (!strcmp(argv[i], "--seconds"))
            seconds = number("--seconds", argv[++i]);
        else if (!strcmp(argv[i], "--raise"))
            end_by = number("--raise", argv[++i]);
        else if (!strcmp(argv[i], "--show"))
            show = true;
        else
            return fprintf(stderr, "usage: random_config [--seed S] [--count N] [--seconds T] "
                                   "[--show] [--raise SIGNAL]\n"),
                   2;
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    said = tmpfile();
    if (told == MAP_FAILED || !said)
        return perror("random_config"), 2;
    log_set_level(LOG_QUIET);
    trial_begin();
    kernel_expect(want);
    bool ok = run_all(seed, n, (u32)seconds, show, (u32)end_by);

    trial_end();
    return !ok;
}
