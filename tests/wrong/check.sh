#!/usr/bin/env bash
# Runs one wrong program, job or command line and compares what is said about it.
#
#   check.sh FILE      SMELT is the command
#
# The first line of FILE says what to expect: `expect STATUS: MESSAGE` behind // or #, where MESSAGE is
# the first line on stderr without its "smelt: ", and ` ...` at its end stands for anything.
#
#   x.ptx   is run with one block of 32 threads, or as a second line `// run OPTIONS` says
#   x.job   is run
#   x.cmd   holds the arguments of the command in its last line
#
# GPU tiny, in the folder of FILE, so that messages name files without a path.
set -u

file=$(basename "$1")
cd "$(dirname "$1")" || exit 1

expect=$(sed -n '1s/^\(\/\/\|#\) expect //p' "$file")
options=$(sed -n '2s/^\/\/ run //p' "$file")
[ -n "$expect" ] || { echo "$file: no line 'expect STATUS: MESSAGE'"; exit 1; }
[[ $options == *--grid* ]] || options="--grid 1 --block 32 $options"

case $file in
*.ptx) args="run --functional -g tiny $file $options" ;;
*.job) args="run --functional -g tiny $file" ;;
*.cmd) args=$(tail -n 1 "$file") ;;
esac

set -f # an argument like buf:f32[8]=zero is not a pattern of files
said=$("$SMELT" $args 2>&1 >/dev/null </dev/null)
have="$?: $(head -n 1 <<<"$said" | sed 's/^smelt: //')"

case $expect in
*' ...') [[ $have == "${expect%...}"* ]] && exit 0 ;;
*) [[ $have == "$expect" ]] && exit 0 ;;
esac
printf 'expected  %s\nbut found %s\n' "$expect" "$have"
exit 1
