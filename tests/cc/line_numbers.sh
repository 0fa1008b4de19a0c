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

works cc -ptx fault.cu -o lines.ptx
grep -v '^[[:space:]]*\.\(loc\|file\|section\)' lines.ptx >plain.ptx
"$SMELT" disasm lines.ptx | sed 's, *//.*,,' >lines.txt
"$SMELT" disasm plain.ptx | sed 's, *//.*,,' >plain.txt
cmp lines.txt plain.txt || failed "other code"
[ -s lines.txt ] || failed "no code"
finish
