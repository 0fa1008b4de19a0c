#!/usr/bin/env bash
# --version as build systems parse it, --help, --print-toolkit; and nvcc as a name.
. "$SRC/tests/cc/lib.bash"

for option in --version -V; do
    works cc $option
    grep -q 'release 10\.1, V10\.1\.[0-9]*$' out.txt || failed "$option: $(cat out.txt)"
    grep -q smelt out.txt || failed "$option does not say who it is"
    same "first line" "$(head -n 1 out.txt)" "nvcc: NVIDIA (R) Cuda compiler driver"
    same "as scripts read it" "$(tail -n 1 out.txt | sed 's/.*release \([0-9.]*\),.*/\1/')" 10.1
    same "and others" "$(awk '/release/ { print $5, $6 }' out.txt)" "10.1, V10.1.105"
done
for option in --help -h; do
    works cc $option
    grep -q '^usage: smelt cc ' out.txt || failed "$option"
done
works help cc
works cc --list-gpu-arch
same "architectures" "$(grep -xE 'compute_(20|35|86)' out.txt | tr '\n' ' ')" "compute_20 compute_35 compute_86 "
works cc -code-ls
same "codes" "$(grep -xE 'sm_(20|35|86)' out.txt | tr '\n' ' ')" "sm_20 sm_35 sm_86 "
works cc --print-toolkit
toolkit=$(cat out.txt)
[ -f "$toolkit/include/cuda_runtime.h" ] && [ -f "$toolkit/lib64/libcudart.so" ] &&
    [ -x "$toolkit/bin/nvcc" ] || failed "toolkit $toolkit"
"$toolkit/bin/nvcc" --version >out.txt || failed "nvcc --version"
grep -q 'release 10\.1' out.txt || failed "nvcc is another"
"$toolkit/bin/nvcc" prog.cu -o prog || failed "nvcc does not compile"
passes ./prog
finish
