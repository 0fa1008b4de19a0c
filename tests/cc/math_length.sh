#!/usr/bin/env bash
# Kernels pay for every instruction of the math library: float functions are no longer than in
# NVIDIA's library, whose lengths in PTX are the numbers here (sinf 102, expf 22, powf 122, logf 36),
# and with -use_fast_math they are the machine's approximations.
. "$SRC/tests/e2e/lib/check.bash"

# The instructions of a kernel that stores EXPRESSION of x and y, and of what it calls.
count()
{
    local expression=$1
    shift
    cat >k.cu <<CU
__global__ void k(float *p, float x, float y)
{
    *p = $expression;
}
CU
    works cc "$@" -ptx k.cu -o k.ptx
    grep -cE '^[[:space:]]+(@[!%a-z0-9]+[[:space:]]+)?[a-z][a-z0-9]*(\.[a-z0-9_:]+)*[[:space:]].*;|^[[:space:]]+ret;' k.ptx
}

# NAME MOST REST EXPRESSION OPTIONS..; REST is the kernel without the function
at_most()
{
    local name=$1 most=$2 rest=$3 n
    shift 3
    n=$(($(count "$@") - rest))
    echo "$name $n"
    [ "$n" -le "$most" ] || failed "$name takes $n instructions, NVIDIA's $most"
}

one=$(count x)
two=$(($(count "x + y") - 1))
at_most expf 22 "$one" "expf(x)"
at_most logf 36 "$one" "logf(x)"
at_most sinf 102 "$one" "sinf(x)"
at_most cosf 102 "$one" "cosf(x)"
at_most powf 122 "$two" "powf(x, y)"

# Fast math: one approximation, or two and a multiplication.
at_most "fast expf" 2 "$one" "expf(x)" -use_fast_math
at_most "fast logf" 2 "$one" "logf(x)" -use_fast_math
at_most "fast sinf" 1 "$one" "sinf(x)" -use_fast_math
at_most "fast powf" 3 "$two" "powf(x, y)" -use_fast_math
grep -q 'ex2\.approx' k.ptx && grep -q 'lg2\.approx' k.ptx || failed "no approximations in fast powf"
finish
