#!/usr/bin/env bash
# A sweep over a set: keys, schedulers and a mechanism over workloads, run once and never again; a
# further value runs alone.  With small inputs; what it makes is counted in the store.
# shellcheck source=tests/e2e/lib/check.bash
source "$SRC/tests/e2e/lib/check.bash"

case $SMELT in *asan*) exit 0 ;; esac # it only starts other runs

sweep()
{
    works sweep -g gates --vary "l1d.size=$1" --vary sm.scheduler=lrr,gto -m gates --quick set:quick -o out
    same "runs made, there, failed ($1)" "$2" \
        "$(sed -nE 's/^smelt: ([0-9]+) runs made, ([0-9]+) were there, ([0-9]+) failed; .*/\1 \2 \3/p' err.txt)"
}

rm -rf out
sweep 16K,32K "32 0 0"
sweep 16K,32K "0 32 0"
sweep "16K,32K,48K l1d.ways=6" "16 32 0"
same "rows" "$(wc -l <out/total_cycles.csv)" 10
same "rows that the store counts" "$("$SMELT" store list --store out/store.db | wc -l)" 48
finish
