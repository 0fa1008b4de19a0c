/* list.c -- the list of mechanisms; tests link another one in its place */
#include "mech/mech.h"

#define MECH(name) extern const struct mech mech_##name;
#define SCHED(name)
#include "mech/list.def"

static const struct mech *const mechs[] = {
#define MECH(name) &mech_##name,
#define SCHED(name)
#include "mech/list.def"
};

const struct mech *const *mech_list(u32 *n)
{
    *n = LEN(mechs);
    return mechs;
}
