/* pace.c -- see pace.h */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/pace.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>

#include "base/text.h"

void pace_init(struct pace *p)
{
    *p = (struct pace){.factor = PACE_ALONE};
}

void pace_tell(struct pace *p, u64 own, u64 waited, u32 others, u64 now)
{
    u64 saved = own * others;

    p->account += (s64)(saved < PACE_MOST ? saved : PACE_MOST) - (s64)waited;
    if (p->account > PACE_CREDIT)
        p->account = PACE_CREDIT;
    if (p->account >= PACE_CREDIT / 10) {
        p->factor = PACE_ALONE;
    } else if (p->account < -PACE_ALLOW) {
        p->alone_until = now + (u64)-p->account * p->factor;
        p->factor = min_u32(2 * p->factor, PACE_ALONE_MOST);
        p->account = 0;
    }
}

u32 pace_quota(const char *text)
{
    u64 quota, period;

    if (sscanf(text, "%" SCNu64 " %" SCNu64, &quota, &period) != 2 || !period || !quota)
        return 0;
    return (u32)((quota + period - 1) / period);
}

/* Reads a file of one line into the rest of buf; "" if there is none. */
static void add_line(const char *path, char *buf, size_t size)
{
    FILE *f = fopen(path, "r");

    if (f && !fgets(buf, (int)size, f))
        buf[0] = 0;
    if (f)
        fclose(f);
}

/* A container sees its own group at the top; version 2 of control groups, then version 1. */
static u32 quota(void)
{
    char v2[64] = "", v1[64] = "", period[32] = "";

    add_line("/sys/fs/cgroup/cpu.max", v2, sizeof v2);
    if (v2[0])
        return pace_quota(v2);
    add_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", v1, 31);
    add_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period, sizeof period);
    char all[sizeof v1 + sizeof period];

    snprintf(all, sizeof all, "%s %s", v1[0] == '-' ? "max" : v1, period);
    return pace_quota(all);
}

u32 pace_cpus(void)
{
    cpu_set_t set;
    u32 limit = quota(), n = 1;

    if (!sched_getaffinity(0, sizeof set, &set))
        n = (u32)CPU_COUNT(&set);
    else
        n = UINT32_MAX; /* more CPUs than a set has */
    return limit && limit < n ? limit : n;
}
