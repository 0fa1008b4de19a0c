#!/usr/bin/env bash
# Mistakes in the call: one line, status 2, and nothing is done.
. "$SRC/tests/cc/lib.bash"

fails 2 "^smelt: unknown option '--nonsense' of cc; see smelt cc --help$" cc --nonsense prog.cu
fails 2 "unknown option '-maxregcount=3' of cc \(did you mean --maxrregcount\?\)" \
    cc -maxregcount=3 prog.cu
fails 2 "unknown option '-use_fast_maths'.*--use_fast_math" cc -use_fast_maths prog.cu
fails 2 "unknown option '--o' of cc" cc --o x prog.cu
fails 2 "option '-o' of cc needs a value" cc prog.cu -o
fails 2 "option '--gpu-architecture' of cc needs a value" cc prog.cu --gpu-architecture
fails 2 'cc what\? no file' cc
fails 2 'cc what\? no file' cc -O3 -lm
fails 2 'languages are cu, c and c\+\+' cc -x fortran prog.cu
fails 2 'only 64-bit' cc -m32 prog.cu
fails 2 'for 2 files that are compiled one by one' cc -c a.cu b.cu -o both.o
fails 2 'prog.o.* is no source file' cc -c prog.o
fails 1 "no such file or directory: 'missing.cu'" cc missing.cu
fails 2 'missing.txt: No such file' cc @missing.txt
SMELT_TOOLKIT=/nowhere fails 2 "SMELT_TOOLKIT: no include/cuda_runtime.h in '/nowhere'" cc prog.cu
same "files" "$(ls -d a.out ./*.o 2>/dev/null)" ""
no_leftovers
finish
