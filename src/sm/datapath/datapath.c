/* datapath.c -- see datapath.h */
#include "sm/datapath/datapath.h"

#include <stdlib.h>

void datapath_init(struct datapath *dp, const struct sm_conf *c)
{
    dp->conf = c;
    dp->n_sub = (u32)c->sub_cores;
    dp->width[UNIT_SP] = (u8)c->width_sp, dp->width[UNIT_SFU] = (u8)c->width_sfu;
    dp->width[UNIT_DP] = (u8)c->width_dp, dp->width[UNIT_MEM] = (u8)c->width_mem;
    dp->width[UNIT_TENSOR] = (u8)c->width_tensor;
    pipe_init(dp, c);
    dp->rf_steps = (u32)c->rf_steps;
}

void datapath_reshape(struct datapath *dp, const struct shape *s)
{
    dp->words = s->dp_words;
    dp->n_sub = (u32)dp->conf->sub_cores * s->parts;
    ensure(dp, s->parts && dp->n_sub <= MAX_SUB);
    check(dp, !dp->wheel.n_due);
    collector_reshape(dp, s->parts);
    dp->late_operands = s->late_operands;
    ensure(dp, s->late_operands <= MAX_LATE);
    datapath_late_issue(dp, s->late_issue);
    for (u32 i = 0; i < dp->n_sub; i++)
        for (u32 u = 0; u < N_UNIT; u++) /* a stage more holds as many more */
            dp->sub[i].exec[u].cap = (u8)(dp->width[u] * (1 + s->late_operands));
}

void datapath_late_issue(struct datapath *dp, u32 late)
{
    ensure(dp, late <= MAX_LATE);
    dp->late_issue = late;
    for (u32 i = 0; i < dp->n_sub; i++)
        for (u32 u = 0; u < N_UNIT; u++) {
            check(dp, !dp->sub[i].issue[u].n);
            dp->sub[i].issue[u].cap = (u8)(dp->width[u] * (1 + late));
        }
}

void datapath_free(struct datapath *dp)
{
    wheel_free(&dp->wheel);
}

bool datapath_has_work(const struct datapath *dp)
{
    for (u32 i = 0; i < dp->n_sub; i++) {
        const struct subcore *sc = &dp->sub[i];

        if (collector_has_work(sc) || sc->exec[UNIT_MEM].n)
            return true;
    }
    return execute_has_work(dp);
}
