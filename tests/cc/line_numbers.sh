#!/usr/bin/env bash
# A fault names the line of the .cu file, also in functions of headers that are inlined there, and
# keeping lines changes no code.
. "$SRC/tests/cc/lib.bash"

cat >fault.cu <<'CU'
__global__ void k(int *p)
{
    p[0] = 1;
    atomicAdd(p + 1000000,
              2);
}
int main()
{
    int *p;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    return cudaDeviceSynchronize() == cudaSuccess;
}
CU
works cc fault.cu -o fault
"$SMELT" run --functional ./fault >out.txt 2>err.txt
same "status" "$?" 1
grep -q 'fault\.cu:4' err.txt || failed "no line: $(cat err.txt)"

# Every instruction has a line of source, also those that a compiler or we moved or made.
cat >stencil.cu <<'CU'
__device__ int table[64];
__global__ void __launch_bounds__(1024) stencil(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
        float v[40], sum = 0;
        #pragma unroll
        for (int i = 0; i < 40; i++)
            v[i] = in[(y + i / 7) * n + x + i % 7];
        if (n & 1)
            sum = table[x & 63];
        #pragma unroll
        for (int i = 0; i < 40; i++)
            sum += v[i] * v[39 - i] + sum * v[(i * 17) % 40];
        out[y * n + x] = sum;
    }
}
int main() { return 0; }
CU
works cc -lineinfo -ptx stencil.cu -o stencil.ptx
works disasm stencil.ptx
grep -q 'st.local' out.txt || failed "nothing is spilled"
same "instructions without a line" \
    "$(grep -E '^ +[0-9]+ .*//' out.txt | grep -vcE '// [0-9]+ [^ ]+:[1-9][0-9]*$')" 0

works cc -ptx fault.cu -o lines.ptx
grep -v '^[[:space:]]*\.\(loc\|file\|section\)' lines.ptx >plain.ptx
"$SMELT" disasm lines.ptx | sed 's, *//.*,,' >lines.txt
"$SMELT" disasm plain.ptx | sed 's, *//.*,,' >plain.txt
cmp lines.txt plain.txt || failed "other code"
[ -s lines.txt ] || failed "no code"
finish
