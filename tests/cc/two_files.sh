#!/usr/bin/env bash
# Programs of several files: .cu with .cu (also of one name), .c and .cpp with .cu, objects, C only.
. "$SRC/tests/cc/lib.bash"

mkdir -p a b
for d in a b; do
    cat >$d/same.cu <<CU
static __global__ void k(int *p) { *p += $([ $d = a ] && echo 1 || echo 10); }
__constant__ int unused_$d;
void run_$d(int *p) { k<<<1, 1>>>(p); }
CU
done
cat >main.cpp <<'CU'
#include <cuda_runtime.h>
#include <stdio.h>
void run_a(int *p);
void run_b(int *p);
extern "C" int from_c(void);
int main()
{
    int v = from_c(), *p;
    cudaMalloc(&p, sizeof(v));
    cudaMemcpy(p, &v, sizeof(v), cudaMemcpyHostToDevice);
    run_a(p), run_b(p), run_a(p);
    cudaMemcpy(&v, p, sizeof(v), cudaMemcpyDeviceToHost);
    puts(v == 112 ? "PASS" : "FAIL");
    return v != 112;
}
CU
cat >part.c <<'CU'
#include <cuda_runtime_api.h>
int from_c(void)
{
    int *restrict p = 0, n = 0;
    struct cudaDeviceProp prop;
    dim3 d = {1, 1, 1};
    (void)p;
    return cudaGetDeviceCount(&n) == cudaSuccess && n == 1 &&
                   cudaGetDeviceProperties(&prop, 0) == cudaSuccess && d.x == 1
               ? 100
               : 0;
}
CU
works cc a/same.cu b/same.cu main.cpp part.c -o at_once
passes ./at_once
works cc -c a/same.cu -o a.o
works cc -c b/same.cu -o b.o
works cc -c main.cpp part.c
works cc a.o b.o main.o part.o -o of_objects
passes ./of_objects
works cc a/same.cu b.o main.cpp part.o -o of_both
passes ./of_both
toolkit=$("$SMELT" cc --print-toolkit)
g++ a.o b.o main.o part.o -L"$toolkit/lib64" -lcudart -Wl,-rpath,"$toolkit/lib64" -o by_gcc ||
    failed "g++ does not link"
passes ./by_gcc
no_leftovers
finish
