/* sched_list.c -- the list of scheduler policies (sm/front/sched.h) */
#include "sm/front/sched.h"

#define MECH(name)
#define SCHED(name) extern const struct sched_policy sched_##name;
#include "mech/list.def"

static const struct sched_policy *const policies[] = {
#define MECH(name)
#define SCHED(name) &sched_##name,
#include "mech/list.def"
};

const struct sched_policy *const *sched_list(u32 *n)
{
    *n = LEN(policies);
    return policies;
}
