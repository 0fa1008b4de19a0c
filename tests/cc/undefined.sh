#!/usr/bin/env bash
# Device functions and variables that exist nowhere are errors of the compiler, with their line.
. "$SRC/tests/cc/lib.bash"

cat >call.cu <<'CU'
#include <stdio.h>
namespace ns { __device__ int missing(int x); }
__device__ __noinline__ int helper(int x)
{
    return ns::missing(x) +
           1;
}
__global__ void k(int *p)
{
    p[threadIdx.x] = helper(threadIdx.x);
    printf("%d\n", p[0]); // the device has this one
}
int main()
{
    k<<<1, 32>>>(0);
}
CU
fails 2 '^smelt: .*/?call\.cu:5: undefined device function ns::missing \(_ZN2ns7missingEi\)' cc call.cu -o call
same "lines" "$(wc -l <err.txt)" 1
[ ! -e call ] || failed "a program in spite of it"
fails 2 'call\.cu:5: undefined' cc -c call.cu
works cc -dc call.cu -o call.o
works cc -rdc=true -c call.cu -o call.o
fails 2 'call\.cu:5: undefined' cc -rdc=false -c call.cu
works cc -ptx call.cu # as nvcc: nothing is linked yet

cat >pointer.cu <<'CU'
__device__ int later(int);
__device__ int (*table[2])(int) = {later, later};
__global__ void k(int *p)
{
    p[0] = table[p[1]](3);
}
int main() {}
CU
fails 2 '^smelt: pointer.cu: undefined device function later \(_Z5lateri\) in the initial value of table$' cc pointer.cu
cat >variable.cu <<'CU'
extern __device__ int counter;
extern __shared__ int dynamic[];
__global__ void k(int *p)
{
    dynamic[0] = p[0];
    p[1] = counter + dynamic[1];
}
int main() {}
CU
fails 2 'variable.cu:6: undefined device variable counter' cc variable.cu
sed 's/^extern __device__ int counter;/& __device__ int counter = 1;/' variable.cu >defined.cu
works cc defined.cu -o defined
no_leftovers

# What is wrong with instructions is told with the line of the source too, by whoever finds it.
cat >asm.cu <<'CU'
__global__ void k(int *p)
{
    int x;
    asm("mov.bogus.u32 %0, 3;"
        : "=r"(x));
    p[threadIdx.x] = x;
}
int main()
{
    int *p;
    cudaMalloc(&p, 128);
    k<<<1, 32>>>(p);
    return cudaGetLastError() != cudaSuccess;
}
CU
works cc asm.cu -o asm
"$SMELT" run --functional ./asm >out.txt 2>err.txt
grep -q "^smelt: .*asm\.cu:4: mov: '.bogus' is not supported" err.txt || failed "at run time: $(cat err.txt)"
fails 2 "^smelt: [^ ]*/asm\.cu:4: mov: '.bogus' is not supported" cc -Xptxas -v asm.cu -o asm
works cc -ptx asm.cu -o asm.ptx
fails 2 "^smelt: asm\.ptx:[0-9]+ \(.*asm\.cu:4\): mov: '.bogus' is not supported" \
    run --functional asm.ptx --grid 1 --block 32 --arg 'buf:u32[32]=zero'
# Also if it is no PTX at all.
sed 's/mov.bogus.u32 %0, 3;/mov.u32 %0 [;/' asm.cu >text.cu
works cc text.cu -o text
"$SMELT" run --functional ./text >out.txt 2>err.txt
grep -q '^smelt: .*text\.cu:4: ' err.txt || failed "text: $(cat err.txt)"
finish
