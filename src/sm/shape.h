/*
 * shape.h -- what an SM is in a launch: how much a CTA finds there, and how long its ways are.
 *
 * In the baseline that is what the keys say.  A binding changes it: a front end with borrowed contexts
 * has more warps, one that drives two datapaths has wider ones.  Shapes change at launches, when an SM
 * is drained (sm_reshape).
 */
#ifndef SM_SHAPE_H
#define SM_SHAPE_H

#include "base/base.h"
#include "base/err.h"
#include "mem/cache.h"
#include "sm/sm_conf.h"

struct shape {
    bool on;       /* its front end works, and gets CTAs */
    u32 n_warp;    /* contexts */
    u32 own_warps; /* of them those whose registers are its own; the others' are its lender's */
    u32 parts;     /* of its register file with banks and collectors, each for another front end */
    u32 shares;    /* front ends, of so many contexts each, that its CTAs' warps are dealt out to */
    u32 warp_words; /* of 32 lanes, in a warp */
    u32 dp_words;   /* of them those that one datapath executes, */
    u32 simd_width; /* so many lanes a cycle */
    u32 max_threads, max_cta;
    u32 regs, shared; /* registers, bytes */
    u32 lent_regs;    /* registers of the lender, for warps from own_warps on */
    bool split_ctas;  /* .. or from the first on that has none here: a CTA may lie in both SMs */
    u32 smem_banks;
    u32 l1d_sets, l1d_ways, l1d_mshrs;
    u32 l1i_by, l1c_by, l1t_by; /* ways of these caches: so many times those of the keys */
    u32 l1_queues;              /* likewise their MSHRs, and miss queues of all */
    /* stages of one cycle more: on the way .. */
    u32 late_decode;          /* .. into the instruction buffers */
    u32 late_issue;           /* .. from issue to the collectors */
    u32 late_operands;        /* .. from collectors to pipelines */
    u32 late_l1, late_shared; /* .. to L1D and shared memory */
    u32 late_l1_read;         /* .. to L1C and L1T */
};

/* As the keys say. */
void shape_of_keys(struct shape *s, const struct sm_conf *sm, const struct cache_conf *l1d);

/* Of the rest of an SM: what a shape multiplies. */
struct shape_of {
    const struct sm_conf *sm;
    const struct cache_conf *l1i, *l1c, *l1t;
};

/*
 * Can an SM have this shape?  A key's own bounds are for an SM alone; a mechanism that adds up what several
 * have may ask for more than there is room for in its arrays.  If not, the reason names the key.
 */
bool shape_check(const struct shape *s, const struct shape_of *of, struct err *e);

/* Threads that it has contexts for. */
static inline u64 shape_threads(const struct shape *s)
{
    return (u64)s->shares * s->n_warp * s->warp_words * 32;
}

/* Times that an instruction of a warp goes through a pipeline of one datapath. */
static inline u32 shape_passes(const struct shape *s)
{
    return (s->dp_words * 32 + s->simd_width - 1) / s->simd_width;
}

/*
 * CTAs of so many contexts that there are contexts and registers for; and the first context of CTA i of
 * them.  A warp's registers are all its own SM's or all its lender's.  Where there are not enough for
 * every context, the last of them stay empty, on both sides: then no CTA has warps on both.  With
 * split_ctas the lender's begin where those of the own SM end, and CTAs follow each other across it.
 */
u32 shape_ctas(const struct shape *s, u32 contexts, u64 warp_regs);
u32 shape_context(const struct shape *s, u32 contexts, u64 warp_regs, u32 i);

/* Contexts whose registers are its own, if a warp needs so many. */
u32 shape_own_warps(const struct shape *s, u64 warp_regs);

#endif
