#!/usr/bin/env bash
# What is wrong with device code of several files is said when it is linked, with the files' names.
. "$SRC/tests/cc/lib.bash"

cat >one.cu <<'CU'
__constant__ int factor[4] = {1, 2, 3, 4};
__device__ float twice(float x) { return x * factor[1]; }
int main() {}
CU
cat >two.cu <<'CU'
extern __device__ int both;
extern __device__ float twice(float x);
__global__ void k(float *p) { *p = twice(*p) + both; }
CU
echo '__device__ float twice(float x) { return x; }' >again.cu
echo 'extern __device__ int factor[4];
__global__ void other(int *p) { *p = factor[0]; }' >other.cu
works cc -dc one.cu two.cu again.cu other.cu

fails 2 'two\.o: undefined device variable both: no file that is linked defines it' \
    cc one.o two.o -o nothing
[ ! -e nothing ] || failed "an executable in spite of an undefined variable"
fails 2 'two\.cu: undefined device variable both: no file that is linked defines it' \
    cc -rdc=true two.cu one.o -o nothing
fails 2 'again\.o: device function twice \(_Z5twicef\) is defined in one\.o, too' \
    cc -dlink one.o again.o
ar rcs libtwo.a again.o
fails 2 'libtwo\.a\(again\.o\): device function twice \(_Z5twicef\) is defined in one\.o, too' \
    cc one.o -L. -ltwo -o nothing
fails 2 'other\.o: factor is declared as \.global, and defined in one\.o as \.const' \
    cc one.o other.o -o nothing
fails 2 'one\.o: no such file|one\.o.*No such file' cc -dlink missing/one.o

# Without a device link the linker says what is missing.
"$SMELT" cc -nodlink one.o -o nothing 2>err.txt && failed "linked without device code"
grep -q 'undefined reference to .__cudaRegisterLinkedBinary_' err.txt || failed "$(cat err.txt)"
no_leftovers
finish
