#!/usr/bin/env bash
# Several calls at once, as make -j makes them, with the same names of files in different folders.
. "$SRC/tests/cc/lib.bash"

pids=
for i in 1 2 3 4; do
    mkdir -p d$i
    "$SMELT" cc -DVALUE=$i prog.cu -o d$i/prog &
    pids="$pids $!"
done
for pid in $pids; do
    wait "$pid" || failed "a call ends with $?"
done
for i in 1 2 3 4; do
    passes d$i/prog
    grep -q "add.s32 .*, $i;" <<<"$(strings -a d$i/prog)" || failed "d$i has another's kernel"
done
no_leftovers
finish
