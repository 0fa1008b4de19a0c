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
    "smelt: cc needs clang 14 or newer: no clang++ was found; Debian and Ubuntu: apt-get install clang; Fedora: dnf install clang"
SMELT_CLANG=/nowhere/clang fails 2 'cc needs clang: /nowhere/clang \(SMELT_CLANG\) was not found' \
    cc prog.cu
SMELT_CLANG=false fails 2 'cc needs clang: .*/false does not run' cc prog.cu
printf '#!/bin/sh\necho /usr/lib/llvm-13/lib/clang/13.0.1\n' >old_clang
chmod +x old_clang
SMELT_CLANG=$PWD/old_clang fails 2 'cc needs clang 14 or newer, and .*/old_clang is clang 13; .*install clang' cc prog.cu

ln -sf "$tool" only_clang/my-clang
SMELT_CLANG=$PWD/only_clang/my-clang works cc prog.cu -o prog
passes ./prog

ln -sf "$tool" only_clang/clang++-14
ln -sf "$(command -v ld)" only_clang/ld
echo 'int two(void) { return 2; }' >two.c
PATH=$PWD/only_clang "$SMELT" cc prog.cu two.c -o prog2 2>err.txt || failed "no gcc: $(cat err.txt)"
passes ./prog2
finish
