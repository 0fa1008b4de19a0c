/*
 * mixed_body.h -- a bit of everything that a compiler makes of C: calls, recursion, structs by
 * value, function tables, local arrays, switches, loops with breaks, 8- to 64-bit integers, floats.
 *
 * Included by mixed.cu, from which clang made mixed_O0.ptx and mixed_O2.ptx, and by t_mixed.c,
 * which computes the same on the host.  DEVICE, CONSTANT and NOINLINE are the includer's.
 */
struct mixed {
    int a;
    float b;
    double c;
    unsigned char d[7];
};

CONSTANT int mixed_table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

DEVICE NOINLINE float series(float x, int n)
{
    float s = 0;

    for (int i = 0; i < n; i++) {
        if (s > 100.0f)
            return s - x;
        s += x * (float)i;
    }
    return s;
}

DEVICE NOINLINE int factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

DEVICE NOINLINE struct mixed change(struct mixed p, int k)
{
    p.a += k;
    p.b *= 2;
    p.c -= k;
    p.d[k % 7] ^= (unsigned char)k;
    return p;
}

DEVICE NOINLINE int triple(int x)
{
    return x * 3 + 1;
}

DEVICE NOINLINE int flip(int x)
{
    return x ^ 0x55;
}

DEVICE NOINLINE int digits(int x)
{
    int s = 0;

    while (x > 0) {
        s += x & 7;
        x >>= 1;
    }
    return s;
}

typedef int (*mixed_function)(int);
DEVICE mixed_function mixed_functions[3] = {triple, flip, digits};

DEVICE unsigned mixed_array(unsigned v)
{
    unsigned acc = 0, local[24];

    for (unsigned i = 0; i < 24; i++)
        local[i] = v * i + (unsigned)mixed_table[(v + i) & 15];
    for (unsigned i = 0; i < 24; i++)
        local[((v >> 2) + i) % 24] += local[i];
    for (unsigned i = 0; i < 24; i++)
        acc = acc * 31 + local[i];
    return acc;
}

DEVICE unsigned mixed_switch(unsigned v, unsigned acc)
{
    switch (v & 7) {
    case 0:
        return acc + (unsigned)factorial((int)(v & 7) | 3);
    case 1:
        acc ^= 0x1234; /* and on */
    case 2:
        return acc - v;
    case 3:
        for (unsigned i = 0; i < (v & 31); i++) {
            if (i == 9)
                break;
            if (i & 1)
                continue;
            acc += i * v;
        }
        return acc;
    case 4:
        return (unsigned)(int)series((float)(v & 15), (int)(v & 31));
    case 5:
        return acc + v / ((v & 3) + 1) + v % ((v & 5) + 3);
    default:
        return ~acc;
    }
}

DEVICE unsigned mixed_value(unsigned v, struct mixed p)
{
    unsigned acc = mixed_switch(v, mixed_array(v));
    struct mixed q = change(p, (int)(v & 15));

    acc += (unsigned)(q.a + (int)q.b + (int)q.c + q.d[v % 7]);
    acc += (unsigned)mixed_functions[v % 3]((int)(acc & 1023));
    unsigned long long w = (unsigned long long)acc * 0x9e3779b97f4a7c15ull;

    acc = (unsigned)((w ^ w >> 29) >> 7);
    double d = (double)(int)acc * 0.25;
    float f = (float)(d * d / (1.0 + (v & 255)));
    union {
        float f;
        unsigned u;
    } bits = {f};

    acc ^= bits.u;
    short half = (short)acc;
    signed char byte = (signed char)(acc >> 8);

    acc += (unsigned)(half * byte);
    long long wide = (long long)(int)acc * (int)(v & 0xffff) - ((long long)(acc & 0xffff) << 3);

    return acc ^ (unsigned)((wide < 0 ? -wide : wide) % 1000003);
}
