#!/usr/bin/env bash
# Without clang there is a clear line; SMELT_CLANG names another; without gcc clang does it all.
. "$SRC/tests/cc/lib.bash"

tool=$(command -v clang++-14 || command -v clang++)
old=$PATH
mkdir -p empty only_clang
PATH=$PWD/empty
got=$("$SMELT" cc prog.cu 2>&1)
status=$?
PATH=$old
same "status" "$status" 2
same "message" "$got" \
    "smelt: cc needs clang: clang++-14 was not found; Debian: apt-get install clang-14"
SMELT_CLANG=/nowhere/clang fails 2 'cc needs clang: /nowhere/clang \(SMELT_CLANG\) was not found' \
    cc prog.cu
SMELT_CLANG=false fails 2 'cc needs clang: .*/false does not run' cc prog.cu

ln -sf "$tool" only_clang/my-clang
SMELT_CLANG=$PWD/only_clang/my-clang works cc prog.cu -o prog
passes ./prog

ln -sf "$tool" only_clang/clang++-14
ln -sf "$(command -v ld)" only_clang/ld
echo 'int two(void) { return 2; }' >two.c
PATH=$PWD/only_clang "$SMELT" cc prog.cu two.c -o prog2 2>err.txt || failed "no gcc: $(cat err.txt)"
passes ./prog2
finish
