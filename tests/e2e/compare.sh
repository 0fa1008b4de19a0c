#!/usr/bin/env bash
# smelt compare: what it shows, in which order, and its mistakes.
. "$SRC/tests/e2e/lib/check.bash"

job=$SRC/examples/vecadd.job
works run -g tiny "$job" --json a.json
works run -g tiny "$job" --json b.json
works compare a.json b.json
same "equal results" "$(cat out.txt)" "no difference"
works compare --exact a.json b.json
same "exactly equal" "$(cat out.txt)" ""

# Keys first, then numbers, the largest change first.
works run -g tiny "$job" --json slow.json --set mem.dram_latency=300 --set mem.copy_warms_l2=off
works compare a.json slow.json
grep -Eq '^mem.dram_latency +10 -> 300$' out.txt || failed "the key is not shown: $(cat out.txt)"
grep -Eq '^total.cycles +[0-9]+ +[0-9]+ +\+[0-9.]+ %$' out.txt || failed "no cycles: $(cat out.txt)"
grep -Eq '^kernels\[0\].cycles vecadd ' out.txt || failed "no launch"
grep -Eq 'seconds|host' out.txt && failed "wall time is compared"
grep -v '^total' out.txt | sed -n 's/.* [+]\([0-9.]*\) %$/\1/p; s/.* -\([0-9.]*\) %$/\1/p' >changes.txt
sort -gr changes.txt | cmp -s - changes.txt || failed "not in order"
[ "$(wc -l <out.txt)" -le 46 ] || failed "more than 40 rows"
works compare --all a.json slow.json
grep -Eq '^stats.warp_insts +[0-9]+ +[0-9]+ +=$' out.txt || failed "--all hides what is equal"
"$SMELT" compare --exact a.json slow.json >out.txt
same "status of --exact" $? 1
grep -q '^config.mem.dram_latency: 10 in A, 300 in B$' out.txt || failed "first difference: $(cat out.txt)"

# Other launches, and results without timing.
works run -g tiny --functional "$job" --json f.json
works compare a.json f.json
grep -q '^functional  *false -> true$' out.txt || failed "not told: $(cat out.txt)"
sed 's/"name": "vecadd"/"name": "other"/' a.json >other.json
works compare a.json other.json
grep -q '^launch 1 is vecadd in A and other in B: ' out.txt || failed "launches: $(cat out.txt)"

fails 2 'compare takes two files, 1 given' compare a.json
fails 2 "not also 'c'" compare a b c
fails 2 'none.json: No such file' compare a.json none.json
printf '{"total": {},\n  "x": 01}' >bad.json
fails 2 'bad.json:2:8: a number that begins with 0$' compare bad.json a.json
printf '[1, 2]' >bad.json
fails 2 'bad.json: not the result of smelt run' compare a.json bad.json
fails 2 'unknown option' compare --fast a.json b.json

finish
