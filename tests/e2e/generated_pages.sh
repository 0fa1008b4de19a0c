#!/usr/bin/env bash
#
# generated_pages.sh -- the pages that smelt writes about itself are the ones in docs/, and README.md
# shows what the commands print.
set -euo pipefail

"$SMELT" list keys --markdown | diff - "$SRC/docs/CONFIG.md" || {
    echo "docs/CONFIG.md is old: smelt list keys --markdown > docs/CONFIG.md"
    exit 1
}
"$SMELT" list stats --markdown | diff - "$SRC/docs/STATS.md" || {
    echo "docs/STATS.md is old: smelt list stats --markdown > docs/STATS.md"
    exit 1
}

# Every line that an example of README.md shows as output is one that the command prints.
work=$PWD
cd "$SRC"
"$SMELT" cc examples/saxpy.cu -o "$work/saxpy"
{
    "$SMELT" run --functional examples/vecadd.job
    "$SMELT" run --functional "$work/saxpy"
    "$SMELT" run --functional bfs --size 100000 --seed 3
} >"$work/out.txt" 2>&1
while read -r line; do
    grep -qF -- "$line" README.md || {
        echo "README.md lacks: $line"
        exit 1
    }
done < <(grep -v 'second$\|compiling workload\|libasan' "$work/out.txt")
