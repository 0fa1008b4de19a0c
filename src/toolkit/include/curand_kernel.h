/*
 * curand_kernel.h -- random numbers within kernels, and, by the same functions, on the host.
 *
 *     curandState                  XORWOW (Marsaglia 2003); subsequences are 2^67 apart
 *     curandStatePhilox4_32_10_t   Philox 4x32 with 10 rounds (Salmon et al. 2011), by counting
 *     curandStateMRG32k3a          MRG32k3a (L'Ecuyer 1999, smelt/mrg32k3a.h); subsequences are 2^76
 *                                  apart, sequences 2^127
 *
 * curand_init(seed, subsequence, offset, &state), then curand, curand_uniform, curand_normal,
 * curand_log_normal and their forms for doubles, pairs and, of Philox, fours.  A uniform number is
 * in (0, 1].  Not there: other generators, Poisson and discrete distributions.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include <math.h>

#include <curand.h>
#include <smelt/both.h>
#include <smelt/mrg32k3a.h>
#include <vector_types.h>

/* --- XORWOW --- */

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag; /* is the second of two normal numbers still there? */
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

/* --- Philox --- */

struct curandStatePhilox4_32_10 {
    uint4 ctr, output; /* the counter, and what it gives */
    uint2 key;
    unsigned int STATE; /* how much of that is used */
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/* --- MRG32k3a --- */

struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3]; /* the last three numbers of each recurrence, the oldest first */
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace __smelt
{

#ifdef __CUDA__
static __device__ const unsigned int xorwow_jumps_device[] = {
#include <smelt/xorwow_jump.inc>
};
#endif
static const unsigned int xorwow_jumps_host[] = {
#include <smelt/xorwow_jump.inc>
};

enum { XORWOW_D = 362437, XORWOW_SUBSEQUENCE = 67, XORWOW_JUMPS = 131 };

SMELT_BOTH unsigned int xorwow_jump(int power, int word)
{
#ifdef __CUDA_ARCH__
    return xorwow_jumps_device[5 * power + word];
#else
    return xorwow_jumps_host[5 * power + word];
#endif
}

SMELT_BOTH void xorwow_step(unsigned int *v)
{
    unsigned int t = v[0] ^ v[0] >> 2;
    v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
    v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

/* 2^power steps: the state is multiplied by a polynomial of the step. */
SMELT_BOTH void xorwow_skip(unsigned int *v, int power)
{
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (int word = 0; word < 5; word++) {
        unsigned int bits = xorwow_jump(power, word);
        for (int i = 0; i < 32; i++, bits >>= 1) {
            unsigned int mask = 0u - (bits & 1);
            for (int k = 0; k < 5; k++)
                sum[k] ^= v[k] & mask;
            xorwow_step(v);
        }
    }
    for (int k = 0; k < 5; k++)
        v[k] = sum[k];
}

/* n * 2^power steps. */
SMELT_BOTH void xorwow_skip_many(unsigned int *v, unsigned long long n, int power)
{
    for (; n && power < XORWOW_JUMPS; n >>= 1, power++)
        if (n & 1)
            xorwow_skip(v, power);
}

SMELT_BOTH unsigned int high_word(unsigned int a, unsigned int b)
{
    return (unsigned int)((unsigned long long)a * b >> 32);
}

/* The ten rounds. */
SMELT_BOTH uint4 philox(uint4 c, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        unsigned int high0 = high_word(0xd2511f53u, c.x), low0 = 0xd2511f53u * c.x;
        unsigned int high1 = high_word(0xcd9e8d57u, c.z), low1 = 0xcd9e8d57u * c.z;
        c = make_uint4(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
        key.x += 0x9e3779b9u, key.y += 0xbb67ae85u;
    }
    return c;
}

/* The counter plus n; its upper half is the subsequence. */
SMELT_BOTH void philox_count(uint4 *c, unsigned long long n)
{
    unsigned long long low = (unsigned long long)c->y << 32 | c->x, high;
    high = (unsigned long long)c->w << 32 | c->z;
    low += n;
    high += low < n;
    c->x = (unsigned int)low, c->y = (unsigned int)(low >> 32);
    c->z = (unsigned int)high, c->w = (unsigned int)(high >> 32);
}

/* --- numbers of bits --- */

SMELT_BOTH float uniform(unsigned int x)
{
    const float unit = 1.0f / 4294967296.0f;
    return (float)x * unit + unit / 2;
}

/* 53 bits of two numbers. */
SMELT_BOTH double uniform_double(unsigned int x, unsigned int y)
{
    const double unit = 1.0 / 9007199254740992.0;
    return (double)((unsigned long long)x ^ (unsigned long long)y << 21) * unit + unit / 2;
}

/* Box and Muller: two uniform numbers are the radius and the angle of two normal ones. */
SMELT_BOTH float2 normal(float u, float v)
{
    float radius = sqrtf(-2 * logf(u)), angle = v * 6.2831853f;
    return make_float2(radius * sinf(angle), radius * cosf(angle));
}

SMELT_BOTH double2 normal_double(double u, double v)
{
    double radius = sqrt(-2 * log(u)), angle = v * 6.283185307179586;
    return make_double2(radius * sin(angle), radius * cos(angle));
}

} // namespace __smelt

/* --- states --- */

SMELT_BOTH void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    __smelt::xorwow_skip_many(state->v, n, 0);
    state->d += (unsigned int)n * __smelt::XORWOW_D;
}

