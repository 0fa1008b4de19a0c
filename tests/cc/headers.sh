#!/usr/bin/env bash
# The headers in every language: C99 and C11 with gcc, C++98 to C++20 with g++, CUDA C++11 to 20.
# tier: all
. "$SRC/tests/cc/lib.bash"

toolkit=$("$SMELT" cc --print-toolkit)
cat >c.c <<'CU'
#include <cuda_runtime.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cublas_v2.h>
#include <cuda_profiler_api.h>
#include <cufft.h>
#include <curand.h>
#include <math_constants.h>
#include <vector_functions.h>
int f(void);
int f(void)
{
    void *p;
    float4 v = make_float4(1, 2, 3, 4);
    CUdevice d;
    return cudaMalloc(&p, 4) == cudaSuccess && cuDeviceGet(&d, 0) == CUDA_SUCCESS && v.w == 4 &&
           CUDART_PI_F > 3;
}
CU
cp c.c cxx.cpp
cat >>cxx.cpp <<'CU'
#if __cplusplus >= 201103L
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#endif
#include <channel_descriptor.h>
int g()
{
    float *p;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    return cudaMalloc(&p, 4) + d.x + dim3(2).x;
}
CU
for std in c99 c11 gnu17; do
    gcc -std=$std -Wall -Wextra -Werror -pedantic -I"$toolkit/include" -c c.c -o /dev/null 2>err.txt ||
        failed "$std: $(head -n 5 err.txt)"
done
for std in c++98 c++11 c++17 c++20; do
    g++ -std=$std -Wall -Wextra -Werror -I"$toolkit/include" -c cxx.cpp -o /dev/null 2>err.txt ||
        failed "$std: $(head -n 5 err.txt)"
done
for std in c++03 gnu++11 c++17 c++20; do
    works cc -std=$std -Wall -Wextra -Werror -x cu -c cxx.cpp -o cxx.o
done
# all of them in one file, in both orders: none depends on another's being there
# (but cublas.h and cublas_v2.h are alternatives)
ls "$toolkit/include" | sed -n '/^cublas\.h$/d; s/^\(.*\.h\)$/#include <\1>/p' >one.cu
newer=(cooperative_groups{,/reduce,/scan,/memcpy_async}.h cuda/{atomic,barrier,pipeline}
    cuda/std/{atomic,barrier} cuda_pipeline.h cuda_{fp16,bf16,fp8}.h{,pp} curand_kernel.h mma.h)
printf '#include <%s>\n' "${newer[@]}" >>one.cu
tac one.cu >two.cu
works cc -Wall -Wextra -Werror -c one.cu two.cu
# those of C++11 and later, by themselves: for the host's compiler, for an old and a new GPU (whose
# host is the same)
printf '#include <%s>\n' "${newer[@]}" >newer.cpp
for std in c++11 c++14 c++17; do
    g++ -std=$std -Wall -Wextra -Werror -I"$toolkit/include" -c newer.cpp -o /dev/null 2>err.txt ||
        failed "$std: $(head -n 5 err.txt)"
    works cc -std=$std -Wall -Wextra -Werror -arch=sm_30 -x cu -c newer.cpp -o newer.o
    works cc -std=$std -Wall -Wextra -Werror -arch=sm_70 -x cu -ptx newer.cpp -o newer.ptx
done
for test in cooperative_{groups,reduce,memcpy} cuda_{atomic,barrier} half_program; do
    works cc -std=c++11 -Wall -Wextra -Werror -ptx "$SRC/tests/cc/$test.cu" -o newer.ptx
    works cc -std=c++17 -Wall -Wextra -Werror -arch=sm_70 -ptx "$SRC/tests/cc/$test.cu" -o newer.ptx
done
finish
