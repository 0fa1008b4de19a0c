/*
 * lanes.h -- what groups of a warp's lanes are built of: masks, ranks in them, shuffles of any type.
 *
 * SMELT_DEVICE is before every device function of a header that is not cuda_runtime.h: small, and
 * without lines of its own, so that a fault in one names its caller's.
 */
#ifndef SMELT_LANES_H
#define SMELT_LANES_H

#define SMELT_DEVICE __device__ __forceinline__ __attribute__((nodebug))

namespace __smelt
{

SMELT_DEVICE unsigned int lane()
{
    return __nvvm_read_ptx_sreg_laneid();
}

SMELT_DEVICE unsigned int lanes_below()
{
    return __nvvm_read_ptx_sreg_lanemask_lt();
}

/* n lanes from the first on; n may be 32. */
SMELT_DEVICE unsigned int lanes_of(unsigned int first, unsigned int n)
{
    return (n < 32 ? (1u << n) - 1 : ~0u) << first;
}

SMELT_DEVICE unsigned int rank_in(unsigned int lanes)
{
    return (unsigned int)__popc((int)(lanes & lanes_below()));
}

/* The n-th lane of a set, from 0: five times the half that it is in. */
SMELT_DEVICE unsigned int nth_of(unsigned int lanes, unsigned int n)
{
    unsigned int at = 0;
    for (unsigned int half = 16; half; half /= 2) {
        unsigned int low = (unsigned int)__popc((int)(lanes >> at & lanes_of(0, half)));
        if (n >= low)
            n -= low, at += half;
    }
    return at;
}

/* Are they neighbours?  Then a rank is a distance. */
SMELT_DEVICE bool adjacent(unsigned int lanes)
{
    unsigned int up = lanes >> (__ffs((int)lanes) - 1);
    return (up & (up + 1)) == 0;
}

/* Bits of lanes to bits of ranks: the n-th lane's becomes bit n. */
SMELT_DEVICE unsigned int by_rank(unsigned int lanes, unsigned int bits)
{
    if (adjacent(lanes))
        return (bits & lanes) >> (__ffs((int)lanes) - 1);
    unsigned int packed = 0;
    for (unsigned int to = 1; lanes; to <<= 1, lanes &= lanes - 1)
        packed |= bits & lanes & (0u - lanes) ? to : 0;
    return packed;
}

/* A value as words, for instructions that exchange words. */
template <class T> struct words {
    static_assert(sizeof(T) <= 32, "a shuffle carries at most 32 bytes");
    enum { n = (sizeof(T) + 3) / 4 };
    unsigned int at[n];

    SMELT_DEVICE explicit words(const T &v) : at()
    {
        memcpy(at, &v, sizeof(T));
    }
    SMELT_DEVICE T value() const
    {
        /* never constructed: T need not have a default */
        union as {
            T v;
            SMELT_DEVICE as()
            {
            }
            SMELT_DEVICE ~as()
            {
            }
        } u;
        memcpy((void *)&u, at, sizeof(T));
        return u.v;
    }
};

#define SMELT_SHUFFLE(name, instruction, type)                                                     \
    template <class T>                                                                             \
    SMELT_DEVICE T name(unsigned int lanes, const T &v, type from, unsigned int width = 32)        \
    {                                                                                              \
        words<T> w(v);                                                                             \
        for (int i = 0; i < words<T>::n; i++)                                                      \
            w.at[i] = instruction(lanes, w.at[i], from, (int)width);                               \
        return w.value();                                                                          \
    }
SMELT_SHUFFLE(shuffle, __shfl_sync, int)
SMELT_SHUFFLE(shuffle_up, __shfl_up_sync, unsigned int)
SMELT_SHUFFLE(shuffle_down, __shfl_down_sync, unsigned int)
SMELT_SHUFFLE(shuffle_xor, __shfl_xor_sync, int)
#undef SMELT_SHUFFLE

/* Lanes with the same value.  In assembly, since clang has them from sm_70 on only. */
SMELT_DEVICE unsigned int match_word(unsigned int lanes, unsigned int v)
{
    unsigned int same;
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(same) : "r"(v), "r"(lanes));
    return same;
}

template <class T> SMELT_DEVICE unsigned int match(unsigned int lanes, const T &v)
{
    words<T> w(v);
    unsigned int same = lanes;
    for (int i = 0; i < words<T>::n; i++)
        same &= match_word(lanes, w.at[i]);
    return same;
}

} // namespace __smelt

#endif
