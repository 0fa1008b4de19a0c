#!/usr/bin/env bash
# Separate compilation: device functions, variables and constants of one file used in another, things
# of one file alone that have the same name in two, built in all the ways that Makefiles have.
. "$SRC/tests/cc/lib.bash"

# In the manner of the SDK's simpleSeparateCompilation: a library of device functions that others
# reach by pointer, one file of kernels, one of the host.
cat >shared.h <<'CU'
struct pair { int a, b; };
typedef float (*function)(float);
extern __device__ function halve_pointer;
extern __device__ function table[2];
extern __device__ float twice(float x);
extern __device__ int n_call;
extern __constant__ int factor[4];
extern __device__ pair both;
extern texture<int, 1, cudaReadModeElementType> texels;
template <class T> __device__ T same(T x) { return x; }
inline __device__ int counted() { static __device__ int n; return atomicAdd(&n, 1) + 1; }
void apply(float *v, int n, function f);
int from_library(int x);
CU
cat >library.cu <<'CU'
#include "shared.h"
static __device__ int hidden = 100;
namespace { __device__ __noinline__ int inner(int x) { return x + hidden; } }
static __global__ void k(int *p) { *p = inner(*p) + same(1); counted(); }
__device__ int n_call = 3;
__constant__ int factor[4] = {1, 2, 3, 4};
__device__ pair both = {5, 6};
texture<int, 1, cudaReadModeElementType> texels;
__device__ float twice(float x) { atomicAdd(&n_call, 1); return x * factor[1]; }
__device__ float halve(float x) { return x / 2; }
__device__ function halve_pointer = halve;
__device__ function table[2] = {twice, halve};
int from_library(int x)
{
    int *p, add = 1000;
    cudaMemcpyToSymbol(hidden, &add, sizeof(add));
    cudaMalloc(&p, sizeof(x));
    cudaMemcpy(p, &x, sizeof(x), cudaMemcpyHostToDevice);
    k<<<1, 1>>>(p);
    cudaMemcpy(&x, p, sizeof(x), cudaMemcpyDeviceToHost);
    return x;
}
CU
cat >kernels.cu <<'CU'
#include "shared.h"
static __device__ int hidden = 7;
namespace { __device__ __noinline__ int inner(int x) { return x * hidden; } }
__global__ void each(float *v, int n, function f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = f(v[i]) + same(0) * counted();
}
__global__ void k(int *p) { *p = inner(*p) + both.a + both.b + factor[3]; }
void apply(float *v, int n, function f) { each<<<(n + 63) / 64, 64>>>(v, n, f); }
CU
cat >main.cu <<'CU'
#include <stdio.h>
#include "shared.h"
static __global__ void k(int *p) { *p += (int)table[0](*p) + counted(); }
__global__ void each(int *p) { *p = (int)table[1](*p) + tex1Dfetch(texels, 1); } /* another by its parameters */
extern __global__ void k(int *p, int n);
enum { N = 300 };
int main()
{
    float *v, host[N];
    function f;
    int wrong = 0, n = 0, one = 8, *p;
    for (int i = 0; i < N; i++)
        host[i] = (float)i;
    cudaMalloc(&v, sizeof(host));
    cudaMalloc(&p, sizeof(int));
    cudaBindTexture(0, texels, v, sizeof(host));
    cudaMemcpy(v, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpyFromSymbol(&f, halve_pointer, sizeof(f));
    apply(v, N, f);
    cudaMemcpy(host, v, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += host[i] != i / 2.0f;
    cudaMemcpy(p, &one, sizeof(one), cudaMemcpyHostToDevice);
    k<<<1, 1>>>(p); /* 8 + 16, and the first call of counted() here was the 301st of all */
    each<<<1, 1>>>(p);
    cudaMemcpy(&one, p, sizeof(one), cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&n, n_call, sizeof(n));
    wrong += one != (8 + 16 + 301) / 2 + 0x3f000000 || n != 4; /* and the bits of 0.5f */
    wrong += from_library(5) != 1006;
    puts(wrong ? "FAIL" : "PASS");
    return wrong;
}
CU

# A Makefile with a device link of its own, and the host's linker for the rest.
cat >Makefile <<'MK'
CUDA_PATH ?= /usr/local/cuda
NVCC := $(CUDA_PATH)/bin/nvcc
LDFLAGS := -L$(CUDA_PATH)/lib64 -lcudart -Wl,-rpath,$(CUDA_PATH)/lib64 -Wl,--allow-shlib-undefined
prog: library.o kernels.o main.o linked.o
	g++ -o $@ $+ $(LDFLAGS)
linked.o: library.o kernels.o main.o
	$(NVCC) -arch=sm_35 -dlink -o $@ $+
%.o: %.cu
	$(NVCC) -arch=sm_35 -dc -Xcompiler -fPIC -o $@ $<
with_archive: kernels.o main.o libdevice.a
	$(NVCC) -arch=sm_35 -o $@ kernels.o main.o -L. -ldevice
libdevice.a: library.o
	$(NVCC) -lib -o $@ $<
MK
toolkit=$("$SMELT" cc --print-toolkit)
make CUDA_PATH="$toolkit" prog with_archive >make.txt 2>&1 || failed "make: $(cat make.txt)"
passes ./prog
same "with timing" "$("$SMELT" run --threads 2 ./prog 2>err.txt)" PASS
same "kernels" "$(grep -o '^smelt: [a-z]*  grid' err.txt | tr -d '\n')" \
    "smelt: each  gridsmelt: k  gridsmelt: each  gridsmelt: k  grid"
passes ./with_archive
works cc library.o kernels.o main.o linked.o -o linked_already
passes ./linked_already
ar rcs plain.a library.o kernels.o
works cc main.o plain.a -o with_plain
passes ./with_plain
echo 'void apply(float *, int, float (*)(float));
int main(int argc, char **) { if (argc > 9) apply(0, 0, 0); }' >uses.cpp
works cc -shared library.o kernels.o -o libwhole.so
works cc uses.cpp -L. -lwhole -Xlinker -rpath -Xlinker "$PWD" -o uses
works run --functional ./uses
no_leftovers

# Files that are whole beside files that are linked.
cat >alone.cu <<'CU'
static __global__ void k(int *p) { *p = 1; }
void alone() { k<<<1, 1>>>((int *)0); }
CU
works cc -c alone.cu
works cc alone.o library.o kernels.o main.o -o mixed
passes ./mixed

no_leftovers
finish
