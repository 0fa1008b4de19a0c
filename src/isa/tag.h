/*
 * tag.h -- tags in addresses of variables.
 *
 * With 64-bit addresses each variable of a module has a tag above its address, so that an access
 * that runs out of it is noticed even where another variable follows (exec/vmem.h).
 */
#ifndef ISA_TAG_H
#define ISA_TAG_H

#include "base/base.h"

/* Above the addresses of any host, below the sign. */
enum { TAG_SHIFT = 48, N_TAG = (1 << 15) - 1 };
#define TAG_PLAIN ((1ull << TAG_SHIFT) - 1)

static inline u64 tag_put(u64 addr, u64 tag)
{
    return addr | (tag % N_TAG + 1) << TAG_SHIFT;
}

#endif
