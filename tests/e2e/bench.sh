#!/usr/bin/env bash
# smelt bench: a workload runs, is verified and reported; names are checked.
. "$SRC/tests/e2e/lib/check.bash"

works bench saxpy --json bench.json
grep -Eq '^saxpy +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ ' out.txt || failed "no row: $(cat out.txt)"
grep -Eq '^calibration [0-9.]+ Msteps/s' out.txt || failed "no calibration"
is_json bench.json
same "name" "$(field bench.json name)" '"saxpy"'
works bench --calibrate
grep -Eqx 'calibration [0-9.]+ Msteps/s, [0-9.]+ by CPU time' out.txt || failed "calibration: $(cat out.txt)"
fails 2 "no benchmark 'sgem'; did you mean sgemm" bench sgem
fails 2 'unknown option' bench --fast

# Every workload computes what it should.
for job in "$SRC"/bench/*.job; do
    works run --functional "$job"
done

finish
