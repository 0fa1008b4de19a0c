#!/usr/bin/env bash
#
# cycles.sh NAME -- a reference job takes as many cycles as in GPGPU-Sim, within 5 %: not lowered, with
# the registers that its occupancy used.
set -euo pipefail

name=$1
reference=$SRC/bench/reference
row=$(grep "^$name,SM2_GTX480," "$reference/totals.csv")
rest=${row#"$name,SM2_GTX480,"}
case $rest in
\"*) regs=${rest#\"} regs=${regs%%\"*} rest=${rest#\"*\",} ;; # of each kernel
*) regs=${rest%%,*} rest=${rest#*,} ;;
esac

"$SMELT" run -g gtx480 --set front.lower=off --set front.regs="$regs" --json out.json \
    "$reference/kernels/$name.job" >/dev/null 2>err.txt || { cat err.txt && exit 1; }

awk -v name="$name" -v want="${rest%%,*}" '
    /^  "/ { total = $1 == "\"total\":" }
    total && $1 == "\"cycles\":" { got = $2 + 0 }
    END {
        off = 100 * (got - want) / want
        printf "%s: %d cycles, GPGPU-Sim %d: %+.2f %%\n", name, got, want, off
        exit !(want > 0 && off > -5 && off < 5)
    }' out.json
