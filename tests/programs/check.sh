#!/usr/bin/env bash
# Compiles a program, or runs one that was compiled: it says PASS and nothing else on stdout.
#
#   check.sh cc FILE.cu                     makes ./FILE, without a message
#   check.sh functional FILE.cu PROGRAM     runs it for its results
#   check.sh timing FILE.cu PROGRAM         runs it with timing
#
# In FILE.cu:
#
#   // options: ...     of smelt cc
#   // run: ...         of smelt run
#   // stderr: TEXT     a line of its stderr begins like this
#
# SMELT is the command.
set -uo pipefail

what=$1 file=$2
name=$(basename "$file" .cu)
says()
{
    sed -n "s|^// $1: ||p" "$file"
}

if [ "$what" = cc ]; then
    read -ra options <<<"$(says options)"
    "$SMELT" cc "${options[@]}" "$file" -o "$name" >cc.txt 2>&1 || { cat cc.txt; exit 1; }
    # (With sanitizers the linker has something to say about their library.)
    ! grep -v libasan cc.txt
    exit
fi

read -ra options <<<"$(says run)"
case $what in
functional) options+=(--functional) ;;
timing) options+=(--threads 2) ;;
esac
"$SMELT" run "${options[@]}" "$3" >out.txt 2>err.txt
status=$?
bad=0
[ $status -eq 0 ] && [ "$(cat out.txt)" = PASS ] || bad=1
while read -r line; do
    awk -v line="$line" 'index($0, line) == 1 { found = 1 } END { exit !found }' err.txt ||
        { echo "not on stderr: $line"; bad=1; }
done < <(says stderr)
[ $bad -eq 0 ] || { echo "smelt run ${options[*]} $name: status $status"; cat out.txt err.txt; }
exit $bad
