#!/usr/bin/env bash
# A Makefile names the folders of another CUDA, which is there: ours is taken all the same.
. "$SRC/tests/cc/lib.bash"

mkdir -p other/include other/lib64
echo '#error another header' | tee other/include/cuda_runtime.h >other/include/driver_types.h
echo '#define EXTRA 1' >other/include/extra.h
echo 'int other(void) { return 1; }' >other.c
gcc -shared -fPIC other.c -o other/lib64/libcudart.so || failed "no other library"
{ echo '#include <extra.h>'; cat prog.cu; } >with.cu
for option in "-Iother/include" "-I other/include" "-isystem other/include" \
    "-Xcompiler -Iother/include"; do
    # shellcheck disable=SC2086  # several words
    works cc $option -Lother/lib64 with.cu -lcudart -o prog
    passes ./prog
done
printf '#include <cuda_runtime.h>\nint f(void) { return cudaSuccess; }\n' >plain.c
works cc -Iother/include -c plain.c
finish
