#!/usr/bin/env bash
# cuBLAS from C: the functions of cublas.h and of cublas_v2.h; linked by the host's own compiler and
# by CMake; what the library has not is told by the compiler.
. "$SRC/tests/cc/lib.bash"

toolkit=$("$SMELT" cc --print-toolkit)
cat >legacy.c <<'C'
#include <cublas.h>
#include <stdio.h>
int main(void)
{
    float a[4] = {1, 2, 3, 4}, b[4] = {0, 1, 1, 0}, c[4] = {0}, *da, *db, *dc; /* b swaps columns */
    cublasInit();
    cublasAlloc(4, sizeof(float), (void **)&da);
    cublasAlloc(4, sizeof(float), (void **)&db);
    cublasAlloc(4, sizeof(float), (void **)&dc);
    cublasSetMatrix(2, 2, sizeof(float), a, 2, da, 2);
    cublasSetMatrix(2, 2, sizeof(float), b, 2, db, 2);
    cublasSgemm('N', 't', 2, 2, 2, 2.0f, da, 2, db, 2, 0.0f, dc, 2);
    cublasGetMatrix(2, 2, sizeof(float), dc, 2, c, 2);
    int ok = c[0] == 6 && c[1] == 8 && c[2] == 2 && c[3] == 4 && cublasSasum(4, dc, 1) == 20 &&
             cublasIsamax(4, dc, 1) == 2 && cublasGetError() == CUBLAS_STATUS_SUCCESS;
    cublasSgemm('x', 'N', 2, 2, 2, 2.0f, da, 2, db, 2, 0.0f, dc, 2);
    ok = ok && cublasGetError() == CUBLAS_STATUS_INVALID_VALUE &&
         cublasGetError() == CUBLAS_STATUS_SUCCESS && cublasFree(da) == CUBLAS_STATUS_SUCCESS;
    cublasShutdown();
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
C
cat >handles.c <<'C'
#include <cublas_v2.h>
#include <stdio.h>
int main(void)
{
    cublasHandle_t h;
    double x[3] = {3, 0, 4}, norm = 0, *d;
    int version = 0;
    cublasCreate(&h);
    cudaMalloc((void **)&d, sizeof(x));
    cublasSetVector(3, sizeof(double), x, 1, d, 1);
    int ok = cublasDnrm2(h, 3, d, 1, &norm) == CUBLAS_STATUS_SUCCESS && norm == 5 &&
             cublasGetVersion(h, &version) == CUBLAS_STATUS_SUCCESS && version == CUBLAS_VERSION;
    cublasDestroy(h);
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
C
for name in legacy handles; do
    gcc -std=c11 -Wall -Wextra -Werror -pedantic -I"$toolkit/include" $name.c -o $name \
        -L"$toolkit/lib64" -lcublas -lcudart -Wl,--allow-shlib-undefined 2>err.txt ||
        failed "$name: $(head -n 5 err.txt)"
    passes ./$name
done
works cc -lcublas handles.c -o by_cc
passes ./by_cc

cat >CMakeLists.txt <<'CM'
cmake_minimum_required(VERSION 3.18)
project(test C)
find_package(CUDAToolkit REQUIRED)
add_executable(by_cmake handles.c)
target_link_libraries(by_cmake CUDA::cublas CUDA::cudart -Wl,--allow-shlib-undefined)
CM
cmake -S . -B by -DCUDAToolkit_ROOT="$toolkit" >cmake.txt 2>&1 && cmake --build by >>cmake.txt 2>&1 ||
    failed "CMake: $(tail -n 20 cmake.txt)"
passes by/by_cmake

# both headers in one file, and a function that is not there
printf '#include <cublas_v2.h>\n#include <cublas.h>\n' >both.cpp
fails 1 'one file includes one of them' cc -c both.cpp
printf '#include <cublas_v2.h>\nint main() { return cublasStrsm(0); }\n' >absent.cpp
fails 1 "cublasStrsm" cc absent.cpp
finish
