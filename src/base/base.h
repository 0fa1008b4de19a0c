/* base.h -- names every file may use.  Knows nothing about GPUs. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define LEN(a) (sizeof(a) / sizeof((a)[0]))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PRINTF(f, a) __attribute__((format(printf, f, a)))
#define NORETURN __attribute__((noreturn))
#define HOT __attribute__((hot))             /* of each cycle: such functions lie together */
#define RARE __attribute__((noinline, cold)) /* stays out of them */

static inline u64 align_up(u64 x, u64 a)
{
    return (x + a - 1) / a * a;
}

static inline u32 max_u32(u32 a, u32 b)
{
    return a > b ? a : b;
}

static inline u32 min_u32(u32 a, u32 b)
{
    return a < b ? a : b;
}

static inline u64 max_u64(u64 a, u64 b)
{
    return a > b ? a : b;
}

static inline u64 min_u64(u64 a, u64 b)
{
    return a < b ? a : b;
}

static inline bool is_power_of_two(u64 v)
{
    return v && !(v & (v - 1));
}

/* Rounded down; of nothing there is none. */
static inline u32 log2_u64(u64 v)
{
    return 63 - (u32)__builtin_clzll(v);
}

/* Ones; the base instruction set cannot count them, and a call costs more. */
static inline u32 popc_32(u32 a)
{
    a = a - (a >> 1 & 0x55555555u);
    a = (a & 0x33333333u) + (a >> 2 & 0x33333333u);
    return ((a + (a >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

/* Of a mask of four: sectors of a line, words of a warp. */
static inline u32 popc_4(u32 a)
{
    return 0x4332322132212110ull >> 4 * a & 7;
}

static inline u32 popc_64(u64 a)
{
    return popc_32((u32)a) + popc_32((u32)(a >> 32));
}

/* Of a mask of n words. */
static inline u32 popc_words(const u32 *mask, u32 n)
{
    u32 sum = 0;

    for (u32 k = 0; k < n; k++)
        sum += popc_32(mask[k]);
    return sum;
}

#endif