/* 2^67 is a multiple of the period of d. */
SMELT_BOTH void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    __smelt::xorwow_skip_many(state->v, n, __smelt::XORWOW_SUBSEQUENCE);
}

SMELT_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateXORWOW_t *state)
{
    unsigned int low = ((unsigned int)seed ^ 0xaad26b49u) * 1099087573u;
    unsigned int high = ((unsigned int)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    curandStateXORWOW_t s = {};
    s.d = 6615241u + low + high;
    s.v[0] = 123456789u + low;
    s.v[1] = 362436069u ^ low;
    s.v[2] = 521288629u + high;
    s.v[3] = 88675123u ^ high;
    s.v[4] = 5783321u + low;
    skipahead_sequence(subsequence, &s);
    skipahead(offset, &s);
    *state = s;
}

SMELT_BOTH unsigned int curand(curandStateXORWOW_t *state)
{
    __smelt::xorwow_step(state->v);
    state->d += __smelt::XORWOW_D;
    return state->v[4] + state->d;
}

SMELT_BOTH void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    state->STATE += (unsigned int)(n & 3);
    __smelt::philox_count(&state->ctr, n / 4 + state->STATE / 4);
    state->STATE %= 4;
    state->output = __smelt::philox(state->ctr, state->key);
}

SMELT_BOTH void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
    state->ctr.z = (unsigned int)high, state->ctr.w = (unsigned int)(high >> 32);
    state->output = __smelt::philox(state->ctr, state->key);
}

SMELT_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStatePhilox4_32_10_t *state)
{
    curandStatePhilox4_32_10_t s = {};
    s.key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    skipahead_sequence(subsequence, &s);
    skipahead(offset, &s);
    *state = s;
}

SMELT_BOTH unsigned int curand(curandStatePhilox4_32_10_t *state)
{
    uint4 o = state->output;
    unsigned int n = state->STATE, v = n == 0 ? o.x : n == 1 ? o.y : n == 2 ? o.z : o.w;
    if (++state->STATE == 4) {
        state->STATE = 0;
        __smelt::philox_count(&state->ctr, 1);
        state->output = __smelt::philox(state->ctr, state->key);
    }
    return v;
}

SMELT_BOTH uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    unsigned int x = curand(state), y = curand(state), z = curand(state), w = curand(state);
    return make_uint4(x, y, z, w);
}

SMELT_BOTH void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
    __smelt::mrg_skip(state->s1, state->s2, n);
}

SMELT_BOTH void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    __smelt::mrg_skip_76(state->s1, state->s2, n);
}

SMELT_BOTH void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    __smelt::mrg_skip_127(state->s1, state->s2, n);
}

SMELT_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateMRG32k3a_t *state)
{
    curandStateMRG32k3a_t s = {};
    __smelt::mrg_seed(s.s1, s.s2, seed);
    skipahead_subsequence(subsequence, &s);
    skipahead(offset, &s);
    *state = s;
}

SMELT_BOTH unsigned int curand(curandStateMRG32k3a_t *state)
{
    return __smelt::mrg_bits(__smelt::mrg_next(state->s1, state->s2));
}

