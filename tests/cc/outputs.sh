#!/usr/bin/env bash
# What is made and under which name: -o, -c, -dc, -ptx, -cubin, -E, -odir, -lib, -link, -shared.
. "$SRC/tests/cc/lib.bash"

works cc prog.cu
passes ./a.out
works cc --output-file=named prog.cu
passes ./named
mkdir -p sub objects
cp prog.cu sub/prog.cu
works cc -c sub/prog.cu # in the folder it is called from, as nvcc has it
[ -f prog.o ] || failed "no prog.o"
works cc -dc sub/prog.cu -odir objects
[ -f objects/prog.o ] || failed "no objects/prog.o"
works cc -link prog.o -o linked
passes ./linked
works cc -ptx prog.cu
grep -q '^\.visible \.entry _Z1kPi(' prog.ptx || failed "no PTX"
works disasm prog.ptx
works cc --cubin -o prog.cubin prog.cu
cmp prog.ptx prog.cubin || failed "-cubin is not PTX"
works cc -lib prog.cu -o libprog.a
works cc libprog.a -o from_archive
passes ./from_archive
works cc -E prog.cu
grep -q 'threadIdx.x + 1' out.txt || failed "-E prints nothing"
works cc -E prog.cu -o prog.ii
grep -q 'threadIdx.x + 1' prog.ii || failed "-E -o writes nothing"
cp prog.cu prog.txt
works cc -x cu prog.txt -o other_name
passes ./other_name

cat >kernel.cu <<'CU'
__global__ void fill(int *p) { *p = 7; }
extern "C" int seven(void)
{
    int v = 0, *p;
    cudaMalloc(&p, 4);
    fill<<<1, 1>>>(p);
    cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);
    return v;
}
CU
printf '%s\n' '#include <stdio.h>' 'int seven(void);' \
    'int main(void) { puts(seven() == 7 ? "PASS" : "FAIL"); return 0; }' >main.c
works cc -shared -Xcompiler -fPIC kernel.cu -o libkernel.so
works cc main.c -L. -lkernel -Xlinker -rpath,"$PWD" -o uses_library
passes ./uses_library
no_leftovers
finish
