#!/usr/bin/env bash
# -cuda: a .cu file becomes a source that the host's compiler makes the object of, as Makefiles do
# that keep nvcc away from their own compiler and its options.
. "$SRC/tests/cc/lib.bash"

toolkit=$("$SMELT" cc --print-toolkit)
link=(-L"$toolkit/lib64" -lcudart -Wl,-rpath,"$toolkit/lib64" -Wl,--allow-shlib-undefined)

works cc -cuda prog.cu
[ -s prog.cu.cpp.ii ] || failed "no prog.cu.cpp.ii"
for how in "g++ -O0 -g" "g++ -std=c++98 -O3 -fPIC" "clang++-14 -O1" "$SMELT cc -g"; do
    $how -c prog.cu.cpp.ii -o prog.o 2>err.txt || failed "$how: $(head -n 3 err.txt)"
    g++ prog.o "${link[@]}" -o prog 2>err.txt || failed "$how: $(head -n 3 err.txt)"
    passes ./prog
done

# Under a name of one's own, with -g, beside code of the same compiler that uses its functions.
cat >twice.cu <<'CU'
#include <stdio.h>
__constant__ int factor = 2;
__global__ void twice(int *p) { p[threadIdx.x] *= factor; }
template <class T> struct holder {
    T *p;
    holder() { cudaMalloc(&p, 32 * sizeof(T)); }
    ~holder() { cudaFree(p); }
};
static const char *quoted() { return "\"\\\t%s\"\n"; }
int twice_all(int *v)
{
    holder<int> h;
    cudaMemcpy(h.p, v, 32 * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(h.p);
    if (quoted()[0] != '"' || quoted()[1] != '\\' || quoted()[2] != '\t')
        throw 1;
    return cudaMemcpy(v, h.p, 32 * sizeof(int), cudaMemcpyDeviceToHost);
}
CU
cat >main.cpp <<'CU'
#include <stdio.h>
int twice_all(int *v);
int main()
{
    int v[32], wrong = 0;
    for (int i = 0; i < 32; i++)
        v[i] = i;
    wrong = twice_all(v);
    for (int i = 0; i < 32; i++)
        wrong += v[i] != 2 * i;
    puts(wrong ? "FAIL" : "PASS");
}
CU
works cc --cuda -g -lineinfo -O3 twice.cu -o twice.cpp
g++ -g -O2 -fPIC -shared twice.cpp -o libtwice.so "${link[@]}" 2>err.txt || failed "$(head -n 3 err.txt)"
g++ main.cpp libtwice.so "${link[@]}" -Wl,-rpath,"$PWD" -o uses 2>err.txt || failed "$(head -n 3 err.txt)"
passes ./uses
works cc main.cpp twice.cpp -o both
passes ./both

# What is wrong with the source is said by this step.
echo '__global__ void k(int *p) { *p = nothing; }' >bad.cu
"$SMELT" cc -cuda bad.cu 2>err.txt && failed "bad.cu is compiled"
grep -q "bad.cu:1:.*undeclared identifier 'nothing'" err.txt || failed "$(cat err.txt)"
[ ! -e bad.cu.cpp.ii ] || failed "a source is left of bad.cu"
fails 2 "no-such-folder/x.cpp: No such file or directory" cc -cuda prog.cu -o no-such-folder/x.cpp
no_leftovers
finish
