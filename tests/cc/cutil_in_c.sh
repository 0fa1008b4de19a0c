#!/usr/bin/env bash
# cutil.h from C, and the libraries that Makefiles of the time give the host's linker.
. "$SRC/tests/cc/lib.bash"

toolkit=$("$SMELT" cc --print-toolkit)
cat >host.c <<'CU'
#include <cutil.h>
extern void add_one(int *p, int n);
int main(int argc, const char **argv)
{
    int v[4] = {1, 2, 3, 4}, want[4] = {2, 3, 4, 5}, *read = NULL;
    unsigned int timer = 0, n = 0;
    void *p;
    CUT_DEVICE_INIT(argc, argv);
    CUT_SAFE_CALL(cutCreateTimer(&timer));
    CUT_SAFE_CALL(cutStartTimer(timer));
    CUDA_SAFE_CALL(cudaMalloc(&p, sizeof(v)));
    CUDA_SAFE_CALL(cudaMemcpy(p, v, sizeof(v), cudaMemcpyHostToDevice));
    add_one((int *)p, 4);
    CUDA_SAFE_CALL(cudaMemcpy(v, p, sizeof(v), cudaMemcpyDeviceToHost));
    CUT_SAFE_CALL(cutStopTimer(timer));
    CUT_CONDITION(cutWriteFilei("v.txt", v, 4, 0, false));
    CUT_CONDITION(cutReadFilei("v.txt", &read, &n, false));
    CUT_CONDITION(n == 4 && cutComparei(read, want, n) && !cutCheckCmdLineFlag(argc, argv, "x"));
    free(read);
    puts(cutGetTimerValue(timer) > 0 ? "PASS" : "FAIL");
    CUT_EXIT(argc, argv);
}
CU
cat >kernel.cu <<'CU'
__global__ void add(int *p)
{
    p[threadIdx.x]++;
}
extern "C" void add_one(int *p, int n)
{
    add<<<1, n>>>(p);
}
CU
works cc -arch sm_11 -c kernel.cu -o kernel.cu_o
for std in c99 gnu17; do
    gcc -std=$std -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -I"$toolkit/include" -c host.c 2>err.txt ||
        failed "$std: $(head -n 5 err.txt)"
done
for libs in "-lcudart -lcutil" "-lcutil_x86_64 -lshrutil_x86_64 -lcudart_static -lcudadevrt"; do
    # (The sanitizers' libcudart.so wants functions of their library, which smelt run loads.)
    g++ -o host host.o kernel.cu_o -L"$toolkit/lib64" $libs -lm -Wl,-rpath,"$toolkit/lib64" \
        -Wl,--allow-shlib-undefined 2>err.txt || failed "$libs: $(cat err.txt)"
    passes ./host
done
finish
