#!/usr/bin/env bash
# A program whose device code is whole in each file, built by the steps of separate compilation.
. "$SRC/tests/cc/lib.bash"

toolkit=$("$SMELT" cc --print-toolkit)
works cc -arch=sm_35 -dc prog.cu -o prog.o
works cc -arch=sm_35 -dlink prog.o -o linked.o -lcudadevrt
g++ prog.o linked.o -L"$toolkit/lib64" -lcudadevrt -lcudart -Wl,-rpath,"$toolkit/lib64" \
    -Wl,--allow-shlib-undefined -o prog 2>err.txt || failed "g++: $(cat err.txt)"
passes ./prog
works cc --device-link prog.o
[ -s a_dlink.o ] || failed "no a_dlink.o"
works cc -rdc=true prog.cu -o prog
passes ./prog
no_leftovers
finish
