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

# Every line of output that README.md shows is one that the command prints, host time aside.
work=$PWD
cd "$SRC"
"$SMELT" cc examples/saxpy.cu -o "$work/saxpy"
{
    "$SMELT" run examples/vecadd.job
    "$SMELT" run "$work/saxpy"
    "$SMELT" run --threads 2 bfs --size 20000 --seed 3
} >"$work/out.txt" 2>&1
while read -r line; do
    grep -qxF -- "$line" "$work/out.txt" || {
        echo "README.md shows, but nothing prints: $line"
        exit 1
    }
done < <(grep -E '^    (smelt: |PASS$|mean |sum c 5|at c )' README.md | sed 's/^    //' |
    grep -vE 'simulated in|kernel vecadd: global|^at c 0$|^at c 999$')
