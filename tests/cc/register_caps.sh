#!/usr/bin/env bash
# __launch_bounds__ decides how many blocks fit an SM, and programs that call functions (of a table,
# of themselves, of many registers) stay within any cap and compute the same.
. "$SRC/tests/cc/lib.bash"

cat >caps.cu <<'CU'
#include <stdio.h>
#define N 48
__device__ __noinline__ int mix(int seed)
{
    int v[N], sum = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = seed * (i + 3) ^ (seed >> (i & 7));
#pragma unroll
    for (int i = 0; i < N; i++)
        sum += v[i] * v[N - 1 - i];
    return sum;
}
__device__ __noinline__ int twist(int seed) { return mix(seed ^ 0x55) - mix(seed + 1); }
__device__ int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
typedef int (*op)(int);
__device__ op table[] = {mix, twist};

__device__ __forceinline__ int busy(const int *in, int t)
{
    int v[N], sum = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = in[(t + i * 7) & 63];
#pragma unroll
    for (int i = 0; i < N; i++)
        sum = sum * 3 + (v[i] ^ v[N - 1 - i]);
    sum += table[t & 1](sum) + ackermann(1, t & 3);
#pragma unroll
    for (int i = 0; i < N; i++)
        sum = sum * 5 + (v[i] ^ sum); /* all of v lives across the calls */
    return sum;
}
__global__ void free_one(const int *in, int *out) { out[threadIdx.x] = busy(in, threadIdx.x); }
__global__ void __launch_bounds__(256, 5) five(const int *in, int *out)
{
    out[threadIdx.x] = busy(in, threadIdx.x);
}
__global__ void __launch_bounds__(1024) wide(const int *in, int *out)
{
    out[threadIdx.x] = busy(in, threadIdx.x & 63);
}
int main()
{
    int *in, *out, n = 0, bad = 0;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 3 * 1024 * sizeof(int));
    for (int i = 0; i < 64; i++)
        in[i] = i * i * 17 + 5;
    free_one<<<1, 64>>>(in, out);
    five<<<1, 64>>>(in, out + 1024);
    wide<<<1, 1024>>>(in, out + 2048);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return puts(cudaGetErrorString(cudaGetLastError())), 1;
    unsigned hash = 0;
    for (int i = 0; i < 64; i++) {
        bad += out[i] != out[1024 + i] || out[i] != out[2048 + i];
        hash = hash * 31 + out[i];
    }
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, five, 256, 0);
    struct cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, free_one);
    printf("%s %08x\nblocks %d\nregisters %d\n", bad ? "FAIL" : "PASS", hash, n, a.numRegs);
    return bad;
}
CU
works cc caps.cu -o caps
works run --functional --set front.lower=off --set sm.regs=131072 ./caps
want=$(head -1 out.txt)
grep -q '^PASS' out.txt || failed "$(cat out.txt)"
works run --functional ./caps
same "results" "$(head -1 out.txt)" "$want"
same "blocks with launch bounds" "$(sed -n 2p out.txt)" "blocks 5"
same "registers at most" "$(sed -n 3p out.txt)" "registers 63"
for cap in 20 24 32 40 50; do
    works run --functional --set front.max_regs=$cap ./caps
    same "results in $cap registers" "$(head -1 out.txt)" "$want"
    same "a cap of $cap" "$(sed -n 3p out.txt)" "registers $cap"
done

# disasm shows the code that runs.
works cc -ptx caps.cu -o caps.ptx
works disasm caps.ptx
grep -q '^kernel .*free_one.*: registers 63,' out.txt || failed "$(grep ^kernel out.txt)"
grep -q '^kernel .*five.*: registers 24,' out.txt || failed "$(grep ^kernel out.txt)"
works disasm caps.ptx --set front.max_regs=30
grep -q '^kernel .*free_one.*: registers 30,' out.txt || failed "$(grep ^kernel out.txt)"
finish
