#!/usr/bin/env bash
# --maxrregcount in all its forms, and -Xptxas -v.
. "$SRC/tests/cc/lib.bash"

cat >regs.cu <<'CU'
__constant__ float c[10];
__global__ void many(float *p)
{
    float v[40];
    for (int i = 0; i < 40; i++)
        v[i] = p[i * 64 + threadIdx.x];
    for (int i = 0; i < 40; i++)
        p[i * 64 + threadIdx.x] = v[39 - i] * v[i] + c[i % 10];
}
__global__ void __launch_bounds__(64) bound(float *p) { p[threadIdx.x] = 1; }
__global__ void uses_shared(float *p)
{
    __shared__ float s[100];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[99 - threadIdx.x];
}
int main() { return 0; }
CU
for form in --maxrregcount=16 -maxrregcount=16 '-maxrregcount 16' '-Xptxas -maxrregcount=16' \
    '-Xptxas --maxrregcount,16' '--ptxas-options=-v,--maxrregcount=16'; do
    # shellcheck disable=SC2086
    works cc $form -ptx regs.cu -o regs.ptx
    same "kernels with a limit, $form" "$(grep -c '^\.maxnreg 16$' regs.ptx)" 2
    grep -q 'maxnreg' <<<"$(grep -A4 'entry _Z5boundPf' regs.ptx)" && failed "a limit in spite of bounds"
done
works cc -ptx regs.cu -o regs.ptx
same "limits without the option" "$(grep -c maxnreg regs.ptx)" 0
works cc --maxrregcount=0 -ptx regs.cu -o regs.ptx
same "limits of 0" "$(grep -c maxnreg regs.ptx)" 0

used()
{
    sed -n "/entry function '$1'/,/Used/s/.*Used \([0-9]*\) registers.*/\1/p" err.txt
}
works cc -Xptxas -v -c regs.cu
free=$(used _Z4manyPf)
[ "${free:-0}" -gt 16 ] || failed "many uses $free registers: $(cat err.txt)"
grep -q '400 bytes smem' err.txt || failed "no shared memory: $(cat err.txt)"
grep -q '0 bytes gmem, 40 bytes cmem' err.txt || failed "no constant memory: $(cat err.txt)"
works cc -Xptxas=-v --maxrregcount=16 -c regs.cu
same "registers with a limit" "$(used _Z4manyPf)" 16
grep -qE '[1-9][0-9]* bytes stack frame, [1-9]' err.txt || failed "nothing spilled: $(cat err.txt)"
works cc -res-usage -c prog.cu
grep -q "Compiling entry function '_Z1kPi' for 'sm_35'" err.txt || failed "-res-usage"

fails 2 "'many' is no number" cc --maxrregcount=many prog.cu
finish
