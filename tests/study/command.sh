#!/usr/bin/env bash
# smelt store: list, show, export, prune, and their mistakes.
source "$SRC/tests/study/lib.bash"
source "$SRC/tests/e2e/lib/check.bash"

"$TOOL" sweep s.db a.job 1001 1004 >out.txt 2>err.txt || die "$(cat err.txt)"
"$TOOL" sweep s.db bad.job 1001 1001 >out.txt 2>err.txt || die "$(cat err.txt)"
key=$("$TOOL" key a.job 1002) bad=$("$TOOL" key bad.job 1001)

works store list s.db
same "lines" "$(wc -l <out.txt)" 5
grep -qE "^${key:0:12}  done  a.job  tiny  -  gpu.core_mhz=1002  [0-9]+  [0-9.]+  [0-9.]+  20..-..-..T" out.txt ||
    failed "list: $(cat out.txt)"
works store list s.db --failed
grep -qE "^${bad:0:12}  failed  bad.job .*Z  ended with status 1: bad.job:5: the sum of y is" out.txt ||
    failed "list --failed: $(cat out.txt)"
same "failed ones" "$(wc -l <out.txt)" 1
works store list -v s.db --program a.job --gpu tiny --set 1002
grep -qE "^$key  done .* $(uname -n)  [0-9.]+ .*[0-9a-f]{32}" out.txt || failed "list -v: $(cat out.txt)"
works store list s.db --mech gates
same "of mechanisms" "$(cat out.txt)" ""
works store list s.db --before 2020-01-01
same "before" "$(cat out.txt)" ""
works store list s.db --build other
same "of other builds" "$(cat out.txt)" ""

works store show "${bad:0:8}" s.db
grep -qE '^message       ended with status 1: bad.job:5: the sum' out.txt || failed "show: $(cat out.txt)"
grep -qE '^              smelt: bad.job:5: the sum' out.txt || failed "show: $(cat out.txt)"
works store show s.db "$key" --json
is_json out.txt
same "status" "$(field out.txt status)" '"done"'
cycles=$(jq .total.cycles out.txt)

works store export s.db --metric total.ipc --metric config.gpu.core_mhz --program a.job
same "head" "$(head -n 1 out.txt | cut -d, -f 1-7)" key,state,program,args,gpu,mech,settings
grep -qE "^$key,done,a.job,,tiny,,gpu.core_mhz=1002,0,.*,$cycles,.*,[0-9.]+,1002\$" out.txt ||
    failed "export: $(cat out.txt)"
works store export s.db -o x.csv
same "lines" "$(wc -l <x.csv)" 6
works store export s.db -o x.jsonl
same "lines" "$(wc -l <x.jsonl)" 5
same "whole results" "$(jq -r 'select(.point.key == "'"$key"'") | .result.total.cycles' x.jsonl)" "$cycles"
same "no result" "$(jq -c 'select(.point.state == "failed") | .result' x.jsonl)" null

works store prune s.db --failed
grep -q "^${bad:0:12}  failed" out.txt || failed "prune shows nothing"
grep -q '^1 point would be removed; --yes does it$' err.txt || failed "prune: $(cat err.txt)"
same "rows" "$(sql s.db 'SELECT count(*) FROM point')" 5
works store prune s.db --failed --yes
same "said" "$(cat out.txt)" "1 point removed"
works store prune --yes s.db "${key:0:10}" "$("$TOOL" key a.job 1003)"
same "said" "$(cat out.txt)" "2 points removed"
same "rows" "$(sql s.db 'SELECT group_concat(settings) FROM point')" gpu.core_mhz=1001,gpu.core_mhz=1004
works store prune s.db --build other --yes
same "said" "$(cat out.txt)" "0 points removed"

fails 2 'store what\? list, show, export or prune' store
fails 2 "store does not know 'lst'; did you mean list\?" store lst s.db
fails 2 'store list: which store\? Name its file' store list
fails 2 "store takes one file, not also 'b.db'" store list s.db b.db
fails 2 'none.db: No such file or directory' store list none.db
fails 2 'a.job is not a store: it is no SQLite file' store list a.job
fails 2 'store list: --yes is not for it' store list s.db --yes
fails 2 'store show: --metric is not for it' store show s.db abcd --metric total.ipc
fails 2 'store show takes one key, as smelt store list s.db has them' store show s.db
fails 2 "s.db: no point's key begins with '77777'" store show 77777 s.db
fails 2 "x.txt' is neither x.csv nor x.jsonl" store export s.db -o x.txt
fails 2 'metric is for a CSV file' store export s.db -o x.jsonl --metric total.ipc
fails 2 '--metric total.ipk: the result of point [0-9a-f]{12} has no such number' store export s.db --metric total.ipk
fails 2 'no/x.csv: No such file or directory' store export s.db -o no/x.csv
fails 2 'store prune: which points\?' store prune s.db --yes
fails 2 "before: 'monday' is not a date, such as 2025-12-31" store prune s.db --before monday
fails 2 "unknown option '--frobnicate' of store" store list s.db --frobnicate
[ ! -e x.txt ] && [ ! -e none.db ] || failed "a file was made"

# A full disk while exporting.
"$SMELT" store export s.db >/dev/full 2>err.txt && failed "a full disk is not told"
grep -q 'standard output: No space left on device' err.txt || failed "$(cat err.txt)"
finish
