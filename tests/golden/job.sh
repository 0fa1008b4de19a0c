#!/usr/bin/env bash
#
# job.sh NAME [off] -- runs a reference job and compares what it prints with the expected values
# (rows `job sum|at buffer [index] value tolerance`).  With `off`, PTX is executed as it is, and the
# numbers of executed instructions must be the reference simulator's.
set -euo pipefail

name=$1
lower=${2:-on}
reference=$SRC/bench/reference

"$SMELT" run --functional -g gtx480 --set front.lower="$lower" --json out.json \
    "$reference/kernels/$name.job" >out.txt

awk -v job="$name" '$1 == job { sub(/^[^ ]+ /, ""); print }' "$reference/kernels/expected.txt" >expected.txt
awk '
function fail(what) { print what; bad = 1 }
NR == FNR { value[FNR] = $(NF - 1); within[FNR] = $NF; NF -= 2; label[FNR] = $0; rows = FNR; next }
{
    got = $NF
    NF -= 1
    difference = got - value[FNR]
    if (difference < 0)
        difference = -difference
    if (FNR > rows || $0 != label[FNR])
        fail("unexpected: " $0)
    else if (!(difference <= within[FNR]))
        fail($0 " is " got ", expected " value[FNR] " within " within[FNR])
    lines = FNR
}
END {
    if (lines != rows)
        fail("expected " rows " lines, got " lines + 0)
    exit bad
}' expected.txt out.txt

[ "$lower" = off ] || exit 0

# The totals stand after all kernels, so the last count of each name is the total.
counted()
{
    awk -v key="\"$1\":" '$1 == key { n = $2 } END { sub(/,$/, "", n); print n }' out.json
}
IFS=, read -r thread_insts warp_insts < <(
    sed 's/"[^"]*"//g' "$reference/totals.csv" |
        awk -F, -v job="$name" '$1 == job && $2 == "SM2_GTX480" { print $5 "," $6 }'
)
if [ "$(counted warp_insts)" != "$warp_insts" ] || [ "$(counted thread_insts)" != "$thread_insts" ]; then
    echo "$(counted warp_insts) warp and $(counted thread_insts) thread instructions," \
        "the reference counts $warp_insts and $thread_insts"
    exit 1
fi
