// Divergence: switch, goto, early returns, nested loops, recursion, short circuits.
#include "check.h"

__device__ static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__host__ __device__ static int walk(int i)
{
    int r = 0;
    switch (i % 7) {
    case 0:
        r = 1;
        break;
    case 1:
        r = 2; /* and on */
    case 2:
        r += 3;
        break;
    case 5:
        return -1;
    default:
        goto other;
    }
    for (int k = 0; k < i; k++) {
        if (k % 5 == 4)
            continue;
        if (k > 20 && r % 3 == 0)
            break;
        while (r > 10 && i & 1)
            r -= 7;
        r += k;
    }
    return r;
other:
    return i > 9 || i / (i - 2) > 1 ? 100 + i : 200;
}

__global__ void work(int *p)
{
    int i = threadIdx.x;
    if (i == 13)
        return;
    p[i] = walk(i) + (i < 10 ? fib(i) : 0);
}

int main()
{
    static const int fibs[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
    int *p = shared_array<int>(128);
    work<<<1, 128>>>(p);
    finish_kernels();
    for (int i = 0; i < 128; i++)
        CHECK(p[i] == (i == 13 ? 0 : walk(i) + (i < 10 ? fibs[i] : 0)));
    return finish();
}
