#!/usr/bin/env bash
#
# The headers of the runtime and driver API are valid C and C++ for the compilers that programs
# use: gcc and g++ for host files, clang for both halves of a CUDA file.
set -euo pipefail

include=$SRC/src/toolkit/include
status=0

cat >api.c <<'END'
#include <cuda.h>
#include <cuda_runtime_api.h>

int main(void)
{
    struct cudaDeviceProp prop;
    dim3 grid = {2, 3, 4};
    float4 v = make_float4(1, 2, 3, 4);
    struct cudaExtent e = make_cudaExtent(1, 2, 3);
    CUdeviceptr p;

    cudaGetDeviceProperties(&prop, 0);
    cuMemAlloc(&p, 4);
    return (int)grid.z + (int)v.w + (int)e.depth + (int)sizeof(double4);
}
END

cat >api.cc <<'END'
#include <cuda.h>
#include <cuda_runtime_api.h>

int main()
{
    void *p = 0;
    dim3 grid(2, 3), block = 64; // what is not given is 1
    uint3 u = grid;
    size_t f, t;
    unsigned int f32, t32;

    cudaMallocManaged(&p, 4); // default arguments
    cudaMemcpyAsync(p, p, 4, cudaMemcpyDefault);
    cudaMemcpyToSymbol(p, p, 4);
    cudaGraphLaunch(p, 0); // absent, but declared
    cuMemGetInfo(&f, &t);
    cuMemGetInfo(&f32, &t32); // as before CUDA 3.2
    return u.z == 1 && block.y == 1 ? 0 : 1;
}
END

check()
{
    "$@" -fsyntax-only -Wall -Wextra -Werror -I"$include" || {
        echo "failed: $*"
        status=1
    }
}

for std in c99 c11 c17; do
    check gcc -std=$std -Wpedantic api.c
done
if command -v g++ >/dev/null; then
    for std in c++98 c++11 c++14 c++17; do
        check g++ -std=$std -Wno-unused api.cc
    done
fi
if command -v clang++-14 >/dev/null; then
    check clang-14 -std=c99 -Wpedantic api.c
    for half in device host; do
        check clang++-14 -x cuda --cuda-path=/nonexistent --cuda-$half-only -nocudainc -nocudalib \
            --cuda-gpu-arch=sm_35 -Wno-unused api.cc
    done
fi
exit $status
