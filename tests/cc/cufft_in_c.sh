#!/usr/bin/env bash
# cuFFT from C, linked by the host's own compiler and by CMake, and in a project of the old SDK; what
# the library has not is told by the compiler.
. "$SRC/tests/cc/lib.bash"

toolkit=$("$SMELT" cc --print-toolkit)
cat >prog.c <<'C'
#include <cufft.h>
#include <stdio.h>
int main(void)
{
    float x[4] = {1, 2, 3, 5}, *in;
    cufftComplex y[3], *out;
    cufftHandle plan;
    cudaMalloc((void **)&in, sizeof(x));
    cudaMalloc((void **)&out, sizeof(y));
    cudaMemcpy(in, x, sizeof(x), cudaMemcpyHostToDevice);
    int ok = cufftPlan1d(&plan, 4, CUFFT_R2C, 1) == CUFFT_SUCCESS &&
             cufftExecR2C(plan, in, out) == CUFFT_SUCCESS && cufftDestroy(plan) == CUFFT_SUCCESS;
    cudaMemcpy(y, out, sizeof(y), cudaMemcpyDeviceToHost);
    ok = ok && y[0].x == 11 && y[0].y == 0 && y[1].x == -2 && y[1].y == 3 && y[2].x == -3;
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
C
gcc -std=c11 -Wall -Wextra -Werror -pedantic -I"$toolkit/include" prog.c -o by_gcc \
    -L"$toolkit/lib64" -lcufft -lcudart -Wl,--allow-shlib-undefined 2>err.txt ||
    failed "gcc: $(head -n 5 err.txt)"
passes ./by_gcc

cat >CMakeLists.txt <<'CM'
cmake_minimum_required(VERSION 3.18)
project(test C)
find_package(CUDAToolkit REQUIRED)
add_executable(by_cmake prog.c)
target_link_libraries(by_cmake CUDA::cufft CUDA::cudart -Wl,--allow-shlib-undefined)
CM
cmake -S . -B by -DCUDAToolkit_ROOT="$toolkit" >cmake.txt 2>&1 && cmake --build by >>cmake.txt 2>&1 ||
    failed "CMake: $(tail -n 20 cmake.txt)"
passes by/by_cmake

# the macros of cutil.h, and what a project's Makefile says
mkdir -p src/signal
cat >src/signal/signal.cu <<'CU'
#include <cufft.h>
#include <cutil_inline.h>
int main()
{
    cufftHandle plan;
    cufftSafeCall(cufftPlan2d(&plan, 4, 4, CUFFT_C2C));
    CUFFT_SAFE_CALL(cufftDestroy(plan));
    puts("PASS");
    cufftSafeCall(cufftDestroy(plan));
}
CU
cat >src/signal/Makefile <<'MK'
EXECUTABLE := signal
CUFILES    := signal.cu
USECUFFT   := 1
include ../../common/common.mk
MK
ln -s "$toolkit/C/common" common
make -C src/signal >make.txt 2>&1 || failed "make: $(cat make.txt)"
fails 1 'signal.cu:9: cufftDestroy.plan. failed' run --functional "$(find . -name signal -type f)"

printf '#include <cufft.h>\nint main() { return cufftXtExec(0, 0, 0, 1); }\n' >absent.cpp
fails 1 "cufftXtExec" cc absent.cpp
finish
