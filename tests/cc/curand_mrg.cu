// cuRAND's MRG32k3a against L'Ecuyer's recurrences in signed integers of 64 bits and powers of their
// matrices; how its numbers are distributed, within five standard deviations.
// timing
#include "check.h"
#include <curand_kernel.h>
#include <math.h>

typedef long long wide;
typedef unsigned long long uwide;

enum { THREADS = 32 };

static const wide M[2] = {4294967087, 4294944443};

struct matrix {
    wide at[3][3];
};

/* A step of each recurrence: the oldest of three numbers leaves, the next one comes. */
static const matrix STEP[2] = {{{{0, 1, 0}, {0, 0, 1}, {-810728, 1403580, 0}}},
                               {{{0, 1, 0}, {0, 0, 1}, {-1370589, 0, 527612}}}};

static wide rest(wide v, wide m)
{
    return (v % m + m) % m;
}

static wide product(wide a, wide b, wide m) /* both may be of 32 bits */
{
    return (wide)((uwide)rest(a, m) * (uwide)rest(b, m) % (uwide)m);
}

static matrix times(const matrix &a, const matrix &b, wide m)
{
    matrix c = {};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            c.at[i / 3][i % 3] =
                rest(c.at[i / 3][i % 3] + product(a.at[i / 3][k], b.at[k][i % 3], m), m);
    return c;
}

/* a^(n * 2^power) */
static matrix to_power(matrix a, uwide n, int power, wide m)
{
    matrix r = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = 0; i < power; i++)
        a = times(a, a, m);
    for (; n; n >>= 1, a = times(a, a, m))
        if (n & 1)
            r = times(r, a, m);
    return r;
}

struct reference {
    wide s[2][3];

    explicit reference(const curandStateMRG32k3a &of)
    {
        for (int i = 0; i < 3; i++)
            s[0][i] = of.s1[i], s[1][i] = of.s2[i];
    }
    void skip(uwide n, int power)
    {
        for (int r = 0; r < 2; r++) {
            matrix a = to_power(STEP[r], n, power, M[r]);
            wide old[3] = {s[r][0], s[r][1], s[r][2]};
            for (int i = 0; i < 3; i++) {
                s[r][i] = 0;
                for (int k = 0; k < 3; k++)
                    s[r][i] = rest(s[r][i] + product(a.at[i][k], old[k], M[r]), M[r]);
            }
        }
    }
    wide next() /* 1 to m1 */
    {
        wide x = rest(1403580 * s[0][1] - 810728 * s[0][0], M[0]);
        wide y = rest(527612 * s[1][2] - 1370589 * s[1][0], M[1]);
        s[0][0] = s[0][1], s[0][1] = s[0][2], s[0][2] = x;
        s[1][0] = s[1][1], s[1][1] = s[1][2], s[1][2] = y;
        return x > y ? x - y : x - y + M[0];
    }
    bool is(const curandStateMRG32k3a &of) const
    {
        for (int i = 0; i < 3; i++)
            if (s[0][i] != of.s1[i] || s[1][i] != of.s2[i])
                return false;
        return true;
    }
};

static void published(void)
{
    curandStateMRG32k3a s;
    curand_init(0, 0, 0, &s);
    for (int i = 0; i < 3; i++)
        CHECK(s.s1[i] == 12345 && s.s2[i] == 12345);
    CHECK(fabs(curand_uniform_double(&s) - 0.127011122046577) < 1e-15); /* RngStreams' first */
}

/* Each kind of number is made of the recurrence's next. */
static void recurrence(void)
{
    curandStateMRG32k3a s;
    curand_init(20261118, 3, 7, &s);
    reference r(s);
    for (int i = 0; i < 10000; i++) {
        wide z = r.next();
        if (i % 3 == 0)
            CHECK(curand(&s) == (unsigned)(((uwide)z - 1) * 4294967296u / (uwide)M[0]));
        else if (i % 3 == 1)
            CHECK(curand_uniform_double(&s) == z * (1.0 / 4294967088.0));
        else
            CHECK(curand_uniform(&s) == (float)(z * (1.0 / 4294967088.0)));
    }
    CHECK(r.is(s));
}

