#!/usr/bin/env bash
# -use_fast_math, -ftz, -prec-div, -prec-sqrt and -fmad: which instructions they give.
. "$SRC/tests/cc/lib.bash"

cat >f.cu <<'CU'
__global__ void sines(float *p) { p[0] = sinf(p[0]) + cosf(p[1]); }
__global__ void powers(float *p) { p[0] = expf(p[0]); p[1] = logf(p[1]); p[2] = powf(p[2], p[3]); }
__global__ void divides(float *p) { p[0] = p[1] / p[2]; }
__global__ void roots(float *p) { p[0] = sqrtf(p[0]); }
__global__ void adds(float *p) { p[0] = p[1] * p[2] + p[3]; }
CU
gives()
{
    local pattern=$1
    shift
    works cc -ptx f.cu -o f.ptx "$@"
    for p in $pattern; do
        if [ "${p#!}" != "$p" ]; then
            ! grep -q "[[:space:]]${p#!}[[:space:]]" f.ptx || failed "${p#!} with $*"
        else
            grep -q "[[:space:]]$p[[:space:]]" f.ptx || failed "no $p with $*"
        fi
    done
}
gives 'div.rn.f32 sqrt.rn.f32 fma.rn.f32 !sin.approx.f32 !lg2.approx.f32 !add.ftz.f32'
gives 'sin.approx.*f32 cos.approx.*f32 ex2.approx.*f32 lg2.approx.*f32 div.approx.ftz.f32
    sqrt.approx.ftz.f32 fma.rn.ftz.f32 !div.rn.f32 !sqrt.rn.f32' -use_fast_math
gives 'div.rn.ftz.f32 sin.approx.*f32' --use_fast_math -prec-div=true
gives 'div.full.f32 sqrt.rn.f32' -prec-div=false
gives 'div.rn.f32 sqrt.approx.f32' --prec-sqrt=false
gives 'div.rn.ftz.f32 sqrt.rn.ftz.f32 fma.rn.ftz.f32' -ftz=true
gives 'mul.rn.f32 add.rn.f32' -fmad=false
same "fused with -fmad=false" \
    "$(sed -n '/entry _Z4addsPf/,$p' f.ptx | grep -c '[[:space:]]fma\.')" 0
fails 2 "it is true or false" cc -ftz=maybe prog.cu
finish
