#!/usr/bin/env bash
# Compiles and runs one CUDA program, most of them wrong, and compares what happens with what its first lines say:
#
#   // status: N        the exit status of smelt run
#   // stdout: TEXT     a line on stdout; all of them, in order
#   // stderr: TEXT     a line on stderr; all of them, in order; " ..." at its end: whatever follows
#   // options: ...     of smelt run
#   // compile: ...     options of smelt cc
#   // timing           with timing; else results only
#
#   check.sh FILE.cu    SMELT is the command
set -uo pipefail

file=$1
name=$(basename "$file" .cu)
says()
{
    sed -n "s|^// $1: \{0,1\}||p" "$file"
}

# Compiled by its name alone, since messages show it as it was given.
cp "$file" "$(dirname "$file")/say.h" .
read -ra compile <<<"$(says compile)"
"$SMELT" cc "${compile[@]}" "$name.cu" -o "$name" || { echo "$name does not compile"; exit 1; }
read -ra options <<<"$(says options)"
grep -q '^// timing$' "$file" || options+=(--functional)
"$SMELT" run "${options[@]}" "./$name" >out.txt 2>err.txt
status=$?
grep -v "^smelt:   \|^smelt: [0-9]* launch\(es\)\{0,1\}[,:] \|^smelt: [A-Za-z0-9_]*  .*grid " err.txt >said.txt # the summary

bad=0
complain()
{
    echo "$@"
    bad=1
}
[ "$status" = "$(says status)" ] || complain "status $status"
says stdout | cmp -s - out.txt || { complain "stdout:"; cat out.txt; }

# Line by line: the lists have the same length, and each line is as expected.
mapfile -t want < <(says stderr)
mapfile -t have <said.txt
[ ${#want[@]} -eq ${#have[@]} ] || complain "stderr has ${#have[@]} lines, not ${#want[@]}"
for i in "${!want[@]}"; do
    line=${have[i]:-}
    case ${want[i]} in
    *' ...') [[ $line == "${want[i]% ...}"* ]] || complain "stderr: $line" ;;
    *) [ "$line" = "${want[i]}" ] || complain "stderr: $line" ;;
    esac
done
[ $bad -eq 0 ] || { echo "all of stderr:"; cat said.txt; }
exit $bad
