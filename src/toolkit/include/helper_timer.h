/* helper_timer.h -- timers as the samples of CUDA 5 and later use them: those of cutil.h. */
#ifndef SMELT_HELPER_TIMER_H
#define SMELT_HELPER_TIMER_H

#include <cutil.h>

struct StopWatchInterface {
    unsigned int name;
};

static inline bool sdkCreateTimer(StopWatchInterface **timer)
{
    *timer = new StopWatchInterface;
    return cutCreateTimer(&(*timer)->name);
}

static inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
    delete *timer;
    *timer = NULL;
    return true;
}

static inline bool sdkStartTimer(StopWatchInterface **timer)
{
    return cutStartTimer((*timer)->name);
}

static inline bool sdkStopTimer(StopWatchInterface **timer)
{
    return cutStopTimer((*timer)->name);
}

static inline bool sdkResetTimer(StopWatchInterface **timer)
{
    return cutResetTimer((*timer)->name);
}

static inline float sdkGetTimerValue(StopWatchInterface **timer)
{
    return cutGetTimerValue((*timer)->name);
}

static inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
    return cutGetAverageTimerValue((*timer)->name);
}

#endif