/* --- uniform numbers: MRG32k3a's are a quotient, of a double's bits it makes 32 --- */

SMELT_BOTH double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return __smelt::mrg_uniform(__smelt::mrg_next(state->s1, state->s2));
}

SMELT_BOTH float curand_uniform(curandStateMRG32k3a_t *state)
{
    return (float)curand_uniform_double(state);
}

#define CURAND_UNIFORM(type)                                                                       \
    SMELT_BOTH float curand_uniform(type *state)                                                   \
    {                                                                                              \
        return __smelt::uniform(curand(state));                                                    \
    }                                                                                              \
    SMELT_BOTH double curand_uniform_double(type *state)                                           \
    {                                                                                              \
        unsigned int x = curand(state), y = curand(state);                                         \
        return __smelt::uniform_double(x, y);                                                      \
    }
CURAND_UNIFORM(curandStateXORWOW_t)
CURAND_UNIFORM(curandStatePhilox4_32_10_t)
#undef CURAND_UNIFORM

/* --- other distributions: the same of all states --- */

#define CURAND_DISTRIBUTIONS(type)                                                                 \
    SMELT_BOTH float2 curand_normal2(type *state)                                                  \
    {                                                                                              \
        float u = curand_uniform(state), v = curand_uniform(state);                                \
        return __smelt::normal(u, v);                                                              \
    }                                                                                              \
    SMELT_BOTH double2 curand_normal2_double(type *state)                                          \
    {                                                                                              \
        double u = curand_uniform_double(state), v = curand_uniform_double(state);                 \
        return __smelt::normal_double(u, v);                                                       \
    }                                                                                              \
    SMELT_BOTH float curand_normal(type *state)                                                    \
    {                                                                                              \
        state->boxmuller_flag = !state->boxmuller_flag;                                            \
        if (!state->boxmuller_flag)                                                                \
            return state->boxmuller_extra;                                                         \
        float2 two = curand_normal2(state);                                                        \
        state->boxmuller_extra = two.y;                                                            \
        return two.x;                                                                              \
    }                                                                                              \
    SMELT_BOTH double curand_normal_double(type *state)                                            \
    {                                                                                              \
        state->boxmuller_flag_double = !state->boxmuller_flag_double;                              \
        if (!state->boxmuller_flag_double)                                                         \
            return state->boxmuller_extra_double;                                                  \
        double2 two = curand_normal2_double(state);                                                \
        state->boxmuller_extra_double = two.y;                                                     \
        return two.x;                                                                              \
    }                                                                                              \
    SMELT_BOTH float curand_log_normal(type *state, float mean, float stddev)                      \
    {                                                                                              \
        return expf(mean + stddev * curand_normal(state));                                         \
    }                                                                                              \
    SMELT_BOTH double curand_log_normal_double(type *state, double mean, double stddev)            \
    {                                                                                              \
        return exp(mean + stddev * curand_normal_double(state));                                   \
    }                                                                                              \
    SMELT_BOTH float2 curand_log_normal2(type *state, float mean, float stddev)                    \
    {                                                                                              \
        float2 two = curand_normal2(state);                                                        \
        return make_float2(expf(mean + stddev * two.x), expf(mean + stddev * two.y));              \
    }
CURAND_DISTRIBUTIONS(curandStateXORWOW_t)
CURAND_DISTRIBUTIONS(curandStatePhilox4_32_10_t)
CURAND_DISTRIBUTIONS(curandStateMRG32k3a_t)
#undef CURAND_DISTRIBUTIONS

SMELT_BOTH float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    uint4 v = curand4(state);
    return make_float4(__smelt::uniform(v.x), __smelt::uniform(v.y), __smelt::uniform(v.z),
                       __smelt::uniform(v.w));
}

SMELT_BOTH double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    uint4 v = curand4(state);
    return make_double2(__smelt::uniform_double(v.x, v.y), __smelt::uniform_double(v.z, v.w));
}

SMELT_BOTH float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    float4 v = curand_uniform4(state);
    float2 a = __smelt::normal(v.x, v.y), b = __smelt::normal(v.z, v.w);
    return make_float4(a.x, a.y, b.x, b.y);
}

#endif
