/*
 * op_job.h -- kernels written out by a test, run in every way smelt can run them.
 *
 * A job is a kernel with the parameters (in, out) or (in, out, 64 bytes), the bytes it
 * reads, and the bytes it must leave in `out`, which starts as 0xee.  op_jobs runs all
 * jobs of a module lowered and not, with each instruction set of this host.
 */
#ifndef TESTS_PROPS_OP_JOB_H
#define TESTS_PROPS_OP_JOB_H

#include "tests/props/op_test.h"

#define OP_HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

struct op_job {
    const char *what; /* the form, for the message */
    char kernel[40];
    const void *in;
    u64 n_in;
    const void *want;
    u64 n_want;
    u32 grid, block, smem;
    u8 param[64];
    u64 overlay; /* so many bytes of out start as those of in */
};

struct op_jobs {
    const char *text;
    struct op_job *job;
    u32 n;
    void (*setup)(struct kit *k, void *arg); /* after loading, may be NULL */
    void *arg;
};

static inline void op_job_report(const struct op_job *j, const u8 *got, const char *mode,
                                 const char *isa)
{
    const u8 *want = j->want;
    u64 at = 0;

    while (got[at] == want[at])
        at++;
    at &= ~7ull;
    printf("%s, kernel %s (%s, %s): out[%#" PRIx64 "..]: got", j->what, j->kernel, mode, isa, at);
    for (u64 i = at; i < at + 8 && i < j->n_want; i++)
        printf(" %02x", got[i]);
    printf(", want");
    for (u64 i = at; i < at + 8 && i < j->n_want; i++)
        printf(" %02x", want[i]);
    printf("\n");
}

static inline bool op_job_launch(struct kit *k, const struct op_job *j, u64 in, u64 out)
{
    const u32 g[3] = {j->grid, 1, 1}, b[3] = {j->block, 1, 1};
    struct func *f = program_kernel(k->p, j->kernel, &k->e);
    u8 param[4096] = {0};

    assert_non_null(f);
    memcpy(param + f->param[0].off, &in, 8);
    memcpy(param + f->param[1].off, &out, 8);
    if (f->n_param > 2)
        memcpy(param + f->param[2].off, j->param, f->param[2].size);
    return device_run(k->d, k->p, j->kernel, g, b, j->smem, param, &k->e);
}

/* False if the job fails or leaves other bytes than it should. */
static inline bool op_job_run(struct kit *k, const struct op_job *j, const char *mode,
                              const char *isa)
{
    u8 *got = malloc(j->n_want);

    assert_non_null(got);
    memset(got, 0xee, j->n_want);
    memcpy(got, j->in, j->overlay);
    u64 in = kit_buf(k, j->in, j->n_in), out = kit_buf(k, got, j->n_want);
    bool ok = op_job_launch(k, j, in, out);

    if (!ok) {
        printf("%s, kernel %s (%s, %s): ", j->what, j->kernel, mode, isa);
        err_print(&k->e, stdout);
    } else {
        kit_get(k, out, got, j->n_want);
        ok = !memcmp(got, j->want, j->n_want);
        if (!ok)
            op_job_report(j, got, mode, isa);
    }
    assert_true(device_release(k->d, in, &k->e) && device_release(k->d, out, &k->e));
    free(got);
    return ok;
}

static inline u32 op_jobs_in_mode(const struct op_jobs *all, enum kit_mode mode)
{
    struct kit k;
    u32 bad = 0;

    kit_open(&k, all->text, mode, "base");
    if (all->setup)
        all->setup(&k, all->arg);
    for (u32 j = 0; j < all->n; j++)
        for (u32 i = 0; i < LEN(op_isas); i++) {
            if (!op_isa_here(op_isas[i]))
                continue;
            k.d->opts.isa = op_isas[i];
            bad += !op_job_run(&k, &all->job[j], mode == KIT_OFF ? "not lowered" : "lowered",
                               op_isas[i]);
        }
    kit_close(&k);
    return bad;
}

/* The number of runs that went wrong. */
static inline u32 op_jobs_bad(const struct op_jobs *all)
{
    return op_jobs_in_mode(all, KIT_LOWER) + op_jobs_in_mode(all, KIT_OFF);
}

/* One kernel, one result. */
static inline void op_job_check(const char *what, const char *text, struct op_job job)
{
    job.what = what;
    struct op_jobs all = {text, &job, 1, NULL, NULL};

    if (op_jobs_bad(&all))
        fail_msg("%s differs from the reference", what);
}

#endif
