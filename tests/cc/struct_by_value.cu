// Structures as parameters: of all sizes, nested, with arrays, and many parameters of odd types.
#include "check.h"

struct point {
    float x;
    double y;
    char tag;
};

struct big {
    struct point at[20];
    short weight[33];
    struct big *self;
};

__device__ static double sum(struct big b)
{
    double s = 0;
    for (int i = 0; i < 20; i++)
        s += b.at[i].x * b.at[i].y + b.at[i].tag;
    for (int i = 0; i < 33; i++)
        s += b.weight[i];
    return s;
}

__global__ void many(bool a, char b, struct big big, short c, long long d, unsigned char e, float f,
                     uchar3 g, double *out)
{
    *out = sum(big) + a + b + c + d + e + f + g.x + g.y + g.z + (big.self == NULL);
}

int main()
{
    struct big b;
    memset(&b, 0, sizeof(b));
    double want = 0;
    for (int i = 0; i < 20; i++) {
        b.at[i].x = i;
        b.at[i].y = 0.5 * i;
        b.at[i].tag = (char)-i;
        want += 0.5 * i * i - i;
    }
    for (int i = 0; i < 33; i++)
        want += b.weight[i] = (short)(1000 - i);
    double *out = shared_array<double>(1);
    many<<<1, 1>>>(true, -2, b, -300, 1ll << 40, 255, 0.25f, make_uchar3(1, 2, 3), out);
    finish_kernels();
    CHECK(*out == want + 1 - 2 - 300 + (double)(1ll << 40) + 255 + 0.25 + 6 + 1);
    return finish();
}
