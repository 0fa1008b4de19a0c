#!/usr/bin/env bash
# A program built by make, which calls nvcc by name with the options that suites use; CUDA_DIR=.
. "$SRC/tests/cc/lib.bash"

toolkit=$("$SMELT" cc --print-toolkit) || failed "no toolkit"
mkdir -p src
cat >src/scale.h <<'CU'
#define FACTOR 3
void scale(float *host, int n);
CU
cat >src/scale.cu <<'CU'
#include <scale.h>
__constant__ float factor;
__global__ void scale_kernel(float *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= factor * EXTRA;
}
void scale(float *host, int n)
{
    float *p, f = FACTOR;
    cudaMalloc((void **)&p, n * sizeof(float));
    cudaMemcpyToSymbol(factor, &f, sizeof(f));
    cudaMemcpy(p, host, n * sizeof(float), cudaMemcpyHostToDevice);
    scale_kernel<<<(n + 127) / 128, 128>>>(p, n);
    cudaMemcpy(host, p, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(p);
}
CU
cat >src/main.cpp <<'CU'
#include "scale.h"
#include <cuda_runtime.h>
#include <stdio.h>
int main()
{
    float v[1000];
    for (int i = 0; i < 1000; i++)
        v[i] = i;
    scale(v, 1000);
    int bad = 0;
    for (int i = 0; i < 1000; i++)
        bad += v[i] != 6 * i;
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad || cudaGetLastError() != cudaSuccess;
}
CU
printf '%s\n' 'CUDA_DIR = /usr/local/cuda' \
    'NVCC = nvcc' \
    'NVCCFLAGS = -arch=sm_20 -O3 -Xptxas -v --maxrregcount=32 -I. -Isrc -DEXTRA=2' \
    'scale: scale.o main.o' \
    '	$(NVCC) $^ -o $@ -L$(CUDA_DIR)/lib64 -lcudart -lcuda' \
    'scale.o: src/scale.cu' \
    '	$(NVCC) $(NVCCFLAGS) -c $< -o $@' \
    'main.o: src/main.cpp' \
    '	$(CXX) -I$(CUDA_DIR)/include -O2 -c $< -o $@' >Makefile

# By name from PATH, as a user has it, and by CUDA_DIR and NVCC.
rm -f scale ./*.o
PATH=$toolkit/bin:$PATH make CUDA_DIR="$toolkit" >make.txt 2>&1 || failed "make: $(cat make.txt)"
grep -q 'ptxas info .*: Used [0-9]* registers' make.txt || failed "no -Xptxas -v: $(cat make.txt)"
grep -q "Compiling entry function '_Z12scale_kernelPfi' for 'sm_20'" make.txt || failed "no kernel"
works run --functional ./scale
same "output" "$(cat out.txt)" PASS

rm -f scale ./*.o
make -j2 CUDA_DIR="$toolkit" NVCC="$toolkit/bin/nvcc" >make.txt 2>&1 || failed "make: $(cat make.txt)"
works run --functional ./scale
same "output" "$(cat out.txt)" PASS
finish
