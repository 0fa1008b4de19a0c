#!/usr/bin/env bash
# Compiles a program and runs it: it says PASS.  A line `// options: ...` is for smelt cc, one of
# `// run: ...` for smelt run, lines `// stdout: TEXT` are what the program prints before;
# `// timing` has it run with timing, too.
#
#   run.sh FILE.cu      SMELT is the command
set -uo pipefail

file=$1
name=$(basename "$file" .cu)
says()
{
    sed -n "s|^// $1: \{0,1\}||p" "$file"
}

read -ra options <<<"$(says options)"
read -ra run <<<"$(says run)"
"$SMELT" cc "${options[@]}" "$file" -o "$name" >cc.txt 2>&1 || { cat cc.txt; exit 1; }
# (With sanitizers the linker has something to say about their library.)
if grep -v 'libasan' cc.txt; then
    echo "messages from the compiler"
    exit 1
fi
passes()
{
    "$SMELT" run "${run[@]}" "$@" "./$name" >out.txt 2>err.txt
    status=$?
    { says stdout; echo PASS; } | cmp -s - out.txt && [ $status -eq 0 ] && return
    echo "smelt run ${run[*]} $*: status $status"
    cat out.txt err.txt
    exit 1
}

passes --functional
if grep -q '^// timing$' "$file"; then
    passes --threads 2
fi
exit 0
