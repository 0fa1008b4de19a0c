// Vectors of every type: size, alignment, make_ functions, loads and stores as one.
#include "check.h"

#define VECTORS(type, element, size)                                                               \
    __global__ void copy_##type(const type##4 *from, type##4 *to, type##2 *two, type##3 *three)   \
    {                                                                                              \
        int i = threadIdx.x;                                                                       \
        type##4 v = from[i];                                                                       \
        to[i] = make_##type##4(v.w, v.z, v.y, v.x);                                                \
        two[i] = make_##type##2(v.x, v.y);                                                         \
        three[i] = make_##type##3(v.x, v.y, v.z);                                                  \
    }                                                                                              \
    static void check_##type(void)                                                                 \
    {                                                                                              \
        type##4 *from = shared_array<type##4>(8), *to = shared_array<type##4>(8);                  \
        type##2 *two = shared_array<type##2>(8);                                                   \
        type##3 *three = shared_array<type##3>(8);                                                 \
        for (int i = 0; i < 8; i++)                                                                \
            from[i] = make_##type##4(i, i + 1, i + 2, i + 3);                                      \
        copy_##type<<<1, 8>>>(from, to, two, three);                                               \
        finish_kernels();                                                                          \
        for (element i = 0; i < 8; i++)                                                            \
            CHECK(to[(int)i].x == i + 3 && to[(int)i].w == i && two[(int)i].y == i + 1 &&          \
                  three[(int)i].z == i + 2);                                                       \
        CHECK(sizeof(type##1) == size && sizeof(type##3) == 3 * size);                             \
        CHECK(alignof(type##2) == 2 * size && sizeof(type##4) == 4 * size);                        \
        CHECK(alignof(type##4) == (4 * size > 16 ? 16 : 4 * size));                                \
    }

VECTORS(char, signed char, 1)
VECTORS(uchar, unsigned char, 1)
VECTORS(short, short, 2)
VECTORS(ushort, unsigned short, 2)
VECTORS(int, int, 4)
VECTORS(uint, unsigned, 4)
VECTORS(long, long, 8)
VECTORS(ulong, unsigned long, 8)
VECTORS(longlong, long long, 8)
VECTORS(ulonglong, unsigned long long, 8)
VECTORS(float, float, 4)
VECTORS(double, double, 8)

int main()
{
    check_char();
    check_uchar();
    check_short();
    check_ushort();
    check_int();
    check_uint();
    check_long();
    check_ulong();
    check_longlong();
    check_ulonglong();
    check_float();
    check_double();
    return finish();
}
