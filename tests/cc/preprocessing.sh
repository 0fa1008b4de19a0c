#!/usr/bin/env bash
# -D -U -I -isystem -include, attached, apart and by their long names; for every language.
. "$SRC/tests/cc/lib.bash"

mkdir -p "inc one" two
echo '#define ONE 10' >"inc one/one.h"
echo '#define TWO 20' >two/two.h
echo '#define THREE 300' >three.h
cat >all.cu <<'CU'
#include <one.h>
#include <two.h>
#ifdef GONE
#error GONE is there
#endif
#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ != 350
#error another architecture
#endif
#endif
__device__ int v = ONE + TWO + THREE + A + B + sizeof(TEXT);
int main()
{
    int h = 0;
    cudaMemcpyFromSymbol(&h, v, sizeof(h));
    return h == ONE + TWO + THREE + A + B + sizeof(TEXT) && h == 343 + sizeof(TEXT) ? 0 : 1;
}
CU
works cc -I"inc one" -I two -include three.h -DA=6 -D B=7 -DGONE -UGONE '-DTEXT="a b"' all.cu -o all
works run --functional ./all
works cc --include-path "inc one" --system-include=two --pre-include three.h --define-macro A=6 \
    --define-macro=B=7 -DGONE --undefine-macro GONE -DTEXT=\"x\" all.cu -o all
works run --functional ./all
works cc -Xcompiler "-I'inc one',-DA=6 -DB=7" -isystem two --compiler-options=-DTEXT='\"\"' \
    -include three.h all.cu -o all
works run --functional ./all

echo '#include <two.h>
#include <cuda_runtime.h>
int main(void) { void *p; return TWO + A != 26 || cudaMalloc(&p, 4) != cudaSuccess; }' >c.c
cp c.c cxx.cpp
for file in c.c cxx.cpp; do
    works cc -Itwo -DA=6 "$file" -o plain
    works run --functional ./plain
done
# every letter is the program's own, whatever the headers call theirs
echo '__global__ void k(int *p) { *p = A + N + Z; }' >letters.cu
works cc -Wall -Wextra -Werror -D{A..Z}=3 -c letters.cu
finish
