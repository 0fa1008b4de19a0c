/*
 * charge.h -- how often the events of mechanisms that cost energy have happened (mech.h, `events`).
 */
#ifndef MECH_CHARGE_H
#define MECH_CHARGE_H

#include "sm/hook.h"

enum { MAX_MECHS = MAX_LISTENERS, MECH_EVENTS = 8 };

struct mech_charged { /* all SMs together; by mechanism and event */
    u64 n[MAX_MECHS][MECH_EVENTS];
};

#endif