static void seeds(void)
{
    curandStateMRG32k3a s, t;
    for (uwide seed = 0; seed < 2000; seed++) {
        curand_init(seed << seed % 50, 0, 0, &s);
        curand_init((seed << seed % 50) + 1, 0, 0, &t);
        CHECK(memcmp(s.s1, t.s1, sizeof(s.s1)) && memcmp(s.s2, t.s2, sizeof(s.s2)));
        for (int i = 0; i < 3; i++)
            CHECK(s.s1[i] > 0 && s.s1[i] < M[0] && s.s2[i] > 0 && s.s2[i] < M[1]);
    }
}

static void distances(void)
{
    const uwide many[] = {0, 1, 2, 3, 1000, 4294967296u, 0x8000000000000000u, 0xfedcba9876543210u};
    for (uwide n : many) {
        curandStateMRG32k3a s, offset, subsequence, sequence, both;
        curand_init(5, 0, 0, &s);
        reference by_steps(s), by_76(s), by_127(s);
        by_steps.skip(n, 0), by_76.skip(n, 76), by_127.skip(n, 127);
        curand_init(5, 0, n, &offset);
        curand_init(5, n, 0, &subsequence);
        sequence = s, skipahead_sequence(n, &sequence);
        CHECK(by_steps.is(offset) && by_76.is(subsequence) && by_127.is(sequence));
        curand_init(5, n, 9, &both);
        by_76.skip(9, 0);
        CHECK(by_76.is(both));
    }
}

__global__ void jumps(curandStateMRG32k3a *s)
{
    curand_init(5, 0x123456789ull * threadIdx.x, 0x987654321ull * threadIdx.x, &s[threadIdx.x]);
}

static void distances_on_device(void)
{
    curandStateMRG32k3a *d = shared_array<curandStateMRG32k3a>(THREADS), s;
    jumps<<<1, THREADS>>>(d);
    finish_kernels();
    for (int i = 0; i < THREADS; i++) {
        curand_init(5, 0, 0, &s);
        reference r(s);
        r.skip(0x123456789ull * i, 76);
        r.skip(0x987654321ull * i, 0);
        CHECK(r.is(d[i]));
    }
}

static bool within(double v, double mean, double deviation)
{
    return fabs(v - mean) < 5 * deviation;
}

/* n numbers: mean and variance of the uniform ones, cells of pairs of neighbours (chi-square, 255
 * degrees of freedom), correlation of neighbours. */
static void uniform_statistics(void)
{
    const int n = 100000, cells = 256;
    curandStateMRG32k3a s;
    int count[cells] = {};
    double sum = 0, squares = 0, neighbours = 0, chi = 0, last = 0.5;
    curand_init(1, 0, 0, &s);
    for (int i = 0; i < n; i++) {
        double u = i % 2 ? curand_uniform_double(&s) : curand_uniform(&s);
        CHECK(u > 0 && u <= 1);
        sum += u, squares += (u - 0.5) * (u - 0.5), neighbours += (u - 0.5) * (last - 0.5);
        last = u;
        count[(curand(&s) >> 28) << 4 | curand(&s) >> 28]++;
    }
    for (int c : count)
        chi += (c - (double)n / cells) * (c - (double)n / cells) * cells / n;
    CHECK(within(sum / n, 0.5, sqrt(1 / 12.0 / n)));
    CHECK(within(squares / n, 1 / 12.0, sqrt(1 / 180.0 / n)));
    CHECK(within(neighbours / n, 0, 1 / 12.0 / sqrt((double)n)));
    CHECK(within(chi, cells - 1, sqrt(2.0 * (cells - 1))));
}

static void normal_statistics(void)
{
    const int n = 100000;
    curandStateMRG32k3a s;
    double sum = 0, squares = 0, cubes = 0, fourths = 0;
    int beyond = 0; /* 1.96 deviations: one in twenty */
    curand_init(2, 0, 0, &s);
    for (int i = 0; i < n; i++) {
        double z = i % 2 ? curand_normal_double(&s) : curand_normal(&s);
        sum += z, squares += z * z, cubes += z * z * z, fourths += z * z * z * z;
        beyond += fabs(z) > 1.9599640;
    }
    CHECK(within(sum / n, 0, sqrt(1.0 / n)) && within(squares / n, 1, sqrt(2.0 / n)));
    CHECK(within(cubes / n, 0, sqrt(15.0 / n)) && within(fourths / n, 3, sqrt(96.0 / n)));
    CHECK(within((double)beyond / n, 0.05, sqrt(0.05 * 0.95 / n)));
}

int main()
{
    published();
    recurrence();
    seeds();
    distances();
    distances_on_device();
    uniform_statistics();
    normal_statistics();
    return finish();
}
