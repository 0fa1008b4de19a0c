#!/usr/bin/env bash
# -Xcompiler -fopenmp: threads in .c and .cpp files; in .cu files the functions, but no threads.
. "$SRC/tests/cc/lib.bash"

sed -i 's/^int main()/#include <omp.h>\nint sum(void);\nint main()/; s/return v\[31\]/int n = omp_get_max_threads() < 1 || sum() != 4950;\
#pragma omp parallel for\
    for (int i = 0; i < 32; i++)\
        v[i] = i + VALUE;\
    return n || v[31]/' prog.cu
cat >sum.cpp <<'CU'
#include <omp.h>
#ifndef _OPENMP
#error OpenMP is off
#endif
int sum(void)
{
    int s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 100; i++)
        s += i;
    return s;
}
CU
works cc -Xcompiler -fopenmp -O2 prog.cu sum.cpp -o prog
passes ./prog
works cc -Xcompiler=-Wall,-fopenmp -c prog.cu
works cc -Xcompiler -fopenmp -c sum.cpp
works cc -Xcompiler "-fopenmp" prog.o sum.o -o prog -lgomp
passes ./prog
finish
