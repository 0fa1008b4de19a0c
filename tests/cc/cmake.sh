#!/usr/bin/env bash
# CMake takes the toolkit for CUDA: as a language, and by the older find_package(CUDA).
. "$SRC/tests/cc/lib.bash"

toolkit=$("$SMELT" cc --print-toolkit)
cat >library.cu <<'CU'
__global__ void triple(int *p)
{
    p[threadIdx.x] *= FACTOR;
}
void run(int *p, int n)
{
    triple<<<1, n>>>(p);
}
CU
cat >main.cpp <<'CU'
#include <cuda_runtime.h>
#include <stdio.h>
void run(int *p, int n);
int main()
{
    int v[3] = {1, 2, 3}, *p;
    cudaMalloc(&p, sizeof(v));
    cudaMemcpy(p, v, sizeof(v), cudaMemcpyHostToDevice);
    run(p, 3);
    cudaMemcpy(v, p, sizeof(v), cudaMemcpyDeviceToHost);
    puts(v[0] == 3 && v[2] == 9 ? "PASS" : "FAIL");
}
CU
built()
{
    cmake -S "$1" -B "$1/build" "${@:2}" >cmake.txt 2>&1 && cmake --build "$1/build" >>cmake.txt 2>&1 ||
        failed "$1: $(tail -n 20 cmake.txt)"
    passes "$1/build/program"
}

mkdir -p language module
cat >language/CMakeLists.txt <<'CM'
cmake_minimum_required(VERSION 3.18)
project(test LANGUAGES CXX CUDA)
add_library(triple STATIC ../library.cu)
target_compile_definitions(triple PRIVATE FACTOR=3)
add_executable(program ../main.cpp)
target_include_directories(program PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
target_link_libraries(program triple)
CM
cat >module/CMakeLists.txt <<'CM'
cmake_minimum_required(VERSION 3.5)
project(test CXX)
find_package(CUDA REQUIRED)
list(APPEND CUDA_NVCC_FLAGS -O3 -gencode arch=compute_20,code=sm_20 --use_fast_math -Xcompiler -Wall)
include_directories(${CUDA_INCLUDE_DIRS})
cuda_add_library(triple STATIC ../library.cu OPTIONS -DFACTOR=3)
cuda_add_executable(program ../main.cpp)
target_link_libraries(program triple)
CM
built language "-DCMAKE_CUDA_COMPILER=$toolkit/bin/nvcc"
grep -q 'CMAKE_CUDA_ARCHITECTURES:STRING=35' language/build/CMakeCache.txt ||
    failed "default architecture: $(grep ARCHITECTURES language/build/CMakeCache.txt)"
built module "-DCUDA_TOOLKIT_ROOT_DIR=$toolkit"
finish
