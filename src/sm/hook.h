/*
 * hook.h -- where mechanisms listen to an SM: the complete list of hooks.
 *
 * The baseline calls HOOK(h, name, arg) on edges, never "every cycle"; what must happen N cycles
 * later is a timer (sm_timer), so that a mechanism cannot break idle skipping.  A hook that nobody
 * listens to costs the test of one bit.  Mechanisms steer only through data that the baseline reads
 * anyway: unit_off of a datapath, the policy of a scheduler, the binding of organs.
 *
 * Hooks of caches are in mem/cache_hook.h.
 *
 * A new hook is one line here and one call.
 */
#ifndef SM_HOOK_H
#define SM_HOOK_H

#include "base/base.h"
#include "mem/cache_hook.h"

/* HOOKS(H): name, who calls it, what arg is */
#define HOOKS(H)                                                                                          \
    H(kernel_begin) /* a launch begins on this SM: mech.h */                                              \
    H(kernel_end)   /* it has ended */                                                                    \
    H(cta_begin)    /* slot of the CTA that was placed */                                                 \
    H(cta_end)      /* slot of the CTA whose last warp has retired */                                     \
    H(warp_begin)   /* hardware warp that begins: of a CTA, a part that has left, or moved here */        \
    H(warp_end)     /* one that is free: its warp has retired, is home, or was moved away */              \
    H(issue)   /* hardware warp of which its datapath has got an instruction: see last_issue */           \
    H(branch)  /* hardware warp whose lanes did not agree */                                              \
    H(execute) /* pipeline that has got an instruction */                                                 \
    H(unit_wanted) /* pipeline that is off and would have got an instruction */                           \
    H(subset)      /* what the active warps are, see issue_subset, when that changes */                   \
    H(load_done)   /* hardware warp whose load has all its data */                                        \
    H(load_part)   /* hardware warp of whose load some lanes have their data: see load_part */            \
    H(timer)       /* timer armed with sm_timer */                                                        \
    H(unlocking) /* the lock step of so many SMs that its front end leads is to end: sm/binding/bind.h */ \
    H(unlocked) /* it has ended; 1: they are no set any more */                                           \
    H(relocked) /* it has begun again */                                                                  \
    H(edge)     /* a window has ended: all groups stand still */

enum hook {
#define H(name) HOOK_##name,
    HOOKS(H)
#undef H
        N_HOOK
};

struct sm;

struct listener {
    void (*call)(void *self, struct sm *sm, u32 arg);
    void *self;
};

struct hooks {
    u32 armed; /* bit h: somebody listens to hook h */
    u8 n[N_HOOK];
    struct listener at[N_HOOK][MAX_LISTENERS];
};

static inline void hook_call(const struct hooks *h, u32 hook, struct sm *sm, u32 arg)
{
    for (u32 i = 0; i < h->n[hook]; i++)
        h->at[hook][i].call(h->at[hook][i].self, sm, arg);
}

#define HOOK(sm, name, arg)                                                                        \
    do {                                                                                           \
        if (UNLIKELY((sm)->hooks.armed >> HOOK_##name & 1))                                        \
            hook_call(&(sm)->hooks, HOOK_##name, sm, arg);                                         \
    } while (0)

#endif
