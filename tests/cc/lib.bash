# lib.bash -- for the scripts of tests/cc, on top of tests/e2e's: a program to compile, and
#
#   shows 'PATTERN' ARGS..     smelt cc --dryrun ARGS works, and a command of it matches PATTERN
#   hides 'PATTERN' ARGS..     .. and none does
#   passes PROGRAM             the program runs and says PASS
#   no_leftovers               nothing is left in TMPDIR, which is a folder of the test's own
. "$SRC/tests/e2e/lib/check.bash"

export TMPDIR=$PWD/tmp
rm -rf ./*
mkdir -p "$TMPDIR"

cat >prog.cu <<'CU'
#include <stdio.h>
#ifndef VALUE
#define VALUE 1
#endif
__global__ void k(int *p)
{
    p[threadIdx.x] = threadIdx.x + VALUE;
}
int main()
{
    int *p, v[32] = {0};
    cudaMalloc(&p, sizeof(v));
    k<<<1, 32>>>(p);
    cudaMemcpy(v, p, sizeof(v), cudaMemcpyDeviceToHost);
    puts(v[31] == 31 + VALUE ? "PASS" : "FAIL");
    return v[31] != 31 + VALUE;
}
CU

shows()
{
    local pattern=$1
    shift
    works cc --dryrun "$@"
    grep -qE -- "$pattern" err.txt || failed "no '$pattern' from $*: $(cat err.txt)"
}

hides()
{
    local pattern=$1
    shift
    works cc --dryrun "$@"
    ! grep -qE -- "$pattern" err.txt || failed "'$pattern' from $*: $(cat err.txt)"
}

passes()
{
    works run --functional "$@"
    same "output of $*" "$(cat out.txt)" PASS
}

no_leftovers()
{
    same "left in TMPDIR" "$(ls -A "$TMPDIR")" ""
}
