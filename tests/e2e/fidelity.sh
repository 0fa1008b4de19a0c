#!/usr/bin/env bash
# bench/fidelity needs nothing but the repository, and says both speeds.
. "$SRC/tests/e2e/lib/check.bash"

"$SRC/bench/fidelity" --smelt "$SMELT" --csv out.csv ub_lat_iadd bitonic >out.txt 2>err.txt || failed "$(cat err.txt)"
grep -Eq '^bitonic +14618 +[0-9]+ .* equal .* [0-9.]+x +[0-9.]+x ' out.txt || failed "no row: $(cat out.txt)"
grep -Eq '^speed by wall time: [0-9.]+ times GPGPU-Sim' out.txt || failed "no speed by wall time"
grep -Eq '^speed by CPU time: +[0-9.]+ times GPGPU-Sim' out.txt || failed "no speed by CPU time"
same "rows" "$(wc -l <out.csv)" 3
same "columns" "$(awk -F, '{ print NF }' out.csv | sort -u)" 15
"$SRC/bench/fidelity" --smelt "$SMELT" --reference . 2>err.txt && failed "no reference, no error"
grep -q '^fidelity: ./totals.csv: no such file' err.txt || failed "$(cat err.txt)"

finish
