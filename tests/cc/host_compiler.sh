#!/usr/bin/env bash
# -Xcompiler, -Xlinker, -ccbin, -O, -g, -std: what reaches the host's compiler and the linker.
. "$SRC/tests/cc/lib.bash"

echo 'int main(void) { return 0; }' >c.c
cp c.c cxx.cpp
shows 'cuda-host-only .* -Wall -funroll-loops .*prog\.cu' -Xcompiler -Wall,-funroll-loops prog.cu
hides 'cuda-device-only .* -funroll-loops' -Xcompiler -funroll-loops prog.cu
shows "'-DX=a b' .*cuda-host-only .*-O0 " -Xcompiler '"-DX=a b",-O0' prog.cu
shows ' -Wl,-z,now ' -Xcompiler -Wl,-z,now prog.cu
shows ' -Xlinker --as-needed -Xlinker -z -Xlinker now ' -Xlinker --as-needed,-z,now prog.cu
shows '^#. gcc .*-O3 .*-g .*-c c\.c' -O3 -g c.c
shows '^#. g\+\+ .*-std=c\+\+11 .*-c cxx\.cpp' --std=c++11 cxx.cpp
hides '^#. gcc .*-std=c\+\+11' -std=c++11 c.c
shows 'cuda-host-only .* -std=c\+\+17|-std=c\+\+17 .*cuda-host-only' -std c++17 prog.cu
shows '-std=c\+\+11 .*cuda-device-only' -std=gnu++98 prog.cu
shows '^#. mygcc .*-x c .*-c c\.c' -ccbin mygcc c.c
shows '^#. mygcc .*-x c\+\+ .*-c cxx\.cpp' --compiler-bindir=mygcc cxx.cpp
mkdir -p tools
printf '#!/bin/sh\nexec g++ "$@"\n' >tools/g++
chmod +x tools/g++
shows '^#. tools/g\+\+ .* -lcudart' -ccbin tools prog.cu
shows 'cuda-device-only .*-O1 ' -G prog.cu
shows 'cuda-device-only .*-O3 ' -O0 prog.cu

# Libraries that libcudart.so is are not looked for; others are, behind all objects, as nvcc has them.
shows 'prog\.o b\.a -lfoo -lbar -lcutil_x86_64 -X' prog.o -lfoo b.a -lcudart -l bar --library cuda -lcutil_x86_64
hides '-lcudart_static|-lcuda |-lcudadevrt|-lculibos' -lcudart_static -lcuda -lcudadevrt -lculibos prog.cu
fails 1 'cannot find -lcusparse' cc prog.cu -lcusparse
no_leftovers
finish
