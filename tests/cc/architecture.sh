#!/usr/bin/env bash
# -arch, -code and -gencode in all their forms.
. "$SRC/tests/cc/lib.bash"

shows 'cuda-gpu-arch=sm_35 ' prog.cu
for form in -arch=sm_20 '-arch sm_20' --gpu-architecture=sm_20 '--gpu-architecture compute_20' \
    '-arch=compute_20 -code=sm_20,compute_20' '-gencode arch=compute_20,code=sm_20' \
    '-gencode=arch=compute_20,code="sm_20,compute_20"' '--generate-code arch=compute_20,code=sm_21'; do
    # shellcheck disable=SC2086
    shows 'cuda-gpu-arch=sm_20 ' $form prog.cu
done
# Of several the highest that PTX is asked for; what machine code is made of it says nothing.
shows 'cuda-gpu-arch=sm_70 ' -gencode arch=compute_60,code=sm_60 -gencode \
    arch=compute_70,code=compute_70 -gencode arch=compute_30,code=sm_30 prog.cu
shows 'cuda-gpu-arch=sm_50 ' -gencode arch=compute_35,code=sm_75 \
    -gencode=arch=compute_50,code=[sm_80,compute_50] prog.cu
shows 'cuda-gpu-arch=sm_30 ' -arch=compute_30 -code=sm_30,sm_70 prog.cu
# sm_1x and unknown ones in between become the next that is known.
shows 'cuda-gpu-arch=sm_20 ' -arch sm_13 prog.cu
shows 'cuda-gpu-arch=sm_53 ' -arch sm_54 prog.cu
shows 'cuda-gpu-arch=sm_35 ' -arch native prog.cu
shows 'cuda-gpu-arch=sm_86 ' -arch=sm_120 prog.cu
same "note" "$(grep -c '^smelt: cc: sm_120 is newer than what clang knows; sm_86 is taken$' err.txt)" 1
fails 2 "no architecture in 'fermi'" cc -arch fermi prog.cu

# What a program sees, from the oldest to the newest.
cat >arch.cu <<'CU'
#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ != WANT
#error another architecture
#endif
#endif
__global__ void k(float *p) { atomicAdd(p, 1.0f); }
int main() { return 0; }
CU
for sm in 20 30 50 60 70 75 86; do
    works cc -arch=sm_$sm -DWANT=${sm}0 -ptx arch.cu -o arch.ptx
    grep -q "^\.target sm_$sm" arch.ptx || failed "target of sm_$sm"
    works disasm arch.ptx
done
finish
