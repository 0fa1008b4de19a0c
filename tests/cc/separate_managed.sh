#!/usr/bin/env bash
# __managed__ variables of another file; and an object that is linked beside others that are already.
. "$SRC/tests/cc/lib.bash"

echo '__managed__ int shared[2] = {1, 2};
static __managed__ int own = 30;
__global__ void add(int n) { shared[1] += n + own; own++; }
int get() { return own; }' >holds.cu
cat >uses.cu <<'CU'
#include <stdio.h>
extern __managed__ int shared[2];
static __managed__ int own = 500;
__global__ void add(int n);
int get();
__global__ void look(int **p) { p[0] = shared; own += shared[1]; }
int main()
{
    int **p;
    cudaMallocManaged(&p, sizeof(*p));
    shared[0] += 5, shared[1] = 10;
    add<<<1, 1>>>(100);
    look<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    int right = p[0] == shared && shared[0] == 6 && shared[1] == 140 && own == 640 && get() == 31;
    puts(right ? "PASS" : "FAIL");
}
CU
echo '__device__ int more = 3;
__global__ void other(int *p) { *p = more; }' >more.cu
works cc -dc holds.cu uses.cu more.cu
works cc -dlink holds.o uses.o -o linked.o
works cc holds.o uses.o linked.o more.o -o managed
passes ./managed
no_leftovers
finish
